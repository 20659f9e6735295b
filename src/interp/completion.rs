//! Owns the end of an async call: what asyncio calls when the call's task is done.

use super::event_loop::Reader;
use super::invoke::{self, Step};
use super::job::Job;
use pyo3::intern;
use pyo3::prelude::*;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

/// A task's done-callback. The job sits behind a lock because the garbage collector may free it on any thread.
#[pyclass(frozen, module = "pegboard._native")]
pub struct Completion {
    job: Mutex<Option<Job>>,
    reader: Py<Reader>,
}

impl Completion {
    /// The end of a job whose task the reader knows.
    pub fn new(job: Job, reader: Py<Reader>) -> Self {
        Self {
            job: Mutex::new(Some(job)),
            reader,
        }
    }

    /// Ends the call with an exception of the host's own making.
    pub fn fail(&self, py: Python<'_>, error: PyErr) {
        if let Some(job) = self.take() {
            let end = invoke::failed(py, &job, error);
            job.finish(end);
        }
    }

    fn take(&self) -> Option<Job> {
        self.job.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

#[pymethods]
impl Completion {
    fn __call__(&self, task: &Bound<'_, PyAny>) {
        let py = task.py();
        let Some(job) = self.take() else { return };
        self.reader.get().forget(job.state.number);
        let step = task
            .call_method0(intern!(py, "result"))
            .and_then(|value| invoke::settle(py, &job, value, None));
        let end = match step {
            Ok(Step::Value(value)) => invoke::render(py, &job, &value),
            Ok(Step::Coroutine(coroutine)) => {
                let lanes = Arc::clone(&job.lanes);
                if let Some(event_loop) = lanes.running_event_loop() {
                    event_loop.run_coroutine(job, coroutine.unbind());
                }
                return;
            }
            Err(error) => invoke::failed(py, &job, error),
        };
        job.finish(end);
    }
}

/// What asyncio calls when a toolset was entered: the call that had to wait for it starts.
#[pyclass(frozen, module = "pegboard._native")]
pub struct Entrance {
    job: Mutex<Option<Job>>,
}

impl Entrance {
    /// The call that waits.
    pub fn new(job: Job) -> Self {
        Self {
            job: Mutex::new(Some(job)),
        }
    }
}

#[pymethods]
impl Entrance {
    fn __call__(&self, task: &Bound<'_, PyAny>) {
        let py = task.py();
        let Some(job) = self.job.lock().unwrap_or_else(PoisonError::into_inner).take() else {
            return;
        };
        match task.call_method0(intern!(py, "result")) {
            Ok(_) => {
                job.tool.entered.store(true, Ordering::Release);
                let lanes = Arc::clone(&job.lanes);
                lanes.start(job);
            }
            Err(error) => {
                let end = invoke::failed(py, &job, error);
                job.finish(end);
            }
        }
    }
}
