//! Owns `list`: every tool, with what was not loaded beside it.

use crate::cli::args::{Format, SourcesArgs};
use crate::cli::diagnostics;
use crate::cli::error::CommandResult;
use crate::cli::exit_status::ExitStatus;
use crate::cli::paint::{first_line, visible};
use crate::cli::printer::Printer;
use crate::cli::session::with_host;
use crate::cli::settings::Settings;
use crate::diagnostic::{Diagnostic, Severity};
use crate::host::Host;
use crate::model::ToolDefinition;
use serde::Serialize;
use std::sync::Arc;

#[derive(Serialize)]
struct Document<'a> {
    tools: Vec<&'a ToolDefinition>,
    diagnostics: &'a [Diagnostic],
}

/// Lists the tools of the sources.
pub fn run(args: &SourcesArgs, settings: &Settings, printer: &Printer) -> CommandResult<ExitStatus> {
    with_host(settings, &args.sources, printer, async |host| list(host, printer))
}

fn list(host: &Host, printer: &Printer) -> CommandResult<ExitStatus> {
    let tools = host.tools();
    let found = &*host.diagnostics();
    match printer.format() {
        Format::Json => printer.json(&Document {
            tools: tools.iter().map(AsRef::as_ref).collect(),
            diagnostics: found,
        })?,
        Format::Text => {
            printer.answer(&lines(&tools, printer))?;
            printer.flush()?;
            tell_losses(found, printer);
        }
    }
    let failed = diagnostics::count(found, Severity::Error) > 0;
    Ok(if tools.is_empty() && failed {
        ExitStatus::Failure
    } else {
        ExitStatus::Success
    })
}

/// One line for each tool: its name, and the first line of its description.
fn lines(tools: &[Arc<ToolDefinition>], printer: &Printer) -> String {
    let paint = printer.answer_paint();
    let width = |tool: &ToolDefinition| visible(&tool.name).chars().count();
    let widest = tools.iter().map(|tool| width(tool)).max().unwrap_or(0);
    let mut text = String::new();
    for tool in tools {
        let space = " ".repeat(widest - width(tool));
        let name = paint.bold(&visible(&tool.name));
        let line = format!("{name}{space}  {}", first_line(&tool.description));
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Tells on standard error what was lost, or that there was nothing; remarks are for `check`.
fn tell_losses(found: &[Diagnostic], printer: &Printer) {
    let losses: Vec<_> = found
        .iter()
        .filter(|diagnostic| diagnostic.severity > Severity::Info)
        .cloned()
        .collect();
    for loss in &losses {
        printer.message(&diagnostics::shown(loss, printer.message_paint()));
    }
    if let Some(counts) = diagnostics::counted(&losses) {
        printer.message(&counts);
    }
}
