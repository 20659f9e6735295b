//! Owns `Failure` and `Problem` as Python sees them.

use crate::model;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// What a model is told when a call yields no value.
#[pyclass(frozen, module = "pegboard")]
pub struct Failure {
    inner: model::Failure,
}

impl From<model::Failure> for Failure {
    fn from(inner: model::Failure) -> Self {
        Self { inner }
    }
}

#[pymethods]
impl Failure {
    /// Why: one of a closed list of stable names.
    #[getter]
    fn kind(&self) -> &'static str {
        self.inner.kind.as_str()
    }

    /// The class of the Python exception, without its module, or `None`.
    #[getter]
    fn exception_type(&self) -> Option<&str> {
        self.inner.exception_type.as_deref()
    }

    /// One or more sentences for the model.
    #[getter]
    fn message(&self) -> &str {
        &self.inner.message
    }

    /// The exceptions that led to this one, outermost first.
    #[getter]
    fn cause_chain<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.inner.cause_chain)
    }

    /// The Python traceback, for the owner's log and never for the model.
    #[getter]
    fn traceback(&self) -> Option<&str> {
        self.inner.traceback.as_deref()
    }

    /// Everything that is wrong with the arguments.
    #[getter]
    fn problems<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let problems = self
            .inner
            .problems
            .iter()
            .map(|problem| Bound::new(py, Problem::from(problem)));
        PyTuple::new(py, problems.collect::<PyResult<Vec<_>>>()?)
    }

    /// The status that the tool tried to leave the process with, or `None`.
    #[getter]
    fn exit_code(&self) -> Option<i32> {
        self.inner.exit_code
    }

    /// Whether the tool's code goes on running although the call is over.
    #[getter]
    fn still_running(&self) -> bool {
        self.inner.still_running
    }

    /// What the author or the model can do about it, or `None`.
    #[getter]
    fn hint(&self) -> Option<&str> {
        self.inner.hint.as_deref()
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }

    fn __repr__(&self) -> String {
        format!(
            "Failure(kind={:?}, {:?})",
            self.inner.kind.as_str(),
            self.inner.to_string()
        )
    }
}

/// One thing that is wrong with the arguments.
#[pyclass(frozen, get_all, module = "pegboard")]
pub struct Problem {
    /// Where, as a JSON Pointer into the arguments; empty for the whole.
    pointer: String,
    /// What kind, in the validator's own stable words.
    code: String,
    /// One sentence for the model.
    message: String,
    /// A declared name that looks like the unknown one, or `None`.
    suggestion: Option<String>,
}

impl From<&model::Problem> for Problem {
    fn from(problem: &model::Problem) -> Self {
        let model::Problem {
            pointer,
            code,
            message,
            suggestion,
        } = problem.clone();
        Self {
            pointer,
            code,
            message,
            suggestion,
        }
    }
}

#[pymethods]
impl Problem {
    fn __repr__(&self) -> String {
        format!(
            "Problem(pointer={:?}, code={:?}, message={:?})",
            self.pointer, self.code, self.message
        )
    }
}
