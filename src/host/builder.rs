//! Owns how a host is put together: settings, sources, the choice of runner, the first load.
//!
//! The only part of the host that may name a runner's implementation.

use super::Host;
use super::catalog::Part;
use super::loader::{Choices, Loader};
use super::settings::Settings;
use crate::capability::{self, Found, GivenServer, Surroundings, ToolRules, search_folders};
use crate::error::{Error, Result};
use crate::interp::{self, EmbeddedRunner};
use crate::model::{Limits, ServerDefinition};
use crate::output::{FailureDetail, Masker};
use crate::remote::{RemoteRunner, ServerSource};
use crate::runner::{CatchDefault, Compat, LoadOptions, LoadRequest, Runner};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Puts a [`Host`] together.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
#[must_use = "a builder does nothing until `build` is awaited"]
pub struct HostBuilder {
    sources: Vec<PathBuf>,
    python: Option<PathBuf>,
    compat: Compat,
    catch_default: CatchDefault,
    working_directory: Option<PathBuf>,
    failure_detail: FailureDetail,
    secret_patterns: Vec<String>,
    limits: Limits,
    surroundings: Surroundings,
    tool_rules: ToolRules,
    search_capabilities: bool,
    run_checks: bool,
    allow_install: bool,
    servers: Vec<ServerDefinition>,
    mcp: Vec<String>,
    start_servers: bool,
}

impl Default for HostBuilder {
    fn default() -> Self {
        Self {
            sources: Vec::new(),
            python: None,
            compat: Compat::default(),
            catch_default: CatchDefault::default(),
            working_directory: None,
            failure_detail: FailureDetail::default(),
            secret_patterns: Vec::new(),
            limits: Limits::default(),
            surroundings: Surroundings::default(),
            tool_rules: ToolRules::default(),
            search_capabilities: false,
            run_checks: true,
            allow_install: false,
            servers: Vec::new(),
            mcp: Vec::new(),
            start_servers: true,
        }
    }
}

impl HostBuilder {
    /// Adds a source: a tool file, a directory of tool files, a capability, or a directory of capabilities.
    pub fn source(mut self, path: impl Into<PathBuf>) -> Self {
        self.sources.push(path.into());
        self
    }

    /// Adds several sources.
    pub fn sources<P: Into<PathBuf>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.sources.extend(paths.into_iter().map(Into::into));
        self
    }

    /// Names the environment to start Python in: its folder, or its executable.
    pub fn python(mut self, path: impl Into<PathBuf>) -> Self {
        self.python = Some(path.into());
        self
    }

    /// Chooses which package answers `import dreadnode` and the like.
    pub fn compat(mut self, compat: Compat) -> Self {
        self.compat = compat;
        self
    }

    /// Chooses which exceptions a dreadnode or rigging tool catches that does not say.
    pub fn catch_default(mut self, catch_default: CatchDefault) -> Self {
        self.catch_default = catch_default;
        self
    }

    /// Names the folder below which long output is kept; the current directory if it is not named.
    pub fn working_directory(mut self, path: impl Into<PathBuf>) -> Self {
        self.working_directory = Some(path.into());
        self
    }

    /// Chooses how much a model is told about a failure; secrets are hidden unless everything is to be told.
    pub fn failure_detail(mut self, detail: FailureDetail) -> Self {
        self.failure_detail = detail;
        self
    }

    /// Adds a regular expression for what counts as a secret in a failure's text.
    pub fn secret_pattern(mut self, pattern: impl Into<String>) -> Self {
        self.secret_patterns.push(pattern.into());
        self
    }

    /// Sets how long a tool may run that sets no limit of its own; `None` is without limit.
    pub fn timeout(mut self, timeout: Option<Duration>) -> Self {
        self.limits.timeout = timeout;
        self
    }

    /// Also loads the capabilities beside the project, with the user, and in the folders that the variable
    /// `DREADNODE_CAPABILITY_DIRS` names; of two with one name the first, after those of the sources.
    pub fn search_capabilities(mut self) -> Self {
        self.search_capabilities = true;
        self
    }

    /// Turns a flag of a capability, over what variables, kept choices and its author say.
    pub fn flag(mut self, capability: impl Into<String>, name: impl Into<String>, is_on: bool) -> Self {
        self.surroundings.run_flags.set(capability, name, is_on);
        self
    }

    /// Turns a flag of a capability as somebody chose it for good: over what its author says, and below all else.
    pub fn kept_flag(mut self, capability: impl Into<String>, name: impl Into<String>, is_on: bool) -> Self {
        self.surroundings.kept_flags.set(capability, name, is_on);
        self
    }

    /// Says which tools are offered, by patterns such as `*`, `bash` and `intel__*`; the last one that fits decides, and
    /// a tool that none fits is offered.
    pub fn tool_rules<P: Into<String>>(mut self, rules: impl IntoIterator<Item = (P, bool)>) -> Self {
        self.tool_rules = rules.into_iter().collect();
        self
    }

    /// Chooses whether the checks of capabilities are run, each for at most five seconds; they are if nothing is said.
    pub fn run_checks(mut self, run: bool) -> Self {
        self.run_checks = run;
        self
    }

    /// Lets tool files install packages while they are imported, which is stopped otherwise.
    pub fn allow_install(mut self, allow: bool) -> Self {
        self.allow_install = allow;
        self
    }

    /// Adds an MCP server, whose tools stand in the catalog beside those of files.
    pub fn server(mut self, server: ServerDefinition) -> Self {
        self.servers.push(server);
        self
    }

    /// Adds MCP servers by an address, a file such as `.mcp.json`, or a command with its arguments.
    pub fn mcp(mut self, text: impl Into<String>) -> Self {
        self.mcp.push(text.into());
        self
    }

    /// Chooses whether MCP servers are started; they are if nothing is said.
    pub fn start_servers(mut self, start: bool) -> Self {
        self.start_servers = start;
        self
    }

    /// Sets every bound at once.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Starts Python if it does not run, and loads the sources.
    ///
    /// A file that cannot be loaded is no error: see [`Host::diagnostics`].
    ///
    /// # Errors
    /// [`Error::Source`] for a source that cannot be read at all, [`Error::Interpreter`] if Python cannot be started or
    /// lacks pydantic, [`Error::Setting`] for a setting that cannot be used.
    pub async fn build(self) -> Result<Host> {
        let working_directory = match self.working_directory {
            Some(path) => std::path::absolute(path),
            None => std::env::current_dir(),
        }
        .map_err(|error| Error::Setting {
            setting: "working_directory",
            reason: error.to_string(),
        })?;
        let surroundings = surroundings(
            self.surroundings,
            self.search_capabilities.then_some(&*working_directory),
        );
        let found = capability::discover(&self.sources, &self.limits, &surroundings)?;
        let (mut given, mut diagnostics) = (Vec::new(), Vec::new());
        for text in &self.mcp {
            let (servers, found) = capability::servers_of(text, &working_directory)?;
            given.extend(servers);
            diagnostics.extend(found);
        }
        given.extend(
            self.servers
                .into_iter()
                .map(|definition| GivenServer { definition, path: None }),
        );
        let servers = if self.start_servers {
            servers(&found, given)
        } else {
            Vec::new()
        };
        let environment = interp::start(self.python.as_deref(), &self.sources)?;
        let runner: Arc<dyn Runner> = Arc::new(EmbeddedRunner::new(self.limits.clone())?);
        // Servers start while files are loaded.
        let remote = if servers.is_empty() {
            None
        } else {
            Some(Arc::new(RemoteRunner::start(servers, &self.limits)?))
        };
        let choices = Choices {
            sources: self.sources,
            surroundings,
            tool_rules: self.tool_rules,
            run_checks: self.run_checks,
            options: LoadOptions {
                compat: self.compat,
                catch_default: self.catch_default,
                import_timeout_seconds: self.limits.import_timeout.as_secs_f64(),
                allow_install: self.allow_install,
            },
            limits: self.limits.clone(),
            python: environment.python,
            start_servers: self.start_servers,
            diagnostics,
        };
        let loader = Loader::new(choices, Arc::clone(&runner));
        loader.load(found).await?;
        let mut runners = vec![runner];
        if let Some(remote) = &remote {
            let runner: Arc<dyn Runner> = Arc::clone(remote) as Arc<dyn Runner>;
            loader.set_servers(Part {
                loaded: runner.load(LoadRequest::default()).await?,
                runner: Arc::clone(&runner),
            });
            runners.push(runner);
        }
        // After loading, since tool files may read secrets into the environment.
        let environment =
            std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        let masker = Masker::new(self.failure_detail, &self.secret_patterns, environment)?;
        let settings = Settings {
            limits: self.limits,
            working_directory,
            masker,
        };
        let host = Host::new(runners, settings, loader);
        if let Some(remote) = remote {
            follow(&host, &remote);
        }
        Ok(host)
    }
}

/// The servers of all kinds of sources, each with a name of its own.
fn servers(found: &Found, given: Vec<GivenServer>) -> Vec<ServerSource> {
    let of_capabilities = found.capabilities.iter().flat_map(|capability| {
        capability.active_servers().map(|server| ServerSource {
            definition: server.clone(),
            path: Some(capability.manifest()),
            environment: capability.environment(),
        })
    });
    let alone = found.servers.iter().cloned().chain(given);
    let mut sources: Vec<ServerSource> = of_capabilities
        .chain(alone.map(|server| ServerSource {
            definition: server.definition,
            path: server.path,
            environment: Vec::new(),
        }))
        .collect();
    let mut names = HashSet::new();
    for source in &mut sources {
        let name = source.definition.name.clone();
        let mut number = 2;
        while !names.insert(source.definition.name.clone()) {
            source.definition.name = format!("{name}_{number}");
            number += 1;
        }
    }
    sources
}

/// Puts what servers tell later in the place of what they told before.
fn follow(host: &Host, remote: &Arc<RemoteRunner>) {
    let inner = Arc::downgrade(&host.inner);
    let runner = Arc::downgrade(remote);
    remote.follow(move |loaded| {
        let (Some(inner), Some(runner)) = (inner.upgrade(), runner.upgrade()) else {
            return false;
        };
        inner.loader.set_servers(Part { runner, loaded });
        inner.publish();
        true
    });
}

/// The choices with the variables of this process, and the folders that are searched from a working directory.
fn surroundings(choices: Surroundings, searched_from: Option<&Path>) -> Surroundings {
    let mut surroundings = Surroundings {
        environment: Surroundings::of_process().environment,
        ..choices
    };
    if let Some(working_directory) = searched_from {
        surroundings.searched = search_folders(working_directory, &surroundings);
    }
    surroundings
}
