//! Owns the way of JSON between Rust and Python: as text, through Python's own parser or pydantic's.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use serde::Serialize;

/// The Python objects that a JSON text stands for.
pub fn loads<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import(intern!(py, "json"))?
        .call_method1(intern!(py, "loads"), (PyString::new(py, text),))
}

/// The Python objects that a serialisable value stands for.
pub fn to_python<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_vec(value).map_err(|error| pyo3::exceptions::PyValueError::new_err(error.to_string()))?;
    py.import(intern!(py, "pydantic_core"))?
        .call_method1(intern!(py, "from_json"), (PyBytes::new(py, &text),))
}
