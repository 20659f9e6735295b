//! Whatever a tool raises, the host goes on and says what happened.

use super::{call, failure, host, value};
use pegboard::{Call, Error, FailureKind};
use serde_json::json;

#[tokio::test]
async fn whatever_a_tool_raises_is_a_failure() {
    let host = host("misbehaving").await;
    let cases = [
        ("interrupt", "{}", "KeyboardInterrupt"),
        ("interrupt_loop", "{}", "KeyboardInterrupt"),
        ("close_generator", "{}", "GeneratorExit"),
        ("cancel", "{}", "CancelledError"),
        ("cancel_loop", "{}", "CancelledError"),
        ("stop_iteration", r#"{"numbers":[1]}"#, "StopIteration"),
        // Python itself turns a StopIteration that leaves a coroutine into a RuntimeError (PEP 479).
        ("stop_iteration_loop", r#"{"numbers":[1]}"#, "RuntimeError"),
        ("unprintable", "{}", "Unprintable"),
        ("recursion", "{}", "RecursionError"),
        ("memory", "{}", "MemoryError"),
        ("own_timeout", "{}", "TimeoutError"),
    ];
    for (tool, arguments, exception) in cases {
        let failure = failure(&host, tool, arguments, FailureKind::Raised).await;
        assert_eq!(failure.exception_type.as_deref(), Some(exception), "{tool}");
        assert_eq!(value(&host, "fine", "{}").await, json!({"number": 1}), "after {tool}");
    }
    host.close().await;
}

#[tokio::test]
async fn leaving_the_process_is_a_failure_with_the_status() {
    let host = host("misbehaving").await;
    for tool in ["leave", "leave_later", "leave_at_once"] {
        let failure = failure(&host, tool, r#"{"status":7}"#, FailureKind::Exited).await;
        assert_eq!(failure.exit_code, Some(7), "{tool}");
    }
    let aborted = failure(&host, "abort", "{}", FailureKind::Exited).await;
    assert_eq!(aborted.exit_code, Some(134));
    assert_eq!(value(&host, "fine", r#"{"number":2}"#).await, json!({"number": 2}));
    host.close().await;
}

#[tokio::test]
async fn a_group_of_one_shows_its_leaf() {
    let host = host("misbehaving").await;
    let failure = failure(&host, "group", "{}", FailureKind::Raised).await;
    assert_eq!(failure.exception_type.as_deref(), Some("ValueError"));
    assert!(failure.message.contains("bad port 0"), "{}", failure.message);
    host.close().await;
}

#[tokio::test]
async fn stop_ends_with_its_text() {
    let host = host("misbehaving").await;
    let outcome = call(&host, "enough", "{}").await;
    assert!(outcome.stop && outcome.failure.is_none());
    assert_eq!(outcome.text(), "that is all");
    host.close().await;
}

#[tokio::test]
async fn what_the_policy_does_not_catch_is_an_error() {
    let host = host("misbehaving").await;
    for (tool, arguments) in [("aborting", r#"{"name":"x"}"#), ("listed", r#"{"kind":"other"}"#)] {
        match host.call(Call::new(tool, arguments)).await {
            Err(Error::Aborted { failure, exception, .. }) => {
                assert_eq!(failure.exception_type.as_deref(), Some("LookupError"), "{tool}");
                assert!(exception.is_some(), "{tool}");
            }
            other => panic!("{tool}: {other:?}"),
        }
    }
    let failure = failure(&host, "listed", r#"{"kind":"listed"}"#, FailureKind::Raised).await;
    assert_eq!(failure.exception_type.as_deref(), Some("ConnectionError"));
    match host.call(Call::new("aborting", "{}")).await {
        Err(Error::Aborted { failure, .. }) => assert_eq!(failure.kind, FailureKind::InvalidArguments),
        other => panic!("{other:?}"),
    }
    host.close().await;
}

#[tokio::test]
async fn the_traceback_shows_the_tool_and_not_the_host() {
    let host = host("misbehaving").await;
    let failure = failure(&host, "stop_iteration", r#"{"numbers":[1]}"#, FailureKind::Raised).await;
    let traceback = failure.traceback.unwrap();
    assert!(
        traceback.contains("raising.py") && traceback.contains("next("),
        "{traceback}"
    );
    assert!(!traceback.contains("runtime"), "{traceback}");
    host.close().await;
}

#[tokio::test]
async fn an_exception_that_cannot_be_looked_at_is_told() {
    let host = host("misbehaving").await;
    let failure = failure(&host, "touchy_note", "{}", FailureKind::Raised).await;
    assert_eq!(failure.exception_type.as_deref(), Some("ValueError"));
    assert!(failure.message.contains("cannot be shown"), "{}", failure.message);
    host.close().await;
}

#[tokio::test]
async fn an_exception_has_the_name_that_its_class_was_made_with() {
    let host = host("misbehaving").await;
    let failure = failure(&host, "nameless", "{}", FailureKind::Raised).await;
    assert_eq!(failure.exception_type.as_deref(), Some("NamelessError"));
    assert_eq!(failure.message, "but its text");
    host.close().await;
}

#[tokio::test]
async fn what_a_tool_leaves_behind_does_not_end_the_process() {
    let host = host("misbehaving").await;
    for tool in ["leave_from_a_thread", "leave_from_a_handler"] {
        assert_eq!(value(&host, tool, "{}").await, json!("goes on"));
    }
    assert_eq!(host.close().await, []);
}

#[tokio::test]
async fn the_event_loop_goes_on_when_a_tool_stops_it() {
    let host = host("misbehaving").await;
    for _ in 0..2 {
        assert_eq!(value(&host, "stop_the_loop", "{}").await, json!("goes on"));
    }
    assert_eq!(host.close().await, []);
}

#[tokio::test]
async fn what_is_no_text_is_written_as_an_escape() {
    let host = host("misbehaving").await;
    let outcome = call(&host, "print_half_a_pair", "{}").await;
    let [line] = &outcome.logs[..] else {
        panic!("{outcome:?}")
    };
    assert_eq!(line.text, r"half \udc80 of it");
    host.close().await;
}
