//! Owns what a host is made of, and makes its states of it: what was found, what was loaded of it, and what became of that.
//!
//! Each source is loaded by itself, so that a reload costs only the sources whose files have changed.

use super::catalog::{Catalog, Part};
use super::checks::RunningChecks;
use super::fingerprint::Fingerprint;
use super::health;
use super::origin::Origins;
use super::servers::{self, Defined};
use super::state::State;
use crate::capability::{Capability, CheckOutcome, Found, Surroundings, ToolRules, discover};
use crate::diagnostic::{Diagnostic, DiagnosticCode, Severity};
use crate::error::Result;
use crate::model::Limits;
use crate::runner::{LoadOptions, LoadRequest, Loaded, Runner, SourceFiles, ToolKey};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// What was asked for: where tools come from, and how they are to be read.
pub struct Choices {
    pub sources: Vec<PathBuf>,
    pub surroundings: Surroundings,
    pub tool_rules: ToolRules,
    pub run_checks: bool,
    pub options: LoadOptions,
    pub limits: Limits,
    /// The Python that tools run in, for advice.
    pub python: PathBuf,
    /// Whether the servers that files define were started.
    pub start_servers: bool,
    /// What was found about the request itself; no reload changes it.
    pub diagnostics: Vec<Diagnostic>,
}

/// One source as it was loaded.
#[derive(Clone)]
struct LoadedSource {
    source: SourceFiles,
    loaded: Loaded,
    fingerprint: Fingerprint,
    /// What is wrong with a later edit, in whose place this still serves.
    problems: Vec<Diagnostic>,
}

/// Everything that a state is made of.
#[derive(Default)]
struct Parts {
    sources: Vec<LoadedSource>,
    servers: Option<Part>,
    origins: Origins,
    capabilities: Vec<Capability>,
    checks: Vec<(Capability, Vec<CheckOutcome>)>,
    diagnostics: Vec<Diagnostic>,
    /// The servers that files defined at the start, and where.
    started: Vec<Defined>,
}

/// Loads a host's sources, and loads them again.
pub struct Loader {
    choices: Choices,
    /// Who loads files.
    files: Arc<dyn Runner>,
    parts: Mutex<Parts>,
    /// Held by the load that is going on.
    turn: tokio::sync::Mutex<()>,
}

/// What a reload came to.
pub struct Reload {
    /// The state from now on.
    pub state: State,
    /// The tools that are no longer part of it.
    pub gone: Vec<ToolKey>,
}

impl Loader {
    /// A loader that has not loaded anything.
    pub fn new(choices: Choices, files: Arc<dyn Runner>) -> Self {
        Self {
            choices,
            files,
            parts: Mutex::default(),
            turn: tokio::sync::Mutex::default(),
        }
    }

    /// Loads what was found, and runs the checks meanwhile.
    ///
    /// # Errors
    /// As [`Runner::load`].
    pub async fn load(&self, found: Found) -> Result<()> {
        let _turn = self.turn.lock().await;
        let checked = if self.choices.run_checks {
            &found.capabilities[..]
        } else {
            &[]
        };
        let checks = RunningChecks::start(checked);
        let origins = Origins::of(&found.sources);
        let started = servers::defined(&found);
        let mut sources = Vec::with_capacity(found.sources.len());
        for source in found.sources {
            sources.push(self.load_source(source).await?);
        }
        let checks = checks.outcomes().await;
        let mut parts = self.parts();
        *parts = Parts {
            started,
            sources,
            origins,
            capabilities: found.capabilities,
            checks,
            diagnostics: found.diagnostics,
            servers: parts.servers.take(),
        };
        Ok(())
    }

    /// Takes what the servers offer now.
    pub fn set_servers(&self, servers: Part) {
        self.parts().servers = Some(servers);
    }

    /// The state that everything makes.
    pub fn state(&self) -> State {
        let parts = self.parts();
        let failed = health::failed_checks(&parts.checks);
        let before = Loaded {
            diagnostics: [&self.choices.diagnostics[..], &parts.diagnostics[..], &failed[..]].concat(),
            ..Loaded::default()
        };
        let of_sources = parts.sources.iter().map(|source| {
            let mut loaded = source.loaded.clone();
            loaded.diagnostics.extend(source.problems.iter().cloned());
            loaded
        });
        let all = std::iter::once(before).chain(of_sources).map(|loaded| Part {
            runner: Arc::clone(&self.files),
            loaded,
        });
        let all = all.chain(parts.servers.clone()).collect();
        let cataloged = Catalog::of(all, &parts.origins, &self.choices.tool_rules);
        let (capabilities, checks) = (parts.capabilities.clone(), parts.checks.clone());
        let health = health::report(capabilities, checks, &cataloged.catalog, &cataloged.diagnostics);
        State {
            catalog: cataloged.catalog,
            diagnostics: cataloged.diagnostics.into(),
            health: health.into(),
        }
    }

    /// Loads the sources again whose files have changed; `None` if none has.
    ///
    /// # Errors
    /// [`Error::Source`](crate::Error::Source) if a source is gone altogether; everything stays as it was then.
    pub async fn reload(&self) -> Result<Option<Reload>> {
        let _turn = self.turn.lock().await;
        let mut found = discover(&self.choices.sources, &self.choices.limits, &self.choices.surroundings)?;
        if self.choices.start_servers {
            let defined = servers::defined(&found);
            found
                .diagnostics
                .extend(servers::unlike(&self.parts().started, &defined));
        }
        let mut before = self.parts().sources.clone();
        let mut sources = Vec::with_capacity(found.sources.len());
        let mut gone = Vec::new();
        let mut is_changed = false;
        for source in &found.sources {
            let place = before.iter().position(|old| old.is_of(source));
            let old = place.map(|place| before.remove(place));
            match old {
                Some(old) if old.is_fresh(source) => sources.push(old),
                old => {
                    is_changed = true;
                    let new = self.load_source(source.clone()).await?;
                    let (kept, dropped) = chosen(old, new);
                    sources.push(kept);
                    gone.extend(dropped);
                }
            }
        }
        for old in before {
            is_changed = true;
            if found
                .diagnostics
                .iter()
                .any(|diagnostic| costs(diagnostic, &old.source))
            {
                sources.push(old);
            } else {
                gone.extend(old.keys());
            }
        }
        let mut parts = self.parts();
        if !is_changed && parts.diagnostics == found.diagnostics {
            return Ok(None);
        }
        parts.origins = Origins::of(&sources.iter().map(|source| source.source.clone()).collect::<Vec<_>>());
        parts.sources = sources;
        parts.capabilities = found.capabilities;
        parts.diagnostics = found.diagnostics;
        drop(parts);
        Ok(Some(Reload {
            state: self.state(),
            gone,
        }))
    }

    /// The folders whose files matter: those that tool files lie under, and those that modules were imported from.
    pub fn folders(&self) -> (Vec<PathBuf>, Vec<PathBuf>) {
        let parts = self.parts();
        let roots = parts.sources.iter().map(|source| source.source.root.clone());
        let roots = roots.chain(parts.capabilities.iter().map(|capability| capability.root.clone()));
        let modules = parts.sources.iter().flat_map(|source| source.fingerprint.folders());
        (
            roots
                .chain(self.choices.sources.iter().filter(|source| source.is_dir()).cloned())
                .collect(),
            modules
                .map(Path::to_path_buf)
                .collect::<HashSet<_>>()
                .into_iter()
                .collect(),
        )
    }

    async fn load_source(&self, source: SourceFiles) -> Result<LoadedSource> {
        let started = SystemTime::now();
        let request = LoadRequest {
            sources: vec![source.clone()],
            options: self.choices.options.clone(),
        };
        let mut loaded = self.files.load(request).await?;
        name_interpreter(&mut loaded.diagnostics, &self.choices.python);
        Ok(LoadedSource {
            fingerprint: Fingerprint::of(&source, &loaded.modules, Some(started)),
            source,
            loaded,
            problems: Vec::new(),
        })
    }

    fn parts(&self) -> MutexGuard<'_, Parts> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LoadedSource {
    fn is_of(&self, source: &SourceFiles) -> bool {
        let is_same_file = self.source.files == source.files || self.source.files.len() != 1 || source.files.len() != 1;
        self.source.root == source.root && self.source.capability == source.capability && is_same_file
    }

    /// Whether a load would yield the same. What failed is always tried again: what it needs may have come.
    fn is_fresh(&self, source: &SourceFiles) -> bool {
        let is_whole = self.problems.is_empty() && !self.loaded.diagnostics.iter().any(is_loss);
        is_whole && self.source == *source && self.fingerprint == Fingerprint::of(source, &self.loaded.modules, None)
    }

    fn keys(&self) -> Vec<ToolKey> {
        self.loaded.tools.iter().map(|tool| tool.key).collect()
    }
}

/// Of a source as it was and as it is now, the one that serves, and the tools of the other: an edit that breaks tools does
/// not take them away.
fn chosen(old: Option<LoadedSource>, new: LoadedSource) -> (LoadedSource, Vec<ToolKey>) {
    let Some(old) = old else { return (new, Vec::new()) };
    let names: HashSet<&str> = new
        .loaded
        .tools
        .iter()
        .map(|tool| tool.definition.name.as_str())
        .collect();
    let is_broken = new.loaded.diagnostics.iter().any(is_loss)
        && old
            .loaded
            .tools
            .iter()
            .any(|tool| !names.contains(tool.definition.name.as_str()));
    if !is_broken {
        let gone = old.keys();
        return (new, gone);
    }
    let gone = new.keys();
    let problems = new.loaded.diagnostics.into_iter().filter(is_loss).collect();
    (LoadedSource { problems, ..old }, gone)
}

/// Whether something was not loaded.
fn is_loss(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Error
}

/// Whether a finding is why a source is not there any longer, rather than that somebody took it away.
fn costs(diagnostic: &Diagnostic, source: &SourceFiles) -> bool {
    let is_below = |folder: &Path| diagnostic.path.as_ref().is_some_and(|path| path.starts_with(folder));
    is_loss(diagnostic) && (is_below(&source.root) || source.import_roots.iter().any(|root| is_below(root)))
}

/// Tells in which interpreter a missing dependency has to be installed, where the runtime could not.
fn name_interpreter(diagnostics: &mut [Diagnostic], python: &Path) {
    for diagnostic in diagnostics {
        if diagnostic.code == DiagnosticCode::MissingDependency
            && diagnostic.severity == Severity::Error
            && diagnostic.hint.is_none()
        {
            diagnostic.hint = Some(format!("install it with `{} -m pip install`", python.display()));
        }
    }
}
