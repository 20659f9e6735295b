//! Owns what is said about describing tools to a model's provider.
//!
//! Must not know any provider's rules: those stand in `schema/provider/`.

use super::ToolName;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::str::FromStr;

/// Whose request shape tools are described in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Provider {
    /// `OpenAI`'s Chat Completions.
    #[serde(rename = "openai")]
    OpenAi,
    /// `OpenAI`'s Responses.
    #[serde(rename = "openai-responses")]
    OpenAiResponses,
    /// Anthropic's Messages.
    Anthropic,
    /// Google's Gemini, `generateContent`.
    Gemini,
    /// Amazon Bedrock's Converse.
    Bedrock,
    /// The Model Context Protocol, `tools/list`.
    Mcp,
}

impl Provider {
    /// Every provider, for tables and tests.
    pub const ALL: [Self; 6] = [
        Self::OpenAi,
        Self::OpenAiResponses,
        Self::Anthropic,
        Self::Gemini,
        Self::Bedrock,
        Self::Mcp,
    ];

    /// The stable name, as on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::OpenAiResponses => "openai-responses",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Bedrock => "bedrock",
            Self::Mcp => "mcp",
        }
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl FromStr for Provider {
    type Err = UnknownProvider;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|provider| provider.as_str() == name)
            .ok_or_else(|| UnknownProvider { name: name.to_owned() })
    }
}

/// There is no provider of that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no provider named {name:?}; the names are {}", Provider::ALL.map(Provider::as_str).join(", "))]
pub struct UnknownProvider {
    /// The name that was asked for.
    pub name: String,
}

/// When a tool is described as strict: the provider then lets the model write nothing that does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strictness {
    /// Where the tool's author asked for it and its schema allows it.
    #[default]
    AsDeclared,
    /// Wherever a tool's schema allows it.
    WherePossible,
    /// Everywhere; a schema that does not allow it is an error.
    Required,
}

/// How tools are described.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExportOptions {
    /// When a tool is described as strict.
    pub strict: Strictness,
    /// Whether `$ref` and `$defs` stay where the provider's own rules allow them, for clients known to resolve them.
    pub keep_references: bool,
    /// Whether the schemas of MCP servers' tools are adapted like all others instead of being passed on unchanged.
    pub adapt_mcp: bool,
}

/// Tools as one provider takes them, and what had to be changed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Export {
    /// The value of the provider's `tools`.
    pub tools: Vec<Value>,
    /// What was changed, and why.
    pub notes: Vec<ExportNote>,
}

/// One finding while exporting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportNote {
    /// The tool's real name.
    pub tool: ToolName,
    /// Where, as a JSON Pointer into the parameters schema with its references written out; empty for the whole tool.
    pub pointer: String,
    /// What was done.
    pub change: ExportChange,
    /// What was done and why, in one line that names the place.
    pub reason: String,
}

impl fmt::Display for ExportNote {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.tool, self.reason)
    }
}

/// What a provider would refuse about a schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// Where, as a JSON Pointer into the schema.
    pub pointer: String,
    /// What is wrong there, in a few words.
    pub reason: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pointer.is_empty() {
            write!(formatter, "the schema {}", self.reason)
        } else {
            write!(formatter, "{} {}", self.pointer, self.reason)
        }
    }
}

/// What was done to a tool while exporting it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ExportChange {
    /// A rule that the provider cannot express became a sentence of the description. Calls are still held to it.
    Moved,
    /// A rule was written in other keywords, which say the same or less. Calls are still held to it.
    Replaced,
    /// Something that the provider does not accept was left out. Calls are still held to it if it is a rule.
    Dropped,
    /// A name was rewritten. Calls under either name are understood.
    Renamed,
    /// A text was cut to the provider's limit.
    Shortened,
    /// The tool could not be described as strict.
    NotStrict,
    /// The tool goes out as it is, although the provider may refuse it.
    Unchanged,
    /// The tool cannot be described to this provider and is not among the exported ones.
    LeftOut,
}

impl ExportChange {
    /// The stable name, as in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Moved => "moved",
            Self::Replaced => "replaced",
            Self::Dropped => "dropped",
            Self::Renamed => "renamed",
            Self::Shortened => "shortened",
            Self::NotStrict => "not_strict",
            Self::Unchanged => "unchanged",
            Self::LeftOut => "left_out",
        }
    }

    /// What the change makes of the tool: one that only lacks strictness still goes out.
    #[must_use]
    pub const fn acceptance(self) -> Acceptance {
        match self {
            Self::Moved | Self::Replaced | Self::Dropped | Self::Renamed | Self::Shortened | Self::NotStrict => {
                Acceptance::Changed
            }
            Self::Unchanged | Self::LeftOut => Acceptance::Impossible,
        }
    }
}

/// What a provider accepts of one tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Acceptance {
    /// The tool goes out saying what its author wrote.
    Accepted,
    /// The tool goes out with what the notes tell changed.
    Changed,
    /// The provider would refuse the tool, or it cannot be described to it.
    Impossible,
}

impl Acceptance {
    /// The stable name, as in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Changed => "changed",
            Self::Impossible => "impossible",
        }
    }
}
