//! Owns how errors and failures are told to the user: what happened, why, and what to do.
//!
//! Must not print and must not choose an exit status.

use super::diagnostics;
use super::error::CommandError;
use super::paint::{Paint, visible};
use crate::error::{Error, ErrorDetails};
use crate::model::{Failure, FailureKind, LogLine, LogStream};
use serde::Serialize;
use std::error::Error as _;
use std::fmt::Write as _;

/// What the JSON format answers in place of a document.
#[derive(Serialize)]
pub struct ErrorDocument<'a> {
    error: ErrorBody<'a>,
}

#[derive(Serialize)]
struct ErrorBody<'a> {
    code: &'static str,
    message: String,
    hint: Option<String>,
    #[serde(flatten)]
    details: ErrorDetails<'a>,
}

impl<'a> ErrorDocument<'a> {
    /// The document of an error.
    pub fn new(error: &'a CommandError) -> Self {
        let details = match error {
            CommandError::Host(error) => error.details(),
            _ => ErrorDetails::default(),
        };
        Self {
            error: ErrorBody {
                code: error.code(),
                message: error.to_string(),
                hint: error.hint(),
                details,
            },
        }
    }
}

/// The error in lines.
pub fn error(error: &CommandError, paint: Paint) -> String {
    match error {
        CommandError::Host(Error::Aborted {
            tool, failure: reason, ..
        }) => return failure(tool, reason, paint),
        CommandError::Host(Error::ToolNotLoaded { name, diagnostic }) => {
            let head = format!("the tool {name:?} was not loaded, because:");
            return format!(
                "{} {}\n{}",
                paint.error("error:"),
                visible(&head),
                diagnostics::shown(diagnostic, paint).trim_end_matches('\n')
            );
        }
        _ => {}
    }
    let mut text = headed(paint, &error.to_string());
    let mut cause = error.source();
    while let Some(inner) = cause {
        let _ = writeln!(text, "  caused by: {}", visible(&inner.to_string()));
        cause = inner.source();
    }
    add_hint(&mut text, error.hint().as_deref(), paint);
    text
}

/// A failed call in lines.
pub fn failure(tool: &str, failure: &Failure, paint: Paint) -> String {
    let mut text = match failure.kind {
        FailureKind::InvalidJson => headed(
            paint,
            &format!("the arguments of the tool {tool:?} are not a JSON object"),
        ),
        FailureKind::InvalidArguments => headed(
            paint,
            &format!("the arguments of the tool {tool:?} do not fit its parameters"),
        ),
        _ => headed(paint, &format!("the tool {tool:?} failed: {failure}")),
    };
    if failure.kind == FailureKind::InvalidArguments && failure.problems.is_empty() {
        let _ = writeln!(text, "  {}", visible(&failure.message));
    }
    for problem in &failure.problems {
        let place = if problem.pointer.is_empty() {
            String::new()
        } else {
            format!("{}: ", problem.pointer)
        };
        let line = format!("  {place}{}", problem.message);
        let _ = writeln!(text, "{}", visible(&line));
    }
    for cause in &failure.cause_chain {
        let _ = writeln!(text, "  caused by: {}", visible(cause));
    }
    if let Some(traceback) = &failure.traceback {
        for line in visible(traceback.trim_end()).lines() {
            let _ = writeln!(text, "{}", paint.faint(&format!("  {line}")));
        }
    }
    add_hint(&mut text, failure.hint.as_deref(), paint);
    text
}

/// What a tool wrote, in lines.
pub fn logs(logs: &[LogLine], paint: Paint) -> String {
    let mut text = String::new();
    for line in logs {
        let stream = match line.stream {
            LogStream::Stdout => "stdout",
            LogStream::Stderr => "stderr",
            LogStream::Log => "log",
            LogStream::Host => "pegboard",
        };
        let _ = writeln!(text, "{} {}", paint.faint(&format!("{stream}:")), visible(&line.text));
    }
    text
}

fn headed(paint: Paint, message: &str) -> String {
    format!("{} {}\n", paint.error("error:"), visible(message))
}

fn add_hint(text: &mut String, hint: Option<&str>, paint: Paint) {
    if let Some(hint) = hint {
        let _ = writeln!(text, "  {} {}", paint.note("hint:"), visible(hint));
    }
}
