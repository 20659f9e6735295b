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
fn schemas_have_nouns() {
    assert_eq!(
        noun(&json!({"type": "array", "items": {"type": ["integer", "null"]}})),
        "an array of integers or null"
    );
    assert_eq!(
        noun(&json!({"anyOf": [{"type": "string"}, {"const": 1}, {"type": "string"}]})),
        "a string or 1"
    );
    assert_eq!(plural(&json!({})), "any values");
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
