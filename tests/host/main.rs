//! Tests of the host as a Rust application sees it: one binary, one area a file.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod arguments;
mod beyond;
mod broken;
mod closing;
mod containment;
mod exported;
mod files;
mod holding;
mod loading;
mod outcomes;
mod reload;
mod runs;
mod threads;
mod toolsets;
mod watching;

use pegboard::{Call, Failure, FailureKind, Host, Outcome};
use serde_json::Value;
use std::path::PathBuf;

/// The folder of tool files of that name.
fn tools(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/tools").join(name)
}

/// A host over one folder of `tests/tools`, whose long output goes to a folder of its own.
async fn host(name: &str) -> Host {
    let folder = tempfile::tempdir().unwrap().keep();
    Host::builder()
        .source(tools(name))
        .working_directory(folder)
        .build()
        .await
        .unwrap()
}

async fn call(host: &Host, tool: &str, arguments: &str) -> Outcome {
    host.call(Call::new(tool, arguments)).await.unwrap()
}

async fn value(host: &Host, tool: &str, arguments: &str) -> Value {
    let outcome = call(host, tool, arguments).await;
    assert!(outcome.is_success(), "{tool}: {:?}", outcome.failure);
    outcome.structured().unwrap()
}

async fn failure(host: &Host, tool: &str, arguments: &str, kind: FailureKind) -> Failure {
    let outcome = call(host, tool, arguments).await;
    let failure = outcome
        .failure
        .unwrap_or_else(|| panic!("{tool} returned {}", outcome.text));
    assert_eq!(failure.kind, kind, "{tool}: {failure}");
    *failure
}
