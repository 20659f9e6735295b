//! Owns what a model is shown of a tool, and where the tool came from.
//!
//! Must not hold anything that runs the tool: that stays with the runner.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::PathBuf;

/// A tool's real name: what its author called it, not what a provider accepts.
pub type ToolName = String;

/// A tool as a model is shown it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolDefinition {
    /// The tool's real name.
    pub name: ToolName,
    /// The text for the model; empty when the author wrote none.
    pub description: String,
    /// The JSON Schema of the arguments; its root is an object.
    pub parameters_schema: Value,
    /// The JSON Schema of the value, where the return type is known.
    ///
    /// It is what the author declares. A call's value is not held to it: the value decides what a model is shown, and
    /// return hints in existing files are often narrower than what their tools return. Who publishes the schema to a
    /// client that checks it has to check the structured value first.
    #[serde(default)]
    pub output_schema: Option<Value>,
    /// Where the tool came from.
    pub source: ToolSource,
    /// How the tool wants to be called.
    #[serde(default)]
    pub flags: ToolFlags,
}

/// Where a tool came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolSource {
    /// The file that defines it; absent for a tool of a server.
    #[serde(default)]
    pub path: Option<PathBuf>,
    /// The line of its definition, from 1.
    #[serde(default)]
    pub line: Option<u32>,
    /// What the file was written for: `pegboard`, `dreadnode`, `rigging`, `dendrux`, …
    pub dialect: String,
    /// The class of the toolset that it belongs to.
    #[serde(default)]
    pub toolset: Option<String>,
    /// The MCP server that has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
}

/// How a tool wants to be called.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ToolFlags {
    /// Whether the function is a coroutine function or an async generator function.
    pub asynchronous: bool,
    /// Whether calls of one run may overlap with others.
    pub parallel: bool,
    /// How many calls of it one run may make.
    pub max_calls_per_run: Option<u32>,
    /// Whether the author asked for strict schemas.
    pub strict: bool,
    /// Who executes it.
    pub target: ToolTarget,
    /// What MCP clients are told of the tool's effects, in the protocol's own words: `title`, `readOnlyHint` and so on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Map<String, Value>>,
}

impl Default for ToolFlags {
    fn default() -> Self {
        Self {
            asynchronous: false,
            parallel: true,
            max_calls_per_run: None,
            strict: false,
            target: ToolTarget::Server,
            annotations: None,
        }
    }
}

/// Who executes a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolTarget {
    /// The host.
    #[default]
    Server,
    /// The application; the host hands the call back as pending.
    Client,
}
