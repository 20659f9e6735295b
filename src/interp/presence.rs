//! Owns the count of a runner's threads that attach.
//!
//! CPython must not be finalised while one of them may still want the interpreter lock: it would be torn down in the
//! middle of its work. So closing waits for them, as far as tools let it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many threads there are.
#[derive(Clone, Default)]
pub struct Threads(Arc<AtomicUsize>);

/// One of them, from before it attaches until after it has let go for good.
pub struct Presence(Arc<AtomicUsize>);

impl Threads {
    /// Counts one more.
    pub fn enter(&self) -> Presence {
        self.0.fetch_add(1, Ordering::AcqRel);
        Presence(Arc::clone(&self.0))
    }

    /// How many there are now.
    pub fn count(&self) -> usize {
        self.0.load(Ordering::Acquire)
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}
