//! Owns the one conversion from the crate's error to a Python exception. The classes are written in Python
//! (`pegboard/errors.py`); a tool's own exception passes untouched.

use crate::error::Error;
use crate::interp::handles;
use crate::model::UnreadableAnswer;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The exception that stands for an error.
#[expect(
    clippy::needless_pass_by_value,
    reason = "it stands where errors are mapped, which are given away"
)]
pub fn to_exception(py: Python<'_>, error: Error) -> PyErr {
    if let Error::Aborted {
        exception: Some(ticket),
        ..
    } = &error
        && let Some(original) = handles::exception(py, ticket)
    {
        return original;
    }
    instance(py, &error).map_or_else(|fault| fault, PyErr::from_value)
}

/// The exception that stands for an answer in which no calls can be read.
pub fn unreadable(py: Python<'_>, error: &UnreadableAnswer) -> PyErr {
    let made = || {
        let details = PyDict::new(py);
        details.set_item("provider", error.provider.as_str())?;
        py.import("pegboard.errors")?
            .getattr("UnreadableAnswerError")?
            .call((error.to_string(),), Some(&details))
    };
    made().map_or_else(|fault| fault, PyErr::from_value)
}

fn instance<'py>(py: Python<'py>, error: &Error) -> PyResult<Bound<'py, PyAny>> {
    let details = PyDict::new(py);
    let class = match error {
        Error::UnknownTool { name, near } => {
            details.set_item("name", name)?;
            details.set_item("near", near)?;
            "UnknownToolError"
        }
        Error::ToolNotLoaded { name, diagnostic } => {
            details.set_item("name", name)?;
            details.set_item(
                "diagnostic",
                super::diagnostic::Diagnostic::from(diagnostic.as_ref().clone()),
            )?;
            "ToolNotLoadedError"
        }
        Error::Source { path, .. } => {
            details.set_item("path", path)?;
            "SourceError"
        }
        Error::Setting { setting, .. } => {
            details.set_item("setting", setting)?;
            "SettingError"
        }
        Error::Interpreter { .. } => "InterpreterError",
        Error::Aborted { tool, failure, .. } => {
            details.set_item("tool", tool)?;
            details.set_item("failure", super::failure::Failure::from(failure.as_ref().clone()))?;
            "AbortedError"
        }
        Error::UnknownCall { call_id } => {
            details.set_item("call_id", call_id)?;
            "UnknownCallError"
        }
        Error::Closed => "ClosedError",
        Error::Internal(_) => "InternalError",
    };
    py.import("pegboard.errors")?
        .getattr(class)?
        .call((error.to_string(),), Some(&details))
}
