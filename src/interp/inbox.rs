//! Owns what other threads tell an event loop: a queue that wakes the loop once for all that is in it.
//!
//! Telling takes no lock and no interpreter lock. Must not know what is told.

use super::waker::Waker;
use crossbeam_queue::SegQueue;
use std::io;
use std::iter;
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicBool, Ordering};

/// A queue that one event loop watches.
pub struct Inbox<T> {
    queue: SegQueue<T>,
    /// Whether the loop was woken and has not looked yet.
    is_woken: AtomicBool,
    waker: Waker,
}

impl<T> Inbox<T> {
    /// An empty one.
    ///
    /// # Errors
    /// The system's, such as too many open files.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            queue: SegQueue::new(),
            is_woken: AtomicBool::new(false),
            waker: Waker::new()?,
        })
    }

    /// The descriptor that becomes readable when there is something to look at.
    pub fn descriptor(&self) -> RawFd {
        self.waker.descriptor()
    }

    /// Adds something, and wakes the loop unless it was woken already.
    pub fn push(&self, told: T) {
        self.queue.push(told);
        if !self.is_woken.swap(true, Ordering::AcqRel) {
            self.waker.wake();
        }
    }

    /// Notes that the loop looks now: what is added from here on wakes it again.
    pub fn look(&self) {
        if self.is_woken.load(Ordering::Acquire) {
            self.waker.reset();
            self.is_woken.store(false, Ordering::Release);
        }
    }

    /// Takes out what there is, in the order in which it was added.
    pub fn take(&self) -> impl Iterator<Item = T> {
        iter::from_fn(|| self.queue.pop())
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }
}
