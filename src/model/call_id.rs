//! Owns the ids of calls: the callers' own, and those that the host makes.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a call is known by. One that the host made is written out only where somebody reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallId {
    /// The caller's own.
    Given(String),
    /// The number of one that the host made.
    Made(u64),
}

impl CallId {
    /// An id for a call whose caller gave none; unique in this process.
    pub fn made() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self::Made(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl From<CallId> for String {
    fn from(id: CallId) -> Self {
        match id {
            CallId::Given(id) => id,
            CallId::Made(number) => ["call-", itoa::Buffer::new().format(number)].concat(),
        }
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Given(id) => formatter.write_str(id),
            Self::Made(number) => write!(formatter, "call-{number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_reads_the_same_everywhere() {
        let given = CallId::Given("toolu_1".to_owned());
        let made = CallId::made();
        assert_ne!(made, CallId::made());
        for id in [given, made] {
            assert_eq!(id.to_string(), String::from(id.clone()));
        }
    }
}
