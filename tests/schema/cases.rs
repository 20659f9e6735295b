//! Schemas that made a provider refuse a whole request, or a model guess, and what they have to become.

use crate::support::{descriptions, exported, is_strict, names, objects, parameters, schemas, tool};
use pegboard::{ExportChange, ExportOptions, Provider, Strictness, export};
use serde_json::{Value, json};

const MODELS: [Provider; 5] = [
    Provider::OpenAi,
    Provider::OpenAiResponses,
    Provider::Anthropic,
    Provider::Gemini,
    Provider::Bedrock,
];

fn recorded(case: &str) -> Value {
    let cases: Value = serde_json::from_str(include_str!("cases/pydantic.json")).unwrap();
    cases
        .as_array()
        .unwrap()
        .iter()
        .find(|entry| entry["case"] == format!("pydantic/{case}"))
        .unwrap_or_else(|| panic!("no case {case}"))["schema"]
        .clone()
}

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
fn names_are_accepted_everywhere_and_lead_back() {
    let tools = [
        tool("sheets.get/Range v2", "", json!({"type": "object", "properties": {}})),
        tool(&"a".repeat(70), "", json!({"type": "object", "properties": {}})),
    ];
    for provider in MODELS {
        let export = exported(provider, false, &tools);
        assert_eq!(
            names(provider, &export),
            ["sheets_get_Range_v2".to_owned(), format!("{}_6bd5e503", "a".repeat(55))],
            "{provider}"
        );
        assert!(export.notes.iter().all(|note| note.change == ExportChange::Renamed));
    }
    let wire = pegboard::wire_names(Provider::Gemini, ["sheets.get", "sheets_get"]);
    assert_eq!(wire.wire("sheets.get"), Some("sheets_get_21a37b91"));
    assert_eq!(wire.real("sheets_get_21a37b91"), Some("sheets.get"));
    assert_eq!(
        pegboard::wire_names(Provider::Mcp, ["sheets.get"]).wire("sheets.get"),
        Some("sheets.get")
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
fn a_long_description_is_cut_at_a_word() {
    let prose = "lorem ipsum dolor ".repeat(84).trim_end().to_owned();
    let big = tool(
        "big",
        &prose,
        json!({"type": "object", "properties": {"q": {"type": "string"}}}),
    );
    let export = exported(Provider::OpenAi, false, std::slice::from_ref(&big));
    let text = &descriptions(Provider::OpenAi, &export)[0];
    let characters = text.chars().count();
    assert!(characters <= 1024 && characters > 1000, "{characters}");
    assert!(
        ["lorem…", "ipsum…", "dolor…"].iter().any(|end| text.ends_with(end)),
        "{text}"
    );
    assert_eq!(
        export.notes[0].reason,
        format!("description {} → {characters}", prose.chars().count())
    );
    for provider in [Provider::Mcp, Provider::Anthropic] {
        let export = exported(provider, false, std::slice::from_ref(&big));
        assert_eq!(descriptions(provider, &export), [prose.as_str()]);
        assert_eq!(export.notes, []);
    }
}

#[test]
fn a_rule_survives_the_cut_of_a_description() {
    let schema = json!({"type": "object", "properties": {"a": {}, "b": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]});
    let export = exported(Provider::OpenAi, false, &[tool("big", &"word ".repeat(400), schema)]);
    let text = &descriptions(Provider::OpenAi, &export)[0];
    assert!(text.ends_with("word… Give at least one of: a, b."), "{text}");
    assert!(text.chars().count() <= 1024);
}

#[test]
fn strict_means_null_for_the_default() {
    let export = exported(Provider::OpenAi, true, &[tool("save", "Saves.", recorded("save"))]);
    assert_eq!(
        export.tools[0],
        json!({"type": "function", "function": {
            "name": "save",
            "description": "Saves.",
            "parameters": {
                "type": "object",
                "properties": {"key": {"type": "string"}, "n": {"type": ["integer", "null"]}},
                "required": ["key", "n"],
                "additionalProperties": false,
            },
            "strict": true,
        }})
    );
    let responses = exported(
        Provider::OpenAiResponses,
        true,
        &[tool("save", "Saves.", recorded("save"))],
    );
    assert_eq!(responses.tools[0]["strict"], true);
    assert_eq!(
        responses.tools[0]["parameters"],
        export.tools[0]["function"]["parameters"]
    );
}

#[test]
fn what_is_not_strict_is_never_called_strict() {
    let put = tool("put", "Puts.", recorded("put"));
    for provider in [
        Provider::OpenAi,
        Provider::OpenAiResponses,
        Provider::Anthropic,
        Provider::Bedrock,
    ] {
        let export = exported(provider, true, std::slice::from_ref(&put));
        assert!(!is_strict(provider, &export), "{provider}");
        let note = export
            .notes
            .iter()
            .find(|note| note.change == ExportChange::NotStrict)
            .unwrap();
        assert_eq!(note.reason, "/meta is an open object");
        assert_eq!(note.pointer, "/properties/meta");
    }
    let chat = exported(Provider::OpenAi, true, std::slice::from_ref(&put));
    assert_eq!(chat.tools[0]["function"]["strict"], false);
    let plain = exported(Provider::OpenAi, false, &[put]);
    assert_eq!(plain.tools[0]["function"].get("strict"), None);
}

#[test]
fn strict_can_be_demanded() {
    let options = ExportOptions {
        strict: Strictness::Required,
        ..ExportOptions::default()
    };
    let (save, put) = (tool("save", "", recorded("save")), tool("put", "", recorded("put")));
    assert!(export(Provider::OpenAi, &options, [&save]).is_ok());
    let error = export(Provider::OpenAi, &options, [&save, &put]).unwrap_err();
    assert_eq!(error.code(), "setting");
    assert!(error.to_string().contains("put: /meta is an open object"), "{error}");
    let error = export(Provider::Gemini, &options, [&save]).unwrap_err();
    assert!(error.to_string().contains("Gemini has no strict schemas"), "{error}");
}

#[test]
fn an_author_can_ask_for_strict() {
    let mut save = tool("save", "", recorded("save"));
    save.flags.strict = true;
    let export = exported(Provider::Anthropic, false, &[save, tool("plain", "", recorded("save"))]);
    assert_eq!(export.tools[0]["strict"], true);
    assert_eq!(export.tools[1].get("strict"), None);
}

#[test]
fn responses_says_that_a_tool_is_not_strict() {
    let export = exported(Provider::OpenAiResponses, false, &[tool("save", "", recorded("save"))]);
    assert_eq!(export.tools[0]["strict"], false);
    assert_eq!(export.tools[0]["parameters"]["required"], json!(["key"]));
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
fn schemas_of_mcp_servers_pass_unchanged() {
    let mut foreign = tool(
        "find",
        "Finds.",
        json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "object",
            "properties": {"id": {"type": "integer", "format": "int99"}},
            "anyOf": [{"required": ["id"]}],
        }),
    );
    foreign.source.dialect = "mcp".to_owned();
    for provider in Provider::ALL {
        let export = exported(provider, true, std::slice::from_ref(&foreign));
        assert_eq!(schemas(provider, &export)[0], foreign.parameters_schema, "{provider}");
        assert!(!is_strict(provider, &export));
        let note = export.notes.iter().find(|note| note.pointer == "/anyOf").unwrap();
        assert_eq!(note.change, ExportChange::Unchanged);
    }
    let options = ExportOptions {
        adapt_mcp: true,
        ..ExportOptions::default()
    };
    let export = export(Provider::Anthropic, &options, [&foreign]).unwrap();
    assert_eq!(
        export.tools[0]["input_schema"],
        json!({"type": "object", "properties": {"id": {"type": "integer", "format": "int99"}}, "required": ["id"]})
    );
}

#[test]
fn parameter_names_that_are_refused_are_rewritten_or_the_tool_is_left_out() {
    let properties = json!({"filter[id]": {"type": "string"}});
    let closed =
        json!({"type": "object", "properties": properties, "required": ["filter[id]"], "additionalProperties": false});
    let written = parameters(Provider::Anthropic, false, &closed);
    assert_eq!(written["properties"], json!({"filter_id_": {"type": "string"}}));
    assert_eq!(written["required"], json!(["filter_id_"]));
    assert_eq!(parameters(Provider::OpenAi, false, &closed), closed);

    let open = tool("odata", "", json!({"type": "object", "properties": properties}));
    let export = exported(Provider::Anthropic, false, &[open, tool("other", "", closed)]);
    assert_eq!(names(Provider::Anthropic, &export), ["other"]);
    assert_eq!(export.notes[0].change, ExportChange::LeftOut);
    assert!(
        export.notes[0].to_string().contains("\"filter[id]\""),
        "{}",
        export.notes[0]
    );
}

#[test]
fn arguments_that_are_no_object_are_left_out() {
    let export = exported(Provider::OpenAi, false, &[tool("odd", "", json!({"type": "array"}))]);
    assert_eq!(export.tools, Vec::<Value>::new());
    assert_eq!(export.notes[0].change, ExportChange::LeftOut);
}

#[test]
fn too_many_tools_are_told() {
    let tools: Vec<_> = (0..130)
        .map(|number| tool(&format!("t{number}"), "", json!({"type": "object"})))
        .collect();
    let export = exported(Provider::OpenAi, false, &tools);
    assert_eq!(export.tools.len(), 130);
    assert_eq!(
        export.notes[0].to_string(),
        "t128: it is one of 130 tools, and OpenAI accepts at most 128"
    );
    assert_eq!(exported(Provider::Anthropic, false, &tools).notes, []);
}

#[test]
fn strict_tools_keep_to_the_limits_of_a_request() {
    let tools: Vec<_> = (0..25)
        .map(|number| tool(&format!("t{number}"), "", recorded("nothing")))
        .collect();
    let export = exported(Provider::Anthropic, true, &tools);
    let strict = export.tools.iter().filter(|tool| tool["strict"] == true).count();
    assert_eq!(strict, 20);
    let unions: Vec<_> = (0..20)
        .map(|number| tool(&format!("t{number}"), "", recorded("save")))
        .collect();
    let export = exported(Provider::Anthropic, true, &unions);
    let strict = export.tools.iter().filter(|tool| tool["strict"] == true).count();
    assert_eq!(strict, 16);
}

#[test]
fn mcp_also_takes_the_schema_of_the_value() {
    let mut weather = tool("weather", "", recorded("nothing"));
    weather.output_schema =
        Some(json!({"$defs": {"W": {"type": "object", "properties": {"t": {"type": "number"}}}}, "$ref": "#/$defs/W"}));
    let mut list = tool("list", "", recorded("nothing"));
    list.output_schema = Some(json!({"type": "array", "items": {"type": "integer"}}));
    let export = exported(Provider::Mcp, false, &[weather, list]);
    assert_eq!(
        export.tools[0]["outputSchema"],
        json!({"type": "object", "properties": {"t": {"type": "number"}}})
    );
    assert_eq!(
        export.tools[1]["outputSchema"],
        json!({"type": "object", "properties": {"result": {"type": "array", "items": {"type": "integer"}}}, "required": ["result"]})
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
