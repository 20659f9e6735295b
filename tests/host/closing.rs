//! What becomes of calls when their host is closed: each is answered, whatever its tool does.

use super::{host, tools};
use pegboard::{Call, DiagnosticCode, FailureKind, Host, Limits, Outcome};
use tokio::sync::mpsc::{self, UnboundedReceiver};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

const LONG: &str = r#"{"seconds":600}"#;

/// Asks for a call, which is on its way when this returns; the channel tells when its tool has begun.
async fn ask(host: &Host, tool: &'static str, arguments: &'static str) -> (JoinHandle<Outcome>, UnboundedReceiver<()>) {
    let (sender, begun) = mpsc::unbounded_channel();
    let (tell, asked) = oneshot::channel();
    let call = Call::new(tool, arguments).on_progress(move |_| {
        // Nobody may wait for it any more.
        let _ = sender.send(());
    });
    let host = host.clone();
    let running = tokio::spawn(async move {
        let (outcome, ()) = tokio::join!(host.call(call), async { tell.send(()).unwrap() });
        outcome.unwrap()
    });
    asked.await.unwrap();
    (running, begun)
}

/// Asks for a call whose tool has begun when this returns.
async fn begun(host: &Host, tool: &'static str, arguments: &'static str) -> JoinHandle<Outcome> {
    let (running, mut begun) = ask(host, tool, arguments).await;
    begun.recv().await.unwrap();
    running
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_stops_sync_tools_that_run() {
    let host = host("process_wide").await;
    let running = begun(&host, "work_for_ever", "{}").await;
    assert_eq!(host.close().await, []);
    let failure = running.await.unwrap().failure.unwrap();
    assert_eq!(failure.kind, FailureKind::Cancelled, "{failure}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_async_call_is_cancelled_by_closing() {
    let host = host("process_wide").await;
    let running = begun(&host, "sleep_awaiting", "{}").await;
    assert_eq!(host.close().await, []);
    let failure = running.await.unwrap().failure.unwrap();
    assert_eq!(
        (failure.kind, failure.still_running),
        (FailureKind::Cancelled, false),
        "{failure}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_answers_the_calls_of_tools_that_do_not_stop() {
    for tool in ["sleep_in_c", "hold_the_loop"] {
        let host = host("process_wide").await;
        let running = begun(&host, tool, LONG).await;
        let found = host.close().await;
        let named = |found: &&pegboard::Diagnostic| found.code == DiagnosticCode::CloseFailed && found.tools == [tool];
        assert_eq!(found.iter().filter(named).count(), 1, "{found:?}");
        let failure = running.await.unwrap().failure.unwrap();
        assert_eq!(
            (failure.kind, failure.still_running),
            (FailureKind::Cancelled, true),
            "{failure}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_answers_the_calls_that_wait_for_a_thread_or_their_turn() {
    let limits = Limits {
        sync_threads: 1,
        ..Limits::default()
    };
    let built = Host::builder().source(tools("process_wide")).limits(limits).build();
    let host = built.await.unwrap();
    let mut calls = vec![begun(&host, "sleep_in_turn", LONG).await];
    for tool in ["sleep_in_turn", "sleep_in_c"] {
        calls.push(ask(&host, tool, LONG).await.0);
    }
    host.close().await;
    let mut still_running = Vec::new();
    for call in calls {
        let failure = call.await.unwrap().failure.unwrap();
        assert_eq!(failure.kind, FailureKind::Cancelled, "{failure}");
        still_running.push(failure.still_running);
    }
    assert_eq!(still_running, [true, false, false]);
}
