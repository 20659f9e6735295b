//! Owns changes to JSON arguments at a place that a pointer names.
//!
//! Must not decide what is changed: that is `repair.rs`'s.

use super::pointer;
use serde_json::{Map, Value};

/// A change at one place.
pub(crate) enum Edit {
    /// Another value stands there.
    Replace(Value),
    /// Nothing stands there any more.
    Remove,
    /// The same value stands under another name, at the same position.
    Rename(String),
}

impl Edit {
    /// Makes the change; false if the place does not exist.
    pub(crate) fn apply(self, arguments: &mut Value, pointer: &str) -> bool {
        match self {
            Self::Replace(new) => arguments.pointer_mut(pointer).map(|value| *value = new).is_some(),
            Self::Remove => with_parent(arguments, pointer, |object, name| object.shift_remove(name).is_some()),
            Self::Rename(new) => with_parent(arguments, pointer, |object, name| {
                *object = std::mem::take(object)
                    .into_iter()
                    .map(|(key, value)| {
                        if key == name {
                            (new.clone(), value)
                        } else {
                            (key, value)
                        }
                    })
                    .collect();
                true
            }),
        }
    }
}

fn with_parent(
    arguments: &mut Value,
    pointer: &str,
    change: impl FnOnce(&mut Map<String, Value>, &str) -> bool,
) -> bool {
    pointer::split_last(pointer)
        .and_then(|(parent, name)| Some(change(arguments.pointer_mut(parent)?.as_object_mut()?, &name)))
        .unwrap_or(false)
}
