//! pegboard hosts Python tools for agents from Rust: it loads tool files unchanged, describes them to a model and runs them.

mod bindings;
#[doc(hidden)]
pub mod capability;
pub mod cli;
mod diagnostic;
mod error;
mod host;
mod interp;
mod model;
#[doc(hidden)]
pub mod output;
mod remote;
mod runner;
mod schema;
pub mod serve;

pub use capability::{CheckOutcome, Dependencies, Flag, FlagDeclaration, FlagLayer, Secret};
pub use diagnostic::{Diagnostic, DiagnosticCode, Report, Severity};
pub use error::{Error, ErrorDetails, Result};
pub use host::{
    CapabilityHealth, CapabilityServer, CapabilityTool, HealthStatus, Host, HostBuilder, PendingCall, Reloaded, Run,
    RunResult, Watching,
};
pub use model::*;
pub use output::FailureDetail;
pub use runner::{CatchDefault, Compat};
pub use schema::{WireNames, export, refusals, wire_names};
