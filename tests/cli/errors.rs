//! Tests of what goes wrong around a command, and of the exit statuses.

use crate::context::{Ran, command, run, run_with_input};
use insta::assert_snapshot;
use std::process::Stdio;

#[test]
fn an_unknown_tool_gets_near_names() {
    assert_snapshot!(run(&["call", "examples/intel", "lookup_indicater"]), @r#"
    status: 1
    ----- stdout -----
    ----- stderr -----
    error: there is no tool named "lookup_indicater"; did you mean "lookup_indicator"?
    "#);
    let ran = run(&["show", "examples/intel", "wach", "--format", "json"]);
    assert_eq!(ran.status, Some(1));
    assert_eq!(ran.json()["error"]["near"], serde_json::json!(["watch"]));
}

#[test]
fn a_tool_of_a_file_that_failed_is_told_with_the_reason() {
    assert_snapshot!(run(&["call", "tests/tools/broken", "needs_package"]), @r#"
    status: 1
    ----- stdout -----
    ----- stderr -----
    warning: 6 errors while loading; `pegboard check` tells more
    error: the tool "needs_package" was not loaded, because:
    error[missing_dependency]: the file needs the package 'package_that_nobody_has', which is not installed in [PYTHON] (ModuleNotFoundError: No module named 'package_that_nobody_has')
     --> tests/tools/broken/dependency.py:3
      |
    3 | import package_that_nobody_has
      |
      = not offered: needs_package
      = help: [PYTHON] -m pip install package_that_nobody_has
    "#);
}

#[test]
fn a_source_that_does_not_exist_is_the_users_input() {
    let ran = run(&["list", "tests/tools/absent"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(1), ""), "{ran}");
    assert!(ran.stderr.contains("tests/tools/absent"), "{ran}");
}

#[test]
fn a_python_that_cannot_be_used_is_misuse() {
    let ran = run(&["list", "--python", "tests/tools/absent", "examples/intel"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{ran}");
    assert!(ran.stderr.contains("tests/tools/absent"), "{ran}");
    assert!(ran.stderr.contains("`pegboard doctor` tells"), "{ran}");
}

#[test]
fn words_that_do_not_go_together_are_misuse() {
    for words in [
        &["call", "examples/intel", "watch", "indicator"][..],
        &["call", "examples/intel", "watch", "a=1", "-"],
        &["call", "examples/intel", "watch", "a=1", "--json", "{}"],
        &["call", "examples/intel", "watch", "severity:=high"],
        &["list", "--timeout", "soon"],
        &["list", "--format", "xml"],
        &["lits"],
        &[],
    ] {
        let ran = run(words);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{words:?} {ran}");
        assert!(!ran.stderr.is_empty(), "{words:?}");
    }
}

#[test]
fn input_that_cannot_be_read_is_told_with_its_cause() {
    let ran = run(&["call", "examples/intel", "watch", "@tests/absent.json"]);
    assert_snapshot!(ran, @r#"
    status: 1
    ----- stdout -----
    ----- stderr -----
    error: cannot read the file "tests/absent.json"
      caused by: No such file or directory (os error 2)
    "#);
    let ran = run_with_input(&["call", "examples/intel", "watch", "-"], b"{\"indicator\":\"\xff\"}");
    assert_snapshot!(ran, @"
    status: 1
    ----- stdout -----
    ----- stderr -----
    error: standard input is not UTF-8 text: byte 14 cannot be read
      hint: write the JSON as UTF-8
    ");
}

#[test]
fn a_reader_that_is_gone_is_no_error() {
    let mut child = command(&[
        "call",
        "tests/tools/misbehaving",
        "count",
        "to=9999",
        "--format",
        "json",
    ])
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .unwrap();
    drop(child.stdout.take());
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{ran}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_a_fault() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = command(&["show", "examples/intel", "watch"])
        .stdout(full)
        .output()
        .unwrap();
    assert_snapshot!(Ran::from(output), @"
    status: 3
    ----- stdout -----
    ----- stderr -----
    error: cannot write the answer
      caused by: No space left on device (os error 28)
    ");
}
