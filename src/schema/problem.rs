//! Owns how a schema validator's findings become the problems that a model is shown.
//!
//! A message never holds the value that was sent: the model knows it, and a log should not.

use super::place::{Kind, Place};
use super::{noun, pointer, sentence, suggest};
use crate::model::Problem;
use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// What is said of a float that is too large to stand for one integer.
pub(crate) const TOO_LARGE: &str = "Must be an integer; the float is too large to be exact, so write all digits.";

/// Whether a problem's code says that a name is not declared.
pub(crate) fn is_unknown_name(code: &str) -> bool {
    matches!(
        code,
        "unexpected_keyword_argument" | "extra_forbidden" | "additionalProperties" | "unevaluatedProperties"
    )
}

/// Adds the problems that one finding amounts to.
pub(crate) fn collect(error: &ValidationError<'_>, schema: &Value, problems: &mut Vec<Problem>) {
    let place = error.instance_path().as_str();
    match error.kind() {
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            if let Some(branch) = meant(context, place) {
                for inner in branch {
                    collect(inner, schema, problems);
                }
                return;
            }
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            let names = Place::at(schema, place).names();
            for name in unexpected {
                problems.push(unknown_name(place, name, error.kind().keyword(), &names));
            }
            return;
        }
        ValidationErrorKind::Required {
            property: Value::String(name),
        } => {
            problems.push(Problem {
                pointer: pointer::join(place, name),
                code: "required".to_owned(),
                message: format!("{name:?} is required."),
                suggestion: None,
            });
            return;
        }
        _ => {}
    }
    problems.push(Problem {
        pointer: place.to_owned(),
        code: error.kind().keyword().to_owned(),
        message: message(error, schema),
        suggestion: None,
    });
}

/// The problem of a name that is not declared.
pub(crate) fn unknown_name(parent: &str, name: &str, code: &str, declared: &[&str]) -> Problem {
    let suggestion = suggest::near(name, declared.iter().copied(), 1)
        .first()
        .map(|near| (*near).to_owned());
    let mut message = format!("{name:?} is not a parameter.");
    if let Some(near) = &suggestion {
        let _ = write!(message, " Did you mean {near:?}?");
    }
    if declared.is_empty() {
        message.push_str(" None are accepted.");
    } else {
        let _ = write!(message, " Accepted: {}.", declared.join(", "));
    }
    Problem {
        pointer: pointer::join(parent, name),
        code: code.to_owned(),
        message,
        suggestion,
    }
}

/// The one alternative that the value was surely meant for: its kind fits, and so do the constants that tell
/// alternatives apart.
fn meant<'e>(branches: &'e [Vec<ValidationError<'static>>], place: &str) -> Option<&'e [ValidationError<'static>]> {
    let right_kind: Vec<&[ValidationError<'static>]> = branches
        .iter()
        .map(Vec::as_slice)
        .filter(|errors| {
            !errors
                .iter()
                .any(|error| tells_apart(error) && error.instance_path().as_str() == place)
        })
        .collect();
    let right_constants = || {
        let mut branches = right_kind.iter().filter(|errors| {
            !errors.iter().any(|error| {
                matches!(
                    error.kind(),
                    ValidationErrorKind::Constant { .. } | ValidationErrorKind::Enum { .. }
                ) && pointer::split_last(error.instance_path().as_str()).is_some_and(|(parent, _)| parent == place)
            })
        });
        let first = branches.next()?;
        branches.next().is_none().then_some(*first)
    };
    match right_kind[..] {
        [only] => Some(only),
        [] => None,
        _ if is_choice_of_names(&right_kind, place) => None,
        _ => right_constants(),
    }
}

fn tells_apart(error: &ValidationError<'_>) -> bool {
    matches!(
        error.kind(),
        ValidationErrorKind::Type { .. }
            | ValidationErrorKind::Constant { .. }
            | ValidationErrorKind::Enum { .. }
            | ValidationErrorKind::FalseSchema
    )
}

/// Whether the alternatives differ in nothing but the names that must be given.
fn is_choice_of_names(branches: &[&[ValidationError<'static>]], place: &str) -> bool {
    branches.iter().all(|errors| {
        errors.iter().all(|error| {
            matches!(error.kind(), ValidationErrorKind::Required { .. }) && error.instance_path().as_str() == place
        })
    })
}

fn message(error: &ValidationError<'_>, schema: &Value) -> String {
    let keyword = error.kind().keyword();
    match error.kind() {
        ValidationErrorKind::Type { kind } => {
            format!("Must be {}, not {}.", expected(kind), Kind::of(error.instance()).noun())
        }
        ValidationErrorKind::FalseSchema => "Must not be given.".to_owned(),
        ValidationErrorKind::OneOfMultipleValid { .. } => rule(error, schema, keyword)
            .filter(|sentence| sentence.starts_with("Give "))
            .unwrap_or_else(|| "Fits more than one of the forms, and must fit exactly one.".to_owned()),
        ValidationErrorKind::AnyOf { .. } | ValidationErrorKind::OneOfNotValid { .. } => rule(error, schema, keyword)
            .filter(|sentence| sentence.starts_with("Give "))
            .unwrap_or_else(|| forms(error, schema, keyword)),
        ValidationErrorKind::BacktrackLimitExceeded { .. } | ValidationErrorKind::RegexEngineFailure { .. } => {
            "Cannot be matched against the pattern in reasonable time.".to_owned()
        }
        _ => rule(error, schema, keyword).unwrap_or_else(|| format!("Does not fit the rule {keyword:?}.")),
    }
}

/// The sentence for the keyword that the value broke.
fn rule(error: &ValidationError<'_>, schema: &Value, keyword: &str) -> Option<String> {
    sentence::for_keyword(keyword, holder(error, schema)?)
}

fn forms(error: &ValidationError<'_>, schema: &Value, keyword: &str) -> String {
    holder(error, schema)
        .and_then(|holder| holder.get(keyword))
        .map_or_else(
            || "Fits none of the accepted forms.".to_owned(),
            |branches| {
                let noun = noun::singular(&Value::Object(Map::from_iter([(keyword.to_owned(), branches.clone())])));
                format!("Must be {noun}.")
            },
        )
}

/// The schema object that holds the keyword.
fn holder<'s>(error: &ValidationError<'_>, schema: &'s Value) -> Option<&'s Map<String, Value>> {
    let (holder, _) = pointer::split_last(error.schema_path().as_str())?;
    schema.pointer(holder)?.as_object()
}

fn expected(kind: &TypeKind) -> String {
    let types = match kind {
        TypeKind::Single(kind) => Value::String(kind.to_string()),
        TypeKind::Multiple(kinds) => kinds.iter().map(|kind| kind.to_string()).collect(),
    };
    noun::singular(&Value::Object(Map::from_iter([("type".to_owned(), types)])))
}
