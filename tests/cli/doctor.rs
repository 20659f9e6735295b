//! Tests of `doctor`.

use crate::context::{LINKED_PYTHON, command, run};
use serde_json::Value;
use std::process::Command;

/// What a Python says of itself.
fn asked(python: &str, expression: &str) -> String {
    let code = format!("import sys, pydantic; print({expression})");
    let output = Command::new(python).args(["-c", &code]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

#[test]
fn the_python_that_runs_tools_is_told_as_it_tells_itself() {
    let ran = run(&["doctor", "--python", LINKED_PYTHON, "--format", "json"]);
    assert_eq!(ran.status, Some(0), "{ran}");
    let told: Value = serde_json::from_slice(
        &command(&["doctor", "--python", LINKED_PYTHON, "--format", "json"])
            .output()
            .unwrap()
            .stdout,
    )
    .unwrap();
    assert_eq!(told["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(told["problems"], serde_json::json!([]));
    let python = &told["python"];
    assert_eq!(python["prefix"], asked(LINKED_PYTHON, "sys.prefix"));
    assert_eq!(python["base_prefix"], asked(LINKED_PYTHON, "sys.base_prefix"));
    assert_eq!(python["pydantic"], asked(LINKED_PYTHON, "pydantic.VERSION"));
    assert_eq!(python["version"], asked(LINKED_PYTHON, "sys.version.split()[0]"));
    assert_eq!(python["reason"], "it was named explicitly");
    assert_eq!(python["utf8_mode"], true);
}

#[test]
fn text_has_a_line_for_each_fact() {
    let ran = run(&["doctor"]);
    assert_eq!(ran.status, Some(0), "{ran}");
    let names: Vec<&str> = ran
        .stdout
        .lines()
        .filter_map(|line| line.split("  ").next().filter(|name| !name.is_empty()))
        .map(str::trim)
        .collect();
    let expected = [
        "pegboard",
        "python",
        "executable",
        "chosen",
        "prefix",
        "base prefix",
        "libpython",
        "pydantic",
        "package",
        "UTF-8 mode",
        "path",
    ];
    assert_eq!(names, expected);
}

#[test]
fn a_python_without_pydantic_is_a_problem_with_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let environment = folder.path().join("bare");
    let made = Command::new(LINKED_PYTHON)
        .args(["-m", "venv", "--without-pip"])
        .arg(&environment)
        .status()
        .unwrap();
    assert!(made.success());
    let ran = run(&["doctor", "--python", environment.to_str().unwrap()]);
    assert_eq!(ran.status, Some(2), "{ran}");
    assert!(ran.stderr.contains("error: pydantic is not installed in"), "{ran}");
    assert!(
        ran.stderr.contains("bare/bin/python -m pip install 'pydantic>="),
        "{ran}"
    );
    let ran = run(&["list", "--python", environment.to_str().unwrap(), "examples/intel"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{ran}");
    assert!(ran.stderr.contains("pydantic"), "{ran}");
}

#[test]
fn a_place_without_python_is_told_in_the_answer() {
    let ran = run(&["doctor", "--python", "tests/tools/absent", "--format", "json"]);
    assert_eq!(ran.status, Some(2), "{ran}");
    let told = ran.json();
    assert_eq!(told["python"], Value::Null);
    assert!(
        told["problems"][0]["message"]
            .as_str()
            .unwrap()
            .contains("tests/tools/absent")
    );
}
