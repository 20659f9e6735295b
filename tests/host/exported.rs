//! Tools that providers refused, or that models called in their own way: what is sent for them, and how the calls end.

use super::{call, failure, host, value};
use pegboard::{
    Call, Export, ExportChange, ExportOptions, FailureKind, Host, Problem, Provider, RepairRule, Strictness,
};
use serde_json::{Value, json};

fn export(host: &Host, provider: Provider) -> Export {
    host.export(provider, &ExportOptions::default()).unwrap()
}

/// What a provider is sent for one tool, by its name there.
fn sent(export: &Export, name: &str) -> Value {
    let declared = export
        .tools
        .iter()
        .flat_map(|tool| match &tool["functionDeclarations"] {
            Value::Array(functions) => functions.clone(),
            _ if tool["function"].is_object() => vec![tool["function"].clone()],
            _ if tool["toolSpec"].is_object() => vec![tool["toolSpec"].clone()],
            _ => vec![tool.clone()],
        });
    declared
        .into_iter()
        .find(|tool| tool["name"] == name)
        .unwrap_or_else(|| panic!("{name} is not sent"))
}

fn mended(outcome: &pegboard::Outcome) -> Vec<(&str, RepairRule)> {
    let repairs = outcome.repairs.iter();
    repairs.map(|repair| (repair.pointer.as_str(), repair.rule)).collect()
}

async fn problems(host: &Host, tool: &str, arguments: &str) -> Vec<Problem> {
    failure(host, tool, arguments, FailureKind::InvalidArguments)
        .await
        .problems
}

#[tokio::test]
async fn a_choice_at_the_root_is_told_in_words_and_enforced() {
    let host = host("exported").await;
    let export = export(&host, Provider::Anthropic);
    let find = sent(&export, "find");
    let keys: Vec<&String> = find["input_schema"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["type", "properties"]);
    assert!(
        find["description"]
            .as_str()
            .unwrap()
            .ends_with("Give at least one of: id, name."),
        "{find}"
    );
    let note = export.notes.iter().find(|note| note.pointer == "/anyOf").unwrap();
    assert_eq!((note.tool.as_str(), note.change), ("find", ExportChange::Moved));
    let failure = failure(&host, "find", "{}", FailureKind::InvalidArguments).await;
    assert!(
        failure.message.contains("id") && failure.message.contains("name"),
        "{failure}"
    );
    assert_eq!(value(&host, "find", r#"{"id":1}"#).await, json!(["id"]));
    host.close().await;
}

#[tokio::test]
async fn keywords_that_gemini_does_not_know_are_told_and_enforced() {
    let host = host("exported").await;
    let export = export(&host, Provider::Gemini);
    let properties = &sent(&export, "grep")["parameters"]["properties"];
    assert_eq!(
        properties["n"],
        json!({"type": "integer", "minimum": 1, "description": "Must be a multiple of 5."})
    );
    assert_eq!(properties["mode"], json!({"type": "string", "enum": ["x"]}));
    assert_eq!(
        properties["m"],
        json!({"type": "object", "nullable": true, "description": "An object whose values are integers."})
    );
    for arguments in [
        r#"{"n":4,"mode":"x"}"#,
        r#"{"n":5,"mode":"y"}"#,
        r#"{"n":5,"mode":"x","m":{"a":"b"}}"#,
    ] {
        assert_eq!(problems(&host, "grep", arguments).await.len(), 1, "{arguments}");
    }
    host.close().await;
}

#[tokio::test]
async fn calls_under_a_wire_name_reach_the_tool_and_texts_use_the_real_one() {
    let host = host("exported").await;
    let long = format!("{}_6bd5e503", "a".repeat(55));
    for provider in [
        Provider::OpenAi,
        Provider::Anthropic,
        Provider::Gemini,
        Provider::Bedrock,
    ] {
        let export = export(&host, provider);
        sent(&export, "sheets_get_Range_v2");
        sent(&export, &long);
    }
    sent(&export(&host, Provider::Mcp), "sheets.get_Range_v2");

    for name in ["sheets_get_Range_v2", "sheets.get_Range_v2", "sheets.get/Range v2"] {
        let outcome = call(&host, name, r#"{"cell":"A1"}"#).await;
        assert_eq!((outcome.text(), outcome.tool.as_str()), ("A1", "sheets.get/Range v2"));
        let refused = call(&host, name, "{}").await;
        assert_eq!(refused.tool, "sheets.get/Range v2");
        assert!(refused.failure.is_some());
    }
    assert_eq!(call(&host, &long, "").await.text(), "ok");
    match host.call(Call::new("sheets_get_Range_v3", "{}")).await {
        Err(error) => assert!(error.to_string().contains("sheets.get/Range v2"), "{error}"),
        Ok(outcome) => panic!("{outcome:?}"),
    }
    host.close().await;
}

#[tokio::test]
async fn a_long_docstring_is_cut_only_where_there_is_a_limit() {
    let host = host("exported").await;
    for provider in [Provider::Mcp, Provider::Anthropic] {
        let text = sent(&export(&host, provider), "big")["description"].clone();
        let text = text.as_str().unwrap();
        assert!(text.chars().count() > 1490 && !text.contains("Args:"), "{provider}");
    }
    let openai = export(&host, Provider::OpenAi);
    let big = sent(&openai, "big");
    let text = big["description"].as_str().unwrap();
    assert!(text.chars().count() <= 1024 && text.ends_with('…'), "{text}");
    assert_eq!(big["parameters"]["properties"]["q"]["description"], "the query");
    let note = openai.notes.iter().find(|note| note.tool == "big").unwrap();
    let whole = host.tool("big").unwrap().description.chars().count();
    assert_eq!(note.reason, format!("description {whole} → {}", text.chars().count()));
    host.close().await;
}

#[tokio::test]
async fn strict_is_only_said_of_what_conforms_and_null_means_the_default() {
    let host = host("exported").await;
    let options = ExportOptions {
        strict: Strictness::WherePossible,
        ..ExportOptions::default()
    };
    let export = host.export(Provider::OpenAi, &options).unwrap();
    assert_eq!(
        sent(&export, "save")["parameters"],
        json!({
            "additionalProperties": false,
            "properties": {"key": {"type": "string"}, "n": {"type": ["integer", "null"]}},
            "required": ["key", "n"],
            "type": "object",
        })
    );
    assert_eq!(sent(&export, "save")["strict"], true);
    assert_eq!(value(&host, "save", r#"{"key":"a","n":null}"#).await, json!("a:3"));

    assert_eq!(sent(&export, "put")["strict"], false);
    let open = |note: &&pegboard::ExportNote| note.tool == "put" && note.change == ExportChange::NotStrict;
    assert_eq!(
        export.notes.iter().find(open).unwrap().reason,
        "/meta is an open object"
    );
    let demanded = ExportOptions {
        strict: Strictness::Required,
        ..options
    };
    let error = host.export(Provider::OpenAi, &demanded).unwrap_err();
    assert!(error.to_string().contains("put: /meta is an open object"), "{error}");
    host.close().await;
}

#[tokio::test]
async fn a_described_enum_is_one_object_and_an_address_is_still_checked() {
    let host = host("exported").await;
    let parameters = sent(&export(&host, Provider::OpenAi), "set_role")["parameters"].clone();
    assert_eq!(
        parameters["properties"],
        json!({
            "role": {"type": "string", "enum": ["red", "blue"], "description": "new role"},
            "site": {"type": "string", "description": "A URL."},
        })
    );
    assert!(!parameters.to_string().contains("$ref"));
    let found = problems(&host, "set_role", r#"{"role":"red","site":"nowhere"}"#).await;
    assert_eq!(found[0].pointer, "/site");
    host.close().await;
}

#[tokio::test]
async fn models_are_written_out_for_everybody() {
    let host = host("exported").await;
    for provider in Provider::ALL {
        let text = sent(&export(&host, provider), "paint").to_string();
        assert!(!text.contains("$ref") && !text.contains("$defs"), "{provider}: {text}");
        for part in [r#""enum":["red","blue"]"#, r#""description":"what to paint with""#] {
            assert!(text.contains(part), "{provider}: {text}");
        }
    }
    host.close().await;
}

#[tokio::test]
async fn a_model_that_contains_itself_ends_everywhere() {
    let host = host("exported").await;
    let anthropic = sent(&export(&host, Provider::Anthropic), "tree")["input_schema"].clone();
    assert_eq!(
        anthropic["$defs"]["Node"]["properties"]["kids"]["items"],
        json!({"$ref": "#/$defs/Node"})
    );
    let gemini = sent(&export(&host, Provider::Gemini), "tree")["parameters"].clone();
    let end = format!("/properties/node{}", "/properties/kids/items".repeat(3));
    assert_eq!(
        gemini.pointer(&end),
        Some(&json!({"type": "object", "description": "another Node"}))
    );
    assert_eq!(
        value(&host, "tree", r#"{"node":{"kids":[{"kids":[]},{}]}}"#).await,
        json!(2)
    );
    let deep = format!("{{\"node\":{}{}}}", "{\"kids\":[".repeat(40), "]}".repeat(40));
    let found = problems(&host, "tree", &deep).await;
    assert_eq!(found[0].code, "too_deep");
    assert!(found[0].message.contains("64"), "{}", found[0].message);
    host.close().await;
}

#[tokio::test]
async fn text_that_holds_a_list_or_object_is_read_where_no_text_is_meant() {
    let host = host("exported").await;
    let outcome = call(&host, "total", r#"{"xs":"[1, 2, 3]"}"#).await;
    assert_eq!(
        (outcome.text(), mended(&outcome)),
        ("6", vec![("/xs", RepairRule::JsonString)])
    );
    let outcome = call(&host, "corner", r#"{"p":"{\"x\": 1, \"y\": 2}"}"#).await;
    assert_eq!(
        (outcome.text(), mended(&outcome)),
        ("3", vec![("/p", RepairRule::JsonString)])
    );
    let outcome = call(&host, "paint", r#"{"c":"red","pts":["{\"x\":1}"]}"#).await;
    assert_eq!(mended(&outcome), [("/pts/0", RepairRule::JsonString)]);
    for arguments in [r#"{"xs":"1,2"}"#, r#"{"xs":"\"[1,2]\""}"#] {
        assert_eq!(
            problems(&host, "total", arguments).await[0].pointer,
            "/xs",
            "{arguments}"
        );
    }
    host.close().await;
}

#[tokio::test]
async fn text_stays_text_where_text_is_meant() {
    let host = host("exported").await;
    let arguments = r#"{"s":"123","o":"{\"a\":1}","u":"6ba7b810-9dad-11d1-80b4-00c04fd430c8"}"#;
    let outcome = call(&host, "echo", arguments).await;
    let expected = json!(["123", "{\"a\":1}", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"]);
    assert_eq!((outcome.structured(), mended(&outcome)), (Some(expected), vec![]));
    assert_eq!(
        value(&host, "echo", r#"{"s":"x","o":"null"}"#).await,
        json!(["x", "null", "None"])
    );
    host.close().await;
}

#[tokio::test]
async fn integers_are_exact_or_refused() {
    let host = host("exported").await;
    let big = "123456789012345678901234567890";
    for (given, expected) in [("10.0", "10"), ("\"10.0\"", "10"), (big, big)] {
        let outcome = call(&host, "wait", &format!("{{\"ms\":{given}}}")).await;
        assert_eq!(outcome.text(), expected, "{given}: {:?}", outcome.failure);
    }
    for given in ["10.5", "true", "1e20"] {
        let found = problems(&host, "wait", &format!("{{\"ms\":{given}}}")).await;
        assert_eq!(found[0].pointer, "/ms", "{given}");
    }
    let found = problems(&host, "wait", r#"{"ms":1e20}"#).await;
    assert!(
        found[0].message.contains("too large to be exact"),
        "{}",
        found[0].message
    );
    host.close().await;
}

#[tokio::test]
async fn a_misspelt_argument_is_told_and_a_clients_own_is_left_out() {
    let host = host("exported").await;
    let found = problems(&host, "read", r#"{"path":"a","line_limit":1}"#).await;
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].pointer.as_str(), found[0].suggestion.as_deref()),
        ("/line_limit", Some("limit"))
    );
    assert!(
        found[0].message.contains("Accepted: path, limit."),
        "{}",
        found[0].message
    );
    let outcome = call(&host, "read", r#"{"path":"a","_meta":{}}"#).await;
    assert_eq!(
        (outcome.text(), mended(&outcome)),
        ("a:100", vec![("/_meta", RepairRule::ExtraKey)])
    );
    host.close().await;
}

#[tokio::test]
async fn null_means_not_given_where_it_cannot_mean_itself() {
    let host = host("exported").await;
    for (given, expected, repairs) in [
        (
            r#""a":"null""#,
            json!([null, null, 7, 1]),
            vec![("/a", RepairRule::NullWord)],
        ),
        (r#""s":"null""#, json!([null, "null", 7, 1]), vec![]),
        (
            r#""n":null"#,
            json!([null, null, 7, 1]),
            vec![("/n", RepairRule::NullAsAbsent)],
        ),
    ] {
        let outcome = call(&host, "given", &format!("{{{given},\"r\":1}}")).await;
        assert_eq!(
            (outcome.structured(), mended(&outcome)),
            (Some(expected), repairs),
            "{given}"
        );
    }
    assert_eq!(problems(&host, "given", r#"{"r":null}"#).await[0].pointer, "/r");
    host.close().await;
}

#[tokio::test]
async fn a_parameter_is_known_by_its_alias_and_its_name() {
    let host = host("exported").await;
    let outcome = call(&host, "aliased", r#"{"externalX":3}"#).await;
    assert_eq!((outcome.text(), mended(&outcome)), ("3", vec![]));
    let outcome = call(&host, "aliased", r#"{"x":3}"#).await;
    assert_eq!(
        (outcome.text(), mended(&outcome)),
        ("3", vec![("/x", RepairRule::NameForAlias)])
    );
    let schema = sent(&export(&host, Provider::OpenAi), "aliased")["parameters"].clone();
    assert_eq!(schema["required"], json!(["externalX"]));
    host.close().await;
}

#[tokio::test]
async fn arguments_as_text_and_as_an_object_are_one_call() {
    let host = host("exported").await;
    for arguments in [json!("{\"ms\":1}"), json!({"ms": 1})] {
        let answer = json!({"id": "c", "function": {"name": "wait", "arguments": arguments}});
        let calls = Call::from_openai(&answer).unwrap();
        assert_eq!(host.call(calls[0].clone()).await.unwrap().text(), "1");
    }
    host.close().await;
}
