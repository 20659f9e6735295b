//! Owns the schema of all parameters: an object and nothing else.
//!
//! A choice at the top level makes a provider refuse every tool of a request, so what it says about properties is
//! merged and the rest becomes sentences of the tool's description. Like everything here, it only ever asks for less.

use super::notes::Notes;
use super::table::Language;
use super::{merge, translate};
use serde_json::{Map, Value, json};

/// Leaves only what a language takes at the top level; the sentences are for the tool's description.
pub(super) fn flatten(root: &mut Map<String, Value>, language: &Language, notes: &mut Notes<'_>) -> Vec<String> {
    let mut sentences = Vec::new();
    if !language.root.contains(&"allOf") {
        merge::all_of(root, notes);
    }
    let unknown: Vec<String> = root
        .keys()
        .filter(|keyword| !language.root.contains(&keyword.as_str()))
        .cloned()
        .collect();
    for keyword in &unknown {
        match keyword.as_str() {
            "title" => {}
            "description" => sentences.extend(root.get("description").and_then(Value::as_str).map(str::to_owned)),
            _ => translate::say(keyword, root, notes, &mut sentences),
        }
    }
    for keyword in ["anyOf", "oneOf"] {
        if let (false, Some(Value::Array(branches))) = (language.root.contains(&keyword), root.get(keyword)) {
            let branches = branches.clone();
            take_properties(root, &branches);
        }
    }
    root.retain(|keyword, _| !unknown.contains(keyword));
    root.entry("type").or_insert_with(|| "object".into());
    root.entry("properties").or_insert_with(|| json!({}));
    sentences
}

/// Takes over what the branches of a choice declare, and asks for what all of them ask for.
fn take_properties(root: &mut Map<String, Value>, branches: &[Value]) {
    let mut found: Map<String, Value> = Map::new();
    for branch in branches {
        for (name, schema) in branch
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            match found.get_mut(name) {
                None => {
                    found.insert(name.clone(), schema.clone());
                }
                Some(present) if present == schema => {}
                Some(present) => widen(present, schema),
            }
        }
    }
    let required = in_all(branches);
    if let Value::Object(properties) = root.entry("properties").or_insert_with(|| json!({})) {
        for (name, schema) in found {
            // What the root itself declares holds for every branch.
            properties.entry(name).or_insert(schema);
        }
    }
    if !required.is_empty()
        && let Value::Array(names) = root.entry("required").or_insert_with(|| json!([]))
    {
        for name in required {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
}

/// Lets a schema admit what another one admits too.
fn widen(present: &mut Value, other: &Value) {
    if let Some(values) = listed(present).zip(listed(other)).map(|(mut values, more)| {
        for value in more {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        values
    }) {
        let kind = present
            .get("type")
            .filter(|kind| other.get("type") == Some(*kind))
            .cloned();
        *present = json!({"enum": values});
        if let (Some(kind), Value::Object(present)) = (kind, present) {
            present.shift_insert(0, "type".to_owned(), kind);
        }
        return;
    }
    match present {
        Value::Object(object) if object.len() == 1 && object.get("anyOf").is_some_and(Value::is_array) => {
            if let Some(Value::Array(branches)) = object.get_mut("anyOf")
                && !branches.contains(other)
            {
                branches.push(other.clone());
            }
        }
        _ => *present = json!({"anyOf": [present.take(), other]}),
    }
}

/// The values of a schema that lists them and says nothing else of weight.
fn listed(schema: &Value) -> Option<Vec<Value>> {
    let object = schema.as_object()?;
    if !object
        .keys()
        .all(|keyword| matches!(keyword.as_str(), "const" | "enum" | "type" | "title" | "default"))
    {
        return None;
    }
    match (object.get("const"), object.get("enum")) {
        (Some(value), None) => Some(vec![value.clone()]),
        (None, Some(Value::Array(values))) => Some(values.clone()),
        _ => None,
    }
}

/// The names that every branch requires.
fn in_all(branches: &[Value]) -> Vec<Value> {
    let names = |branch: &Value| {
        branch
            .get("required")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default()
    };
    let mut branches = branches.iter();
    let Some(first) = branches.next() else {
        return Vec::new();
    };
    branches.fold(names(first), |mut common, branch| {
        let others = names(branch);
        common.retain(|name| others.contains(name));
        common
    })
}
