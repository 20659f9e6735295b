//! Owns how locks are taken whose owner may have panicked.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Takes a lock whatever became of whoever had it: for values that are replaced whole, which a panic cannot leave half
/// changed.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
