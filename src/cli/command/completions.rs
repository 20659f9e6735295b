//! Owns `completions`: the script by which a shell completes the command line.

use crate::cli::args::{Args, CompletionsArgs};
use crate::cli::error::{CommandError, CommandResult};
use crate::cli::exit_status::ExitStatus;
use crate::cli::printer::Printer;
use clap::CommandFactory as _;
use std::io;

/// Writes the script for a shell.
pub fn run(args: &CompletionsArgs, printer: &Printer) -> CommandResult<ExitStatus> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "pegboard", &mut script);
    let script = String::from_utf8(script).map_err(|error| CommandError::Output(io::Error::other(error)))?;
    printer.answer(&script)?;
    Ok(ExitStatus::Success)
}
