//! Owns noticing that files change, and loading them again when they have come to rest.
//!
//! Must not decide what has changed: a reload does. An event that was lost, or one too many, costs a look.

use super::fingerprint::MANIFESTS;
use super::{Host, Inner};
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use notify::event::ModifyKind;
use notify::{ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::{HashMap, HashSet};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{self, UnboundedReceiver};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// For how long no file may change before they are loaded: editors save in several steps.
const REST: Duration = Duration::from_millis(150);
/// How long is waited for that at most: something may change a file again and again.
const PATIENCE: Duration = Duration::from_secs(1);
/// Folders that hold no tool files, whatever happens in them.
const IGNORED: [&str; 3] = ["__pycache__", "node_modules", "venv"];

/// What a reload came to, for whoever watches.
#[derive(Debug)]
#[non_exhaustive]
pub enum Reloaded {
    /// Files were loaded again; what is wrong with them now.
    Done(Arc<[Diagnostic]>),
    /// They could not be looked at.
    Failed(Error),
}

/// Watches the files of a host until it is dropped.
#[derive(Debug)]
#[must_use = "nothing is watched any longer once this is dropped"]
pub struct Watching(JoinHandle<()>);

impl Drop for Watching {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Starts watching; `told` learns of every reload.
pub fn start(host: &Host, told: impl Fn(Reloaded) + Send + 'static) -> Result<Watching> {
    let (sender, events) = mpsc::unbounded_channel();
    // What has changed since the host was loaded is found at once.
    let _ = sender.send(());
    let named = host.inner.loader.named_files();
    let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        // An event that could not be read may have been about anything.
        if event.as_ref().map_or(true, |event| is_relevant(event, &named)) {
            // Nobody listens once the watching is over.
            let _ = sender.send(());
        }
    })
    .map_err(|error| unwatchable(&error))?;
    let mut folders = Folders {
        watcher,
        watched: HashMap::new(),
    };
    folders.follow(&host.inner)?;
    Ok(Watching(tokio::spawn(watch(
        Arc::downgrade(&host.inner),
        folders,
        events,
        told,
    ))))
}

async fn watch(
    inner: Weak<Inner>,
    mut folders: Folders,
    mut events: UnboundedReceiver<()>,
    told: impl Fn(Reloaded) + Send,
) {
    let mut is_behind = false;
    while is_behind || events.recv().await.is_some() {
        let patience = Instant::now() + PATIENCE;
        while Instant::now() < patience && matches!(timeout(REST, events.recv()).await, Ok(Some(()))) {}
        while events.try_recv().is_ok() {}
        let Some(inner) = inner.upgrade() else { return };
        let host = Host { inner };
        match host.reload().await {
            Ok(true) => told(Reloaded::Done(host.diagnostics())),
            Ok(false) => {}
            Err(error) => told(Reloaded::Failed(error)),
        }
        // Looks at every folder, which may take its time.
        let followed = tokio::task::spawn_blocking(move || {
            let followed = folders.follow(&host.inner);
            (folders, followed)
        });
        let Ok((back, followed)) = followed.await else { return };
        folders = back;
        // What changed in a folder before it was watched was told by nobody.
        is_behind = followed.unwrap_or_else(|error| {
            told(Reloaded::Failed(error));
            false
        });
    }
}

/// The folders that are watched, each by itself: below a project there may be thousands that hold no tools.
struct Folders {
    watcher: RecommendedWatcher,
    /// Each with what tells it from another folder of that name.
    watched: HashMap<PathBuf, Identity>,
}

/// Device and number of a folder.
type Identity = (u64, u64);

impl Folders {
    /// Watches what is not watched yet of the folders that the host's files are in; whether there was any.
    fn follow(&mut self, inner: &Inner) -> Result<bool> {
        let (mut roots, single) = inner.folders();
        let mut wanted = single;
        while let Some(folder) = roots.pop() {
            roots.extend(below(&folder));
            wanted.push(folder);
        }
        // What is not there is seen to come from above.
        let wanted = wanted
            .iter()
            .filter_map(|folder| folder.ancestors().find(|above| above.is_dir()));
        let wanted: HashMap<PathBuf, Identity> = wanted
            .filter_map(|folder| Some((folder.to_path_buf(), identity(folder)?)))
            .collect();
        self.watched.retain(|folder, identity| {
            let is_wanted = wanted.get(folder) == Some(identity);
            if !is_wanted {
                // Fails if the folder is gone, and with it the watching.
                let _ = self.watcher.unwatch(folder);
            }
            is_wanted
        });
        let (mut is_more, mut failed) = (false, None);
        for (folder, identity) in wanted {
            if self.watched.contains_key(&folder) {
                continue;
            }
            match self.watcher.watch(&folder, RecursiveMode::NonRecursive) {
                Ok(()) => {
                    self.watched.insert(folder, identity);
                    is_more = true;
                }
                // It has gone meanwhile, which is seen from above.
                Err(error) if matches!(error.kind, ErrorKind::PathNotFound) || !folder.is_dir() => {}
                Err(error) => failed = Some(unwatchable(&error)),
            }
        }
        failed.map_or(Ok(is_more), Err)
    }
}

fn identity(folder: &Path) -> Option<Identity> {
    let metadata = folder.metadata().ok()?;
    Some((metadata.dev(), metadata.ino()))
}

/// The folders in a folder that may hold tool files.
fn below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = folder.read_dir() else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| !is_ignored(path) && path.is_dir() && !path.is_symlink() && !path.join("pyvenv.cfg").exists())
        .collect()
}

fn is_ignored(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with('.') || IGNORED.contains(&name.as_ref())
}

/// Whether an event may be about a file that a reload looks at, or about one of those that were named themselves.
fn is_relevant(event: &Event, named: &HashSet<PathBuf>) -> bool {
    if matches!(event.kind, EventKind::Access(_)) {
        return false;
    }
    // A folder matters by coming and going, not by what is written to it.
    let is_written = matches!(
        event.kind,
        EventKind::Modify(ModifyKind::Data(_) | ModifyKind::Metadata(_))
    );
    event.need_rescan()
        || event.paths.iter().any(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            named.contains(path)
                || MANIFESTS.contains(&name.as_ref())
                || name.ends_with(".py")
                || (!is_written && !is_ignored(path) && (!name.contains('.') || path.is_dir()))
        })
}

fn unwatchable(error: &notify::Error) -> Error {
    Error::Setting {
        setting: "watch",
        reason: format!("files cannot be watched: {error}; the system may limit how many folders one user may watch"),
    }
}
