//! Every recorded schema, for every provider: accepted by its table, valid under the meta-schema, the same each time.

use crate::support::{exported, is_strict, objects, schemas, tool};
use pegboard::{ExportChange, Provider, ToolDefinition, refusals};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// The records of what the frameworks made of the same tool files, and the dialect of each.
const RECORDS: [(&str, &str); 3] = [
    ("dendrux", "dendrux/records/schema.jsonl"),
    ("dreadnode", "dreadnode/records/schema_dreadnode.jsonl"),
    ("rigging", "dreadnode/records/schema_rigging.jsonl"),
];

/// Cases with a type that contains itself.
const RECURSIVE: [&str; 7] = [
    "/tree",
    "/tree_described",
    "/people",
    "/anyjson",
    "/s065_model_recursive",
    "/s066_model_recursive_string",
    "/s082_dataclass_recursive",
];

struct Recorded {
    case: String,
    definition: ToolDefinition,
}

impl Recorded {
    /// `None` where the framework refused the tool.
    fn read(record: &Value, dialect: &str) -> Option<Self> {
        let text = |key: &str| record[key].as_str().unwrap_or_default();
        let schema = record.get("schema").filter(|schema| schema.is_object())?;
        let mut definition = tool(text("name"), text("description"), as_json(schema, schema));
        dialect.clone_into(&mut definition.source.dialect);
        Some(Self {
            case: format!("{dialect}/{}", text("case")),
            definition,
        })
    }
}

/// A recorded schema as JSON: a default that JSON cannot say is none, and where an object contains itself is a reference.
fn as_json(schema: &Value, root: &Value) -> Value {
    match schema {
        Value::Object(object) if object.contains_key("$cycle") => {
            let definitions = root["$defs"].as_object().unwrap();
            json!({"$ref": format!("#/$defs/{}", definitions.keys().next().unwrap())})
        }
        Value::Object(object) => object
            .iter()
            .filter(|(_, value)| value.get("$float").is_none())
            .map(|(key, value)| (key.clone(), as_json(value, root)))
            .collect(),
        Value::Array(items) => items.iter().map(|item| as_json(item, root)).collect(),
        other => other.clone(),
    }
}

fn corpus() -> Vec<Recorded> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let mut found = Vec::new();
    for (dialect, file) in RECORDS {
        for line in fs::read_to_string(folder.join(file)).unwrap().lines() {
            let record: Value = serde_json::from_str(line).unwrap();
            found.extend(Recorded::read(&record, dialect));
        }
    }
    for text in [
        include_str!("cases/other_pythons.json"),
        include_str!("cases/pydantic.json"),
    ] {
        for record in serde_json::from_str::<Vec<Value>>(text).unwrap() {
            found.extend(Recorded::read(&record, record["dialect"].as_str().unwrap()));
        }
    }
    assert!(found.len() > 350, "only {} schemas were recorded", found.len());
    found
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
        let is_recursive = RECURSIVE.iter().any(|name| case.ends_with(name));
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
