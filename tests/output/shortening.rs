//! What is within the limits is left alone; what an author wants short is cut to the character.

use crate::{Setup, json_value, raised, string_value};
use crate::{shape_failure, shape_value};
use pegboard::output::{Ended, shape};
use pegboard::{Content, Failure, FailureKind, FailureStyle, Problem, Structured, Truncation};
use serde_json::Value;

const STYLES: [FailureStyle; 3] = [FailureStyle::Json, FailureStyle::ErrorElement, FailureStyle::ErrorCode];
const ALPHABET: &str = "abcdefghijklmnopqrstuvwxyz";

fn truncating(style: FailureStyle, limit: usize) -> Setup {
    let mut call = Setup::new(style);
    call.policy.truncate = Some(limit);
    call
}

#[test]
fn a_short_value_is_moved() {
    let text = String::from("short");
    let address = text.as_ptr();
    let shaped = shape_value(string_value(text), &truncating(FailureStyle::Json, 5).facts());
    assert_eq!(shaped.text.as_ptr(), address);
    assert_eq!((shaped.truncated, shaped.offload), (None, None));
    assert_eq!(shaped.structured, Structured::TextIsValue);
}

#[test]
fn a_truncated_string_is_cut_as_text_and_as_value() {
    let shaped = shape_value(string_value(ALPHABET), &truncating(FailureStyle::Json, 11).facts());
    assert_eq!(shaped.text, "abcd...wxyz");
    assert_eq!(shaped.structured, Structured::TextIsValue);
    assert_eq!(
        shaped.truncated,
        Some(Truncation {
            characters: 26,
            kept: 11
        })
    );
}

#[test]
fn a_truncated_object_keeps_its_structured_value() {
    let json = format!("{{\"key\":\"{ALPHABET}\"}}");
    let shaped = shape_value(json_value(json.clone()), &truncating(FailureStyle::Json, 12).facts());
    assert_eq!(shaped.text, "{\"ke...yz\"}");
    assert_eq!(shaped.structured, Structured::Json(json));
}

#[test]
fn zero_does_not_truncate() {
    let shaped = shape_value(string_value(ALPHABET), &truncating(FailureStyle::Json, 0).facts());
    assert_eq!((shaped.text.as_str(), shaped.truncated), (ALPHABET, None));
}

#[test]
fn blocks_of_text_share_the_limit() {
    let mut value = string_value("");
    value.content = ["abcdef", "ghijkl", "mnopqr"]
        .map(|text| Content::Text { text: text.to_owned() })
        .into();
    let shaped = shape_value(value, &truncating(FailureStyle::Json, 12).facts());
    let texts: Vec<&str> = shaped
        .content
        .iter()
        .map(|block| match block {
            Content::Text { text } => text.as_str(),
            other => panic!("{other:?} is no text"),
        })
        .collect();
    assert_eq!(texts, ["abcdef", "ghijkl", ""]);
}

#[test]
fn a_failure_never_exceeds_the_limit_and_its_type_is_cut_last() {
    let mut failure = raised(
        "ValueError",
        "first line \"quoted\"\nsecond 日本 </error> line ".repeat(20),
    );
    failure.problems = vec![Problem {
        pointer: "/a".to_owned(),
        code: "int_type".to_owned(),
        message: "Input should be a valid integer".to_owned(),
        suggestion: None,
    }];
    for style in STYLES {
        for limit in 1..300 {
            let shaped = shape_failure(&failure, &truncating(style, limit).facts());
            let kept = shaped.text.chars().count();
            assert!(kept <= limit, "{style:?} {limit}: {kept} characters");
            assert_eq!(shaped.truncated.map(|truncation| truncation.kept), Some(kept));
            if style != FailureStyle::ErrorCode {
                let visible = "ValueError".get(..limit.min(10)).expect("the name is ASCII");
                assert!(shaped.text.contains(visible), "{style:?} {limit}: {}", shaped.text);
            }
        }
    }
}

#[test]
fn a_truncated_failure_keeps_the_form_of_its_dialect() {
    let failure = raised("ValueError", ALPHABET);
    for (style, limit, expected) in [
        (
            FailureStyle::ErrorElement,
            45,
            "<error type=\"ValueError\">abcd...wxyz</error>",
        ),
        (FailureStyle::ErrorElement, 20, "ValueError: abcdefgh"),
        (FailureStyle::ErrorElement, 4, "Valu"),
        (
            FailureStyle::Json,
            72,
            r#"{"error":{"kind":"raised","type":"ValueError","message":"abcd...wxyz"}}"#,
        ),
        (FailureStyle::ErrorCode, 24, r#"{"error": "abcd...wxyz"}"#),
    ] {
        assert_eq!(
            shape_failure(&failure, &truncating(style, limit).facts()).text,
            expected,
            "{style:?} {limit}"
        );
    }
}

#[test]
fn a_truncated_failure_in_json_stays_json_although_escapes_take_room() {
    let failure = Failure::new(FailureKind::Raised, "\"😀\"\n".repeat(100));
    for style in [FailureStyle::Json, FailureStyle::ErrorCode] {
        for limit in 60..200 {
            let text = shape_failure(&failure, &truncating(style, limit).facts()).text;
            let parsed = serde_json::from_str::<Value>(&text);
            assert!(
                parsed.is_ok_and(|value| value["error"].is_string() || value["error"].is_object()),
                "{text}"
            );
        }
    }
}

#[test]
fn a_wish_to_stop_keeps_its_text_and_has_no_value() {
    let shaped = shape(
        Ended::Stopped("<tool-stop>enough</tool-stop>".to_owned()),
        &Setup::new(FailureStyle::ErrorElement).facts(),
    );
    assert!(shaped.stop);
    assert_eq!(shaped.text, "<tool-stop>enough</tool-stop>");
    assert_eq!((shaped.structured, shaped.failure), (Structured::Absent, None));
}
