//! Tests what becomes of calls and connections when a client leaves, and when the server does.

use crate::http_server::{Server, json, until};
use pegboard::serve::http::HttpSettings;
use serde_json::json as object;
use std::time::Duration;

#[tokio::test]
async fn a_client_that_leaves_cancels_its_call() {
    let server = Server::start().await;
    let trace = tempfile::tempdir().unwrap();
    let arguments = object!({"folder": trace.path()}).to_string();
    let call = server.call("wait", &arguments);
    tokio::select! {
        _ = call => panic!("the tool waits for a minute"),
        () = until(|| trace.path().join("begun").exists()) => {}
    }
    // The client's connection is gone with its call.
    until(|| trace.path().join("cancelled").exists()).await;
    let text = server.get("/metrics").await.text().await.unwrap();
    assert!(
        text.contains(r#"pegboard_calls_total{tool="wait",outcome="cancelled"} 1"#),
        "{text}"
    );
    assert!(text.contains("pegboard_calls_in_flight 0"), "{text}");
}

#[tokio::test]
async fn a_call_in_flight_is_answered_before_the_server_stops() {
    let grace = Duration::from_secs(30);
    let server = Server::start_with(HttpSettings {
        grace,
        ..HttpSettings::default()
    })
    .await;
    let trace = tempfile::tempdir().unwrap();
    let arguments = object!({"folder": trace.path(), "seconds": 0.2}).to_string();
    let request = server.calling("wait", &arguments);
    let call = tokio::spawn(request.send());
    until(|| trace.path().join("begun").exists()).await;
    server.stop().await;
    let (status, outcome) = json(call.await.unwrap().unwrap()).await;
    assert_eq!((status, &outcome["text"]), (200, &object!("waited")));
}

#[tokio::test]
async fn a_call_that_goes_on_is_cancelled_when_the_server_stops() {
    let server = Server::start().await;
    let address = server.address;
    let trace = tempfile::tempdir().unwrap();
    let arguments = object!({"folder": trace.path()}).to_string();
    let call = tokio::spawn(server.calling("wait", &arguments).send());
    until(|| trace.path().join("begun").exists()).await;
    server.stop().await;
    assert!(call.await.unwrap().is_err());
    until(|| trace.path().join("cancelled").exists()).await;
    assert!(tokio::net::TcpStream::connect(address).await.is_err());
}
