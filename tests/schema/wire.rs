//! The requests that dendrux sends for its own tools, recorded: equal where a provider takes them as they are.

use crate::support::{exported, tool};
use pegboard::Provider;
use serde_json::{Value, json};

#[test]
fn recorded_requests_without_strict_are_equal() {
    let records: Vec<Value> = serde_json::from_str(include_str!("cases/wire_dendrux.json")).unwrap();
    let mut compared = 0;
    for record in records.iter().filter(|record| record["strict"] == false) {
        let text = |key: &str| record[key].as_str().unwrap();
        let mut definition = tool(text("name"), text("description"), record["schema"].clone());
        definition.source.dialect = "dendrux".to_owned();
        let tools = [definition];
        assert_eq!(
            json!(exported(Provider::OpenAi, false, &tools).tools),
            record["openai_chat"]
        );
        assert_eq!(
            json!(exported(Provider::Anthropic, false, &tools).tools),
            record["anthropic"]
        );
        // Left to itself, this interface would make every parameter mandatory.
        let mut responses = record["openai_responses"].clone();
        responses[0]["strict"] = json!(false);
        assert_eq!(
            json!(exported(Provider::OpenAiResponses, false, &tools).tools),
            responses
        );
        compared += 1;
    }
    assert_eq!(compared, 3);
}

#[test]
fn recorded_strict_requests_that_conform_are_equal() {
    let records: Vec<Value> = serde_json::from_str(include_str!("cases/wire_dendrux.json")).unwrap();
    for case in [
        "x010_strict_simple",
        "x015_strict_no_params",
        "x018_strict_enum_optional",
    ] {
        let record = records.iter().find(|record| record["case"] == case).unwrap();
        let text = |key: &str| record[key].as_str().unwrap();
        let mut definition = tool(text("name"), text("description"), record["schema"].clone());
        definition.source.dialect = "dendrux".to_owned();
        definition.flags.strict = true;
        let export = exported(Provider::Anthropic, false, &[definition]);
        assert_eq!(json!(export.tools), record["anthropic"], "{case}");
    }
}
