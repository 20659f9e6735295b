//! Owns waiting for the host on a Python thread: detached, and giving way to signals such as Ctrl-C.

use super::exceptions::to_exception;
use super::reactor;
use crate::host::{Host, WaitingCaller};
use crate::model::{Call, Outcome};
use pyo3::prelude::*;
use std::future::Future;
use std::time::Duration;

/// How often a waiting thread lets Python look for signals.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// A Python thread that waits for a call: it lets go of the interpreter lock only if there is something to wait for.
struct PythonCaller<'py> {
    py: Python<'py>,
    raised: Option<PyErr>,
}

impl WaitingCaller for PythonCaller<'_> {
    fn wait(&mut self, wait: &mut (dyn FnMut() + Send)) {
        self.py.detach(wait);
    }

    fn gives_up(&mut self) -> bool {
        self.raised = self.py.check_signals().err();
        self.raised.is_some()
    }
}

/// Runs a call on this very thread or waits for it, and cancels it when a signal's handler raises.
pub fn for_call(py: Python<'_>, host: &Host, call: Call) -> PyResult<Outcome> {
    let mut caller = PythonCaller { py, raised: None };
    let answer = host.call_for(call, &mut caller);
    match caller.raised {
        Some(error) => Err(error),
        None => answer.map_err(|error| to_exception(py, error)),
    }
}

/// Waits for a future, and drops it when a signal's handler raises.
pub fn for_future<T: Send>(py: Python<'_>, future: impl Future<Output = T> + Send) -> PyResult<T> {
    let runtime = reactor::get().map_err(|error| to_exception(py, error))?;
    py.detach(|| {
        runtime.block_on(async {
            tokio::pin!(future);
            loop {
                tokio::select! {
                    answer = &mut future => return Ok(answer),
                    () = tokio::time::sleep(SIGNAL_INTERVAL) => check_signals()?,
                }
            }
        })
    })
}

/// Lets Python run the handlers of signals that came.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method's lifetime is not general enough"
)]
fn check_signals() -> PyResult<()> {
    Python::attach(|py| py.check_signals())
}
