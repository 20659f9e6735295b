//! Tests that `--help` tells the truth about the JSON that commands answer, and that what needs no Python runs without.

use crate::context::{command, run, text};
use serde_json::Value;
use std::collections::BTreeSet;

/// Keys whose values are somebody else's: a schema's, or a tool's.
const FOREIGN: [&str; 3] = ["parameters_schema", "output_schema", "structured"];

/// The keys that a document holds, at any depth.
fn keys(document: &Value, found: &mut BTreeSet<String>) {
    match document {
        Value::Object(object) => {
            for (key, value) in object {
                found.insert(key.clone());
                if !FOREIGN.contains(&key.as_str()) {
                    keys(value, found);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
        _ => {}
    }
}

/// The keys that a command's help names after `JSON:`.
fn documented(name: &str) -> BTreeSet<String> {
    let help = run(&[name, "--help"]).stdout;
    let (_, shape) = help
        .split_once("JSON: ")
        .unwrap_or_else(|| panic!("{name} has no shape: {help}"));
    let (shape, _) = shape.split_once("\n\n").unwrap_or((shape, ""));
    shape.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn help_names_every_key_of_json_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let call = "tests/tools/arguments";
    let bad = "tests/tools/misbehaving";
    let repaired = r#"{"xs":"[1,2]"}"#;
    for (name, runs) in [
        ("list", vec![&["list", "tests/tools/broken"][..]]),
        ("show", vec![&["show", "examples/intel", "watch"]]),
        (
            "check",
            vec![
                &["check", "tests/tools/broken"],
                &["check", "tests/tools/capability"],
                &["check", "tests/tools/acceptance", "--provider", "all"],
            ],
        ),
        (
            "export",
            vec![&["export", "examples/intel", "--provider", "openai", "--strict"]],
        ),
        ("doctor", vec![&["doctor"], &["doctor", "--python", "absent"]]),
        ("init", vec![&["init", "made"]]),
        (
            "call",
            vec![
                &["call", call, "total", "--json", repaired],
                &["call", call, "typed", "limt=1"],
                &["call", "tests/tools/terminal", "noisy"],
                &["call", "tests/tools/terminal", "cut"],
                &["call", bad, "big", "characters=40000"],
            ],
        ),
    ] {
        let mut answered = BTreeSet::new();
        for words in runs {
            let words: Vec<String> = words.iter().map(|word| absolute(word)).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).chain(["--format", "json"]).collect();
            let output = command(&words).current_dir(folder.path()).output().unwrap();
            let mut document: Value = serde_json::from_slice(&output.stdout).unwrap();
            if name == "export" {
                // Their shape is the provider's.
                document["tools"].take();
            }
            keys(&document, &mut answered);
        }
        assert_eq!(documented(name), answered, "{name}");
    }
}

/// A path of the repository as seen from anywhere.
fn absolute(word: &str) -> String {
    if word.starts_with("tests/") || word.starts_with("examples/") {
        format!("{}/{word}", crate::context::ROOT)
    } else {
        word.to_owned()
    }
}

#[test]
fn what_needs_no_python_runs_without() {
    let folder = tempfile::tempdir().unwrap();
    for words in [
        &["--version"][..],
        &["--help"],
        &["completions", "bash"],
        &["init", text(folder.path())],
    ] {
        let output = command(words).env("VIRTUAL_ENV", "/nowhere").output().unwrap();
        assert!(output.status.success(), "{words:?}");
        assert!(!output.stdout.is_empty(), "{words:?}");
    }
    let version = run(&["--version"]).stdout;
    assert_eq!(version, format!("pegboard {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn every_shell_gets_a_script_that_knows_the_commands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(&["completions", shell]).stdout;
        assert!(script.contains("doctor"), "{shell}");
    }
}
