//! Owns what a tool's dialect and options say about errors, rendering and time.
//!
//! The Python runtime decides these while it describes a tool; this side only reads them.

use serde::{Deserialize, Serialize};

/// How one tool's calls are judged and shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallPolicy {
    /// How a failure is written for the model.
    pub failure_style: FailureStyle,
    /// Which exceptions become failures.
    pub catch: CatchPolicy,
    /// The most characters of text, counted as code points; `None` is without limit.
    #[serde(default)]
    pub truncate: Option<usize>,
    /// The folder below the working directory for long output; `None` never offloads.
    #[serde(default)]
    pub offload: Option<String>,
    /// How long a call may take.
    #[serde(default)]
    pub timeout: TimeoutPolicy,
    /// Whether arguments are judged by the parameters schema here rather than by the tool's own Python validator.
    #[serde(default)]
    pub validate_by_schema: bool,
    /// Parameters that are declared under an alias: the name in Python and the alias in the schema.
    #[serde(default)]
    pub aliases: Vec<(String, String)>,
}

/// How a failure is written for the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureStyle {
    /// Compact JSON: `{"error":{"kind":…,"type":…,"message":…}}`.
    Json,
    /// `<error type="T">message</error>`, as dreadnode and rigging write it.
    ErrorElement,
    /// `{"error": message, "code": code}`, as dendrux writes it.
    ErrorCode,
    /// The message alone, as a server wrote it.
    Message,
}

impl FailureStyle {
    /// Whether the dialect's own validator says in its own words what is wrong with arguments.
    #[must_use]
    pub const fn words_refusals(self) -> bool {
        matches!(self, Self::ErrorCode)
    }
}

/// Which exceptions become failures rather than errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CatchPolicy {
    /// Every `Exception`.
    All,
    /// Those that the tool lists, and what is wrong with arguments.
    Listed,
    /// None, not even what is wrong with arguments.
    None,
}

/// How long a call may take.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeoutPolicy {
    /// As long as the host's limits say.
    #[default]
    Host,
    /// As long as it likes.
    Unlimited,
    /// This many seconds.
    Seconds(f64),
}
