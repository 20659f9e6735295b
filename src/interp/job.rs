//! Owns one call on its way through the lanes: what is to run, for whom, and its leave to enter a toolset.

use super::call_state::{CallState, Phase};
use super::fork;
use super::gate::{Access, Gate};
use super::handles::ToolHandle;
use super::invoke::Ran;
use super::lanes::{self, Lanes};
use crate::model::Ticket;
use crate::runner::CallEnd;
use std::collections::VecDeque;
use std::sync::Arc;

/// One call on its way.
pub struct Job {
    /// What is known of the call.
    pub state: Arc<CallState>,
    /// What is to run.
    pub tool: Arc<ToolHandle>,
    /// The arguments, as JSON text.
    pub arguments: String,
    /// The caller's context variables, if the caller is Python.
    pub context: Option<Ticket>,
    /// Its leave to enter the toolset; given back when the job ends.
    pub permit: Option<Permit>,
    /// Where it may go on.
    pub lanes: Arc<Lanes>,
}

impl Job {
    /// Goes on from what the tool came to on a thread: answers, or hands the rest to the event loop.
    pub fn conclude(self, ran: Ran) {
        let coroutine = match ran {
            Ran::Ended(end) => return self.finish(end),
            Ran::Coroutine(coroutine) => coroutine,
        };
        let lanes = Arc::clone(&self.lanes);
        match lanes.event_loop() {
            Ok(event_loop) => event_loop.run_coroutine(self, coroutine),
            Err(error) => self.finish(CallEnd::Broken(error)),
        }
    }

    /// Answers the call and lets the next one into the toolset.
    pub fn finish(self, end: CallEnd) {
        fork::leave_if_lost();
        self.state.set_phase(Phase::Done);
        self.lanes.forget(&self.state);
        self.state.finish(end);
    }
}

/// A call's leave to enter a toolset instance; the next ones enter when it is dropped.
pub struct Permit {
    gate: Arc<Gate<Job>>,
    access: Access,
}

impl Permit {
    /// The leave of a call that is inside `gate`.
    pub fn new(gate: Arc<Gate<Job>>, access: Access) -> Self {
        Self { gate, access }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut admitted = VecDeque::from(self.gate.leave(self.access));
        while let Some(mut job) = admitted.pop_front() {
            let access = lanes::access(&job.tool);
            if job.state.is_answered() {
                // Its caller is gone. Leaving here rather than through a permit keeps a long row of them off the stack.
                admitted.extend(self.gate.leave(access));
                continue;
            }
            job.permit = Some(Permit::new(Arc::clone(&self.gate), access));
            let lanes = Arc::clone(&job.lanes);
            lanes.start(job);
        }
    }
}
