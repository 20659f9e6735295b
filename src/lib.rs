//! pegboard hosts Python tools for agents from Rust.

pub mod capability;
mod diagnostic;
mod error;
mod model;
pub mod output;
mod runner;

pub use diagnostic::{Diagnostic, DiagnosticCode, Report, Severity};
pub use error::{Error, Result};
pub use model::*;
