//! Owns what a source is and which files of it are tool files.
//!
//! A source is a Python file, a directory of them, a capability, or a directory of capabilities. What it yields:
//!
//! * A capability: the files that its manifest lists, or all below `tools/`, tests and names with `_` included. Files may
//!   import modules beside `tools/` by their plain names.
//! * A directory: all Python files below it. Of a project (a directory with `pyproject.toml`, `setup.py` or `.git`), and of
//!   one with no Python files of its own, only those below `tools/`, if it has that. What is named like a test or like
//!   `conftest.py` and `setup.py` is left out, since nobody asked for these to be run. If capabilities lie below it, it is a
//!   directory of capabilities, and only they are loaded.
//! * A file: itself, whatever its name; one like `.mcp.json` is the MCP servers in it.
//!
//! A directory's or file's own modules are found from its folder. Beyond that, plain names are looked up in one folder
//! more: the nearest capability, project or repository around it; without one, the parent of a folder named `tools`.

use super::given::{resolve, unusable};
use super::given_servers::{GivenServer, is_servers_file, read_servers};
use super::manifest::{self, Capability, Tools};
use super::surroundings::Surroundings;
use super::walk::{MANIFEST, Walked, entries, is_python, walk};
use crate::diagnostic::{Diagnostic, DiagnosticCode, Severity};
use crate::error::Result;
use crate::model::Limits;
use crate::runner::SourceFiles;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

const TOOLS: &str = "tools";
/// What makes a directory the root of a project.
const PROJECT_MARKS: [&str; 3] = ["pyproject.toml", "setup.py", ".git"];

/// What the sources hold.
#[derive(Debug, Default)]
pub struct Found {
    /// The tool files, by source; no file is in two of them.
    pub sources: Vec<SourceFiles>,
    /// The capabilities, those without tool files included.
    pub capabilities: Vec<Capability>,
    /// The MCP servers of files that belong to no capability.
    pub servers: Vec<GivenServer>,
    /// What is wrong with what was found.
    pub diagnostics: Vec<Diagnostic>,
}

/// Finds the tool files of the sources, and of the capabilities in the folders that are searched.
///
/// # Errors
///
/// [`Error::Source`](crate::Error::Source) if a source does not exist or is none.
pub fn discover(sources: &[PathBuf], limits: &Limits, surroundings: &Surroundings) -> Result<Found> {
    let mut discovery = Discovery {
        limit: limits.source_files,
        surroundings,
        loaded: HashSet::new(),
        names: HashMap::new(),
        flags: HashSet::new(),
        found: Found::default(),
    };
    for source in sources {
        discovery.source(source)?;
    }
    for folder in &surroundings.searched {
        discovery.searched(folder);
    }
    discovery.report_unknown_flags();
    Ok(discovery.found)
}

struct Discovery<'a> {
    limit: usize,
    surroundings: &'a Surroundings,
    /// The files that some source has, resolved.
    loaded: HashSet<PathBuf>,
    /// The capabilities by name.
    names: HashMap<String, PathBuf>,
    /// The flags that there are, with their capabilities.
    flags: HashSet<(String, String)>,
    found: Found,
}

impl Discovery<'_> {
    fn source(&mut self, given: &Path) -> Result<()> {
        let path = resolve(given)?;
        if path.is_dir() {
            if path.join(MANIFEST).is_file() {
                self.capability(&path, Severity::Warning);
            } else {
                self.directory(&path);
            }
        } else if path.file_name().is_some_and(|name| name == MANIFEST) {
            self.capability(folder_of(&path), Severity::Warning);
        } else if is_python(&path) {
            let root = folder_of(&path).to_owned();
            self.plain(&root, vec![path]);
        } else if is_servers_file(&path) {
            let (servers, mut diagnostics) = read_servers(&path);
            self.found.servers.extend(servers);
            self.found.diagnostics.append(&mut diagnostics);
        } else {
            return Err(unusable(
                given,
                "it is neither a Python file (.py), nor a directory, nor a capability's manifest, nor a file of MCP servers (.json)",
            ));
        }
        Ok(())
    }

    /// The capabilities right inside of a folder that nobody named; one that is hidden by another is no fault there.
    fn searched(&mut self, folder: &Path) {
        let mut roots: Vec<PathBuf> = entries(folder).filter(|entry| entry.join(MANIFEST).is_file()).collect();
        roots.sort();
        for root in roots.iter().filter_map(|root| root.canonicalize().ok()) {
            self.capability(&root, Severity::Info);
        }
    }

    fn directory(&mut self, path: &Path) {
        let root = narrowed(path);
        let mut walked = walk(&root, path, self.limit);
        let has_errors = self.take_diagnostics(&mut walked);
        if !walked.capabilities.is_empty() {
            self.report_left_out(path, &walked.files, "lie outside of its capabilities");
            for capability in &walked.capabilities {
                self.capability(capability, Severity::Warning);
            }
            return;
        }
        self.report_cut(&root, &walked);
        let (tests, files): (Vec<_>, Vec<_>) = walked.files.into_iter().partition(|file| is_support(file));
        self.report_left_out(path, &tests, "are tests or set-up by their names");
        if files.is_empty() {
            self.report_empty(path, has_errors);
        } else {
            self.plain(&root, files);
        }
    }

    /// Files that no manifest of their own describes; one around them still says what they may import.
    fn plain(&mut self, root: &Path, files: Vec<PathBuf>) {
        let around = root
            .ancestors()
            .find(|folder| folder.join(MANIFEST).is_file() || is_project(folder));
        let import_root = match around {
            Some(folder) => Some(folder),
            None if root.file_name().is_some_and(|name| name == TOOLS) => root.parent(),
            None => None,
        };
        let capability = around
            .filter(|folder| folder.join(MANIFEST).is_file())
            .and_then(|folder| manifest::read(folder, self.surroundings).0);
        self.flags.extend(capability.iter().flat_map(Capability::flag_places));
        self.add(SourceFiles {
            root: root.to_owned(),
            import_roots: import_root.map(Path::to_owned).into_iter().collect(),
            files,
            environment: capability.as_ref().map_or_else(Vec::new, Capability::environment),
            capability: capability.map(|capability| capability.name),
        });
    }

    /// Loads a capability; `hidden` is how bad it is if another has its name already.
    fn capability(&mut self, root: &Path, hidden: Severity) {
        let (capability, mut diagnostics) = manifest::read(root, self.surroundings);
        self.found.diagnostics.append(&mut diagnostics);
        let Some(capability) = capability else { return };
        if let Some(first) = self.names.get(&capability.name) {
            if first != root {
                let message = format!(
                    "the capability was not loaded: {} has the name {:?} already",
                    first.display(),
                    capability.name
                );
                self.found.diagnostics.push(
                    Diagnostic::new(DiagnosticCode::DuplicateCapability, hidden, message)
                        .at(root.join(MANIFEST))
                        .hint("give one of the two another name"),
                );
            }
            return;
        }
        self.names.insert(capability.name.clone(), root.to_owned());
        self.flags.extend(capability.flag_places());
        self.found
            .diagnostics
            .extend(capability.missing_secrets().map(|secret| secret.missing_in(root)));
        let tools = root.join(TOOLS);
        let files = match &capability.tools {
            Tools::All => self.all_tools(root, &tools),
            Tools::Off => {
                let message = "the manifest turns the capability's tools off";
                self.found.diagnostics.push(
                    Diagnostic::new(DiagnosticCode::EmptySource, Severity::Info, message).at(root.join(MANIFEST)),
                );
                Vec::new()
            }
            Tools::Listed(listed) => self.listed_tools(root, &tools, listed),
        };
        let root_of_files = if tools.is_dir() { tools } else { root.to_owned() };
        self.add(SourceFiles {
            root: root_of_files,
            import_roots: vec![root.to_owned()],
            files,
            environment: capability.environment(),
            capability: Some(capability.name.clone()),
        });
        self.found.capabilities.push(capability);
    }

    fn all_tools(&mut self, root: &Path, tools: &Path) -> Vec<PathBuf> {
        if !tools.is_dir() {
            return Vec::new();
        }
        let mut walked = walk(tools, root, self.limit);
        let has_errors = self.take_diagnostics(&mut walked);
        self.report_cut(tools, &walked);
        if walked.files.is_empty() {
            self.report_empty(tools, has_errors);
        }
        walked.files
    }

    /// The listed files and folders, and nothing else; what else lies in `tools/` is reported.
    fn listed_tools(&mut self, root: &Path, tools: &Path, listed: &[(String, u32)]) -> Vec<PathBuf> {
        let mut files = Vec::new();
        for (listed, line) in listed {
            match self.listed(root, listed) {
                Ok(mut more) => files.append(&mut more),
                Err((code, message)) => {
                    let mut diagnostic = Diagnostic::new(code, Severity::Error, message).at(root.join(MANIFEST));
                    diagnostic.line = Some(*line);
                    self.found.diagnostics.push(diagnostic);
                }
            }
        }
        files.sort();
        files.dedup();
        if tools.is_dir() {
            for file in walk(tools, root, self.limit).files {
                if !files.contains(&file) {
                    let message = "the file is not in the manifest's list of tools, so it was not loaded";
                    self.found
                        .diagnostics
                        .push(Diagnostic::new(DiagnosticCode::FileNotListed, Severity::Info, message).at(file));
                }
            }
        }
        files
    }

    fn listed(&mut self, root: &Path, listed: &str) -> Result<Vec<PathBuf>, (DiagnosticCode, String)> {
        let outside = || {
            let message = format!("the listed path {listed:?} is outside of the capability");
            (DiagnosticCode::PathOutside, message)
        };
        if !manifest::stays_inside(listed.trim()) {
            return Err(outside());
        }
        let Ok(path) = root.join(listed.trim()).canonicalize() else {
            let message = format!("the listed path {listed:?} does not exist");
            return Err((DiagnosticCode::PathMissing, message));
        };
        if !path.starts_with(root) {
            return Err(outside());
        }
        if path.is_dir() {
            let mut walked = walk(&path, root, self.limit);
            self.take_diagnostics(&mut walked);
            self.report_cut(&path, &walked);
            return Ok(walked.files);
        }
        if is_python(&path) {
            return Ok(vec![path]);
        }
        let message = format!("the listed path {listed:?} is neither a Python file nor a folder");
        Err((DiagnosticCode::ManifestInvalid, message))
    }

    /// Adds the files of a source that no source before it has.
    fn add(&mut self, mut source: SourceFiles) {
        source.files.retain(|file| {
            let real = file.canonicalize().unwrap_or_else(|_| file.clone());
            self.loaded.insert(real)
        });
        if !source.files.is_empty() {
            self.found.sources.push(source);
        }
    }

    /// Keeps what a walk found wrong, and says whether that may be why there are no files.
    fn take_diagnostics(&mut self, walked: &mut Walked) -> bool {
        let has_errors = walked
            .diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error);
        self.found.diagnostics.append(&mut walked.diagnostics);
        has_errors
    }

    fn report_empty(&mut self, path: &Path, is_explained: bool) {
        if !is_explained {
            let message = "the directory holds no tool file";
            self.found.diagnostics.push(
                Diagnostic::new(DiagnosticCode::EmptySource, Severity::Warning, message)
                    .at(path)
                    .hint("put a Python file with a tool in it, or name another directory"),
            );
        }
    }

    fn report_unknown_flags(&mut self) {
        for (capability, flag) in self.surroundings.run_flags.without(&self.flags) {
            let message =
                format!("no loaded capability {capability:?} has a flag {flag:?}, so turning it does nothing");
            let hint = "the health report lists every capability with its flags";
            self.found
                .diagnostics
                .push(Diagnostic::new(DiagnosticCode::FlagUnknown, Severity::Warning, message).hint(hint));
        }
    }

    fn report_cut(&mut self, path: &Path, walked: &Walked) {
        if walked.is_cut {
            let message = format!(
                "there are more than {} tool files; only the first of them were loaded",
                self.limit
            );
            self.found.diagnostics.push(
                Diagnostic::new(DiagnosticCode::TooManyFiles, Severity::Error, message)
                    .at(path)
                    .hint("name the directory that holds the tools, or raise the limit on the files of a source"),
            );
        }
    }

    fn report_left_out(&mut self, path: &Path, files: &[PathBuf], why: &str) {
        let names: Vec<String> = files
            .iter()
            .map(|file| file.strip_prefix(path).unwrap_or(file).display().to_string())
            .collect();
        let message = match names.as_slice() {
            [] => return,
            [only] => format!("{only} was not loaded: such files {why}"),
            [first, ..] => format!("{} files, {first} first, were not loaded: they {why}", names.len()),
        };
        self.found.diagnostics.push(
            Diagnostic::new(DiagnosticCode::FileNotListed, Severity::Info, message)
                .at(path)
                .hint("name such a file as a source of its own to load it"),
        );
    }
}

/// The folder in a directory that its tool files lie in.
fn narrowed(path: &Path) -> PathBuf {
    let tools = path.join(TOOLS);
    let holds_capabilities = || {
        [path.to_owned(), path.join("capabilities")]
            .iter()
            .flat_map(|folder| entries(folder))
            .any(|entry| entry.join(MANIFEST).is_file())
    };
    let has_own_files = || entries(path).any(|entry| is_python(&entry) && !is_support(&entry));
    if tools.is_dir() && (is_project(path) || !has_own_files()) && !holds_capabilities() {
        tools
    } else {
        path.to_owned()
    }
}

fn is_project(folder: &Path) -> bool {
    PROJECT_MARKS.iter().any(|mark| folder.join(mark).exists())
}

/// Whether a file tests or sets up other files, going by the names that Python's tools go by.
fn is_support(file: &Path) -> bool {
    let Some(name) = file.file_stem().and_then(|stem| stem.to_str()) else {
        return false;
    };
    matches!(name, "conftest" | "setup" | "noxfile") || name.starts_with("test_") || name.ends_with("_test")
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(path)
}
