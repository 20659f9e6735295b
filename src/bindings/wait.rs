//! Owns waiting for the host on a Python thread: detached, and giving way to signals such as Ctrl-C.

use super::exceptions::to_exception;
use crate::error::Error;
use pyo3::prelude::*;
use pyo3_async_runtimes::tokio::get_runtime;
use std::future::Future;
use std::time::Duration;

/// How often a waiting thread lets Python look for signals.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Waits for what `work` does on this very thread, and ends it when a signal's handler raises.
pub fn for_work<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&mut dyn FnMut() -> bool) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let mut raised = None;
    let answer = py.detach(|| {
        work(&mut || match check_signals() {
            Ok(()) => false,
            Err(error) => {
                raised = Some(error);
                true
            }
        })
    });
    match raised {
        Some(error) => Err(error),
        None => answer.map_err(|error| to_exception(py, error)),
    }
}

/// Waits for a future, and drops it when a signal's handler raises.
pub fn for_future<T: Send>(py: Python<'_>, future: impl Future<Output = T> + Send) -> PyResult<T> {
    py.detach(|| {
        get_runtime().block_on(async {
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
