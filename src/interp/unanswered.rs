//! Owns the answers to calls that are still open when their runner closes: nobody may wait for a host that is gone.
//!
//! Must not ask a tool to stop; closing has done that.

use super::call_state::{CallState, Phase};
use super::job::Job;
use super::lanes::Lanes;
use crate::diagnostic::{Diagnostic, DiagnosticCode, Severity};
use crate::model::{Failure, FailureKind};
use crate::runner::CallEnd;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How a call ends whose tool did not run because the host was closed.
pub fn not_begun() -> CallEnd {
    Failure::new(FailureKind::Cancelled, "the host was closed before the tool ran").into()
}

/// Answers calls that have not begun.
pub fn turn_away(jobs: impl IntoIterator<Item = Job>) {
    for job in jobs {
        job.finish(not_begun());
    }
}

/// Answers every call that is open still, and tells whose tools go on.
pub fn answer(lanes: &Lanes) -> Vec<Diagnostic> {
    let known = lanes.known_calls();
    let open: BTreeMap<u64, Arc<CallState>> = known.into_iter().map(|state| (state.number, state)).collect();
    let left = open.into_values().filter_map(|state| {
        let begun = state.phase() != Phase::Waiting;
        let end = if begun {
            still_running(&state).into()
        } else {
            not_begun()
        };
        (state.finish(end) && begun).then(|| report(&state))
    });
    left.collect()
}

fn still_running(state: &CallState) -> Failure {
    let message = "the host was closed; the tool's code is still running and may still have effects";
    let mut failure = Failure::new(FailureKind::Cancelled, message);
    failure.still_running = true;
    failure.traceback = state.stack();
    failure
}

fn report(state: &CallState) -> Diagnostic {
    let message = format!("the tool {:?} did not stop when the host was closed", state.tool);
    let mut diagnostic = Diagnostic::new(DiagnosticCode::CloseFailed, Severity::Warning, message);
    diagnostic.tools.push(state.tool.to_string());
    diagnostic
}
