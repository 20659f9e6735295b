//! Owns the host: the one object that an application holds, over the runners and the catalog.
//!
//! No Python here; only `builder.rs` knows which runners there are.

mod arguments;
mod builder;
mod catalog;
mod checks;
mod dispatch;
mod health;
mod origin;
mod run;
mod settings;

pub use builder::HostBuilder;
pub use health::{CapabilityHealth, CapabilityServer, CapabilityTool, HealthStatus};
pub use run::{PendingCall, Run, RunResult};

use crate::diagnostic::Diagnostic;
use crate::error::Result;
use crate::model::{Call, Export, ExportOptions, Limits, Outcome, Provider, ToolDefinition};
use crate::runner::Runner;
use crate::schema;
use catalog::Catalog;
use settings::Settings;
use std::sync::Arc;

/// Loads tool files and runs their tools.
///
/// Cheap to clone; all clones are one host. It lives until it is closed or the last clone is dropped.
#[derive(Clone)]
pub struct Host {
    inner: Arc<Inner>,
}

struct Inner {
    runner: Arc<dyn Runner>,
    settings: Settings,
    catalog: Catalog,
    diagnostics: Vec<Diagnostic>,
    health: Vec<CapabilityHealth>,
}

impl Host {
    /// The bounds on its calls.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.inner.settings.limits
    }

    /// Starts putting a host together.
    pub fn builder() -> HostBuilder {
        HostBuilder::default()
    }

    fn new(
        runner: Arc<dyn Runner>,
        settings: Settings,
        catalog: Catalog,
        diagnostics: Vec<Diagnostic>,
        health: Vec<CapabilityHealth>,
    ) -> Self {
        Self {
            inner: Arc::new(Inner {
                runner,
                settings,
                catalog,
                diagnostics,
                health,
            }),
        }
    }

    /// Every tool, in the order of sources, files and definitions.
    #[must_use]
    pub fn tools(&self) -> Vec<Arc<ToolDefinition>> {
        self.inner.catalog.definitions().to_vec()
    }

    /// The tool of that name.
    ///
    /// # Errors
    /// [`Error::UnknownTool`](crate::Error::UnknownTool) with near names, or [`Error::ToolNotLoaded`](crate::Error::ToolNotLoaded) with the reason.
    pub fn tool(&self, name: &str) -> Result<Arc<ToolDefinition>> {
        Ok(Arc::clone(&self.inner.catalog.find(name)?.definition))
    }

    /// Everything that was found while loading.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.inner.diagnostics
    }

    /// How each capability is: its tools, flags, checks, secrets and servers, and what was found about it.
    #[must_use]
    pub fn health(&self) -> Vec<CapabilityHealth> {
        self.inner.health.clone()
    }

    /// Describes every tool in a provider's words, and notes what had to be changed.
    ///
    /// # Errors
    /// [`Error::Setting`](crate::Error::Setting) if strict schemas are required and a tool's schema does not allow it.
    pub fn export(&self, provider: Provider, options: &ExportOptions) -> Result<Export> {
        schema::export(
            provider,
            options,
            self.inner.catalog.definitions().iter().map(Arc::as_ref),
        )
    }

    /// Runs a tool. Dropping the future cancels the call.
    ///
    /// # Errors
    /// [`Error::UnknownTool`](crate::Error::UnknownTool) or [`Error::ToolNotLoaded`](crate::Error::ToolNotLoaded) by name, [`Error::Aborted`](crate::Error::Aborted) if the tool raised what its own
    /// policy does not catch, [`Error::Closed`](crate::Error::Closed) after [`Host::close`]. A tool that fails within its policy is an
    /// [`Outcome`] with a failure.
    pub async fn call(&self, call: Call) -> Result<Outcome> {
        dispatch::call(&self.inner, call).await
    }

    /// Runs a tool while this thread waits, on this very thread where nothing forbids it.
    ///
    /// # Errors
    /// As [`Host::call`].
    pub fn call_blocking(&self, call: Call) -> Result<Outcome> {
        self.call_blocking_until(call, &mut || false)
    }

    /// The same, giving up as cancelled when `interrupted` says so; it is asked every 50 ms.
    ///
    /// # Errors
    /// As [`Host::call`].
    pub fn call_blocking_until(&self, call: Call, interrupted: &mut dyn FnMut() -> bool) -> Result<Outcome> {
        dispatch::call_blocking(&self.inner, call, interrupted)
    }

    /// Opens a run: a sequence of calls with shared limits.
    #[must_use]
    pub fn run(&self) -> Run {
        Run::new(self.clone())
    }

    /// Cancels what runs, leaves the toolsets within the grace period and stops the host's threads.
    ///
    /// Later calls are [`Error::Closed`](crate::Error::Closed). Returns what did not end in good order.
    pub async fn close(&self) -> Vec<Diagnostic> {
        let diagnostics = self.inner.runner.close(self.inner.settings.limits.grace).await;
        self.inner.runner.unload(&self.inner.catalog.keys());
        diagnostics
    }
}

impl std::fmt::Debug for Host {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Host")
            .field("tools", &self.inner.catalog.definitions().len())
            .finish_non_exhaustive()
    }
}
