//! Owns how a schema's values are called in a sentence: `an integer`, `arrays of strings or null`, `"x"`.
//!
//! Must not say what a rule is: that is `sentence.rs`'s.

use super::sentence::{list, shown};
use serde_json::{Map, Value};

/// What values of a schema are, with an article: `an integer`, `"x"`, `a string or null`.
pub(crate) fn singular(schema: &Value) -> String {
    described(schema, Number::Singular)
}

/// What values of a schema are when there are several: `integers`, `strings or null`.
pub(crate) fn plural(schema: &Value) -> String {
    described(schema, Number::Plural)
}

#[derive(Clone, Copy)]
enum Number {
    Singular,
    Plural,
}

fn described(schema: &Value, number: Number) -> String {
    let Some(object) = schema.as_object() else {
        return match number {
            Number::Singular => "any value".to_owned(),
            Number::Plural => "any values".to_owned(),
        };
    };
    if let Some(value) = object.get("const") {
        return shown(value);
    }
    if let Some(values) = object.get("enum").and_then(list) {
        return format!("one of {values}");
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(branches) = object.get(keyword).and_then(Value::as_array) {
            return either(branches.iter().map(|branch| described(branch, number)).collect());
        }
    }
    match object.get("type") {
        Some(Value::String(name)) => typed(name, object, number),
        Some(Value::Array(types)) => either(
            types
                .iter()
                .filter_map(Value::as_str)
                .map(|name| typed(name, object, number))
                .collect(),
        ),
        _ if object.contains_key("properties") => typed("object", object, number),
        _ => described(&Value::Bool(true), number),
    }
}

fn typed(name: &str, object: &Map<String, Value>, number: Number) -> String {
    let items = || match object.get("items") {
        Some(items @ Value::Object(inner)) if !inner.is_empty() => format!(" of {}", plural(items)),
        _ => String::new(),
    };
    match (name, number) {
        ("array", Number::Singular) => format!("an array{}", items()),
        ("array", Number::Plural) => format!("arrays{}", items()),
        ("integer" | "object", Number::Singular) => format!("an {name}"),
        ("null", _) => "null".to_owned(),
        (_, Number::Singular) => format!("a {name}"),
        (_, Number::Plural) => format!("{name}s"),
    }
}

fn either(mut nouns: Vec<String>) -> String {
    let mut seen = Vec::new();
    nouns.retain(|noun| {
        let new = !seen.contains(noun);
        seen.push(noun.clone());
        new
    });
    match nouns.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => "nothing".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn schemas_have_nouns() {
        assert_eq!(
            singular(&json!({"type": "array", "items": {"type": ["integer", "null"]}})),
            "an array of integers or null"
        );
        assert_eq!(
            singular(&json!({"anyOf": [{"type": "string"}, {"const": 1}, {"type": "string"}]})),
            "a string or 1"
        );
        assert_eq!(plural(&json!({})), "any values");
    }
}
