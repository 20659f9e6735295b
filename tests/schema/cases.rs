//! Schemas that made a provider refuse a whole request, or a model guess, and what they have to become.

use crate::support::{descriptions, exported, is_strict, objects, parameters, recorded, schemas, tool};
use pegboard::{ExportChange, ExportOptions, Provider, export};
use serde_json::json;

#[test]
fn a_choice_at_the_root_moves_into_the_description() {
    let find = tool(
        "find",
        "Finds an entry",
        json!({
            "type": "object",
            "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
            "anyOf": [{"required": ["id"]}, {"required": ["name"]}],
        }),
    );
    for provider in Provider::ALL {
        let export = exported(provider, false, std::slice::from_ref(&find));
        let schema = &schemas(provider, &export)[0];
        assert_eq!(
            *schema,
            json!({"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}),
            "{provider}"
        );
        assert_eq!(
            descriptions(provider, &export),
            ["Finds an entry. Give at least one of: id, name."],
            "{provider}"
        );
        let note = export.notes.iter().find(|note| note.pointer == "/anyOf").unwrap();
        assert_eq!(note.change, ExportChange::Moved);
        assert_eq!(note.to_string(), "find: /anyOf moved into the description");
    }
}

#[test]
fn a_choice_of_shapes_at_the_root_keeps_their_properties() {
    let schema = json!({
        "type": "object",
        "properties": {"token": {"type": "string"}},
        "required": ["token"],
        "oneOf": [
            {"properties": {"kind": {"const": "file"}, "path": {"type": "string"}}, "required": ["kind", "path"]},
            {"properties": {"kind": {"const": "link"}, "url": {"type": "string"}}, "required": ["kind", "url"]},
        ],
    });
    let written = parameters(Provider::Anthropic, false, &schema);
    assert_eq!(
        written,
        json!({
            "type": "object",
            "properties": {
                "token": {"type": "string"},
                "kind": {"enum": ["file", "link"]},
                "path": {"type": "string"},
                "url": {"type": "string"},
            },
            "required": ["token", "kind"],
        })
    );
}

#[test]
fn references_are_written_out_with_what_stands_beside_them() {
    let schema = recorded("paint");
    for provider in Provider::ALL {
        let written = parameters(provider, false, &schema);
        assert_eq!(
            written["properties"]["c"],
            json!({"type": "string", "enum": ["red", "blue"], "description": "what to paint with"}),
            "{provider}"
        );
        let text = written.to_string();
        assert!(!text.contains("$ref") && !text.contains("$defs"), "{provider}: {text}");
    }
}

#[test]
fn references_stay_for_clients_that_resolve_them() {
    let options = ExportOptions {
        keep_references: true,
        ..ExportOptions::default()
    };
    let paint = tool("paint", "", recorded("paint"));
    let export = export(Provider::Mcp, &options, [&paint]).unwrap();
    let schema = &export.tools[0]["inputSchema"];
    assert_eq!(schema["properties"]["c"]["$ref"], "#/$defs/Color");
    assert_eq!(schema["$defs"]["Color"]["enum"], json!(["red", "blue"]));
}

#[test]
fn gemini_gets_only_keywords_that_it_knows() {
    let grep = tool("grep", "Searches.", recorded("grep"));
    let export = exported(Provider::Gemini, false, &[grep]);
    assert_eq!(
        export.tools,
        [json!({"functionDeclarations": [{
            "name": "grep",
            "description": "Searches.",
            "parameters": {
                "type": "object",
                "properties": {
                    "n": {"type": "integer", "minimum": 1, "description": "Must be a multiple of 5."},
                    "mode": {"type": "string", "enum": ["x"]},
                    "m": {"type": "object", "nullable": true, "description": "An object whose values are integers."},
                },
                "required": ["n", "mode"],
            },
        }]})]
    );
    let told: Vec<&str> = export.notes.iter().map(|note| note.pointer.as_str()).collect();
    for rule in [
        "/properties/n/multipleOf",
        "/properties/n/exclusiveMinimum",
        "/properties/mode/const",
    ] {
        assert!(told.contains(&rule), "{rule} is not told: {told:?}");
    }
}

#[test]
fn formats_that_openai_refuses_become_words() {
    let schema = recorded("set_role");
    for strict in [false, true] {
        for provider in [Provider::OpenAi, Provider::OpenAiResponses] {
            let written = parameters(provider, strict, &schema);
            assert_eq!(
                written["properties"],
                json!({
                    "role": {"type": "string", "enum": ["red", "blue"], "description": "new role"},
                    "site": {"type": "string", "description": "A URL."},
                })
            );
            assert!(objects(&written).iter().all(|object| !object.contains_key("$ref")));
        }
    }
}

#[test]
fn recursive_types_keep_one_definition_or_end() {
    let schema = recorded("tree");
    for provider in [Provider::Mcp, Provider::OpenAi, Provider::Anthropic] {
        let written = parameters(provider, false, &schema);
        assert_eq!(
            written["properties"]["node"],
            json!({"$ref": "#/$defs/Node"}),
            "{provider}"
        );
        assert_eq!(written["$defs"].as_object().unwrap().len(), 1);
        assert_eq!(
            written["$defs"]["Node"]["properties"]["kids"]["items"],
            json!({"$ref": "#/$defs/Node"})
        );
    }
    for provider in [Provider::Gemini, Provider::Bedrock] {
        let written = parameters(provider, false, &schema);
        let kids = "/properties/kids/items".repeat(3);
        assert_eq!(
            written.pointer(&format!("/properties/node{kids}")),
            Some(&json!({"type": "object", "description": "another Node"})),
            "{provider}"
        );
    }
    let strict = exported(Provider::OpenAi, true, &[tool("tree", "", schema.clone())]);
    assert!(is_strict(Provider::OpenAi, &strict));
    let strict = exported(Provider::Anthropic, true, &[tool("tree", "", schema)]);
    assert!(!is_strict(Provider::Anthropic, &strict));
    assert_eq!(strict.notes[0].reason, "a parameter's type contains itself");
}

#[test]
fn a_described_recursive_type_keeps_its_description() {
    let written = parameters(Provider::OpenAi, false, &recorded("tree_described"));
    assert_eq!(
        written["properties"]["node"],
        json!({"anyOf": [{"$ref": "#/$defs/Node"}], "description": "where to start"})
    );
}

#[test]
fn tuples_and_bare_lists_have_items() {
    let schema = recorded("tuples");
    let written = parameters(Provider::OpenAi, false, &schema);
    assert_eq!(
        written["properties"]["a"],
        json!({
            "type": "array",
            "maxItems": 2,
            "minItems": 2,
            "items": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
            "description": "The items in their order: an integer, a string.",
        })
    );
    assert_eq!(written["properties"]["c"]["items"], json!({"type": "integer"}));
    assert_eq!(written["properties"]["d"]["items"], json!({}));
    let kept = parameters(Provider::Anthropic, false, &schema);
    assert_eq!(
        kept["properties"]["a"]["prefixItems"],
        json!([{"type": "integer"}, {"type": "string"}])
    );
}

#[test]
fn gemini_gets_unions_that_stand_alone() {
    let written = parameters(Provider::Gemini, false, &recorded("nested"));
    assert_eq!(
        written["properties"]["c"],
        json!({"anyOf": [{"type": "integer", "nullable": true}, {"type": "string"}]})
    );
    let written = parameters(Provider::Gemini, false, &recorded("enums"));
    assert_eq!(
        written["properties"]["a"],
        json!({"type": "integer", "description": "Must be one of: 1, 2."})
    );
    assert_eq!(
        written["properties"]["d"],
        json!({"type": "string", "enum": ["a", "b"], "nullable": true})
    );
}

#[test]
fn rules_of_old_drafts_are_written_anew() {
    let schema = json!({"type": "object", "properties": {
        "pair": {"type": "array", "items": [{"type": "integer"}, {"type": "string"}], "additionalItems": false},
    }});
    assert_eq!(
        parameters(Provider::Anthropic, false, &schema)["properties"]["pair"],
        json!({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": false})
    );
    assert_eq!(
        parameters(Provider::Gemini, false, &schema)["properties"]["pair"],
        json!({
            "type": "array",
            "maxItems": 2,
            "items": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
            "description": "The items in their order: an integer, a string.",
        })
    );
}

#[test]
fn rules_without_a_keyword_become_sentences() {
    let schema = json!({
        "type": "object",
        "properties": {"card": {"type": "string"}, "holder": {"type": "string"}, "cash": {"type": "boolean", "deprecated": true, "x-unit": "eur"}},
        "dependentRequired": {"card": ["holder"]},
        "not": {"required": ["card", "cash"]},
        "minProperties": 1,
    });
    let export = exported(Provider::OpenAi, false, &[tool("pay", "Pays.", schema)]);
    assert_eq!(
        descriptions(Provider::OpenAi, &export),
        [
            "Pays. Where card is given, holder must be given too. Do not give card and cash together. \
          Must have at least 1 property."
        ]
    );
    let properties = &schemas(Provider::OpenAi, &export)[0]["properties"];
    assert_eq!(
        properties["cash"],
        json!({"type": "boolean", "description": "Deprecated."})
    );
    let told: Vec<(&str, ExportChange)> = export
        .notes
        .iter()
        .map(|note| (note.pointer.as_str(), note.change))
        .collect();
    assert_eq!(
        told,
        [
            ("/dependentRequired", ExportChange::Moved),
            ("/not", ExportChange::Moved),
            ("/minProperties", ExportChange::Moved),
            ("/properties/cash/deprecated", ExportChange::Moved),
            ("/properties/cash/x-unit", ExportChange::Dropped),
        ]
    );
}
