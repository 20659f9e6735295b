//! Owns the answers to calls that ended in one turn of the event loop, which are sent together.
//!
//! Each answer may wake a sleeping thread, which takes longer than the call: so the first one of a turn wakes it, and the
//! others find it awake. Must not be used for a call that ends alone, whose answer nobody should wait for.

use super::job::Job;
use crate::runner::CallEnd;
use std::mem;
use std::sync::{Mutex, PoisonError};

/// Calls that ended and are not answered yet.
#[derive(Default)]
pub struct Answers(Mutex<Vec<(Job, CallEnd)>>);

impl Answers {
    /// Keeps an answer; whether it is the first since they were sent.
    pub fn add(&self, job: Job, end: CallEnd) -> bool {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push((job, end));
        kept.len() == 1
    }

    /// Sends what is kept.
    pub fn send(&self) {
        // Outside of the lock: the end of a job may let others into its toolset.
        let kept = mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        for (job, end) in kept {
            job.finish(end);
        }
    }
}
