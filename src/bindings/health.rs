//! Owns `CapabilityHealth` as Python sees it.

use super::diagnostic::Diagnostic;
use super::json;
use crate::host;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::path::PathBuf;

/// How one capability is.
#[pyclass(frozen, module = "pegboard")]
pub struct CapabilityHealth {
    inner: host::CapabilityHealth,
}

impl From<host::CapabilityHealth> for CapabilityHealth {
    fn from(inner: host::CapabilityHealth) -> Self {
        Self { inner }
    }
}

#[pymethods]
impl CapabilityHealth {
    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.inner.name
    }

    /// Its version.
    #[getter]
    fn version(&self) -> &str {
        &self.inner.version
    }

    /// What it is for.
    #[getter]
    fn description(&self) -> &str {
        &self.inner.description
    }

    /// Its directory.
    #[getter]
    fn root(&self) -> PathBuf {
        self.inner.root.clone()
    }

    /// The worst of what was found about it: `ok`, `degraded` or `error`.
    #[getter]
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.inner.status)
    }

    /// Its tools that are offered: `name`, and `namespaced_name` where it has one.
    #[getter]
    fn tools<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.inner.tools)
    }

    /// Its flags: `name`, `description`, `default`, `is_on`, and the `layer` that decided it.
    #[getter]
    fn flags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.inner.flags)
    }

    /// How its checks ended: `name`, and the `problem` of one that failed.
    #[getter]
    fn checks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.inner.checks)
    }

    /// The secrets that it names: `name`, `description`, `is_optional`, `is_present`; never their values.
    #[getter]
    fn secrets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.inner.secrets)
    }

    /// What it says has to be installed: lists under `python`, `packages` and `scripts`.
    #[getter]
    fn dependencies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.inner.dependencies)
    }

    /// The MCP servers that it brings, as they are defined.
    #[getter]
    fn servers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.inner.servers)
    }

    /// Everything that was found about it and its files.
    #[getter]
    fn diagnostics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(
            py,
            self.inner
                .diagnostics
                .iter()
                .cloned()
                .map(Diagnostic::from)
                .collect::<Vec<_>>(),
        )
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let status = self.status(py)?;
        Ok(format!("CapabilityHealth(name={:?}, status={status})", self.inner.name))
    }
}
