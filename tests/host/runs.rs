//! A run keeps the order of its calls and its limits.

use super::host;
use pegboard::{Call, FailureKind, RunResult};

fn texts(results: Vec<pegboard::Result<RunResult>>) -> Vec<String> {
    results
        .into_iter()
        .map(|result| match result.unwrap() {
            RunResult::Done(outcome) => outcome
                .failure
                .map_or(outcome.text, |failure| failure.kind.as_str().to_owned()),
            RunResult::Pending(pending) => format!("pending {}", pending.call_id),
        })
        .collect()
}

#[tokio::test]
async fn results_are_in_call_order() {
    let host = host("runs").await;
    let run = host.run();
    let calls = [30, 1, 20].map(|ms| Call::new("nap", format!("{{\"ms\":{ms}}}")));
    assert_eq!(texts(run.call_all(calls).await), ["30", "1", "20"]);
    host.close().await;
}

#[tokio::test]
async fn a_tool_that_is_not_parallel_is_a_barrier() {
    let host = host("runs").await;
    let run = host.run();
    let calls = ["nap", "alone", "nap"].map(|tool| Call::new(tool, r#"{"ms":20}"#));
    texts(run.call_all(calls).await);
    let order = host.call(Call::new("order", "{}")).await.unwrap();
    assert_eq!(
        order.text(),
        r#"["nap begins","nap ends","alone begins","alone ends","nap begins","nap ends"]"#
    );
    host.close().await;
}

#[tokio::test]
async fn rejected_calls_do_not_count_toward_the_limit() {
    let host = host("runs").await;
    let run = host.run();
    let calls = ["{\"ms\":\"x\"}", "{\"ms\":1}", "{\"ms\":2}", "{\"ms\":3}"].map(|text| Call::new("twice", text));
    assert_eq!(
        texts(run.call_all(calls).await),
        ["invalid_arguments", "1", "2", "limit_reached"]
    );
    let another = host.run();
    assert_eq!(texts(vec![another.call(Call::new("twice", "{\"ms\":4}")).await]), ["4"]);
    host.close().await;
}

#[tokio::test]
async fn stop_ends_the_run() {
    let host = host("runs").await;
    let run = host.run();
    let stopped = run.call(Call::new("enough", "{}")).await.unwrap();
    assert!(stopped.outcome().unwrap().stop);
    assert_eq!(run.stopped_by().as_deref(), Some("enough"));
    let RunResult::Done(after) = run.call(Call::new("nap", "{\"ms\":1}")).await.unwrap() else {
        panic!("not done")
    };
    assert_eq!(after.failure.unwrap().kind, FailureKind::LimitReached);
    host.close().await;
}
