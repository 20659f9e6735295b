//! Owns time: decides by Rust's clock that a call is over, without waiting for the interpreter lock.
//!
//! Two threads, made on first use. One keeps the deadlines and never attaches. The other attaches to interrupt a tool or
//! to read its stack, which C code that holds the lock can delay for seconds.

use super::call_state::{CallState, Phase, StopReason};
use super::interrupt;
use super::lanes::Lanes;
use super::presence::Threads;
use crossbeam_channel::Sender;
use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// How long an interrupted sync tool may take before the call is answered as still running. Python delivers the
/// exception at the tool's next bytecode, so a tool that has not stopped by then is inside C code.
const INTERRUPT_GRACE: Duration = Duration::from_millis(200);

/// The deadlines of one runner.
pub struct Watch {
    clock: Arc<Clock>,
    interrupter: Mutex<Option<Sender<Arc<CallState>>>>,
    present: Threads,
    lanes: Weak<Lanes>,
    grace: Duration,
}

struct Clock {
    entries: Mutex<Entries>,
    changed: Condvar,
}

#[derive(Default)]
struct Entries {
    calls: BTreeMap<(Instant, u64), Entry>,
    /// When the thread wakes up by itself; absent while there is no thread.
    wakes_at: Option<Instant>,
    closed: bool,
}

struct Entry {
    state: Arc<CallState>,
    /// Whether the tool was asked to stop before.
    asked: bool,
}

impl Watch {
    /// A watch without threads yet.
    pub fn new(lanes: Weak<Lanes>, grace: Duration, present: Threads) -> Self {
        let clock = Arc::new(Clock {
            entries: Mutex::default(),
            changed: Condvar::new(),
        });
        Self {
            clock,
            interrupter: Mutex::new(None),
            present,
            lanes,
            grace,
        }
    }

    /// Watches a call until it is removed.
    pub fn add(&self, state: &Arc<CallState>) {
        if let Some(deadline) = state.deadline {
            self.insert(
                deadline.at,
                Entry {
                    state: Arc::clone(state),
                    asked: false,
                },
            );
        }
    }

    /// Comes back to a call whose tool was asked to stop because its caller is gone: its thread may have to be replaced.
    pub fn add_abandoned(&self, state: &Arc<CallState>) {
        if state.phase() == Phase::OnThread {
            self.add_asked(Instant::now() + INTERRUPT_GRACE, Arc::clone(state));
        }
    }

    /// Comes back to a call whose tool was asked to stop.
    pub fn add_asked(&self, at: Instant, state: Arc<CallState>) {
        self.insert(at, Entry { state, asked: true });
    }

    /// No longer watches a call whose tool was not yet asked to stop.
    pub fn remove(&self, state: &CallState) {
        if let Some(deadline) = state.deadline {
            self.clock.lock().calls.remove(&(deadline.at, state.number));
        }
    }

    /// The calls that are watched.
    pub fn calls(&self) -> Vec<Arc<CallState>> {
        let entries = self.clock.lock();
        entries.calls.values().map(|entry| Arc::clone(&entry.state)).collect()
    }

    /// Interrupts a sync tool, as soon as the interpreter lock can be had.
    pub fn interrupt(&self, state: &Arc<CallState>) {
        if matches!(state.phase(), Phase::OnThread) {
            let mut interrupter = self.interrupter.lock().unwrap_or_else(PoisonError::into_inner);
            let sender = interrupter.get_or_insert_with(|| interrupt::start(self.present.enter()));
            drop(sender.send(Arc::clone(state)));
        }
    }

    /// Ends the threads; calls that are left are no longer watched.
    pub fn close(&self) {
        self.clock.lock().closed = true;
        self.clock.changed.notify_one();
        self.interrupter.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    fn insert(&self, at: Instant, entry: Entry) {
        let mut entries = self.clock.lock();
        entries.calls.insert((at, entry.state.number), entry);
        match entries.wakes_at {
            None => {
                entries.wakes_at = Some(at);
                drop(entries);
                self.start();
            }
            Some(wakes_at) if at < wakes_at => self.clock.changed.notify_one(),
            Some(_) => {}
        }
    }

    fn start(&self) {
        let (clock, lanes, grace) = (Arc::clone(&self.clock), self.lanes.clone(), self.grace);
        let spawned = std::thread::Builder::new()
            .name("pegboard-clock".to_owned())
            .spawn(move || {
                while let Some(due) = clock.wait() {
                    let Some(lanes) = lanes.upgrade() else { return };
                    for entry in due {
                        expire(&lanes, entry, grace);
                    }
                }
            });
        if let Err(error) = spawned {
            tracing::error!(%error, "cannot make the thread that watches time; calls have no timeout");
        }
    }
}

impl Clock {
    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sleeps until calls are due; `None` when the watch is closed.
    fn wait(&self) -> Option<Vec<Entry>> {
        let mut entries = self.lock();
        loop {
            if entries.closed {
                return None;
            }
            let now = Instant::now();
            let mut due = Vec::new();
            while entries.calls.first_key_value().is_some_and(|((at, _), _)| *at <= now) {
                due.extend(entries.calls.pop_first().map(|(_, entry)| entry));
            }
            if !due.is_empty() {
                return Some(due);
            }
            // With nothing to wait for it still has to wake when something comes, so it looks again now and then.
            let idle = now + Duration::from_secs(3600);
            let wakes_at = entries.calls.first_key_value().map_or(idle, |((at, _), _)| *at);
            entries.wakes_at = Some(wakes_at);
            let slept = self
                .changed
                .wait_timeout(entries, wakes_at.saturating_duration_since(now));
            entries = slept.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Asks the tool of a due call to stop, or answers in its place if it was asked before.
fn expire(lanes: &Arc<Lanes>, entry: Entry, grace: Duration) {
    let state = entry.state;
    if entry.asked {
        let phase = state.phase();
        if phase == Phase::OnThread {
            // Before the answer: whoever has it is told the truth when he asks for the next call.
            lanes.give_up(&state);
        }
        if phase != Phase::Done {
            state.finish(state.timed_out(true).into());
        }
        return;
    }
    match state.phase() {
        Phase::Done => {}
        Phase::Waiting => {
            state.request_stop(StopReason::TimedOut);
            state.finish(state.timed_out(false).into());
        }
        phase @ (Phase::OnThread | Phase::OnLoop) => {
            lanes.stop(&state, StopReason::TimedOut);
            let grace = if phase == Phase::OnThread {
                INTERRUPT_GRACE
            } else {
                grace
            };
            lanes.watch_again(Instant::now() + grace, state);
        }
    }
}
