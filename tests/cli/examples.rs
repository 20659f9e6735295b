//! Tests that the Rust applications under `examples/` build and run as their READMEs say.

use crate::context::{BINARY, LINKED_PYTHON, ROOT, Ran};
use insta::assert_snapshot;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs an application from the root of the repository.
fn run_application(name: &str) -> Ran {
    // Beside our own build, of the same versions and under the same profile, so that the dependencies are built once.
    let root = Path::new(ROOT);
    let folder = root.join("examples").join(name);
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let target = Path::new(BINARY).ancestors().nth(2).unwrap();
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet"])
        .args(["--config", "profile.dev.debug = 'line-tables-only'"])
        .args(["--config", "profile.dev.package.'*'.debug = false"])
        .arg("--manifest-path")
        .arg(folder.join("Cargo.toml"))
        .env("CARGO_TARGET_DIR", target)
        .env("PYO3_PYTHON", LINKED_PYTHON)
        .env_remove("VIRTUAL_ENV")
        .current_dir(root)
        .output()
        .unwrap();
    let ran = Ran::from(output);
    assert_eq!(ran.status, Some(0), "{ran}");
    ran
}

#[test]
fn the_embedding_application_hosts_the_example_tools() {
    assert_snapshot!(run_application("embed").stdout, @r#"
    lookup_indicator: Look up an indicator in an intel source.
    sweep_indicators: Look up many indicators at once, and group them by verdict.
    watch: Put an indicator on the watchlist.
    report: Tell the verdict on every watched indicator.
    {"indicator":"198.51.100.7","verdict":"malicious"}
    "#);
}

#[test]
fn the_agent_loop_answers_two_providers() {
    assert_snapshot!(run_application("agent_loop").stdout, @r#"
    openai
      temperature {"city": "Oslo"} -> 4.0
      temperature {"city": "Bergen"} -> 9.5
      book_train {"destination": "Bergen", "seats": 3} -> failed: {"error":{"kind":"raised","type":"LookupError","message":"only 2 seats are left in the train to Bergen"}}
      Bergen is warmer, 9.5 °C to 4 °C. Only 2 seats are left in the train there, so I booked none.
    anthropic
      temperature {"city":"Oslo"} -> 4.0
      temperature {"city":"Bergen"} -> 9.5
      book_train {"destination":"Bergen","seats":3} -> failed: {"error":{"kind":"raised","type":"LookupError","message":"only 2 seats are left in the train to Bergen"}}
      Bergen is warmer, 9.5 °C to 4 °C. Only 2 seats are left in the train there, so I booked none.
    "#);
}
