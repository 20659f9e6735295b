//! Owns asking a running tool to stop, by raising `Interrupted` in its thread, and reading the stack of a sync one that does
//! not. A tool inside C code notices only when that code returns: this is an attempt, never a guarantee.
#![expect(unsafe_code, reason = "raising in another thread has no safe interface")]

use super::call_state::CallState;
use super::presence::Presence;
use super::runtime::Runtime;
use crossbeam_channel::{Sender, unbounded};
use pyo3::prelude::*;
use std::ffi::c_long;
use std::sync::Arc;
use std::time::Duration;

/// How long after the interruption the stack of a tool that goes on is read.
const STACK_DELAY: Duration = Duration::from_millis(100);

/// Starts the thread that interrupts, which ends when the sender is dropped.
pub fn start(presence: Presence) -> Sender<Arc<CallState>> {
    let (sender, receiver) = unbounded::<Arc<CallState>>();
    let spawned = std::thread::Builder::new()
        .name("pegboard-interrupt".to_owned())
        .spawn(move || {
            Python::attach(|py| {
                while let Ok(state) = py.detach(|| receiver.recv()) {
                    let mut states = vec![state];
                    states.extend(receiver.try_iter());
                    // An identifier is taken back while attached, so what is read here holds until this thread detaches.
                    for identifier in states.iter().filter_map(|state| state.thread()) {
                        raise(py, identifier);
                    }
                    py.detach(|| std::thread::sleep(STACK_DELAY));
                    for state in &states {
                        read_stack(py, state);
                    }
                }
            });
            drop(presence);
        });
    if let Err(error) = spawned {
        tracing::error!(%error, "cannot make the thread that interrupts sync tools");
    }
    sender
}

/// Notes where a tool is that has not stopped.
fn read_stack(py: Python<'_>, state: &CallState) {
    if let Some(identifier) = state.thread() {
        match Runtime::get(py).and_then(|runtime| runtime.stack(py, identifier)) {
            Ok(stack) => state.set_stack(stack),
            Err(error) => tracing::warn!(%error, "cannot read the stack of a tool that does not stop"),
        }
    }
}

/// Raises `Interrupted` in a thread, at its next step of Python code.
pub fn raise(py: Python<'_>, identifier: u64) {
    let Ok(identifier) = c_long::try_from(identifier) else {
        return;
    };
    match Runtime::get(py) {
        Ok(runtime) => {
            // SAFETY: attached; the exception class is alive, and CPython takes its own reference to it.
            unsafe { pyo3::ffi::PyThreadState_SetAsyncExc(identifier, runtime.interrupted.as_ptr()) };
        }
        Err(error) => tracing::error!(%error, "cannot interrupt a tool"),
    }
}

/// Takes back an interruption that has not been delivered, so that it never reaches the next call of the thread.
pub fn take_back(_py: Python<'_>, identifier: u64) {
    if let Ok(identifier) = c_long::try_from(identifier) {
        // SAFETY: attached; a null exception only clears what is pending.
        unsafe { pyo3::ffi::PyThreadState_SetAsyncExc(identifier, std::ptr::null_mut()) };
    }
}
