//! Tests that a signal ends the command in good order, whatever its tool does.
//!
//! Each tool would run for a minute and then succeed, so a command that waited for it would end with another status.

use crate::context::{Ran, command, text};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;

/// Calls a tool, sends a signal once it has begun, and waits for the end.
fn interrupted(tool: &str, words: &[&str], signal: Signal) -> Ran {
    let mut child = command(&[&["call", "tests/tools/terminal/interrupted.py", tool], words].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut told = String::new();
    while !told.ends_with("begun\n") {
        assert_ne!(
            stderr.read_line(&mut told).unwrap(),
            0,
            "the tool did not begin: {told}"
        );
    }
    kill_process(Pid::from_child(&child), signal).unwrap();
    let mut ran = Ran::from(child.wait_with_output().unwrap());
    stderr.read_to_string(&mut ran.stderr).unwrap();
    ran
}

#[test]
fn control_c_ends_a_command_whatever_its_tool_does() {
    for tool in ["sleep", "spin", "hold", "block"] {
        let ran = interrupted(tool, &[], Signal::INT);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(130), ""), "{tool}: {ran}");
        assert!(!ran.stderr.contains("Traceback"), "{tool}: {ran}");
    }
}

#[test]
fn an_async_tool_cleans_up_when_it_is_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace");
    let word = format!("trace={}", text(&trace));
    let ran = interrupted("clean_up", &[&word], Signal::INT);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(130), ""), "{ran}");
    assert_eq!(std::fs::read_to_string(trace).unwrap(), "cleaned up");
}

#[test]
fn a_request_to_terminate_is_obeyed_like_control_c() {
    let ran = interrupted("sleep", &[], Signal::TERM);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(143), ""), "{ran}");
}
