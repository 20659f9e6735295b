//! Owns `check`: whether everything loads and what providers will accept of it, for authors and for continuous
//! integration.

use crate::cli::acceptance::{self, ProviderAcceptance};
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
    providers: &'a [ProviderAcceptance<'a>],
}

/// Loads the sources and tells every finding.
pub fn run(args: &CheckArgs, settings: &Settings, printer: &Printer) -> CommandResult<ExitStatus> {
    with_host(settings, &args.sources, printer, async |host| {
        check(args, host, printer)
    })
}

fn check(args: &CheckArgs, host: &Host, printer: &Printer) -> CommandResult<ExitStatus> {
    let tools = host.tools();
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
    let found = &*host.diagnostics();
    let health = host.health();
    let exports = match args.provider {
        Some(choice) => acceptance::exports(host, choice, args.strict)?,
        None => Vec::new(),
    };
    let judged: Vec<_> = exports
        .iter()
        .map(|(provider, export)| ProviderAcceptance::new(*provider, export, &names, args.strict))
        .collect();
    let errors = diagnostics::count(found, Severity::Error);
    let impossible = judged.iter().map(ProviderAcceptance::impossible).sum::<usize>();
    match printer.format() {
        Format::Json => printer.json(&Document {
            tools: names,
            errors,
            warnings: diagnostics::count(found, Severity::Warning),
            remarks: diagnostics::count(found, Severity::Info),
            diagnostics: found,
            capabilities: &health,
            providers: &judged,
        })?,
        Format::Text => {
            for diagnostic in found {
                printer.answer(&diagnostics::shown(diagnostic, printer.answer_paint()))?;
            }
            for capability in &health {
                printer.answer(&shown(capability))?;
            }
            if !judged.is_empty() && !tools.is_empty() {
                printer.answer(&acceptance::table(&judged, printer.answer_paint()))?;
                printer.answer(&acceptance::reasons(&judged, printer.answer_paint()))?;
            }
            let noun = if tools.len() == 1 { "tool" } else { "tools" };
            let mut counts = vec![format!("{} {noun}", tools.len())];
            counts.extend(diagnostics::counted(found));
            counts.extend((impossible > 0).then(|| format!("{impossible} impossible")));
            if counts.len() == 1 {
                counts.push("nothing to report".to_owned());
            }
            printer.answer(&format!("{}\n", counts.join(", ")))?;
        }
    }
    Ok(if errors + impossible > 0 {
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
