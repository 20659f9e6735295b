//! Owns the process's standard streams at the level of descriptors, so that no tool can touch what the command answers.
//!
//! A tool, a child process of one, and a native library all write to descriptor 1 and read from descriptor 0, whatever
//! Python's own streams are. So the answer goes to a private copy that none of them knows.

use rustix::io::fcntl_dupfd_cloexec;
use rustix::stdio::{dup2_stdin, dup2_stdout};
use std::fs::File;
use std::io;

/// The first descriptor that is not a standard stream.
const FIRST_FREE: i32 = 3;

/// A private copy of standard output, which child processes do not inherit.
///
/// # Errors
/// What the system says, such as that standard output is closed.
pub fn private_output() -> io::Result<File> {
    Ok(File::from(fcntl_dupfd_cloexec(io::stdout(), FIRST_FREE)?))
}

/// A private copy of standard input, which child processes do not inherit.
///
/// # Errors
/// What the system says, such as that standard input is closed.
pub fn private_input() -> io::Result<File> {
    Ok(File::from(fcntl_dupfd_cloexec(io::stdin(), FIRST_FREE)?))
}

/// Points standard output at standard error, and standard input at the null device, for the rest of the process.
///
/// # Errors
/// What the system says, such as that there is no null device.
pub fn protect() -> io::Result<()> {
    dup2_stdin(File::open("/dev/null")?)?;
    dup2_stdout(io::stderr())?;
    Ok(())
}
