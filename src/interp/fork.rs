//! Owns what happens in a process that was forked from the host's: it has one thread and nothing else of the host, so it
//! must never go on as the host.
//!
//! A tool that forks may do there what it likes until its part is done. Whoever else forks keeps his process, but not hosts.
#![expect(unsafe_code, reason = "a forked child may only leave through the system")]

use crate::error::Error;
use pyo3::exceptions::PySystemExit;
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

/// Refuses what only the host's own process can do.
///
/// # Errors
/// [`Error::Interpreter`] in a process that was forked from it.
pub fn refuse_child() -> Result<(), Error> {
    if !is_child() {
        return Ok(());
    }
    Err(Error::Interpreter {
        reason: "this process was forked from one that had a host, and has none of its threads; start it anew, as \
                 multiprocessing does with \"spawn\", or make the first host after forking"
            .to_owned(),
    })
}

/// Ends a forked process whose part of the tool is done, since its caller waits in another process: with the status that
/// Python would end it with.
pub fn leave_if_child(py: Python<'_>, step: Result<(), &PyErr>) {
    if is_child() {
        leave(step.map_or_else(|error| status(py, error), |()| 0));
    }
}

/// Ends a forked process that would go on in the event loop, whose other tasks are not its own.
pub fn leave_if_child_waits() {
    if is_child() {
        // Nobody can be told if this cannot be written.
        let _ = write("a forked process cannot wait in the event loop of the process that it came from\n");
        leave(1);
    }
}

/// Ends a forked process that got where only the host may be.
pub fn leave_if_lost() {
    if is_child() {
        leave(0);
    }
}

/// Writes what a forked process says to its standard error: its call is in another process.
pub fn write(text: &str) -> PyResult<()> {
    io::stderr().write_all(text.as_bytes()).map_err(Into::into)
}

/// The status that an exception ends a process with; says on standard error what Python would.
fn status(py: Python<'_>, error: &PyErr) -> i32 {
    if !error.is_instance_of::<PySystemExit>(py) {
        error.display(py);
        return 1;
    }
    let code = error.value(py).getattr(intern!(py, "code"));
    match code {
        Ok(code) if code.is_none() => 0,
        Ok(code) => code.extract().unwrap_or_else(|_| {
            let _ = write(&format!("{code}\n"));
            1
        }),
        Err(_) => 1,
    }
}

fn leave(status: i32) -> ! {
    // SAFETY: ends the process at once, without running what belongs to the host.
    unsafe { libc::_exit(status) }
}
