//! Owns how a call ends that gets no answer: its time is over, or nobody wants it any longer.

use crate::model::{Failure, FailureKind};
use crate::runner::Deadline;
use tokio::time::sleep_until;

/// Waits for the moment when a call is over, if there is one.
pub async fn over(deadline: Option<Deadline>) {
    match deadline {
        Some(deadline) => sleep_until(deadline.at.into()).await,
        None => std::future::pending().await,
    }
}

/// The failure of a call that nobody wants any longer.
pub fn cancelled() -> Failure {
    Failure::new(FailureKind::Cancelled, "the call was cancelled")
}

/// The failure of a call that took too long.
pub fn timed_out(deadline: Option<Deadline>) -> Failure {
    let limit = deadline.map_or(0.0, |deadline| deadline.limit.as_secs_f64());
    let message = format!("timed out after {limit} s; the server was told to stop, but may still be at it");
    let mut failure = Failure::new(FailureKind::TimedOut, message);
    failure.still_running = true;
    failure
}
