//! Owns keeping a long text whole in a file and showing the model both ends of it.
//!
//! Files are private to the user, have safe names whatever the call's id is, and never overwrite another.

use super::Facts;
use super::truncate::{count_beyond, first, last};
use crate::model::Offload;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

/// The folder for long output below the one that the policy names.
const FOLDER: &str = "tool-output";
/// How many characters of a call's id a file name may have: with suffixes it stays below what file systems allow.
const LONGEST_STEM: usize = 100;
/// How many files of one name are tried before giving up.
const MOST_ATTEMPTS: usize = 10_000;

/// The place for the long output of one call.
#[derive(Debug)]
pub(super) struct Store<'a> {
    working_directory: &'a Path,
    folder: &'a str,
    stem: String,
    /// How many characters go to the model before the rest is kept here.
    pub(super) limit: usize,
}

impl<'a> Store<'a> {
    /// The place that the tool's policy names, or `None` if it never offloads.
    pub(super) fn of(facts: &Facts<'a>) -> Option<Self> {
        let folder = facts.policy.offload.as_deref()?;
        Some(Self {
            working_directory: facts.working_directory,
            folder,
            stem: stem(facts.call_id),
            limit: facts.limits.offload_characters,
        })
    }

    /// Keeps a text that is over the limit and returns what the model sees instead.
    ///
    /// `None` leaves the text as it is: it is within the limit, all white space, or its summary would be no shorter.
    pub(super) fn offload(&self, text: &str) -> Option<(String, Offload)> {
        let characters = count_beyond(text, self.limit)?;
        if text.trim().is_empty() {
            return None;
        }
        let reserved = self.reserve("txt");
        let summary = Self::summary(text, characters, self.limit, reserved.as_ref().map(Reserved::path));
        if summary.chars().count() >= characters {
            if let Ok(reserved) = reserved {
                reserved.discard();
            }
            return None;
        }
        match reserved.and_then(|reserved| reserved.fill(text.as_bytes())) {
            Ok(path) => Some((summary, found(Some(path), characters, None))),
            Err(error) => Some((
                Self::summary(text, characters, self.limit, Err(&error)),
                found(None, characters, Some(error.to_string())),
            )),
        }
    }

    /// Keeps bytes in a file of their own and returns its path.
    pub(super) fn keep(&self, bytes: &[u8], extension: &str) -> io::Result<PathBuf> {
        self.reserve(extension)?.fill(bytes)
    }

    /// Both ends of the text, `shown` characters together, around a line that says what is missing and where it is.
    ///
    /// `shown` must be less than `characters`, which is how many the text has.
    pub(super) fn summary(text: &str, characters: usize, shown: usize, saved: Result<&Path, &io::Error>) -> String {
        let half = shown / 2;
        let (head, tail) = (first(text, half), last(text, half));
        let middle = &text[head.len()..text.len() - tail.len()];
        let missing = match (middle.matches('\n').count(), characters - 2 * half) {
            (0, 1) => "1 character".to_owned(),
            (0, characters) => format!("{characters} characters"),
            (lines, _) => format!("{lines} lines"),
        };
        [head, &marker(&missing, saved), tail].concat()
    }

    /// Makes an empty file under a name that nothing has.
    fn reserve(&self, extension: &str) -> io::Result<Reserved> {
        let folder = self.private_folder()?;
        for attempt in 0..MOST_ATTEMPTS {
            let name = match attempt {
                0 => format!("{}.{extension}", self.stem),
                number => format!("{}-{number}.{extension}", self.stem),
            };
            let path = folder.join(name);
            match new_file(&path) {
                Ok(file) => return Ok(Reserved { file, path }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            format!("{} has {MOST_ATTEMPTS} files of this name", folder.display()),
        ))
    }

    fn private_folder(&self) -> io::Result<PathBuf> {
        let below = Path::new(self.folder);
        if !below.components().all(|part| matches!(part, Component::Normal(_))) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("the offload folder {:?} leaves the working directory", self.folder),
            ));
        }
        if !self.working_directory.is_dir() {
            return Err(io::Error::new(
                io::ErrorKind::NotFound,
                format!(
                    "the working directory {} does not exist",
                    self.working_directory.display()
                ),
            ));
        }
        let folder = self.working_directory.join(below).join(FOLDER);
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&folder)?;
        Ok(folder)
    }
}

/// The line that says what is missing from a text and where it is.
pub(super) fn marker(missing: &str, saved: Result<&Path, &io::Error>) -> String {
    match saved {
        Ok(path) => format!(
            "\n\n... [{missing} truncated — full output saved to {}] ...\n\n",
            path.display()
        ),
        Err(error) => format!("\n\n... [{missing} truncated — full output could not be saved: {error}] ...\n\n"),
    }
}

/// A file that exists and has nothing in it yet.
struct Reserved {
    file: File,
    path: PathBuf,
}

impl Reserved {
    fn path(&self) -> &Path {
        &self.path
    }

    /// Writes all of it or leaves nothing behind.
    fn fill(mut self, bytes: &[u8]) -> io::Result<PathBuf> {
        match self.file.write_all(bytes) {
            Ok(()) => Ok(self.path),
            Err(error) => {
                self.discard();
                Err(error)
            }
        }
    }

    fn discard(self) {
        drop(self.file);
        // The file is empty or incomplete; that it cannot be removed takes nothing from the caller.
        let _ = fs::remove_file(&self.path);
    }
}

fn found(path: Option<PathBuf>, characters: usize, error: Option<String>) -> Offload {
    Offload {
        path,
        characters,
        error,
    }
}

fn new_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// The call's id as a file name: letters, digits, `_` and `-`, whatever a model or a client sent.
fn stem(call_id: &str) -> String {
    if call_id.is_empty() {
        return "call".to_owned();
    }
    call_id
        .chars()
        .take(LONGEST_STEM)
        .map(|character| match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' => character,
            _ => '_',
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn makes_file_names_of_any_id() {
        for (call_id, expected) in [
            ("call_1", "call_1"),
            ("", "call"),
            ("../../etc/passwd", "______etc_passwd"),
            ("a b\0c/é", "a_b_c__"),
            ("CON.txt", "CON_txt"),
        ] {
            assert_eq!(stem(call_id), expected, "id {call_id:?}");
        }
        assert_eq!(stem(&"x".repeat(5000)).len(), 100);
    }
}
