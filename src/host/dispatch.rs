//! Owns the one way that every call takes: find, validate (repair, validate again), run, render, shape.
//!
//! The async and the blocking door share every step but the waiting.

use super::catalog::Entry;
use super::settings::Settings;
use super::{Inner, arguments};
use crate::error::{Error, Result};
use crate::model::{
    Call, CallId, CatchPolicy, Failure, Limits, LogLine, Outcome, Problem, ProgressSink, Repair, Structured, Ticket,
    TimeoutPolicy, ToolName,
};
use crate::output::{self, Ended, Facts};
use crate::runner::{BoxFuture, CallEnd, CallRequest, Deadline, Rejection, Rendered, Reply, WaitingCaller};
use futures_util::future::Either;
use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Runs a call and answers it. An answer that may have to go to a file does not hold up whoever polls.
///
/// Written so that the future holds each thing once: thousands of calls may wait at a time.
pub fn call(inner: &Arc<Inner>, call: Call) -> impl Future<Output = Result<Outcome>> + Send {
    let mut pending = match Pending::new(inner, call) {
        Ok(pending) => pending,
        Err(error) => return Either::Left(async move { Err(error) }),
    };
    Either::Right(async move {
        loop {
            let answer = match pending.next_request(inner) {
                Next::Run(request) => pending.entry.runner.call(request),
                Next::Conclude => break,
            };
            let reply = answer.await;
            pending.take(inner, reply)?;
        }
        if pending.is_long(&inner.settings.limits) {
            return conclude_elsewhere(Arc::clone(inner), pending).await;
        }
        pending.conclude(inner)
    })
}

/// Concludes a call on a thread that may be held up, if there is a runtime to have one from.
fn conclude_elsewhere(inner: Arc<Inner>, pending: Pending) -> BoxFuture<'static, Result<Outcome>> {
    Box::pin(async move {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return pending.conclude(&inner);
        };
        let concluded = runtime.spawn_blocking(move || pending.conclude(&inner)).await;
        concluded.unwrap_or_else(|_| Err(Error::Internal("an answer was dropped while it was shaped".to_owned())))
    })
}

/// Runs a call and answers it while this thread waits.
pub fn call_blocking(inner: &Inner, call: Call, caller: &mut dyn WaitingCaller) -> Result<Outcome> {
    let mut pending = Pending::new(inner, call)?;
    loop {
        match pending.next_request(inner) {
            Next::Run(request) => {
                let reply = pending.entry.runner.call_blocking(request, caller);
                pending.take(inner, reply)?;
            }
            Next::Conclude => return pending.conclude(inner),
        }
    }
}

/// What can be told of a call without running its tool.
pub enum Checked {
    /// Its arguments fit, as far as the host itself judges them; they are as its tool would get them.
    Fit { call_id: String, arguments: String },
    /// Its arguments do not fit.
    Refused(Box<Outcome>),
}

/// Checks a call that somebody else runs.
pub fn check(inner: &Inner, call: Call) -> Result<Checked> {
    let mut pending = Pending::new(inner, call)?;
    match pending.next_request(inner) {
        Next::Run(request) => Ok(Checked::Fit {
            call_id: request.call_id.into(),
            arguments: request.arguments,
        }),
        Next::Conclude => pending
            .conclude(inner)
            .map(|outcome| Checked::Refused(Box::new(outcome))),
    }
}

/// The outcome of a call that ended, without what only its way through the runner can tell.
pub fn shaped(inner: &Inner, entry: &Entry, call_id: String, ended: Ended) -> Outcome {
    named(inner, entry, (call_id, entry.definition.name.clone()), ended)
}

/// The same under the call's id and the tool's real name, for whoever has both.
fn named(inner: &Inner, entry: &Entry, (call_id, tool): (String, ToolName), mut ended: Ended) -> Outcome {
    let Settings {
        limits,
        working_directory,
        masker,
    } = &inner.settings;
    if let Ended::Failed(failure) = &mut ended {
        masker.mask_failure(failure);
    }
    let facts = Facts {
        tool: &entry.definition.name,
        call_id: &call_id,
        policy: &entry.policy,
        limits,
        working_directory,
        time_limit: time_limit(entry, limits),
    };
    let shaped = output::shape(ended, &facts);
    Outcome {
        call_id,
        tool,
        text: shaped.text,
        content: shaped.content,
        structured: shaped.structured,
        whole: shaped.whole,
        failure: shaped.failure.map(Box::new),
        stop: shaped.stop,
        repairs: Vec::new(),
        logs: Vec::new(),
        truncated: shaped.truncated,
        offload: shaped.offload,
        duration: Duration::ZERO,
    }
}

/// How long a call of the tool may take.
fn time_limit(entry: &Entry, limits: &Limits) -> Option<Duration> {
    match entry.policy.timeout {
        TimeoutPolicy::Host => limits.timeout,
        TimeoutPolicy::Unlimited => None,
        TimeoutPolicy::Seconds(seconds) => Duration::try_from_secs_f64(seconds).ok(),
    }
}

/// What a call needs next.
enum Next {
    Run(CallRequest),
    Conclude,
}

/// A call between its parts.
struct Pending {
    entry: Arc<Entry>,
    started: Instant,
    /// The tool, as the caller names it.
    tool: ToolName,
    call_id: CallId,
    /// The arguments, while no runner has them.
    arguments: String,
    context: Option<Ticket>,
    progress: Option<ProgressSink>,
    repairs: Vec<Repair>,
    /// Whether the arguments were mended once, which is all that is tried.
    mended: bool,
    reply: Option<Reply>,
}

impl Pending {
    fn new(inner: &Inner, call: Call) -> Result<Self> {
        let entry = inner.state.find(&call.tool)?;
        let call_id = call.id.map_or_else(CallId::made, CallId::Given);
        let arguments = arguments::normalize(call.arguments.into_string(), &entry);
        Ok(Self {
            entry,
            started: Instant::now(),
            tool: call.tool,
            call_id,
            arguments,
            context: call.context,
            progress: call.progress,
            repairs: Vec::new(),
            mended: false,
            reply: None,
        })
    }

    /// Checks the arguments here, mends them once if somebody refused them, and says what to do.
    fn next_request(&mut self, inner: &Inner) -> Next {
        let mut refusal = match self.reply.take() {
            None => {
                let text = mem::take(&mut self.arguments);
                match arguments::check(&text, &self.entry, &inner.settings.limits) {
                    Ok(()) => return Next::Run(self.request(&inner.settings.limits, text)),
                    Err(problems) => Rejection {
                        answer: None,
                        problems,
                        arguments: text,
                    },
                }
            }
            Some(Reply {
                end: CallEnd::InvalidArguments(refusal),
                ..
            }) => refusal,
            Some(reply) => {
                self.reply = Some(reply);
                return Next::Conclude;
            }
        };
        self.arguments = mem::take(&mut refusal.arguments);
        if self.mend(&refusal.problems) {
            return self.next_request(inner);
        }
        self.reply = Some(CallEnd::InvalidArguments(refusal).into());
        Next::Conclude
    }

    fn mend(&mut self, problems: &[Problem]) -> bool {
        if self.mended {
            return false;
        }
        self.mended = true;
        match arguments::mend(&self.arguments, problems, &self.entry) {
            Some((mended, repairs)) => {
                self.arguments = mended;
                self.repairs = repairs;
                true
            }
            None => false,
        }
    }

    fn request(&self, limits: &Limits, arguments: String) -> CallRequest {
        CallRequest {
            tool: self.entry.key,
            call_id: self.call_id.clone(),
            arguments,
            // What is over after the end of time is without limit.
            deadline: time_limit(&self.entry, limits).and_then(|limit| {
                let at = Instant::now().checked_add(limit)?;
                Some(Deadline { at, limit })
            }),
            context: self.context.clone(),
            progress: self.progress.clone(),
        }
    }

    /// Takes what a runner answers. If a reload took the tool away before the call began, the one in its place is called.
    fn take(&mut self, inner: &Inner, reply: Reply) -> Result<()> {
        if let CallEnd::Unloaded(arguments) = reply.end {
            self.entry = inner.state.find(&self.tool)?;
            self.arguments = arguments;
        } else {
            self.reply = Some(reply);
        }
        Ok(())
    }

    /// Whether some of the answer may have to go to a file.
    fn is_long(&self, limits: &Limits) -> bool {
        let Some(Reply { end, .. }) = &self.reply else {
            return false;
        };
        let bytes = match end {
            CallEnd::Returned(Rendered {
                text,
                structured: Structured::Json(json),
                ..
            }) => text.len().max(json.len()),
            // Blocks are long more often than not.
            CallEnd::Returned(rendered) if !rendered.content.is_empty() => return true,
            CallEnd::Returned(Rendered { text, .. }) | CallEnd::Stopped(text) => text.len(),
            CallEnd::Failed(failure) => failure.message.len(),
            CallEnd::InvalidArguments(_) | CallEnd::Aborted(..) | CallEnd::Unloaded(_) | CallEnd::Broken(_) => 0,
        };
        bytes > limits.offload_characters
    }

    fn conclude(mut self, inner: &Inner) -> Result<Outcome> {
        let Some(Reply { end, logs }) = self.reply.take() else {
            return Err(Error::Internal("a call came to its end without an answer".to_owned()));
        };
        let policy = &self.entry.policy;
        let ended = match end {
            CallEnd::Returned(rendered) => Ended::Returned(rendered),
            CallEnd::Stopped(text) => Ended::Stopped(text),
            CallEnd::Failed(failure) => Ended::Failed(*failure),
            CallEnd::InvalidArguments(refusal) => {
                let failure = arguments::failure(refusal, &self.arguments, &self.entry);
                if policy.catch == CatchPolicy::None {
                    return Err(self.aborted(Box::new(failure), None, logs));
                }
                Ended::Failed(failure)
            }
            CallEnd::Aborted(failure, exception) => return Err(self.aborted(failure, exception, logs)),
            CallEnd::Unloaded(_) => return Err(Error::Internal("a call ended before it began".to_owned())),
            CallEnd::Broken(error) => return Err(error),
        };
        // Nearly every call names its tool as the catalog does.
        let tool = if self.tool == self.entry.definition.name {
            self.tool
        } else {
            self.entry.definition.name.clone()
        };
        let mut outcome = named(inner, &self.entry, (self.call_id.into(), tool), ended);
        outcome.repairs = self.repairs;
        outcome.logs = logs;
        outcome.duration = self.started.elapsed();
        Ok(outcome)
    }

    fn aborted(&self, failure: Box<Failure>, exception: Option<Ticket>, logs: Vec<LogLine>) -> Error {
        Error::Aborted {
            tool: self.entry.definition.name.clone(),
            failure,
            exception,
            logs,
        }
    }
}
