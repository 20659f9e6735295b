//! Owns walking a folder for Python files: in sorted order, within bounds, and away from what is never a tool.
//!
//! Left out everywhere are hidden entries, `__init__.py`, `__pycache__`, `node_modules` and virtual environments. A link
//! is followed only if it stays within the source; what it leads to counts once, under its own name where it has one.

use crate::diagnostic::{Diagnostic, DiagnosticCode, Severity};
use std::collections::HashSet;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

/// The file that makes a folder a capability.
pub(super) const MANIFEST: &str = "capability.yaml";
const SKIPPED_FOLDERS: [&str; 3] = ["__pycache__", "node_modules", "venv"];
/// How many entries are looked at before the folder is taken for one that nobody meant.
const MOST_ENTRIES: usize = 200_000;
/// The file that makes a folder a virtual environment, whatever its name is.
const ENVIRONMENT_MARK: &str = "pyvenv.cfg";

/// What a walk came upon.
#[derive(Debug, Default)]
pub(super) struct Walked {
    /// The Python files, sorted, with names as they are under the folder.
    pub files: Vec<PathBuf>,
    /// The capabilities below the folder, sorted; nothing in them is among the files.
    pub capabilities: Vec<PathBuf>,
    /// What is wrong with entries of the folder.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether there are more files than were taken.
    pub is_cut: bool,
}

/// Finds the Python files below a folder.
///
/// `boundary` is the resolved folder that links may not leave. At most `limit` files are taken.
pub(super) fn walk(folder: &Path, boundary: &Path, limit: usize) -> Walked {
    let mut walk = Walk {
        boundary,
        limit,
        entries: 0,
        links: Vec::new(),
        seen: HashSet::new(),
        walked: Walked::default(),
    };
    walk.enter(folder);
    // After everything else, so that a file is found under its own name first.
    while let Some(link) = walk.links.pop() {
        walk.follow(&link);
    }
    walk.walked.files.sort();
    walk.walked.capabilities.sort();
    walk.walked
}

/// Whether the name is that of a Python file.
pub(super) fn is_python(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "py")
}

/// What lies in a folder; nothing, if it cannot be read.
pub(super) fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
}

struct Walk<'a> {
    boundary: &'a Path,
    limit: usize,
    entries: usize,
    links: Vec<PathBuf>,
    seen: HashSet<PathBuf>,
    walked: Walked,
}

impl Walk<'_> {
    fn enter(&mut self, folder: &Path) {
        let mut entries = match fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<DirEntry>>>) {
            Ok(entries) => entries,
            Err(error) => {
                let message = format!("the folder cannot be read: {error}");
                self.report(DiagnosticCode::FileUnreadable, Severity::Error, message, folder);
                return;
            }
        };
        self.seen.insert(folder.to_owned());
        entries.sort_by_key(DirEntry::file_name);
        for entry in entries {
            self.entries += 1;
            if self.entries > MOST_ENTRIES {
                self.walked.is_cut = true;
                return;
            }
            self.meet(&entry);
        }
    }

    fn meet(&mut self, entry: &DirEntry) {
        let path = entry.path();
        let Ok(kind) = entry.file_type() else { return };
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            if kind.is_dir() || is_python(&path) {
                let message = "the name is not UTF-8, so it cannot be a module".to_owned();
                self.report(DiagnosticCode::FileUnreadable, Severity::Error, message, &path);
            }
            return;
        };
        if name.starts_with('.') || SKIPPED_FOLDERS.contains(&name) {
            return;
        }
        if kind.is_symlink() {
            self.links.push(path);
        } else if kind.is_dir() {
            self.meet_folder(&path);
        } else if kind.is_file() && is_python(&path) && name != "__init__.py" {
            self.take(path.clone(), path);
        }
    }

    fn meet_folder(&mut self, path: &Path) {
        if path.join(MANIFEST).is_file() {
            self.walked.capabilities.push(path.to_owned());
        } else if !path.join(ENVIRONMENT_MARK).exists() {
            self.enter(path);
        }
    }

    /// Takes a file that is shown as `path` and is really `target`.
    fn take(&mut self, path: PathBuf, target: PathBuf) {
        if self.walked.files.len() == self.limit {
            self.walked.is_cut = true;
        } else if self.seen.insert(target) {
            self.walked.files.push(path);
        }
    }

    fn follow(&mut self, link: &Path) {
        let Ok(target) = link.canonicalize() else {
            if is_python(link) {
                let message = "the link leads nowhere".to_owned();
                self.report(DiagnosticCode::PathMissing, Severity::Error, message, link);
            }
            return;
        };
        let is_folder = target.is_dir();
        if !is_folder && !is_python(link) {
            return;
        }
        if !target.starts_with(self.boundary) {
            let severity = if is_folder { Severity::Warning } else { Severity::Error };
            let message = format!(
                "the link leads out of the source, to {}, and was not followed",
                target.display()
            );
            self.report(DiagnosticCode::PathOutside, severity, message, link);
        } else if !is_folder {
            self.take(link.to_owned(), target);
        } else if !self.boundary.starts_with(&target) && self.seen.insert(target) {
            self.meet_folder(link);
        }
    }

    fn report(&mut self, code: DiagnosticCode, severity: Severity, message: String, path: &Path) {
        self.walked
            .diagnostics
            .push(Diagnostic::new(code, severity, message).at(path));
    }
}
