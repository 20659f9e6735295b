//! Owns what is said about loading: one finding is a [`Diagnostic`], all findings of a load are a [`Report`].
//!
//! Must not print and must not know where a finding came from: the Python runtime sends its findings in this same shape.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;

/// How much a finding costs the author.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing; nothing was lost.
    Info,
    /// Something works less well than its author meant.
    Warning,
    /// A file, class or tool was not loaded.
    Error,
}

/// What kind of finding it is: a closed list of stable names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DiagnosticCode {
    /// The file is not valid Python.
    SyntaxError,
    /// The file, or a module that it imports, raised while it was imported.
    ImportFailed,
    /// The file needs a package that the chosen Python does not have.
    MissingDependency,
    /// The file left the process (`SystemExit` or the like) while it was imported.
    ExitedAtImport,
    /// The file's import did not end within the limit.
    ImportTimedOut,
    /// The file cannot be read as UTF-8 text, or at all.
    FileUnreadable,
    /// The file holds no tool.
    NoTools,
    /// The source holds no tool file.
    EmptySource,
    /// The source holds more tool files than the limit.
    TooManyFiles,
    /// A listed path does not exist.
    PathMissing,
    /// A listed path leaves its capability.
    PathOutside,
    /// A file in `tools/` that an explicit list leaves out.
    FileNotListed,
    /// The capability's manifest cannot be used.
    ManifestInvalid,
    /// Two capabilities have one name; the first is loaded.
    DuplicateCapability,
    /// A secret that a capability needs is not set.
    SecretMissing,
    /// A check of a capability failed: its environment is not as it needs it.
    CheckFailed,
    /// A flag was turned that no loaded capability has.
    FlagUnknown,
    /// A rule about tools keeps this one from being offered.
    ToolExcluded,
    /// A rule about tools matches none.
    RuleUnmatched,
    /// A `Toolset` class raised when it was built.
    ToolsetNotBuilt,
    /// A `Toolset` class needs values for the named fields.
    ToolsetFieldRequired,
    /// A tool's parameters cannot be described.
    SignatureRejected,
    /// A parameter's type names something that does not exist.
    ParameterUnresolved,
    /// The return type names something that does not exist; the tool has no output schema.
    ReturnUnresolved,
    /// A tool has a declared option with an unusable name or value.
    OptionInvalid,
    /// A tool's name cannot be used.
    NameInvalid,
    /// Two tools have one name; the first in sorted order is offered.
    DuplicateTool,
    /// A decorator stands where it does nothing, such as on a method of a plain class.
    DecoratorMisplaced,
    /// A tool that the file only imports from an installed package is not offered.
    ImportedToolSkipped,
    /// The file changed the process: working directory, signal handlers, `sys.path`.
    ProcessChanged,
    /// The file ran a package installer while it was imported.
    InstallAtImport,
    /// A toolset or tool could not be closed in good order.
    CloseFailed,
    /// The event loop was blocked by a tool.
    LoopBlocked,
    /// An MCP server did not start; none of its tools is offered.
    ServerNotStarted,
    /// An MCP server ended; its tools are still offered.
    ServerDied,
    /// A tool of an MCP server, or its schema, is not as the protocol asks.
    ServerToolInvalid,
}

/// One finding about a source, a file, a class or a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// The kind of finding.
    pub code: DiagnosticCode,
    /// How much it costs.
    pub severity: Severity,
    /// One sentence that names the thing.
    pub message: String,
    /// The file or folder it is about.
    #[serde(default)]
    pub path: Option<PathBuf>,
    /// The line, from 1.
    #[serde(default)]
    pub line: Option<u32>,
    /// What to do about it.
    #[serde(default)]
    pub hint: Option<String>,
    /// The names of the tools that are missing because of it, as far as the text tells.
    #[serde(default)]
    pub tools: Vec<String>,
}

impl Diagnostic {
    /// A finding without a place.
    #[must_use]
    pub fn new(code: DiagnosticCode, severity: Severity, message: impl Into<String>) -> Self {
        Self {
            code,
            severity,
            message: message.into(),
            path: None,
            line: None,
            hint: None,
            tools: Vec::new(),
        }
    }

    /// The same finding with the file or folder that it is about.
    #[must_use]
    pub fn at(mut self, path: impl Into<PathBuf>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// The same finding with advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(formatter, "{}", path.display())?;
            if let Some(line) = self.line {
                write!(formatter, ":{line}")?;
            }
            formatter.write_str(": ")?;
        }
        formatter.write_str(&self.message)
    }
}

/// Everything that was found during one load.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The findings, in the order of sources and files.
    pub diagnostics: Vec<Diagnostic>,
}

impl Report {
    /// Whether anything was not loaded.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// How many findings have this severity.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity == severity)
            .count()
    }
}
