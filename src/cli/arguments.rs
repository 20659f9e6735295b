//! Owns where the arguments of a call are written: words, a text, a file, or standard input.
//!
//! Reads them before Python starts, because a tool must find standard input empty. Must not parse JSON; the call does.

use super::assignments::{self, Assignment};
use super::error::{CommandError, CommandResult};
use crate::model::Limits;
use serde_json::Value;
use std::fs::File;
use std::io::{self, Read};

/// The arguments of a call as they were written.
#[derive(Debug)]
pub enum Arguments {
    /// A whole JSON object, as far as its author says.
    Whole(String),
    /// One word for each.
    Words(Vec<Assignment>),
}

impl Arguments {
    /// Reads what the command line says or names.
    ///
    /// # Errors
    /// [`CommandError::Misuse`] if the words do not go together, [`CommandError::Input`] if a file or standard input
    /// cannot be read as text.
    pub fn read(json: Option<String>, words: &[String]) -> CommandResult<Self> {
        if let Some(text) = json {
            return Ok(Self::Whole(text));
        }
        let whole = |word: &String| word == "-" || word.starts_with('@');
        match words {
            [only] if only == "-" => read_all(io::stdin().lock(), "standard input").map(Self::Whole),
            [only] if whole(only) => {
                let path = &only[1..];
                let name = format!("the file {path:?}");
                let file = File::open(path).map_err(|error| unreadable(&name, error))?;
                read_all(file, &name).map(Self::Whole)
            }
            _ => match words.iter().find(|word| whole(word)) {
                Some(word) => Err(CommandError::Misuse {
                    message: format!("`{word}` stands for all arguments and cannot be mixed with others"),
                    hint: "give one `@FILE` or one `-`, or `name=value` for each argument".to_owned(),
                }),
                None => words
                    .iter()
                    .map(|word| Assignment::parse(word))
                    .collect::<CommandResult<_>>()
                    .map(Self::Words),
            },
        }
    }

    /// The JSON text for a tool with this parameters schema.
    ///
    /// # Errors
    /// [`CommandError::Misuse`] if words contradict each other.
    pub fn into_text(self, schema: &Value) -> CommandResult<String> {
        match self {
            Self::Whole(text) => Ok(text),
            Self::Words(words) => assignments::object(&words, schema),
        }
    }
}

/// Reads text, but no more than a call may bring.
fn read_all(reader: impl Read, name: &str) -> CommandResult<String> {
    let limit = Limits::default().argument_bytes;
    let mut bytes = Vec::new();
    // One byte more, which tells that there is more.
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    reader
        .take(most)
        .read_to_end(&mut bytes)
        .map_err(|error| unreadable(name, error))?;
    if bytes.len() > limit {
        return Err(CommandError::Input {
            message: format!("{name} holds more than the {limit} bytes that the arguments of a call may have"),
            source: None,
            hint: Some("give large data to a tool as a path".to_owned()),
        });
    }
    String::from_utf8(bytes).map_err(|error| CommandError::Input {
        message: format!(
            "{name} is not UTF-8 text: byte {} cannot be read",
            error.utf8_error().valid_up_to()
        ),
        source: None,
        hint: Some("write the JSON as UTF-8".to_owned()),
    })
}

fn unreadable(name: &str, error: io::Error) -> CommandError {
    CommandError::Input {
        message: format!("cannot read {name}"),
        source: Some(error),
        hint: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_bounded_and_has_to_be_utf8() {
        assert_eq!(read_all(&b"{}"[..], "it").unwrap(), "{}");
        let error = read_all(&b"{\"a\":\"\xff\"}"[..], "it").unwrap_err();
        assert_eq!(error.to_string(), "it is not UTF-8 text: byte 6 cannot be read");
        let error = read_all(io::repeat(b' '), "it").unwrap_err();
        assert!(error.to_string().contains("more than the 4194304 bytes"), "{error}");
    }

    #[test]
    fn all_arguments_in_one_place_cannot_be_mixed_with_others() {
        for words in [["-", "a=1"], ["a=1", "@file"], ["-", "-"]] {
            let error = Arguments::read(None, &words.map(str::to_owned)).unwrap_err();
            assert_eq!(error.code(), "misuse", "{words:?}");
        }
    }
}
