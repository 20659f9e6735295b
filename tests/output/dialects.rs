//! Failure texts by dialect: equal to what the frameworks answer, byte for byte, or better with the reason in the name.

use crate::shape_failure;
use crate::{Setup, raised};
use pegboard::{Failure, FailureKind, FailureStyle, Problem};
use serde::Deserialize;
use std::time::Duration;

#[derive(Deserialize)]
struct DreadnodeRecord {
    record: String,
    #[serde(rename = "type")]
    exception_type: String,
    message: String,
    text: String,
}

#[derive(Deserialize)]
struct DendruxRecord {
    record: String,
    tool: String,
    code: Option<String>,
    message: String,
    seconds: Option<f64>,
    text: String,
}

fn problem(pointer: &str, code: &str, message: &str) -> Problem {
    Problem {
        pointer: pointer.to_owned(),
        code: code.to_owned(),
        message: message.to_owned(),
        suggestion: None,
    }
}

fn text(failure: &Failure, style: FailureStyle) -> String {
    shape_failure(failure, &Setup::new(style).facts()).text
}

#[test]
fn writes_exceptions_as_dreadnode_does() {
    let records: Vec<DreadnodeRecord> =
        serde_json::from_str(include_str!("cases/dreadnode_failures.json")).expect("the cases are JSON");
    assert!(records.len() > 60, "only {} cases", records.len());
    for record in records {
        let failure = raised(&record.exception_type, record.message);
        assert_eq!(
            text(&failure, FailureStyle::ErrorElement),
            record.text,
            "record {}",
            record.record
        );
    }
}

#[test]
fn writes_failures_as_dendrux_does() {
    let records: Vec<DendruxRecord> =
        serde_json::from_str(include_str!("cases/dendrux_failures.json")).expect("the cases are JSON");
    assert!(records.len() > 60, "only {} cases", records.len());
    let call = Setup::new(FailureStyle::ErrorCode);
    for record in records {
        let kind = match (record.code.as_deref(), record.seconds) {
            (Some("invalid_json"), _) => FailureKind::InvalidJson,
            (Some("invalid_params"), _) => FailureKind::InvalidArguments,
            (None, Some(_)) => FailureKind::TimedOut,
            (None, None) => FailureKind::Raised,
            (Some(other), _) => panic!("record {} has the code {other}", record.record),
        };
        // Of a timeout, the dialect's sentence is made here; of all else, the tool's side says it.
        let message = match kind {
            FailureKind::TimedOut => "a sentence of ours".to_owned(),
            _ => record.message,
        };
        let failure = Failure::new(kind, message);
        let mut facts = call.facts();
        facts.tool = &record.tool;
        facts.time_limit = record.seconds.map(Duration::from_secs_f64);
        assert_eq!(
            shape_failure(&failure, &facts).text,
            record.text,
            "record {}",
            record.record
        );
    }
}

#[test]
fn dendrux_limit_has_its_own_key() {
    let failure = Failure::new(
        FailureKind::LimitReached,
        "Tool 'twice' has reached its maximum of 2 calls for this run.",
    );
    assert_eq!(
        text(&failure, FailureStyle::ErrorCode),
        r#"{"limit": "Tool 'twice' has reached its maximum of 2 calls for this run."}"#
    );
}

#[test]
fn dendrux_timeout_is_better_because_it_says_that_the_tool_goes_on() {
    let mut failure = Failure::new(FailureKind::TimedOut, "a sentence of ours");
    failure.still_running = true;
    let call = Setup::new(FailureStyle::ErrorCode);
    let mut facts = call.facts();
    facts.time_limit = Some(Duration::from_millis(200));
    assert_eq!(
        shape_failure(&failure, &facts).text,
        r#"{"error": "Tool 'add' timed out after 0.2s", "still_running": true}"#
    );
}

#[test]
fn problems_in_an_element_are_better_because_they_leave_out_addresses_and_input() {
    let mut failure = Failure::new(FailureKind::InvalidArguments, "a sentence of ours");
    failure.problems = vec![
        problem("/items/0/b~1c", "int_type", "Input should be a valid integer"),
        Problem {
            suggestion: Some("limit".to_owned()),
            ..problem(
                "/line_limit",
                "unexpected_keyword_argument",
                "Unexpected keyword argument",
            )
        },
    ];
    assert_eq!(
        text(&failure, FailureStyle::ErrorElement),
        "<error type=\"ValidationError\">\n\
         \x20 2 validation errors for call[add]\n\
         \x20 items.0.b/c\n\
         \x20   Input should be a valid integer [type=int_type]\n\
         \x20 line_limit\n\
         \x20   Unexpected keyword argument [type=unexpected_keyword_argument]\n\
         </error>"
    );
}

#[test]
fn an_element_names_the_exception_that_python_would_have_raised() {
    let not_json = Failure::new(FailureKind::InvalidJson, "Expecting value: line 1 column 1 (char 0)");
    assert_eq!(
        text(&not_json, FailureStyle::ErrorElement),
        "<error type=\"JSONDecodeError\">Expecting value: line 1 column 1 (char 0)</error>"
    );
    assert_eq!(
        text(
            &Failure::new(FailureKind::TimedOut, "no answer within 2 s"),
            FailureStyle::ErrorElement
        ),
        "<error type=\"TimeoutError\">no answer within 2 s</error>"
    );
}

#[test]
fn a_hint_stands_under_the_message_of_an_element() {
    let mut failure = raised("EOFError", "EOF when reading a line");
    failure.hint = Some("tools have no terminal".to_owned());
    assert_eq!(
        text(&failure, FailureStyle::ErrorElement),
        "<error type=\"EOFError\">\n  EOF when reading a line\n  Hint: tools have no terminal\n</error>"
    );
}

#[test]
fn our_own_text_is_compact_and_leaves_out_what_is_absent() {
    assert_eq!(
        text(&raised("ValueError", "schlecht: 日本\n"), FailureStyle::Json),
        r#"{"error":{"kind":"raised","type":"ValueError","message":"schlecht: 日本\n"}}"#
    );
    let mut failure = Failure::new(FailureKind::Exited, "the tool tried to leave the process");
    failure.exit_code = Some(2);
    failure.traceback = Some("Traceback: for the owner alone".to_owned());
    failure.cause_chain = vec!["KeyError: 'x'".to_owned()];
    assert_eq!(
        text(&failure, FailureStyle::Json),
        r#"{"error":{"kind":"exited","message":"the tool tried to leave the process","exit_code":2}}"#
    );
}

#[test]
fn our_own_text_lists_every_problem() {
    let mut failure = Failure::new(FailureKind::InvalidArguments, "the arguments do not fit");
    failure.problems = vec![problem("/n", "int_type", "Input should be a valid integer")];
    assert_eq!(
        text(&failure, FailureStyle::Json),
        r#"{"error":{"kind":"invalid_arguments","message":"the arguments do not fit","problems":[{"pointer":"/n","code":"int_type","message":"Input should be a valid integer"}]}}"#
    );
}
