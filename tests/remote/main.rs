//! Tests of MCP servers as sources: real processes, which also misbehave, and what is left of them afterwards.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod calls;
mod doors;
mod lives;
mod starts;

use pegboard::{Call, DiagnosticCode, Host, HostBuilder, Outcome, ServerDefinition, Transport};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long anything that has to happen may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server that misbehaves in a way, or does not.
fn peer(name: &str, mode: &str) -> ServerDefinition {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/remote/cases/peer.py");
    ServerDefinition {
        name: name.to_owned(),
        transport: Transport::Stdio {
            command: "python3".to_owned(),
            arguments: vec![script.to_string_lossy().into_owned(), mode.to_owned()],
            environment: BTreeMap::new(),
            working_directory: PathBuf::from("."),
        },
        timeout: None,
        start_timeout: Some(PATIENCE),
        when: None,
    }
}

async fn host(servers: impl IntoIterator<Item = ServerDefinition>) -> Host {
    servers
        .into_iter()
        .fold(Host::builder(), HostBuilder::server)
        .build()
        .await
        .unwrap()
}

async fn call(host: &Host, tool: &str, arguments: &str) -> Outcome {
    tokio::time::timeout(PATIENCE, host.call(Call::new(tool, arguments)))
        .await
        .unwrap()
        .unwrap()
}

fn finding(host: &Host, code: DiagnosticCode) -> String {
    let diagnostics = host.diagnostics();
    let found = diagnostics.iter().find(|diagnostic| diagnostic.code == code);
    found.unwrap_or_else(|| panic!("{diagnostics:?}")).message.clone()
}

/// Whether a process lives; one that only waits to be reaped does not.
fn lives(id: &str) -> bool {
    let Ok(status) = std::fs::read_to_string(format!("/proc/{id}/stat")) else {
        return false;
    };
    !status.rsplit(") ").next().unwrap().starts_with('Z')
}

async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let waiting = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, waiting)
        .await
        .unwrap_or_else(|_| panic!("it did not happen: {what}"));
}
