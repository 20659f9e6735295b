//! Owns noticing that a tool holds the event loop, so that no other async tool gets on: who it is, and where its code is. One
//! that was asked to stop cannot hear it, and is interrupted.
//!
//! Looks only while async calls run. Must not stop what nobody has asked to: a time limit or a caller does that.

use super::call_state::CallState;
use super::interrupt;
use super::invoke::thread_identifier;
use super::lock::lock;
use super::presence::Presence;
use super::runtime::Runtime;
use super::tasks::Tasks;
use crate::diagnostic::{Diagnostic, DiagnosticCode, Severity};
use crate::model::LogStream;
use pyo3::intern;
use pyo3::prelude::*;
use std::mem;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// For how long the loop may give no sign before it is told.
const LIMIT: Duration = Duration::from_secs(1);
/// For how long it may give none before a call that holds it and was asked to stop is interrupted, which is done again after
/// [`LIMIT`].
const PATIENCE: Duration = Duration::from_millis(200);
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
    /// Changed only while attached.
    holder: Mutex<Option<Holder>>,
    found: Mutex<Vec<Diagnostic>>,
}

/// The state of a call while its code runs, and given back then.
pub type Lent = Option<Arc<CallState>>;

/// The call whose code the loop's thread runs.
struct Holder {
    state: Arc<CallState>,
    is_interrupted: bool,
}

/// What the watcher has to reach.
pub struct Watched {
    /// Python's identifier of the loop's thread.
    pub thread: u64,
    /// The tasks on the loop.
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

    /// Runs what is the tool's own, on the loop's thread: all of it can be interrupted, and nothing after it.
    ///
    /// The state is lent rather than counted once more: among thousands of calls each of those counts misses the cache.
    pub fn hold<T>(&self, py: Python<'_>, state: Lent, work: impl FnOnce() -> T) -> (T, Lent) {
        let holder = state.map(|state| Holder {
            state,
            is_interrupted: false,
        });
        let outer = mem::replace(&mut *lock(&self.holder), holder);
        let done = work();
        let ended = mem::replace(&mut *lock(&self.holder), outer);
        if ended.as_ref().is_some_and(|holder| holder.is_interrupted) {
            interrupt::take_back(py, thread_identifier(py));
        }
        (done, ended.map(|holder| holder.state))
    }

    /// Has it looked at once whether the loop is held, because a call on it was asked to stop.
    pub fn hurry(&self) {
        if let Some(watcher) = self.watcher.get() {
            watcher.unpark();
        }
    }

    /// The call whose code the loop's thread runs.
    pub fn holder(&self) -> Option<Arc<CallState>> {
        lock(&self.holder).as_ref().map(|holder| Arc::clone(&holder.state))
    }

    /// Ends the watching.
    pub fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
        self.hurry();
    }

    /// What was found so far, taken out.
    pub fn take_found(&self) -> Vec<Diagnostic> {
        mem::take(&mut *lock(&self.found))
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
                    heartbeat.follow(turns, watched.thread);
                }
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

    /// Waits until the loop takes a turn after that many, and sees to it meanwhile that it does.
    fn follow(&self, turns: u64, thread: u64) {
        let started = Instant::now();
        let (mut is_told, mut interrupts_at) = (false, started + PATIENCE);
        while self.turns.load(Ordering::Acquire) == turns && !self.is_closed.load(Ordering::Acquire) {
            let now = Instant::now();
            if now >= interrupts_at && self.holder().is_some_and(|state| state.stop_reason().is_some()) {
                Python::attach(|py| self.interrupt(py, thread));
                interrupts_at = now + LIMIT;
            }
            if !is_told && now >= started + LIMIT {
                self.report(thread);
                is_told = true;
            }
            std::thread::park_timeout(INTERVAL);
        }
    }

    /// Interrupts the call that holds the loop, if it is still one that was asked to stop.
    fn interrupt(&self, py: Python<'_>, thread: u64) {
        let is_to_stop = lock(&self.holder).as_mut().is_some_and(|holder| {
            holder.is_interrupted |= holder.state.stop_reason().is_some();
            holder.is_interrupted
        });
        if is_to_stop {
            interrupt::raise(py, thread);
        }
    }

    fn report(&self, thread: u64) {
        let place = Python::attach(|py| place(py, self.holder(), thread));
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
        lock(&self.found).push(diagnostic);
    }
}

/// Where the loop's thread is.
#[derive(Default)]
struct Place {
    call: Option<Arc<CallState>>,
    path: Option<PathBuf>,
    line: Option<u32>,
    stack: String,
}

fn place(py: Python<'_>, call: Option<Arc<CallState>>, thread: u64) -> PyResult<Place> {
    let runtime = Runtime::get(py)?;
    let mut place = Place {
        call,
        stack: runtime.stack(py, thread)?,
        ..Place::default()
    };
    if let Some(frame) = runtime.frame(py, thread)? {
        let code = frame.getattr(intern!(py, "f_code"))?;
        place.path = Some(code.getattr(intern!(py, "co_filename"))?.extract()?);
        place.line = frame.getattr(intern!(py, "f_lineno"))?.extract()?;
    }
    Ok(place)
}
