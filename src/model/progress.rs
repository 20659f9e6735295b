//! Owns how a running tool says how far it has come.

use std::fmt;
use std::sync::Arc;

/// How far a tool has come, in units of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// What is done.
    pub done: f64,
    /// What there is to do, if the tool knows.
    pub total: Option<f64>,
    /// What it is doing.
    pub message: Option<String>,
}

impl fmt::Display for Progress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "progress {}", self.done)?;
        if let Some(total) = self.total {
            write!(formatter, "/{total}")?;
        }
        if let Some(message) = &self.message {
            write!(formatter, ": {message}")?;
        }
        Ok(())
    }
}

/// Who is told; called on the thread of the tool, so it must return at once.
pub type ProgressSink = Arc<dyn Fn(&Progress) + Send + Sync>;
