//! Owns what happens in a process that a tool forked: it has the tool's thread and nothing else of the host, so it must
//! never go on as the host.
#![expect(unsafe_code, reason = "a forked child may only leave through the system")]

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyCFunction;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

static IS_CHILD: AtomicBool = AtomicBool::new(false);
static IS_WATCHED: AtomicBool = AtomicBool::new(false);

/// Has Python tell of every fork.
///
/// # Errors
/// What Python raises.
pub fn watch(py: Python<'_>) -> PyResult<()> {
    if IS_WATCHED.swap(true, Ordering::AcqRel) {
        return Ok(());
    }
    let note = PyCFunction::new_closure(py, None, None, |_, _| IS_CHILD.store(true, Ordering::Release))?;
    let keywords = pyo3::types::PyDict::new(py);
    keywords.set_item(intern!(py, "after_in_child"), note)?;
    py.import("os")?
        .call_method(intern!(py, "register_at_fork"), (), Some(&keywords))
        .map(drop)
}

/// Whether this process was forked from the host's.
pub fn is_child() -> bool {
    IS_CHILD.load(Ordering::Acquire)
}

/// Ends a forked process whose part of the tool is done: its caller waits in another process.
pub fn leave_if_child() {
    if is_child() {
        // SAFETY: ends the process at once, without running what belongs to the host.
        unsafe { libc::_exit(0) };
    }
}

/// Writes what a forked process says to its standard error: its call is in another process.
pub fn write(text: &str) -> PyResult<()> {
    io::stderr().write_all(text.as_bytes()).map_err(Into::into)
}
