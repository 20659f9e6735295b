//! Owns telling whether the files of a source have changed since they were loaded.
//!
//! Must not read what is in them: time and size tell, down to the nanosecond.

use crate::runner::SourceFiles;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Files beside the Python ones that say what a capability is.
pub const MANIFESTS: [&str; 3] = ["capability.yaml", ".mcp.json", "mcp.json"];

/// How far a file's time may lag behind the clock: file systems take the time of the system's last tick.
const TICK: Duration = Duration::from_millis(20);

/// What files were like at one moment.
#[derive(Debug, Clone, Default)]
pub struct Fingerprint(BTreeMap<PathBuf, Seen>);

/// What a file was like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    /// It was not there.
    Absent,
    /// It was written so lately that what was read may be older or newer.
    Unsettled,
    /// It had that time and size.
    Settled(SystemTime, u64),
}

impl Fingerprint {
    /// The tool files of a source, the modules that they imported from it, and its manifest, as they were `started`, when
    /// they began to be loaded; without that, as they are.
    pub fn of(source: &SourceFiles, modules: &[PathBuf], started: Option<SystemTime>) -> Self {
        let manifests = source
            .import_roots
            .iter()
            .chain([&source.root])
            .flat_map(|folder| MANIFESTS.map(|name| folder.join(name)));
        let files = source.files.iter().chain(modules).cloned().chain(manifests);
        let look = |file: PathBuf| {
            let seen = match looked_at(&file) {
                None => Seen::Absent,
                Some((modified, _)) if started.is_some_and(|started| !is_older(modified, started)) => Seen::Unsettled,
                Some((modified, size)) => Seen::Settled(modified, size),
            };
            (file, seen)
        };
        Self(files.map(look).collect())
    }

    /// Whether it is certain that both were made of the same files.
    pub fn is_same(&self, other: &Self) -> bool {
        self.0 == other.0 && !self.0.values().any(|seen| *seen == Seen::Unsettled)
    }

    /// Whether the fingerprint holds what became of that file.
    pub fn knows(&self, file: &Path) -> bool {
        self.0.contains_key(file)
    }

    /// The folders that the files are in.
    pub fn folders(&self) -> impl Iterator<Item = &Path> {
        self.0.keys().filter_map(|file| file.parent())
    }
}

/// Whether a file is as it was at that moment.
pub fn is_unchanged(file: &Path, since: SystemTime) -> bool {
    looked_at(file).is_some_and(|(modified, _)| is_older(modified, since))
}

fn is_older(modified: SystemTime, than: SystemTime) -> bool {
    modified + TICK < than
}

fn looked_at(file: &Path) -> Option<(SystemTime, u64)> {
    let metadata = fs::metadata(file).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}
