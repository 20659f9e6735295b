//! Owns the resolved choices that a host lives by.

use crate::model::Limits;
use crate::output::Masker;
use std::path::PathBuf;

/// The resolved choices of a host.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The bounds on its calls.
    pub limits: Limits,
    /// The folder below which long output is kept.
    pub working_directory: PathBuf,
    /// What hides secrets in failures.
    pub masker: Masker,
}
