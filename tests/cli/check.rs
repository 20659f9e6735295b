//! Tests of `check`.

use crate::context::run;
use insta::assert_snapshot;
use serde_json::json;

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
    assert_eq!(told["tools"], json!(["good"]));
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
    2 tools, 2 warnings
    ----- stderr -----
    "#);
}

#[test]
fn what_providers_accept_is_a_table_with_reasons() {
    assert_snapshot!(run(&["check", "tests/tools/acceptance", "--provider", "all"]), @r#"
    status: 1
    ----- stdout -----
    tool   openai    openai-responses  anthropic   gemini      bedrock     mcp
    plain  accepted  accepted          accepted    changed     changed     accepted
    grep   accepted  accepted          accepted    changed     changed     accepted
    odata  accepted  accepted          impossible  impossible  impossible  accepted

    dropped[gemini, bedrock]: plain: /additionalProperties dropped, because it is not accepted there
    dropped[gemini, bedrock]: grep: /additionalProperties dropped, because it is not accepted there
    replaced[gemini]: grep: /properties/n/exclusiveMinimum written as minimum
    moved[gemini]: grep: /properties/n/multipleOf moved into the description
    replaced[gemini]: grep: /properties/mode/const written as enum
    left_out[anthropic]: odata: left out, because Anthropic does not accept the parameter name "filter[id]"
    left_out[gemini]: odata: left out, because Gemini does not accept the parameter name "filter[id]"
    left_out[bedrock]: odata: left out, because Bedrock does not accept the parameter name "filter[id]"

    3 tools, 3 impossible
    ----- stderr -----
    "#);
}

#[test]
fn one_provider_is_one_column_and_what_it_accepts_is_right() {
    assert_snapshot!(run(&["check", "examples/intel", "--provider", "anthropic", "--strict"]), @r#"
    status: 0
    ----- stdout -----
    capability intel 0.1.0 is ok
    tool              anthropic
    lookup_indicator  accepted
    sweep_indicators  accepted
    watch             changed
    report            accepted

    replaced[anthropic]: watch: /severity has to be given, and null means its default "low"

    4 tools, nothing to report
    ----- stderr -----
    "#);
}

#[test]
fn a_tool_that_cannot_be_strict_is_impossible_where_strict_is_asked_for() {
    assert_snapshot!(run(&["check", "tests/tools/provider", "--provider", "openai", "--strict"]), @"
    status: 1
    ----- stdout -----
    tool  openai
    put   impossible

    not_strict[openai]: put: /meta is an open object

    1 tool, 1 impossible
    ----- stderr -----
    ");
}

#[test]
fn a_provider_without_strict_schemas_cannot_be_asked_for_them() {
    assert_snapshot!(run(&["check", "examples/intel", "--provider", "gemini", "--strict"]), @"
    status: 2
    ----- stdout -----
    ----- stderr -----
    error: the provider gemini has no strict schemas
      hint: leave `--strict` out
    ");
}

#[test]
fn json_has_the_same_table_with_every_note() {
    let words = [
        "check",
        "tests/tools/acceptance",
        "--provider",
        "all",
        "--format",
        "json",
    ];
    let told = run(&words).json();
    let accepted = |provider: &str, tool: &str| {
        let judged = told["providers"].as_array().unwrap();
        let judged = judged.iter().find(|judged| judged["provider"] == provider).unwrap();
        let tools = judged["tools"].as_array().unwrap();
        tools.iter().find(|judged| judged["tool"] == tool).unwrap().clone()
    };
    assert_eq!(told["providers"].as_array().unwrap().len(), 6);
    assert_eq!(accepted("mcp", "odata")["acceptance"], "accepted");
    assert_eq!(accepted("openai", "plain")["notes"], json!([]));
    let grep = accepted("gemini", "grep");
    assert_eq!(grep["acceptance"], "changed");
    let replaced = json!({
        "pointer": "/properties/n/exclusiveMinimum",
        "change": "replaced",
        "reason": "/properties/n/exclusiveMinimum written as minimum",
    });
    assert!(grep["notes"].as_array().unwrap().contains(&replaced), "{grep}");
    assert_eq!(accepted("gemini", "odata")["acceptance"], "impossible");
    assert_eq!(
        run(&["check", "examples/intel", "--format", "json"]).json()["providers"],
        json!([])
    );
}
