//! Owns types that contain themselves: finding them, and what stands where one is not written out.
//!
//! Must not walk a schema to change it: that is `inline.rs`'s.

use super::place::{self, Kind, Place};
use serde_json::{Map, Value, json};
use std::collections::HashSet;

/// A reference to a kept definition.
pub(crate) fn kept(name: &str) -> Value {
    json!({"$ref": format!("#/$defs/{name}")})
}

/// A reference and what stands beside it. Some providers accept nothing there, so a union of one carries the rest.
pub(crate) fn with(reference: Value, beside: Map<String, Value>) -> Value {
    if beside.is_empty() {
        return reference;
    }
    let combinator = if beside.contains_key("anyOf") { "allOf" } else { "anyOf" };
    let mut object = Map::from_iter([(combinator.to_owned(), Value::Array(vec![reference]))]);
    object.extend(beside);
    Value::Object(object)
}

/// What stands for a type that is not written out again.
pub(crate) fn another(root: &Value, target: &Value, name: &str) -> Value {
    let title = target.get("title").and_then(Value::as_str).unwrap_or(name);
    let description = format!("another {title}");
    let place = Place::within(root, target);
    let others = [Kind::Null, Kind::Boolean, Kind::Number, Kind::String, Kind::Array];
    if others.into_iter().any(|kind| place.admits(kind)) {
        json!({"description": description})
    } else {
        json!({"type": "object", "description": description})
    }
}

/// Whether what a value refers to leads to this reference.
pub(crate) fn leads_to(root: &Value, value: &Value, goal: &str) -> bool {
    reaches(root, value, goal, &mut HashSet::new())
}

fn reaches<'s>(root: &'s Value, value: &'s Value, goal: &str, met: &mut HashSet<&'s str>) -> bool {
    match value {
        Value::Object(object) => object.iter().any(|(key, value)| match value {
            Value::String(reference) if key == "$ref" => {
                reference == goal
                    || met.insert(reference)
                        && place::resolve(root, reference).is_some_and(|target| reaches(root, target, goal, met))
            }
            value => reaches(root, value, goal, met),
        }),
        Value::Array(items) => items.iter().any(|item| reaches(root, item, goal, met)),
        _ => false,
    }
}
