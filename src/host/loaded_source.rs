//! Owns one source as it was loaded, and what becomes of it when it is loaded again.
//!
//! An edit that breaks a file takes none of its tools away: those that the file had go on as they were, while everything
//! else of the source is up to date. A file that is gone keeps nothing.

use super::fingerprint::{Fingerprint, is_unchanged};
use crate::diagnostic::{Diagnostic, Severity};
use crate::runner::{Loaded, LoadedTool, SourceFiles, ToolKey};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What is said of a file whose tools go on as they were.
const KEPT: &str = "; what it offered before is offered still";

/// One source as it was loaded.
#[derive(Clone)]
pub struct LoadedSource {
    /// Where it comes from.
    pub source: SourceFiles,
    /// What it came to.
    pub loaded: Loaded,
    fingerprint: Fingerprint,
    started: SystemTime,
}

/// What serves of a source after it was loaded again.
pub struct Replaced {
    /// What serves.
    pub source: LoadedSource,
    /// The tools that no longer do.
    pub gone: Vec<ToolKey>,
    /// Whether that is something else than before.
    pub is_changed: bool,
}

impl LoadedSource {
    /// What was loaded of a source since `started`.
    pub fn new(source: SourceFiles, loaded: Loaded, started: SystemTime) -> Self {
        Self {
            fingerprint: Fingerprint::of(&source, &loaded.modules, Some(started)),
            source,
            loaded,
            started,
        }
    }

    /// Whether it is what there was of that source, whatever has become of its files.
    pub fn is_of(&self, source: &SourceFiles) -> bool {
        let is_same_file = self.source.files == source.files || self.source.files.len() != 1 || source.files.len() != 1;
        self.source.root == source.root && self.source.capability == source.capability && is_same_file
    }

    /// Whether a load would yield the same; `modules` are those that are imported by now, some only when a tool first ran.
    /// What failed is always tried again: what it needs may have come.
    pub fn is_fresh(&self, source: &SourceFiles, modules: &[PathBuf]) -> bool {
        let imported_since = modules.iter().filter(|module| !self.fingerprint.knows(module));
        self.source == *source
            && !self.loaded.diagnostics.iter().any(is_loss)
            && self
                .fingerprint
                .is_same(&Fingerprint::of(source, &self.loaded.modules, None))
            && imported_since
                .into_iter()
                .all(|module| is_unchanged(module, self.started))
    }

    /// Whether a finding is why the source is not there any longer, rather than that somebody took it away.
    pub fn is_lost_by(&self, diagnostic: &Diagnostic) -> bool {
        let folders = [&self.source.root].into_iter().chain(&self.source.import_roots);
        is_loss(diagnostic)
            && folders
                .into_iter()
                .any(|folder| is_about(diagnostic, |path| path.starts_with(folder)))
    }

    /// The folders that its files are in.
    pub fn folders(&self) -> impl Iterator<Item = &Path> {
        self.fingerprint.folders()
    }

    /// Its tools.
    pub fn keys(&self) -> Vec<ToolKey> {
        self.loaded.tools.iter().map(|tool| tool.key).collect()
    }

    /// Puts it in the place of what there was of the source; `found` is what was found beside loading.
    pub fn in_place_of(mut self, old: Option<Self>, found: &[Diagnostic]) -> Replaced {
        let Some(old) = old else {
            return Replaced {
                source: self,
                gone: Vec::new(),
                is_changed: true,
            };
        };
        let new = self.keys();
        let (kept, gone): (Vec<_>, Vec<_>) = old
            .loaded
            .tools
            .iter()
            .cloned()
            .partition(|tool| self.misses(tool, found));
        if !kept.is_empty() {
            // They go on with the modules that they were loaded with.
            let modules = old
                .loaded
                .modules
                .iter()
                .filter(|module| !self.fingerprint.knows(module));
            self.loaded.modules.extend(modules.cloned());
        }
        self.tell_kept(&kept);
        for tool in kept {
            self.insert(tool);
        }
        if self.is_like(&old) {
            return Replaced {
                source: old,
                gone: new,
                is_changed: false,
            };
        }
        Replaced {
            source: self,
            gone: gone.into_iter().map(|tool| tool.key).collect(),
            is_changed: true,
        }
    }

    /// Whether a tool of an earlier load is missing because its file is broken.
    fn misses(&self, tool: &LoadedTool, found: &[Diagnostic]) -> bool {
        let definition = &tool.definition;
        let is_there = self
            .loaded
            .tools
            .iter()
            .any(|new| new.definition.name == definition.name);
        let mut losses = self
            .loaded
            .diagnostics
            .iter()
            .chain(found)
            .filter(|found| is_loss(found));
        !is_there && losses.any(|loss| is_about_file_of(loss, tool))
    }

    /// Says at the faults of the files of these tools that they are offered as they were.
    fn tell_kept(&mut self, kept: &[LoadedTool]) {
        for loss in self.loaded.diagnostics.iter_mut().filter(|found| is_loss(found)) {
            loss.tools
                .retain(|name| kept.iter().all(|tool| tool.definition.name != *name));
            if kept.iter().any(|tool| is_about_file_of(loss, tool)) {
                loss.message.push_str(KEPT);
            }
        }
    }

    /// Puts a tool in the place that its file has.
    fn insert(&mut self, tool: LoadedTool) {
        let place = |tool: &LoadedTool| {
            let file = tool.definition.source.path.as_ref();
            self.source.files.iter().position(|known| Some(known) == file)
        };
        let follows = self.loaded.tools.iter().rposition(|known| place(known) <= place(&tool));
        self.loaded.tools.insert(follows.map_or(0, |index| index + 1), tool);
    }

    /// Whether nothing tells it from `other`.
    fn is_like(&self, other: &Self) -> bool {
        let (tools, others) = (&self.loaded.tools, &other.loaded.tools);
        let are_alike = |(tool, other): (&LoadedTool, &LoadedTool)| {
            tool.definition == other.definition && tool.policy == other.policy
        };
        self.source == other.source
            && self.fingerprint.is_same(&other.fingerprint)
            && self.loaded.diagnostics == other.loaded.diagnostics
            && tools.len() == others.len()
            && tools.iter().zip(others).all(are_alike)
    }
}

/// Whether something was not loaded.
fn is_loss(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Error
}

fn is_about(diagnostic: &Diagnostic, place: impl Fn(&Path) -> bool) -> bool {
    diagnostic.path.as_deref().is_some_and(place)
}

/// Whether a finding is about the file of a tool, or a folder that it is in.
fn is_about_file_of(diagnostic: &Diagnostic, tool: &LoadedTool) -> bool {
    let file = tool.definition.source.path.as_deref();
    is_about(diagnostic, |path| file.is_some_and(|file| file.starts_with(path)))
}
