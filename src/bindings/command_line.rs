//! Owns the entry of the wheel's console script into the command line.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command line, whose first word is the program's name, and leaves the process with its status.
///
/// It never comes back, because coming back would need the interpreter lock, which a tool may hold for good. SIGINT has to
/// be the system's before.
#[pyfunction]
#[expect(clippy::exit, reason = "finalising Python would wait for threads that tools hold")]
pub fn run_cli(py: Python<'_>, arguments: Vec<OsString>) {
    py.detach(|| std::process::exit(crate::cli::run(arguments)));
}
