//! Owns closing a host that its owner forgot: when it is collected, and at the latest when the interpreter ends.
//!
//! The host's threads must be gone before CPython finalises, which would tear them down in the middle of a call. A process
//! that was forked has none of them, and would wait for ever.

use super::exceptions::to_exception;
use super::reactor;
use crate::host;
use crate::interp::fork;
use pyo3::prelude::*;

/// What `weakref.finalize` calls.
#[pyclass(frozen, module = "pegboard._native")]
struct Closer {
    host: host::Host,
}

#[pymethods]
impl Closer {
    fn __call__(&self, py: Python<'_>) -> PyResult<()> {
        if fork::is_child() {
            return Ok(());
        }
        let host = self.host.clone();
        let runtime = reactor::get().map_err(|error| to_exception(py, error))?;
        let closing = std::thread::spawn(move || runtime.block_on(host.close()));
        let threading = py.import("threading")?;
        // A host may be collected on any thread, its own included, which must not wait for itself. Only the main thread
        // waits: there it is either an explicit end or the end of the interpreter.
        if threading
            .call_method0("current_thread")?
            .is(&threading.call_method0("main_thread")?)
        {
            py.detach(|| closing.join()).map(drop).unwrap_or_default();
        }
        Ok(())
    }
}

/// Closes `host` when `owner` is collected or the interpreter ends.
pub fn close_with(py: Python<'_>, owner: &Bound<'_, PyAny>, host: &host::Host) -> PyResult<()> {
    let closer = Closer { host: host.clone() };
    py.import("weakref")?
        .call_method1("finalize", (owner, Bound::new(py, closer)?))
        .map(drop)
}
