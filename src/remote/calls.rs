//! Owns which calls a server is at, and which of them progress and output belong to.
//!
//! Progress names its call. Log messages and standard error do not: they belong to a call only while it is the only one.

use crate::model::{LogBuffer, LogLine, LogStream, Progress, ProgressSink};
use rmcp::model::ProgressToken;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The calls that a server is at.
#[derive(Default)]
pub struct Calls(Mutex<HashMap<ProgressToken, Arc<Watched>>>);

/// What is heard of one call.
pub struct Watched {
    logs: Mutex<LogBuffer>,
    progress: Option<ProgressSink>,
}

/// A call that the server is at, until this is dropped.
pub struct Running<'a> {
    calls: &'a Calls,
    token: ProgressToken,
    watched: Arc<Watched>,
}

impl Calls {
    /// Begins to listen for a call.
    pub fn begin(&self, token: ProgressToken, log_bytes: usize, progress: Option<ProgressSink>) -> Running<'_> {
        let watched = Arc::new(Watched {
            logs: Mutex::new(LogBuffer::new(log_bytes)),
            progress,
        });
        lock(&self.0).insert(token.clone(), Arc::clone(&watched));
        Running {
            calls: self,
            token,
            watched,
        }
    }

    /// Passes on how far a call has come; a call that is over is not told.
    pub fn progress(&self, token: &ProgressToken, progress: &Progress) {
        let watched = lock(&self.0).get(token).cloned();
        if let Some(sink) = watched.as_ref().and_then(|watched| watched.progress.as_ref()) {
            sink(progress);
        }
    }

    /// Passes on what the server wrote, if it can only belong to one call.
    pub fn write(&self, stream: LogStream, text: &str) {
        let running = lock(&self.0);
        let mut watched = running.values();
        if let (Some(only), None) = (watched.next(), watched.next()) {
            lock(&only.logs).write(stream, text);
        }
    }
}

impl Running<'_> {
    /// What was heard.
    pub fn logs(&self) -> Vec<LogLine> {
        lock(&self.watched.logs).take()
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        lock(&self.calls.0).remove(&self.token);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A sink is never called under a lock, so nothing can leave one half changed.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
