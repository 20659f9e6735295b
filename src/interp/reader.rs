//! Owns the event loop's own side: it takes orders from the queue, and makes and knows the tasks of calls.
//!
//! Everything here runs on the loop's thread, inside the loop.

use super::answers::Answers;
use super::call_state::Phase;
use super::context::CallContext;
use super::driver::Driver;
use super::entrance::Entrance;
use super::event_loop::Shared;
use super::fork;
use super::heartbeat::Lent;
use super::invoke::{self, Step};
use super::job::Job;
use super::order::Order;
use super::render::render;
use super::runtime::Runtime;
use super::spin;
use super::tasks::Tasks;
use crate::runner::CallEnd;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;
use std::sync::atomic::Ordering;

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
    /// What a loop calls when it was woken.
    ///
    /// # Errors
    /// What Python raises.
    pub fn new(shared: &Arc<Shared>, event_loop: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = event_loop.py();
        let options = PyDict::new(py);
        options.set_item("loop", event_loop)?;
        if py.version_info() >= (3, 12) {
            options.set_item("eager_start", true)?;
        }
        Ok(Self {
            shared: Arc::clone(shared),
            event_loop: event_loop.clone().unbind(),
            call_soon: event_loop.getattr("call_soon")?.unbind(),
            task: py.import("asyncio")?.getattr("Task")?.unbind(),
            options: options.unbind(),
            answers: Answers::default(),
            tasks: Arc::clone(&shared.tasks),
        })
    }

    /// Sends what was answered since the last turn, and does what the queue holds.
    fn take_turn(slf: &Bound<'_, Self>) -> PyResult<()> {
        let this = slf.get();
        this.shared.orders.look();
        this.answers.send();
        for order in this.shared.orders.take() {
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
        if this.tasks.forget(job.state.number) {
            // Its objects are let go of before the interpreter lock, and that before whoever waits may want it.
            job.context = None;
            py.detach(|| {
                job.finish(end);
                spin::until(|| !this.shared.orders.is_empty())
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
        job.state.set_phase(Phase::OnLoop);
        let lent = Some(Arc::clone(&job.state));
        match slf.get().hold(py, lent, || call(py, &job)).0 {
            Begun::Coroutine(coroutine, context) => Self::start(slf, job, &coroutine, &context),
            Begun::Ended(end) => job.finish(end),
        }
    }

    /// Runs what is the tool's own, which may hold the loop.
    pub fn hold<T>(&self, py: Python<'_>, state: Lent, work: impl FnOnce() -> T) -> (T, Lent) {
        self.shared.heartbeat.hold(py, state, work)
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

/// What the call of an async tool came to.
enum Begun<'py> {
    Coroutine(Bound<'py, PyAny>, CallContext<'py>),
    Ended(CallEnd),
}

fn call<'py>(py: Python<'py>, job: &Job) -> Begun<'py> {
    let validated = match invoke::validate(py, job) {
        Ok(validated) => validated,
        Err(end) => return Begun::Ended(end),
    };
    let begun = CallContext::new(py, job).and_then(|context| {
        let value = invoke::call_in(job, &validated, &context)?;
        Ok((invoke::settle(py, job, value, Some(&context))?, context))
    });
    match begun {
        Ok((Step::Coroutine(coroutine), context)) => Begun::Coroutine(coroutine, context),
        Ok((Step::Value(value), _)) => Begun::Ended(render(py, job, &value)),
        Err(error) => Begun::Ended(invoke::failed(py, job, error)),
    }
}

fn finish_failed(py: Python<'_>, job: Job, error: PyErr) {
    let end = invoke::failed(py, &job, error);
    job.finish(end);
}
