//! Owns the functions of the Python runtime that Rust calls, looked up once.
//!
//! Must not hold anything of a tool; those objects are in `handles.rs`.
#![expect(unsafe_code, reason = "pyo3 has no safe way to ask whether there is a frame")]

use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyList};

/// The looked-up functions.
pub struct Runtime {
    /// `pydantic_core.from_json(data)`.
    pub from_json: Py<PyAny>,
    /// `pydantic_core.to_json(value)`.
    pub to_json: Py<PyAny>,
    /// `render.render(value)`.
    pub render: Py<PyAny>,
    /// `contextvars.copy_context()`.
    #[cfg(Py_LIMITED_API)]
    pub copy_context: Py<PyAny>,
    /// The context variable `current.CURRENT`.
    pub current: Py<PyAny>,
    /// The class `authoring.Context`.
    pub context: Py<PyAny>,
    /// `drain.collect(generator, limit)`.
    pub collect: Py<PyAny>,
    /// `drain.collect_async(async_generator, limit)`.
    pub collect_async: Py<PyAny>,
    /// `drain.finish(awaitable)`.
    pub finish: Py<PyAny>,
    /// The class of coroutines.
    pub coroutine: Py<PyAny>,
    /// The class of generators.
    pub generator: Py<PyAny>,
    /// The class of async generators.
    pub async_generator: Py<PyAny>,
    /// `collections.abc.Awaitable`.
    pub awaitable: Py<PyAny>,
    /// `problems.read(error)`.
    pub read_rejection: Py<PyAny>,
    /// `exceptions.report(error, bound)`.
    pub report: Py<PyAny>,
    /// `exceptions.report_render_failure(error, value, bound)`.
    pub report_render_failure: Py<PyAny>,
    /// The class `interrupt.Interrupted`.
    pub interrupted: Py<PyAny>,
    /// `asyncio._get_running_loop()`, once somebody imported it.
    running_loop: PyOnceLock<Py<PyAny>>,
    /// `sys.modules`.
    modules: Py<PyAny>,
    current_frames: Py<PyAny>,
    format_stack: Py<PyAny>,
}

static RUNTIME: PyOnceLock<Runtime> = PyOnceLock::new();

impl Runtime {
    /// The functions, looked up on first use.
    ///
    /// # Errors
    /// What Python raises when pydantic or the runtime cannot be imported.
    pub fn get(py: Python<'_>) -> PyResult<&'static Self> {
        RUNTIME.get_or_try_init(py, || Self::look_up(py))
    }

    fn look_up(py: Python<'_>) -> PyResult<Self> {
        let get = |module: &str, name: &str| -> PyResult<Py<PyAny>> { Ok(py.import(module)?.getattr(name)?.unbind()) };
        Ok(Self {
            from_json: get("pydantic_core", "from_json")?,
            to_json: get("pydantic_core", "to_json")?,
            render: get("pegboard.runtime.render", "render")?,
            #[cfg(Py_LIMITED_API)]
            copy_context: get("contextvars", "copy_context")?,
            current: get("pegboard.runtime.current", "CURRENT")?,
            context: get("pegboard.authoring.context", "Context")?,
            collect: get("pegboard.runtime.drain", "collect")?,
            collect_async: get("pegboard.runtime.drain", "collect_async")?,
            finish: get("pegboard.runtime.drain", "finish")?,
            coroutine: get("types", "CoroutineType")?,
            generator: get("types", "GeneratorType")?,
            async_generator: get("types", "AsyncGeneratorType")?,
            awaitable: get("collections.abc", "Awaitable")?,
            read_rejection: get("pegboard.runtime.problems", "read")?,
            report: get("pegboard.runtime.exceptions", "report")?,
            report_render_failure: get("pegboard.runtime.exceptions", "report_render_failure")?,
            interrupted: get("pegboard.runtime.interrupt", "Interrupted")?,
            running_loop: PyOnceLock::new(),
            modules: get("sys", "modules")?,
            current_frames: get("sys", "_current_frames")?,
            format_stack: get("traceback", "format_stack")?,
        })
    }

    /// Whether this thread runs an event loop, on which a sync tool must not run.
    ///
    /// # Errors
    /// What Python raises.
    pub fn has_running_loop(&self, py: Python<'_>) -> PyResult<bool> {
        if !is_running_python(py) {
            return Ok(false);
        }
        let running = if let Some(running) = self.running_loop.get(py) {
            running
        } else {
            // Without asyncio in the process there is no loop, and importing it only to ask would cost 30 ms.
            let modules = self.modules.bind(py).cast::<PyDict>()?;
            let Some(events) = modules.get_item(intern!(py, "asyncio.events"))? else {
                return Ok(false);
            };
            let running = events.getattr(intern!(py, "_get_running_loop"))?.unbind();
            self.running_loop.get_or_init(py, || running)
        };
        Ok(!running.bind(py).call0()?.is_none())
    }

    /// The innermost frame of the thread of that identifier; `None` if it is gone.
    ///
    /// # Errors
    /// What Python raises.
    pub fn frame<'py>(&self, py: Python<'py>, thread: u64) -> PyResult<Option<Bound<'py, PyAny>>> {
        let frames = self.current_frames.bind(py).call0()?;
        Ok(frames.get_item(thread).ok())
    }

    /// Where the thread of that identifier is now.
    ///
    /// # Errors
    /// What Python raises; a thread that is gone gives an empty text.
    pub fn stack(&self, py: Python<'_>, thread: u64) -> PyResult<String> {
        let Some(frame) = self.frame(py, thread)? else {
            return Ok(String::new());
        };
        let lines = self.format_stack.call1(py, (frame,))?;
        Ok(lines
            .bind(py)
            .cast::<PyList>()?
            .iter()
            .filter_map(|line| line.extract::<String>().ok())
            .collect())
    }
}

/// Whether Python code of this thread waits for what goes on here; a thread of Rust's own has none, and so no event loop.
fn is_running_python(_py: Python<'_>) -> bool {
    // SAFETY: attached; the frame that is returned is borrowed, and only asked whether it is there.
    !unsafe { pyo3::ffi::PyEval_GetFrame() }.is_null()
}

/// The bytes of a `bytes` object as text; what the runtime sends is UTF-8.
pub fn utf8(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let bytes = value.cast::<PyBytes>()?.as_bytes();
    std::str::from_utf8(bytes)
        .map(str::to_owned)
        .map_err(|error| PyValueError::new_err(error.to_string()))
}
