//! Owns the pegboard dialect's failure text: `{"error":{"kind":…,"type":…,"message":…}}`, compact and unescaped.

use crate::model::{Failure, FailureKind, Problem};
use serde::Serialize;

#[derive(Serialize)]
struct Envelope<'a> {
    error: Body<'a>,
}

#[derive(Serialize)]
struct Body<'a> {
    kind: FailureKind,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    exception_type: Option<&'a str>,
    message: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    problems: &'a [Problem],
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    still_running: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
}

pub(super) fn write(failure: &Failure, message: &str, whole: bool) -> String {
    let envelope = Envelope {
        error: Body {
            kind: failure.kind,
            exception_type: failure.exception_type.as_deref(),
            message,
            problems: if whole { &failure.problems } else { &[] },
            exit_code: failure.exit_code,
            still_running: failure.still_running.then_some(true),
            hint: failure.hint.as_deref().filter(|_| whole),
        },
    };
    // Names, numbers and texts only: there is nothing in it that JSON cannot say.
    serde_json::to_string(&envelope).unwrap_or_default()
}
