//! Owns the event-loop thread on which every async tool of a runner runs, for the runner's whole life.
//!
//! Submitting takes no interpreter lock: a lock-free queue and a descriptor that the loop watches. Each call is a real
//! `asyncio.Task`; stepping coroutines by hand would break `asyncio.timeout` and `TaskGroup`.

use super::answers::Answers;
use super::call_state::Phase;
use super::context::CallContext;
use super::driver::Driver;
use super::entrance::Entrance;
use super::fork;
use super::heartbeat::{Heartbeat, Watched};
use super::invoke::{self, Step};
use super::job::Job;
use super::order::Order;
use super::presence::{Presence, Threads};
use super::render::render;
use super::runtime::Runtime;
use super::spin;
use super::tasks::Tasks;
use super::waker::Waker;
use crate::diagnostic::Diagnostic;
use crate::error::Error;
use crate::runner::CallEnd;
use crossbeam_queue::SegQueue;
use pyo3::exceptions::{PyKeyboardInterrupt, PySystemExit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::ThreadId;

struct Shared {
    queue: SegQueue<Order>,
    /// Whether the loop was woken and has not looked yet.
    woken: AtomicBool,
    waker: Waker,
    tasks: Arc<Tasks>,
    heartbeat: Arc<Heartbeat>,
    /// Whether the loop is to be left.
    is_over: AtomicBool,
    /// Why there is no loop, if Python could not make one or a tool has closed it.
    broken: OnceLock<String>,
}

impl Shared {
    fn push(&self, order: Order) {
        self.queue.push(order);
        if !self.woken.swap(true, Ordering::AcqRel) {
            self.waker.wake();
        }
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
        let orders = std::iter::from_fn(|| self.queue.pop());
        orders.filter_map(Order::into_job).collect()
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
        let waker = Waker::new().map_err(|error| Error::Internal(format!("cannot make the event loop: {error}")))?;
        let shared = Arc::new(Shared {
            queue: SegQueue::new(),
            woken: AtomicBool::new(false),
            waker,
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
        }
    }
    if let Err(error) = event_loop.call_method0(intern!(py, "close")) {
        tracing::warn!(error = %invoke::internal(&error), "the event loop did not close");
    }
}

fn prepare<'py>(py: Python<'py>, shared: &Arc<Shared>, watching: Presence) -> PyResult<Bound<'py, PyAny>> {
    let asyncio = py.import("asyncio")?;
    let event_loop = asyncio.call_method0("new_event_loop")?;
    asyncio.call_method1("set_event_loop", (&event_loop,))?;
    let options = PyDict::new(py);
    options.set_item("loop", &event_loop)?;
    if py.version_info() >= (3, 12) {
        options.set_item("eager_start", true)?;
    }
    let reader = Bound::new(
        py,
        Reader {
            shared: Arc::clone(shared),
            event_loop: event_loop.clone().unbind(),
            call_soon: event_loop.getattr("call_soon")?.unbind(),
            task: asyncio.getattr("Task")?.unbind(),
            options: options.unbind(),
            answers: Answers::default(),
            tasks: Arc::clone(&shared.tasks),
        },
    )?;
    event_loop.call_method1("add_reader", (shared.waker.descriptor(), reader))?;
    let watched = Watched {
        thread: invoke::thread_identifier(py),
        event_loop: event_loop.clone().unbind(),
        tasks: Arc::clone(&shared.tasks),
    };
    let asked = Arc::clone(shared);
    let ask = move || asked.push(Order::Do(Box::new(|_| ())));
    shared.heartbeat.watch(watched, watching, ask);
    Ok(event_loop)
}

/// What the loop calls when it was woken, and what knows the tasks that run.
#[pyclass(frozen, module = "pegboard._native")]
pub struct Reader {
    shared: Arc<Shared>,
    event_loop: Py<PyAny>,
    call_soon: Py<PyAny>,
    task: Py<PyAny>,
    /// The keywords that tasks are made with; those of one task are put in before it is made.
    options: Py<PyDict>,
    answers: Answers,
    tasks: Arc<Tasks>,
}

#[pymethods]
impl Reader {
    fn __call__(slf: &Bound<'_, Self>) -> PyResult<()> {
        fork::leave_if_child_waits();
        let heartbeat = &slf.get().shared.heartbeat;
        heartbeat.begin_turn();
        let done = Self::take_turn(slf);
        heartbeat.end_turn();
        done
    }
}

impl Reader {
    /// Sends what was answered since the last turn, and does what the queue holds.
    fn take_turn(slf: &Bound<'_, Self>) -> PyResult<()> {
        let this = slf.get();
        if this.shared.woken.load(Ordering::Acquire) {
            this.shared.waker.reset();
            this.shared.woken.store(false, Ordering::Release);
        }
        this.answers.send();
        while let Some(order) = this.shared.queue.pop() {
            match order {
                Order::Begin(job) => Self::begin(slf, job),
                Order::Enter(job) => Self::enter(slf, job),
                Order::RunCoroutine(job, coroutine) => {
                    let coroutine = coroutine.into_bound(slf.py());
                    match CallContext::new(slf.py(), &job) {
                        Ok(context) => Self::start(slf, job, &coroutine, &context),
                        Err(error) => finish_failed(slf.py(), job, error),
                    }
                }
                Order::Cancel(number) => this.tasks.cancel(slf.py(), number)?,
                Order::Do(work) => work(slf),
                Order::Stop => {
                    this.answers.send();
                    this.shared.is_over.store(true, Ordering::Release);
                    this.event_loop.bind(slf.py()).call_method0(intern!(slf.py(), "stop"))?;
                }
            }
        }
        Ok(())
    }

    /// The loop.
    pub fn event_loop<'py>(&self, py: Python<'py>) -> &Bound<'py, PyAny> {
        self.event_loop.bind(py)
    }

    /// The tasks of the calls.
    pub fn tasks(&self) -> &Tasks {
        &self.tasks
    }

    /// Answers a call whose task has come to its end: now, and then waits a moment for the next call, if no other task
    /// could be held up by that; else together with what else ends in this turn of the loop.
    pub fn end(slf: &Py<Self>, py: Python<'_>, mut job: Job, end: CallEnd) {
        let this = slf.get();
        this.tasks.forget(job.state.number);
        if this.tasks.is_empty() {
            // Its objects are let go of before the interpreter lock, and that before whoever waits may want it.
            job.context = None;
            py.detach(|| {
                job.finish(end);
                spin::until(|| !this.shared.queue.is_empty())
            });
            return;
        }
        if this.answers.add(job, end)
            && let Err(error) = this.call_soon.call1(py, (slf,))
        {
            tracing::error!(error = %invoke::internal(&error), "the loop takes no callback");
            this.answers.send();
        }
    }

    /// Enters the toolset of a call's tool; the task is not one of the call's, so cancelling the call leaves it alone.
    fn enter(slf: &Bound<'_, Self>, job: Job) {
        let py = slf.py();
        let entering = job.tool.enter.as_ref().map(|enter| {
            let coroutine = Runtime::get(py)?.finish.bind(py).call1((enter.bind(py).call0()?,))?;
            slf.get()
                .event_loop(py)
                .call_method1(intern!(py, "create_task"), (coroutine,))
        });
        let entrance = match entering {
            Some(Ok(task)) => Bound::new(py, Entrance::new(job)).map(|entrance| (task, entrance)),
            Some(Err(error)) => return finish_failed(py, job, error),
            None => return Self::begin(slf, job),
        };
        let added =
            entrance.and_then(|(task, entrance)| task.call_method1(intern!(py, "add_done_callback"), (entrance,)));
        if let Err(error) = added {
            tracing::error!(error = %invoke::internal(&error), "a toolset could not be entered");
        }
    }

    /// Validates and calls an async tool, which makes its coroutine.
    fn begin(slf: &Bound<'_, Self>, job: Job) {
        let py = slf.py();
        if job.state.is_answered() {
            return;
        }
        let validated = match invoke::validate(py, &job) {
            Ok(validated) => validated,
            Err(end) => return job.finish(end),
        };
        job.state.set_phase(Phase::OnLoop);
        let begun = CallContext::new(py, &job).and_then(|context| {
            let value = invoke::call_in(&job, &validated, &context)?;
            Ok((invoke::settle(py, &job, value, Some(&context))?, context))
        });
        match begun {
            Ok((Step::Coroutine(coroutine), context)) => Self::start(slf, job, &coroutine, &context),
            Ok((Step::Value(value), _)) => {
                let end = render(py, &job, &value);
                job.finish(end);
            }
            Err(error) => finish_failed(py, job, error),
        }
    }

    /// Makes the task that runs a coroutine.
    fn start(slf: &Bound<'_, Self>, job: Job, coroutine: &Bound<'_, PyAny>, context: &CallContext<'_>) {
        let py = slf.py();
        let this = slf.get();
        let state = Arc::clone(&job.state);
        state.set_phase(Phase::OnLoop);
        let options = this.options(py, &job, context);
        let driver = match Bound::new(py, Driver::new(coroutine.clone().unbind(), job, slf.clone().unbind())) {
            Ok(driver) => driver,
            Err(error) => {
                state.finish(CallEnd::Broken(invoke::internal(&error)));
                return;
            }
        };
        let made = options.and_then(|options| this.task.bind(py).call((&driver,), Some(options)));
        let task = match made {
            Ok(task) => task,
            Err(error) => {
                return driver
                    .get()
                    .take_job()
                    .into_iter()
                    .for_each(|job| finish_failed(py, job, error.clone_ref(py)));
            }
        };
        if !driver.get().is_pending() {
            // An eager task's first step runs while it is made.
            return;
        }
        this.tasks.insert(task.unbind(), Arc::clone(&state));
        // A stop that came before there was a task found nothing to cancel.
        if state.stop_reason().is_some()
            && let Err(error) = this.tasks.cancel(py, state.number)
        {
            tracing::warn!(error = %invoke::internal(&error), "a task could not be cancelled");
        }
    }

    fn options<'py>(&self, py: Python<'py>, job: &Job, context: &CallContext<'py>) -> PyResult<&Bound<'py, PyDict>> {
        let options = self.options.bind(py);
        options.set_item(intern!(py, "context"), context.object())?;
        options.set_item(intern!(py, "name"), &job.tool.task_name)?;
        Ok(options)
    }
}

fn finish_failed(py: Python<'_>, job: Job, error: PyErr) {
    let end = invoke::failed(py, &job, error);
    job.finish(end);
}
