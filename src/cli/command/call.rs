//! Owns `call`: one call, its text as the answer, and everything around it on standard error.

use crate::cli::args::{CallArgs, Format, When};
use crate::cli::arguments::Arguments;
use crate::cli::diagnostics;
use crate::cli::error::{CommandError, CommandResult};
use crate::cli::exit_status::ExitStatus;
use crate::cli::printer::Printer;
use crate::cli::report;
use crate::cli::session::with_host;
use crate::cli::settings::Settings;
use crate::error::Error;
use crate::model::{Call, Content, Outcome, Repair, RepairRule, Truncation};
use std::slice;

/// Calls the tool.
pub fn run(args: CallArgs, settings: &Settings, printer: &Printer) -> CommandResult<ExitStatus> {
    let CallArgs {
        source,
        tool,
        arguments,
        json,
        logs,
    } = args;
    let arguments = Arguments::read(json, &arguments)?;
    let logs_shown = match logs {
        When::Auto => printer.format() == Format::Text,
        When::Always => true,
        When::Never => false,
    };
    with_host(settings, slice::from_ref(&source), printer, async |host| {
        if let Some(line) = diagnostics::losses(&host.diagnostics(), printer.message_paint()) {
            printer.message(&line);
        }
        let arguments = arguments.into_text(&host.tool(&tool)?.parameters_schema)?;
        let mut call = Call::new(tool, arguments);
        call.progress = printer.progress();
        let result = host.call(call).await;
        let logs = match &result {
            Ok(outcome) => outcome.logs.as_slice(),
            Err(Error::Aborted { logs, .. }) => logs.as_slice(),
            Err(_) => &[],
        };
        if logs_shown {
            printer.message(&report::logs(logs, printer.message_paint()));
        }
        answer(&result.map_err(CommandError::Host)?, printer)
    })
}

fn answer(outcome: &Outcome, printer: &Printer) -> CommandResult<ExitStatus> {
    if printer.format() == Format::Json {
        printer.json(outcome)?;
    } else if outcome.failure.is_none() {
        printer.answer(&outcome.text)?;
        if !outcome.text.ends_with('\n') {
            printer.answer("\n")?;
        }
        // The text comes before what is said about it.
        printer.flush()?;
    }
    for note in notes(outcome) {
        let head = printer.message_paint().note("note:");
        printer.message(&format!("{head} {note}"));
    }
    match &outcome.failure {
        Some(failure) => {
            printer.message(&report::failure(&outcome.tool, failure, printer.message_paint()));
            Ok(ExitStatus::Failure)
        }
        None => Ok(ExitStatus::Success),
    }
}

/// What the text alone does not tell.
fn notes(outcome: &Outcome) -> Vec<String> {
    let mut notes: Vec<String> = outcome.repairs.iter().map(repair_note).collect();
    if let Some(Truncation { characters, kept }) = outcome.truncated {
        notes.push(format!("the text was cut from {characters} to {kept} characters"));
    }
    if let Some(offload) = &outcome.offload {
        let characters = offload.characters;
        notes.push(match (&offload.path, &offload.error) {
            (Some(path), _) => format!("all {characters} characters are in {}", diagnostics::shown_path(path)),
            (None, Some(error)) => format!("the {characters} characters could not be kept: {error}"),
            (None, None) => format!("the {characters} characters were not kept"),
        });
    }
    for content in &outcome.content {
        if let Content::Image { mime_type, .. }
        | Content::Audio { mime_type, .. }
        | Content::Resource { mime_type, .. } = content
        {
            notes.push(format!(
                "the answer also holds {mime_type}; `--format json` shows it as base64"
            ));
        }
    }
    if outcome.stop {
        notes.push("the tool asks to end the run".to_owned());
    }
    notes
}

fn repair_note(repair: &Repair) -> String {
    let done = match repair.rule {
        RepairRule::JsonString => "a string was read as the JSON that it holds",
        RepairRule::NullAsAbsent => "null was taken as not given",
        RepairRule::NullWord => "a word was taken as null",
        RepairRule::IntegralFloat => "a float without a fraction was taken as an integer",
        RepairRule::ExtraKey => "an undeclared name with a leading underscore was removed",
        RepairRule::NameForAlias => "a name was taken for its declared alias",
    };
    format!("argument {}: {done}", repair.pointer)
}
