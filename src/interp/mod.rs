//! Owns CPython in this process: starting or adopting it, loading tool files into it, and running their tools.
//!
//! The only place where Rust drives Python, and with `bindings/` the only one that may name pyo3. Everything that leaves
//! it is plain Rust data.

mod call_handle;
mod call_state;
mod completion;
mod embedded;
mod environment;
mod event_loop;
mod gate;
pub mod handles;
mod interrupt;
mod invoke;
mod job;
mod lanes;
mod loading;
mod pool;
mod presence;
mod runtime;
mod shutdown;
mod start;
mod status;
#[cfg(not(Py_LIMITED_API))]
mod version;
mod waker;
mod watch;

pub use start::start;
pub use status::{InterpreterStatus, status};

use crate::diagnostic::Diagnostic;
use crate::error::Error;
use crate::model::Limits;
use crate::runner::{BoxFuture, CallEnd, CallRequest, LoadRequest, Loaded, Reply, Runner, ToolKey};
use call_state::{CallState, ReplySender};
use event_loop::EventLoop;
use gate::Access;
use handles::ToolTable;
use invoke::Ran;
use job::{Job, Permit};
use lanes::Lanes;
use pyo3::prelude::*;
use runtime::Runtime;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use tokio::sync::oneshot;

/// How often a waiting thread asks whether to give up.
const INTERRUPTED_INTERVAL: Duration = Duration::from_millis(50);

/// Runs tools in this process's interpreter.
pub struct EmbeddedRunner {
    tools: Arc<ToolTable>,
    lanes: Arc<Lanes>,
    closed: AtomicBool,
}

impl EmbeddedRunner {
    /// A runner in the interpreter that [`start`] started.
    ///
    /// # Errors
    /// [`Error::Interpreter`] if Python's standard streams cannot be watched.
    pub fn new(limits: Limits) -> Result<Self, Error> {
        Python::attach(shutdown::prepare)?;
        Ok(Self {
            tools: Arc::default(),
            lanes: Lanes::new(limits),
            closed: AtomicBool::new(false),
        })
    }

    /// Makes the job of a call, or the reply to one that cannot be made.
    #[expect(clippy::result_large_err, reason = "a reply is moved once, to whoever waits")]
    fn job(&self, request: CallRequest, sender: Option<ReplySender>) -> Result<Job, Reply> {
        let broken = |error| Reply {
            end: CallEnd::Broken(error),
            logs: Vec::new(),
        };
        if self.closed.load(Ordering::Acquire) {
            return Err(broken(Error::Closed));
        }
        let Some(tool) = self.tools.get(request.tool) else {
            return Err(broken(Error::Internal("the runner no longer has the tool".to_owned())));
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

    /// Whether a call may run on the thread that asks for it: nothing has to be able to take it away from there.
    fn runs_on_callers_thread(job: &Job) -> bool {
        !job.tool.asynchronous
            && job.state.deadline.is_none()
            && job.tool.is_entered()
            && Python::attach(|py| {
                matches!(
                    Runtime::get(py).and_then(|runtime| runtime.has_running_loop(py)),
                    Ok(false)
                )
            })
            && job
                .tool
                .gate
                .as_ref()
                .is_none_or(|gate| gate.try_enter(Access::Exclusive))
    }
}

impl Runner for EmbeddedRunner {
    fn load(&self, request: LoadRequest) -> BoxFuture<'_, Result<Loaded, Error>> {
        let tools = Arc::clone(&self.tools);
        let (sender, receiver) = oneshot::channel();
        let spawned = std::thread::Builder::new()
            .name("pegboard-load".to_owned())
            .spawn(move || {
                drop(sender.send(Python::attach(|py| loading::load(py, &request, &tools))));
            });
        Box::pin(async move {
            spawned.map_err(|error| Error::Internal(format!("cannot make the loading thread: {error}")))?;
            receiver
                .await
                .unwrap_or_else(|_| Err(Error::Internal("loading ended without an answer".to_owned())))
        })
    }

    fn call(&self, request: CallRequest) -> BoxFuture<'_, Reply> {
        let (sender, receiver) = oneshot::channel();
        let job = match self.job(request, Some(ReplySender::Future(sender))) {
            Ok(job) => job,
            Err(reply) => return Box::pin(std::future::ready(reply)),
        };
        let guard = CancelOnDrop {
            state: Some(Arc::clone(&job.state)),
            lanes: &self.lanes,
        };
        Box::pin(async move {
            self.lanes.submit(job);
            let reply = receiver.await;
            guard.disarm();
            reply.unwrap_or_else(|_| unanswered())
        })
    }

    fn call_blocking(&self, request: CallRequest, interrupted: &mut dyn FnMut() -> bool) -> Reply {
        let mut job = match self.job(request, None) {
            Ok(job) => job,
            Err(reply) => return reply,
        };
        let state = Arc::clone(&job.state);
        let begun = if Self::runs_on_callers_thread(&job) {
            job.permit = job.tool.gate.clone().map(|gate| Permit::new(gate, Access::Exclusive));
            match Python::attach(|py| invoke::run_on_thread(py, &job)) {
                Ran::Ended(end) => {
                    return Reply {
                        end,
                        logs: state.take_logs(),
                    };
                }
                coroutine @ Ran::Coroutine(_) => Some(coroutine),
            }
        } else if self.lanes.running_event_loop().is_some_and(EventLoop::is_current) {
            let reason = "a tool on the event loop cannot wait for another call; use `await host.call_async(…)`";
            return Reply {
                end: CallEnd::Broken(Error::Internal(reason.to_owned())),
                logs: Vec::new(),
            };
        } else {
            None
        };
        let (sender, receiver) = mpsc::sync_channel(1);
        state.reply_to(ReplySender::Thread(sender));
        match begun {
            Some(coroutine) => job.conclude(coroutine),
            None => self.lanes.submit(job),
        }
        loop {
            match receiver.recv_timeout(INTERRUPTED_INTERVAL) {
                Ok(reply) => return reply,
                Err(RecvTimeoutError::Disconnected) => return unanswered(),
                Err(RecvTimeoutError::Timeout) if interrupted() => {
                    self.lanes.cancel(&state);
                    let failure = state.stopped(call_state::StopReason::Cancelled);
                    return Reply {
                        end: CallEnd::Failed(failure),
                        logs: Vec::new(),
                    };
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn unload(&self, tools: &[ToolKey]) {
        self.tools.remove(tools);
    }

    fn close(&self, grace: Duration) -> BoxFuture<'_, Vec<Diagnostic>> {
        if self.closed.swap(true, Ordering::AcqRel) {
            return Box::pin(std::future::ready(Vec::new()));
        }
        Box::pin(shutdown::close(Arc::clone(&self.lanes), grace))
    }
}

impl Drop for EmbeddedRunner {
    fn drop(&mut self) {
        self.lanes.close();
    }
}

fn unanswered() -> Reply {
    let reason = "a call was dropped without an answer".to_owned();
    Reply {
        end: CallEnd::Broken(Error::Internal(reason)),
        logs: Vec::new(),
    }
}

/// Cancels the call of a future that is dropped before it is answered.
struct CancelOnDrop<'a> {
    state: Option<Arc<CallState>>,
    lanes: &'a Lanes,
}

impl CancelOnDrop<'_> {
    fn disarm(mut self) {
        self.state = None;
    }
}

impl Drop for CancelOnDrop<'_> {
    fn drop(&mut self) {
        if let Some(state) = self.state.take() {
            self.lanes.cancel(&state);
        }
    }
}
