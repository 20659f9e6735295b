//! Owns `Run` and `PendingCall` as Python sees them.

use super::arguments::{self, GivenArguments, GivenCalls, GivenTool};
use super::bridge;
use super::exceptions::to_exception;
use super::outcome::Outcome;
use super::wait;
use crate::error::Result;
use crate::host::{self, RunResult};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::sync::Arc;

/// A sequence of calls with shared limits.
#[pyclass(frozen, module = "pegboard")]
pub struct Run {
    inner: Arc<host::Run>,
}

impl From<host::Run> for Run {
    fn from(run: host::Run) -> Self {
        Self { inner: Arc::new(run) }
    }
}

/// A call that the application has to execute.
#[pyclass(frozen, get_all, module = "pegboard")]
pub struct PendingCall {
    /// The call's id, for `Run.submit`.
    call_id: String,
    /// The tool's name.
    tool: String,
    /// The arguments, as JSON text.
    arguments: String,
}

impl From<host::PendingCall> for PendingCall {
    fn from(pending: host::PendingCall) -> Self {
        Self {
            call_id: pending.call_id,
            tool: pending.tool.name.clone(),
            arguments: pending.arguments,
        }
    }
}

#[pymethods]
impl Run {
    /// Runs one call while this thread waits.
    #[pyo3(signature = (tool, arguments = None, *, call_id = None))]
    fn call<'py>(
        &self,
        py: Python<'py>,
        tool: GivenTool,
        arguments: Option<GivenArguments>,
        call_id: Option<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let call = arguments::call(py, tool, arguments, call_id)?;
        let result = wait::for_future(py, self.inner.call(call))?;
        to_python(py, result)
    }

    /// Runs several calls while this thread waits, and answers them in their order.
    ///
    /// An item is an `Outcome`, a `PendingCall`, or the exception that the call ended with.
    fn call_all<'py>(&self, py: Python<'py>, calls: GivenCalls) -> PyResult<Bound<'py, PyList>> {
        let calls = calls.into_calls(py)?;
        let results = wait::for_future(py, self.inner.call_all(calls))?;
        results_to_python(py, results)
    }

    /// The same without holding up the caller's event loop.
    fn call_all_async<'py>(&self, py: Python<'py>, calls: GivenCalls) -> PyResult<Bound<'py, PyAny>> {
        let calls = calls.into_calls(py)?;
        let run = Arc::clone(&self.inner);
        bridge::awaitable(py, async move { run.call_all(calls).await }, |py, results| {
            results_to_python(py, results).map(|results| results.into_any().unbind())
        })
    }

    /// Takes the result of a call that the application ran: text for the model.
    fn submit(&self, py: Python<'_>, call_id: &str, result: String) -> PyResult<Outcome> {
        self.inner
            .submit(call_id, result)
            .map(Outcome::from)
            .map_err(|error| to_exception(py, error))
    }

    /// The calls that the application has not answered yet.
    #[getter]
    fn pending<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(
            py,
            self.inner
                .pending()
                .into_iter()
                .map(PendingCall::from)
                .collect::<Vec<_>>(),
        )
    }

    /// The tool that asked to end the run, or `None`.
    #[getter]
    fn stopped_by(&self) -> Option<String> {
        self.inner.stopped_by()
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    #[expect(clippy::unused_self, reason = "a run holds nothing that has to be given back")]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {}
}

fn to_python(py: Python<'_>, result: Result<RunResult>) -> PyResult<Bound<'_, PyAny>> {
    match result {
        Ok(RunResult::Done(outcome)) => Ok(Bound::new(py, Outcome::from(outcome))?.into_any()),
        Ok(RunResult::Pending(pending)) => Ok(Bound::new(py, PendingCall::from(pending))?.into_any()),
        Err(error) => Err(to_exception(py, error)),
    }
}

fn results_to_python(py: Python<'_>, results: Vec<Result<RunResult>>) -> PyResult<Bound<'_, PyList>> {
    let items = results.into_iter().map(|result| match to_python(py, result) {
        Ok(item) => item,
        Err(error) => error.into_value(py).into_bound(py).into_any(),
    });
    PyList::new(py, items.collect::<Vec<_>>())
}
