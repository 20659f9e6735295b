//! Owns running the checks of capabilities while their files are loaded: on threads that know nothing of Python.

use crate::capability::{Capability, CheckOutcome};
use std::thread;
use tokio::sync::oneshot;

/// The checks of capabilities, as they run.
pub struct RunningChecks(Vec<(Capability, oneshot::Receiver<Vec<CheckOutcome>>)>);

impl RunningChecks {
    /// Starts the checks of every capability that has any.
    pub fn start(capabilities: &[Capability]) -> Self {
        let start = |capability: &Capability| {
            let (sender, receiver) = oneshot::channel();
            let running = capability.clone();
            // Where no thread can be had, the sender is dropped, and that is the checks' outcome.
            let _ = thread::Builder::new()
                .name("pegboard-checks".to_owned())
                .spawn(move || drop(sender.send(running.run_checks())));
            (capability.clone(), receiver)
        };
        Self(
            capabilities
                .iter()
                .filter(|capability| !capability.checks.is_empty())
                .map(start)
                .collect(),
        )
    }

    /// Waits for all of them; each capability with its outcomes.
    pub async fn outcomes(self) -> Vec<(Capability, Vec<CheckOutcome>)> {
        let mut all = Vec::with_capacity(self.0.len());
        for (capability, receiver) in self.0 {
            let outcomes = receiver.await.unwrap_or_else(|_| not_run(&capability));
            all.push((capability, outcomes));
        }
        all
    }
}

fn not_run(capability: &Capability) -> Vec<CheckOutcome> {
    let outcome = |name: &String| CheckOutcome {
        name: name.clone(),
        problem: Some("there was no thread to run it on".to_owned()),
    };
    capability.checks.iter().map(|check| outcome(&check.name)).collect()
}
