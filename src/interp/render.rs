//! Owns turning a tool's value into what the host is given: text, JSON and content blocks.
//!
//! The dialect's own `render` decides what a value looks like; only what has one form in JSON is written without asking it.

use super::handles::ToolHandle;
use super::invoke::{failed, internal, parse};
use super::job::Job;
use super::json;
use super::runtime::{Runtime, utf8};
use crate::model::{Content, Failure, Structured};
use crate::runner::{CallEnd, Rendered};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// Turns the value into text.
pub fn render(py: Python<'_>, job: &Job, value: &Bound<'_, PyAny>) -> CallEnd {
    written(py, job, value).unwrap_or_else(|error| not_rendered(py, job, value, error))
}

/// The same, without judging what was raised meanwhile.
///
/// # Errors
/// What the code raises that the value is written with.
pub fn written(py: Python<'_>, job: &Job, value: &Bound<'_, PyAny>) -> PyResult<CallEnd> {
    if let Some(reason) = job.state.stop_reason() {
        return Ok(job.state.stopped(reason).into());
    }
    if job.tool.plain_text
        && let Ok(text) = value.cast_exact::<PyString>()
        && let Ok(text) = text.to_str()
    {
        return Ok(CallEnd::Returned(Rendered {
            text: text.to_owned(),
            content: Vec::new(),
            structured: Structured::TextIsValue,
        }));
    }
    if job.tool.plain_json
        && let Some(text) = json::plain(value)
    {
        return Ok(CallEnd::Returned(Rendered {
            text,
            content: Vec::new(),
            structured: Structured::TextIsJson,
        }));
    }
    rendered(py, &job.tool, value).map(CallEnd::Returned)
}

fn rendered(py: Python<'_>, tool: &ToolHandle, value: &Bound<'_, PyAny>) -> PyResult<Rendered> {
    let shown = tool.render.bind(py).call1((value,))?;
    if shown.is_instance_of::<PyBytes>() {
        let text = utf8(&shown)?;
        return Ok(Rendered {
            text,
            content: Vec::new(),
            structured: Structured::TextIsJson,
        });
    }
    if let Ok(text) = shown.cast::<PyString>() {
        let text = text.to_str()?.to_owned();
        return Ok(Rendered {
            text,
            content: Vec::new(),
            structured: Structured::TextIsValue,
        });
    }
    let structured = shown.getattr(intern!(py, "structured"))?;
    let structured = if structured.is_none() {
        Structured::Absent
    } else {
        Structured::Json(utf8(&structured)?)
    };
    let content = shown.getattr(intern!(py, "content"))?;
    let content = if content.is_truthy()? {
        let json = utf8(&Runtime::get(py)?.to_json.bind(py).call1((content,))?)?;
        parse::<Vec<Content>>(&json).map_err(|error| pyo3::exceptions::PyTypeError::new_err(error.to_string()))?
    } else {
        Vec::new()
    };
    Ok(Rendered {
        text: shown.getattr(intern!(py, "text"))?.extract()?,
        content,
        structured,
    })
}

/// What it means that a value could not be written.
pub fn not_rendered(py: Python<'_>, job: &Job, value: &Bound<'_, PyAny>, error: PyErr) -> CallEnd {
    // Whatever was raised then, pydantic's own exception included, may come of the interruption.
    if let Some(reason) = job.state.stop_reason() {
        return job.state.stopped(reason).into();
    }
    // A tool may also return its dialect's wish to stop.
    let stops = job
        .tool
        .bound
        .bind(py)
        .getattr(intern!(py, "stop"))
        .and_then(|stop| Ok(error.matches(py, stop)?));
    if stops.unwrap_or(false) {
        return failed(py, job, error);
    }
    let report = Runtime::get(py)
        .and_then(|runtime| {
            runtime
                .report_render_failure
                .bind(py)
                .call1((error.value(py), value, &job.tool.bound))
        })
        .and_then(|json| utf8(&json));
    match report {
        Ok(json) => parse::<Failure>(&json).map_or_else(CallEnd::Broken, CallEnd::from),
        Err(fault) => CallEnd::Broken(internal(&fault)),
    }
}
