//! Owns which function runs which command.

mod call;
mod check;
mod completions;
mod doctor;
mod export;
mod init;
mod list;
mod serve;
mod show;

use super::args::Command;
use super::error::CommandResult;
use super::exit_status::ExitStatus;
use super::printer::Printer;
use super::settings::Settings;

/// Runs a command.
pub fn run(command: Command, settings: &Settings, printer: &Printer) -> CommandResult<ExitStatus> {
    match command {
        Command::List(args) => list::run(&args, settings, printer),
        Command::Show(args) => show::run(&args, settings, printer),
        Command::Call(args) => call::run(args, settings, printer),
        Command::Check(args) => check::run(&args, settings, printer),
        Command::Export(args) => export::run(&args, settings, printer),
        Command::Serve(args) => serve::run(args, settings, printer),
        Command::Doctor(args) => doctor::run(&args, settings, printer),
        Command::Init(args) => init::run(&args, printer),
        Command::Completions(args) => completions::run(&args, printer),
    }
}
