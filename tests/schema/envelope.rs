//! What stands around a schema: names, descriptions, the number of tools, and which tools are sent at all.

use crate::support::{descriptions, exported, is_strict, names, parameters, recorded, schemas, tool};
use pegboard::{ExportChange, ExportOptions, Provider, export};
use serde_json::{Value, json};

const MODELS: [Provider; 5] = [
    Provider::OpenAi,
    Provider::OpenAiResponses,
    Provider::Anthropic,
    Provider::Gemini,
    Provider::Bedrock,
];

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
        "t128: it is tool 129 of 130, and OpenAI accepts at most 128"
    );
    assert_eq!(export.notes.len(), 2);
    assert_eq!(export.notes[1].tool, "t129");
    assert_eq!(exported(Provider::Anthropic, false, &tools).notes, []);
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
fn providers_have_one_name_each() {
    for provider in Provider::ALL {
        assert_eq!(provider.as_str().parse(), Ok(provider));
        assert_eq!(json!(provider), provider.as_str());
    }
    let error = "mistral".parse::<Provider>().unwrap_err();
    assert!(error.to_string().contains("openai-responses"), "{error}");
}
