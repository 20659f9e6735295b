//! Owns the thread that everything about servers runs on, with a runtime of its own.
//!
//! A host may be built on a runtime that is driven only now and then, or be called from a thread that has none. Servers
//! have to be answered at all times, so nothing here depends on the caller's runtime.

use std::future::Future;
use std::io;
use std::thread::{self, ThreadId};
use tokio::runtime::{Builder, Handle};

/// The thread. It ends with the future that it was made for; what was spawned beside that is dropped.
pub struct Background {
    handle: Handle,
    thread: ThreadId,
}

impl Background {
    /// Starts the thread, which lives until the future ends that `main` makes.
    pub fn start<F>(main: impl FnOnce() -> F + Send + 'static) -> io::Result<Self>
    where
        F: Future<Output = ()> + 'static,
    {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let thread = thread::Builder::new()
            .name("pegboard-remote".to_owned())
            .spawn(move || {
                runtime.block_on(main());
                runtime.shutdown_background();
            })?;
        Ok(Self {
            handle,
            thread: thread.thread().id(),
        })
    }

    /// Runs a future there.
    pub fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        self.handle.spawn(future);
    }

    /// Whether the caller is on that thread, which must never wait for it.
    pub fn is_current(&self) -> bool {
        thread::current().id() == self.thread
    }
}
