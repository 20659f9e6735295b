//! Owns unions: taking null out of them, giving each branch a type, letting them stand alone.

use super::holding;
use super::notes::Notes;
use super::rewrite::describe;
use super::translate;
use crate::schema::vocabulary;
use serde_json::{Map, Value, json};

/// Says `oneOf` with `anyOf`, which asks for less.
pub(super) fn one_of(object: &mut Map<String, Value>, notes: &mut Notes<'_>) {
    if !object.contains_key("anyOf")
        && let Some(branches) = object.shift_remove("oneOf")
    {
        notes.replaced("oneOf", "anyOf");
        object.insert("anyOf".to_owned(), branches);
    }
}

/// Says null with `nullable: true`, and gives every other type a schema of its own. Whether a union dissolved.
pub(super) fn split_null(object: &mut Map<String, Value>, notes: &mut Notes<'_>) -> bool {
    let mut dissolved = false;
    let mut nullable = object.get("nullable").is_some_and(|nullable| nullable == true);
    if let Some(Value::Array(types)) = object.get_mut("type") {
        let before = types.len();
        types.retain(|name| name != "null");
        nullable |= types.len() < before;
        match types.as_slice() {
            [] => {
                object.insert("type".to_owned(), "null".into());
            }
            [only] => {
                let only = only.clone();
                object.insert("type".to_owned(), only);
            }
            _ => split_types(object, notes),
        }
    }
    if let Some(Value::Array(values)) = object.get_mut("enum") {
        // Where null is no type of it, a null among the values could never be given.
        let before = values.len();
        values.retain(|value| !value.is_null());
        nullable |= values.len() < before && !object.get("type").is_some_and(Value::is_string);
        if object.get("enum").and_then(Value::as_array).is_some_and(Vec::is_empty) {
            object.shift_remove("enum");
            object.entry("type").or_insert_with(|| "null".into());
        }
    }
    if let Some(Value::Array(branches)) = object.get_mut("anyOf") {
        let before = branches.len();
        branches.retain(|branch| !is_null(branch));
        nullable |= branches.len() < before;
        match branches.as_slice() {
            [] => {
                object.shift_remove("anyOf");
                object.entry("type").or_insert_with(|| "null".into());
            }
            [_] => {
                merge_only_branch(object);
                dissolved = true;
            }
            _ => {}
        }
    }
    if nullable {
        if object.get("default").is_some_and(Value::is_null) {
            object.shift_remove("default");
        }
        object.insert("nullable".to_owned(), true.into());
    }
    dissolved
}

/// Whether a schema admits nothing but null.
fn is_null(schema: &Value) -> bool {
    let all = |keyword: &str, is_null: fn(&Value) -> bool| {
        let values = schema.get(keyword).and_then(Value::as_array);
        values.is_some_and(|values| !values.is_empty() && values.iter().all(is_null))
    };
    schema.get("type").is_some_and(|kind| kind == "null")
        || schema.get("const").is_some_and(Value::is_null)
        || all("type", |name| name == "null")
        || all("enum", Value::is_null)
        || all("anyOf", is_null)
        || all("oneOf", is_null)
}

/// A union of one is that one; what stood beside it wins.
fn merge_only_branch(object: &mut Map<String, Value>) {
    let Some(Value::Array(mut branches)) = object.shift_remove("anyOf") else {
        return;
    };
    if let Some(Value::Object(mut branch)) = branches.pop() {
        let beside = std::mem::take(object);
        // What the branch is comes first, as in a schema that was written without the union.
        let nullable = branch.get("nullable").is_some_and(|nullable| nullable == true);
        branch.extend(beside);
        if nullable {
            branch.insert("nullable".to_owned(), true.into());
        }
        *object = branch;
    }
}

/// One branch for each type, with the rules that speak of it.
fn split_types(object: &mut Map<String, Value>, notes: &mut Notes<'_>) {
    let Some(Value::Array(types)) = object.shift_remove("type") else {
        return;
    };
    notes.replaced("type", "anyOf");
    if object.contains_key("anyOf") {
        return;
    }
    let (mut rules, mut rest) = (Map::new(), Map::new());
    for (keyword, value) in std::mem::take(object) {
        match vocabulary::speaks_of(&keyword) {
            Some(_) => rules.insert(keyword, value),
            None => rest.insert(keyword, value),
        };
    }
    let branches: Vec<Value> = types
        .into_iter()
        .map(|name| {
            let mut branch: Map<String, Value> = rules
                .iter()
                .filter(|(keyword, _)| {
                    let subject = vocabulary::speaks_of(keyword);
                    subject == name.as_str() || subject == Some("number") && name == "integer"
                })
                .map(|(keyword, value)| (keyword.clone(), value.clone()))
                .collect();
            branch.shift_insert(0, "type".to_owned(), name);
            Value::Object(branch)
        })
        .collect();
    rest.insert("anyOf".to_owned(), Value::Array(branches));
    *object = rest;
}

/// Gives a schema without a type the one that its rules speak of, or all of them.
pub(super) fn give_type(object: &mut Map<String, Value>, notes: &mut Notes<'_>) {
    if object.contains_key("type") || object.contains_key("anyOf") {
        return;
    }
    if let Some(name) = object.keys().find_map(|keyword| vocabulary::speaks_of(keyword)) {
        notes.replaced("type", name);
        object.insert("type".to_owned(), name.into());
    } else if let Value::Object(any) = any_value() {
        object.extend(any);
    }
}

/// Whatever JSON can say, as far as a language without recursion goes.
pub(super) fn any_value() -> Value {
    let simple = || {
        vec![
            json!({"type": "string", "nullable": true}),
            json!({"type": "number"}),
            json!({"type": "boolean"}),
            json!({"type": "object"}),
        ]
    };
    let mut branches = simple();
    branches.push(json!({"type": "array", "items": {"anyOf": simple()}}));
    Value::Object(holding("anyOf", branches))
}

/// Moves what stands beside a union into its first branch or into words.
pub(super) fn stand_alone(object: &mut Map<String, Value>, notes: &mut Notes<'_>) {
    let Some(Value::Array(branches)) = object.shift_remove("anyOf") else {
        return;
    };
    let mut branches: Vec<Value> = branches.into_iter().flat_map(alternatives).collect();
    let beside = std::mem::take(object);
    let mut sentences: Vec<String> = Vec::new();
    for (keyword, value) in &beside {
        match keyword.as_str() {
            "description" => sentences.insert(0, value.as_str().unwrap_or_default().to_owned()),
            "nullable" => {
                if let Some(Value::Object(first)) = branches.first_mut() {
                    first.insert("nullable".to_owned(), true.into());
                }
            }
            "title" | "type" => {}
            _ => translate::say(keyword, &beside, notes, &mut sentences),
        }
    }
    if let Some(Value::Object(first)) = branches.first_mut() {
        describe(first, &sentences);
    }
    object.insert("anyOf".to_owned(), Value::Array(branches));
}

/// A union inside a union is part of it.
fn alternatives(branch: Value) -> Vec<Value> {
    match branch {
        Value::Object(mut object) if object.contains_key("anyOf") => match object.shift_remove("anyOf") {
            Some(Value::Array(branches)) => branches,
            _ => Vec::new(),
        },
        other => vec![other],
    }
}
