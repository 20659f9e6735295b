//! Owns what a model is told when a call yields no value.
//!
//! A failure is data, never an `Err`: see `error.rs` for what the host's owner has to act on.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Why a call yielded no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FailureKind {
    /// The arguments are not a JSON object.
    InvalidJson,
    /// The arguments do not fit the parameters.
    InvalidArguments,
    /// The tool raised.
    Raised,
    /// The tool did not end in time.
    TimedOut,
    /// The call was cancelled.
    Cancelled,
    /// The tool tried to leave the process.
    Exited,
    /// The process that ran the tool died.
    Crashed,
    /// The tool returned what cannot be written as JSON.
    NotSerializable,
    /// A limit of the run or the host was reached.
    LimitReached,
}

impl FailureKind {
    /// The stable name, as in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidJson => "invalid_json",
            Self::InvalidArguments => "invalid_arguments",
            Self::Raised => "raised",
            Self::TimedOut => "timed_out",
            Self::Cancelled => "cancelled",
            Self::Exited => "exited",
            Self::Crashed => "crashed",
            Self::NotSerializable => "not_serializable",
            Self::LimitReached => "limit_reached",
        }
    }

    /// Every kind, for tables and tests.
    pub const ALL: [Self; 9] = [
        Self::InvalidJson,
        Self::InvalidArguments,
        Self::Raised,
        Self::TimedOut,
        Self::Cancelled,
        Self::Exited,
        Self::Crashed,
        Self::NotSerializable,
        Self::LimitReached,
    ];
}

/// One thing that is wrong with the arguments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Where, as a JSON Pointer (RFC 6901) into the arguments; empty for the whole.
    pub pointer: String,
    /// What kind, in the validator's own stable words: pydantic's error type or JSON Schema's keyword.
    pub code: String,
    /// One sentence for the model.
    pub message: String,
    /// A declared name that looks like the unknown one at `pointer`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
}

/// What a model is told when a call yields no value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Why.
    pub kind: FailureKind,
    /// The class of the Python exception, without its module.
    #[serde(default)]
    pub exception_type: Option<String>,
    /// One or more sentences for the model.
    pub message: String,
    /// The exceptions that led to this one, outermost first, each as `Type: message`.
    #[serde(default)]
    pub cause_chain: Vec<String>,
    /// The Python traceback, for the owner's log and never for the model.
    #[serde(default)]
    pub traceback: Option<String>,
    /// Everything that is wrong with the arguments.
    #[serde(default)]
    pub problems: Vec<Problem>,
    /// The status that the tool tried to leave the process with.
    #[serde(default)]
    pub exit_code: Option<i32>,
    /// Whether the tool's code goes on running although the call is over.
    #[serde(default)]
    pub still_running: bool,
    /// What the author or the model can do about it.
    #[serde(default)]
    pub hint: Option<String>,
}

impl Failure {
    /// A failure with nothing but its kind and a message.
    #[must_use]
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            exception_type: None,
            message: message.into(),
            cause_chain: Vec::new(),
            traceback: None,
            problems: Vec::new(),
            exit_code: None,
            still_running: false,
            hint: None,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.exception_type {
            Some(name) if self.message.is_empty() => formatter.write_str(name),
            Some(name) => write!(formatter, "{name}: {}", self.message),
            None => formatter.write_str(&self.message),
        }
    }
}
