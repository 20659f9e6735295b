//! Owns `Diagnostic` as Python sees it.

use super::json;
use crate::diagnostic;
use pyo3::prelude::*;
use std::path::PathBuf;

/// One finding about a source, a file, a class or a tool.
#[pyclass(frozen, module = "pegboard")]
pub struct Diagnostic {
    inner: diagnostic::Diagnostic,
}

impl From<diagnostic::Diagnostic> for Diagnostic {
    fn from(inner: diagnostic::Diagnostic) -> Self {
        Self { inner }
    }
}

#[pymethods]
impl Diagnostic {
    /// The kind of finding, one of a closed list of stable names.
    #[getter]
    fn code<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.inner.code)
    }

    /// How much it costs: `info`, `warning` or `error`.
    #[getter]
    fn severity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.inner.severity)
    }

    /// One sentence that names the thing.
    #[getter]
    fn message(&self) -> &str {
        &self.inner.message
    }

    /// The file or folder it is about, or `None`.
    #[getter]
    fn path(&self) -> Option<PathBuf> {
        self.inner.path.clone()
    }

    /// The line, from 1, or `None`.
    #[getter]
    fn line(&self) -> Option<u32> {
        self.inner.line
    }

    /// What to do about it, or `None`.
    #[getter]
    fn hint(&self) -> Option<&str> {
        self.inner.hint.as_deref()
    }

    /// The names of the tools that are missing because of it, as far as the text tells.
    #[getter]
    fn tools(&self) -> Vec<String> {
        self.inner.tools.clone()
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Diagnostic({:?})", self.inner.to_string())
    }
}
