//! Owns `export`: the tools as a provider of models takes them, and what had to be changed for that.

use crate::cli::args::{ExportArgs, Format};
use crate::cli::diagnostics;
use crate::cli::error::CommandResult;
use crate::cli::exit_status::ExitStatus;
use crate::cli::paint::visible;
use crate::cli::printer::Printer;
use crate::cli::session::with_host;
use crate::cli::settings::Settings;
use crate::host::Host;
use crate::model::{Export, ExportNote, ExportOptions, Strictness};
use serde::Serialize;
use serde_json::Value;

#[derive(Serialize)]
struct Document<'a> {
    tools: &'a [Value],
    notes: &'a [ExportNote],
}

/// Exports the tools of the sources.
pub fn run(args: &ExportArgs, settings: &Settings, printer: &Printer) -> CommandResult<ExitStatus> {
    with_host(settings, &args.sources, printer, async |host| {
        export(args, host, printer)
    })
}

fn export(args: &ExportArgs, host: &Host, printer: &Printer) -> CommandResult<ExitStatus> {
    if let Some(line) = diagnostics::losses(host.diagnostics(), printer.message_paint()) {
        printer.message(&line);
    }
    let options = ExportOptions {
        strict: if args.strict {
            Strictness::Required
        } else {
            Strictness::AsDeclared
        },
        ..ExportOptions::default()
    };
    let Export { tools, notes } = host.export(args.provider, &options)?;
    match printer.format() {
        Format::Json => printer.json(&Document {
            tools: &tools,
            notes: &notes,
        })?,
        Format::Text => {
            printer.answer(&format!("{:#}\n", Value::Array(tools)))?;
            printer.flush()?;
            let head = printer.message_paint().note("note:");
            for note in &notes {
                printer.message(&format!("{head} {}", visible(&note.to_string())));
            }
        }
    }
    Ok(ExitStatus::Success)
}
