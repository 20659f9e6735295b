//! Owns one call on its way through the lanes: what is to run, for whom, and its leave to enter a toolset.

use super::call_state::CallState;
use super::gate::{Access, Gate};
use super::handles::ToolHandle;
use super::lanes::Lanes;
use crate::model::Ticket;
use crate::runner::CallEnd;
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
    /// Answers the call and lets the next one into the toolset.
    pub fn finish(self, end: CallEnd) {
        self.state.set_phase(super::call_state::Phase::Done);
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
        for mut job in self.gate.leave(self.access) {
            let access = super::lanes::access(&job.tool);
            job.permit = Some(Permit::new(Arc::clone(&self.gate), access));
            let lanes = Arc::clone(&job.lanes);
            lanes.start(job);
        }
    }
}
