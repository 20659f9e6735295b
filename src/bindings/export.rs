//! Owns `Export` and `ExportNote` as Python sees them, and how Python names a provider and its strictness.

use super::json;
use crate::model::{self, Strictness};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Tools as one provider takes them, and what had to be changed.
#[pyclass(frozen, module = "pegboard")]
pub struct Export {
    inner: model::Export,
}

impl From<model::Export> for Export {
    fn from(inner: model::Export) -> Self {
        Self { inner }
    }
}

#[pymethods]
impl Export {
    /// The value of the provider's `tools`, as a new list.
    #[getter]
    fn tools<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.inner.tools)
    }

    /// What was changed, and why.
    #[getter]
    fn notes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let notes = self
            .inner
            .notes
            .iter()
            .map(|note| Bound::new(py, ExportNote::from(note)));
        PyTuple::new(py, notes.collect::<PyResult<Vec<_>>>()?)
    }

    fn __repr__(&self) -> String {
        format!(
            "Export({} tools, {} notes)",
            self.inner.tools.len(),
            self.inner.notes.len()
        )
    }
}

/// One finding while exporting.
#[pyclass(frozen, get_all, module = "pegboard")]
pub struct ExportNote {
    /// The tool's real name.
    tool: String,
    /// Where, as a JSON Pointer into the parameters schema; empty for the whole tool.
    pointer: String,
    /// What was done: one of a closed list of stable names.
    change: &'static str,
    /// What was done and why, in one line.
    reason: String,
}

impl From<&model::ExportNote> for ExportNote {
    fn from(note: &model::ExportNote) -> Self {
        let model::ExportNote {
            tool,
            pointer,
            change,
            reason,
        } = note.clone();
        Self {
            tool,
            pointer,
            change: change.as_str(),
            reason,
        }
    }
}

#[pymethods]
impl ExportNote {
    fn __repr__(&self) -> String {
        format!(
            "ExportNote(tool={:?}, pointer={:?}, change={:?}, reason={:?})",
            self.tool, self.pointer, self.change, self.reason
        )
    }
}

/// How a Python caller says when tools are described as strict: a bool, or `"where_possible"`.
#[derive(Default)]
pub struct GivenStrictness(Strictness);

impl GivenStrictness {
    /// What was said.
    pub const fn into_inner(self) -> Strictness {
        self.0
    }
}

impl<'py> FromPyObject<'_, 'py> for GivenStrictness {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(is_strict) = given.extract::<bool>() {
            return Ok(Self(if is_strict {
                Strictness::Required
            } else {
                Strictness::AsDeclared
            }));
        }
        match given.extract::<&str>() {
            Ok("where_possible") => Ok(Self(Strictness::WherePossible)),
            _ => Err(PyValueError::new_err(format!(
                "strict must be True, False or \"where_possible\", not {}",
                given.repr()?
            ))),
        }
    }
}

/// The provider of that name.
pub fn provider(name: &str) -> PyResult<model::Provider> {
    name.parse()
        .map_err(|error: model::UnknownProvider| PyValueError::new_err(error.to_string()))
}
