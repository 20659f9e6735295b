//! Owns how a Python caller may give what a model answered: objects of a provider's SDK, dicts and lists, or JSON text.
//!
//! Must not know any provider's shapes.

use super::exceptions::unreadable;
use crate::model::{Call, Provider, UnreadableAnswer};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCFunction, PyDict, PyString, PyTuple};
use serde_json::Value;

/// Reads the calls in an answer.
pub type Reader = fn(&Value) -> Result<Vec<Call>, UnreadableAnswer>;

/// The calls in an answer of a provider.
pub fn read(answer: &Bound<'_, PyAny>, provider: Provider, calls: Reader) -> PyResult<Vec<Call>> {
    let py = answer.py();
    let json = |text: &[u8]| {
        serde_json::from_slice(text).map_err(|error| UnreadableAnswer {
            provider,
            reason: format!("it is not JSON: {error}"),
        })
    };
    let answer = if let Ok(text) = answer.cast::<PyString>() {
        json(text.to_str()?.as_bytes())
    } else if let Ok(bytes) = answer.cast::<PyBytes>() {
        json(bytes.as_bytes())
    } else {
        json(dumped(answer)?.as_bytes())
    };
    answer
        .and_then(|answer| calls(&answer))
        .map_err(|error| unreadable(py, &error))
}

/// Objects as JSON, under the names that the provider gives their parts.
fn dumped<'py>(answer: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let py = answer.py();
    let options = PyDict::new(py);
    options.set_item("by_alias", true)?;
    options.set_item("bytes_mode", "base64")?;
    options.set_item("inf_nan_mode", "null")?;
    // Asked of an object that pydantic did not make.
    options.set_item("fallback", PyCFunction::new_closure(py, None, None, dump)?)?;
    let json = py
        .import(intern!(py, "pydantic_core"))?
        .call_method(intern!(py, "to_json"), (answer,), Some(&options))
        .map_err(|error| {
            let text = "an answer must be an object of the provider's SDK, a dict, a list, or JSON as str or bytes";
            PyTypeError::new_err(format!("{text} ({})", error.value(py)))
        })?;
    Ok(json.cast_into::<PyBytes>()?)
}

fn dump(arguments: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>) -> PyResult<Py<PyAny>> {
    let object = arguments.get_item(0)?;
    object
        .call_method0(intern!(object.py(), "model_dump"))
        .map(Bound::unbind)
}
