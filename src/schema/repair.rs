//! Owns the mending of arguments that a validator refused, where the schema cannot mean the value as it was sent.
//!
//! Only places that a problem names are touched, and each at most once; the caller validates the whole call again, and
//! checks its limits again, because text inside a string was not counted as depth. Must not guess: a near name or a
//! text that could be meant as text stays as it is.

use super::integral::{self, Integral};
use super::place::{self, Kind, Place};
use super::wire_name::NameRule;
use super::{pointer, problem};
use crate::model::{Problem, Repair, RepairRule};
use serde_json::{Map, Number, Value};

/// What the host knows about a tool's arguments beside the schema.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RepairOptions<'o> {
    /// Undeclared keys that are removed although they do not start with an underscore.
    pub(crate) ignored_keys: &'o [String],
    /// Parameters that are declared under an alias: the name in Python and the alias in the schema.
    pub(crate) aliases: &'o [(String, String)],
}

/// The arguments with every repairable problem mended, and what was done; `None` when nothing can be.
pub(crate) fn repair(
    arguments: &str,
    problems: &[Problem],
    schema: &Value,
    options: RepairOptions<'_>,
) -> Option<(String, Vec<Repair>)> {
    let mut mended: Value = serde_json::from_str(arguments).ok()?;
    let mut repairs: Vec<Repair> = Vec::new();
    for problem in problems {
        let pointer = place::in_arguments(&mended, &problem.pointer, false);
        if repairs.iter().any(|repair| repair.pointer == pointer) {
            continue;
        }
        let edit = if problem::is_unknown_name(&problem.code) {
            mend_name(&mended, &pointer, schema, options)
        } else {
            mend_value(&mended, &pointer, schema)
        };
        if let Some((rule, edit)) = edit
            && edit.apply(&mut mended, &pointer)
        {
            repairs.push(Repair { pointer, rule });
        }
    }
    (!repairs.is_empty()).then(|| (mended.to_string(), repairs))
}

enum Edit {
    Replace(Value),
    Remove,
    Rename(String),
}

impl Edit {
    fn apply(self, arguments: &mut Value, pointer: &str) -> bool {
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

fn mend_name(
    arguments: &Value,
    pointer: &str,
    schema: &Value,
    options: RepairOptions<'_>,
) -> Option<(RepairRule, Edit)> {
    let (parent, name) = pointer::split_last(pointer)?;
    let given = arguments.pointer(parent)?.as_object()?;
    let place = Place::at(schema, parent);
    if !given.contains_key(name.as_ref()) || place.declares(&name) {
        return None;
    }
    let alias = place.names().into_iter().find(|declared| {
        let is_alias = parent.is_empty()
            && options
                .aliases
                .iter()
                .any(|(of, alias)| *of == name && alias == declared);
        // A provider that does not accept the declared name was sent this one in its stead.
        let is_rewritten = |rule: NameRule| rule.rewrite(declared) == name;
        is_alias || is_rewritten(NameRule::PARAMETER) || is_rewritten(NameRule::IDENTIFIER)
    });
    if let Some(alias) = alias.filter(|alias| !given.contains_key(*alias)) {
        return Some((RepairRule::NameForAlias, Edit::Rename(alias.to_owned())));
    }
    let ignored = name.starts_with('_') || options.ignored_keys.iter().any(|key| *key == name);
    ignored.then_some((RepairRule::ExtraKey, Edit::Remove))
}

fn mend_value(arguments: &Value, pointer: &str, schema: &Value) -> Option<(RepairRule, Edit)> {
    let place = Place::at(schema, pointer);
    match arguments.pointer(pointer)? {
        Value::String(text) if !place.admits(Kind::String) => mend_text(text, &place),
        Value::Null if !place.admits(Kind::Null) => {
            let (parent, name) = pointer::split_last(pointer)?;
            (arguments.pointer(parent)?.is_object() && Place::at(schema, parent).may_omit(&name))
                .then_some((RepairRule::NullAsAbsent, Edit::Remove))
        }
        Value::Number(number) if place.admits(Kind::Integer) && !place.admits(Kind::Number) => {
            match integral::read(number.as_str()) {
                Integral::Exact(integer) if integer != number.as_str() => {
                    let integer: Number = integer.parse().ok()?;
                    Some((RepairRule::IntegralFloat, Edit::Replace(Value::Number(integer))))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Text where no text is meant: a word for null, or JSON that was put in quotes.
fn mend_text(text: &str, place: &Place<'_>) -> Option<(RepairRule, Edit)> {
    if matches!(text, "null" | "None") {
        return place
            .admits(Kind::Null)
            .then_some((RepairRule::NullWord, Edit::Replace(Value::Null)));
    }
    // Most texts are no JSON: the first character tells.
    if !text.trim_start().starts_with(['[', '{']) {
        return None;
    }
    let value: Value = serde_json::from_str(text).ok()?;
    place
        .admits(Kind::of(&value))
        .then_some((RepairRule::JsonString, Edit::Replace(value)))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;
