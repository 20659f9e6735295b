//! Owns the notes on one tool while it is being described, and where in its schema the work stands.

use crate::model::{ExportChange, ExportNote};
use crate::schema::pointer;

/// The notes on one tool.
#[derive(Debug)]
pub(super) struct Notes<'t> {
    tool: &'t str,
    pointer: String,
    made: Vec<ExportNote>,
}

impl<'t> Notes<'t> {
    /// No notes on a tool.
    pub(super) const fn new(tool: &'t str) -> Self {
        Self {
            tool,
            pointer: String::new(),
            made: Vec::new(),
        }
    }

    /// The notes, in the order in which they were made.
    pub(super) fn into_inner(self) -> Vec<ExportNote> {
        self.made
    }

    /// Adds the notes that were made while something was tried.
    pub(super) fn append(&mut self, tried: Notes<'_>) {
        self.made.extend(tried.made);
    }

    /// The place where the work stands.
    pub(super) fn here(&self) -> &str {
        &self.pointer
    }

    /// Goes down to a place; the answer leads [`leave`](Self::leave) back.
    pub(super) fn enter(&mut self, segments: &[&str]) -> usize {
        let outside = self.pointer.len();
        for segment in segments {
            pointer::push(&mut self.pointer, segment);
        }
        outside
    }

    /// Goes back up.
    pub(super) fn leave(&mut self, outside: usize) {
        self.pointer.truncate(outside);
    }

    /// A rule became a sentence of the description.
    pub(super) fn moved(&mut self, keyword: &str) {
        self.add(keyword, ExportChange::Moved, |place| {
            format!("{place} moved into the description")
        });
    }

    /// A rule was written differently.
    pub(super) fn replaced(&mut self, keyword: &str, by: &str) {
        self.add(keyword, ExportChange::Replaced, |place| {
            format!("{place} written as {by}")
        });
    }

    /// Something was left out.
    pub(super) fn dropped(&mut self, keyword: &str) {
        self.add(keyword, ExportChange::Dropped, |place| {
            format!("{place} dropped, because it is not accepted there")
        });
    }

    /// Something about a place, or about the whole tool, in its own words.
    pub(super) fn say(&mut self, change: ExportChange, place: &str, reason: String) {
        self.made.push(ExportNote {
            tool: self.tool.to_owned(),
            pointer: place.to_owned(),
            change,
            reason,
        });
    }

    /// Something about the place where the work stands.
    pub(super) fn say_here(&mut self, change: ExportChange, reason: String) {
        let place = self.pointer.clone();
        self.say(change, &place, reason);
    }

    fn add(&mut self, keyword: &str, change: ExportChange, reason: impl FnOnce(&str) -> String) {
        let place = pointer::join(&self.pointer, keyword);
        let reason = reason(&place);
        self.say(change, &place, reason);
    }
}
