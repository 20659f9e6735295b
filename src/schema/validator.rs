//! Owns the judgement of arguments by a JSON Schema, for tools that have no validator of their own in Python.
//!
//! A schema is compiled once, when its tool is loaded. Must not change arguments: mending is `repair.rs`'s.

use super::integral::{self, Integral};
use super::place::{Kind, Place};
use super::pointer;
use super::problem::{self, TOO_LARGE};
use crate::model::Problem;
use serde_json::{Map, Value};

/// Why a parameters schema cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the parameters schema is not usable at {pointer:?}: {reason}")]
pub(crate) struct InvalidSchema {
    /// Where, as a JSON Pointer into the schema.
    pub(crate) pointer: String,
    /// What is wrong there.
    pub(crate) reason: String,
}

/// A compiled parameters schema.
pub(crate) struct ArgumentsValidator {
    schema: Value,
    validator: jsonschema::Validator,
}

impl ArgumentsValidator {
    /// Compiles a schema. References must stay inside it: nothing is fetched.
    pub(crate) fn compile(schema: &Value) -> Result<Self, InvalidSchema> {
        let validator = jsonschema::options()
            .should_validate_formats(true)
            .build(schema)
            .map_err(|error| InvalidSchema {
                pointer: error.instance_path().as_str().to_owned(),
                reason: error.to_string(),
            })?;
        Ok(Self {
            schema: schema.clone(),
            validator,
        })
    }

    /// Everything that is wrong with the arguments, at once. Empty text and `null` are no arguments.
    pub(crate) fn validate(&self, arguments: &str) -> Result<(), Vec<Problem>> {
        let value = parse_object(arguments).map_err(|problem| vec![problem])?;
        let mut problems = Vec::new();
        if !self.validator.is_valid(&value) {
            for error in self.validator.iter_errors(&value) {
                problem::collect(&error, &self.schema, &mut problems);
            }
        }
        // JSON Schema takes `10.0` for an integer, but a Python tool would get a float.
        if arguments.contains(['.', 'e', 'E']) {
            self.collect_floats(&value, &mut String::new(), &mut problems);
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    fn collect_floats(&self, value: &Value, pointer: &mut String, problems: &mut Vec<Problem>) {
        let length = pointer.len();
        let mut descend = |segment: &str, child: &Value, problems: &mut Vec<Problem>| {
            pointer::push(pointer, segment);
            self.collect_floats(child, pointer, problems);
            pointer.truncate(length);
        };
        match value {
            Value::Object(object) => {
                for (name, child) in object {
                    descend(name, child, problems);
                }
            }
            Value::Array(items) => {
                for (index, child) in items.iter().enumerate() {
                    descend(&index.to_string(), child, problems);
                }
            }
            Value::Number(number) if Kind::of(value) == Kind::Number => {
                let place = Place::at(&self.schema, pointer);
                let refused = problems.iter().any(|problem| problem.pointer == *pointer);
                if !refused && place.admits(Kind::Integer) && !place.admits(Kind::Number) {
                    let message = match integral::read(number.as_str()) {
                        Integral::TooLarge => TOO_LARGE,
                        _ => "Must be an integer, written without fraction and exponent.",
                    };
                    problems.push(Problem {
                        pointer: pointer.clone(),
                        code: "type".to_owned(),
                        message: message.to_owned(),
                        suggestion: None,
                    });
                }
            }
            _ => {}
        }
    }
}

/// The arguments as a JSON object.
pub(crate) fn parse_object(arguments: &str) -> Result<Value, Problem> {
    let whole = |code: &str, message: String| Problem {
        pointer: String::new(),
        code: code.to_owned(),
        message,
        suggestion: None,
    };
    if arguments.trim_ascii().is_empty() {
        return Ok(Value::Object(Map::new()));
    }
    match serde_json::from_str(arguments) {
        Ok(Value::Null) => Ok(Value::Object(Map::new())),
        Ok(object @ Value::Object(_)) => Ok(object),
        Ok(other) => Err(whole(
            "not_an_object",
            format!("The arguments must be a JSON object, not {}.", Kind::of(&other).noun()),
        )),
        Err(error) => Err(whole(
            "json_invalid",
            format!("The arguments are not valid JSON: {error}."),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn problems(schema: &Value, arguments: &str) -> Vec<(String, String, String)> {
        let validator = ArgumentsValidator::compile(schema).unwrap();
        validator
            .validate(arguments)
            .err()
            .unwrap_or_default()
            .into_iter()
            .map(|problem| (problem.pointer, problem.code, problem.message))
            .collect()
    }

    fn one(pointer: &str, code: &str, message: &str) -> Vec<(String, String, String)> {
        vec![(pointer.to_owned(), code.to_owned(), message.to_owned())]
    }

    #[test]
    fn a_rule_at_the_root_is_enforced_and_named() {
        let schema = json!({
            "type": "object",
            "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
            "anyOf": [{"required": ["id"]}, {"required": ["name"]}],
        });
        assert_eq!(
            problems(&schema, "{}"),
            one("", "anyOf", "Give at least one of: id, name.")
        );
        assert_eq!(problems(&schema, r#"{"id":1}"#), []);
    }

    #[test]
    fn all_problems_come_at_once() {
        let schema = json!({
            "type": "object",
            "properties": {"path": {"type": "string"}, "limit": {"type": "integer", "maximum": 9}, "mode": {"enum": ["r", "w"]}},
            "required": ["path"],
            "additionalProperties": false,
        });
        let mut found = problems(&schema, r#"{"line_limit":1,"limit":"x","mode":"secret"}"#);
        found.sort();
        assert_eq!(
            found,
            [
                one("/limit", "type", "Must be an integer, not a string."),
                one(
                    "/line_limit",
                    "additionalProperties",
                    "\"line_limit\" is not a parameter. Did you mean \"limit\"? Accepted: path, limit, mode."
                ),
                one("/mode", "enum", "Must be one of: \"r\", \"w\"."),
                one("/path", "required", "\"path\" is required."),
            ]
            .concat()
        );
    }

    #[test]
    fn text_that_is_no_object_is_one_problem() {
        let schema = json!({"type": "object", "required": ["a"]});
        assert_eq!(problems(&schema, "{\"a\":")[0].1, "json_invalid");
        assert_eq!(
            problems(&schema, "[1]"),
            one(
                "",
                "not_an_object",
                "The arguments must be a JSON object, not an array."
            )
        );
    }

    #[test]
    fn no_text_and_null_are_no_arguments() {
        let schema = json!({"type": "object", "properties": {"a": {}}});
        for arguments in ["", " \n", "null", "{}"] {
            assert_eq!(problems(&schema, arguments), [], "{arguments:?}");
        }
        assert_eq!(
            problems(&json!({"required": ["a"]}), ""),
            one("/a", "required", "\"a\" is required.")
        );
    }

    #[test]
    fn the_meant_alternative_is_judged() {
        let schema = json!({
            "$defs": {
                "Dog": {"type": "object", "properties": {"kind": {"const": "dog"}, "age": {"type": "integer"}}, "required": ["kind", "age"]},
                "Cat": {"type": "object", "properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}}, "required": ["kind", "lives"]},
            },
            "properties": {
                "pet": {"oneOf": [{"$ref": "#/$defs/Dog"}, {"$ref": "#/$defs/Cat"}]},
                "count": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]},
                "tags": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]},
            },
        });
        assert_eq!(
            problems(&schema, r#"{"pet":{"kind":"dog","age":"x"}}"#),
            one("/pet/age", "type", "Must be an integer, not a string.")
        );
        assert_eq!(
            problems(&schema, r#"{"count":0}"#),
            one("/count", "minimum", "Must be at least 1.")
        );
        assert_eq!(
            problems(&schema, r#"{"tags":["a",1]}"#),
            one("/tags/1", "type", "Must be a string, not an integer.")
        );
        assert_eq!(
            problems(&schema, r#"{"tags":"a"}"#),
            one("/tags", "anyOf", "Must be an array of strings or null.")
        );
    }

    #[test]
    fn integers_are_exact() {
        let schema = json!({"properties": {"ms": {"type": "integer"}, "ratio": {"type": "number"}, "list": {"items": {"type": "integer"}}}});
        assert_eq!(
            problems(&schema, r#"{"ms":123456789012345678901234567890,"ratio":1.0}"#),
            []
        );
        assert_eq!(problems(&schema, r#"{"ms":true}"#)[0].1, "type");
        assert_eq!(problems(&schema, r#"{"ms":10.5}"#)[0].0, "/ms");
        assert_eq!(
            problems(&schema, r#"{"list":[10.0]}"#),
            one(
                "/list/0",
                "type",
                "Must be an integer, written without fraction and exponent."
            )
        );
        assert_eq!(
            problems(&schema, r#"{"list":[1e20]}"#),
            one("/list/0", "type", TOO_LARGE)
        );
    }

    #[test]
    fn formats_are_enforced_and_values_stay_out_of_messages() {
        let schema = json!({"properties": {"site": {"type": "string", "format": "uri"}, "id": {"pattern": "^a+$"}}});
        let found = problems(&schema, r#"{"site":"s3cret","id":"s3cret"}"#);
        assert_eq!(found.len(), 2);
        assert!(
            found.iter().all(|(_, _, message)| !message.contains("s3cret")),
            "{found:?}"
        );
        assert_eq!(found[0].2, "A URL.");
    }

    #[test]
    fn an_unusable_schema_names_its_place() {
        let error = ArgumentsValidator::compile(&json!({"properties": {"a": {"type": "strin"}}}))
            .err()
            .unwrap();
        assert_eq!(error.pointer, "/properties/a/type");
        assert!(ArgumentsValidator::compile(&json!({"$ref": "https://example.com/schema.json"})).is_err());
    }
}
