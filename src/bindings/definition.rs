//! Owns `ToolDefinition` and `ToolSource` as Python sees them.

use super::json;
use crate::model;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// A tool as a model is shown it.
#[pyclass(frozen, module = "pegboard")]
pub struct ToolDefinition {
    inner: Arc<model::ToolDefinition>,
}

impl From<Arc<model::ToolDefinition>> for ToolDefinition {
    fn from(inner: Arc<model::ToolDefinition>) -> Self {
        Self { inner }
    }
}

#[pymethods]
impl ToolDefinition {
    /// The tool's real name.
    #[getter]
    fn name(&self) -> &str {
        &self.inner.name
    }

    /// The text for the model.
    #[getter]
    fn description(&self) -> &str {
        &self.inner.description
    }

    /// The JSON Schema of the arguments, as a new dict.
    #[getter]
    fn parameters_schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.inner.parameters_schema)
    }

    /// The JSON Schema of the value as a new dict, or `None` where the return type is not known.
    #[getter]
    fn output_schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.inner.output_schema)
    }

    /// Where the tool came from.
    #[getter]
    fn source(&self) -> ToolSource {
        let source = self.inner.source.clone();
        ToolSource {
            path: source.path,
            line: source.line,
            dialect: source.dialect,
            toolset: source.toolset,
            server: source.server,
        }
    }

    /// Whether the function is a coroutine function or an async generator function.
    #[getter]
    fn asynchronous(&self) -> bool {
        self.inner.flags.asynchronous
    }

    /// Whether calls of one run may overlap with others.
    #[getter]
    fn parallel(&self) -> bool {
        self.inner.flags.parallel
    }

    /// How many calls of it one run may make, or `None`.
    #[getter]
    fn max_calls_per_run(&self) -> Option<u32> {
        self.inner.flags.max_calls_per_run
    }

    /// Whether the author asked for strict schemas.
    #[getter]
    fn strict(&self) -> bool {
        self.inner.flags.strict
    }

    /// Who executes it: `server` or `client`.
    #[getter]
    fn target(&self) -> &'static str {
        match self.inner.flags.target {
            model::ToolTarget::Server => "server",
            model::ToolTarget::Client => "client",
        }
    }

    fn __repr__(&self) -> String {
        format!(
            "ToolDefinition(name={:?}, dialect={:?})",
            self.inner.name, self.inner.source.dialect
        )
    }
}

/// Where a tool came from.
#[pyclass(frozen, get_all, module = "pegboard")]
pub struct ToolSource {
    /// The file that defines it, or `None` for a tool of a server.
    path: Option<PathBuf>,
    /// The line of its definition, from 1.
    line: Option<u32>,
    /// What the file was written for.
    dialect: String,
    /// The class of the toolset that it belongs to, or `None`.
    toolset: Option<String>,
    /// The MCP server that has it, or `None`.
    server: Option<String>,
}

#[pymethods]
impl ToolSource {
    fn __repr__(&self) -> String {
        format!(
            "ToolSource(path={:?}, line={:?}, dialect={:?}, toolset={:?})",
            self.path, self.line, self.dialect, self.toolset
        )
    }
}
