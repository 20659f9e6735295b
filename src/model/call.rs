//! Owns one request to run a tool.
//!
//! Must not validate: arguments stay text until the tool's own validator reads them.

use super::ToolName;
use serde_json::Value;

/// The arguments of a call, as JSON text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arguments(String);

impl Arguments {
    /// The JSON text; empty text and `null` mean no arguments.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The caller's id for it; the host makes one where it is absent.
    pub id: Option<String>,
    /// The tool's name.
    pub tool: ToolName,
    /// The arguments, as JSON text.
    pub arguments: Arguments,
}

impl Call {
    /// A call of `tool` with arguments as JSON text or a JSON value.
    #[must_use]
    pub fn new(tool: impl Into<ToolName>, arguments: impl Into<Arguments>) -> Self {
        Self {
            id: None,
            tool: tool.into(),
            arguments: arguments.into(),
        }
    }

    /// The same call under the caller's own id.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }
}
