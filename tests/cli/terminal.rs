//! Tests of what is different on a terminal, which Python's `pty` module plays.

use crate::context::{BINARY, LINKED_PYTHON, ROOT, Ran};
use std::process::{Command, Stdio};

/// Runs the command on a terminal; both its streams come as one.
fn on_terminal(words: &[&str]) -> String {
    let spawn = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";
    let output = Command::new(LINKED_PYTHON)
        .args(["-c", spawn, BINARY])
        .args(words)
        .env_remove("NO_COLOR")
        .env_remove("VIRTUAL_ENV")
        .current_dir(ROOT)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let ran = Ran::from(output);
    assert_eq!(ran.status, Some(0), "{ran}");
    ran.stdout
}

#[test]
fn progress_is_one_line_that_the_answer_replaces() {
    let told = on_terminal(&["call", "tests/tools/terminal", "noisy", "--logs", "never"]);
    let (before, after) = told.split_once("\r\u{1b}[2Kprogress 1/2: half").unwrap();
    assert!(!before.contains("the answer"), "{told:?}");
    assert!(after.contains("\r\u{1b}[2K"), "{told:?}");
    assert!(after.ends_with("the answer\r\n"), "{told:?}");
}

#[test]
fn colours_are_for_terminals_unless_they_are_chosen() {
    let bold = "\u{1b}[1mlookup_indicator";
    let words = ["list", "examples/intel/tools/lookup.py"];
    assert!(on_terminal(&words).contains(bold));
    assert!(!on_terminal(&[&words[..], &["--color", "never"]].concat()).contains('\u{1b}'));
    let piped = |color| crate::context::run(&[&words[..], &["--color", color]].concat()).stdout;
    assert!(!piped("auto").contains('\u{1b}'));
    assert!(piped("always").contains(bold));
}
