//! Owns what the event loop's thread is told to do.
//!
//! Must not do it; the loop does.

use super::job::Job;
use super::reader::Reader;
use pyo3::prelude::*;

/// Anything else that the loop's thread can do.
pub type Work = Box<dyn FnOnce(&Bound<'_, Reader>) + Send>;

/// What the loop's thread is told.
pub enum Order {
    /// Call an async tool.
    Begin(Job),
    /// Enter the toolset of a tool, then go on.
    Enter(Job),
    /// Go on with what a sync tool returned.
    RunCoroutine(Job, Py<PyAny>),
    /// Cancel the task of that call.
    Cancel(u64),
    /// Do something else.
    Do(Work),
    /// Leave the loop.
    Stop,
}

impl Order {
    /// The job that is to be begun or gone on with, if it is about one.
    pub fn into_job(self) -> Option<Job> {
        match self {
            Self::Begin(job) | Self::Enter(job) | Self::RunCoroutine(job, _) => Some(job),
            Self::Cancel(_) | Self::Do(_) | Self::Stop => None,
        }
    }
}
