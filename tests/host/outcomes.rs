//! What a tool returns reaches the model whole, short or with a place where the rest is.

use super::{call, failure, host, value};
use pegboard::{Content, FailureKind, LogStream};
use serde_json::json;

#[tokio::test]
async fn values_are_text_and_structured() {
    let host = host("misbehaving").await;
    assert_eq!(call(&host, "greet", "{}").await.text(), r#"{"t":"日本"}"#);
    assert_eq!(call(&host, "nothing", "{}").await.text(), "null");
    assert_eq!(call(&host, "empty", "{}").await.text(), "[]");
    host.close().await;
}

#[tokio::test]
async fn what_came_back_decides() {
    let host = host("misbehaving").await;
    assert_eq!(value(&host, "count", r#"{"to":3}"#).await, json!([0, 1, 2]));
    assert_eq!(value(&host, "count_later", r#"{"to":2}"#).await, json!([0, 1]));
    assert_eq!(value(&host, "awaitable", "{}").await, json!("later"));
    host.close().await;
}

#[tokio::test]
async fn a_value_that_json_lacks_is_a_failure_that_says_where() {
    let host = host("misbehaving").await;
    for (tool, place) in [
        ("unserializable", "$.a[1].b"),
        ("not_a_number", "$.value"),
        ("surrogate", "$"),
    ] {
        let failure = failure(&host, tool, "{}", FailureKind::NotSerializable).await;
        assert!(failure.message.contains(place), "{tool}: {}", failure.message);
        assert!(!failure.message.contains("0x"), "{tool}: {}", failure.message);
    }
    host.close().await;
}

#[tokio::test]
async fn bytes_are_a_block() {
    let host = host("misbehaving").await;
    let outcome = call(&host, "picture", "{}").await;
    assert_eq!(
        outcome.content,
        [Content::Image {
            mime_type: "image/png".to_owned(),
            data: "iVBOR/8=".to_owned()
        }]
    );
    host.close().await;
}

#[tokio::test]
async fn fifty_megabytes_are_offloaded_whole() {
    let host = host("misbehaving").await;
    let characters = 50 * 1024 * 1024;
    let outcome = call(&host, "big", &format!("{{\"characters\":{characters}}}")).await;
    let offload = outcome.offload.unwrap();
    assert_eq!(offload.characters, characters + 4);
    let whole = std::fs::read_to_string(offload.path.unwrap()).unwrap();
    assert_eq!(whole.len(), characters + 4);
    assert!(whole.ends_with("ATAIL") && outcome.text.ends_with("ATAIL"));
    assert!(outcome.text.chars().count() < 31_000);
    host.close().await;
}

#[tokio::test]
async fn a_large_leaf_leaves_the_structure_valid() {
    let host = host("misbehaving").await;
    let outcome = call(&host, "rows", "{}").await;
    let structured = outcome.structured().unwrap();
    assert_eq!(structured["n"], json!(2));
    assert_eq!(structured["data"][0]["chars"], json!(500_000));
    host.close().await;
}

#[tokio::test]
async fn what_a_tool_writes_stays_with_its_call() {
    let host = host("misbehaving").await;
    let outcome = host
        .call(pegboard::Call::new("noisy", "{}").with_id("c-1"))
        .await
        .unwrap();
    assert_eq!(outcome.text(), "c-1");
    let lines: Vec<_> = outcome
        .logs
        .iter()
        .map(|line| (line.stream, line.text.as_str()))
        .collect();
    assert_eq!(
        lines,
        [
            (LogStream::Stdout, "to stdout"),
            (LogStream::Stderr, "to stderr"),
            (LogStream::Log, "to the log"),
            (LogStream::Log, "progress 1/2: half"),
        ]
    );
    host.close().await;
}

#[tokio::test]
async fn logs_are_bounded_and_say_what_was_dropped() {
    let host = host("misbehaving").await;
    let outcome = call(&host, "chatty", r#"{"lines":5000}"#).await;
    let bytes: usize = outcome.logs.iter().map(|line| line.text.len()).sum();
    assert!(bytes < 80 * 1024, "{bytes}");
    assert!(outcome.logs.iter().any(|line| line.stream == LogStream::Host));
    host.close().await;
}
