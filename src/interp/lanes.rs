//! Owns where a call runs: the pool for sync tools, the event loop for async ones, each made on first use.
//!
//! Must not run Python itself; it only hands jobs over.

use super::call_state::{CallState, StopReason};
use super::event_loop::EventLoop;
use super::gate::Access;
use super::handles::ToolHandle;
use super::job::{Job, Permit};
use super::pool::Pool;
use super::presence::{Presence, Threads};
use super::tasks::Tasks;
use super::unanswered;
use super::watch::Watch;
use crate::error::Error;
use crate::model::{Failure, FailureKind, Limits};
use crate::runner::CallEnd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

/// The threads of one runner.
pub struct Lanes {
    pool: Pool,
    watch: Watch,
    event_loop: OnceLock<EventLoop>,
    /// Held while the event loop is made.
    starting: Mutex<()>,
    tasks: Arc<Tasks>,
    is_closing: AtomicBool,
    limits: Limits,
    present: Threads,
}

/// How a tool's calls want its toolset instance.
pub fn access(tool: &ToolHandle) -> Access {
    if tool.asynchronous {
        Access::Shared
    } else {
        Access::Exclusive
    }
}

impl Lanes {
    /// Lanes without any thread yet.
    pub fn new(limits: Limits) -> Arc<Self> {
        let present = Threads::default();
        Arc::new_cyclic(|lanes| Self {
            pool: Pool::new(limits.sync_threads, present.clone()),
            watch: Watch::new(lanes.clone(), limits.grace, present.clone()),
            present: present.clone(),
            event_loop: OnceLock::new(),
            starting: Mutex::new(()),
            tasks: Arc::default(),
            is_closing: AtomicBool::new(false),
            limits,
        })
    }

    /// The bounds that the runner was built with.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Lets a call in as soon as its toolset allows, and watches its time meanwhile.
    pub fn submit(&self, job: Job) {
        if job.state.deadline.is_some() {
            self.watch.add(&job.state);
        }
        let Some(gate) = job.tool.gate.clone() else {
            return self.start(job);
        };
        let access = access(&job.tool);
        if let Some(mut job) = gate.enter(access, job) {
            job.permit = Some(Permit::new(gate, access));
            self.start(job);
        }
    }

    /// Starts a call that may enter its toolset.
    pub fn start(&self, job: Job) {
        if job.state.is_answered() {
            return;
        }
        if self.is_closing.load(Ordering::Acquire) {
            return job.finish(unanswered::not_begun());
        }
        let entered = job.tool.is_entered();
        if job.tool.asynchronous || !entered {
            match self.event_loop() {
                Ok(event_loop) if entered => event_loop.begin(job),
                Ok(event_loop) => event_loop.enter(job),
                Err(error) => job.finish(CallEnd::Broken(error)),
            }
        } else if self.pool.stuck() >= self.limits.stuck_threads {
            let message = format!(
                "{} threads are held by tools that did not stop when their time was over, so sync tools are refused; \
                 restart the host",
                self.pool.stuck()
            );
            job.finish(Failure::new(FailureKind::LimitReached, message).into());
        } else {
            self.pool.run(job);
        }
    }

    /// The event loop, made now if there is none.
    ///
    /// # Errors
    /// What the system said when the loop could not be made.
    pub fn event_loop(&self) -> Result<&EventLoop, Error> {
        let _turn = match self.event_loop.get() {
            Some(event_loop) => return Ok(event_loop),
            None => self.starting.lock().unwrap_or_else(PoisonError::into_inner),
        };
        if let Some(event_loop) = self.event_loop.get() {
            return Ok(event_loop);
        }
        // A loop that could not be made may be made for the next call: the system may have what it needs then.
        let event_loop = EventLoop::start(&self.present, Arc::clone(&self.tasks))?;
        Ok(self.event_loop.get_or_init(|| event_loop))
    }

    /// The event loop, if there is one.
    pub fn running_event_loop(&self) -> Option<&EventLoop> {
        self.event_loop.get()
    }

    /// Counts one more thread that may want the interpreter lock.
    pub fn presence(&self) -> Presence {
        self.present.enter()
    }

    /// No longer watches a call.
    pub fn forget(&self, state: &CallState) {
        if state.deadline.is_some() {
            self.watch.remove(state);
        }
    }

    /// Asks a call to end because its caller is gone.
    pub fn cancel(&self, state: &Arc<CallState>) {
        state.abandon();
        self.stop(state, StopReason::Cancelled);
        self.forget(state);
        self.watch.add_abandoned(state);
    }

    /// Asks the tool of a call to stop, as well as its lane can.
    pub fn stop(&self, state: &Arc<CallState>, reason: StopReason) {
        state.request_stop(reason);
        if let Some(event_loop) = self.running_event_loop() {
            event_loop.cancel(state.number);
        }
        self.watch.interrupt(state);
    }

    /// Comes back at a later moment to a call whose tool was asked to stop.
    pub fn watch_again(&self, at: Instant, state: Arc<CallState>) {
        self.watch.add_asked(at, state);
    }

    /// Gives up the thread of a call that did not stop, and puts another in its place.
    pub fn give_up(&self, state: &CallState) {
        self.pool.give_up(state);
    }

    /// Lets no call begin any more, and gives back those that no thread has begun.
    pub fn refuse(&self) -> Vec<Job> {
        self.is_closing.store(true, Ordering::Release);
        self.pool.withdraw()
    }

    /// The calls that are known to run or to wait.
    pub fn known_calls(&self) -> Vec<Arc<CallState>> {
        [self.watch.calls(), self.pool.running(), self.tasks.calls()].concat()
    }

    /// Asks every sync tool that runs to stop.
    pub fn stop_threads(&self) {
        for state in self.pool.running() {
            state.request_stop(StopReason::Cancelled);
            self.watch.interrupt(&state);
        }
    }

    /// How many threads may still want the interpreter lock, without those that were given up.
    pub fn busy_threads(&self) -> usize {
        self.present.count().saturating_sub(self.pool.stuck())
    }

    /// Ends the lanes' threads as soon as each is idle; a stuck one is left alone.
    pub fn close(&self) {
        self.pool.close();
        self.watch.close();
        if let Some(event_loop) = self.running_event_loop() {
            event_loop.stop();
        }
    }
}
