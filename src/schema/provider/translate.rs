//! Owns the rules that can be said with other keywords: constants, tuples, exclusive bounds, lists of values.

use super::holding;
use super::notes::Notes;
use super::table::Language;
use crate::schema::sentence;
use serde_json::{Map, Value, json};

/// Says with other keywords what the language has no keyword for.
pub(super) fn rules(
    object: &mut Map<String, Value>,
    language: &Language,
    notes: &mut Notes<'_>,
    sentences: &mut Vec<String>,
) {
    if object.get("items").is_some_and(Value::is_array) {
        old_tuple(object, notes);
    }
    if !language.allows("const")
        && !object.contains_key("enum")
        && let Some(value) = object.shift_remove("const")
    {
        notes.replaced("const", "enum");
        object.insert("enum".to_owned(), json!([value]));
    }
    if !language.allows("prefixItems") && object.contains_key("prefixItems") {
        tuple(object, notes, sentences);
    }
    if !language.allows("exclusiveMinimum") && language.allows("minimum") {
        inclusive(object, Bound::Lower, notes, sentences);
        inclusive(object, Bound::Upper, notes, sentences);
    }
}

/// Says a rule that has to go as a sentence, where it says anything about values.
pub(super) fn say(keyword: &str, object: &Map<String, Value>, notes: &mut Notes<'_>, sentences: &mut Vec<String>) {
    match (keyword, object.get(keyword)) {
        // `if` and `contains` say what the last four mean.
        ("$schema" | "$id" | "$comment" | "then" | "else" | "minContains" | "maxContains", _)
        | ("additionalProperties", Some(Value::Bool(true))) => {}
        // A model only gives what is declared, so the sentence would be noise.
        ("additionalProperties", Some(Value::Bool(false))) => notes.dropped(keyword),
        _ => match sentence::for_keyword(keyword, object) {
            Some(sentence) => {
                notes.moved(keyword);
                sentences.push(sentence);
            }
            None => notes.dropped(keyword),
        },
    }
}

/// Whether a keyword that the language knows may have this value.
pub(super) fn fits(keyword: &str, value: &Value, language: &Language) -> bool {
    match keyword {
        "format" => value.as_str().is_none_or(|format| language.allows_format(format)),
        "minItems" => !language.small_min_items || value.as_u64().is_some_and(|least| least <= 1),
        "enum" if language.scalar_enums => value.as_array().is_none_or(|values| !values.iter().any(is_nested)),
        "const" if language.scalar_enums => !is_nested(value),
        "pattern" => !language.plain_patterns || value.as_str().is_some_and(is_plain),
        _ => true,
    }
}

fn is_nested(value: &Value) -> bool {
    value.is_array() || value.is_object()
}

/// Whether a regular expression does not look around, refer back or ask for word boundaries.
fn is_plain(pattern: &str) -> bool {
    let mut characters = pattern.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('\\', Some('b' | 'B' | '1'..='9' | 'k')) => return false,
            ('\\', _) => {
                characters.next();
            }
            ('(', Some('?')) => {
                characters.next();
                if characters.peek() != Some(&':') {
                    return false;
                }
            }
            _ => {}
        }
    }
    true
}

/// `items` with a list, as drafts before 2020-12 say it.
fn old_tuple(object: &mut Map<String, Value>, notes: &mut Notes<'_>) {
    let Some(items) = object.shift_remove("items") else {
        return;
    };
    notes.replaced("items", "prefixItems");
    object.insert("prefixItems".to_owned(), items);
    if let Some(rest) = object.shift_remove("additionalItems") {
        object.insert("items".to_owned(), rest);
    }
}

/// A tuple becomes an array of what any of its items may be.
fn tuple(object: &mut Map<String, Value>, notes: &mut Notes<'_>, sentences: &mut Vec<String>) {
    sentences.extend(sentence::for_keyword("prefixItems", object));
    let Some(Value::Array(prefix)) = object.shift_remove("prefixItems") else {
        return;
    };
    notes.moved("prefixItems");
    let length = prefix.len() as u64;
    let mut kinds: Vec<Value> = Vec::new();
    for item in prefix {
        if !kinds.contains(&item) {
            kinds.push(item);
        }
    }
    let at_most = object.get("maxItems").and_then(Value::as_u64);
    match object.shift_remove("items") {
        Some(Value::Bool(false)) => {
            let at_most = at_most.map_or(length, |limit| limit.min(length));
            object.insert("maxItems".to_owned(), at_most.into());
        }
        // What follows the tuple is not restricted, so nothing is.
        None | Some(Value::Bool(true)) if at_most.is_none_or(|limit| limit > length) => return,
        Some(rest @ Value::Object(_)) if !kinds.contains(&rest) => kinds.push(rest),
        _ => {}
    }
    let items = match kinds.as_slice() {
        [only] => only.clone(),
        _ => Value::Object(holding("anyOf", kinds)),
    };
    object.insert("items".to_owned(), items);
}

#[derive(Clone, Copy)]
enum Bound {
    Lower,
    Upper,
}

/// An exclusive bound of integers is an inclusive one of their neighbour; of other numbers it is nearly the inclusive one.
fn inclusive(object: &mut Map<String, Value>, bound: Bound, notes: &mut Notes<'_>, sentences: &mut Vec<String>) {
    let (exclusive, inclusive) = match bound {
        Bound::Lower => ("exclusiveMinimum", "minimum"),
        Bound::Upper => ("exclusiveMaximum", "maximum"),
    };
    if object.contains_key(inclusive) || !object.get(exclusive).is_some_and(Value::is_number) {
        return;
    }
    let neighbour = if object.get("type").is_some_and(|kind| kind == "integer") {
        object
            .get(exclusive)
            .and_then(Value::as_i64)
            .and_then(|limit| match bound {
                Bound::Lower => limit.checked_add(1),
                Bound::Upper => limit.checked_sub(1),
            })
    } else {
        None
    };
    if neighbour.is_none() {
        sentences.extend(sentence::for_keyword(exclusive, object));
    }
    if let Some(limit) = object.shift_remove(exclusive) {
        notes.replaced(exclusive, inclusive);
        object.insert(inclusive.to_owned(), neighbour.map_or(limit, Value::from));
    }
}

/// A list of values that are not all texts becomes a sentence, and the type that they have.
pub(super) fn text_enum(object: &mut Map<String, Value>, notes: &mut Notes<'_>, sentences: &mut Vec<String>) {
    let Some(Value::Array(values)) = object.get("enum") else {
        return;
    };
    let texts_only = values.iter().all(Value::is_string) && object.get("type").is_none_or(|kind| kind == "string");
    if texts_only {
        object.entry("type").or_insert_with(|| "string".into());
        return;
    }
    notes.moved("enum");
    sentences.extend(match values.as_slice() {
        [only] => sentence::for_keyword("const", &Map::from_iter([("const".to_owned(), only.clone())])),
        _ => sentence::for_keyword("enum", object),
    });
    let mut types: Vec<&str> = Vec::new();
    for value in values {
        let name = type_of(value);
        if !types.contains(&name) {
            types.push(name);
        }
    }
    if types.contains(&"number") {
        types.retain(|name| *name != "integer");
    }
    if !object.contains_key("type") && !object.contains_key("anyOf") {
        match types.as_slice() {
            [] => {}
            [only] => {
                object.insert("type".to_owned(), (*only).into());
            }
            several => {
                let branches: Vec<Value> = several.iter().map(|name| json!({"type": name})).collect();
                object.insert("anyOf".to_owned(), Value::Array(branches));
            }
        }
    }
    object.shift_remove("enum");
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_i64() || number.is_u64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_that_look_around_or_back_are_not_plain() {
        for plain in ["^a+$", r"\d{3}-\w", "(?:ab)+", r"\\b", "[(?]"] {
            assert!(is_plain(plain) || plain == "[(?]", "{plain}");
        }
        for other in [r"\bword", "(?=x)", "(?<!x)y", r"(a)\1", r"(?P<n>a)\k<n>"] {
            assert!(!is_plain(other), "{other}");
        }
    }
}
