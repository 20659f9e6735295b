//! Owns what a host is made of, and makes its states of it: what was found, what was loaded of it, and what became of that.
//!
//! Each source is loaded by itself, so that a reload costs only the sources whose files have changed.

use super::catalog::{Catalog, Part};
use super::checks::RunningChecks;
use super::health;
use super::loaded_source::LoadedSource;
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
        let of_sources = parts.sources.iter().map(|source| source.loaded.clone());
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

    /// Loads the sources again whose files have changed, and tells the tools that are no longer part of them; `None` if
    /// nothing has changed.
    ///
    /// # Errors
    /// [`Error::Source`](crate::Error::Source) if a source is gone altogether; everything stays as it was then.
    pub async fn reload(&self) -> Result<Option<Vec<ToolKey>>> {
        let _turn = self.turn.lock().await;
        let mut found = discover(&self.choices.sources, &self.choices.limits, &self.choices.surroundings)?;
        if self.choices.start_servers {
            let defined = servers::defined(&found);
            found
                .diagnostics
                .extend(servers::unlike(&self.parts().started, &defined));
        }
        let mut before: Vec<Option<LoadedSource>> = self.parts().sources.iter().cloned().map(Some).collect();
        let roots = before.iter().flatten().map(|old| old.source.root.clone()).collect();
        let modules = self.files.modules(roots).await?;
        // Each with the place of what it replaces.
        let mut sources: Vec<(Option<usize>, LoadedSource)> = Vec::with_capacity(found.sources.len());
        let mut gone = Vec::new();
        let mut is_changed = false;
        for source in &found.sources {
            let place = before
                .iter()
                .position(|old| old.as_ref().is_some_and(|old| old.is_of(source)));
            let old = place.and_then(|place| before[place].take());
            let kept = match (old, place.and_then(|place| modules.get(place))) {
                (Some(old), Some(modules)) if old.is_fresh(source, modules) => old,
                (old, _) => {
                    let new = self.load_source(source.clone()).await?;
                    let replaced = new.in_place_of(old, &found.diagnostics);
                    is_changed |= replaced.is_changed;
                    gone.extend(replaced.gone);
                    replaced.source
                }
            };
            sources.push((place, kept));
        }
        for (place, old) in before.into_iter().enumerate() {
            let Some(old) = old else { continue };
            if found.diagnostics.iter().any(|diagnostic| old.is_lost_by(diagnostic)) {
                // Where it was: the order decides which of two tools has a name.
                let follows = sources
                    .iter()
                    .rposition(|(before, _)| before.is_some_and(|before| before < place));
                sources.insert(follows.map_or(0, |index| index + 1), (Some(place), old));
            } else {
                is_changed = true;
                gone.extend(old.keys());
            }
        }
        let mut parts = self.parts();
        if !is_changed && parts.diagnostics == found.diagnostics {
            return Ok(None);
        }
        parts.sources = sources.into_iter().map(|(_, source)| source).collect();
        let files: Vec<SourceFiles> = parts.sources.iter().map(|source| source.source.clone()).collect();
        parts.origins = Origins::of(&files);
        parts.capabilities = found.capabilities;
        parts.diagnostics = found.diagnostics;
        Ok(Some(gone))
    }

    /// The files that are sources of their own.
    pub fn named_files(&self) -> HashSet<PathBuf> {
        let files = self.choices.sources.iter().filter(|source| !source.is_dir());
        files.filter_map(|file| std::path::absolute(file).ok()).collect()
    }

    /// The folders whose files matter: those that tool files lie under, and those that modules were imported from.
    pub fn folders(&self) -> (Vec<PathBuf>, Vec<PathBuf>) {
        let parts = self.parts();
        let roots = parts.sources.iter().map(|source| source.source.root.clone());
        let roots = roots.chain(parts.capabilities.iter().map(|capability| capability.root.clone()));
        let folders = self.choices.sources.iter().filter(|source| source.is_dir());
        let modules = parts
            .sources
            .iter()
            .flat_map(LoadedSource::folders)
            .map(Path::to_path_buf);
        let beside = self
            .named_files()
            .into_iter()
            .filter_map(|file| Some(file.parent()?.to_path_buf()));
        let single: HashSet<PathBuf> = modules.chain(beside).collect();
        (roots.chain(folders.cloned()).collect(), single.into_iter().collect())
    }

    async fn load_source(&self, source: SourceFiles) -> Result<LoadedSource> {
        let started = SystemTime::now();
        let request = LoadRequest {
            sources: vec![source.clone()],
            options: self.choices.options.clone(),
        };
        let mut loaded = self.files.load(request).await?;
        name_interpreter(&mut loaded.diagnostics, &self.choices.python);
        Ok(LoadedSource::new(source, loaded, started))
    }

    fn parts(&self) -> MutexGuard<'_, Parts> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
