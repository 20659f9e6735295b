//! Tests of `call`: arguments in every form, values, failures, and what is said beside them.

use crate::context::{run, run_with_input, text};
use insta::assert_snapshot;
use serde_json::json;

const ARGUMENTS: &str = "tests/tools/arguments";
const MISBEHAVING: &str = "tests/tools/misbehaving";

#[test]
fn the_text_for_the_model_is_the_answer() {
    assert_snapshot!(run(&["call", "examples/intel", "lookup_indicator", "indicator=198.51.100.7"]), @r#"
    status: 0
    ----- stdout -----
    {"indicator":"198.51.100.7","verdict":"malicious"}
    ----- stderr -----
    "#);
}

#[test]
fn words_are_read_as_the_schema_says() {
    let words = ["path=007", "count=3", "tags=[\"a\"]", "mood=loud", "limit:=5"];
    assert_snapshot!(run(&[&["call", ARGUMENTS, "typed"], &words[..]].concat()), @"
    status: 0
    ----- stdout -----
    007:3:['a']:loud:5
    ----- stderr -----
    ");
    // What looks like JSON stays the text that it is where a string is allowed.
    assert_snapshot!(run(&["call", ARGUMENTS, "echo", "s=123", "o={\"a\":1}"]), @r#"
    status: 0
    ----- stdout -----
    ["123","{\"a\":1}"]
    ----- stderr -----
    "#);
    assert_snapshot!(run(&["call", ARGUMENTS, "optional", "s=null", "a=null"]), @r#"
    status: 0
    ----- stdout -----
    [null,"null",7]
    ----- stderr -----
    "#);
}

#[test]
fn a_whole_object_comes_as_text_from_a_file_or_from_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("arguments.json");
    std::fs::write(&file, r#"{"xs":[1,2]}"#).unwrap();
    let at_file = format!("@{}", text(&file));
    for words in [&["--json", r#"{"xs":[1,2]}"#][..], &[at_file.as_str()]] {
        let ran = run(&[&["call", ARGUMENTS, "total"], words].concat());
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(0), "3\n"), "{ran}");
    }
    let ran = run_with_input(&["call", ARGUMENTS, "total", "-"], br#"{"xs":[1,2]}"#);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(0), "3\n"), "{ran}");
}

#[test]
fn everything_that_is_wrong_with_arguments_is_told_at_once() {
    let words = ["call", ARGUMENTS, "typed", "count=-1", "mood=angry", "limt=1"];
    assert_snapshot!(run(&words), @r#"
    status: 1
    ----- stdout -----
    ----- stderr -----
    error: the arguments of the tool "typed" do not fit its parameters
      /path: This parameter is required.
      /count: Input should be greater than or equal to 0; got -1.
      /tags: This parameter is required.
      /mood: Input should be 'calm' or 'loud'; got "angry".
      /limt: "limt" is not a parameter. Did you mean "limit"? Accepted: path, count, tags, mood, limit.
    "#);
    assert_snapshot!(run(&["call", ARGUMENTS, "total", "--json", "[1"]), @r#"
    status: 1
    ----- stdout -----
    ----- stderr -----
    error: the arguments of the tool "total" are not a JSON object
      The arguments are not valid JSON: EOF while parsing a list at line 1 column 2.
    "#);
}

#[test]
fn what_was_mended_is_noted() {
    assert_snapshot!(run(&["call", ARGUMENTS, "total", "--json", r#"{"xs":"[1,2]"}"#]), @"
    status: 0
    ----- stdout -----
    3
    ----- stderr -----
    note: argument /xs: a string was read as the JSON that it holds
    ");
}

#[test]
fn a_tool_that_fails_ends_the_command_and_nothing_else() {
    assert_snapshot!(run(&["call", MISBEHAVING, "leave", "status=3"]), @r#"
    status: 1
    ----- stdout -----
    ----- stderr -----
    error: the tool "leave" failed: SystemExit: the tool tried to leave the process with status 3
      Traceback (most recent call last):
        File "[ROOT]/tests/tools/misbehaving/raising.py", line 14, in leave
          sys.exit(status)
      SystemExit: 3
    "#);
    assert_snapshot!(run(&["call", MISBEHAVING, "unserializable"]), @r#"
    status: 1
    ----- stdout -----
    ----- stderr -----
    error: the tool "unserializable" failed: the tool ran, but its value cannot be written as JSON: $.a[1].b is of type object
      pydantic_core._pydantic_core.PydanticSerializationError: Unable to serialize unknown type: <class 'object'>
    "#);
    assert_snapshot!(run(&["call", MISBEHAVING, "enough"]), @"
    status: 0
    ----- stdout -----
    that is all
    ----- stderr -----
    note: the tool asks to end the run
    ");
    assert_snapshot!(run(&["call", MISBEHAVING, "picture"]), @"
    status: 0
    ----- stdout -----
    [image/png, 5 bytes]
    ----- stderr -----
    note: the answer also holds image/png; `--format json` shows it as base64
    ");
}

#[test]
fn what_a_policy_does_not_catch_is_told_like_any_failure() {
    let ran = run(&["call", MISBEHAVING, "aborting", "name=x", "--format", "json"]);
    assert_eq!(ran.status, Some(1));
    let error = &ran.json()["error"];
    assert_eq!(error["code"], "aborted");
    assert_eq!(error["failure"]["exception_type"], "LookupError");
    assert!(
        ran.stderr
            .starts_with("error: the tool \"aborting\" failed: LookupError: x\n"),
        "{ran}"
    );
}

#[test]
fn a_tool_without_limit_of_its_own_keeps_to_the_one_that_is_given() {
    let words = [
        "call",
        "tests/tools/terminal",
        "spin",
        "--timeout",
        "0.2",
        "--format",
        "json",
    ];
    let ran = run(&words);
    assert_eq!(ran.status, Some(1));
    assert_eq!(ran.json()["failure"]["kind"], "timed_out");
}

#[test]
fn json_is_the_whole_outcome() {
    let words = [
        "call",
        ARGUMENTS,
        "wait",
        "--json",
        r#"{"ms":10.0}"#,
        "--format",
        "json",
    ];
    let mut told = run(&words).json();
    assert!(told["duration_seconds"].take().is_f64());
    assert_eq!(
        told,
        json!({
            "call_id": "call-1", "tool": "wait", "text": "10", "structured": 10, "content": [], "failure": null,
            "stop": false, "repairs": [], "logs": [], "truncated": null, "offload": null, "duration_seconds": null,
        })
    );
}

#[test]
fn long_output_goes_to_a_file_below_the_current_folder() {
    let folder = tempfile::tempdir().unwrap();
    let source = format!("{}/{MISBEHAVING}", crate::context::ROOT);
    let mut command = crate::context::command(&["call", &source, "big", "characters=40000", "--format", "json"]);
    let output = command.current_dir(folder.path()).output().unwrap();
    let told = crate::context::Ran::from(output).json();
    let path = told["offload"]["path"].as_str().unwrap();
    assert!(path.starts_with(text(&folder.path().canonicalize().unwrap())), "{path}");
    assert_eq!(std::fs::read_to_string(path).unwrap(), "A".repeat(40_000) + "TAIL");
}
