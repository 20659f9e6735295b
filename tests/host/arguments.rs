//! Whatever a model sends, it is told everything that is wrong, and the tool runs only on what fits.

use super::{call, failure, host, value};
use pegboard::{Call, Error, FailureKind, RepairRule};
use serde_json::json;

#[tokio::test]
async fn what_is_no_object_is_told_so() {
    let host = host("arguments").await;
    for text in ["{", "[1]", "3", "\"a\"", "{\"a\":}", "\u{0}"] {
        failure(&host, "typed", text, FailureKind::InvalidJson).await;
    }
    host.close().await;
}

#[tokio::test]
async fn nothing_and_null_mean_no_arguments() {
    let host = host("arguments").await;
    for text in ["", "  ", "null", "{}"] {
        assert_eq!(value(&host, "optional", text).await, json!([null, null, 7]), "{text:?}");
    }
    host.close().await;
}

#[tokio::test]
async fn all_problems_are_told_at_once_with_pointers() {
    let host = host("arguments").await;
    let failure = failure(
        &host,
        "typed",
        r#"{"count":"many","tags":["a",3],"mood":"odd","line_limit":1}"#,
        FailureKind::InvalidArguments,
    )
    .await;
    let mut pointers: Vec<_> = failure
        .problems
        .iter()
        .map(|problem| problem.pointer.as_str())
        .collect();
    pointers.sort_unstable();
    assert_eq!(pointers, ["/count", "/line_limit", "/mood", "/path", "/tags/1"]);
    let unknown = failure
        .problems
        .iter()
        .find(|problem| problem.pointer == "/line_limit")
        .unwrap();
    assert_eq!(unknown.suggestion.as_deref(), Some("limit"));
    host.close().await;
}

#[tokio::test]
async fn too_deep_and_too_large_are_refused_before_python_sees_them() {
    let host = host("arguments").await;
    let deep = format!("{}1{}", "{\"a\":".repeat(70), "}".repeat(70));
    let large = format!("{{\"s\":\"{}\"}}", "x".repeat(5 * 1024 * 1024));
    for text in [deep, large] {
        failure(&host, "echo", &text, FailureKind::InvalidArguments).await;
    }
    host.close().await;
}

#[tokio::test]
async fn what_can_only_mean_one_thing_is_mended_and_noted() {
    let host = host("arguments").await;
    let cases = [
        (
            "total",
            r#"{"xs":"[1, 2, 3]"}"#,
            json!(6),
            "/xs",
            RepairRule::JsonString,
        ),
        (
            "optional",
            r#"{"a":"null"}"#,
            json!([null, null, 7]),
            "/a",
            RepairRule::NullWord,
        ),
        (
            "optional",
            r#"{"n":null}"#,
            json!([null, null, 7]),
            "/n",
            RepairRule::NullAsAbsent,
        ),
        (
            "optional",
            r#"{"_meta":{}}"#,
            json!([null, null, 7]),
            "/_meta",
            RepairRule::ExtraKey,
        ),
    ];
    for (tool, arguments, expected, pointer, rule) in cases {
        let outcome = call(&host, tool, arguments).await;
        assert_eq!(
            outcome.structured(),
            Some(expected),
            "{arguments}: {:?}",
            outcome.failure
        );
        assert_eq!(outcome.repairs.len(), 1, "{arguments}");
        assert_eq!(
            (outcome.repairs[0].pointer.as_str(), outcome.repairs[0].rule),
            (pointer, rule)
        );
    }
    host.close().await;
}

#[tokio::test]
async fn what_fits_is_never_altered() {
    let host = host("arguments").await;
    let outcome = call(&host, "echo", r#"{"s":"[1]","o":"null"}"#).await;
    assert_eq!(outcome.structured(), Some(json!(["[1]", "null"])));
    assert!(outcome.repairs.is_empty());
    host.close().await;
}

#[tokio::test]
async fn integers_are_exact() {
    let host = host("arguments").await;
    let big = "123456789012345678901234567890";
    assert_eq!(call(&host, "wait", &format!("{{\"ms\":{big}}}")).await.text(), big);
    assert_eq!(call(&host, "wait", r#"{"ms":10.0}"#).await.text(), "10");
    assert_eq!(call(&host, "wait", r#"{"ms":"10.0"}"#).await.text(), "10");
    for text in [r#"{"ms":10.5}"#, r#"{"ms":true}"#, r#"{"ms":1e20}"#] {
        let failure = failure(&host, "wait", text, FailureKind::InvalidArguments).await;
        assert_eq!(failure.problems[0].pointer, "/ms", "{text}");
    }
    host.close().await;
}

#[tokio::test]
async fn an_unknown_tool_is_an_error_with_near_names() {
    let host = host("arguments").await;
    match host.call(Call::new("totl", "{}")).await {
        Err(Error::UnknownTool { name, near }) => {
            assert_eq!(name, "totl");
            assert_eq!(near, ["total"]);
        }
        other => panic!("{other:?}"),
    }
    host.close().await;
}

#[tokio::test]
async fn an_explicit_schema_is_enforced_by_the_host() {
    let host = host("arguments").await;
    assert_eq!(call(&host, "record", r#"{"value":3}"#).await.text(), "recorded 3");
    let failure = failure(&host, "record", r#"{"value":[]}"#, FailureKind::InvalidArguments).await;
    assert_eq!(failure.problems[0].pointer, "/value");
    host.close().await;
}
