//! Owns the names under which tools go to a provider, and the way back.
//!
//! A real name that a provider accepts is never changed; every other one is rewritten the same way in every run. Must
//! not know which provider has which rule: the tables in `provider/` name it.

use crate::model::ToolName;
use ahash::RandomState;
use sha2::{Digest as _, Sha256};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// How many hexadecimal digits of the real name's SHA-256 tell apart what would otherwise be equal.
const SUFFIX: usize = 8;

/// Which names a provider accepts: ASCII letters, digits, `_` and what else is listed here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NameRule {
    length: usize,
    punctuation: &'static [char],
    letter_first: bool,
}

impl NameRule {
    /// `^[A-Za-z_][A-Za-z0-9_-]{0,63}$`: the names of tools that every model provider accepts.
    pub(crate) const MODEL: Self = Self {
        length: 64,
        punctuation: &['-'],
        letter_first: true,
    };
    /// `^[A-Za-z0-9_.-]{1,128}$`: the names of tools that the Model Context Protocol asks for.
    pub(crate) const PROTOCOL: Self = Self {
        length: 128,
        punctuation: &['-', '.'],
        letter_first: false,
    };
    /// `^[A-Za-z0-9_.-]{1,64}$`: a rule for the names of parameters.
    pub(crate) const PARAMETER: Self = Self {
        length: 64,
        ..Self::PROTOCOL
    };
    /// `^[A-Za-z_][A-Za-z0-9_]{0,63}$`: a narrower rule for the names of parameters.
    pub(crate) const IDENTIFIER: Self = Self {
        length: 64,
        punctuation: &[],
        letter_first: true,
    };

    fn allows(self, character: char) -> bool {
        character.is_ascii_alphanumeric() || character == '_' || self.punctuation.contains(&character)
    }

    fn allows_first(self, character: char) -> bool {
        self.allows(character) && (!self.letter_first || character.is_ascii_alphabetic() || character == '_')
    }

    /// Whether a name goes out as it is.
    pub(crate) fn accepts(self, name: &str) -> bool {
        name.len() <= self.length
            && name.chars().all(|character| self.allows(character))
            && name.starts_with(|first| self.allows_first(first))
    }

    /// The name as this rule accepts it, without regard to other names.
    pub(crate) fn rewrite(self, name: &str) -> Cow<'_, str> {
        if self.accepts(name) {
            return Cow::Borrowed(name);
        }
        let mut wire: String = name
            .chars()
            .map(|character| if self.allows(character) { character } else { '_' })
            .collect();
        if !wire.starts_with(|first| self.allows_first(first)) {
            wire.insert(0, '_');
        }
        if wire.len() > self.length {
            wire = self.suffixed(&wire, name, SUFFIX);
        }
        Cow::Owned(wire)
    }

    /// The rewritten name, with digits of the real name's hash so that no other name leads to it.
    fn suffixed(self, wire: &str, name: &str, digits: usize) -> String {
        let kept = &wire[..wire.len().min(self.length - digits - 1)];
        format!("{kept}_{}", hash(name, digits))
    }
}

/// The first `digits` hexadecimal digits of a name's SHA-256, which is the same in every version and on every machine.
fn hash(name: &str, digits: usize) -> String {
    let digest = Sha256::digest(name.as_bytes());
    let nibbles = digest.iter().flat_map(|byte| [byte >> 4, byte & 0xf]);
    nibbles
        .filter_map(|nibble| char::from_digit(u32::from(nibble), 16))
        .take(digits)
        .collect()
}

/// The names of a set of tools, as one provider is sent them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WireNames {
    /// Names that go out as they are.
    kept: HashSet<ToolName, RandomState>,
    wire: HashMap<ToolName, String, RandomState>,
    real: HashMap<String, ToolName, RandomState>,
}

impl WireNames {
    /// Finds a wire name for each real name. The order of the names does not matter.
    pub(crate) fn new<'n>(rule: NameRule, names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut found = Self::default();
        let mut changed: Vec<&str> = Vec::new();
        for name in names {
            if rule.accepts(name) {
                found.kept.insert(name.to_owned());
            } else {
                changed.push(name);
            }
        }
        changed.sort_unstable();
        changed.dedup();
        let mut wanted: HashMap<Cow<'_, str>, usize> = HashMap::new();
        for name in &changed {
            *wanted.entry(rule.rewrite(name)).or_default() += 1;
        }
        for name in changed {
            let mut wire = rule.rewrite(name).into_owned();
            if wanted[wire.as_str()] > 1 || found.kept.contains(&wire) {
                wire = rule.suffixed(&wire, name, SUFFIX);
            }
            // Somebody may have given a tool the very name that another one is rewritten to.
            let mut digits = SUFFIX;
            while (found.real.contains_key(&wire) || found.kept.contains(&wire)) && digits < 32 {
                digits += SUFFIX;
                wire = rule.suffixed(&rule.rewrite(name), name, digits);
            }
            found.insert(name, wire);
        }
        found
    }

    fn insert(&mut self, name: &str, wire: String) {
        self.real.insert(wire.clone(), name.to_owned());
        self.wire.insert(name.to_owned(), wire);
    }

    /// The name that a provider is sent for a tool's real name.
    #[must_use]
    pub fn wire(&self, real: &str) -> Option<&str> {
        self.kept.get(real).or_else(|| self.wire.get(real)).map(String::as_str)
    }

    /// The real name that a call means, whether it came under the real name or the wire name.
    #[must_use]
    pub fn real(&self, name: &str) -> Option<&str> {
        if let Some(kept) = self.kept.get(name) {
            return Some(kept);
        }
        match self.wire.get_key_value(name) {
            Some((real, _)) => Some(real),
            None => self.real.get(name).map(String::as_str),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn models(names: &[&str]) -> WireNames {
        WireNames::new(NameRule::MODEL, names.iter().copied())
    }

    #[test]
    fn names_are_rewritten_for_models() {
        let long = "a".repeat(70);
        let names = models(&["sheets.get/Range v2", &long, "3d", "検索", ""]);
        assert_eq!(names.wire("sheets.get/Range v2"), Some("sheets_get_Range_v2"));
        assert_eq!(names.wire(&long), Some(format!("{}_6bd5e503", "a".repeat(55)).as_str()));
        assert_eq!(names.wire("3d"), Some("_3d"));
        assert_eq!(names.wire("検索"), Some("__"));
        assert_eq!(names.wire(""), Some("_"));
    }

    #[test]
    fn the_renamed_tool_gets_the_suffix() {
        let names = models(&["sheets.get", "sheets_get"]);
        assert_eq!(names.wire("sheets_get"), Some("sheets_get"));
        assert_eq!(names.wire("sheets.get"), Some("sheets_get_21a37b91"));
        assert_eq!(names.real("sheets_get"), Some("sheets_get"));
        assert_eq!(names.real("sheets_get_21a37b91"), Some("sheets.get"));
        assert_eq!(names.real("sheets.get"), Some("sheets.get"));
        assert_eq!(names.real("other"), None);
    }

    #[test]
    fn a_dot_may_stay_in_the_protocol() {
        let names = WireNames::new(NameRule::PROTOCOL, ["sheets.get", "a/b", "3d"]);
        assert_eq!(names.wire("sheets.get"), Some("sheets.get"));
        assert_eq!(names.wire("a/b"), Some("a_b"));
        assert_eq!(names.wire("3d"), Some("3d"));
    }

    #[test]
    fn a_name_that_is_already_taken_is_avoided() {
        let taken = ["sheets.get", "sheets_get", "sheets_get_21a37b91"];
        let names = models(&taken);
        let wire = names.wire("sheets.get").unwrap();
        assert!(
            wire.starts_with("sheets_get_21a37b91") && wire.len() == "sheets_get_".len() + 16,
            "{wire}"
        );
    }

    proptest! {
        #[test]
        fn wire_names_fit_and_lead_back(real in proptest::collection::hash_set("[a-c._/ é-]{0,5}|[a-z.]{60,80}", 1..12)) {
            for rule in [NameRule::MODEL, NameRule::PROTOCOL] {
                let names = WireNames::new(rule, real.iter().map(String::as_str));
                let mut reversed: Vec<&str> = real.iter().map(String::as_str).collect();
                reversed.sort_unstable();
                prop_assert_eq!(&names, &WireNames::new(rule, reversed));
                for name in &real {
                    let wire = names.wire(name).unwrap();
                    prop_assert!(rule.accepts(wire), "{} -> {}", name, wire);
                    prop_assert_eq!(names.real(wire), Some(name.as_str()));
                }
            }
        }
    }
}
