//! Owns what Python code sees of the call that it runs in.
//!
//! Must not block: tools write from whatever thread they like.

use super::call_state::CallState;
use super::fork;
use crate::model::{LogStream, Progress};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// The call that Python code runs in; the runtime's `CallHandle` protocol.
#[pyclass(frozen, module = "pegboard._native")]
pub struct CallHandle {
    state: Arc<CallState>,
}

impl CallHandle {
    /// The handle of a call.
    pub fn new(state: &Arc<CallState>) -> Self {
        Self {
            state: Arc::clone(state),
        }
    }
}

#[pymethods]
impl CallHandle {
    /// The caller's id.
    #[getter]
    fn call_id(&self) -> String {
        self.state.call_id.to_string()
    }

    /// The tool's name.
    #[getter]
    fn tool(&self) -> &str {
        &self.state.tool
    }

    /// Whether the tool should stop of its own accord.
    #[getter]
    fn cancelled(&self) -> bool {
        self.state.is_cancelled()
    }

    /// Whether somebody is told how far the call has come.
    #[getter]
    fn watched(&self) -> bool {
        self.state.is_watched()
    }

    /// Keeps what the tool wrote to `stdout`, `stderr` or `log`.
    fn write(&self, stream: &str, text: &str) -> PyResult<()> {
        let stream = match stream {
            "stdout" => LogStream::Stdout,
            "stderr" => LogStream::Stderr,
            "log" => LogStream::Log,
            other => return Err(PyValueError::new_err(format!("a call has no stream {other:?}"))),
        };
        if fork::is_child() {
            return fork::write(text);
        }
        self.state.write(stream, text);
        Ok(())
    }

    /// Notes where the process was before the tool changes its working directory.
    fn leave_directory(&self, before: PathBuf) {
        self.state.leave_directory(before);
    }

    /// Tells whoever watches the call how far it has come.
    #[pyo3(signature = (done, total = None, message = None))]
    fn progress(&self, py: Python<'_>, done: f64, total: Option<f64>, message: Option<String>) {
        py.detach(|| self.state.report_progress(&Progress { done, total, message }));
    }
}
