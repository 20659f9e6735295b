//! Owns the host: the one object that an application holds, over the runners and the catalog.
//!
//! No Python here; only `builder.rs` knows which runners there are.

mod arguments;
mod builder;
mod catalog;
mod checks;
mod dispatch;
mod fingerprint;
mod health;
mod loaded_source;
mod loader;
mod origin;
mod run;
mod servers;
mod settings;
mod state;
mod watch;

pub use builder::HostBuilder;
pub use health::{CapabilityHealth, CapabilityServer, CapabilityTool, HealthStatus};
pub use run::{PendingCall, Run, RunResult};
pub use watch::{Reloaded, Watching};

use crate::diagnostic::Diagnostic;
use crate::error::Result;
use crate::model::{Call, Export, ExportOptions, Limits, Outcome, Provider, ToolDefinition};
use crate::runner::Runner;
pub(crate) use crate::runner::WaitingCaller;
use crate::schema;
use futures_util::future::join_all;
use loader::Loader;
use settings::Settings;
use state::CurrentState;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch::Receiver;

/// Loads tool files and runs their tools.
///
/// Cheap to clone; all clones are one host. It lives until it is closed or the last clone is dropped.
#[derive(Clone)]
pub struct Host {
    inner: Arc<Inner>,
}

struct Inner {
    /// Every backend that has tools in the catalog.
    runners: Vec<Arc<dyn Runner>>,
    settings: Settings,
    loader: Loader,
    state: CurrentState,
    /// Held while the state is made and put in its place.
    publishing: Mutex<()>,
}

impl Inner {
    /// Offers what the loader has now. One at a time, so that nothing older takes the place of it.
    fn publish(&self) {
        let _turn = self.publishing.lock().unwrap_or_else(PoisonError::into_inner);
        self.state.replace(self.loader.state());
    }

    /// The folders to watch, those with everything below them first.
    fn folders(&self) -> (Vec<PathBuf>, Vec<PathBuf>) {
        self.loader.folders()
    }
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

    fn new(runners: Vec<Arc<dyn Runner>>, settings: Settings, loader: Loader) -> Self {
        let state = CurrentState::new(loader.state());
        Self {
            inner: Arc::new(Inner {
                runners,
                settings,
                loader,
                state,
                publishing: Mutex::new(()),
            }),
        }
    }

    /// Loads the files again that have changed, and says whether there were any.
    ///
    /// What is offered changes at once, when everything is loaded. Calls that run end with the code that they began with.
    /// A file that an edit has broken keeps the tools that it had, and its fault is among [`Host::diagnostics`]; it is tried
    /// again each time. Everything that was on disk when this was called has been seen when it returns.
    ///
    /// # Errors
    /// [`Error::Source`](crate::Error::Source) if a source cannot be read at all; everything stays as it was then.
    pub async fn reload(&self) -> Result<bool> {
        let Some(gone) = self.inner.loader.reload().await? else {
            return Ok(false);
        };
        self.inner.publish();
        for runner in &self.inner.runners {
            runner.unload(&gone);
        }
        Ok(true)
    }

    /// Watches the files and reloads them as they change, until what is returned is dropped; `told` learns of every reload.
    ///
    /// # Errors
    /// [`Error::Setting`](crate::Error::Setting) if the system does not let files be watched.
    pub fn watch(&self, told: impl Fn(Reloaded) + Send + 'static) -> Result<Watching> {
        watch::start(self, told)
    }

    /// Every tool, in the order of sources, files and definitions.
    #[must_use]
    pub fn tools(&self) -> Vec<Arc<ToolDefinition>> {
        self.inner.state.load().catalog.definitions().to_vec()
    }

    /// The tool of that name.
    ///
    /// # Errors
    /// [`Error::UnknownTool`](crate::Error::UnknownTool) with near names, or [`Error::ToolNotLoaded`](crate::Error::ToolNotLoaded) with the reason.
    pub fn tool(&self, name: &str) -> Result<Arc<ToolDefinition>> {
        Ok(Arc::clone(&self.inner.state.find(name)?.definition))
    }

    /// Everything that was found while loading what is offered now.
    #[must_use]
    pub fn diagnostics(&self) -> Arc<[Diagnostic]> {
        Arc::clone(&self.inner.state.load().diagnostics)
    }

    /// Tells of changes: the number grows whenever a reload changed which tools there are, or what a model is shown of them.
    #[must_use]
    pub fn changes(&self) -> Receiver<u64> {
        self.inner.state.changes()
    }

    /// How each capability is: its tools, flags, checks, secrets and servers, and what was found about it.
    #[must_use]
    pub fn health(&self) -> Vec<CapabilityHealth> {
        self.inner.state.load().health.to_vec()
    }

    /// Describes every tool in a provider's words, and notes what had to be changed.
    ///
    /// # Errors
    /// [`Error::Setting`](crate::Error::Setting) if strict schemas are required and a tool's schema does not allow it.
    pub fn export(&self, provider: Provider, options: &ExportOptions) -> Result<Export> {
        schema::export(
            provider,
            options,
            self.inner.state.load().catalog.definitions().iter().map(Arc::as_ref),
        )
    }

    /// Runs a tool. Dropping the future cancels the call.
    ///
    /// # Errors
    /// [`Error::UnknownTool`](crate::Error::UnknownTool) or [`Error::ToolNotLoaded`](crate::Error::ToolNotLoaded) by name, [`Error::Aborted`](crate::Error::Aborted) if the tool raised what its own
    /// policy does not catch, [`Error::Closed`](crate::Error::Closed) after [`Host::close`]. A tool that fails within its policy is an
    /// [`Outcome`] with a failure.
    pub fn call(&self, call: Call) -> impl Future<Output = Result<Outcome>> + Send {
        dispatch::call(&self.inner, call)
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
    pub fn call_blocking_until(&self, call: Call, mut interrupted: &mut dyn FnMut() -> bool) -> Result<Outcome> {
        self.call_for(call, &mut interrupted)
    }

    /// The same for a caller that has its own way to wait.
    pub(crate) fn call_for(&self, call: Call, caller: &mut dyn WaitingCaller) -> Result<Outcome> {
        dispatch::call_blocking(&self.inner, call, caller)
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
        let grace = self.inner.settings.limits.grace;
        let closing = self.inner.runners.iter().map(|runner| runner.close(grace));
        let diagnostics = join_all(closing).await.concat();
        for entry in self.inner.state.load().catalog.entries() {
            entry.runner.unload(&[entry.key]);
        }
        diagnostics
    }
}

impl std::fmt::Debug for Host {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Host")
            .field("tools", &self.inner.state.load().catalog.definitions().len())
            .finish_non_exhaustive()
    }
}
