//! Tests MCP over standard input and output, message by message.

use crate::http_server::until;
use crate::mcp_session::Session;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

fn texts(result: &Value) -> Vec<&str> {
    let content = result["content"].as_array().unwrap();
    content.iter().map(|block| block["text"].as_str().unwrap()).collect()
}

#[test]
fn every_tool_is_listed_with_what_goes_in_and_comes_out() {
    let mut session = Session::open("protocol");
    let answer = session.ask("tools/list", &json!({}));
    let tools = answer["result"]["tools"].as_array().unwrap();
    let tool = |name: &str| tools.iter().find(|tool| tool["name"] == name).unwrap();
    assert_eq!(tool("weather")["inputSchema"]["properties"]["bad"]["type"], "boolean");
    assert_eq!(tool("weather")["outputSchema"]["properties"]["t"]["type"], "number");
    assert_eq!(tool("many")["outputSchema"]["properties"]["result"]["type"], "array");
    assert!(tool("anyway").get("outputSchema").is_none(), "{}", tool("anyway"));
    let annotations = json!({"title": "Anyway", "readOnlyHint": true});
    assert_eq!(tool("anyway")["annotations"], annotations);
    assert_eq!(tool("fails")["description"], "Raise.");
    assert_eq!(session.end().0, Some(0));
}

#[test]
fn a_value_is_sent_as_what_was_published_and_as_text() {
    let mut session = Session::open("protocol");
    let weather = session.call("weather", &json!({}));
    assert_eq!(weather["structuredContent"], json!({"t": 1.5, "note": null}));
    assert_eq!(texts(&weather), [r#"{"t":1.5,"note":null}"#]);
    let bad = session.call("weather", &json!({"bad": true}));
    assert_eq!(bad["isError"], true);
    assert!(bad.get("structuredContent").is_none(), "{bad}");
    assert!(texts(&bad)[0].contains("/t"), "{bad}");
    let anyway = session.call("anyway", &json!({}));
    assert_eq!(texts(&anyway), ["x"]);
    assert!(anyway.get("structuredContent").is_none(), "{anyway}");
    session.end();
}

#[test]
fn what_is_too_long_for_a_model_stays_whole_for_a_program() {
    let mut session = Session::open("protocol");
    let many = session.call("numbers", &json!({"count": 10_000}));
    assert_eq!(many["isError"], false);
    let expected: Vec<u32> = (0..10_000).collect();
    assert_eq!(many["structuredContent"], json!({"result": expected}));
    let text = texts(&many)[0];
    assert!(text.len() < 40_000 && text.contains("tool-output"), "{text}");
    session.end();
}

#[test]
fn a_list_is_one_block_and_nothing_is_a_block_too() {
    let mut session = Session::open("protocol");
    let none = session.call("none", &json!({}));
    assert_eq!(
        (texts(&none), &none["structuredContent"]),
        (vec!["[]"], &json!({"result": []}))
    );
    let many = session.call("many", &json!({}));
    assert_eq!(texts(&many), [r#"[{"i":1},{"i":2}]"#]);
    assert_eq!(many["structuredContent"], json!({"result": [{"i": 1}, {"i": 2}]}));
    assert_eq!(texts(&session.call("nothing", &json!({}))), ["null"]);
    session.end();
}

#[test]
fn bytes_are_blocks_of_their_kind() {
    let mut session = Session::open("protocol");
    let shot = session.call("shot", &json!({}));
    let image = shot["content"]
        .as_array()
        .unwrap()
        .iter()
        .find(|block| block["type"] == "image");
    let image = image.unwrap_or_else(|| panic!("{shot}"));
    assert_eq!(
        (&image["mimeType"], &image["data"]),
        (&json!("image/png"), &json!("iVBORw0KGgr/"))
    );
    let blob = session.call("blob", &json!({}));
    let resource = blob["content"]
        .as_array()
        .unwrap()
        .iter()
        .find(|block| block["type"] == "resource");
    let resource = &resource.unwrap_or_else(|| panic!("{blob}"))["resource"];
    assert_eq!(resource["mimeType"], "application/octet-stream");
    assert_eq!(resource["blob"], "AP8=");
    session.end();
}

#[test]
fn failures_are_results_and_only_the_hosts_own_faults_are_protocol_errors() {
    let mut session = Session::open("protocol");
    let fails = session.call("fails", &json!({}));
    assert_eq!(fails["isError"], true);
    assert!(texts(&fails)[0].contains("bad port 0"), "{fails}");
    let refused = session.call("counts", &json!({"steps": "many"}));
    assert_eq!(refused["isError"], true);
    assert!(texts(&refused)[0].contains("/steps"), "{refused}");
    let unknown = session.ask("tools/call", &json!({"name": "wether"}));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    assert!(
        unknown["error"]["message"].as_str().unwrap().contains("weather"),
        "{unknown}"
    );
    let aborted = session.ask("tools/call", &json!({"name": "aborts"}));
    assert_eq!(aborted["error"]["code"], -32603, "{aborted}");
    assert_eq!(aborted["error"]["data"]["code"], "aborted");
    assert_eq!(session.ask("ping", &json!({}))["result"], json!({}));
    session.end();
}

#[test]
fn whatever_writes_to_standard_output_never_reaches_the_protocol() {
    let mut session = Session::open("protocol");
    session.ask("logging/setLevel", &json!({"level": "info"}));
    assert_eq!(texts(&session.call("noisy", &json!({}))), ["ok"]);
    let told = session.notification("notifications/message");
    assert_eq!(
        (&told["logger"], &told["data"]),
        (&json!("noisy"), &json!("from python"))
    );
    assert_eq!(texts(&session.call("asks", &json!({}))), [""]);
    let (status, errors) = session.end();
    assert_eq!(status, Some(0));
    for text in ["loading", "from python", "from a descriptor", "from a child"] {
        assert!(errors.lines().any(|line| line == text), "{text}: {errors}");
    }
}

#[test]
fn progress_is_told_to_who_asks_for_it_and_grows() {
    let mut session = Session::open("protocol");
    for (tool, arguments, messages) in [
        ("counts", json!({"steps": 3}), ["step 1", "step 2", "step 3"].as_slice()),
        ("letters", json!({}), &["a", "b"]),
        ("letters_later", json!({}), &["a", "b"]),
    ] {
        let meta = json!({"progressToken": tool});
        let answer = session.ask(
            "tools/call",
            &json!({"name": tool, "arguments": arguments, "_meta": meta}),
        );
        assert_eq!(answer["result"]["isError"], false, "{answer}");
        let told: Vec<Value> = messages
            .iter()
            .map(|_| session.notification("notifications/progress"))
            .collect();
        assert!(told.iter().all(|told| told["progressToken"] == tool), "{told:?}");
        let said: Vec<&str> = told.iter().map(|told| told["message"].as_str().unwrap()).collect();
        assert_eq!(said, messages, "{tool}");
        let numbers: Vec<f64> = told.iter().map(|told| told["progress"].as_f64().unwrap()).collect();
        assert!(numbers.is_sorted_by(|before, after| before < after), "{numbers:?}");
    }
    session.call("counts", &json!({"steps": 3}));
    session.ask("ping", &json!({}));
    assert!(session.notifications.is_empty(), "{:?}", session.notifications);
    session.end();
}

#[tokio::test]
async fn a_call_that_is_cancelled_is_ended_and_not_answered() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::open("protocol");
    let arguments = json!({"folder": folder.path()});
    let id = session.begin("tools/call", &json!({"name": "waits", "arguments": arguments}));
    until(|| folder.path().join("begun").exists()).await;
    let cancelled = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
    session.send(&cancelled.to_string());
    until(|| folder.path().join("ended").exists()).await;
    // An answer to the call would come first, and be one that nobody waits for.
    assert_eq!(session.ask("ping", &json!({}))["result"], json!({}));
    session.end();
}

#[test]
fn what_is_no_message_is_answered_and_the_session_goes_on() {
    let mut session = Session::open("protocol");
    let long = format!("\"{}\"", "x".repeat(17 * 1024 * 1024));
    for (line, code, id) in [
        ("{nonsense", -32700, Value::Null),
        ("[]", -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":"odd","method":7}"#, -32600, json!("odd")),
        (&long, -32600, Value::Null),
    ] {
        session.send(line);
        let answer = session.line();
        let shown = &line[..line.len().min(40)];
        assert_eq!(
            (&answer["error"]["code"], &answer["id"]),
            (&json!(code), &id),
            "{shown}: {answer}"
        );
    }
    assert_eq!(session.ask("no/such", &json!({}))["error"]["code"], -32601);
    session.send("");
    assert_eq!(session.ask("ping", &json!({}))["result"], json!({}));
    session.end();
}

#[tokio::test]
async fn a_stuck_tool_does_not_outlive_the_end_of_input_or_a_signal() {
    for signal in [None, Some((Signal::INT, 130)), Some((Signal::TERM, 143))] {
        let folder = tempfile::tempdir().unwrap();
        let mut session = Session::open("protocol");
        session.begin(
            "tools/call",
            &json!({"name": "stuck", "arguments": {"folder": folder.path()}}),
        );
        until(|| folder.path().join("begun").exists()).await;
        let status = match signal {
            None => session.end().0,
            Some((signal, _)) => {
                kill_process(Pid::from_child(&session.child), signal).unwrap();
                session.ended().0
            }
        };
        assert_eq!(status, Some(signal.map_or(0, |(_, status)| status)));
    }
}

#[test]
fn what_was_asked_before_the_end_of_input_is_answered() {
    let mut session = Session::open("protocol");
    let ids: Vec<u64> = (0..20)
        .map(|_| session.begin("tools/call", &json!({"name": "weather"})))
        .collect();
    session.close_input();
    let mut answered: Vec<u64> = ids.iter().map(|_| session.line()["id"].as_u64().unwrap()).collect();
    answered.sort_unstable();
    assert_eq!(answered, ids);
    assert_eq!(session.ended().0, Some(0));
}

#[test]
fn a_client_that_never_reads_holds_nobody_up_when_it_is_time_to_go() {
    let mut session = Session::open("protocol");
    session.stop_reading();
    for _ in 0..200 {
        session.begin("tools/list", &json!({}));
    }
    kill_process(Pid::from_child(&session.child), Signal::TERM).unwrap();
    assert_eq!(session.ended().0, Some(143));
}

#[test]
fn a_change_of_the_files_is_told_once_and_a_tool_that_is_gone_is_named() {
    let tool = |name: &str| format!("from pegboard import tool\n@tool\ndef {name}(a: int) -> int:\n    return a\n");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.py");
    std::fs::write(&file, tool("old")).unwrap();
    let mut session = Session::open_with(&["--watch", folder.path().to_str().unwrap()]);
    let listed = session.ask("tools/list", &json!({}));
    assert_eq!(listed["result"]["tools"][0]["name"], "old");
    std::fs::write(&file, tool("new").replace("a: int", "a: int, b: int")).unwrap();
    session.notification("notifications/tools/list_changed");
    let gone = session.call("old", &json!({"a": 1}));
    assert_eq!(gone["isError"], true);
    assert!(texts(&gone)[0].contains("new"), "{gone}");
    let judged = session.call("new", &json!({"a": 1}));
    assert!(texts(&judged)[0].contains("/b"), "by the new schema: {judged}");
    assert_eq!(
        session.call("new", &json!({"a": 1, "b": 2}))["structuredContent"],
        json!({"result": 1})
    );
    std::fs::write(&file, "def broken(:\n").unwrap();
    std::fs::write(&file, tool("new").replace("a: int", "a: int, b: int") + "# as it was\n").unwrap();
    session.ask("ping", &json!({}));
    assert!(session.notifications.is_empty(), "{:?}", session.notifications);
    session.end();
}

#[test]
fn a_child_process_and_a_question_find_no_input_and_steal_none() {
    let mut session = Session::open("protocol");
    assert_eq!(texts(&session.call("cat", &json!({}))), ["b''"]);
    let asked = session.call("ask", &json!({}));
    assert_eq!(asked["isError"], true);
    assert!(texts(&asked)[0].contains("EOFError"), "{asked}");
    assert_eq!(session.ask("ping", &json!({}))["result"], json!({}));
    session.end();
}

#[tokio::test]
async fn a_sync_tool_that_is_cancelled_is_not_answered_and_further_wishes_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::open("protocol");
    let arguments = json!({"folder": folder.path()});
    let id = session.begin("tools/call", &json!({"name": "stuck", "arguments": arguments}));
    until(|| folder.path().join("begun").exists()).await;
    let done = session.begin("tools/call", &json!({"name": "weather"}));
    session.answer(done);
    for id in [id, id, done, 999] {
        let cancelled = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
        session.send(&cancelled.to_string());
    }
    // An answer to any of them would come first, and be one that nobody waits for.
    assert_eq!(session.call("weather", &json!({}))["isError"], false);
    assert_eq!(session.end().0, Some(0));
}

#[test]
fn a_server_without_input_ends_at_once() {
    let (status, errors) = Session::start(&["protocol"]).end();
    assert_eq!(status, Some(0), "{errors}");
}

#[tokio::test]
async fn a_server_ends_with_its_parent_although_somebody_holds_its_input() {
    let server = env!("CARGO_BIN_EXE_pegboard");
    let mut parent = Command::new("sh")
        .args(["-c", "\"$0\" serve protocol <&0 & echo $!; wait", server])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tools"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(parent.stdout.as_mut().unwrap())
        .read_line(&mut line)
        .unwrap();
    let process = format!("/proc/{}", line.trim());
    let held = parent.stdin.take();
    // It has to have begun, or it would take another process for its parent.
    until(|| std::fs::read_to_string(format!("{process}/comm")).is_ok_and(|name| name.trim() == "pegboard")).await;
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    parent.kill().unwrap();
    parent.wait().unwrap();
    until(|| !std::fs::exists(&process).unwrap() || is_zombie(&process)).await;
    drop(held);
}

/// Whether a process has ended and nobody has asked for its status.
fn is_zombie(process: &str) -> bool {
    std::fs::read_to_string(format!("{process}/stat")).is_ok_and(|stat| stat.contains(") Z "))
}
