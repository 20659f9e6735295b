//! Where tools run, how long they may, and what becomes of them when nobody waits any more.

use super::{call, failure, host, tools, value};
use pegboard::{Call, FailureKind, Host, Limits};
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
async fn validators_and_serializers_are_a_part_of_the_tool() {
    let host = host("misbehaving").await;
    for (tool, arguments) in [("checked_for_ever", r#"{"number":1}"#), ("written_for_ever", "{}")] {
        let failure = failure(&host, tool, arguments, FailureKind::TimedOut).await;
        assert!(!failure.still_running, "{tool}: {failure}");
        assert!(failure.message.contains("was stopped"), "{tool}: {failure}");
        assert_eq!(value(&host, "count_up", "{}").await, json!(20_000), "after {tool}");
    }
    host.close().await;
}

#[tokio::test]
async fn a_limit_beyond_the_end_of_time_is_none() {
    let built = Host::builder()
        .source(tools("misbehaving"))
        .timeout(Some(Duration::MAX))
        .build();
    let host = built.await.unwrap();
    assert_eq!(value(&host, "count_up", "{}").await, json!(20_000));
    host.close().await;
}

#[tokio::test]
async fn sync_tools_are_refused_while_too_many_threads_are_stuck() {
    let limits = Limits {
        stuck_threads: 1,
        ..Limits::default()
    };
    let built = Host::builder().source(tools("misbehaving")).limits(limits).build();
    let host = built.await.unwrap();
    assert!(
        failure(&host, "sleep_in_c", "{}", FailureKind::TimedOut)
            .await
            .still_running
    );
    let refused = failure(&host, "fine", "{}", FailureKind::LimitReached).await;
    assert!(refused.message.contains("did not stop"), "{refused}");
    assert!(value(&host, "thread_name", "{}").await.is_string(), "async tools go on");
    // The thread comes back when its tool ends, and sync tools are let in again.
    let mut fine = call(&host, "fine", "{}").await;
    for _ in 0..200 {
        if fine.is_success() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
        fine = call(&host, "fine", "{}").await;
    }
    assert_eq!(fine.structured(), Some(json!({"number": 1})));
    host.close().await;
}

#[tokio::test]
async fn the_thread_of_a_cancelled_call_that_does_not_stop_is_replaced() {
    let limits = Limits {
        sync_threads: 1,
        ..Limits::default()
    };
    let built = Host::builder().source(tools("process_wide")).limits(limits).build();
    let host = built.await.unwrap();
    let endless = host.call(Call::new("sleep_in_c", r#"{"seconds":600}"#));
    assert!(tokio::time::timeout(Duration::from_millis(300), endless).await.is_err());
    assert_eq!(value(&host, "warn", "{}").await, json!("warned"));
    host.close().await;
}

/// One thread runs all of them, and each limit is over just when its tool ends by itself.
#[tokio::test]
async fn an_interruption_never_reaches_the_next_call_of_the_thread() {
    let limits = Limits {
        sync_threads: 1,
        ..Limits::default()
    };
    let built = Host::builder().source(tools("misbehaving")).limits(limits).build();
    let host = built.await.unwrap();
    let mut stopped = 0;
    for _ in 0..60 {
        let outcome = call(&host, "end_about_now", "{}").await;
        if let Some(failure) = outcome.failure {
            assert_eq!(
                (failure.kind, failure.still_running),
                (FailureKind::TimedOut, false),
                "{failure}"
            );
            stopped += 1;
        }
        assert_eq!(value(&host, "count_up", "{}").await, json!(20_000));
    }
    assert!(stopped > 0, "no limit was ever over");
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
