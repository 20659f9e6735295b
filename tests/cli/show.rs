//! Tests of `show`.

use crate::context::run;
use insta::assert_snapshot;

#[test]
fn a_tool_is_shown_with_its_schemas_and_its_place() {
    assert_snapshot!(run(&["show", "examples/intel", "watch"]), @r#"
    status: 0
    ----- stdout -----
    watch
      Put an indicator on the watchlist.

    defined in examples/intel/tools/watchlist.py:19, toolset Watchlist, dialect pegboard

    parameters schema
    {
      "additionalProperties": false,
      "properties": {
        "indicator": {
          "description": "Indicator to put on the list",
          "type": "string"
        },
        "severity": {
          "default": "low",
          "description": "How much it matters",
          "enum": [
            "low",
            "high"
          ],
          "type": "string"
        }
      },
      "required": [
        "indicator"
      ],
      "type": "object"
    }

    output schema
    {
      "type": "string"
    }
    ----- stderr -----
    "#);
}

#[test]
fn what_is_special_about_a_tool_is_told() {
    assert_snapshot!(run(&["show", "tests/tools/misbehaving", "nap"]), @r#"
    status: 0
    ----- stdout -----
    nap
      Sleep on the event loop.

    defined in tests/tools/misbehaving/lingering.py:35, dialect pegboard
    it runs on the event loop

    parameters schema
    {
      "additionalProperties": false,
      "properties": {},
      "type": "object"
    }

    output schema
    {
      "type": "string"
    }
    ----- stderr -----
    "#);
}

#[test]
fn json_is_the_definition() {
    let told = run(&["show", "examples/intel", "lookup_indicator", "--format", "json"]).json();
    assert_eq!(told["name"], "lookup_indicator");
    assert_eq!(told["parameters_schema"]["required"][0], "indicator");
    assert_eq!(told["source"]["dialect"], "pegboard");
}
