//! Owns noticing that a tool holds the event loop, so that no other async tool gets on: who it is, and where its code is.
//!
//! Looks only while async calls run. Must not stop anything: a tool's time limit does that.

use super::presence::Presence;
use super::runtime::Runtime;
use super::tasks::Tasks;
use crate::diagnostic::{Diagnostic, DiagnosticCode, Severity};
use crate::model::LogStream;
use pyo3::intern;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// For how long the loop may give no sign.
const LIMIT: Duration = Duration::from_secs(1);
/// How often it is looked whether it has given one.
const INTERVAL: Duration = Duration::from_millis(50);

/// What the loop's thread and the one that watches it know of each other.
#[derive(Default)]
pub struct Heartbeat {
    /// Grows with every turn in which the loop looked at what it was told.
    turns: AtomicU64,
    /// Whether the loop is in such a turn.
    in_turn: AtomicBool,
    /// Whether somebody watches.
    is_watched: AtomicBool,
    is_closed: AtomicBool,
    watcher: OnceLock<Thread>,
    found: Mutex<Vec<Diagnostic>>,
}

/// What the watcher has to reach.
pub struct Watched {
    /// Python's identifier of the loop's thread.
    pub thread: u64,
    /// The loop.
    pub event_loop: Py<PyAny>,
    /// The tasks on it.
    pub tasks: Arc<Tasks>,
}

impl Heartbeat {
    /// Notes that the loop begins to look at what it was told, and has it watched from now on.
    pub fn begin_turn(&self) {
        self.in_turn.store(true, Ordering::Release);
        if !self.is_watched.swap(true, Ordering::AcqRel)
            && let Some(watcher) = self.watcher.get()
        {
            watcher.unpark();
        }
    }

    /// Notes that it has.
    pub fn end_turn(&self) {
        self.turns.fetch_add(1, Ordering::AcqRel);
        self.in_turn.store(false, Ordering::Release);
    }

    /// Ends the watching.
    pub fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
        if let Some(watcher) = self.watcher.get() {
            watcher.unpark();
        }
    }

    /// What was found so far, taken out.
    pub fn take_found(&self) -> Vec<Diagnostic> {
        std::mem::take(&mut *self.found.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Starts the thread that watches; `ask` makes the loop take a turn.
    pub fn watch(self: &Arc<Self>, watched: Watched, presence: Presence, ask: impl Fn() + Send + 'static) {
        let heartbeat = Arc::clone(self);
        let spawned = std::thread::Builder::new()
            .name("pegboard-heartbeat".to_owned())
            .spawn(move || {
                let _ = heartbeat.watcher.set(std::thread::current());
                while heartbeat.wait_for_work(&watched.tasks) {
                    let turns = heartbeat.turns.load(Ordering::Acquire);
                    ask();
                    if !heartbeat.turns_again(turns, Some(LIMIT)) {
                        heartbeat.report(&watched);
                        heartbeat.turns_again(turns, None);
                    }
                }
                Python::attach(|_| drop(watched));
                drop(presence);
            });
        if let Err(error) = spawned {
            tracing::error!(%error, "cannot make the thread that watches the event loop");
        }
    }

    /// Sleeps while no async call runs, and for a while if one does; `false` when the loop is closed.
    fn wait_for_work(&self, tasks: &Tasks) -> bool {
        while !self.is_closed.load(Ordering::Acquire) {
            if self.in_turn.load(Ordering::Acquire) || !tasks.is_empty() {
                std::thread::park_timeout(LIMIT);
                return !self.is_closed.load(Ordering::Acquire);
            }
            self.is_watched.store(false, Ordering::Release);
            // A turn may have begun between the two.
            if !self.in_turn.load(Ordering::Acquire) && tasks.is_empty() {
                std::thread::park();
            }
        }
        false
    }

    /// Whether the loop takes a turn after that many, within a limit or until it is closed.
    fn turns_again(&self, turns: u64, limit: Option<Duration>) -> bool {
        let started = Instant::now();
        while self.turns.load(Ordering::Acquire) == turns && !self.is_closed.load(Ordering::Acquire) {
            if limit.is_some_and(|limit| started.elapsed() >= limit) {
                return false;
            }
            std::thread::park_timeout(INTERVAL);
        }
        true
    }

    fn report(&self, watched: &Watched) {
        let place = Python::attach(|py| place(py, watched));
        let place = place.unwrap_or_else(|error| {
            tracing::warn!(%error, "cannot tell where the event loop is held");
            Place::default()
        });
        let tool = place
            .call
            .as_ref()
            .map_or_else(|| "something".to_owned(), |call| format!("the tool {:?}", call.tool));
        let message = format!(
            "{tool} has held the event loop for more than {} s, and no other async tool gets on meanwhile",
            LIMIT.as_secs()
        );
        tracing::warn!(stack = %place.stack, "{message}");
        let hint = "await what takes its time, or leave out `async`: sync tools run on threads of their own";
        if let Some(call) = &place.call {
            let file = place
                .path
                .as_ref()
                .map(|path| path.display().to_string())
                .unwrap_or_default();
            let line = place.line.unwrap_or_default();
            call.write(LogStream::Host, &format!("{message}; it is at {file}:{line}; {hint}"));
        }
        let mut diagnostic = Diagnostic::new(DiagnosticCode::LoopBlocked, Severity::Warning, message).hint(hint);
        diagnostic.path = place.path;
        diagnostic.line = place.line;
        diagnostic.tools.extend(place.call.map(|call| call.tool.to_string()));
        self.found
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(diagnostic);
    }
}

/// Where the loop's thread is.
#[derive(Default)]
struct Place {
    call: Option<Arc<super::call_state::CallState>>,
    path: Option<PathBuf>,
    line: Option<u32>,
    stack: String,
}

fn place(py: Python<'_>, watched: &Watched) -> PyResult<Place> {
    let runtime = Runtime::get(py)?;
    let task = py
        .import(intern!(py, "asyncio"))?
        .call_method1(intern!(py, "current_task"), (&watched.event_loop,))?;
    let mut place = Place {
        call: watched.tasks.call_of(&task),
        stack: runtime.stack(py, watched.thread)?,
        ..Place::default()
    };
    if let Some(frame) = runtime.frame(py, watched.thread)? {
        let code = frame.getattr(intern!(py, "f_code"))?;
        place.path = Some(code.getattr(intern!(py, "co_filename"))?.extract()?);
        place.line = frame.getattr(intern!(py, "f_lineno"))?.extract()?;
    }
    Ok(place)
}
