//! Owns the command line: args → settings → command → exit status.
//!
//! Each stage has a file, each command has one in `command/`, and only `printer.rs` writes. Nothing here knows Python
//! beyond what the host and the interpreter's status tell.

mod acceptance;
mod args;
mod arguments;
mod assignments;
mod command;
mod diagnostics;
mod error;
mod exit_status;
mod help;
mod paint;
mod printer;
mod provider_choice;
mod report;
mod session;
mod settings;
mod streams;

use args::{Args, Format, When};
use clap::Parser as _;
use error::{CommandError, CommandResult};
use exit_status::ExitStatus;
use printer::Printer;
use settings::Settings;
use std::ffi::OsString;
use std::fs::File;
use std::panic::{self, AssertUnwindSafe};

/// Runs the command that `args` ask for, the first being the program's name, and returns the status to exit with.
///
/// It takes over the process: standard input is empty and standard output is standard error afterwards, and threads that
/// tools hold may still run. So leave at once, and do not finalise Python. If Python runs already, the caller lets go of
/// it first and gives SIGINT back to the system.
#[must_use]
pub fn run(args: impl IntoIterator<Item = OsString>) -> i32 {
    // Without standard output there is nothing to answer on, and the status is all that can be told.
    let Ok(output) = streams::private_output() else {
        return ExitStatus::Fault.code();
    };
    // A panic is a fault like any other; the standard hook has told where.
    let status = panic::catch_unwind(AssertUnwindSafe(|| answer(args, output))).unwrap_or(ExitStatus::Fault);
    status.code()
}

fn answer(args: impl IntoIterator<Item = OsString>, output: File) -> ExitStatus {
    let Args { global, command } = match Args::try_parse_from(args) {
        Ok(args) => args,
        Err(words) => return explained(&words, output),
    };
    let printer = Printer::new(output, global.format, global.color);
    let result = Settings::resolve(global)
        .and_then(|settings| command::run(command, &settings, &printer))
        .and_then(|status| printer.flush().map(|()| status));
    result.unwrap_or_else(|error| reported(&error, &printer))
}

/// Answers with help or the version where that was asked for, and else tells what is wrong with the words.
fn explained(words: &clap::Error, output: File) -> ExitStatus {
    let printer = Printer::new(output, Format::Text, When::Auto);
    let text = |colored: bool| {
        if colored {
            words.render().ansi().to_string()
        } else {
            words.render().to_string()
        }
    };
    if words.use_stderr() {
        printer.message(&text(printer.message_paint().is_on()));
        return ExitStatus::Misuse;
    }
    let result = printer
        .answer(&text(printer.answer_paint().is_on()))
        .and_then(|()| printer.flush());
    match result {
        Ok(()) => ExitStatus::Success,
        Err(error) => reported(&error, &printer),
    }
}

/// Tells what went wrong, in the answer as well where that is JSON.
fn reported(error: &CommandError, printer: &Printer) -> ExitStatus {
    let status = error.status();
    match error {
        // There is nobody left to tell, or nothing to tell that the user does not know.
        CommandError::Output(_) if status == ExitStatus::Success => return status,
        CommandError::Signal(_) => return status,
        _ => {}
    }
    printer.message(&report::error(error, printer.message_paint()));
    if printer.format() == Format::Json {
        let written: CommandResult<()> = printer
            .json(&report::ErrorDocument::new(error))
            .and_then(|()| printer.flush());
        // That the answer could not be written is what is being told already.
        drop(written);
    }
    status
}
