//! Owns the end of entering a toolset: the call that had to wait for it starts, or fails with it.

use super::invoke;
use super::job::Job;
use pyo3::intern;
use pyo3::prelude::*;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

/// What asyncio calls when a toolset was entered.
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
