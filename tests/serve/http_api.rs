//! Tests what each path of the HTTP door answers.

use crate::http_server::{Server, json};
use reqwest::Method;
use serde_json::{Value, json as object};

#[tokio::test]
async fn tools_are_listed_and_shown_as_the_command_does() {
    let server = Server::start().await;
    let (status, list) = json(server.get("/api/tools").await).await;
    let names: Vec<&Value> = list["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| &tool["name"])
        .collect();
    assert_eq!(status, 200);
    assert_eq!(names[..2], ["add", "greet"]);
    assert_eq!(list["diagnostics"], object!([]));
    let (status, tool) = json(server.get("/api/tools/add").await).await;
    assert_eq!((status, &tool), (200, &list["tools"][0]));
    let (status, odd) = json(server.get("/api/tools/odd%20name%2F%C3%BC").await).await;
    assert_eq!((status, &odd["name"]), (200, &object!("odd name/ü")));
}

#[tokio::test]
async fn a_call_is_answered_with_its_outcome() {
    let server = Server::start().await;
    let (status, outcome) = json(server.call("add", r#"{"a": 2, "b": 3}"#).await).await;
    assert_eq!(
        (status, &outcome["text"], &outcome["structured"]),
        (200, &object!("5"), &object!(5))
    );
    assert_eq!(outcome["failure"], Value::Null);
    let (_, outcome) = json(server.call("greet", "").await).await;
    assert_eq!(outcome["text"], "hello world");
    assert_eq!(
        outcome["logs"],
        object!([{"stream": "stdout", "text": "greeting world"}])
    );
    let (_, outcome) = json(server.call("odd%20name%2F%C3%BC", "{}").await).await;
    assert_eq!(outcome["text"], "odd");
}

#[tokio::test]
async fn a_failed_call_is_an_answer_like_any_other() {
    let server = Server::start().await;
    let (status, outcome) = json(server.call("fail", r#"{"message": "no luck"}"#).await).await;
    let failure = &outcome["failure"];
    assert_eq!(
        (status, &failure["kind"], &failure["message"]),
        (200, &object!("raised"), &object!("no luck"))
    );
    assert_eq!(failure["traceback"], Value::Null);
    let (status, outcome) = json(server.call("add", r#"{"a": 2}"#).await).await;
    let problem = &outcome["failure"]["problems"][0];
    assert_eq!((status, &problem["pointer"]), (200, &object!("/b")));
    let (status, outcome) = json(server.call("add", "{\"a\": ").await).await;
    assert_eq!((status, &outcome["failure"]["kind"]), (200, &object!("invalid_json")));
}

#[tokio::test]
async fn what_a_tools_policy_does_not_catch_is_an_error() {
    let server = Server::start().await;
    let (status, answer) = json(server.call("abort", r#"{"message": "enough"}"#).await).await;
    let error = &answer["error"];
    assert_eq!((status, &error["code"]), (500, &object!("aborted")));
    assert_eq!(error["failure"]["message"], "enough");
    assert_eq!(error["failure"]["traceback"], Value::Null);
    assert_eq!(error["logs"], object!([{"stream": "stderr", "text": "about to abort"}]));
}

#[tokio::test]
async fn a_wrong_path_or_method_is_told_what_is_right() {
    let server = Server::start().await;
    let (status, answer) = json(server.get("/api/tools/ad").await).await;
    assert_eq!((status, &answer["error"]["code"]), (404, &object!("unknown_tool")));
    assert_eq!(answer["error"]["near"][0], "add");
    let (status, answer) = json(server.call("ad", "{}").await).await;
    assert_eq!((status, &answer["error"]["code"]), (404, &object!("unknown_tool")));
    let (status, answer) = json(server.get("/api/tool").await).await;
    assert_eq!((status, &answer["error"]["code"]), (404, &object!("not_found")));
    let (status, answer) = json(server.get("/api/tools/%FF").await).await;
    assert_eq!((status, &answer["error"]["code"]), (400, &object!("name_unreadable")));
    for (method, path, allowed) in [
        (Method::GET, "/api/tools/add/call", "POST"),
        (Method::POST, "/api/tools", "GET,HEAD"),
        (Method::OPTIONS, "/api/tools", "GET,HEAD"),
    ] {
        let response = server.request(method, path).send().await.unwrap();
        assert_eq!(response.headers()["allow"], allowed, "{path}");
        let (status, answer) = json(response).await;
        assert_eq!(
            (status, &answer["error"]["code"]),
            (405, &object!("method_not_allowed")),
            "{path}"
        );
    }
}

#[tokio::test]
async fn health_and_metrics_tell_what_happened() {
    let server = Server::start().await;
    server.call("add", r#"{"a": 2, "b": 3}"#).await;
    server.call("fail", r#"{"message": "no luck"}"#).await;
    server.call("missing", "{}").await;
    let (status, health) = json(server.get("/api/health").await).await;
    assert_eq!(
        (status, &health["status"], &health["calls_in_flight"]),
        (200, &object!("ok"), &object!(0))
    );
    let response = server.get("/metrics").await;
    assert_eq!(
        response.headers()["content-type"],
        "application/openmetrics-text; version=1.0.0; charset=utf-8"
    );
    let text = response.text().await.unwrap();
    for line in [
        r#"pegboard_calls_total{tool="add",outcome="success"} 1"#,
        r#"pegboard_calls_total{tool="fail",outcome="raised"} 1"#,
        r#"pegboard_calls_total{tool="",outcome="unknown_tool"} 1"#,
        r#"pegboard_call_duration_seconds_count{tool="add"} 1"#,
        "pegboard_calls_in_flight 0",
        "pegboard_tools 9",
        r#"pegboard_diagnostics{severity="error"} 0"#,
        "# EOF",
    ] {
        assert!(
            text.lines().any(|written| written == line),
            "{line} is missing in {text}"
        );
    }
}
