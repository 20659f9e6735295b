//! Owns the reference by which plain data can name an object that only a runner understands.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// A reference to an object that lives with a runner, such as the exception that a tool raised.
///
/// The runner keeps the object until the last clone is dropped. Everybody else can only pass it on.
#[derive(Clone)]
pub struct Ticket(Arc<dyn Any + Send + Sync>);

impl Ticket {
    /// Wraps what the runner knows the object by.
    #[must_use]
    pub fn new(reference: impl Any + Send + Sync) -> Self {
        Self(Arc::new(reference))
    }

    /// What the runner knows the object by, if that is a `T`.
    #[must_use]
    pub fn reference<T: Any>(&self) -> Option<&T> {
        self.0.downcast_ref()
    }
}

impl fmt::Debug for Ticket {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Ticket")
    }
}
