//! What a call comes to: results, failures, repairs, progress, time limits, cancelling.

use crate::{PATIENCE, call, host, peer};
use pegboard::{Call, FailureKind, LogStream, ServerDefinition};
use serde_json::json;
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[tokio::test]
async fn results_and_failures_are_the_servers_own() {
    let host = host([peer("peer", "")]).await;
    let outcome = call(&host, "total", r#"{"n":[1,2]}"#).await;
    assert_eq!(outcome.text, "3");
    assert_eq!(outcome.structured().unwrap(), json!({"total": 3}));
    let outcome = call(&host, "fail", "{}").await;
    assert_eq!(outcome.failure.unwrap().kind, FailureKind::Raised);
    assert_eq!(outcome.text, "there is no such issue");
    host.close().await;
}

#[tokio::test]
async fn arguments_are_judged_and_mended_before_they_are_sent() {
    let host = host([peer("peer", "")]).await;
    let outcome = call(&host, "total", r#"{"n":"[1, 2]"}"#).await;
    assert_eq!((outcome.text.as_str(), outcome.repairs.len()), ("3", 1));
    let outcome = call(&host, "echo", r#"{"txt":"a"}"#).await;
    let failure = outcome.failure.unwrap();
    assert_eq!(failure.kind, FailureKind::InvalidArguments);
    assert!(failure.message.contains("\"text\" is required"), "{failure}");
    host.close().await;
}

#[tokio::test]
async fn progress_and_logs_reach_the_call() {
    let host = host([peer("peer", "")]).await;
    let seen: Arc<Mutex<Vec<_>>> = Arc::default();
    let sink = Arc::clone(&seen);
    let call = Call::new("progress", "{}").on_progress(move |progress| sink.lock().unwrap().push(progress.done));
    let outcome = host.call(call).await.unwrap();
    assert_eq!(*seen.lock().unwrap(), [1.0, 2.5]);
    let logged = |line: &pegboard::LogLine| line.stream == LogStream::Log && line.text == "a log line";
    assert!(outcome.logs.iter().any(logged), "{:?}", outcome.logs);
    host.close().await;
}

#[tokio::test]
async fn a_time_limit_cancels_and_says_that_the_server_may_go_on() {
    let server = ServerDefinition {
        timeout: Some(Duration::from_millis(200)),
        ..peer("peer", "")
    };
    let host = host([server]).await;
    let failure = call(&host, "slow", "{}").await.failure.unwrap();
    assert_eq!((failure.kind, failure.still_running), (FailureKind::TimedOut, true));
    assert_eq!(call(&host, "pid", "{}").await.failure, None);
    host.close().await;
}

#[tokio::test]
async fn dropping_a_call_cancels_it_at_the_server() {
    let host = host([peer("peer", "")]).await;
    let dropped = tokio::time::timeout(Duration::from_millis(300), host.call(Call::new("slow", "{}"))).await;
    assert!(dropped.is_err());
    assert_eq!(call(&host, "was_cancelled", "{}").await.text, "True");
    host.close().await;
}

#[tokio::test]
async fn a_thread_can_wait_for_a_call_even_on_the_only_thread_of_a_runtime() {
    let host = host([peer("peer", "")]).await;
    let outcome = host.call_blocking(Call::new("echo", r#"{"text":"a"}"#)).unwrap();
    assert_eq!(outcome.text, "a");
    let outcome = host.call_blocking_until(Call::new("slow", "{}"), &mut || true).unwrap();
    assert_eq!(outcome.failure.unwrap().kind, FailureKind::Cancelled);
    assert_eq!(call(&host, "was_cancelled", "{}").await.text, "True");
    host.close().await;
}

#[tokio::test]
async fn a_server_is_refused_what_was_not_offered() {
    let host = host([peer("peer", "")]).await;
    let answered = call(&host, "ask", "{}").await;
    let answered = answered.text;
    assert!(answered.contains("\"error\""), "{answered}");
    host.close().await;
}

#[tokio::test]
async fn what_a_server_lists_later_is_offered() {
    let host = host([peer("peer", "")]).await;
    let mut changes = host.changes();
    assert!(host.tool("grown").is_err());
    call(&host, "grow", "{}").await;
    tokio::time::timeout(PATIENCE, changes.changed())
        .await
        .unwrap()
        .unwrap();
    assert!(host.tool("grown").is_ok());
    host.close().await;
}
