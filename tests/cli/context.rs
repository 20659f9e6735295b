//! Owns how the tests run the command: from the root of the repository, without the caller's Python environment, and
//! with what differs between machines replaced in its output.

use serde_json::Value;
use std::fmt;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

pub const BINARY: &str = env!("CARGO_BIN_EXE_pegboard");
pub const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// The Python that the binary is linked to.
pub const LINKED_PYTHON: &str = env!("PEGBOARD_LINKED_PYTHON");

/// Variables of the caller that would change what the command does.
const VARIABLES: [&str; 7] = [
    "NO_COLOR",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONHOME",
    "PYTHONPATH",
    "PYTHONUNBUFFERED",
    "RUST_BACKTRACE",
    "VIRTUAL_ENV",
];

/// What one run of the command came to.
pub struct Ran {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// The answer, which has to be one JSON document on one line.
    pub fn json(&self) -> Value {
        assert_eq!(self.stdout.matches('\n').count(), 1, "{self}");
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self}"))
    }

    /// The same with `from` written as `to`.
    pub fn replaced(mut self, from: &str, to: &str) -> Self {
        self.stdout = self.stdout.replace(from, to);
        self.stderr = self.stderr.replace(from, to);
        self
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            status: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl fmt::Display for Ran {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = self.status.map_or_else(|| "none".to_owned(), |code| code.to_string());
        write!(
            formatter,
            "status: {status}\n----- stdout -----\n{}----- stderr -----\n{}",
            self.stdout, self.stderr
        )
    }
}

/// The command with these words, ready to run.
pub fn command(words: &[&str]) -> Command {
    let mut command = Command::new(BINARY);
    command.args(words).current_dir(ROOT).stdin(Stdio::null());
    for variable in VARIABLES {
        command.env_remove(variable);
    }
    command
}

/// Runs the command with these words.
pub fn run(words: &[&str]) -> Ran {
    portable(command(words).output().unwrap().into())
}

/// Runs the command with these words and this standard input.
pub fn run_with_input(words: &[&str], input: &[u8]) -> Ran {
    let mut child = command(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The command may end without having read it all, which it then says itself.
    drop(child.stdin.take().unwrap().write_all(input));
    portable(child.wait_with_output().unwrap().into())
}

/// The output with the places of this machine replaced.
pub fn portable(ran: Ran) -> Ran {
    static PYTHON: OnceLock<String> = OnceLock::new();
    let python = PYTHON.get_or_init(|| {
        let output = command(&["doctor", "--format", "json"]).output().unwrap();
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        told["python"]["executable"].as_str().unwrap().to_owned()
    });
    ran.replaced(python, "[PYTHON]").replaced(ROOT, "[ROOT]")
}

/// A path as text.
pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
