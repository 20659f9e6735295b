//! Owns CPython in this process: starting or adopting it, loading tool files into it, and running their tools.
//!
//! The only place where Rust drives Python, and with `bindings/` the only one that may name pyo3. Everything that leaves
//! it is plain Rust data.

mod answers;
mod call_handle;
mod call_state;
mod context;
mod driver;
mod embedded;
mod entrance;
mod environment;
mod event_loop;
pub mod fork;
mod gate;
pub mod handles;
mod heartbeat;
pub mod inbox;
mod interrupt;
mod invoke;
mod job;
mod json;
mod lanes;
mod loading;
mod lock;
mod order;
mod pool;
mod presence;
mod reader;
mod render;
mod runtime;
mod shutdown;
pub mod spin;
mod start;
mod status;
mod tasks;
mod unanswered;
mod unloading;
#[cfg(not(Py_LIMITED_API))]
mod version;
mod waker;
mod watch;

pub use start::start;
pub use status::{InterpreterStatus, status};

use crate::diagnostic::Diagnostic;
use crate::error::Error;
use crate::model::Limits;
use crate::runner::{BoxFuture, CallEnd, CallRequest, LoadRequest, Loaded, Reply, Runner, ToolKey, WaitingCaller};
use call_state::{CallState, ReplySender};
use event_loop::EventLoop;
use gate::Access;
use handles::ToolTable;
use invoke::Ran;
use job::{Job, Permit};
use lanes::Lanes;
use pyo3::prelude::*;
use runtime::Runtime;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use tokio::sync::oneshot;

/// How often a waiting thread asks whether to give up.
const INTERRUPTED_INTERVAL: Duration = Duration::from_millis(50);

/// Runs tools in this process's interpreter.
pub struct EmbeddedRunner {
    tools: Arc<ToolTable>,
    lanes: Arc<Lanes>,
    /// How many futures wait for an answer.
    awaited: AtomicUsize,
    closed: Arc<AtomicBool>,
}

impl EmbeddedRunner {
    /// A runner in the interpreter that [`start`] started.
    ///
    /// # Errors
    /// [`Error::Interpreter`] if Python's standard streams cannot be watched.
    pub fn new(limits: Limits) -> Result<Self, Error> {
        fork::refuse_child()?;
        Python::attach(shutdown::prepare)?;
        Ok(Self {
            tools: Arc::default(),
            lanes: Lanes::new(limits),
            awaited: AtomicUsize::new(0),
            closed: Arc::default(),
        })
    }

    /// Does what may take as long as the code of a tool file likes, on a thread of its own.
    fn on_loading_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce(Python<'_>) -> Result<T, Error> + Send + 'static,
    ) -> BoxFuture<'_, Result<T, Error>> {
        if self.closed.load(Ordering::Acquire) {
            return Box::pin(std::future::ready(Err(Error::Closed)));
        }
        let (sender, receiver) = oneshot::channel();
        let spawned = std::thread::Builder::new()
            .name("pegboard-load".to_owned())
            .spawn(move || {
                drop(sender.send(Python::attach(work)));
            });
        Box::pin(async move {
            spawned.map_err(|error| Error::Internal(format!("cannot make the loading thread: {error}")))?;
            receiver
                .await
                .unwrap_or_else(|_| Err(Error::Internal("loading ended without an answer".to_owned())))
        })
    }

    /// Makes the job of a call, or the reply to one that cannot be made.
    fn job(&self, request: CallRequest, sender: Option<ReplySender>) -> Result<Job, Reply> {
        let broken = |error| Reply::from(CallEnd::Broken(error));
        if self.closed.load(Ordering::Acquire) {
            return Err(broken(Error::Closed));
        }
        fork::refuse_child().map_err(broken)?;
        let Some(tool) = self.tools.get(request.tool) else {
            return Err(CallEnd::Unloaded(request.arguments).into());
        };
        let log_bytes = self.lanes.limits().log_bytes;
        let name = Arc::clone(&tool.name);
        let state = CallState::new(
            request.call_id,
            name,
            request.deadline,
            log_bytes,
            request.progress,
            sender,
        );
        Ok(Job {
            state,
            tool,
            arguments: request.arguments,
            context: request.context,
            permit: None,
            lanes: Arc::clone(&self.lanes),
        })
    }

    /// Runs a sync tool's call on the thread that asks for it, if nothing has to be able to take it away from there.
    fn run_here(job: &mut Job) -> Option<Ran> {
        if job.tool.asynchronous || job.state.deadline.is_some() || !job.tool.is_entered() {
            return None;
        }
        Python::attach(|py| {
            if Runtime::get(py)
                .and_then(|runtime| runtime.has_running_loop(py))
                .unwrap_or(true)
            {
                return None;
            }
            if let Some(gate) = &job.tool.gate {
                if !gate.try_enter(Access::Exclusive) {
                    return None;
                }
                job.permit = Some(Permit::new(Arc::clone(gate), Access::Exclusive));
            }
            Some(invoke::run_on_thread(py, job))
        })
    }
}

impl Runner for EmbeddedRunner {
    fn load(&self, request: LoadRequest) -> BoxFuture<'_, Result<Loaded, Error>> {
        let tools = Arc::clone(&self.tools);
        self.on_loading_thread(move |py| loading::load(py, &request, &tools))
    }

    fn modules(&self, roots: Vec<PathBuf>) -> BoxFuture<'_, Result<Vec<Vec<PathBuf>>, Error>> {
        self.on_loading_thread(move |py| loading::modules(py, &roots))
    }

    fn call(&self, request: CallRequest) -> BoxFuture<'_, Reply> {
        let (sender, receiver) = oneshot::channel();
        let job = match self.job(request, Some(ReplySender::Future(sender))) {
            Ok(job) => job,
            Err(reply) => return Box::pin(std::future::ready(reply)),
        };
        let alone = self.awaited.fetch_add(1, Ordering::AcqRel) == 0;
        let waiting = Awaited {
            state: Some(Arc::clone(&job.state)),
            runner: self,
        };
        // Before the future is made, which need not hold the job then: ten thousand may wait at a time.
        self.lanes.submit(job);
        Box::pin(async move {
            if alone {
                spin::until(|| !receiver.is_empty());
            }
            let reply = receiver.await;
            waiting.answered();
            reply.unwrap_or_else(|_| unanswered())
        })
    }

    fn call_blocking(&self, request: CallRequest, caller: &mut dyn WaitingCaller) -> Reply {
        let mut job = match self.job(request, None) {
            Ok(job) => job,
            Err(reply) => return reply,
        };
        let begun = match Self::run_here(&mut job) {
            Some(Ran::Ended(end)) => {
                return Reply {
                    end,
                    logs: job.state.take_logs(),
                };
            }
            None if self.lanes.running_event_loop().is_some_and(EventLoop::is_current) => {
                let reason = "a tool on the event loop cannot wait for another call; use `await host.call_async(…)`";
                return CallEnd::Broken(Error::Internal(reason.to_owned())).into();
            }
            begun => begun,
        };
        let state = Arc::clone(&job.state);
        let (sender, mut receiver) = mpsc::sync_channel(1);
        state.reply_to(ReplySender::Thread(sender));
        if job.context.is_none() {
            job.context = context::of_this_thread();
        }
        match begun {
            Some(coroutine) => job.conclude(coroutine),
            None => self.lanes.submit(job),
        }
        loop {
            let mut answer = Err(RecvTimeoutError::Timeout);
            caller.wait(&mut || answer = wait(&mut receiver));
            match answer {
                Ok(reply) => return reply,
                Err(RecvTimeoutError::Disconnected) => return unanswered(),
                Err(RecvTimeoutError::Timeout) if caller.gives_up() => {
                    self.lanes.cancel(&state);
                    let failure = state.stopped(call_state::StopReason::Cancelled);
                    return CallEnd::from(failure).into();
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn unload(&self, tools: &[ToolKey]) {
        unloading::leave(self.tools.remove(tools), &self.lanes, &self.closed);
    }

    fn close(&self, grace: Duration) -> BoxFuture<'_, Vec<Diagnostic>> {
        // A forked process has none of the threads that would have to end.
        if self.closed.swap(true, Ordering::AcqRel) || fork::is_child() {
            return Box::pin(std::future::ready(Vec::new()));
        }
        Box::pin(shutdown::close(Arc::clone(&self.lanes), Arc::clone(&self.tools), grace))
    }
}

impl Drop for EmbeddedRunner {
    fn drop(&mut self) {
        self.lanes.close();
    }
}

/// Waits for an answer until the caller has to be asked whether it gives up.
fn wait(receiver: &mut mpsc::Receiver<Reply>) -> Result<Reply, RecvTimeoutError> {
    let mut answer = None;
    spin::until(|| {
        answer = receiver.try_recv().ok();
        answer.is_some()
    });
    answer.map_or_else(|| receiver.recv_timeout(INTERRUPTED_INTERVAL), Ok)
}

fn unanswered() -> Reply {
    let reason = "a call was dropped without an answer".to_owned();
    CallEnd::Broken(Error::Internal(reason)).into()
}

/// A future that waits for an answer. Dropped before that, it cancels the call.
struct Awaited<'a> {
    state: Option<Arc<CallState>>,
    runner: &'a EmbeddedRunner,
}

impl Awaited<'_> {
    fn answered(mut self) {
        self.state = None;
    }
}

impl Drop for Awaited<'_> {
    fn drop(&mut self) {
        self.runner.awaited.fetch_sub(1, Ordering::AcqRel);
        if let Some(state) = self.state.take() {
            self.runner.lanes.cancel(&state);
        }
    }
}
