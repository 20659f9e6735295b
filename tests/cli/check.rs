//! Tests of `check`.

use crate::context::run;
use insta::assert_snapshot;

#[test]
fn a_source_without_findings_is_right() {
    assert_snapshot!(run(&["check", "examples/intel"]), @"
    status: 0
    ----- stdout -----
    capability intel 0.1.0 is ok
    4 tools, nothing to report
    ----- stderr -----
    ");
}

#[test]
fn a_second_tool_of_one_name_is_an_error_with_both_places() {
    assert_snapshot!(run(&["check", "tests/tools/duplicate"]), @r#"
    status: 1
    ----- stdout -----
    error[duplicate_tool]: the tool "good" is already defined at [ROOT]/tests/tools/duplicate/a.py:7, which is offered
     --> tests/tools/duplicate/b.py:7
      |
    7 | def good() -> str:
      |
      = help: rename one of the two

    1 tool, 1 error
    ----- stderr -----
    "#);
}

#[test]
fn json_counts_what_was_found() {
    let ran = run(&["check", "tests/tools/broken", "--format", "json"]);
    assert_eq!(ran.status, Some(1));
    let told = ran.json();
    assert_eq!(told["tools"], serde_json::json!(["good"]));
    assert_eq!(told["errors"], 6);
    assert_eq!(told["diagnostics"].as_array().unwrap().len(), 6);
}

#[test]
fn a_capability_is_reported_with_what_it_lacks() {
    assert_snapshot!(run(&["check", "tests/tools/capability"]), @r#"
    status: 0
    ----- stdout -----
    warning[secret_missing]: the secret PORT_SURVEY_UNSET_KEY (For the remote service.) is not set, and the capability needs it
     --> tests/tools/capability/capability.yaml
      = help: set the environment variable PORT_SURVEY_UNSET_KEY before the host starts

    warning[check_failed]: the check "scanner" of the capability "port-survey" failed: no scanner is installed
     --> tests/tools/capability/capability.yaml
      = help: its command is `echo "no scanner is installed" >&2; exit 1`

    capability port-survey 1.2.0 is degraded; flags on: quick; servers: local
    1 tool, 2 warnings
    ----- stderr -----
    "#);
}
