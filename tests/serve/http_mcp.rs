//! Tests MCP over HTTP with a real client: calls, cancelling, and what becomes of sessions.

use crate::http_server::{Server, json, until};
use pegboard::serve::http::HttpSettings;
use reqwest::{Method, Response};
use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::RunningService;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::{RoleClient, ServiceExt as _};
use serde_json::{Value, json as object};
use std::time::Duration;

type Client = RunningService<RoleClient, ()>;

async fn client(server: &Server) -> Client {
    let transport = StreamableHttpClientTransport::from_uri(format!("http://{}/mcp", server.address));
    ().serve(transport).await.unwrap()
}

async fn call(client: &Client, tool: &'static str, arguments: &Value) -> CallToolResult {
    let arguments = arguments.as_object().unwrap().clone();
    let params = CallToolRequestParams::new(tool).with_arguments(arguments);
    client.call_tool(params).await.unwrap()
}

/// Asks for a session as a client does that speaks an earlier version of the protocol.
async fn initialize(server: &Server) -> Response {
    let params = object!({
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
    });
    server
        .request(Method::POST, "/mcp")
        .header("accept", "application/json, text/event-stream")
        .json(&object!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}))
        .send()
        .await
        .unwrap()
}

async fn sessions(server: &Server) -> usize {
    let text = server.get("/metrics").await.text().await.unwrap();
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("pegboard_mcp_sessions "));
    line.unwrap().parse().unwrap()
}

async fn until_sessions(server: &Server, expected: usize) {
    let waiting = async {
        while sessions(server).await != expected {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), waiting).await.unwrap();
}

#[tokio::test]
async fn tools_are_listed_and_called() {
    let server = Server::start().await;
    let client = client(&server).await;
    let listed = client.list_all_tools().await.unwrap();
    assert!(listed.iter().any(|tool| tool.name == "add"), "{listed:?}");
    let sum = call(&client, "add", &object!({"a": 40, "b": 2})).await;
    assert_eq!(sum.content[0].as_text().unwrap().text, "42");
    let failed = call(&client, "fail", &object!({"message": "no luck"})).await;
    assert_eq!(failed.is_error, Some(true));
    assert!(failed.content[0].as_text().unwrap().text.contains("no luck"));
    client.cancel().await.unwrap();
    let text = server.get("/metrics").await.text().await.unwrap();
    assert!(
        text.contains(r#"pegboard_calls_total{tool="add",outcome="success"} 1"#),
        "{text}"
    );
}

#[tokio::test]
async fn a_server_stops_although_clients_are_connected() {
    let server = Server::start_with(HttpSettings {
        grace: Duration::from_secs(60),
        ..HttpSettings::default()
    })
    .await;
    let client = client(&server).await;
    call(&client, "greet", &object!({})).await;
    // With a stream open on which the client is told of changes; nothing is in flight, so the grace is not waited for.
    tokio::time::timeout(Duration::from_secs(30), server.stop())
        .await
        .unwrap();
}

#[tokio::test]
async fn a_session_that_goes_idle_is_closed() {
    let server = Server::start_with(HttpSettings {
        session_idle: Duration::from_millis(200),
        ..HttpSettings::default()
    })
    .await;
    let session = initialize(&server).await.headers()["mcp-session-id"].clone();
    until_sessions(&server, 0).await;
    let ask = server
        .request(Method::POST, "/mcp")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-session-id", session)
        .json(&object!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}));
    // Which tells a client to open another.
    assert_eq!(ask.send().await.unwrap().status(), 404);
}

#[tokio::test]
async fn more_sessions_than_the_limit_are_asked_to_come_back() {
    let server = Server::start_with(HttpSettings {
        sessions: 1,
        ..HttpSettings::default()
    })
    .await;
    let first = initialize(&server).await;
    assert_eq!(first.status(), 200);
    let second = initialize(&server).await;
    assert_eq!(second.headers()["retry-after"], "1");
    let (status, answer) = json(second).await;
    assert_eq!((status, &answer["error"]["code"]), (503, &object!("overloaded")));
    let closing = server
        .request(Method::DELETE, "/mcp")
        .header("mcp-session-id", &first.headers()["mcp-session-id"]);
    assert_eq!(closing.send().await.unwrap().status(), 204);
    until_sessions(&server, 0).await;
    assert_eq!(initialize(&server).await.status(), 200);
}

#[tokio::test]
async fn a_call_that_is_cancelled_by_its_client_ends() {
    let server = Server::start().await;
    let session = initialize(&server).await.headers()["mcp-session-id"].clone();
    let send = |message: Value| {
        server
            .request(Method::POST, "/mcp")
            .header("accept", "application/json, text/event-stream")
            .header("mcp-session-id", &session)
            .json(&message)
            .send()
    };
    let accepted = send(object!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
        .await
        .unwrap();
    assert_eq!(accepted.status(), 202);
    let trace = tempfile::tempdir().unwrap();
    let params = object!({"name": "wait", "arguments": {"folder": trace.path()}});
    let message = object!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params});
    let waiting = send(message).await.unwrap();
    until(|| trace.path().join("begun").exists()).await;
    let params = object!({"requestId": 7});
    send(object!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}))
        .await
        .unwrap();
    until(|| trace.path().join("cancelled").exists()).await;
    drop(waiting);
}

/// A request of the protocol's version without sessions.
async fn ask_alone(server: &Server, method: &str, name: &str, mut params: Value) -> Response {
    let version = "2026-07-28";
    params["_meta"] = object!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let request = server
        .request(Method::POST, "/mcp")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", version)
        .header("mcp-method", method)
        .json(&object!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}));
    let request = if name.is_empty() {
        request
    } else {
        request.header("mcp-name", name)
    };
    request.send().await.unwrap()
}

#[tokio::test]
async fn a_client_without_a_session_is_answered_in_json() {
    let server = Server::start().await;
    let params = object!({"name": "add", "arguments": {"a": 40, "b": 2}});
    let (status, answer) = json(ask_alone(&server, "tools/call", "add", params).await).await;
    assert_eq!((status, &answer["result"]["content"][0]["text"]), (200, &object!("42")));
    assert_eq!(sessions(&server).await, 0);
}

#[tokio::test]
async fn a_stream_of_changes_takes_nobodys_place() {
    let server = Server::start_with(HttpSettings {
        requests: 1,
        ..HttpSettings::default()
    })
    .await;
    let params = object!({"notifications": {"toolsListChanged": true}});
    let mut stream = ask_alone(&server, "subscriptions/listen", "", params).await;
    let first = stream.chunk().await.unwrap().unwrap();
    assert!(first.starts_with(b"data: "), "{first:?}");
    assert_eq!(server.call("add", r#"{"a": 40, "b": 2}"#).await.status(), 200);
    tokio::time::timeout(Duration::from_secs(30), server.stop())
        .await
        .unwrap();
    while let Ok(Some(_)) = stream.chunk().await {}
}
