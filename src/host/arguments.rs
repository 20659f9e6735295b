//! Owns what happens to a call's arguments before and beside the tool's own validator: limits, the host's own JSON Schema
//! validation, and the failure that tells a model everything that is wrong.

use super::catalog::Entry;
use crate::model::{Failure, FailureKind, Limits, Problem, Repair};
use crate::runner::Rejection;
use crate::schema::{RepairOptions, check_limits, explain, parse_object, repair};

/// Codes by which a validator says that the text is not a JSON object at all.
const NOT_AN_OBJECT: [&str; 4] = ["json_invalid", "json_type", "arguments_type", "not_an_object"];

/// The text that the tool's validator reads: a call without arguments means an empty object.
///
/// So does an empty array, as some languages write an object without members, unless the dialect has words for it.
pub fn normalize(text: String, entry: &Entry) -> String {
    match text.trim_ascii() {
        "" | "null" => "{}".to_owned(),
        "[]" if !entry.policy.failure_style.words_refusals() => "{}".to_owned(),
        _ => text,
    }
}

/// Everything that is wrong with the arguments as far as the host itself judges them.
pub fn check(text: &str, entry: &Entry, limits: &Limits) -> Result<(), Vec<Problem>> {
    check_limits(text, limits).map_err(|problem| vec![problem])?;
    match &entry.validator {
        Some(validator) => validator.validate(text),
        // pydantic would take the items for positional arguments.
        None if text.trim_ascii_start().starts_with('[') && !entry.policy.failure_style.words_refusals() => {
            parse_object(text).map(drop).map_err(|problem| vec![problem])
        }
        None => Ok(()),
    }
}

/// The arguments with every problem mended that can only mean one thing, and what was done.
pub fn mend(text: &str, problems: &[Problem], entry: &Entry) -> Option<(String, Vec<Repair>)> {
    let options = RepairOptions {
        aliases: &entry.policy.aliases,
        ..RepairOptions::default()
    };
    repair(text, problems, &entry.definition.parameters_schema, options)
}

/// The failure that tells a model everything that is wrong.
pub fn failure(refusal: Rejection, text: &str, entry: &Entry) -> Failure {
    let Rejection { answer, problems, .. } = refusal;
    let kind = if problems
        .iter()
        .any(|problem| NOT_AN_OBJECT.contains(&problem.code.as_str()))
    {
        FailureKind::InvalidJson
    } else {
        FailureKind::InvalidArguments
    };
    let problems = explain(problems, text, &entry.definition.parameters_schema);
    let message = answer.unwrap_or_else(|| problems.iter().map(sentence).collect::<Vec<_>>().join(" "));
    let mut failure = Failure::new(kind, message);
    failure.problems = problems;
    failure
}

fn sentence(problem: &Problem) -> String {
    if problem.pointer.is_empty() {
        problem.message.clone()
    } else {
        format!("{}: {}", problem.pointer, problem.message)
    }
}
