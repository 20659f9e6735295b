//! Owns the last word on problems that another validator found: where they are, which name was meant, what to write.
//!
//! pydantic names union members in its paths, knows nothing of near names and speaks of parsing where a float is too
//! large. Runs only for calls that failed. Must not drop a problem or judge anew.

use super::integral::{self, Integral};
use super::place::{self, Kind, Place};
use super::pointer;
use super::problem::{self, TOO_LARGE};
use crate::model::Problem;
use serde_json::Value;

/// The problems as a model is told them.
pub(crate) fn explain(problems: Vec<Problem>, arguments: &str, schema: &Value) -> Vec<Problem> {
    // pydantic also reads what is not quite JSON, such as NaN; what it says of that stands as it is.
    let Ok(arguments) = serde_json::from_str::<Value>(arguments) else {
        return problems;
    };
    let mut explained: Vec<Problem> = Vec::with_capacity(problems.len());
    for mut problem in problems {
        problem.pointer = place::in_arguments(&arguments, &problem.pointer, is_missing_name(&problem.code));
        let problem = explain_one(problem, &arguments, schema);
        // The members of a union often say the same thing at the same place.
        if !explained.contains(&problem) {
            explained.push(problem);
        }
    }
    explained
}

fn explain_one(mut problem: Problem, arguments: &Value, schema: &Value) -> Problem {
    if problem::is_unknown_name(&problem.code)
        && let Some((parent, name)) = pointer::split_last(&problem.pointer)
    {
        let place = Place::at(schema, parent);
        return problem::unknown_name(parent, &name, &problem.code, &place.names());
    }
    if let Some(Value::Number(number)) = arguments.pointer(&problem.pointer)
        && integral::read(number.as_str()) == Integral::TooLarge
        && number.as_str().contains(['.', 'e', 'E'])
    {
        let place = Place::at(schema, &problem.pointer);
        if place.admits(Kind::Integer) && !place.admits(Kind::Number) {
            TOO_LARGE.clone_into(&mut problem.message);
        }
    }
    problem
}

fn is_missing_name(code: &str) -> bool {
    matches!(
        code,
        "missing"
            | "missing_argument"
            | "missing_keyword_only_argument"
            | "missing_positional_only_argument"
            | "required"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found(pointer: &str, code: &str) -> Problem {
        Problem {
            pointer: pointer.to_owned(),
            code: code.to_owned(),
            message: "as pydantic says it".to_owned(),
            suggestion: None,
        }
    }

    #[test]
    fn an_unknown_name_gets_a_suggestion_and_the_accepted_names() {
        let schema = json!({"properties": {"path": {"type": "string"}, "limit": {"type": "integer", "default": 100}}});
        let problems = vec![found("/line_limit", "unexpected_keyword_argument")];
        let explained = explain(problems, r#"{"path":"a","line_limit":1}"#, &schema);
        assert_eq!(explained[0].suggestion.as_deref(), Some("limit"));
        assert_eq!(
            explained[0].message,
            "\"line_limit\" is not a parameter. Did you mean \"limit\"? Accepted: path, limit."
        );
        assert_eq!(explained[0].code, "unexpected_keyword_argument");
    }

    #[test]
    fn union_members_leave_the_pointer() {
        let problems = vec![
            found("/u/list[int]", "x"),
            found("/u/dict[str,int]", "x"),
            found("/r", "missing_argument"),
        ];
        let explained = explain(problems, r#"{"u":"a"}"#, &json!({}));
        let pointers: Vec<&str> = explained.iter().map(|problem| problem.pointer.as_str()).collect();
        assert_eq!(pointers, ["/u", "/r"]);
    }

    #[test]
    fn a_float_beyond_exactness_is_called_that() {
        let schema = json!({"properties": {"ms": {"type": "integer"}, "x": {"type": "number"}}});
        let problems = vec![found("/ms", "int_parsing_size"), found("/x", "less_than")];
        let explained = explain(problems, r#"{"ms":1e20,"x":1e20}"#, &schema);
        assert_eq!(explained[0].message, TOO_LARGE);
        assert_eq!(explained[1].message, "as pydantic says it");
    }

    #[test]
    fn text_that_is_no_json_keeps_its_problem() {
        let problems = vec![found("", "json_invalid")];
        assert_eq!(explain(problems.clone(), "{", &json!({})), problems);
        let problems = vec![found("/a", "finite_number")];
        assert_eq!(explain(problems.clone(), r#"{"a":NaN}"#, &json!({})), problems);
    }
}
