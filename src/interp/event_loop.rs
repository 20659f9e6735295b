//! Owns the event-loop thread on which every async tool of a runner runs, for the runner's whole life.
//!
//! Submitting takes no interpreter lock: a lock-free queue and a descriptor that the loop watches. Each call is a real
//! `asyncio.Task`; stepping coroutines by hand would break `asyncio.timeout` and `TaskGroup`.

use super::call_state::StopReason;
use super::heartbeat::{Heartbeat, Watched};
use super::inbox::Inbox;
use super::invoke;
use super::job::Job;
use super::order::Order;
use super::presence::{Presence, Threads};
use super::reader::Reader;
use super::tasks::Tasks;
use crate::diagnostic::Diagnostic;
use crate::error::Error;
use crate::runner::CallEnd;
use pyo3::exceptions::{PyKeyboardInterrupt, PySystemExit};
use pyo3::intern;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::ThreadId;
use std::time::Duration;

/// How long is waited before a loop that raised is gone on with.
const RAISED_PAUSE: Duration = Duration::from_millis(50);

/// What the loop and those who give it orders share.
pub struct Shared {
    pub orders: Inbox<Order>,
    pub tasks: Arc<Tasks>,
    pub heartbeat: Arc<Heartbeat>,
    /// Whether the loop is to be left.
    pub is_over: AtomicBool,
    /// Why there is no loop, if Python could not make one or a tool has closed it.
    broken: OnceLock<String>,
}

impl Shared {
    fn push(&self, order: Order) {
        self.orders.push(order);
        if let Some(reason) = self.broken.get() {
            self.refuse(reason);
        }
    }

    /// Answers what is queued for a loop that does not exist.
    fn refuse(&self, reason: &str) {
        for job in self.withdraw() {
            let reason = format!("there is no event loop: {reason}");
            job.finish(CallEnd::Broken(Error::Internal(reason)));
        }
    }

    fn withdraw(&self) -> Vec<Job> {
        self.orders.take().filter_map(Order::into_job).collect()
    }
}

/// The loop's thread, as other threads see it.
pub struct EventLoop {
    shared: Arc<Shared>,
    thread: ThreadId,
}

impl EventLoop {
    /// Makes the loop's thread, without waiting for it: the caller may be attached, which the thread has to be too.
    ///
    /// # Errors
    /// [`Error::Internal`] with what the system said.
    pub fn start(present: &Threads, tasks: Arc<Tasks>) -> Result<Self, Error> {
        let (presence, watching) = (present.enter(), present.enter());
        let orders = Inbox::new().map_err(|error| Error::Internal(format!("cannot make the event loop: {error}")))?;
        let shared = Arc::new(Shared {
            orders,
            tasks,
            heartbeat: Arc::default(),
            is_over: AtomicBool::new(false),
            broken: OnceLock::new(),
        });
        let inner = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("pegboard-loop".to_owned())
            .spawn(move || {
                Python::attach(|py| run(py, &inner, watching));
                drop(presence);
            })
            .map_err(|error| Error::Internal(format!("cannot make the event loop's thread: {error}")))?;
        Ok(Self {
            shared,
            thread: thread.thread().id(),
        })
    }

    /// Whether the caller is on the loop's own thread, which must not wait for itself.
    pub fn is_current(&self) -> bool {
        std::thread::current().id() == self.thread
    }

    /// Calls an async tool.
    pub fn begin(&self, job: Job) {
        self.shared.push(Order::Begin(job));
    }

    /// Enters the toolset of a call's tool, and starts the call after that.
    pub fn enter(&self, job: Job) {
        self.shared.push(Order::Enter(job));
    }

    /// Goes on with a coroutine that a sync tool returned.
    pub fn run_coroutine(&self, job: Job, coroutine: Py<PyAny>) {
        self.shared.push(Order::RunCoroutine(job, coroutine));
    }

    /// Cancels the task of a call, if it has one.
    pub fn cancel(&self, number: u64) {
        self.shared.push(Order::Cancel(number));
        self.shared.heartbeat.hurry();
    }

    /// Asks the call to stop that holds the loop at this moment, if one does.
    pub fn stop_holder(&self) {
        if let Some(state) = self.shared.heartbeat.holder() {
            state.request_stop(StopReason::Cancelled);
            self.shared.heartbeat.hurry();
        }
    }

    /// Runs `work` on the loop's thread.
    pub fn run(&self, work: impl FnOnce(&Bound<'_, Reader>) + Send + 'static) {
        self.shared.push(Order::Do(Box::new(work)));
    }

    /// What was found about the loop while it ran, taken out.
    pub fn take_found(&self) -> Vec<Diagnostic> {
        self.shared.heartbeat.take_found()
    }

    /// Takes back the jobs that are queued, and forgets what else is.
    pub fn withdraw(&self) -> Vec<Job> {
        self.shared.withdraw()
    }

    /// Leaves the loop after what is queued.
    pub fn stop(&self) {
        self.shared.heartbeat.close();
        self.shared.push(Order::Stop);
    }
}

fn run(py: Python<'_>, shared: &Arc<Shared>, watching: Presence) {
    let event_loop = match prepare(py, shared, watching) {
        Ok(event_loop) => event_loop,
        Err(error) => {
            let reason = shared.broken.get_or_init(|| error.to_string());
            return shared.refuse(reason);
        }
    };
    // asyncio lets a task's SystemExit or KeyboardInterrupt out of `run_forever`. The task holds the exception too and its
    // callback is queued, so going back in answers the call and keeps every other one. A tool may also stop the loop.
    while !shared.is_over.load(Ordering::Acquire) {
        let Err(error) = event_loop.call_method0(intern!(py, "run_forever")) else {
            continue;
        };
        let is_closed = event_loop.call_method0(intern!(py, "is_closed"));
        if is_closed.and_then(|is_closed| is_closed.is_truthy()).unwrap_or(true) {
            let reason = shared.broken.get_or_init(|| "a tool has closed it".to_owned());
            return shared.refuse(reason);
        }
        if !error.is_instance_of::<PySystemExit>(py) && !error.is_instance_of::<PyKeyboardInterrupt>(py) {
            tracing::error!(error = %invoke::internal(&error), "the event loop raised; it goes on");
            // It may do so again at once, as without the descriptors that a tool has closed.
            py.detach(|| std::thread::sleep(RAISED_PAUSE));
        }
    }
    // What is asked for later is refused.
    let reason = shared.broken.get_or_init(|| "the host was closed".to_owned());
    shared.refuse(reason);
    if let Err(error) = event_loop.call_method0(intern!(py, "close")) {
        tracing::warn!(error = %invoke::internal(&error), "the event loop did not close");
    }
}

fn prepare<'py>(py: Python<'py>, shared: &Arc<Shared>, watching: Presence) -> PyResult<Bound<'py, PyAny>> {
    py.import("pegboard.runtime.leaving")?.call_method0("keep_thread")?;
    let asyncio = py.import("asyncio")?;
    let event_loop = asyncio.call_method0("new_event_loop")?;
    asyncio.call_method1("set_event_loop", (&event_loop,))?;
    let reader = Bound::new(py, Reader::new(shared, &event_loop)?)?;
    event_loop.call_method1("add_reader", (shared.orders.descriptor(), reader))?;
    let watched = Watched {
        thread: invoke::thread_identifier(py),
        tasks: Arc::clone(&shared.tasks),
    };
    let asked = Arc::clone(shared);
    let ask = move || asked.push(Order::Do(Box::new(|_| ())));
    shared.heartbeat.watch(watched, watching, ask);
    Ok(event_loop)
}
