//! Tests that the Rust application under `examples/` builds and runs as its README says.

use crate::context::{BINARY, LINKED_PYTHON, ROOT, Ran};
use insta::assert_snapshot;
use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn the_embedding_application_hosts_the_example_tools() {
    // Beside our own build and of the same versions, so that the dependencies are built once.
    let root = Path::new(ROOT);
    fs::copy(root.join("Cargo.lock"), root.join("examples/embed/Cargo.lock")).unwrap();
    let target = Path::new(BINARY).ancestors().nth(2).unwrap();
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--manifest-path", "examples/embed/Cargo.toml"])
        .env("CARGO_TARGET_DIR", target)
        .env("PYO3_PYTHON", LINKED_PYTHON)
        .env_remove("VIRTUAL_ENV")
        .current_dir(ROOT)
        .output()
        .unwrap();
    let ran = Ran::from(output);
    assert_eq!(ran.status, Some(0), "{ran}");
    assert_snapshot!(ran.stdout, @r#"
    lookup_indicator: Look up an indicator in an intel source.
    sweep_indicators: Look up many indicators at once, and group them by verdict.
    watch: Put an indicator on the watchlist.
    report: Tell the verdict on every watched indicator.
    {"indicator":"198.51.100.7","verdict":"malicious"}
    "#);
}
