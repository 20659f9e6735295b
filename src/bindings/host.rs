//! Owns `Host` as Python sees it.

use super::arguments::{self, GivenArguments, GivenTool};
use super::bridge;
use super::closing;
use super::definition::ToolDefinition;
use super::diagnostic::Diagnostic;
use super::exceptions::to_exception;
use super::export::{self, Export, GivenStrictness};
use super::health::CapabilityHealth;
use super::options;
use super::outcome::Outcome;
use super::reactor;
use super::run::Run;
use super::wait;
use crate::host;
use crate::interp::fork;
use crate::model::ExportOptions;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Loads tool files and runs their tools.
#[pyclass(frozen, weakref, module = "pegboard")]
pub struct Host {
    inner: host::Host,
    watching: Mutex<Option<host::Watching>>,
}

#[pymethods]
impl Host {
    /// Loads the sources into this interpreter.
    #[new]
    #[pyo3(signature = (*sources, **options))]
    fn new(py: Python<'_>, sources: Vec<PathBuf>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Py<Self>> {
        let builder = options::apply(host::Host::builder().sources(sources), options)?;
        let inner = wait::for_future(py, builder.build())?.map_err(|error| to_exception(py, error))?;
        let host = Bound::new(
            py,
            Self {
                inner: inner.clone(),
                watching: Mutex::default(),
            },
        )?;
        closing::close_with(py, host.as_any(), &inner)?;
        Ok(host.unbind())
    }

    /// Every tool, in the order of sources, files and definitions.
    #[getter]
    fn tools<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let tools = self
            .inner
            .tools()
            .into_iter()
            .map(|tool| Bound::new(py, ToolDefinition::from(tool)));
        PyTuple::new(py, tools.collect::<PyResult<Vec<_>>>()?)
    }

    /// Everything that was found while loading.
    #[getter]
    fn diagnostics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let found = self.inner.diagnostics();
        let found = found
            .iter()
            .map(|found| Bound::new(py, Diagnostic::from(found.clone())));
        PyTuple::new(py, found.collect::<PyResult<Vec<_>>>()?)
    }

    /// How each capability is: its tools, flags, checks, secrets and servers, and what was found about it.
    #[getter]
    fn health<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let health = self.inner.health().into_iter().map(CapabilityHealth::from);
        PyTuple::new(py, health.collect::<Vec<_>>())
    }

    /// The tool of that name.
    fn tool(&self, py: Python<'_>, name: &str) -> PyResult<ToolDefinition> {
        self.inner
            .tool(name)
            .map(ToolDefinition::from)
            .map_err(|error| to_exception(py, error))
    }

    /// Runs a tool while this thread waits; Ctrl-C cancels the call.
    #[pyo3(signature = (tool, arguments = None, *, call_id = None))]
    fn call(
        &self,
        py: Python<'_>,
        tool: GivenTool,
        arguments: Option<GivenArguments>,
        call_id: Option<String>,
    ) -> PyResult<Outcome> {
        let call = arguments::waiting_call(tool, arguments, call_id)?;
        wait::for_call(py, &self.inner, call).map(Outcome::from)
    }

    /// Runs a tool; cancelling the awaitable cancels the call.
    #[pyo3(signature = (tool, arguments = None, *, call_id = None))]
    fn call_async<'py>(
        &self,
        py: Python<'py>,
        tool: GivenTool,
        arguments: Option<GivenArguments>,
        call_id: Option<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let call = arguments::call(py, tool, arguments, call_id)?;
        let host = self.inner.clone();
        bridge::awaitable(py, async move { host.call(call).await }, |py, answer| match answer {
            Ok(outcome) => Bound::new(py, Outcome::from(outcome)).map(|outcome| outcome.into_any().unbind()),
            Err(error) => Err(to_exception(py, error)),
        })
    }

    /// Describes every tool in a provider's words. With `strict=True` a schema that cannot be strict is an error, with
    /// `strict="where_possible"` it is noted.
    #[pyo3(
        signature = (provider, *, strict = GivenStrictness::default(), keep_references = false),
        text_signature = "($self, provider, *, strict=False, keep_references=False)"
    )]
    fn export(
        &self,
        py: Python<'_>,
        provider: &str,
        strict: GivenStrictness,
        keep_references: bool,
    ) -> PyResult<Export> {
        let options = ExportOptions {
            strict: strict.into_inner(),
            keep_references,
            ..ExportOptions::default()
        };
        let exported = self.inner.export(export::provider(provider)?, &options);
        exported.map(Export::from).map_err(|error| to_exception(py, error))
    }

    /// Loads the files again that have changed, and says whether there were any.
    fn reload(&self, py: Python<'_>) -> PyResult<bool> {
        wait::for_future(py, self.inner.reload())?.map_err(|error| to_exception(py, error))
    }

    /// Watches the files from now on, and reloads them as they change.
    fn watch(&self, py: Python<'_>) -> PyResult<()> {
        let _context = reactor::get().map_err(|error| to_exception(py, error))?.enter();
        let watching = self
            .inner
            .watch(|reloaded| tracing::debug!(?reloaded, "files were loaded again"))
            .map_err(|error| to_exception(py, error))?;
        *self.watching.lock().unwrap_or_else(PoisonError::into_inner) = Some(watching);
        Ok(())
    }

    /// Opens a run: a sequence of calls with shared limits.
    fn run(&self) -> Run {
        Run::from(self.inner.run())
    }

    /// Cancels what runs, leaves the toolsets and stops the host's threads.
    fn close<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        if fork::is_child() {
            return Ok(PyTuple::empty(py));
        }
        self.stop_watching();
        let found = wait::for_future(py, self.inner.close())?;
        PyTuple::new(py, found.into_iter().map(Diagnostic::from).collect::<Vec<_>>())
    }

    /// The same without holding up the caller's event loop.
    fn close_async<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.stop_watching();
        let host = self.inner.clone();
        bridge::awaitable(py, async move { host.close().await }, |py, found| {
            let found: Vec<_> = found.into_iter().map(Diagnostic::from).collect();
            Ok(found.into_pyobject(py)?.unbind())
        })
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.close(py).map(drop)
    }

    fn __aenter__<'py>(slf: Bound<'py, Self>, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let host = slf.into_any().unbind();
        bridge::awaitable(py, std::future::ready(()), |_, ()| Ok(host))
    }

    #[pyo3(signature = (*_exception))]
    fn __aexit__<'py>(&self, py: Python<'py>, _exception: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
        self.stop_watching();
        let host = self.inner.clone();
        bridge::awaitable(py, async move { host.close().await }, |py, _| Ok(py.None()))
    }

    fn __repr__(&self) -> String {
        format!("Host({} tools)", self.inner.tools().len())
    }
}

impl Host {
    fn stop_watching(&self) {
        let watching = self.watching.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(watching);
    }
}
