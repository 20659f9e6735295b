//! Owns one request to run a tool, and the error of one that cannot be read.
//!
//! Must not validate: arguments stay text until the tool's own validator reads them.

use super::{Progress, ProgressSink, Provider, Ticket, ToolName};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// The arguments of a call, as JSON text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arguments(String);

impl Arguments {
    /// The JSON text; empty text and `null` mean no arguments.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The JSON text, given away.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

impl From<&str> for Arguments {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl From<String> for Arguments {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&Value> for Arguments {
    fn from(value: &Value) -> Self {
        Self(value.to_string())
    }
}

impl From<Value> for Arguments {
    fn from(value: Value) -> Self {
        Self(value.to_string())
    }
}

/// One request to run a tool.
#[derive(Clone)]
pub struct Call {
    /// The caller's id for it; the host makes one where it is absent.
    pub id: Option<String>,
    /// The tool's name.
    pub tool: ToolName,
    /// The arguments, as JSON text.
    pub arguments: Arguments,
    /// What the caller wants the tool to see of its surroundings, such as a Python caller's context variables.
    pub context: Option<Ticket>,
    /// Who is told how far the tool has come.
    pub progress: Option<ProgressSink>,
}

impl Call {
    /// A call of `tool` with arguments as JSON text or a JSON value.
    #[must_use]
    pub fn new(tool: impl Into<ToolName>, arguments: impl Into<Arguments>) -> Self {
        Self {
            id: None,
            tool: tool.into(),
            arguments: arguments.into(),
            context: None,
            progress: None,
        }
    }

    /// The same call under the caller's own id.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// The same call, with somebody who is told how far the tool has come, on the tool's own thread.
    #[must_use]
    pub fn on_progress(mut self, sink: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        self.progress = Some(Arc::new(sink));
        self
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The arguments are the model's and never go to a log.
        formatter
            .debug_struct("Call")
            .field("id", &self.id)
            .field("tool", &self.tool)
            .finish_non_exhaustive()
    }
}

/// Something is not what a provider's models answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this is no answer from {provider}: {reason}")]
pub struct UnreadableAnswer {
    /// Whose answer it should have been.
    pub provider: Provider,
    /// What is wrong with it.
    pub reason: String,
}
