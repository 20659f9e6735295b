//! Owns what Python sees of the host: the native module `pegboard._native`.
//!
//! One file per class, every class frozen. No logic: a class turns Python values into plain data, calls the host while
//! detached, and turns the answer back.

mod answer;
mod arguments;
mod bridge;
mod call;
mod closing;
mod command_line;
mod definition;
mod diagnostic;
mod exceptions;
mod export;
mod failure;
mod health;
mod host;
mod json;
mod options;
mod outcome;
mod outcome_parts;
mod reactor;
mod run;
mod wait;

use pyo3::prelude::*;

/// The native part of pegboard.
#[pymodule(name = "_native")]
mod native {
    #[pymodule_export]
    use super::bridge::{Bridge, Deferred};
    #[pymodule_export]
    use super::call::Call;
    #[pymodule_export]
    use super::command_line::run_cli;
    #[pymodule_export]
    use super::definition::{ToolDefinition, ToolSource};
    #[pymodule_export]
    use super::diagnostic::Diagnostic;
    #[pymodule_export]
    use super::export::{Export, ExportNote};
    #[pymodule_export]
    use super::failure::{Failure, Problem};
    #[pymodule_export]
    use super::health::CapabilityHealth;
    #[pymodule_export]
    use super::host::Host;
    #[pymodule_export]
    use super::outcome::Outcome;
    #[pymodule_export]
    use super::outcome_parts::{LogLine, Offload, Repair, Truncation};
    #[pymodule_export]
    use super::run::{PendingCall, Run};

    /// The version of the native part, which is the package's.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
