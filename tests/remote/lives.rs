//! How servers end and are started again, and that nothing of them is left.

use crate::{PATIENCE, call, finding, host, lives, peer, until};
use pegboard::{Call, DiagnosticCode, FailureKind};
use std::process::Stdio;
use tokio::process::Command;

#[tokio::test]
async fn a_server_that_dies_in_a_call_is_started_again_and_the_call_is_not_repeated() {
    let host = host([peer("peer", "")]).await;
    let before = call(&host, "pid", "{}").await.text;
    let failure = call(&host, "die", "{}").await.failure.unwrap();
    assert_eq!(failure.kind, FailureKind::Crashed);
    assert!(failure.message.contains("killed by signal 9"), "{failure}");
    assert!(failure.message.contains("about to die"), "{failure}");
    assert!(host.tool("echo").is_ok());
    let after = call(&host, "pid", "{}").await.text;
    assert_ne!(before, after);
    until("its end is told", || {
        let diagnostics = host.diagnostics();
        diagnostics
            .iter()
            .any(|diagnostic| diagnostic.code == DiagnosticCode::ServerDied)
    })
    .await;
    assert!(finding(&host, DiagnosticCode::ServerDied).contains("signal 9"));
    host.close().await;
}

#[tokio::test]
async fn a_server_that_dies_again_and_again_is_left_alone_for_a_while() {
    let host = host([peer("peer", "")]).await;
    let mut last = String::new();
    for _ in 0..8 {
        let outcome = call(&host, "die", "{}").await;
        last = outcome.failure.unwrap().message;
        if last.contains("not sent") {
            break;
        }
    }
    assert!(last.contains("is not running") && last.contains("not sent"), "{last}");
    host.close().await;
}

#[tokio::test]
async fn nothing_is_left_after_closing_however_stubborn_it_is() {
    let host = host([peer("peer", ""), peer("stubborn", "stubborn")]).await;
    let mut processes = Vec::new();
    for tool in ["peer__pid", "stubborn__pid", "child"] {
        processes.push(call(&host, tool, "{}").await.text);
    }
    assert!(processes.iter().all(|id| lives(id)), "{processes:?}");
    tokio::time::timeout(PATIENCE, host.close()).await.unwrap();
    // Who was killed is gone only when the system gets to it, and what a server started is nobody's to wait for.
    until("all of them end", || !processes.iter().any(|id| lives(id))).await;
    assert!(host.call(Call::new("peer__pid", "{}")).await.is_err());
}

#[tokio::test]
async fn nothing_is_left_after_a_host_that_is_only_dropped() {
    let host = host([peer("peer", "")]).await;
    let id = call(&host, "pid", "{}").await.text;
    drop(host);
    until("the server ends", || !lives(&id)).await;
}

/// Ends a command that is at a call with a signal, and returns the server's process.
async fn end_command(signal: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/remote/cases/peer.py");
    let note = folder.path().join("pid");
    let launcher = format!("sh -c 'echo $$ > {}; exec python3 {script} stubborn'", note.display());
    let tools = folder.path().join("own.py");
    std::fs::write(&tools, "").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_pegboard"))
        .args(["call", "--mcp", &launcher])
        .arg(&tools)
        .arg("slow")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    until("the server starts", || {
        std::fs::read_to_string(&note).is_ok_and(|text| text.ends_with('\n'))
    })
    .await;
    let id = std::fs::read_to_string(&note).unwrap().trim().to_owned();
    let process = command.id().unwrap().to_string();
    let _ = Command::new("kill").args([signal, &process]).status().await.unwrap();
    tokio::time::timeout(PATIENCE, command.wait()).await.unwrap().unwrap();
    id
}

#[tokio::test]
async fn nothing_is_left_after_a_signal() {
    for signal in ["-INT", "-TERM", "-KILL"] {
        let id = end_command(signal).await;
        until(&format!("the server ends after {signal}"), || !lives(&id)).await;
    }
}
