//! Owns a run: a sequence of calls that share limits, keeps their order, and ends when a tool asks for it.

use super::Host;
use super::dispatch::{self, Checked};
use crate::error::{Error, Result};
use crate::model::{Call, CallId, Failure, FailureKind, Outcome, ToolDefinition, ToolTarget};
use crate::output::{self, Ended};
use futures_util::future::join_all;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A sequence of calls with shared limits.
pub struct Run {
    host: Host,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// How many calls of a tool have run or are running.
    made: HashMap<String, u32>,
    /// The tool that asked to end the run.
    stopped_by: Option<String>,
    pending: HashMap<String, PendingCall>,
}

/// A call that the application has to execute, because its tool's target is the client.
#[derive(Debug, Clone)]
pub struct PendingCall {
    /// The call's id, for [`Run::submit`].
    pub call_id: String,
    /// The tool.
    pub tool: Arc<ToolDefinition>,
    /// The arguments as JSON text; they fit the tool's schema.
    pub arguments: String,
}

/// What one call of a run comes to.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly every result is an outcome, which a box would only slow down"
)]
pub enum RunResult {
    /// The host ran it.
    Done(Outcome),
    /// The application has to run it, and hand the result to [`Run::submit`].
    Pending(PendingCall),
}

impl RunResult {
    /// The outcome, unless the application has to make it.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        match self {
            Self::Done(outcome) => Some(outcome),
            Self::Pending(_) => None,
        }
    }
}

/// A call about which the run's limits have decided.
struct Admitted {
    call: Call,
    tool: Arc<ToolDefinition>,
    /// Why it must not run, if it must not.
    refusal: Option<Failure>,
}

/// A call with its place among those that came with it.
type Placed = (usize, Call);

impl Run {
    pub(super) fn new(host: Host) -> Self {
        Self {
            host,
            state: Mutex::default(),
        }
    }

    /// Runs one call.
    ///
    /// # Errors
    /// As [`Host::call`].
    pub async fn call(&self, call: Call) -> Result<RunResult> {
        let admitted = self.admitted(call)?;
        self.answer(admitted).await
    }

    /// Does with a call what was decided about it.
    async fn answer(&self, Admitted { call, tool, refusal }: Admitted) -> Result<RunResult> {
        if let Some(failure) = refusal {
            return self.refused(call, failure).map(RunResult::Done);
        }
        if tool.flags.target == ToolTarget::Client {
            return self.hand_over(call, tool);
        }
        let result = dispatch::call(&self.host.inner, call).await;
        self.settle(&tool, &result);
        result.map(RunResult::Done)
    }

    /// Runs several calls, and answers them in their order.
    ///
    /// Calls run at the same time, but one of a tool with `parallel=False` waits for all before it and holds up all
    /// after it.
    pub async fn call_all(&self, calls: impl IntoIterator<Item = Call>) -> Vec<Result<RunResult>> {
        let mut results = Vec::new();
        let mut together = Vec::new();
        for call in calls {
            let alone = self
                .host
                .tool(&call.tool)
                .is_ok_and(|definition| !definition.flags.parallel);
            if alone {
                results.extend(self.call_together(std::mem::take(&mut together)).await);
                results.push(self.call(call).await);
            } else {
                together.push(call);
            }
        }
        results.extend(self.call_together(together).await);
        results
    }

    /// Runs calls at the same time. A call over its tool's limit waits for the others, since one of them may turn out to
    /// be rejected, and rejected calls do not count.
    async fn call_together(&self, calls: Vec<Call>) -> Vec<Result<RunResult>> {
        let mut results: Vec<Option<Result<RunResult>>> = calls.iter().map(|_| None).collect();
        let mut waiting: Vec<Placed> = calls.into_iter().enumerate().collect();
        while !waiting.is_empty() {
            let (now, later) = self.split_by_limit(waiting);
            waiting = later;
            let (places, now): (Vec<_>, Vec<_>) = now.into_iter().unzip();
            // Decided about all before one of them runs, so that none can end the run for those that came with it.
            let admitted: Vec<_> = now.into_iter().map(|call| self.admitted(call)).collect();
            let done = join_all(admitted.into_iter().map(async |admitted| self.answer(admitted?).await)).await;
            for (place, result) in places.into_iter().zip(done) {
                results[place] = Some(result);
            }
        }
        results.into_iter().flatten().collect()
    }

    /// Decides whether the run's limits allow a call.
    fn admitted(&self, call: Call) -> Result<Admitted> {
        let tool = self.host.tool(&call.tool)?;
        let refusal = self.admit(&tool);
        Ok(Admitted { call, tool, refusal })
    }

    /// The calls that their tools' limits allow now, and those that have to wait; some can always go now.
    fn split_by_limit(&self, calls: Vec<Placed>) -> (Vec<Placed>, Vec<Placed>) {
        let mut left: HashMap<String, u32> = HashMap::new();
        let (mut now, mut later) = (Vec::new(), Vec::new());
        for (place, call) in calls {
            let limited = self
                .host
                .tool(&call.tool)
                .ok()
                .and_then(|definition| Some((definition.name.clone(), definition.flags.max_calls_per_run?)));
            let Some((name, limit)) = limited else {
                now.push((place, call));
                continue;
            };
            let made = self.state().made.get(&name).copied().unwrap_or(0);
            let left = left.entry(name).or_insert_with(|| limit.saturating_sub(made));
            if *left > 0 {
                *left -= 1;
                now.push((place, call));
            } else {
                later.push((place, call));
            }
        }
        if now.is_empty() {
            (later, Vec::new())
        } else {
            (now, later)
        }
    }

    /// Takes the result of a call that the application ran: text for the model.
    ///
    /// # Errors
    /// [`Error::UnknownCall`] if no such call waits.
    pub fn submit(&self, call_id: &str, result: impl Into<String>) -> Result<Outcome> {
        let unknown = || Error::UnknownCall {
            call_id: call_id.to_owned(),
        };
        let tool = self
            .state()
            .pending
            .get(call_id)
            .map(|pending| Arc::clone(&pending.tool));
        // Before it is taken away: a reload may have done so with the tool, and may bring it back.
        let entry = self.host.inner.state.find(&tool.ok_or_else(unknown)?.name)?;
        let pending = self.state().pending.remove(call_id).ok_or_else(unknown)?;
        let rendered = output::text_value(result.into());
        Ok(dispatch::shaped(
            &self.host.inner,
            &entry,
            pending.call_id,
            Ended::Returned(rendered),
        ))
    }

    /// The calls that the application has not answered yet.
    #[must_use]
    pub fn pending(&self) -> Vec<PendingCall> {
        self.state().pending.values().cloned().collect()
    }

    /// The tool that asked to end the run, if one did.
    #[must_use]
    pub fn stopped_by(&self) -> Option<String> {
        self.state().stopped_by.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a call of the tool, or says why there may be none.
    fn admit(&self, definition: &ToolDefinition) -> Option<Failure> {
        let mut state = self.state();
        if let Some(tool) = &state.stopped_by {
            let message = format!("the run is over: the tool {tool:?} ended it");
            return Some(Failure::new(FailureKind::LimitReached, message));
        }
        let made = state.made.entry(definition.name.clone()).or_insert(0);
        if let Some(limit) = definition.flags.max_calls_per_run
            && *made >= limit
        {
            // dendrux's own words, which its records hold us to.
            let message = format!(
                "Tool '{}' has reached its maximum of {limit} calls for this run.",
                definition.name
            );
            return Some(Failure::new(FailureKind::LimitReached, message));
        }
        *made += 1;
        None
    }

    /// Takes back the count of a call whose tool did not run, and notes a wish to stop.
    fn settle(&self, definition: &ToolDefinition, result: &Result<Outcome>) {
        let mut state = self.state();
        let rejected =
            |failure: &Failure| matches!(failure.kind, FailureKind::InvalidJson | FailureKind::InvalidArguments);
        let rejected = match result {
            Ok(outcome) => {
                if outcome.stop {
                    state.stopped_by.get_or_insert_with(|| definition.name.clone());
                }
                outcome.failure.as_deref().is_some_and(rejected)
            }
            Err(Error::Aborted { failure, .. }) => rejected(failure),
            Err(_) => true,
        };
        if rejected && let Some(made) = state.made.get_mut(&definition.name) {
            *made -= 1;
        }
    }

    fn refused(&self, call: Call, failure: Failure) -> Result<Outcome> {
        let entry = self.host.inner.state.find(&call.tool)?;
        let call_id = call.id.unwrap_or_else(|| CallId::made().into());
        Ok(dispatch::shaped(
            &self.host.inner,
            &entry,
            call_id,
            Ended::Failed(failure),
        ))
    }

    fn hand_over(&self, call: Call, tool: Arc<ToolDefinition>) -> Result<RunResult> {
        let refused = match dispatch::check(&self.host.inner, call) {
            Ok(Checked::Fit { call_id, arguments }) => {
                let pending = PendingCall {
                    call_id,
                    tool,
                    arguments,
                };
                self.state().pending.insert(pending.call_id.clone(), pending.clone());
                return Ok(RunResult::Pending(pending));
            }
            Ok(Checked::Refused(outcome)) => Ok(*outcome),
            Err(error) => Err(error),
        };
        self.settle(&tool, &refused);
        refused.map(RunResult::Done)
    }
}
