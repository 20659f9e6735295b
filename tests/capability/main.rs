//! Which files are tool files, and what a manifest means, over real folders.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

mod checks;
mod host;
mod loader;
mod manifests;
mod reloads;
mod search;
mod sources;

use pegboard::capability::{Found, SourceFiles, Surroundings, discover};
use pegboard::{Diagnostic, DiagnosticCode, Error, Limits};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder with files in it, for one test.
struct Tree {
    root: PathBuf,
    _folder: TempDir,
}

impl Tree {
    /// Makes the files; a name that ends with `/` makes an empty folder.
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().expect("a temporary folder can be made");
        let root = folder.path().canonicalize().expect("the folder exists");
        let tree = Self { root, _folder: folder };
        for (name, text) in files {
            let path = tree.path(name);
            if name.ends_with('/') {
                fs::create_dir_all(path).expect("a folder can be made");
            } else {
                fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder can be made");
                fs::write(path, text).expect("a file can be written");
            }
        }
        tree
    }

    /// Makes empty files.
    fn of(files: &[&str]) -> Self {
        Self::new(&files.iter().map(|name| (*name, "")).collect::<Vec<_>>())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    #[cfg(unix)]
    fn link(&self, name: &str, target: impl AsRef<Path>) {
        std::os::unix::fs::symlink(target, self.path(name)).expect("a link can be made");
    }

    fn discover(&self, source: &str) -> Found {
        self.discover_all(&[source])
    }

    fn discover_all(&self, sources: &[&str]) -> Found {
        self.discover_with(sources, &Surroundings::default())
    }

    fn discover_with(&self, sources: &[&str], surroundings: &Surroundings) -> Found {
        let sources: Vec<PathBuf> = sources.iter().map(|source| self.path(source)).collect();
        discover(&sources, &Limits::default(), surroundings).expect("the sources exist")
    }

    fn error(&self, source: &str) -> String {
        match discover(&[self.path(source)], &Limits::default(), &Surroundings::default()) {
            Err(Error::Source { reason, .. }) => reason,
            other => panic!("{other:?} is not the error"),
        }
    }

    /// The files of a source, as they are named below this folder.
    fn names(&self, source: &SourceFiles) -> Vec<String> {
        source.files.iter().map(|file| self.name(file)).collect()
    }

    /// The files of the one source.
    fn only(&self, found: &Found) -> Vec<String> {
        assert_eq!(found.sources.len(), 1, "{found:?}");
        self.names(&found.sources[0])
    }

    fn name(&self, path: &Path) -> String {
        let inside = path.strip_prefix(&self.root).expect("the path is below the folder");
        inside.to_string_lossy().into_owned()
    }

    /// Every finding as its code, path and line.
    fn findings(&self, found: &Found) -> Vec<(DiagnosticCode, String, Option<u32>)> {
        let describe = |diagnostic: &Diagnostic| {
            let path = diagnostic.path.as_ref().expect("a finding has a place");
            (diagnostic.code, self.name(path), diagnostic.line)
        };
        found.diagnostics.iter().map(describe).collect()
    }
}
