//! Tests that no tool can touch what the command answers, or take what it reads.

use crate::context::{run, run_with_input};

const TERMINAL: &str = "tests/tools/terminal";

#[test]
fn only_the_answer_reaches_standard_output() {
    let ran = run(&["call", TERMINAL, "noisy"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(0), "the answer\n"), "{ran}");
    for expected in [
        "at import\n",
        "from the descriptor\n",
        "from a child\n",
        "stdout: from print\n",
        "stderr: from print to stderr\n",
    ] {
        assert!(ran.stderr.contains(expected), "{expected:?} in {ran}");
    }
}

#[test]
fn json_holds_what_a_tool_wrote_and_standard_error_only_if_asked() {
    let ran = run(&["call", TERMINAL, "noisy", "--format", "json"]);
    assert!(!ran.stderr.contains("from print"), "{ran}");
    let logs = &ran.json()["logs"];
    assert_eq!(logs[0], serde_json::json!({"stream": "stdout", "text": "from print"}));
    let ran = run(&["call", TERMINAL, "noisy", "--format", "json", "--logs", "always"]);
    assert!(ran.stderr.contains("stdout: from print\n"), "{ran}");
    let ran = run(&["call", TERMINAL, "noisy", "--logs", "never"]);
    assert!(!ran.stderr.contains("from print"), "{ran}");
}

#[test]
fn tools_find_standard_input_empty() {
    let ran = run_with_input(&["call", TERMINAL, "read_descriptor"], b"secret");
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(0), "b''\n"), "{ran}");
    let ran = run_with_input(&["call", TERMINAL, "ask"], b"secret");
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(1), ""), "{ran}");
    assert!(ran.stderr.contains("error: the tool \"ask\" failed: EOFError"), "{ran}");
}

#[test]
fn what_a_tool_says_cannot_steer_the_terminal() {
    let ran = run(&["call", TERMINAL, "colours"]);
    assert!(ran.stderr.contains(r"ValueError: \u{1b}[31mred\u{7}"), "{ran}");
    assert!(!ran.stderr.contains('\u{1b}'), "{ran}");
}
