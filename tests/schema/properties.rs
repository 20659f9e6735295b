//! What holds for every schema: the export is accepted, never asks for more, and is the same each time.

use crate::generated::{arguments, parameters};
use crate::shapes::Parameters;
use crate::support::{exported, is_strict, objects, schemas, tool};
use pegboard::{ExportChange, Provider, refusals};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A schema in plain JSON Schema, where `nullable` means nothing.
fn plain(schema: &Value) -> Value {
    match schema {
        Value::Object(object) => {
            let mut written: Map<String, Value> =
                object.iter().map(|(key, value)| (key.clone(), plain(value))).collect();
            if written.get("nullable").is_some_and(|nullable| nullable == true) {
                written.shift_remove("nullable");
                return json!({"anyOf": [written, {"type": "null"}]});
            }
            Value::Object(written)
        }
        Value::Array(items) => items.iter().map(plain).collect(),
        other => other.clone(),
    }
}

/// A strict schema without the demand that every property is given. What stands for one that is not given is null.
fn lenient(schema: &Value) -> Value {
    match schema {
        Value::Object(object) => {
            let kept = object
                .iter()
                .filter(|(key, value)| *key != "required" || !value.is_array());
            Value::Object(kept.map(|(key, value)| (key.clone(), lenient(value))).collect())
        }
        Value::Array(items) => items.iter().map(lenient).collect(),
        other => other.clone(),
    }
}

/// The arguments with null for every parameter that is not given.
fn filled(arguments: &Value, parameters: &Parameters) -> Value {
    let mut filled = arguments.as_object().unwrap().clone();
    for field in &parameters.root {
        filled.entry(field.name.clone()).or_insert(Value::Null);
    }
    Value::Object(filled)
}

fn cases() -> impl Strategy<Value = (Parameters, Vec<Value>)> {
    parameters().prop_flat_map(|parameters| {
        let values = proptest::collection::vec(arguments(&parameters), 4);
        (Just(parameters), values)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn exports_are_accepted_and_only_ask_for_less((parameters, values) in cases()) {
        let schema = parameters.schema();
        prop_assert!(jsonschema::meta::is_valid(&schema));
        let definition = tool("probe", "Probes.", schema.clone());
        let original = jsonschema::validator_for(&schema).unwrap();
        let values: Vec<&Value> = values.iter().filter(|value| original.is_valid(value)).collect();
        for provider in Provider::ALL {
            for strict in [false, true] {
                let export = exported(provider, strict, std::slice::from_ref(&definition));
                if export.notes.iter().any(|note| note.change == ExportChange::LeftOut) {
                    prop_assert!(export.tools.is_empty());
                    continue;
                }
                let strict = is_strict(provider, &export);
                let written = schemas(provider, &export).remove(0);
                prop_assert_eq!(refusals(provider, &written, strict), [], "{}, strict {}: {}", provider, strict, written);
                prop_assert!(jsonschema::meta::is_valid(&written), "{provider}: {written}");
                let renamed = export.notes.iter().any(|note| note.change == ExportChange::Renamed);
                let described = if strict { lenient(&written) } else { plain(&written) };
                let described = jsonschema::validator_for(&described).unwrap();
                for value in values.iter().filter(|_| !renamed) {
                    let value = if strict { filled(value, &parameters) } else { (*value).clone() };
                    prop_assert!(
                        described.is_valid(&value),
                        "{}, strict {}: {} does not fit {}, made of {}", provider, strict, value, written, schema
                    );
                }
            }
        }
    }

    #[test]
    fn exports_are_the_same_each_time_and_stay_as_they_are(parameters in parameters()) {
        let definition = tool("probe", "Probes.", parameters.schema());
        for provider in Provider::ALL {
            for strict in [false, true] {
                let export = exported(provider, strict, std::slice::from_ref(&definition));
                let again = exported(provider, strict, std::slice::from_ref(&definition));
                prop_assert_eq!(json!(export.tools).to_string(), json!(again.tools).to_string());
                prop_assert_eq!(&export.notes, &again.notes);
                let Some(written) = schemas(provider, &export).pop() else { continue };
                let strict = is_strict(provider, &export);
                let second = exported(provider, strict, &[tool("probe", "Probes.", written.clone())]);
                let rewritten = schemas(provider, &second).remove(0);
                prop_assert_eq!(rewritten.to_string(), written.to_string(), "{}, strict {}", provider, strict);
            }
        }
    }

    #[test]
    fn references_stay_only_where_a_type_contains_itself(parameters in parameters()) {
        let definition = tool("probe", "Probes.", parameters.schema());
        for provider in Provider::ALL {
            let export = exported(provider, false, std::slice::from_ref(&definition));
            for schema in schemas(provider, &export) {
                let references = objects(&schema).into_iter().filter_map(|object| object.get("$ref"));
                let unrolls = matches!(provider, Provider::Gemini | Provider::Bedrock);
                for reference in references {
                    prop_assert!(!unrolls && reference == "#/$defs/Node", "{}: {}", provider, schema);
                }
            }
        }
    }
}
