//! Owns `init`: a folder with a first tool file that works, and what to do with it.

use crate::cli::args::{Format, InitArgs};
use crate::cli::error::{CommandError, CommandResult};
use crate::cli::exit_status::ExitStatus;
use crate::cli::printer::Printer;
use serde::Serialize;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The file, as it is written.
const FIRST_TOOLS: &str = include_str!("first_tools.py");

/// What it is called.
const FILE_NAME: &str = "first_tools.py";

#[derive(Serialize)]
struct Document<'a> {
    files: &'a [PathBuf],
    next: &'a [String],
}

/// Writes the folder.
pub fn run(args: &InitArgs, printer: &Printer) -> CommandResult<ExitStatus> {
    let path = args.folder.join(FILE_NAME);
    write(&args.folder, &path).map_err(|error| {
        let exists = error.kind() == io::ErrorKind::AlreadyExists;
        CommandError::Input {
            message: format!("cannot write {}", path.display()),
            source: Some(error),
            hint: exists.then(|| "name another folder; nothing was changed".to_owned()),
        }
    })?;
    let folder = quoted(&args.folder);
    let next = [
        format!("pegboard list {folder}"),
        format!("pegboard call {folder} longest_words text='to be or not to be' count=2"),
    ];
    if printer.format() == Format::Json {
        printer.json(&Document {
            files: &[path],
            next: &next,
        })?;
    } else {
        printer.answer(&format!("{}\n", path.display()))?;
        printer.flush()?;
        printer.message(&format!("Next:\n  {}\n  {}\n", next[0], next[1]));
    }
    Ok(ExitStatus::Success)
}

fn write(folder: &Path, path: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)?
        .write_all(FIRST_TOOLS.as_bytes())
}

/// The path as one word of a shell.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |character: char| character.is_ascii_alphanumeric() || "/._-+".contains(character);
    if !text.is_empty() && text.chars().all(plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_one_word() {
        assert_eq!(quoted(Path::new("my/tools")), "my/tools");
        assert_eq!(quoted(Path::new("my tools")), "'my tools'");
        assert_eq!(quoted(Path::new("it's")), r"'it'\''s'");
    }
}
