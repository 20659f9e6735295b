//! Owns what `doctor` tells of the interpreter.

use super::environment::Environment;
use crate::error::Error;
use pyo3::prelude::*;
use serde::Serialize;
use std::path::PathBuf;

/// The folder of the libpython that the build was linked to; empty in a wheel.
const LINKED_LIBRARY_FOLDER: &str = env!("PEGBOARD_LINKED_LIBRARY_FOLDER");

/// The interpreter of this process.
#[derive(Debug, Clone, Serialize)]
pub struct InterpreterStatus {
    /// The full version, such as `3.11.7`.
    pub version: String,
    /// `sys.executable`.
    pub executable: PathBuf,
    /// Why this one.
    pub reason: String,
    /// `sys.prefix`: the environment.
    pub prefix: PathBuf,
    /// `sys.base_prefix`: the installation behind it.
    pub base_prefix: PathBuf,
    /// The libpython that is loaded, or the executable that contains it.
    pub library: Option<PathBuf>,
    /// The folder of the libpython that the build was linked to.
    pub linked_library_folder: Option<PathBuf>,
    /// The version of pydantic, if it is installed.
    pub pydantic: Option<String>,
    /// Where the `pegboard` package is served from.
    pub package: String,
    /// `sys.flags.utf8_mode`.
    pub utf8_mode: bool,
    /// `sys.path`.
    pub path: Vec<String>,
}

/// Asks the running interpreter.
///
/// # Errors
/// [`Error::Interpreter`] with what Python said.
pub fn status(environment: &Environment) -> Result<InterpreterStatus, Error> {
    Python::attach(|py| ask(py, environment)).map_err(|error| Error::Interpreter {
        reason: error.to_string(),
    })
}

fn ask(py: Python<'_>, environment: &Environment) -> PyResult<InterpreterStatus> {
    let sys = py.import("sys")?;
    let version = py.version_info();
    Ok(InterpreterStatus {
        version: format!("{}.{}.{}", version.major, version.minor, version.patch),
        executable: sys.getattr("executable")?.extract()?,
        reason: environment.choice.to_string(),
        prefix: sys.getattr("prefix")?.extract()?,
        base_prefix: sys.getattr("base_prefix")?.extract()?,
        library: loaded_library(),
        linked_library_folder: Some(LINKED_LIBRARY_FOLDER)
            .filter(|folder| !folder.is_empty())
            .map(PathBuf::from),
        pydantic: py
            .import("importlib.metadata")?
            .call_method1("version", ("pydantic",))
            .ok()
            .and_then(|version| version.extract().ok()),
        // Looked up without importing it, which an environment without pydantic does not allow.
        package: py
            .import("importlib.util")?
            .call_method1("find_spec", ("pegboard",))?
            .getattr("origin")?
            .extract()?,
        utf8_mode: sys.getattr("flags")?.getattr("utf8_mode")?.is_truthy()?,
        path: sys.getattr("path")?.extract()?,
    })
}

/// The file from which this process runs CPython, where the system tells.
fn loaded_library() -> Option<PathBuf> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    maps.lines()
        .filter_map(|line| line.split_once('/').map(|(_, path)| PathBuf::from(format!("/{path}"))))
        .find(|path| {
            path.file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with("libpython"))
        })
}
