//! Owns `show`: one tool as a model is shown it, and where it stands.

use crate::cli::args::{Format, ShowArgs};
use crate::cli::diagnostics::shown_path;
use crate::cli::error::CommandResult;
use crate::cli::exit_status::ExitStatus;
use crate::cli::paint::{Paint, visible};
use crate::cli::printer::Printer;
use crate::cli::session::with_host;
use crate::cli::settings::Settings;
use crate::model::{ToolDefinition, ToolFlags, ToolTarget};
use serde_json::Value;
use std::fmt::Write as _;
use std::slice;

/// Shows the tool.
pub fn run(args: &ShowArgs, settings: &Settings, printer: &Printer) -> CommandResult<ExitStatus> {
    with_host(settings, slice::from_ref(&args.source), printer, async |host| {
        let tool = host.tool(&args.tool)?;
        match printer.format() {
            Format::Json => printer.json(tool.as_ref())?,
            Format::Text => printer.answer(&text(&tool, printer.answer_paint()))?,
        }
        Ok(ExitStatus::Success)
    })
}

fn text(tool: &ToolDefinition, paint: Paint) -> String {
    let mut text = format!("{}\n", paint.bold(&visible(&tool.name)));
    for line in visible(&tool.description).lines() {
        let _ = writeln!(text, "{}", format!("  {line}").trim_end());
    }
    let _ = writeln!(text, "\n{} {}", paint.bold("defined in"), place(tool));
    let flags = flags(&tool.flags);
    if !flags.is_empty() {
        let _ = writeln!(text, "{} {}", paint.bold("it"), flags.join(", "));
    }
    add_schema(&mut text, &paint.bold("parameters schema"), &tool.parameters_schema);
    if let Some(schema) = &tool.output_schema {
        add_schema(&mut text, &paint.bold("output schema"), schema);
    }
    text
}

fn place(tool: &ToolDefinition) -> String {
    let source = &tool.source;
    let mut place = source.path.as_deref().map_or_else(|| "no file".to_owned(), shown_path);
    if let Some(line) = source.line {
        let _ = write!(place, ":{line}");
    }
    if let Some(toolset) = &source.toolset {
        let _ = write!(place, ", toolset {}", visible(toolset));
    }
    let _ = write!(place, ", dialect {}", visible(&source.dialect));
    place
}

/// What is special about the tool, each as the end of a sentence about it.
fn flags(flags: &ToolFlags) -> Vec<String> {
    let mut said = Vec::new();
    if flags.asynchronous {
        said.push("runs on the event loop".to_owned());
    }
    if !flags.parallel {
        said.push("never overlaps with other calls of a run".to_owned());
    }
    if let Some(calls) = flags.max_calls_per_run {
        said.push(format!("may be called {calls} times in a run"));
    }
    if flags.strict {
        said.push("asks for a strict schema".to_owned());
    }
    if flags.target == ToolTarget::Client {
        said.push("is executed by the application".to_owned());
    }
    said
}

fn add_schema(text: &mut String, title: &str, schema: &Value) {
    // The alternate form of a value is indented JSON.
    let _ = writeln!(text, "\n{title}\n{}", visible(&format!("{schema:#}")));
}
