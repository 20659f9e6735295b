//! Owns the runner's manners towards the process: standard streams at the start, and leaving in good order.

use super::event_loop::Reader;
use super::fork;
use super::invoke::{internal, parse};
use super::lanes::Lanes;
use super::runtime::utf8;
use crate::diagnostic::{Diagnostic, DiagnosticCode, Severity};
use crate::error::Error;
use pyo3::intern;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// How often closing looks whether the threads are gone.
const THREAD_INTERVAL: Duration = Duration::from_millis(2);

/// Makes Python's standard streams tell which call wrote.
///
/// # Errors
/// [`Error::Interpreter`] with what Python said.
pub fn prepare(py: Python<'_>) -> Result<(), Error> {
    py.import("pegboard.runtime.streams")
        .and_then(|streams| streams.call_method0("install"))
        .and_then(|_| py.import("pegboard.runtime.directory")?.call_method0("install"))
        .and_then(|_| fork::watch(py))
        .map_err(|error| Error::Interpreter {
            reason: error.to_string(),
        })
}

/// What the end of the runtime's coroutine is told to.
#[pyclass(frozen, module = "pegboard._native")]
struct Closed {
    sender: Mutex<Option<oneshot::Sender<Vec<Diagnostic>>>>,
}

#[pymethods]
impl Closed {
    fn __call__(&self, task: &Bound<'_, PyAny>) {
        let diagnostics = task
            .call_method0(intern!(task.py(), "result"))
            .and_then(|json| utf8(&json))
            .map_err(|error| internal(&error))
            .and_then(|json| parse::<Vec<Diagnostic>>(&json))
            .unwrap_or_else(|error| vec![failed(&error)]);
        let sender = self.sender.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(sender) = sender {
            drop(sender.send(diagnostics));
        }
    }
}

/// Cancels what runs, leaves the toolsets within `grace`, flushes the streams and sends the threads home.
pub async fn close(lanes: Arc<Lanes>, grace: Duration) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    lanes.stop_threads();
    if let Some(event_loop) = lanes.running_event_loop() {
        let (sender, receiver) = oneshot::channel();
        event_loop.run(move |reader| {
            let ending = reader.get().tasks().cancel_all(reader.py());
            if let Err(error) = leave_toolsets(reader, &ending, grace, sender) {
                tracing::warn!(error = %internal(&error), "toolsets could not be left");
            }
        });
        match tokio::time::timeout(grace + grace, receiver).await {
            Ok(Ok(found)) => diagnostics = found,
            // Without an answer the loop is blocked by a tool.
            Ok(Err(_)) | Err(_) => diagnostics.push(failed("the event loop did not answer within the grace period")),
        }
    }
    let flushed = Python::attach(|py| py.import("pegboard.runtime.streams")?.call_method0("flush").map(drop));
    if let Err(error) = flushed {
        diagnostics.push(failed(internal(&error)));
    }
    if let Some(event_loop) = lanes.running_event_loop() {
        diagnostics.extend(event_loop.take_found());
    }
    lanes.close();
    let closed = Instant::now();
    while lanes.busy_threads() > 0 && closed.elapsed() < grace {
        tokio::time::sleep(THREAD_INTERVAL).await;
    }
    diagnostics
}

fn leave_toolsets(
    reader: &Bound<'_, Reader>,
    ending: &[Py<PyAny>],
    grace: Duration,
    sender: oneshot::Sender<Vec<Diagnostic>>,
) -> PyResult<()> {
    let py = reader.py();
    let leaving = py
        .import("pegboard.runtime.lifetime")?
        .call_method1("leave_all", (grace.as_secs_f64(), ending))?;
    let task = reader.get().event_loop(py).call_method1("create_task", (leaving,))?;
    let closed = Bound::new(
        py,
        Closed {
            sender: Mutex::new(Some(sender)),
        },
    )?;
    task.call_method1("add_done_callback", (closed,))?;
    Ok(())
}

fn failed(reason: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::new(
        DiagnosticCode::CloseFailed,
        Severity::Warning,
        format!("the host did not close in good order: {reason}"),
    )
}
