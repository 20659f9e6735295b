//! Owns what happens to a call's arguments before and beside the tool's own validator: limits, the host's own JSON Schema
//! validation, and the failure that tells a model everything that is wrong.

use super::catalog::Entry;
use crate::model::{Failure, FailureKind, Limits, Problem};
use crate::schema::{check_limits, near_names};
use serde_json::Value;

/// Codes by which a validator says that the text is not a JSON object at all.
const NOT_AN_OBJECT: [&str; 4] = ["json_invalid", "json_type", "arguments_type", "not_an_object"];
/// Codes by which a validator says that a name is not declared.
const UNKNOWN_NAME: [&str; 4] = [
    "unexpected_keyword_argument",
    "unexpected_positional_argument",
    "additionalProperties",
    "extra_forbidden",
];

/// The text that the tool's validator reads: a call without arguments means an empty object.
pub fn normalize(text: &str) -> &str {
    match text.trim_matches([' ', '\t', '\n', '\r']) {
        "" | "null" => "{}",
        _ => text,
    }
}

/// Everything that is wrong with the arguments as far as the host itself judges them.
pub fn check(text: &str, entry: &Entry, limits: &Limits) -> Result<(), Vec<Problem>> {
    check_limits(text, limits).map_err(|problem| vec![problem])?;
    match &entry.validator {
        Some(validator) => match validator.validate(text) {
            problems if problems.is_empty() => Ok(()),
            problems => Err(problems),
        },
        None => Ok(()),
    }
}

/// The failure that tells a model everything that is wrong.
pub fn failure(mut problems: Vec<Problem>, schema: &Value) -> Failure {
    let kind = if problems
        .iter()
        .any(|problem| NOT_AN_OBJECT.contains(&problem.code.as_str()))
    {
        FailureKind::InvalidJson
    } else {
        FailureKind::InvalidArguments
    };
    for problem in &mut problems {
        suggest(problem, schema);
    }
    let message = problems.iter().map(sentence).collect::<Vec<_>>().join("; ");
    let mut failure = Failure::new(kind, message);
    failure.problems = problems;
    failure
}

/// Adds the declared name that an unknown one at the top looks like.
fn suggest(problem: &mut Problem, schema: &Value) {
    if problem.suggestion.is_some() || !UNKNOWN_NAME.contains(&problem.code.as_str()) {
        return;
    }
    let Some(name) = problem.pointer.strip_prefix('/').filter(|name| !name.contains('/')) else {
        return;
    };
    let name = name.replace("~1", "/").replace("~0", "~");
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        problem.suggestion = near_names(&name, properties.keys().map(String::as_str))
            .into_iter()
            .next();
    }
}

fn sentence(problem: &Problem) -> String {
    let place = if problem.pointer.is_empty() {
        String::new()
    } else {
        format!("{}: ", problem.pointer)
    };
    let suggestion = problem
        .suggestion
        .as_ref()
        .map_or_else(String::new, |suggestion| format!("; did you mean {suggestion:?}?"));
    format!("{place}{}{suggestion}", problem.message)
}
