//! Strict schemas: what they become, when they are refused, and what is said about it.

use crate::support::{exported, is_strict, recorded, tool};
use pegboard::{ExportChange, ExportOptions, Provider, Strictness, export};
use serde_json::json;

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
fn an_error_about_many_tools_stays_short() {
    let options = ExportOptions {
        strict: Strictness::Required,
        ..ExportOptions::default()
    };
    let tools: Vec<_> = (0..30)
        .map(|number| tool(&format!("put{number}"), "", recorded("put")))
        .collect();
    let error = export(Provider::OpenAi, &options, &tools).unwrap_err().to_string();
    assert!(
        error.ends_with("put19: /meta is an open object; and 10 more"),
        "{error}"
    );
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
fn alternatives_that_begin_alike_are_not_strict() {
    let union = |first: serde_json::Value, second: serde_json::Value| {
        let branch =
            |kind: serde_json::Value| json!({"type": "object", "properties": {"kind": kind, "x": {"type": "integer"}}});
        json!({"type": "object", "properties": {"shape": {"anyOf": [branch(first), branch(second)]}}})
    };
    let alike = tool("draw", "", union(json!({"type": "string"}), json!({"type": "string"})));
    let export = exported(Provider::OpenAi, true, std::slice::from_ref(&alike));
    assert!(!is_strict(Provider::OpenAi, &export));
    let note = export
        .notes
        .iter()
        .find(|note| note.change == ExportChange::NotStrict)
        .unwrap();
    assert_eq!(note.reason, "/shape has alternatives that begin with the same property");
    assert!(is_strict(
        Provider::Anthropic,
        &exported(Provider::Anthropic, true, &[alike])
    ));
    let told_apart = tool(
        "draw",
        "",
        union(json!({"const": "circle"}), json!({"const": "square"})),
    );
    assert!(is_strict(
        Provider::OpenAi,
        &exported(Provider::OpenAi, true, &[told_apart])
    ));
}
