//! Every recorded schema, for every provider: accepted by its table, valid under the meta-schema, the same each time.

use crate::support::{exported, is_strict, objects, schemas, tool};
use pegboard::{ExportChange, Provider, ToolDefinition, refusals};
use serde_json::{Value, json};

struct Recorded {
    case: String,
    definition: ToolDefinition,
}

fn corpus() -> Vec<Recorded> {
    [include_str!("cases/recorded.json"), include_str!("cases/pydantic.json")]
        .into_iter()
        .flat_map(|text| serde_json::from_str::<Vec<Value>>(text).unwrap())
        .map(|entry| {
            let text = |key: &str| entry[key].as_str().unwrap().to_owned();
            let mut definition = tool(&text("name"), &text("description"), entry["schema"].clone());
            definition.source.dialect = text("dialect");
            Recorded {
                case: text("case"),
                definition,
            }
        })
        .collect()
}

#[test]
fn every_schema_is_accepted_by_every_table() {
    for Recorded { case, definition } in corpus() {
        for provider in Provider::ALL {
            for strict in [false, true] {
                let export = exported(provider, strict, std::slice::from_ref(&definition));
                let left_out = export.notes.iter().any(|note| note.change == ExportChange::LeftOut);
                if definition.parameters_schema["type"] != "object" {
                    assert!(left_out && export.tools.is_empty(), "{case} for {provider}");
                    continue;
                }
                assert!(!left_out, "{case} for {provider}: {:?}", export.notes);
                let schema = &schemas(provider, &export)[0];
                let strict = is_strict(provider, &export);
                let refused = refusals(provider, schema, strict);
                assert_eq!(refused, [], "{case} for {provider}, strict {strict}: {schema}");
                assert!(jsonschema::meta::is_valid(schema), "{case} for {provider}: {schema}");
            }
        }
    }
}

#[test]
fn strict_is_possible_where_nothing_speaks_against_it() {
    let possible = |provider| {
        corpus()
            .into_iter()
            .filter(|recorded| recorded.definition.parameters_schema["type"] == "object")
            .filter(|recorded| {
                is_strict(
                    provider,
                    &exported(provider, true, std::slice::from_ref(&recorded.definition)),
                )
            })
            .count()
    };
    let all = corpus().len();
    assert!(possible(Provider::OpenAi) > all / 2);
    assert!(possible(Provider::Anthropic) > all / 2);
}

#[test]
fn describing_what_was_described_changes_nothing() {
    for Recorded { case, definition } in corpus() {
        for provider in Provider::ALL {
            for strict in [false, true] {
                let export = exported(provider, strict, std::slice::from_ref(&definition));
                let Some(schema) = schemas(provider, &export).pop() else {
                    continue;
                };
                let mut again = definition.clone();
                again.parameters_schema = schema.clone();
                let strict = is_strict(provider, &export);
                let second = exported(provider, strict, &[again]);
                let again = schemas(provider, &second).remove(0);
                assert_eq!(
                    again.to_string(),
                    schema.to_string(),
                    "{case} for {provider}, strict {strict}"
                );
            }
        }
    }
}

#[test]
fn only_recursive_types_keep_references() {
    for Recorded { case, definition } in corpus() {
        let is_recursive = ["tree", "tree_described", "people", "anyjson"]
            .iter()
            .any(|name| case.ends_with(name));
        for provider in Provider::ALL {
            let export = exported(provider, false, std::slice::from_ref(&definition));
            for schema in schemas(provider, &export) {
                let refers = objects(&schema).iter().any(|object| object.contains_key("$ref"));
                let unrolls = matches!(provider, Provider::Gemini | Provider::Bedrock);
                assert_eq!(refers, is_recursive && !unrolls, "{case} for {provider}: {schema}");
            }
        }
    }
}

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
