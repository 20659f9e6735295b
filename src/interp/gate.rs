//! Owns which calls into one toolset instance may run at the same time.
//!
//! A sync call has the instance to itself; async calls may overlap each other, since they only change hands where they
//! await. Calls enter in the order in which they came. Never blocks a thread: whoever may not enter is kept here.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// How a call wants the instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Alone.
    Exclusive,
    /// Beside others of this kind.
    Shared,
}

/// The order of calls into one toolset instance; `T` is what waits.
pub struct Gate<T> {
    state: Mutex<State<T>>,
}

struct State<T> {
    exclusive: bool,
    shared: usize,
    waiting: VecDeque<(Access, T)>,
}

impl<T> State<T> {
    fn admits(&self, access: Access) -> bool {
        match access {
            Access::Exclusive => !self.exclusive && self.shared == 0,
            Access::Shared => !self.exclusive,
        }
    }

    fn enter(&mut self, access: Access) {
        match access {
            Access::Exclusive => self.exclusive = true,
            Access::Shared => self.shared += 1,
        }
    }
}

impl<T> Gate<T> {
    /// A gate with nobody inside.
    pub fn new() -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::new(State {
                exclusive: false,
                shared: 0,
                waiting: VecDeque::new(),
            }),
        })
    }

    /// Lets `call` in and hands it back, or keeps it until its turn.
    pub fn enter(&self, access: Access, call: T) -> Option<T> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.waiting.is_empty() && state.admits(access) {
            state.enter(access);
            return Some(call);
        }
        state.waiting.push_back((access, call));
        None
    }

    /// Lets in the caller's own thread if nobody would be overtaken.
    pub fn try_enter(&self, access: Access) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let admitted = state.waiting.is_empty() && state.admits(access);
        if admitted {
            state.enter(access);
        }
        admitted
    }

    /// Gives back those that wait.
    pub fn withdraw(&self) -> Vec<T> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.waiting.drain(..).map(|(_, call)| call).collect()
    }

    /// Lets out one that was inside, and hands back those whose turn it is now; they are inside already.
    pub fn leave(&self, access: Access) -> Vec<T> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match access {
            Access::Exclusive => state.exclusive = false,
            Access::Shared => state.shared = state.shared.saturating_sub(1),
        }
        let mut admitted = Vec::new();
        while let Some((next, _)) = state.waiting.front() {
            let next = *next;
            if !state.admits(next) {
                break;
            }
            state.enter(next);
            admitted.extend(state.waiting.pop_front().map(|(_, call)| call));
        }
        admitted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sync_call_is_alone_and_nobody_overtakes() {
        let gate = Gate::new();
        assert_eq!(gate.enter(Access::Shared, 1), Some(1));
        assert_eq!(gate.enter(Access::Shared, 2), Some(2));
        assert_eq!(gate.enter(Access::Exclusive, 3), None);
        assert_eq!(gate.enter(Access::Shared, 4), None, "4 must not overtake 3");
        assert!(!gate.try_enter(Access::Shared));
        assert!(gate.leave(Access::Shared).is_empty());
        assert_eq!(gate.leave(Access::Shared), vec![3]);
        assert_eq!(gate.enter(Access::Shared, 5), None);
        assert_eq!(gate.leave(Access::Exclusive), vec![4, 5]);
        assert_eq!(gate.enter(Access::Exclusive, 6), None);
        assert_eq!(gate.withdraw(), vec![6]);
        assert!(gate.leave(Access::Shared).is_empty());
        assert!(gate.leave(Access::Shared).is_empty(), "6 has gone away");
    }
}
