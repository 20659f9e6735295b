//! Owns `export`: the tools as a provider of models takes them, and what had to be changed for that.

use crate::cli::args::{ExportArgs, Format};
use crate::cli::diagnostics;
use crate::cli::error::CommandResult;
use crate::cli::exit_status::ExitStatus;
use crate::cli::paint::visible;
use crate::cli::printer::Printer;
use crate::cli::provider_choice::ProviderChoice;
use crate::cli::session::with_host;
use crate::cli::settings::Settings;
use crate::error::Error;
use crate::host::Host;
use crate::model::{Export, ExportOptions, Provider, Strictness};
use serde_json::{Map, Value, json};

/// Exports the tools of the sources.
pub fn run(args: &ExportArgs, settings: &Settings, printer: &Printer) -> CommandResult<ExitStatus> {
    with_host(settings, &args.sources, printer, async |host| {
        export(args, host, printer)
    })
}

fn export(args: &ExportArgs, host: &Host, printer: &Printer) -> CommandResult<ExitStatus> {
    if let Some(line) = diagnostics::losses(&host.diagnostics(), printer.message_paint()) {
        printer.message(&line);
    }
    let exports = exports(args, host)?;
    match printer.format() {
        Format::Json => {
            let document = |export: Export| json!({"tools": export.tools, "notes": export.notes});
            let documents = exports
                .into_iter()
                .map(|(provider, export)| (provider, document(export)));
            printer.json(&answer(args.provider, documents))?;
        }
        Format::Text => {
            let notes = notes(args.provider, &exports, printer);
            let tools = exports
                .into_iter()
                .map(|(provider, export)| (provider, Value::Array(export.tools)));
            printer.answer(&format!("{:#}\n", answer(args.provider, tools)))?;
            printer.flush()?;
            for note in notes {
                printer.message(&note);
            }
        }
    }
    Ok(ExitStatus::Success)
}

/// What each provider gets; where strict schemas are demanded, or everything that speaks against them.
fn exports(args: &ExportArgs, host: &Host) -> CommandResult<Vec<(Provider, Export)>> {
    let mut exports = Vec::new();
    let mut loose = Vec::new();
    for provider in args.provider.providers() {
        let is_strict = args.strict && (args.provider != ProviderChoice::All || provider.has_strict_schemas());
        let options = ExportOptions {
            strict: if is_strict {
                Strictness::Required
            } else {
                Strictness::AsDeclared
            },
            ..ExportOptions::default()
        };
        match host.export(provider, &options) {
            Ok(export) => exports.push((provider, export)),
            Err(Error::Setting {
                setting: "strict",
                reason,
            }) => loose.push(reason),
            Err(error) => return Err(error.into()),
        }
    }
    if loose.is_empty() {
        return Ok(exports);
    }
    // Two interfaces of one vendor have the same reasons.
    loose.dedup();
    Err(Error::Setting {
        setting: "strict",
        reason: loose.join("; "),
    }
    .into())
}

/// The document of the one provider that was asked for, or those of all under their names.
fn answer(choice: ProviderChoice, documents: impl Iterator<Item = (Provider, Value)>) -> Value {
    let mut documents: Map<String, Value> = documents
        .map(|(provider, document)| (provider.to_string(), document))
        .collect();
    match choice {
        ProviderChoice::One(provider) => documents.remove(provider.as_str()).unwrap_or_default(),
        ProviderChoice::All => Value::Object(documents),
    }
}

/// The notes in lines, with the provider where there are several.
fn notes(choice: ProviderChoice, exports: &[(Provider, Export)], printer: &Printer) -> Vec<String> {
    let head = printer.message_paint().note("note:");
    let line = |provider: Provider, note: &str| match choice {
        ProviderChoice::One(_) => format!("{head} {}", visible(note)),
        ProviderChoice::All => format!("{head} {provider}: {}", visible(note)),
    };
    exports
        .iter()
        .flat_map(|(provider, export)| export.notes.iter().map(|note| line(*provider, &note.to_string())))
        .collect()
}
