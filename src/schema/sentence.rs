//! Owns how a schema's rules read in English: one sentence for each keyword.
//!
//! The same sentences tell a model what a provider's schema language cannot, and what is wrong with its arguments.
//! Must not decide which rules need one.

use super::noun::{plural, singular};
use serde_json::{Map, Value};

/// How many characters of a value or a raw schema a sentence may show.
const SHOWN_VALUE: usize = 60;
const SHOWN_SCHEMA: usize = 300;

/// One sentence for the rule that `keyword` states in `schema`; `None` when it states none, or none that fits one.
pub(crate) fn for_keyword(keyword: &str, schema: &Map<String, Value>) -> Option<String> {
    let value = schema.get(keyword)?;
    let sentence = match keyword {
        "type" => format!("Must be {}.", singular(&Value::Object(only(schema, &["type"])))),
        "const" => format!("Must be {}.", shown(value)),
        "enum" => format!("Must be one of: {}.", list(value)?),
        "minimum" => format!("Must be at least {value}."),
        "maximum" => format!("Must be at most {value}."),
        "exclusiveMinimum" => format!("Must be greater than {value}."),
        "exclusiveMaximum" => format!("Must be less than {value}."),
        "multipleOf" => format!("Must be a multiple of {value}."),
        "minLength" => format!("Must have at least {}.", counted(value, "character")),
        "maxLength" => format!("Must have at most {}.", counted(value, "character")),
        "minItems" => format!("Must have at least {}.", counted(value, "item")),
        "maxItems" => format!("Must have at most {}.", counted(value, "item")),
        "minProperties" => format!("Must have at least {}.", counted(value, "property")),
        "maxProperties" => format!("Must have at most {}.", counted(value, "property")),
        "pattern" => format!("Must match the regular expression {}.", value.as_str()?),
        "uniqueItems" if value == true => "Must not have an item twice.".to_owned(),
        "format" => format(value.as_str()?),
        "contentEncoding" => format!("Text in the encoding {}.", value.as_str()?),
        "contentMediaType" => format!("Text that holds {}.", value.as_str()?),
        "additionalProperties" if value.is_object() => match schema.get("properties").and_then(Value::as_object) {
            Some(properties) if !properties.is_empty() => format!("Other properties are {}.", plural(value)),
            _ => format!("An object whose values are {}.", plural(value)),
        },
        "additionalProperties" | "unevaluatedProperties" if value == false => "No other properties.".to_owned(),
        "unevaluatedItems" if value == false => "No other items.".to_owned(),
        "patternProperties" => joined(
            value
                .as_object()?
                .iter()
                .map(|(pattern, schema)| format!("Properties whose names match {pattern} are {}.", plural(schema))),
        ),
        "propertyNames" => property_names(value)?,
        "prefixItems" => format!("The items in their order: {}.", nouns(value)?),
        "contains" => contains(schema, value),
        "dependentRequired" => joined(
            value
                .as_object()?
                .iter()
                .map(|(name, needed)| format!("Where {name} is given, {} must be given too.", names(needed))),
        ),
        "anyOf" | "oneOf" => choice(keyword, value.as_array()?).or_else(|| raw(schema, &[keyword]))?,
        "not" => negation(value).or_else(|| raw(schema, &["not"]))?,
        "if" => condition(schema).or_else(|| raw(schema, &["if", "then", "else"]))?,
        "allOf" | "dependentSchemas" => raw(schema, &[keyword])?,
        "required" => format!("{} must be given.", names(value)),
        "default" if !value.is_null() => format!("The default is {}.", shown(value)),
        "examples" => format!("For example: {}.", list(value)?),
        "deprecated" if value == true => "Deprecated.".to_owned(),
        _ => return None,
    };
    Some(sentence)
}

/// Text and sentences as one paragraph.
pub(crate) fn append(text: &str, sentences: &[String]) -> String {
    let mut paragraph = text.trim_end().to_owned();
    for sentence in sentences {
        if paragraph.contains(sentence.as_str()) {
            continue;
        }
        if !paragraph.is_empty() {
            if !paragraph.ends_with(['.', '!', '?', ':', '…']) {
                paragraph.push('.');
            }
            paragraph.push(' ');
        }
        paragraph.push_str(sentence);
    }
    paragraph
}

/// Text cut to at most `limit` characters, at the end of a word.
pub(crate) fn cut(text: &str, limit: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(limit) else {
        return text.to_owned();
    };
    // The ellipsis is one of the characters.
    let kept = &text[..text[..end].char_indices().next_back().map_or(0, |(last, _)| last)];
    let kept = match kept.rfind(char::is_whitespace) {
        Some(space) if !text[kept.len()..].starts_with(char::is_whitespace) => &kept[..space],
        _ => kept,
    };
    format!("{}…", kept.trim_end())
}

/// A value as compact JSON, cut when it is long.
pub(crate) fn shown(value: &Value) -> String {
    shortened(&value.to_string(), SHOWN_VALUE)
}

fn format(name: &str) -> String {
    match name {
        "uri" => "A URL.".to_owned(),
        "uri-reference" => "A URL or a relative reference.".to_owned(),
        "date-time" => "A date and time as in ISO 8601.".to_owned(),
        "date" => "A date as in ISO 8601.".to_owned(),
        "time" => "A time of day as in ISO 8601.".to_owned(),
        "duration" => "A duration as in ISO 8601.".to_owned(),
        "email" => "An email address.".to_owned(),
        "hostname" => "A host name.".to_owned(),
        "ipv4" => "An IPv4 address.".to_owned(),
        "ipv6" => "An IPv6 address.".to_owned(),
        "uuid" => "A UUID.".to_owned(),
        "regex" => "A regular expression.".to_owned(),
        "binary" | "byte" | "base64" => "Base64 text.".to_owned(),
        other => format!("In the format {other}."),
    }
}

fn choice(keyword: &str, branches: &[Value]) -> Option<String> {
    let sets: Vec<Vec<&str>> = branches
        .iter()
        .map(|branch| branch.get("required")?.as_array()?.iter().map(Value::as_str).collect())
        .collect::<Option<_>>()?;
    if sets.iter().any(Vec::is_empty) {
        return None;
    }
    let how_many = if keyword == "oneOf" {
        "exactly one"
    } else {
        "at least one"
    };
    Some(if sets.iter().all(|set| set.len() == 1) {
        format!("Give {how_many} of: {}.", sets.concat().join(", "))
    } else {
        let sets: Vec<String> = sets.iter().map(|set| set.join(" and ")).collect();
        format!("Give {how_many} of these sets: {}.", sets.join("; "))
    })
}

fn negation(schema: &Value) -> Option<String> {
    let object = schema.as_object()?;
    match object.keys().map(String::as_str).collect::<Vec<_>>()[..] {
        ["required"] => match object["required"].as_array()?.as_slice() {
            [only] => Some(format!("Do not give {}.", only.as_str()?)),
            _ => Some(format!("Do not give {} together.", names(&object["required"]))),
        },
        ["type" | "const" | "enum"] => Some(format!("Must not be {}.", singular(schema))),
        _ => None,
    }
}

/// The common case: where one property has one value, others must be given.
fn condition(schema: &Map<String, Value>) -> Option<String> {
    if schema.contains_key("else") {
        return None;
    }
    let properties = schema.get("if")?.get("properties")?.as_object()?;
    let then = schema.get("then")?.as_object()?;
    if then.len() != 1 {
        return None;
    }
    let conditions: Vec<String> = properties
        .iter()
        .map(|(name, schema)| Some(format!("{name} is {}", shown(schema.get("const")?))))
        .collect::<Option<_>>()?;
    Some(format!(
        "Where {}, {} must be given.",
        conditions.join(" and "),
        names(then.get("required")?)
    ))
}

fn contains(schema: &Map<String, Value>, item: &Value) -> String {
    let least = schema.get("minContains").map_or("1".to_owned(), ToString::to_string);
    match schema.get("maxContains") {
        Some(most) => format!("From {least} to {most} of the items must be {}.", plural(item)),
        None => format!("At least {least} of the items must be {}.", plural(item)),
    }
}

fn property_names(schema: &Value) -> Option<String> {
    let object = schema.as_object()?;
    if let Some(pattern) = object.get("pattern").and_then(Value::as_str) {
        return Some(format!("Names of properties must match {pattern}."));
    }
    object
        .get("enum")
        .and_then(list)
        .map(|values| format!("Names of properties must be one of: {values}."))
}

/// The rule as JSON Schema, for what no sentence covers: a model reads that too.
fn raw(schema: &Map<String, Value>, keywords: &[&str]) -> Option<String> {
    let text = Value::Object(only(schema, keywords)).to_string();
    (text.chars().count() <= SHOWN_SCHEMA).then(|| format!("Must also fit the JSON Schema {text}."))
}

fn only(schema: &Map<String, Value>, keywords: &[&str]) -> Map<String, Value> {
    keywords
        .iter()
        .filter_map(|keyword| Some(((*keyword).to_owned(), schema.get(*keyword)?.clone())))
        .collect()
}

fn names(value: &Value) -> String {
    let names: Vec<&str> = value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => "nothing".to_owned(),
    }
}

/// The values of a list, in a row.
pub(crate) fn list(values: &Value) -> Option<String> {
    Some(values.as_array()?.iter().map(shown).collect::<Vec<_>>().join(", "))
}

fn nouns(schemas: &Value) -> Option<String> {
    Some(schemas.as_array()?.iter().map(singular).collect::<Vec<_>>().join(", "))
}

fn joined(sentences: impl Iterator<Item = String>) -> String {
    sentences.collect::<Vec<_>>().join(" ")
}

fn counted(count: &Value, thing: &str) -> String {
    match (count.as_u64(), thing) {
        (Some(1), _) => format!("1 {thing}"),
        (_, "property") => format!("{count} properties"),
        _ => format!("{count} {thing}s"),
    }
}

fn shortened(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let kept: String = text.chars().take(limit - 1).collect();
    format!("{kept}…")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn say(keyword: &str, schema: &Value) -> Option<String> {
        for_keyword(keyword, schema.as_object()?)
    }

    #[test]
    fn choices_name_the_parameters() {
        let single = json!({"anyOf": [{"required": ["id"]}, {"required": ["name"]}]});
        assert_eq!(say("anyOf", &single).unwrap(), "Give at least one of: id, name.");
        let sets = json!({"oneOf": [{"required": ["a", "b"]}, {"required": ["c"]}]});
        assert_eq!(
            say("oneOf", &sets).unwrap(),
            "Give exactly one of these sets: a and b; c."
        );
    }

    #[test]
    fn what_no_sentence_covers_is_shown_as_schema() {
        let odd = json!({"not": {"minProperties": 3}});
        assert_eq!(
            say("not", &odd).unwrap(),
            r#"Must also fit the JSON Schema {"not":{"minProperties":3}}."#
        );
        let long = json!({"not": {"pattern": "x".repeat(400)}});
        assert_eq!(say("not", &long), None);
    }

    #[test]
    fn conditions_and_dependencies_read_as_sentences() {
        let schema = json!({"if": {"properties": {"mode": {"const": "x"}}}, "then": {"required": ["a", "b"]}});
        assert_eq!(
            say("if", &schema).unwrap(),
            "Where mode is \"x\", a and b must be given."
        );
        let schema = json!({"dependentRequired": {"card": ["name"]}});
        assert_eq!(
            say("dependentRequired", &schema).unwrap(),
            "Where card is given, name must be given too."
        );
        assert_eq!(
            say("not", &json!({"not": {"required": ["a", "b"]}})).unwrap(),
            "Do not give a and b together."
        );
    }

    #[test]
    fn open_objects_name_their_values() {
        assert_eq!(
            say(
                "additionalProperties",
                &json!({"additionalProperties": {"type": "integer"}})
            )
            .unwrap(),
            "An object whose values are integers."
        );
    }

    #[test]
    fn long_values_are_cut() {
        let text = shown(&json!("x".repeat(100)));
        assert_eq!(text.chars().count(), 60);
        assert!(text.ends_with('…'));
    }

    #[test]
    fn text_is_cut_at_the_end_of_a_word() {
        assert_eq!(cut("one two three", 13), "one two three");
        assert_eq!(cut("one two three", 12), "one two…");
        assert_eq!(cut("one two three", 8), "one two…");
        assert_eq!(cut("ein größeres Wort", 6), "ein…");
        assert_eq!(cut("ééééééé", 3), "éé…");
        assert_eq!(cut("word", 0), "…");
    }

    #[test]
    fn sentences_follow_text_once() {
        let rules = vec!["Deprecated.".to_owned(), "Must be 1.".to_owned()];
        assert_eq!(append("the count ", &rules), "the count. Deprecated. Must be 1.");
        assert_eq!(append("Must be 1.", &rules), "Must be 1. Deprecated.");
        assert_eq!(append("", &rules), "Deprecated. Must be 1.");
    }
}
