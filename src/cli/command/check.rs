//! Owns `check`: whether everything loads, for authors and for continuous integration.

use crate::cli::args::{CheckArgs, Format};
use crate::cli::diagnostics;
use crate::cli::error::CommandResult;
use crate::cli::exit_status::ExitStatus;
use crate::cli::paint::visible;
use crate::cli::printer::Printer;
use crate::cli::session::with_host;
use crate::cli::settings::Settings;
use crate::diagnostic::{Diagnostic, Severity};
use crate::host::{CapabilityHealth, HealthStatus, Host};
use serde::Serialize;

#[derive(Serialize)]
struct Document<'a> {
    tools: Vec<&'a str>,
    errors: usize,
    warnings: usize,
    remarks: usize,
    diagnostics: &'a [Diagnostic],
    capabilities: &'a [CapabilityHealth],
}

/// Loads the sources and tells every finding.
pub fn run(args: &CheckArgs, settings: &Settings, printer: &Printer) -> CommandResult<ExitStatus> {
    with_host(settings, &args.sources, printer, async |host| check(host, printer))
}

fn check(host: &Host, printer: &Printer) -> CommandResult<ExitStatus> {
    let tools = host.tools();
    let found = host.diagnostics();
    let health = host.health();
    let errors = diagnostics::count(found, Severity::Error);
    match printer.format() {
        Format::Json => printer.json(&Document {
            tools: tools.iter().map(|tool| tool.name.as_str()).collect(),
            errors,
            warnings: diagnostics::count(found, Severity::Warning),
            remarks: diagnostics::count(found, Severity::Info),
            diagnostics: found,
            capabilities: &health,
        })?,
        Format::Text => {
            for diagnostic in found {
                printer.answer(&diagnostics::shown(diagnostic, printer.answer_paint()))?;
            }
            for capability in &health {
                printer.answer(&shown(capability))?;
            }
            let counts = diagnostics::counted(found).unwrap_or_else(|| "nothing to report".to_owned());
            let noun = if tools.len() == 1 { "tool" } else { "tools" };
            printer.answer(&format!("{} {noun}, {counts}\n", tools.len()))?;
        }
    }
    Ok(if errors > 0 {
        ExitStatus::Failure
    } else {
        ExitStatus::Success
    })
}

/// A capability in one line: how it is, and what stands ready.
fn shown(capability: &CapabilityHealth) -> String {
    let status = match capability.status {
        HealthStatus::Ok => "ok",
        HealthStatus::Degraded => "degraded",
        HealthStatus::Error => "not whole",
    };
    let listed = |what: &str, names: Vec<&str>| match names.as_slice() {
        [] => String::new(),
        names => format!("; {what}: {}", visible(&names.join(", "))),
    };
    let flags = capability.flags.iter().filter(|flag| flag.is_on);
    let servers = capability.servers.iter().filter(|server| server.is_active);
    format!(
        "capability {} {} is {status}{}{}\n",
        capability.name,
        capability.version,
        listed("flags on", flags.map(|flag| flag.declaration.name.as_str()).collect()),
        listed(
            "servers",
            servers.map(|server| server.definition.name.as_str()).collect()
        ),
    )
}
