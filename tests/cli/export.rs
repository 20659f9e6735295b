//! Tests of `export`.

use crate::context::run;
use insta::assert_snapshot;
use serde_json::Value;

const LOOKUP: &str = "examples/intel/tools/lookup.py";

#[test]
fn tools_are_written_in_the_providers_own_shape() {
    assert_snapshot!(run(&["export", LOOKUP, "--provider", "anthropic"]), @r#"
    status: 0
    ----- stdout -----
    [
      {
        "name": "lookup_indicator",
        "description": "Look up an indicator in an intel source.",
        "input_schema": {
          "additionalProperties": false,
          "properties": {
            "indicator": {
              "description": "IP, domain, or hash to investigate",
              "type": "string"
            }
          },
          "required": [
            "indicator"
          ],
          "type": "object"
        }
      }
    ]
    ----- stderr -----
    "#);
}

#[test]
fn what_a_provider_cannot_express_is_noted() {
    let ran = run(&[
        "export",
        "examples/intel/tools/watchlist.py",
        "--provider",
        "openai",
        "--strict",
    ]);
    assert_eq!(ran.status, Some(0), "{ran}");
    assert_snapshot!(ran.stderr, @r#"
    note: watch: /severity has to be given, and null means its default "low"
    "#);
}

#[test]
fn a_schema_that_cannot_be_strict_fails_where_strict_is_demanded() {
    assert_snapshot!(run(&["export", "tests/tools/provider", "--provider", "openai", "--strict"]), @"
    status: 2
    ----- stdout -----
    ----- stderr -----
    error: the setting strict is not usable: OpenAI does not accept as strict: put: /meta is an open object
    ");
}

#[test]
fn all_providers_are_one_object_under_their_names() {
    let ran = run(&["export", LOOKUP, "--provider", "all"]);
    assert_eq!(ran.status, Some(0), "{ran}");
    let tools: Value = serde_json::from_str(&ran.stdout).unwrap();
    let providers: Vec<&str> = tools.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        providers,
        ["openai", "openai-responses", "anthropic", "gemini", "bedrock", "mcp"]
    );
    let alone = run(&["export", LOOKUP, "--provider", "gemini"]).stdout;
    assert_eq!(tools["gemini"], serde_json::from_str::<Value>(&alone).unwrap());

    let told = run(&["export", LOOKUP, "--provider", "all", "--format", "json"]).json();
    assert_eq!(told["gemini"]["tools"], tools["gemini"]);
    assert_eq!(told["gemini"]["notes"][0]["change"], "dropped");
}

#[test]
fn notes_for_all_providers_name_them() {
    assert_snapshot!(run(&["export", "tests/tools/acceptance", "--provider", "all"]).stderr, @r#"
    note: anthropic: odata: left out, because Anthropic does not accept the parameter name "filter[id]"
    note: gemini: plain: /additionalProperties dropped, because it is not accepted there
    note: gemini: grep: /additionalProperties dropped, because it is not accepted there
    note: gemini: grep: /properties/n/exclusiveMinimum written as minimum
    note: gemini: grep: /properties/n/multipleOf moved into the description
    note: gemini: grep: /properties/mode/const written as enum
    note: gemini: odata: left out, because Gemini does not accept the parameter name "filter[id]"
    note: bedrock: plain: /additionalProperties dropped, because it is not accepted there
    note: bedrock: grep: /additionalProperties dropped, because it is not accepted there
    note: bedrock: odata: left out, because Bedrock does not accept the parameter name "filter[id]"
    "#);
}

#[test]
fn strict_for_all_is_demanded_of_those_that_have_it() {
    let tools = ["export", LOOKUP, "--provider", "all", "--strict", "--format", "json"];
    let told = run(&tools).json();
    assert_eq!(told["openai"]["tools"][0]["function"]["strict"], true);
    assert_eq!(told["mcp"]["tools"][0].get("strict"), None);
    assert_snapshot!(run(&["export", "tests/tools/provider", "--provider", "all", "--strict"]), @"
    status: 2
    ----- stdout -----
    ----- stderr -----
    error: the setting strict is not usable: OpenAI does not accept as strict: put: /meta is an open object; Anthropic does not accept as strict: put: /meta is an open object; Bedrock does not accept as strict: put: /meta is an open object
    ");
}

#[test]
fn an_unknown_provider_is_answered_with_the_known_ones() {
    assert_snapshot!(run(&["export", "--provider", "closedai"]), @"
    status: 2
    ----- stdout -----
    ----- stderr -----
    error: invalid value 'closedai' for '--provider <PROVIDER>'
      [possible values: openai, openai-responses, anthropic, gemini, bedrock, mcp, all]

      tip: a similar value exists: 'openai'

    For more information, try '--help'.
    ");
}
