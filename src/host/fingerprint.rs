//! Owns telling whether the files of a source have changed since they were loaded.
//!
//! Must not read what is in them: time and size tell, down to the nanosecond.

use crate::runner::SourceFiles;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Files beside the Python ones that say what a capability is.
pub const MANIFESTS: [&str; 3] = ["capability.yaml", ".mcp.json", "mcp.json"];

/// What files were like at one moment; one that is not there is told apart from all others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fingerprint(BTreeMap<PathBuf, Option<(SystemTime, u64)>>);

impl Fingerprint {
    /// The tool files of a source, the modules that they imported from it, and its manifest.
    ///
    /// What has changed since `started`, when they began to be loaded, may have been read before or after: it counts as
    /// not known.
    pub fn of(source: &SourceFiles, modules: &[PathBuf], started: Option<SystemTime>) -> Self {
        let manifests = source
            .import_roots
            .iter()
            .chain([&source.root])
            .flat_map(|folder| MANIFESTS.map(|name| folder.join(name)));
        let files = source.files.iter().chain(modules).cloned().chain(manifests);
        let is_settled = |(modified, _): &(SystemTime, u64)| started.is_none_or(|started| *modified < started);
        Self(
            files
                .map(|file| (file.clone(), looked_at(&file).filter(is_settled)))
                .collect(),
        )
    }

    /// The folders that the files are in.
    pub fn folders(&self) -> impl Iterator<Item = &Path> {
        self.0.keys().filter_map(|file| file.parent())
    }
}

fn looked_at(file: &Path) -> Option<(SystemTime, u64)> {
    let metadata = fs::metadata(file).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}
