//! Tests how sessions over standard input and output go on, and how they end, when a client or a tool behaves badly.

use crate::http_server::until;
use crate::mcp_session::Session;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

fn progress(tool: &str, arguments: &Value) -> Value {
    json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": tool}})
}

#[tokio::test]
async fn a_tool_that_reports_without_end_does_not_outlive_the_input() {
    let mut session = Session::open("protocol");
    session.begin("tools/call", &progress("ticks", &json!({})));
    session.notification("notifications/progress");
    session.close_input();
    until(|| session.has_ended()).await;
}

#[test]
fn reports_that_nobody_reads_are_let_go_but_never_the_last() {
    let mut session = Session::open("protocol");
    let answer = session.ask("tools/call", &progress("counts", &json!({"steps": 50_000})));
    assert_eq!(answer["result"]["structuredContent"], json!({"result": 50_000}));
    let last = session.notifications.back().unwrap();
    assert_eq!(last["params"]["message"], "step 50000");
}

#[tokio::test]
async fn a_client_that_reads_no_longer_is_gone() {
    let mut session = Session::open("protocol");
    session.close_output();
    // The input stays open: that nobody reads is all there is to tell.
    until(|| {
        session.nudge();
        session.has_ended()
    })
    .await;
}

#[test]
fn a_silent_call_is_told_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::open("protocol");
    let id = session.begin("tools/call", &progress("held", &json!({"folder": folder.path()})));
    let told = session.notification("notifications/progress");
    assert_eq!(told["progressToken"], "held");
    std::fs::write(folder.path().join("go"), "").unwrap();
    assert_eq!(session.answer(id)["result"]["content"][0]["text"], "gone on");
}

#[tokio::test]
async fn a_cancellation_of_what_does_not_run_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::open("protocol");
    let cancel = |id: &Value| {
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}).to_string()
    };
    let running = session.begin(
        "tools/call",
        &json!({"name": "waits", "arguments": {"folder": folder.path()}}),
    );
    until(|| folder.path().join("begun").exists()).await;
    for id in [json!(running), json!(running), json!("nobody's"), json!(1)] {
        session.send(&cancel(&id));
    }
    until(|| folder.path().join("ended").exists()).await;
    assert_eq!(session.call("anyway", &json!({}))["content"][0]["text"], "x");
    assert_eq!(session.end().0, Some(0));
}

#[test]
fn a_request_that_cannot_be_read_is_answered_under_its_id() {
    let mut session = Session::open("protocol");
    let deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
    session.send(&format!(
        r#"{{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":{{"name":"anyway","arguments":{{"a":{deep}}}}}}}"#
    ));
    let answer = session.line();
    assert_eq!(answer["id"], "deep");
    assert_eq!(answer["error"]["code"], -32600, "{answer}");
    for text in ["7", "\"text\"", "null"] {
        session.send(text);
        assert_eq!(session.line()["error"]["code"], -32600, "{text}");
    }
    assert_eq!(session.ask("ping", &json!({}))["result"], json!({}));
}

#[test]
fn a_client_is_greeted_in_its_version_and_told_how_to_mend_calls() {
    let mut session = Session::start(&["protocol"]);
    let client = json!({"name": "test", "version": "1"});
    let parameters = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let greeted = session.ask("initialize", &parameters);
    assert_eq!(greeted["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(greeted["result"]["serverInfo"]["name"], "pegboard");
    let instructions = greeted["result"]["instructions"].as_str().unwrap();
    assert!(instructions.contains("arguments"), "{instructions}");
}

#[test]
fn a_client_that_asks_before_it_greets_is_answered() {
    let mut session = Session::start(&["protocol"]);
    assert_eq!(session.ask("ping", &json!({}))["result"], json!({}));
    let refused = session.ask("tools/list", &json!({}));
    assert!(refused["error"]["code"].is_i64(), "{refused}");
    session.greet();
    assert!(session.ask("tools/list", &json!({}))["result"]["tools"].is_array());
}

#[test]
fn what_was_written_before_an_abort_is_told_too() {
    let mut session = Session::open("protocol");
    session.ask("logging/setLevel", &json!({"level": "info"}));
    let aborted = session.ask("tools/call", &json!({"name": "aborts"}));
    assert_eq!(aborted["error"]["data"]["code"], "aborted");
    assert_eq!(session.notification("notifications/message")["data"], "about to");
    let (_, errors) = session.end();
    assert!(errors.lines().any(|line| line == "about to"), "{errors}");
}

#[test]
fn a_standard_error_that_nobody_reads_holds_nobody_up() {
    let mut session = Session::open_deaf("protocol");
    for _ in 0..8 {
        assert_eq!(session.call("chatty", &json!({}))["content"][0]["text"], "ok");
    }
    kill_process(Pid::from_child(&session.child), Signal::TERM).unwrap();
    // What it wrote is read only after it has ended.
    assert_eq!(session.child.wait().unwrap().code(), Some(143));
}

#[test]
fn what_was_found_while_loading_is_told_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("broken.py"), "def broken(:\n").unwrap();
    let mut session = Session::open(folder.path().to_str().unwrap());
    let told = session.notification("notifications/message");
    assert_eq!((&told["level"], &told["logger"]), (&json!("error"), &json!("pegboard")));
    assert!(told["data"]["path"].as_str().unwrap().ends_with("broken.py"), "{told}");
}

#[test]
fn a_tool_whose_file_is_gone_is_answered_with_those_that_are_left() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("a.py"), folder.path().join("b.py"));
    let tool = |name: &str| format!("from pegboard import tool\n@tool\ndef {name}() -> str:\n    return 'x'\n");
    std::fs::write(&first, tool("stays")).unwrap();
    std::fs::write(&second, tool("goes")).unwrap();
    let mut session = Session::open_with(&["--watch", folder.path().to_str().unwrap()]);
    session.ask("tools/list", &json!({}));
    std::fs::remove_file(&second).unwrap();
    session.notification("notifications/tools/list_changed");
    let gone = session.call("goes", &json!({}));
    assert_eq!(gone["isError"], true);
    assert!(gone["content"][0]["text"].as_str().unwrap().contains("stays"), "{gone}");
    // Who was never told of a tool asked for something else.
    let unknown = session.ask("tools/call", &json!({"name": "never"}));
    assert_eq!(unknown["error"]["code"], -32602);
}
