//! Owns the loading of tool files: hands the request to the Python runtime and keeps what it returns.
//!
//! Must not judge what was found; catalog and diagnostics are the host's.

use super::gate::Gate;
use super::handles::{ToolHandle, ToolTable};
use super::invoke::{EMPTY, internal, parse};
use super::runtime::{Runtime, utf8};
use crate::diagnostic::Diagnostic;
use crate::error::Error;
use crate::model::{CallPolicy, ToolDefinition};
use crate::runner::{LoadRequest, Loaded, LoadedTool};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[derive(Deserialize)]
struct LoadReport {
    tools: Vec<DescribedTool>,
    diagnostics: Vec<Diagnostic>,
    modules: Vec<PathBuf>,
}

#[derive(Deserialize)]
struct DescribedTool {
    definition: ToolDefinition,
    policy: CallPolicy,
}

/// Imports, collects and describes what the request names.
///
/// # Errors
/// [`Error::Interpreter`] if the environment lacks pydantic, [`Error::Internal`] if the runtime breaks its contract.
pub fn load(py: Python<'_>, request: &LoadRequest, table: &ToolTable) -> Result<Loaded, Error> {
    require_pydantic(py)?;
    let json = serde_json::to_string(request).map_err(|error| Error::Internal(error.to_string()))?;
    let answer = py
        .import("pegboard.runtime.load")
        .and_then(|module| module.call_method1("load", (json,)))
        .and_then(|answer| Ok(answer.cast_into::<PyTuple>()?))
        .and_then(|answer| Ok((utf8(&answer.get_item(0)?)?, answer.get_item(1)?.cast_into::<PyList>()?)))
        .map_err(|error| internal(&error));
    let (report, bound) = answer?;
    let report: LoadReport = parse(&report)?;
    let mut gates = HashMap::new();
    let mut tools = Vec::with_capacity(report.tools.len());
    for (described, bound) in report.tools.into_iter().zip(bound.iter()) {
        let handle = handle(&bound, &described.definition, &mut gates).map_err(|error| internal(&error))?;
        tools.push(LoadedTool {
            key: table.insert(handle),
            definition: described.definition,
            policy: described.policy,
        });
    }
    Ok(Loaded {
        tools,
        diagnostics: report.diagnostics,
        modules: report.modules,
    })
}

/// The files of the modules that the files below each root have imported by now.
///
/// # Errors
/// [`Error::Internal`] if the runtime breaks its contract.
pub fn modules(py: Python<'_>, roots: &[PathBuf]) -> Result<Vec<Vec<PathBuf>>, Error> {
    let json = serde_json::to_string(roots).map_err(|error| Error::Internal(error.to_string()))?;
    let answer = py
        .import("pegboard.runtime.load")
        .and_then(|module| utf8(&module.call_method1("modules", (json,))?))
        .map_err(|error| internal(&error))?;
    parse(&answer)
}

fn require_pydantic(py: Python<'_>) -> Result<(), Error> {
    py.import("pydantic_core").map(drop).map_err(|error| {
        let python = py
            .import("sys")
            .and_then(|sys| sys.getattr("executable")?.extract::<String>())
            .unwrap_or_default();
        Error::Interpreter {
            reason: format!(
                "the environment lacks pydantic ({error}); install it with `{python} -m pip install pydantic`"
            ),
        }
    })
}

fn handle(
    bound: &Bound<'_, PyAny>,
    definition: &ToolDefinition,
    gates: &mut HashMap<u64, Arc<Gate<super::job::Job>>>,
) -> PyResult<ToolHandle> {
    let py = bound.py();
    let get = |name| bound.getattr::<&Bound<'_, PyString>>(name);
    let optional = |value: Bound<'_, PyAny>| if value.is_none() { None } else { Some(value.unbind()) };
    let validator = get(intern!(py, "validator"))?;
    let render = get(intern!(py, "render"))?;
    let validate = if validator.is_none() {
        None
    } else {
        Some(validator.getattr(intern!(py, "validate_json"))?)
    };
    let serial: Option<u64> = get(intern!(py, "serial"))?.extract()?;
    Ok(ToolHandle {
        name: Arc::from(definition.name.as_str()),
        task_name: PyString::new(py, &definition.name).unbind(),
        bound: bound.clone().unbind(),
        function: get(intern!(py, "function"))?.unbind(),
        needs_nothing: takes_nothing(definition) && validate.as_ref().is_some_and(makes_nothing),
        validate: validate.map(Bound::unbind),
        asynchronous: get(intern!(py, "asynchronous"))?.is_truthy()?,
        context_parameter: get(intern!(py, "context_parameter"))?.extract()?,
        plain_text: get(intern!(py, "plain_text"))?.is_truthy()?,
        plain_json: render.is(&Runtime::get(py)?.render),
        render: render.unbind(),
        enter: optional(get(intern!(py, "enter"))?),
        entered: AtomicBool::new(false),
        gate: serial.map(|serial| Arc::clone(gates.entry(serial).or_insert_with(Gate::new))),
    })
}

/// Whether a tool has no parameters. The validator of one that has some must not run before a call: it may run the code that
/// makes their defaults.
fn takes_nothing(definition: &ToolDefinition) -> bool {
    let properties = definition.parameters_schema["properties"].as_object();
    properties.is_none_or(serde_json::Map::is_empty)
}

/// Whether a validator makes nothing of an empty object.
fn makes_nothing(validate: &Bound<'_, PyAny>) -> bool {
    let py = validate.py();
    let made = validate.call1((PyBytes::new(py, EMPTY.as_bytes()),));
    made.and_then(|made| made.eq((PyTuple::empty(py), PyDict::new(py))))
        .unwrap_or(false)
}
