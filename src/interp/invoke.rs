//! Owns one call's way through Python: validate, call, wait for what came back, render.
//!
//! Runs on threads that are attached already; must not submit or wait.

use super::call_handle::CallHandle;
use super::call_state::Phase;
use super::context::CallContext;
use super::fork;
use super::handles;
use super::interrupt;
use super::job::Job;
use super::render::{not_rendered, written};
use super::runtime::{Runtime, utf8};
use crate::error::Error;
use crate::model::Failure;
use crate::runner::{CallEnd, Rejection};
use pyo3::exceptions::asyncio::CancelledError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyNone, PyString, PyTuple};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::cell::Cell;

/// The arguments of a call that has none.
pub const EMPTY: &str = "{}";

/// What a call has come to after its function returned.
pub enum Step<'py> {
    /// A value that is to be rendered.
    Value(Bound<'py, PyAny>),
    /// A coroutine that the event loop has to run.
    Coroutine(Bound<'py, PyAny>),
}

/// Validated arguments, as they are passed on.
pub struct Validated<'py> {
    positional: Bound<'py, PyTuple>,
    keywords: Bound<'py, PyDict>,
}

/// What a sync tool's call has come to on its thread.
pub enum Ran {
    /// The call is over.
    Ended(CallEnd),
    /// The tool returned something that the event loop has to run.
    Coroutine(Py<PyAny>),
}

/// How far a call came while its tool's own code ran: its validators, its function, and what its value is written with.
enum Reached<'py> {
    /// A validator raised.
    Refused(PyErr),
    /// The tool raised.
    Raised(PyErr),
    /// The value could not be written.
    Unwritten(Bound<'py, PyAny>, PyErr),
    /// The tool returned something that the event loop has to run.
    Coroutine(Py<PyAny>),
    /// The call is over.
    Ended(CallEnd),
}

/// Runs a sync tool's call on this thread.
pub fn run_on_thread(py: Python<'_>, job: &Job) -> Ran {
    let identifier = thread_identifier(py);
    job.state.set_thread(identifier);
    job.state.set_phase(Phase::OnThread);
    let reached = reach(py, job);
    // From here on an interruption would hit the host or the next call.
    job.state.set_thread(0);
    if job.state.stop_reason().is_some() {
        interrupt::take_back(py, identifier);
    }
    Ran::Ended(match reached {
        Reached::Coroutine(coroutine) => return Ran::Coroutine(coroutine),
        Reached::Ended(end) => end,
        Reached::Refused(error) => rejected(py, job, error),
        Reached::Raised(error) => failed(py, job, error),
        Reached::Unwritten(value, error) => not_rendered(py, job, &value, error),
    })
}

/// Runs what is the tool's own, which can be interrupted anywhere.
fn reach<'py>(py: Python<'py>, job: &Job) -> Reached<'py> {
    let validated = match read(py, job) {
        Ok(validated) => validated,
        Err(error) => return Reached::Refused(error),
    };
    let validated = match complete(py, job, validated) {
        Ok(validated) => validated,
        Err(end) => return Reached::Ended(end),
    };
    let step = CallContext::new(py, job).and_then(|context| {
        let value = call_in(job, &validated, &context)?;
        settle(py, job, value, Some(&context))
    });
    fork::leave_if_child(py, step.as_ref().map(drop));
    match step {
        Ok(Step::Value(value)) => match written(py, job, &value) {
            Ok(end) => Reached::Ended(end),
            Err(error) => Reached::Unwritten(value, error),
        },
        Ok(Step::Coroutine(coroutine)) => Reached::Coroutine(coroutine.unbind()),
        Err(error) => Reached::Raised(error),
    }
}

/// Python's identifier of this thread, asked once a thread.
pub fn thread_identifier(py: Python<'_>) -> u64 {
    thread_local! {
        static IDENTIFIER: Cell<u64> = const { Cell::new(0) };
    }
    IDENTIFIER.with(|cached| {
        if cached.get() == 0 {
            let asked = py
                .import(intern!(py, "threading"))
                .and_then(|threading| threading.call_method0("get_ident"));
            cached.set(asked.and_then(|identifier| identifier.extract()).unwrap_or(0));
        }
        cached.get()
    })
}

/// Reads and checks the arguments.
pub fn validate<'py>(py: Python<'py>, job: &Job) -> Result<Validated<'py>, CallEnd> {
    let validated = read(py, job).map_err(|error| rejected(py, job, error))?;
    complete(py, job, validated)
}

/// Has the tool's validator read the arguments.
fn read<'py>(py: Python<'py>, job: &Job) -> PyResult<Validated<'py>> {
    let text = || PyBytes::new(py, job.arguments.as_bytes());
    match &job.tool.validate {
        Some(_) if job.tool.needs_nothing && job.arguments == EMPTY => Ok(Validated {
            positional: PyTuple::empty(py),
            keywords: PyDict::new(py),
        }),
        Some(validate) => validate.bind(py).call1((text(),)).and_then(|value| {
            let value = value.cast_into::<PyTuple>()?;
            let positional = value.get_item(0)?.cast_into::<PyTuple>()?;
            let keywords = value.get_item(1)?.cast_into::<PyDict>()?;
            Ok(Validated { positional, keywords })
        }),
        None => Runtime::get(py).and_then(|runtime| {
            let keywords = runtime.from_json.bind(py).call1((text(),))?.cast_into::<PyDict>()?;
            Ok(Validated {
                positional: PyTuple::empty(py),
                keywords,
            })
        }),
    }
}

/// Adds the `Context` that the tool asks for, if there is time for it to run.
fn complete<'py>(py: Python<'py>, job: &Job, validated: Validated<'py>) -> Result<Validated<'py>, CallEnd> {
    if job.state.has_no_time() {
        return Err(job.state.timed_out(false).into());
    }
    match &job.tool.context_parameter {
        Some(parameter) => with_context(py, job, validated, parameter),
        None => Ok(validated),
    }
}

/// The arguments with the `Context` that the tool asks for.
fn with_context<'py>(
    py: Python<'py>,
    job: &Job,
    validated: Validated<'py>,
    parameter: &Py<PyString>,
) -> Result<Validated<'py>, CallEnd> {
    let made = Runtime::get(py).and_then(|runtime| {
        let handle = Bound::new(py, CallHandle::new(&job.state))?;
        validated
            .keywords
            .set_item(parameter, runtime.context.bind(py).call1((handle,))?)
    });
    made.map(|()| validated)
        .map_err(|fault| CallEnd::Broken(internal(&fault)))
}

/// What the validator's exception means.
fn rejected(py: Python<'_>, job: &Job, error: PyErr) -> CallEnd {
    let refusal = Runtime::get(py).and_then(|runtime| {
        let read = runtime.read_rejection.bind(py).call1((error.value(py),))?;
        if read.is_none() {
            Ok(None)
        } else {
            utf8(&read).map(Some)
        }
    });
    match refusal {
        Ok(Some(json)) => match parse::<Rejection>(&json) {
            Ok(rejection) => CallEnd::InvalidArguments(Rejection {
                arguments: job.arguments.clone(),
                ..rejection
            }),
            Err(fault) => CallEnd::Broken(fault),
        },
        // A validator of the author's own may raise anything; that is the tool's fault, not the model's.
        Ok(None) => failed(py, job, error),
        Err(fault) => CallEnd::Broken(internal(&fault)),
    }
}

/// Calls the function inside `context`.
pub fn call_in<'py>(job: &Job, arguments: &Validated<'py>, context: &CallContext<'py>) -> PyResult<Bound<'py, PyAny>> {
    let function = job.tool.function.bind(context.object().py());
    context.call(function, &arguments.positional, Some(&arguments.keywords))
}

/// Goes by what came back, whatever the function looked like.
///
/// A generator runs here, as a part of the call: inside `within`, or as it is where the call's context is entered already.
pub fn settle<'py>(
    py: Python<'py>,
    job: &Job,
    value: Bound<'py, PyAny>,
    within: Option<&CallContext<'py>>,
) -> PyResult<Step<'py>> {
    if is_plain(&value) {
        return Ok(Step::Value(value));
    }
    let runtime = Runtime::get(py)?;
    if value.get_type().is(runtime.coroutine.bind(py)) {
        return Ok(Step::Coroutine(value));
    }
    let limit = job.lanes.limits().generator_items;
    if value.is_instance(runtime.generator.bind(py))? {
        let collect = runtime.collect.bind(py);
        let arguments = (value, limit).into_pyobject(py)?;
        let items = match within {
            Some(within) => within.call(collect, &arguments, None)?,
            None => collect.call1(arguments)?,
        };
        return Ok(Step::Value(items));
    }
    if value.is_instance(runtime.async_generator.bind(py))? {
        return Ok(Step::Coroutine(runtime.collect_async.bind(py).call1((value, limit))?));
    }
    if value.is_instance(runtime.awaitable.bind(py))? {
        return Ok(Step::Coroutine(runtime.finish.bind(py).call1((value,))?));
    }
    Ok(Step::Value(value))
}

/// Whether the value is one of JSON's own kinds, which nothing has to be awaited or looked into for.
pub fn is_plain(value: &Bound<'_, PyAny>) -> bool {
    value.is_exact_instance_of::<PyDict>()
        || value.is_exact_instance_of::<PyString>()
        || value.is_exact_instance_of::<PyList>()
        || value.is_exact_instance_of::<PyInt>()
        || value.is_exact_instance_of::<PyFloat>()
        || value.is_exact_instance_of::<PyBool>()
        || value.is_exact_instance_of::<PyNone>()
}

#[derive(Deserialize)]
struct ExceptionReport {
    verdict: Verdict,
    stop_text: Option<String>,
    failure: Failure,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    Failed,
    Aborted,
    Stopped,
}

/// What the exception of a tool means for its call.
pub fn failed(py: Python<'_>, job: &Job, error: PyErr) -> CallEnd {
    let runtime = match Runtime::get(py) {
        Ok(runtime) => runtime,
        Err(fault) => return CallEnd::Broken(internal(&fault)),
    };
    // `into_value` also ties the traceback to the exception, which `value` alone does not.
    let exception = error.into_value(py).into_bound(py);
    if let Some(reason) = job.state.stop_reason() {
        let ours = exception.is_instance_of::<CancelledError>()
            || exception.is_instance(runtime.interrupted.bind(py)).unwrap_or(false);
        if ours {
            return job.state.stopped(reason).into();
        }
    }
    let report = runtime
        .report
        .bind(py)
        .call1((&exception, &job.tool.bound))
        .and_then(|json| utf8(&json));
    match report
        .map_err(|fault| internal(&fault))
        .and_then(|json| parse::<ExceptionReport>(&json))
    {
        Ok(ExceptionReport {
            verdict: Verdict::Failed,
            failure,
            ..
        }) => failure.into(),
        Ok(ExceptionReport {
            verdict: Verdict::Stopped,
            stop_text,
            ..
        }) => CallEnd::Stopped(stop_text.unwrap_or_default()),
        Ok(ExceptionReport {
            verdict: Verdict::Aborted,
            failure,
            ..
        }) => CallEnd::Aborted(Box::new(failure), Some(handles::keep(exception.into_any().unbind()))),
        Err(fault) => CallEnd::Broken(fault),
    }
}

/// Reads what the runtime sends; a mismatch is our own fault.
pub fn parse<T: DeserializeOwned>(json: &str) -> Result<T, Error> {
    serde_json::from_str(json).map_err(|error| Error::Internal(format!("the runtime sent what does not fit: {error}")))
}

/// A fault of the runtime itself. Never printed through Python: printing a `SystemExit` would end the process.
pub fn internal(error: &PyErr) -> Error {
    Error::Internal(error.to_string())
}
