//! Owns the runner's manners towards the process: standard streams at the start, and leaving in good order.

use super::event_loop::EventLoop;
use super::fork;
use super::handles::ToolTable;
use super::invoke::{internal, parse};
use super::lanes::Lanes;
use super::reader::Reader;
use super::runtime::utf8;
use super::unanswered;
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
        .and_then(|_| py.import("pegboard.runtime.leaving")?.call_method0("install"))
        .and_then(|_| py.import("pegboard.runtime.leftover")?.call_method0("install"))
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

/// Cancels what runs, leaves the toolsets within `grace`, flushes the streams, sends the threads home, and answers the
/// calls that are open after all that.
pub async fn close(lanes: Arc<Lanes>, tools: Arc<ToolTable>, grace: Duration) -> Vec<Diagnostic> {
    let started = Instant::now();
    let mut diagnostics = Vec::new();
    unanswered::turn_away(lanes.refuse());
    unanswered::turn_away(tools.withdraw());
    lanes.stop_threads();
    if let Some(event_loop) = lanes.running_event_loop() {
        event_loop.stop_holder();
        match leave_loop(event_loop, grace).await {
            Some(found) => diagnostics = found,
            None => diagnostics.push(failed("the event loop did not answer within the grace period")),
        }
        unanswered::turn_away(event_loop.withdraw());
        diagnostics.extend(event_loop.take_found());
    }
    diagnostics.extend(flush(&lanes, grace).await.err());
    lanes.close();
    let limit = (grace + grace).saturating_sub(started.elapsed()).min(grace);
    let closed = Instant::now();
    while lanes.busy_threads() > 0 && closed.elapsed() < limit {
        tokio::time::sleep(THREAD_INTERVAL).await;
    }
    diagnostics.extend(unanswered::answer(&lanes));
    diagnostics
}

/// Cancels the tasks and leaves the toolsets; `None` if a tool holds the loop.
async fn leave_loop(event_loop: &EventLoop, grace: Duration) -> Option<Vec<Diagnostic>> {
    let (tell, begun) = oneshot::channel();
    let (sender, receiver) = oneshot::channel();
    event_loop.run(move |reader| {
        // A closing that no longer waits has given the loop up.
        let _ = tell.send(());
        let ending = reader.get().tasks().cancel_all(reader.py());
        if let Err(error) = leave_toolsets(reader, &ending, grace, sender) {
            tracing::warn!(error = %internal(&error), "toolsets could not be left");
        }
    });
    tokio::time::timeout(grace, begun).await.ok()?.ok()?;
    tokio::time::timeout(grace + grace, receiver).await.ok()?.ok()
}

/// Writes out what the standard streams hold back, on a thread of its own: C code in a tool may hold the interpreter lock
/// for as long as it likes.
async fn flush(lanes: &Lanes, grace: Duration) -> Result<(), Diagnostic> {
    let (sender, receiver) = oneshot::channel();
    let presence = lanes.presence();
    let spawned = std::thread::Builder::new()
        .name("pegboard-flush".to_owned())
        .spawn(move || {
            let flush = |py: Python<'_>| py.import("pegboard.runtime.streams")?.call_method0("flush").map(drop);
            drop(sender.send(Python::attach(flush).map_err(|error| internal(&error))));
            drop(presence);
        });
    spawned.map_err(failed)?;
    match tokio::time::timeout(grace, receiver).await {
        Ok(Ok(flushed)) => flushed.map_err(failed),
        Ok(Err(_)) | Err(_) => Err(failed("the interpreter lock was not to be had within the grace period")),
    }
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
