//! Owns the small parts of an outcome as Python sees them.

use super::json;
use crate::model;
use pyo3::prelude::*;
use std::path::PathBuf;

/// One thing that was mended in the arguments before the tool saw them.
#[pyclass(frozen, get_all, module = "pegboard")]
pub struct Repair {
    /// Where, as a JSON Pointer into the arguments as they were sent.
    pointer: String,
    /// What was done: one of a closed list of stable names.
    rule: String,
}

impl Repair {
    /// The part as Python sees it.
    pub fn new(py: Python<'_>, repair: &model::Repair) -> PyResult<Self> {
        Ok(Self {
            pointer: repair.pointer.clone(),
            rule: json::to_python(py, &repair.rule)?.extract()?,
        })
    }
}

#[pymethods]
impl Repair {
    fn __repr__(&self) -> String {
        format!("Repair(pointer={:?}, rule={:?})", self.pointer, self.rule)
    }
}

/// One line that a tool wrote while it ran.
#[pyclass(frozen, get_all, module = "pegboard")]
pub struct LogLine {
    /// Where it wrote to: `stdout`, `stderr`, `log`, or `host` for the host's own remark.
    stream: String,
    /// The text, without the line's end.
    text: String,
}

impl LogLine {
    /// The part as Python sees it.
    pub fn new(py: Python<'_>, line: &model::LogLine) -> PyResult<Self> {
        Ok(Self {
            stream: json::to_python(py, &line.stream)?.extract()?,
            text: line.text.clone(),
        })
    }
}

#[pymethods]
impl LogLine {
    fn __repr__(&self) -> String {
        format!("LogLine(stream={:?}, text={:?})", self.stream, self.text)
    }
}

/// What was cut from a text.
#[pyclass(frozen, get_all, module = "pegboard")]
pub struct Truncation {
    /// How many characters the whole text had.
    characters: usize,
    /// How many are left.
    kept: usize,
}

impl From<model::Truncation> for Truncation {
    fn from(truncation: model::Truncation) -> Self {
        Self {
            characters: truncation.characters,
            kept: truncation.kept,
        }
    }
}

/// Where the whole of a long text is.
#[pyclass(frozen, get_all, module = "pegboard")]
pub struct Offload {
    /// The file, or `None` when it could not be written.
    path: Option<PathBuf>,
    /// How many characters the whole text has.
    characters: usize,
    /// Why the file could not be written, or `None`.
    error: Option<String>,
}

impl From<model::Offload> for Offload {
    fn from(offload: model::Offload) -> Self {
        Self {
            path: offload.path,
            characters: offload.characters,
            error: offload.error,
        }
    }
}
