//! Owns hiding secrets in what a failure tells the model.
//!
//! Hidden are passwords in addresses, bearer tokens, values of environment variables that are named like secrets, and
//! what the owner's own patterns match. The traceback is left as it is: it goes to the owner's log alone.

use crate::error::Error;
use crate::model::Failure;
use regex::Regex;
use std::borrow::Cow;

/// What stands in place of a secret.
const MASK: &str = "***";
/// A value shorter than this is more likely a word of the message than a secret.
const SHORTEST_VALUE: usize = 6;
/// The parts of a variable's name that say that its value is a secret.
const SECRET_WORDS: [&str; 11] = [
    "KEY",
    "APIKEY",
    "TOKEN",
    "SECRET",
    "SECRETS",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "CREDENTIAL",
    "CREDENTIALS",
    "PAT",
];
/// Passwords in addresses, and what stands after the name of an authentication scheme.
const BUILT_IN: [&str; 2] = [
    r"(?i)(?<before>\b[a-z][a-z0-9+.-]*://[^\s:/?#@]*:)[^\s/?#]+@",
    r"(?i)(?<before>\b(?:bearer|authorization:\s*\S+)\s+)[a-z0-9._~+/-]{8,}=*",
];

/// How much a model is told about a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FailureDetail {
    /// Everything but secrets.
    #[default]
    Redacted,
    /// Everything.
    Full,
}

/// Hides secrets in the texts of failures.
#[derive(Debug, Clone, Default)]
pub struct Masker {
    patterns: Vec<Regex>,
    /// Values to hide, the longest first, so that one inside another does not leave the rest of it in sight.
    values: Vec<String>,
}

impl Masker {
    /// A masker with the owner's patterns (regular expressions) and the values of variables named like secrets.
    ///
    /// # Errors
    ///
    /// [`Error::Setting`] if a pattern is not a regular expression.
    pub fn new(
        detail: FailureDetail,
        patterns: &[String],
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, Error> {
        if detail == FailureDetail::Full {
            return Ok(Self::default());
        }
        let patterns = BUILT_IN
            .into_iter()
            .chain(patterns.iter().map(String::as_str))
            .map(|pattern| {
                Regex::new(pattern).map_err(|error| Error::Setting {
                    setting: "secret_patterns",
                    reason: format!("{pattern:?} is not a regular expression: {error}"),
                })
            })
            .collect::<Result<_, _>>()?;
        let mut values: Vec<String> = environment
            .into_iter()
            .filter(|(name, value)| is_secret(name) && value.chars().count() >= SHORTEST_VALUE)
            .map(|(_, value)| value)
            .collect();
        values.sort_by(|left, right| right.len().cmp(&left.len()).then_with(|| left.cmp(right)));
        values.dedup();
        Ok(Self { patterns, values })
    }

    /// The text without secrets.
    #[must_use]
    pub fn mask<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut masked = Cow::Borrowed(text);
        for value in &self.values {
            if masked.contains(value) {
                masked = Cow::Owned(masked.replace(value, MASK));
            }
        }
        for pattern in &self.patterns {
            let replaced = pattern.replace_all(&masked, |captures: &regex::Captures<'_>| {
                let before = captures.name("before").map_or("", |before| before.as_str());
                let after = if captures[0].ends_with('@') { "@" } else { "" };
                format!("{before}{MASK}{after}")
            });
            if let Cow::Owned(replaced) = replaced {
                masked = Cow::Owned(replaced);
            }
        }
        masked
    }

    /// Hides the secrets in everything of a failure that a model may be shown.
    pub fn mask_failure(&self, failure: &mut Failure) {
        let texts = [&mut failure.message]
            .into_iter()
            .chain(&mut failure.hint)
            .chain(&mut failure.cause_chain)
            .chain(failure.problems.iter_mut().map(|problem| &mut problem.message));
        for text in texts {
            if let Cow::Owned(masked) = self.mask(text) {
                *text = masked;
            }
        }
    }
}

/// Whether a variable's name says that its value is a secret: `API_KEY` does, `KEYBOARD` and `PWD` do not.
fn is_secret(name: &str) -> bool {
    name.split(['_', '-', '.'])
        .any(|part| SECRET_WORDS.iter().any(|word| part.eq_ignore_ascii_case(word)))
}
