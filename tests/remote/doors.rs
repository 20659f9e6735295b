//! Another pegboard as the server, over standard streams and over HTTP: the official SDK on both sides.

use crate::{PATIENCE, call, finding, host};
use pegboard::{Call, DiagnosticCode, FailureKind, Host, HttpHeader, ServerDefinition, Transport};
use serde_json::json;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

const TOOLS: &str = "\
import asyncio

from pegboard import Context, tool


@tool
def double(n: int, context: Context) -> dict[str, int]:
    context.progress(1, 2, 'half')
    return {'twice': n * 2}


@tool
async def wait() -> str:
    await asyncio.sleep(60)
    return 'late'


@tool
def refuse() -> str:
    raise ValueError('not today')
";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("own.py"), TOOLS).unwrap();
    folder
}

/// A pegboard that serves over HTTP, and its address.
async fn serve(folder: &tempfile::TempDir) -> (Child, String) {
    let mut server = Command::new(env!("CARGO_BIN_EXE_pegboard"))
        .arg("serve")
        .arg(folder.path())
        .args(["--http", "127.0.0.1:0", "--token", "sesame"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(server.stderr.take().unwrap()).lines();
    let address = tokio::time::timeout(PATIENCE, async {
        loop {
            let line = lines.next_line().await.unwrap().unwrap();
            if let Some((_, address)) = line.split_once("http://") {
                return address.split(['/', ' ']).next().unwrap().to_owned();
            }
        }
    });
    let address = address.await.unwrap();
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    (server, address)
}

fn over_http(address: &str, token: &str) -> ServerDefinition {
    ServerDefinition {
        name: "far".to_owned(),
        transport: Transport::Http {
            url: format!("http://{address}/mcp"),
            headers: vec![HttpHeader {
                name: "Authorization".to_owned(),
                value: format!("Bearer {token}"),
                is_optional: false,
            }],
        },
        timeout: None,
        start_timeout: Some(PATIENCE),
        when: None,
    }
}

async fn everything_works(host: &Host) {
    let seen: Arc<Mutex<Vec<_>>> = Arc::default();
    let sink = Arc::clone(&seen);
    let asked =
        Call::new("double", r#"{"n":21}"#).on_progress(move |progress| sink.lock().unwrap().push(progress.done));
    let outcome = tokio::time::timeout(PATIENCE, host.call(asked)).await.unwrap().unwrap();
    assert_eq!(
        outcome.structured(),
        Some(json!({"twice": 42})),
        "{:?}",
        outcome.failure
    );
    assert_eq!(*seen.lock().unwrap(), [1.0]);
    let outcome = call(host, "refuse", "{}").await;
    assert_eq!(outcome.failure.unwrap().kind, FailureKind::Raised);
    assert!(outcome.text.contains("not today"), "{}", outcome.text);
}

#[tokio::test]
async fn over_standard_streams() {
    let folder = folder();
    let command = format!("{} serve {}", env!("CARGO_BIN_EXE_pegboard"), folder.path().display());
    let host = Host::builder().mcp(command).build().await.unwrap();
    everything_works(&host).await;
    host.close().await;
}

#[tokio::test]
async fn over_http_until_the_server_is_gone() {
    let folder = folder();
    let (mut server, address) = serve(&folder).await;
    let host = host([over_http(&address, "sesame")]).await;
    everything_works(&host).await;
    let waiting = host.call(Call::new("wait", "{}"));
    let killing = async {
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        server.kill().await.unwrap();
    };
    let (outcome, ()) = tokio::time::timeout(PATIENCE, async { tokio::join!(waiting, killing) })
        .await
        .unwrap();
    assert_eq!(outcome.unwrap().failure.unwrap().kind, FailureKind::Crashed);
    let failure = call(&host, "refuse", "{}").await.failure.unwrap();
    assert_eq!(failure.kind, FailureKind::Crashed, "{failure}");
    host.close().await;
}

#[tokio::test]
async fn a_token_that_is_refused_is_told_with_advice() {
    let folder = folder();
    let (_server, address) = serve(&folder).await;
    let host = host([over_http(&address, "wrong")]).await;
    assert!(finding(&host, DiagnosticCode::ServerNotStarted).contains("could not be reached"));
    let diagnostics = host.diagnostics();
    let hint = diagnostics.iter().find_map(|diagnostic| diagnostic.hint.as_deref());
    assert!(hint.is_some_and(|hint| hint.contains("headers")), "{diagnostics:?}");
}
