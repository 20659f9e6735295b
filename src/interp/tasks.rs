//! Owns the tasks that run on the event loop, by the numbers of their calls.
//!
//! Must not make or step a task; the loop does.

use super::call_state::{CallState, StopReason};
use super::invoke;
use ahash::RandomState;
use pyo3::intern;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

struct Running {
    task: Py<PyAny>,
    state: Arc<CallState>,
}

/// The tasks of the calls that are not at their end.
#[derive(Default)]
pub struct Tasks(Mutex<HashMap<u64, Running, RandomState>>);

impl Tasks {
    /// Keeps the task of a call.
    pub fn insert(&self, task: Py<PyAny>, state: Arc<CallState>) {
        self.lock().insert(state.number, Running { task, state });
    }

    /// Forgets the task of a call, which the call no longer is about; whether no call has a task any more.
    pub fn forget(&self, number: u64) -> bool {
        let mut tasks = self.lock();
        let running = tasks.remove(&number);
        let is_empty = tasks.is_empty();
        drop(tasks);
        // Outside of the lock: the last reference may run Python code.
        drop(running);
        is_empty
    }

    /// Whether no call has a task.
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// Cancels the task of a call, if it has one.
    ///
    /// # Errors
    /// What Python raises.
    pub fn cancel(&self, py: Python<'_>, number: u64) -> PyResult<()> {
        let task = self.lock().get(&number).map(|running| running.task.clone_ref(py));
        if let Some(task) = task {
            // A second request would interrupt what the task does because of the first.
            if !task.call_method0(py, intern!(py, "cancelling"))?.is_truthy(py)? {
                task.call_method0(py, intern!(py, "cancel"))?;
            }
        }
        Ok(())
    }

    /// The calls that have a task.
    pub fn calls(&self) -> Vec<Arc<CallState>> {
        self.lock().values().map(|running| Arc::clone(&running.state)).collect()
    }

    /// Cancels every task, and returns those that still have to come to their end.
    pub fn cancel_all(&self, py: Python<'_>) -> Vec<Py<PyAny>> {
        for state in self.calls() {
            state.request_stop(StopReason::Cancelled);
            if let Err(error) = self.cancel(py, state.number) {
                tracing::warn!(error = %invoke::internal(&error), "a task could not be cancelled");
            }
        }
        self.lock().values().map(|running| running.task.clone_ref(py)).collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Running, RandomState>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
