//! Owns why a command did not do what was asked, and whose fault that is.
//!
//! Must not print: see `report.rs`.

use super::exit_status::{ExitStatus, Signal};
use crate::error::Error;
use std::io;

/// The result of a command's stages.
pub type CommandResult<T> = Result<T, CommandError>;

/// Why a command did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The host says so.
    #[error(transparent)]
    Host(#[from] Error),
    /// The words of the command line do not go together.
    #[error("{message}")]
    Misuse {
        /// What is wrong.
        message: String,
        /// What to write instead.
        hint: String,
    },
    /// A file or stream that the user named cannot be used.
    #[error("{message}")]
    Input {
        /// What is wrong.
        message: String,
        /// What the system says.
        #[source]
        source: Option<io::Error>,
        /// What to do.
        hint: Option<String>,
    },
    /// The answer cannot be written.
    #[error("cannot write the answer")]
    Output(#[source] io::Error),
    /// The process cannot be prepared.
    #[error("cannot prepare the process")]
    Process(#[source] io::Error),
    /// A signal came.
    #[error("interrupted")]
    Signal(Signal),
}

impl CommandError {
    /// The number that the command ends with.
    pub fn status(&self) -> ExitStatus {
        match self {
            Self::Host(error) => match error {
                Error::UnknownTool { .. }
                | Error::ToolNotLoaded { .. }
                | Error::Source { .. }
                | Error::Aborted { .. } => ExitStatus::Failure,
                Error::Setting { .. } | Error::Interpreter { .. } => ExitStatus::Misuse,
                Error::UnknownCall { .. } | Error::Closed | Error::Internal(_) => ExitStatus::Fault,
            },
            Self::Misuse { .. } => ExitStatus::Misuse,
            Self::Input { .. } => ExitStatus::Failure,
            // Whoever read the answer has seen enough.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitStatus::Success,
            Self::Output(_) | Self::Process(_) => ExitStatus::Fault,
            Self::Signal(signal) => ExitStatus::Signal(*signal),
        }
    }

    /// A stable code in snake case for the JSON format.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Host(error) => error.code(),
            Self::Misuse { .. } => "misuse",
            Self::Input { .. } => "input",
            Self::Output(_) => "output",
            Self::Process(_) => "process",
            Self::Signal(_) => "signal",
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Host(Error::UnknownTool { near, .. }) if near.is_empty() => {
                Some("`pegboard list` shows the tools of a source".to_owned())
            }
            Self::Host(Error::ToolNotLoaded { diagnostic, .. }) => diagnostic.hint.clone(),
            Self::Host(Error::Aborted { failure, .. }) => failure.hint.clone(),
            Self::Host(Error::Interpreter { .. }) => {
                Some("`pegboard doctor` tells which Python is chosen, and why; `--python` names another".to_owned())
            }
            Self::Misuse { hint, .. } => Some(hint.clone()),
            Self::Input { hint, .. } => hint.clone(),
            Self::Host(_) | Self::Output(_) | Self::Process(_) | Self::Signal(_) => None,
        }
    }
}
