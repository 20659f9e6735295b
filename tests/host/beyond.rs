//! What tools do beyond their call, to threads, processes, signals, the working directory and the event loop: the host
//! goes on, and what others would notice is reported.

use super::{call, failure, host, value};
use pegboard::{Call, DiagnosticCode, FailureKind, LogStream, Outcome};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

fn remarks(outcome: &Outcome) -> Vec<&str> {
    let of_the_host = outcome.logs.iter().filter(|line| line.stream == LogStream::Host);
    of_the_host.map(|line| line.text.as_str()).collect()
}

#[tokio::test]
async fn threads_that_a_tool_leaves_behind_hold_nobody_up() {
    let host = host("process_wide").await;
    assert!(value(&host, "start_threads", "{}").await.as_u64().unwrap() >= 3);
    assert_eq!(value(&host, "quick", "{}").await, json!("quick"));
    assert_eq!(host.close().await, []);
}

#[tokio::test]
async fn a_loop_inside_the_loop_is_refused_with_advice() {
    let host = host("process_wide").await;
    let failure = failure(&host, "run_a_loop_inside", "{}", FailureKind::Raised).await;
    assert_eq!(failure.exception_type.as_deref(), Some("RuntimeError"));
    assert!(failure.hint.unwrap().contains("await"));
    host.close().await;
}

#[tokio::test]
async fn a_signal_handler_cannot_be_set_by_a_tool() {
    let host = host("process_wide").await;
    let failure = failure(&host, "handle_signals", "{}", FailureKind::Raised).await;
    assert!(failure.message.contains("main thread"), "{failure}");
    host.close().await;
}

#[tokio::test]
async fn a_forked_child_never_goes_on_as_the_host() {
    let host = host("process_wide").await;
    for (tool, arguments, status) in [
        ("fork_and_return", json!({}), 0),
        ("fork_and_end", json!({"how": "leave"}), 3),
        ("fork_and_end", json!({"how": "say"}), 1),
        ("fork_and_end", json!({"how": "raise"}), 1),
        ("fork_on_the_loop", json!({"how": "return"}), 0),
        ("fork_on_the_loop", json!({"how": "leave"}), 3),
        ("fork_on_the_loop", json!({"how": "wait"}), 1),
    ] {
        let ended = value(&host, tool, &arguments.to_string()).await;
        assert_eq!(ended, json!(status), "the child of {tool} {arguments} left");
        assert_eq!(value(&host, "quick", "{}").await, json!("quick"), "after {tool}");
    }
    host.close().await;
}

#[tokio::test]
async fn tools_may_use_processes_of_their_own() {
    let host = host("process_wide").await;
    assert_eq!(
        value(&host, "compute_elsewhere", r#"{"method":"fork"}"#).await,
        json!([2, 4])
    );
    assert_eq!(
        value(&host, "compute_elsewhere", r#"{"method":"spawn"}"#).await,
        json!([1, 2])
    );
    host.close().await;
}

#[tokio::test]
async fn closing_standard_output_loses_nothing() {
    let host = host("process_wide").await;
    let outcome = call(&host, "close_output", "{}").await;
    assert_eq!(outcome.text(), "closed", "{:?}", outcome.failure);
    let written: Vec<_> = outcome.logs.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(written, ["kept all the same"]);
    assert_eq!(value(&host, "quick", "{}").await, json!("quick"));
    host.close().await;
}

#[tokio::test]
async fn a_changed_working_directory_is_reported_and_a_restored_one_is_not() {
    let before = std::env::current_dir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let arguments = json!({"path": folder.path()}).to_string();
    let host = host("process_wide").await;
    let restored = call(&host, "change_directory_and_back", &arguments).await;
    assert_eq!(remarks(&restored), [""; 0]);
    let changed = call(&host, "change_directory", &arguments).await;
    let remarks = remarks(&changed);
    std::env::set_current_dir(&before).unwrap();
    let [remark] = remarks[..] else { panic!("{remarks:?}") };
    assert!(
        remark.contains("change_directory") && remark.contains(&before.display().to_string()),
        "{remark}"
    );
    host.close().await;
}

#[tokio::test]
async fn warnings_reach_the_call() {
    let host = host("process_wide").await;
    let outcome = call(&host, "warn", "{}").await;
    assert_eq!(outcome.text(), "warned", "{:?}", outcome.failure);
    let told = outcome
        .logs
        .iter()
        .any(|line| line.stream == LogStream::Stderr && line.text.contains("mind the gap"));
    assert!(told, "{:?}", outcome.logs);
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_holds_the_event_loop_is_named_with_its_place() {
    let host = host("process_wide").await;
    let held = tokio::spawn({
        let host = host.clone();
        async move { call(&host, "hold_the_loop", r#"{"seconds":2.5}"#).await }
    });
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(
        value(&host, "quick", "{}").await,
        json!("quick"),
        "it goes on afterwards"
    );
    let held = held.await.unwrap();
    assert_eq!(held.text(), "held");
    let remarks = remarks(&held);
    let [remark] = remarks[..] else { panic!("{remarks:?}") };
    assert!(
        remark.contains("hold_the_loop") && remark.contains("process_wide.py:"),
        "{remark}"
    );
    let found = host.close().await;
    let [blocked] = &found[..] else { panic!("{found:?}") };
    assert_eq!(blocked.code, DiagnosticCode::LoopBlocked);
    assert_eq!(blocked.tools, ["hold_the_loop"]);
    assert!(blocked.path.as_ref().unwrap().ends_with("process_wide.py"), "{blocked}");
}

/// Many threads call tools that call back into the host, half of them give up, while another thread formats exceptions.
#[test]
fn locks_of_the_host_and_of_the_interpreter_never_wait_for_each_other() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(4)
        .enable_all()
        .build()
        .unwrap();
    let host = runtime.block_on(host("process_wide"));
    let finished = Arc::new(AtomicUsize::new(0));
    for _ in 0..5 {
        let callers: Vec<_> = (0..16)
            .map(|number| {
                let (host, finished, handle) = (host.clone(), Arc::clone(&finished), runtime.handle().clone());
                std::thread::spawn(move || {
                    for round in 0..13 {
                        let call = Call::new("speak", r#"{"lines":50}"#).on_progress(|_| ());
                        if (number + round) % 2 == 0 {
                            assert_eq!(host.call_blocking(call).unwrap().text(), "50");
                        } else {
                            let call = handle.spawn({
                                let host = host.clone();
                                async move { host.call(call).await }
                            });
                            call.abort();
                        }
                        finished.fetch_add(1, Ordering::Relaxed);
                    }
                })
            })
            .collect();
        let formats = std::thread::spawn({
            let host = host.clone();
            move || {
                for _ in 0..100 {
                    let error = host.call_blocking(Call::new("run_a_loop_inside", "{}")).unwrap();
                    assert!(error.failure.unwrap().traceback.is_some());
                }
            }
        });
        for caller in callers {
            caller.join().unwrap();
        }
        formats.join().unwrap();
    }
    assert_eq!(finished.load(Ordering::Relaxed), 5 * 16 * 13);
    assert_eq!(runtime.block_on(host.close()), []);
}
