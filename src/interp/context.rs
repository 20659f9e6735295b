//! Owns the context variables of a call: a copy of its caller's, in which the call is the current one.
//!
//! Must not call tools by itself. Where CPython's own functions may be named they are called directly; the limited
//! interface of the wheel does not have them, and goes through `contextvars.Context.run`, which is slower.
#![expect(unsafe_code, reason = "pyo3 has no safe interface to contexts")]

use super::call_handle::CallHandle;
use super::handles;
use super::job::Job;
use super::runtime::Runtime;
use crate::model::Ticket;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// The context that one call runs in.
pub struct CallContext<'py>(Bound<'py, PyAny>);

impl<'py> CallContext<'py> {
    /// A fresh copy of the caller's variables, or of this thread's, in which the call of `job` is the current one.
    ///
    /// # Errors
    /// What Python raises.
    pub fn new(py: Python<'py>, job: &Job) -> PyResult<Self> {
        let runtime = Runtime::get(py)?;
        let context = match job.context.as_ref().and_then(|ticket| handles::object(py, ticket)) {
            Some(context) => context.bind(py).call_method0(intern!(py, "copy"))?,
            None => copy_current(py, runtime)?,
        };
        let handle = Bound::new(py, CallHandle::new(&job.state))?;
        make_current(runtime, &context, &handle)?;
        Ok(Self(context))
    }

    /// Calls `function` inside the context.
    ///
    /// # Errors
    /// What the function raises.
    pub fn call(
        &self,
        function: &Bound<'py, PyAny>,
        positional: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        call_within(&self.0, function, positional, keywords)
    }

    /// The `contextvars.Context`.
    pub fn object(&self) -> &Bound<'py, PyAny> {
        &self.0
    }
}

/// What a thread that is Python's own lets a call see of its surroundings, for a call that it hands to another thread.
pub fn of_this_thread() -> Option<Ticket> {
    // SAFETY: may be called from any thread, attached or not, once the interpreter runs.
    if unsafe { pyo3::ffi::PyGILState_GetThisThreadState() }.is_null() {
        // Attaching would make a thread state only to find that there is nothing in it.
        return None;
    }
    Python::attach(|py| {
        let context = copy_current(py, Runtime::get(py).ok()?).ok()?;
        handles::keep_context(context).ok()?
    })
}

/// A copy of this thread's context.
///
/// # Errors
/// What Python raises.
#[cfg(Py_LIMITED_API)]
pub fn copy_current<'py>(py: Python<'py>, runtime: &Runtime) -> PyResult<Bound<'py, PyAny>> {
    runtime.copy_context.bind(py).call0()
}

/// A copy of this thread's context.
///
/// # Errors
/// What Python raises.
#[cfg(not(Py_LIMITED_API))]
pub fn copy_current<'py>(py: Python<'py>, _runtime: &Runtime) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: attached; the function returns a new reference, or null with an exception set.
    unsafe { Bound::from_owned_ptr_or_err(py, pyo3::ffi::PyContext_CopyCurrent()) }
}

#[cfg(Py_LIMITED_API)]
fn make_current(runtime: &Runtime, context: &Bound<'_, PyAny>, handle: &Bound<'_, CallHandle>) -> PyResult<()> {
    let py = context.py();
    let set = runtime.current.bind(py).getattr(intern!(py, "set"))?;
    context.call_method1(intern!(py, "run"), (set, handle)).map(drop)
}

#[cfg(not(Py_LIMITED_API))]
fn make_current(runtime: &Runtime, context: &Bound<'_, PyAny>, handle: &Bound<'_, CallHandle>) -> PyResult<()> {
    let entered = Entered::new(context)?;
    // SAFETY: attached; the first is a `ContextVar`, and the token that is returned is a new reference.
    let token = unsafe {
        let token = pyo3::ffi::PyContextVar_Set(runtime.current.as_ptr(), handle.as_ptr());
        Bound::from_owned_ptr_or_err(context.py(), token)
    };
    drop(entered);
    token.map(drop)
}

#[cfg(Py_LIMITED_API)]
fn call_within<'py>(
    context: &Bound<'py, PyAny>,
    function: &Bound<'py, PyAny>,
    positional: &Bound<'py, PyTuple>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = context.py();
    let run = context.getattr(intern!(py, "run"))?;
    if positional.is_empty() {
        return run.call((function,), keywords);
    }
    let positional = PyTuple::new(
        py,
        std::iter::once(function.clone())
            .chain(positional.iter())
            .collect::<Vec<_>>(),
    )?;
    run.call(positional, keywords)
}

#[cfg(not(Py_LIMITED_API))]
fn call_within<'py>(
    context: &Bound<'py, PyAny>,
    function: &Bound<'py, PyAny>,
    positional: &Bound<'py, PyTuple>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let entered = Entered::new(context)?;
    let value = function.call(positional, keywords);
    drop(entered);
    value
}

/// A context that this thread is in until this is dropped.
#[cfg(not(Py_LIMITED_API))]
struct Entered<'a, 'py>(&'a Bound<'py, PyAny>);

#[cfg(not(Py_LIMITED_API))]
impl<'a, 'py> Entered<'a, 'py> {
    fn new(context: &'a Bound<'py, PyAny>) -> PyResult<Self> {
        // SAFETY: attached; `context` is a `contextvars.Context`, and CPython refuses any other.
        if unsafe { pyo3::ffi::PyContext_Enter(context.as_ptr()) } < 0 {
            return Err(PyErr::fetch(context.py()));
        }
        Ok(Self(context))
    }
}

#[cfg(not(Py_LIMITED_API))]
impl Drop for Entered<'_, '_> {
    fn drop(&mut self) {
        // SAFETY: attached, as the borrowed context shows; it was entered on this thread.
        if unsafe { pyo3::ffi::PyContext_Exit(self.0.as_ptr()) } < 0 {
            // Only possible if the tool entered another context and left it open, which is then the thread's.
            drop(PyErr::take(self.0.py()));
        }
    }
}
