//! pegboard hosts Python tools for agents from Rust.

mod diagnostic;
mod error;
mod model;
mod runner;
mod schema;

pub use diagnostic::{Diagnostic, DiagnosticCode, Report, Severity};
pub use error::{Error, Result};
pub use model::*;
pub use schema::{WireNames, export, refusals, wire_names};
