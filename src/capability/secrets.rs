//! Owns the secrets that a capability says it needs: which they are, and whether they are there. Never their values.

use super::manifest::Reading;
use super::surroundings::Surroundings;
use super::walk::MANIFEST;
use super::yaml::{Node, Value};
use crate::diagnostic::{Diagnostic, DiagnosticCode, Severity};
use serde::Serialize;
use std::path::Path;

/// A variable that a capability needs to be set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Secret {
    /// The variable's name.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// Whether the capability does without it.
    pub is_optional: bool,
    /// Whether it is set to anything.
    pub is_present: bool,
}

impl Secret {
    /// What is said about its absence, for a capability with this root.
    pub(super) fn missing_in(&self, root: &Path) -> Diagnostic {
        let purpose = self
            .description
            .as_ref()
            .map_or_else(String::new, |description| format!(" ({description})"));
        let message = format!(
            "the secret {}{purpose} is not set, and the capability needs it",
            self.name
        );
        Diagnostic::new(DiagnosticCode::SecretMissing, Severity::Warning, message)
            .at(root.join(MANIFEST))
            .hint(format!(
                "set the environment variable {} before the host starts",
                self.name
            ))
    }
}

/// Secrets are listed by name, as mappings with a `name`, or as a mapping from names to descriptions or mappings.
pub(super) fn read(node: Option<&Node>, surroundings: &Surroundings, reading: &mut Reading<'_>) -> Vec<Secret> {
    let Some(node) = node else { return Vec::new() };
    let declared: Vec<(Option<&str>, &Node)> = match &node.value {
        Value::List(items) => items
            .iter()
            .map(|item| (item.text().or_else(|| item.get("name").and_then(Node::text)), item))
            .collect(),
        Value::Map(members) => members
            .iter()
            .map(|(name, entry)| (Some(name.as_str()), entry))
            .collect(),
        _ => {
            reading.fault(
                node.line,
                format!("'secrets' is {}, not a list or mapping", node.kind()),
            );
            return Vec::new();
        }
    };
    declared
        .into_iter()
        .filter_map(|(name, entry)| {
            let Some(name) = name else {
                reading.fault(entry.line, "a secret needs a name".to_owned());
                return None;
            };
            let described = entry.text().filter(|text| *text != name);
            let description = described.or_else(|| entry.get("description").and_then(Node::text));
            let flag = |key: &str| match entry.get(key).map(|node| &node.value) {
                Some(Value::Bool(value)) => Some(*value),
                _ => None,
            };
            Some(Secret {
                name: name.to_owned(),
                description: description.map(str::to_owned),
                is_optional: flag("optional").unwrap_or(flag("required") == Some(false)),
                is_present: surroundings.variable(name).is_some_and(|value| !value.is_empty()),
            })
        })
        .collect()
}
