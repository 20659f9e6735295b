//! Tests of `export`.

use crate::context::run;
use insta::assert_snapshot;

const LOOKUP: &str = "examples/intel/tools/lookup.py";

#[test]
fn tools_are_written_in_the_providers_own_shape() {
    assert_snapshot!(run(&["export", LOOKUP, "--provider", "anthropic"]), @"");
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
    assert_snapshot!(ran.stderr, @"");
}

#[test]
fn a_schema_that_cannot_be_strict_fails_where_strict_is_demanded() {
    assert_snapshot!(run(&["export", "tests/tools/provider", "--provider", "openai", "--strict"]), @"");
}
