//! Owns a capability's flags: switches that the author declares and the owner turns, in four layers.
//!
//! From the weakest: the author's default, a choice that was kept, a variable, a choice for this run.

use super::manifest::Reading;
use super::surroundings::Surroundings;
use super::yaml::{Node, Value};
use crate::error::Error;
use serde::Serialize;
use std::collections::{HashMap, HashSet};

const MOST_FLAGS: usize = 16;
/// What a variable that turns a flag begins with.
const OVERRIDE_PREFIX: &str = "DREADNODE_CAPABILITY_FLAG";
/// What the variable begins with that tells tool files how a flag stands.
const RESULT_PREFIX: &str = "CAPABILITY_FLAG";

/// A flag as its author declares it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FlagDeclaration {
    /// Its name, in lower case with dashes.
    pub name: String,
    /// What it does.
    pub description: String,
    /// How it stands if nobody turns it.
    pub default: bool,
}

/// A flag as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Flag {
    /// What its author declares.
    #[serde(flatten)]
    pub declaration: FlagDeclaration,
    /// Whether it is on.
    pub is_on: bool,
    /// Who decided that.
    pub layer: FlagLayer,
}

/// Who decided how a flag stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FlagLayer {
    /// Its author.
    Default,
    /// A choice that was kept.
    Kept,
    /// An environment variable.
    Variable,
    /// A choice for this run.
    Run,
}

/// Choices by capability and flag.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FlagChoices(HashMap<(String, String), bool>);

impl FlagChoices {
    /// Turns a flag of a capability.
    pub fn set(&mut self, capability: impl Into<String>, flag: impl Into<String>, is_on: bool) {
        self.0.insert((capability.into(), flag.into()), is_on);
    }

    /// Takes a choice in the form `capability.flag=true`.
    ///
    /// # Errors
    ///
    /// [`Error::Setting`] if the text has another form.
    pub fn parse(&mut self, text: &str) -> Result<(), Error> {
        let choice = text.split_once('=').and_then(|(place, value)| {
            let (capability, flag) = place.split_once('.')?;
            let is_named = !capability.is_empty() && !flag.is_empty() && !flag.contains('.');
            Some((capability, flag, switch(value)?)).filter(|_| is_named)
        });
        match choice {
            Some((capability, flag, is_on)) => {
                self.set(capability, flag, is_on);
                Ok(())
            }
            None => Err(Error::Setting {
                setting: "capability_flag",
                reason: format!("{text:?} has not the form CAPABILITY.FLAG=true or CAPABILITY.FLAG=false"),
            }),
        }
    }

    /// Every choice that names none of these flags, in order: each a capability and a flag.
    pub(super) fn without(&self, known: &HashSet<(String, String)>) -> Vec<&(String, String)> {
        let mut unknown: Vec<_> = self.0.keys().filter(|place| !known.contains(*place)).collect();
        unknown.sort();
        unknown
    }

    fn get(&self, capability: &str, flag: &str) -> Option<bool> {
        self.0.get(&(capability.to_owned(), flag.to_owned())).copied()
    }
}

/// Reads the declarations; a faulty one costs itself.
pub(super) fn read(node: Option<&Node>, reading: &mut Reading<'_>) -> Vec<FlagDeclaration> {
    let Some(node) = node else { return Vec::new() };
    let Some(members) = node.map() else {
        reading.fault(node.line, format!("'flags' is {}, not a mapping", node.kind()));
        return Vec::new();
    };
    if members.len() > MOST_FLAGS {
        let message = format!("there are {} flags, {MOST_FLAGS} are allowed", members.len());
        reading.fault(node.line, message);
        return Vec::new();
    }
    members
        .iter()
        .filter_map(|(name, entry)| read_flag(name, entry, reading))
        .collect()
}

fn read_flag(name: &str, entry: &Node, reading: &mut Reading<'_>) -> Option<FlagDeclaration> {
    let mut fault = |message: &str| {
        reading.fault(entry.line, format!("the flag {name:?} {message}"));
        None
    };
    if !is_flag_name(name) {
        return fault("is not named in lower-case letters, digits and dashes between them");
    }
    let Some(members) = entry.map() else {
        return fault("is not a mapping with a description");
    };
    if let Some((unknown, _)) = members.iter().find(|(key, _)| key != "description" && key != "default") {
        return fault(&format!(
            "has the unknown key {unknown:?}; it may have 'description' and 'default'"
        ));
    }
    let Some(description) = entry.get("description").and_then(Node::text) else {
        return fault("has no description");
    };
    let default = match entry.get("default").map(|node| &node.value) {
        None => false,
        Some(Value::Bool(default)) => *default,
        Some(_) => return fault("has a default that is neither true nor false"),
    };
    Some(FlagDeclaration {
        name: name.to_owned(),
        description: description.to_owned(),
        default,
    })
}

fn is_flag_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = name.as_bytes();
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else {
        return false;
    };
    is_plain(*first) && is_plain(*last) && bytes.iter().all(|byte| is_plain(*byte) || *byte == b'-')
}

/// How the flags of a capability stand.
pub(super) fn resolve(
    capability: &str,
    declarations: Vec<FlagDeclaration>,
    surroundings: &Surroundings,
    reading: &mut Reading<'_>,
) -> Vec<Flag> {
    let mut flags = Vec::with_capacity(declarations.len());
    for declaration in declarations {
        let name = variable(OVERRIDE_PREFIX, capability, &declaration.name);
        let from_variable = surroundings.variable(&name).and_then(|value| {
            let is_on = switch(value);
            if is_on.is_none() {
                reading.warn(format!(
                    "the variable {name} is neither of 1, true, on and 0, false, off, so it turns no flag"
                ));
            }
            is_on
        });
        let choices = [
            (
                surroundings.run_flags.get(capability, &declaration.name),
                FlagLayer::Run,
            ),
            (from_variable, FlagLayer::Variable),
            (
                surroundings.kept_flags.get(capability, &declaration.name),
                FlagLayer::Kept,
            ),
        ];
        let (is_on, layer) = choices
            .into_iter()
            .find_map(|(choice, layer)| Some((choice?, layer)))
            .unwrap_or((declaration.default, FlagLayer::Default));
        flags.push(Flag {
            declaration,
            is_on,
            layer,
        });
    }
    flags
}

/// The variables that tell tool files how the flags stand.
pub(super) fn variables(capability: &str, flags: &[Flag]) -> Vec<(String, String)> {
    flags
        .iter()
        .map(|flag| {
            let name = variable(RESULT_PREFIX, capability, &flag.declaration.name);
            (name, if flag.is_on { "1" } else { "0" }.to_owned())
        })
        .collect()
}

fn variable(prefix: &str, capability: &str, flag: &str) -> String {
    let upper = |name: &str| name.to_ascii_uppercase().replace('-', "_");
    format!("{prefix}__{}__{}", upper(capability), upper(flag))
}

fn switch(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "1" | "true" | "on" => Some(true),
        "0" | "false" | "off" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{FlagChoices, is_flag_name};

    #[test]
    fn flag_names_have_dashes_only_inside() {
        for (name, expected) in [
            ("a", true),
            ("a-b2", true),
            ("", false),
            ("-a", false),
            ("a-", false),
            ("A", false),
            ("a_b", false),
        ] {
            assert_eq!(is_flag_name(name), expected, "{name:?}");
        }
    }

    #[test]
    fn choices_for_a_run_name_capability_flag_and_value() {
        let mut choices = FlagChoices::default();
        assert!(choices.parse("threat-hunting.readonly=On").is_ok());
        assert_eq!(choices.get("threat-hunting", "readonly"), Some(true));
        for text in ["", "a.b", "a=true", "a.b.c=true", ".b=true", "a.=true", "a.b=maybe"] {
            assert!(choices.parse(text).is_err(), "{text:?}");
        }
    }
}
