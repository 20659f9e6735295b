//! Owns the coroutine that the task of a call steps: it passes everything on to the tool's own, and when that has come to
//! its end, it ends the call.
//!
//! So a call is answered in the step that ends its tool. A done-callback would come one turn of the loop later, and an
//! exception such as `SystemExit` would leave the task and end the loop. Must not step a coroutine outside of its task:
//! `asyncio.timeout` and `TaskGroup` ask for the task in the first step.
#![expect(unsafe_code, reason = "pyo3 sends into iterators, and coroutines are none")]

use super::fork;
use super::heartbeat::Lent;
use super::invoke::{self, Step};
use super::job::Job;
use super::lock::lock;
use super::reader::Reader;
use super::render::render;
use crate::runner::CallEnd;
use pyo3::exceptions::PyStopIteration;
use pyo3::exceptions::asyncio::CancelledError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use std::sync::{Arc, Mutex};

/// The tool's coroutine, and the call that ends with it.
///
/// The job sits behind a lock because the garbage collector may free it on any thread.
#[pyclass(frozen, module = "pegboard._native")]
pub struct Driver {
    coroutine: Py<PyAny>,
    /// Lent to whoever watches the loop, during each step.
    state: Mutex<Lent>,
    job: Mutex<Option<Job>>,
    reader: Py<Reader>,
}

/// What one step of the coroutine came to.
enum Reached<'py> {
    /// It waits for this.
    Waits(Bound<'py, PyAny>),
    /// It returned this.
    Returned(Bound<'py, PyAny>),
    /// It raised.
    Raised(PyErr),
}

/// What its task makes of that.
enum Stepped<'py> {
    /// The coroutine waits for this.
    Waits(Bound<'py, PyAny>),
    /// The coroutine is done.
    Ended,
    /// The task was cancelled.
    Cancelled(PyErr),
}

impl Driver {
    /// The coroutine of a job whose task the reader knows.
    pub fn new(coroutine: Py<PyAny>, job: Job, reader: Py<Reader>) -> Self {
        Self {
            coroutine,
            state: Mutex::new(Some(Arc::clone(&job.state))),
            job: Mutex::new(Some(job)),
            reader,
        }
    }

    /// Takes the job away, so that the coroutine no longer ends it.
    pub fn take_job(&self) -> Option<Job> {
        lock(&self.job).take()
    }

    /// Whether the coroutine still has to end its call.
    pub fn is_pending(&self) -> bool {
        lock(&self.job).is_some()
    }

    fn send_in<'py>(&self, value: &Bound<'py, PyAny>) -> Stepped<'py> {
        let py = value.py();
        self.step(py, || {
            let mut result = std::ptr::null_mut();
            // SAFETY: attached; all three pointers are valid, and the result is a new reference or null.
            let (sent, result) = unsafe {
                let sent = pyo3::ffi::PyIter_Send(self.coroutine.as_ptr(), value.as_ptr(), &raw mut result);
                (sent, Bound::from_owned_ptr_or_opt(py, result))
            };
            match (sent, result) {
                (pyo3::ffi::PySendResult::PYGEN_NEXT, Some(awaited)) => Reached::Waits(awaited),
                (pyo3::ffi::PySendResult::PYGEN_RETURN, Some(value)) => Reached::Returned(value),
                _ => Reached::Raised(PyErr::fetch(py)),
            }
        })
    }

    fn throw_in<'py>(&self, exception: &Bound<'py, PyTuple>) -> Stepped<'py> {
        let py = exception.py();
        self.step(py, || {
            let thrown = self.coroutine.bind(py).call_method1(intern!(py, "throw"), exception);
            match thrown {
                Ok(awaited) => Reached::Waits(awaited),
                Err(error) if error.is_instance_of::<PyStopIteration>(py) => {
                    let value = error.value(py).getattr(intern!(py, "value"));
                    value.map_or_else(Reached::Raised, Reached::Returned)
                }
                Err(error) => Reached::Raised(error),
            }
        })
    }

    /// Makes a step, and answers the call if it was the last one.
    fn step<'py>(&self, py: Python<'py>, advance: impl FnOnce() -> Reached<'py>) -> Stepped<'py> {
        fork::leave_if_child_waits();
        let state = lock(&self.state).take();
        let ((stepped, end), state) = self.reader.get().hold(py, state, || match advance() {
            Reached::Waits(awaited) => {
                fork::leave_if_child_waits();
                (Stepped::Waits(awaited), None)
            }
            Reached::Returned(value) => (Stepped::Ended, self.returned(py, value)),
            Reached::Raised(error) => self.raised(py, error),
        });
        *lock(&self.state) = state;
        if let Some((job, end)) = end {
            Reader::end(&self.reader, py, job, end);
        }
        stepped
    }

    /// What the call ends with, now that the tool has returned this; none if it goes on with that.
    fn returned(&self, py: Python<'_>, value: Bound<'_, PyAny>) -> Option<(Job, CallEnd)> {
        fork::leave_if_child(py, Ok(()));
        let job = self.take_job()?;
        let end = match invoke::settle(py, &job, value, None) {
            Ok(Step::Value(value)) => render(py, &job, &value),
            Ok(Step::Coroutine(coroutine)) => {
                self.reader.get().tasks().forget(job.state.number);
                let lanes = Arc::clone(&job.lanes);
                if let Some(event_loop) = lanes.running_event_loop() {
                    event_loop.run_coroutine(job, coroutine.unbind());
                }
                return None;
            }
            Err(error) => invoke::failed(py, &job, error),
        };
        Some((job, end))
    }

    /// What the call ends with, now that the tool has raised this. The task only learns that it was cancelled, if it was:
    /// everything else is said to the call's caller, and would be reported by the loop once more.
    fn raised<'py>(&self, py: Python<'py>, error: PyErr) -> (Stepped<'py>, Option<(Job, CallEnd)>) {
        fork::leave_if_child(py, Err(&error));
        let stepped = if error.is_instance_of::<CancelledError>(py) {
            Stepped::Cancelled(error.clone_ref(py))
        } else {
            Stepped::Ended
        };
        let job = self.take_job();
        let end = job.map(|job| {
            let end = invoke::failed(py, &job, error);
            (job, end)
        });
        (stepped, end)
    }
}

#[pymethods]
impl Driver {
    fn __await__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.send_in(py.None().bind(py)) {
            Stepped::Waits(awaited) => Ok(Some(awaited)),
            Stepped::Ended => Ok(None),
            Stepped::Cancelled(error) => Err(error),
        }
    }

    fn send<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        awaited(self.send_in(value))
    }

    #[pyo3(signature = (*exception))]
    fn throw<'py>(&self, exception: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
        awaited(self.throw_in(exception))
    }

    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.coroutine.call_method0(py, intern!(py, "close")).map(drop)
    }

    /// What debuggers and `asyncio` ask a coroutine for: its frame, its code, what it waits for.
    fn __getattr__<'py>(&self, py: Python<'py>, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        self.coroutine.bind(py).getattr(name)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.coroutine.bind(py).repr().map(|text| text.to_string())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.coroutine)
    }
}

fn awaited(stepped: Stepped<'_>) -> PyResult<Bound<'_, PyAny>> {
    match stepped {
        Stepped::Waits(awaited) => Ok(awaited),
        Stepped::Ended => Err(PyStopIteration::new_err(())),
        Stepped::Cancelled(error) => Err(error),
    }
}
