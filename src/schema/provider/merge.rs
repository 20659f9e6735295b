//! Owns the merging of schemas that all have to fit into one.
//!
//! Where two rules meet that one schema cannot say together, the stricter bound or the first rule is kept: less may be
//! said, but never more.

use super::notes::Notes;
use serde_json::{Map, Value};

/// Merges the branches of `allOf` into the schema that holds them.
pub(super) fn all_of(object: &mut Map<String, Value>, notes: &mut Notes<'_>) {
    let Some(Value::Array(branches)) = object.shift_remove("allOf") else {
        return;
    };
    notes.replaced("allOf", "one schema");
    for branch in branches {
        if let Value::Object(mut branch) = branch {
            all_of(&mut branch, notes);
            into(object, branch, notes);
        }
    }
}

/// Merges one schema into another that has to fit as well.
pub(super) fn into(object: &mut Map<String, Value>, other: Map<String, Value>, notes: &mut Notes<'_>) {
    // A closed object of its own does not know the properties of the others.
    let alone = !object.contains_key("properties");
    for (keyword, value) in other {
        match (keyword.as_str(), object.get_mut(&keyword)) {
            ("additionalProperties" | "unevaluatedProperties", None) if !alone => notes.dropped(&keyword),
            (_, None) => {
                object.insert(keyword, value);
            }
            (_, Some(present)) if *present == value => {}
            ("title" | "description" | "default" | "examples", Some(_)) => {}
            ("required", Some(Value::Array(present))) => {
                for name in value.as_array().into_iter().flatten() {
                    if !present.contains(name) {
                        present.push(name.clone());
                    }
                }
            }
            ("properties", Some(Value::Object(present))) => {
                for (name, schema) in value.as_object().cloned().unwrap_or_default() {
                    match (present.get_mut(&name), schema) {
                        (None, schema) => {
                            present.insert(name, schema);
                        }
                        (Some(Value::Object(present)), Value::Object(schema)) => into(present, schema, notes),
                        _ => notes.dropped(&keyword),
                    }
                }
            }
            ("type", Some(present)) => match narrower(present, &value) {
                Some(kind) => *present = kind,
                None => notes.dropped(&keyword),
            },
            ("enum", Some(Value::Array(present))) => {
                let values = value.as_array().cloned().unwrap_or_default();
                present.retain(|known| values.contains(known));
            }
            ("minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties", Some(present)) => {
                if value.as_f64() > present.as_f64() {
                    *present = value;
                }
            }
            ("maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties", Some(present)) => {
                if value.as_f64() < present.as_f64() {
                    *present = value;
                }
            }
            (_, Some(_)) => notes.dropped(&keyword),
        }
    }
}

/// The types that both sides name.
fn narrower(left: &Value, right: &Value) -> Option<Value> {
    let names = |value: &Value| match value {
        Value::Array(names) => names.clone(),
        single => vec![single.clone()],
    };
    let right = names(right);
    let common: Vec<Value> = names(left)
        .into_iter()
        .filter_map(|name| {
            if right.contains(&name) || name == "integer" && right.iter().any(|other| other == "number") {
                Some(name)
            } else {
                (name == "number" && right.iter().any(|other| other == "integer")).then(|| "integer".into())
            }
        })
        .collect();
    match common.as_slice() {
        [] => None,
        [only] => Some(only.clone()),
        _ => Some(Value::Array(common)),
    }
}
