//! What becomes of async tools that hold the event loop, and of the others.

use super::{failure, host, value};
use pegboard::{Call, FailureKind};
use serde_json::json;
use std::time::Duration;

#[tokio::test]
async fn a_call_over_its_time_that_holds_the_loop_is_stopped_and_the_loop_goes_on() {
    let host = host("holding").await;
    let calls = [
        ("at_once", "{}"),
        ("after_a_step", "{}"),
        ("checked", r#"{"number":1}"#),
        ("written", "{}"),
        ("catch", "{}"),
    ];
    for (tool, arguments) in calls {
        let failure = failure(&host, tool, arguments, FailureKind::TimedOut).await;
        assert!(!failure.still_running, "{tool}: {failure}");
        assert_eq!(value(&host, "quick", "{}").await, json!("quick"), "after {tool}");
    }
    host.close().await;
}

#[tokio::test]
async fn a_call_that_goes_on_is_answered_for_and_asked_again() {
    let host = host("holding").await;
    for tool in ["stubborn", "clean_up_for_ever"] {
        let failure = failure(&host, tool, "{}", FailureKind::TimedOut).await;
        assert!(failure.still_running, "{tool}: {failure}");
        assert_eq!(value(&host, "quick", "{}").await, json!("quick"), "after {tool}");
    }
    host.close().await;
}

#[tokio::test]
async fn an_exception_that_cannot_be_said_does_not_hold_the_loop() {
    let host = host("holding").await;
    let failure = failure(&host, "unspeakable", "{}", FailureKind::Raised).await;
    assert!(failure.message.contains("cannot be shown"), "{failure}");
    assert_eq!(value(&host, "quick", "{}").await, json!("quick"));
    host.close().await;
}

#[tokio::test]
async fn a_call_that_nobody_waits_for_any_more_does_not_hold_the_loop() {
    let host = host("holding").await;
    let endless = host.call(Call::new("without_limit", "{}"));
    assert!(tokio::time::timeout(Duration::from_millis(300), endless).await.is_err());
    assert_eq!(value(&host, "quick", "{}").await, json!("quick"));
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_stops_a_call_that_holds_the_loop() {
    let host = host("holding").await;
    let held = tokio::spawn({
        let host = host.clone();
        async move { failure(&host, "without_limit", "{}", FailureKind::Cancelled).await }
    });
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(host.close().await, []);
    let failure = held.await.unwrap();
    assert!(!failure.still_running, "{failure}");
}
