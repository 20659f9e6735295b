//! Owns the Python runtime as text inside this library, and its installation into an interpreter.
//!
//! Must not decide anything about tools: the text is `python/pegboard`, as it stands in the wheel.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::ffi::CString;

/// Every embedded file: its path below the package, and its text.
const SOURCES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/python_sources.rs"));

/// The same files compiled by the linked Python, in the form that the finder reads; empty where that was not possible.
const CODE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/python_code.bin"));

/// The file that serves the others.
const FINDER: &str = "runtime/embedded.py";

/// Makes `import pegboard` answer from memory, so that it always fits this library.
///
/// # Errors
/// What Python raises; the texts are part of this build, so only a broken interpreter does.
pub fn install(py: Python<'_>) -> PyResult<()> {
    let sources = PyDict::new(py);
    let mut finder = "";
    for (path, text) in SOURCES {
        sources.set_item(path, text)?;
        if *path == FINDER {
            finder = text;
        }
    }
    let namespace = PyDict::new(py);
    namespace.set_item("__name__", "pegboard.runtime.embedded")?;
    py.run(&CString::new(finder)?, Some(&namespace), None)?;
    namespace
        .as_any()
        .get_item("install")?
        .call1((sources, PyBytes::new(py, CODE)))?;
    Ok(())
}
