//! Where tools run, how long they may, and what becomes of them when nobody waits any more.

use super::{call, failure, host, value};
use pegboard::{Call, FailureKind};
use serde_json::json;
use std::collections::HashSet;
use std::time::Duration;

#[tokio::test]
async fn an_async_tool_over_its_time_is_stopped() {
    let host = host("misbehaving").await;
    let failure = failure(&host, "nap", "{}", FailureKind::TimedOut).await;
    assert!(!failure.still_running, "{failure}");
    assert_eq!(value(&host, "ended", "{}").await, json!(["nap"]));
    host.close().await;
}

#[tokio::test]
async fn python_code_over_its_time_is_stopped() {
    let host = host("misbehaving").await;
    let failure = failure(&host, "spin", "{}", FailureKind::TimedOut).await;
    assert!(!failure.still_running, "{failure}");
    host.close().await;
}

#[tokio::test]
async fn native_code_over_its_time_is_said_to_be_still_running() {
    let host = host("misbehaving").await;
    let failure = failure(&host, "sleep_in_c", "{}", FailureKind::TimedOut).await;
    assert!(failure.still_running, "{failure}");
    assert!(failure.traceback.unwrap().contains("sleep_in_c"));
    assert_eq!(
        value(&host, "ended", "{}").await,
        json!([]),
        "the late result is dropped, the tool goes on"
    );
    host.close().await;
}

#[tokio::test]
async fn dropping_the_future_cancels_the_tool() {
    let host = host("misbehaving").await;
    let abandoned = tokio::time::timeout(Duration::from_millis(300), host.call(Call::new("nap_for_ever", "{}"))).await;
    assert!(abandoned.is_err());
    let mut ended = json!([]);
    for _ in 0..100 {
        ended = value(&host, "ended", "{}").await;
        if ended == json!(["nap_for_ever"]) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(ended, json!(["nap_for_ever"]), "the tool's `finally` ran");
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn async_tools_share_one_thread() {
    let host = host("misbehaving").await;
    let calls = (0..10).map(|_| {
        let host = host.clone();
        tokio::spawn(async move { value(&host, "thread_name", "{}").await.to_string() })
    });
    let mut names = HashSet::new();
    for call in calls.collect::<Vec<_>>() {
        names.insert(call.await.unwrap());
    }
    assert_eq!(names.len(), 1, "{names:?}");
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sync_tools_may_run_loops_of_their_own() {
    let host = host("misbehaving").await;
    let calls: Vec<_> = (0..10)
        .map(|_| {
            let host = host.clone();
            tokio::spawn(async move { value(&host, "run_a_loop", "{}").await })
        })
        .collect();
    for call in calls {
        assert_eq!(call.await.unwrap(), json!("ok"));
    }
    let blocking = tokio::task::spawn_blocking(move || {
        let outcome = host.call_blocking(Call::new("run_a_loop", "{}")).unwrap();
        (outcome.text, host)
    });
    let (text, host) = blocking.await.unwrap();
    assert_eq!(text, "ok");
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sync_calls_into_one_toolset_take_turns() {
    let host = host("stateful").await;
    let calls: Vec<_> = (0..8)
        .map(|_| {
            let host = host.clone();
            tokio::spawn(async move { value(&host, "bump", r#"{"name":"a"}"#).await.as_i64().unwrap() })
        })
        .collect();
    let mut counts = Vec::new();
    for call in calls {
        counts.push(call.await.unwrap());
    }
    counts.sort_unstable();
    assert_eq!(counts, [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(value(&host, "read", r#"{"name":"a"}"#).await, json!(8));
    host.close().await;
}

#[tokio::test]
async fn the_interpreter_is_the_chosen_environment() {
    let host = host("misbehaving").await;
    let place = value(&host, "where", "{}").await;
    let executable = place["executable"].as_str().unwrap();
    assert!(std::path::Path::new(executable).is_file(), "{executable}");
    assert_eq!(call(&host, "child", "{}").await.text(), "child");
    host.close().await;
}
