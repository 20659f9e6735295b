//! Owns what a host knows of its sources at one moment: the catalog, and what was found while it was made.
//!
//! Never changes; a reload makes another one and puts it in the place of this one as a whole.

use super::catalog::{Catalog, Entry};
use super::health::CapabilityHealth;
use crate::diagnostic::Diagnostic;
use arc_swap::ArcSwap;
use std::sync::Arc;
use tokio::sync::watch;

/// What a host knows at one moment.
pub struct State {
    /// The tools.
    pub catalog: Catalog,
    /// Everything that was found.
    pub diagnostics: Arc<[Diagnostic]>,
    /// How each capability is.
    pub health: Arc<[CapabilityHealth]>,
}

/// The state that a host has now, and how often what its tools look like has changed.
pub struct CurrentState {
    state: ArcSwap<State>,
    changes: watch::Sender<u64>,
}

impl CurrentState {
    /// The first state of a host.
    pub fn new(state: State) -> Self {
        Self {
            state: ArcSwap::from_pointee(state),
            changes: watch::Sender::new(0),
        }
    }

    /// The state now. Calls go on with the entries that they found in it, whatever comes after it.
    pub fn load(&self) -> arc_swap::Guard<Arc<State>> {
        self.state.load()
    }

    /// The tool of that name.
    ///
    /// # Errors
    /// As [`Catalog::find`].
    pub fn find(&self, name: &str) -> Result<Arc<Entry>, crate::error::Error> {
        self.load().catalog.find(name).map(Arc::clone)
    }

    /// Puts another state in the place of this one, and counts a change if tools are listed differently. Returns the one
    /// that was there.
    pub fn replace(&self, state: State) -> Arc<State> {
        let state = Arc::new(state);
        let before = self.state.swap(Arc::clone(&state));
        if !is_shown_alike(&before.catalog, &state.catalog) {
            self.changes.send_modify(|count| *count += 1);
        }
        before
    }

    /// Tells of every change from now on.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }
}

/// Whether a model is shown the same by both: a tool that only moved within its file is no change.
fn is_shown_alike(before: &Catalog, after: &Catalog) -> bool {
    let (before, after) = (before.definitions(), after.definitions());
    before.len() == after.len()
        && before.iter().zip(after).all(|(before, after)| {
            before.name == after.name
                && before.description == after.description
                && before.parameters_schema == after.parameters_schema
                && before.output_schema == after.output_schema
                && before.flags == after.flags
        })
}
