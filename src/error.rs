//! Owns the crate's error type: what went wrong on the side of the host's owner.
//!
//! A tool that ran and failed is not an error but an [`Outcome`](crate::Outcome) with a failure, and a finding while
//! loading is a [`Diagnostic`](crate::Diagnostic). Nothing here may know Python, and nothing may decide by message text.

use crate::diagnostic::Diagnostic;
use crate::model::{Failure, LogLine, Ticket};
use serde::Serialize;
use std::path::PathBuf;

/// The result of the crate's operations.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What the owner of a host has to act on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No tool of that name is in the catalog.
    #[error("there is no tool named {name:?}{}", suggestion(near))]
    UnknownTool {
        /// The name that was asked for.
        name: String,
        /// Names in the catalog that look alike, best first.
        near: Vec<String>,
    },
    /// The tool is written down in a file, but it was not loaded.
    #[error("the tool {name:?} was not loaded: {diagnostic}")]
    ToolNotLoaded {
        /// The name that was asked for.
        name: String,
        /// Why it was left out, and where.
        diagnostic: Box<Diagnostic>,
    },
    /// A source cannot be read at all.
    #[error("cannot read the source {}: {reason}", path.display())]
    Source {
        /// The source as it was given.
        path: PathBuf,
        /// What is wrong with it and what to do.
        reason: String,
    },
    /// A setting has a value that cannot be used.
    #[error("the setting {setting} is not usable: {reason}")]
    Setting {
        /// The setting's name.
        setting: &'static str,
        /// What is wrong with it and what to do.
        reason: String,
    },
    /// Python cannot be started or adopted.
    #[error("cannot start Python: {reason}")]
    Interpreter {
        /// What is wrong and what to do.
        reason: String,
    },
    /// The tool raised what its own policy does not catch, so the turn is over.
    #[error("the tool {tool:?} aborted the call: {failure}")]
    Aborted {
        /// The tool's name.
        tool: String,
        /// The same detail that a caught exception would carry.
        failure: Box<Failure>,
        /// The exception object itself, for a caller that is Python.
        exception: Option<Ticket>,
        /// What the tool wrote before.
        logs: Vec<LogLine>,
    },
    /// No call of that id waits for a result from the application.
    #[error("no call with the id {call_id:?} waits for a result")]
    UnknownCall {
        /// The id that was given.
        call_id: String,
    },
    /// The host was closed before the call.
    #[error("the host is closed")]
    Closed,
    /// A fault of pegboard itself.
    #[error("internal fault: {0}")]
    Internal(String),
}

impl Error {
    /// A stable code in snake case, the same in every door.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::UnknownTool { .. } => "unknown_tool",
            Self::ToolNotLoaded { .. } => "tool_not_loaded",
            Self::Source { .. } => "source",
            Self::Setting { .. } => "setting",
            Self::Interpreter { .. } => "interpreter",
            Self::Aborted { .. } => "aborted",
            Self::UnknownCall { .. } => "unknown_call",
            Self::Closed => "closed",
            Self::Internal(_) => "internal",
        }
    }

    /// What the error knows beyond its message, as it stands in JSON.
    #[must_use]
    pub fn details(&self) -> ErrorDetails<'_> {
        let mut details = ErrorDetails::default();
        match self {
            Self::UnknownTool { near, .. } => details.near = Some(near),
            Self::ToolNotLoaded { diagnostic, .. } => details.diagnostic = Some(diagnostic),
            Self::Aborted { failure, logs, .. } => {
                details.failure = Some(failure);
                details.logs = Some(logs);
            }
            _ => {}
        }
        details
    }
}

/// What an error knows beyond its message; what it does not know is left out in JSON.
#[derive(Debug, Default, Serialize)]
pub struct ErrorDetails<'a> {
    /// Names that look like the one that was asked for, best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near: Option<&'a [String]>,
    /// Why a tool was left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagnostic: Option<&'a Diagnostic>,
    /// What the tool raised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<&'a Failure>,
    /// What the tool wrote before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logs: Option<&'a [LogLine]>,
}

fn suggestion(near: &[String]) -> String {
    match near {
        [] => String::new(),
        [only] => format!("; did you mean {only:?}?"),
        several => format!(
            "; did you mean one of {}?",
            several
                .iter()
                .map(|name| format!("{name:?}"))
                .collect::<Vec<_>>()
                .join(", ")
        ),
    }
}
