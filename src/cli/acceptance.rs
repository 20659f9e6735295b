//! Owns how it is told what providers accept of each tool: a table, the reasons, and their form as data.
//!
//! Must not decide what a provider accepts: an export's notes say that.

use super::error::{CommandError, CommandResult};
use super::paint::{Paint, visible};
use super::provider_choice::ProviderChoice;
use crate::host::Host;
use crate::model::{Acceptance, Export, ExportChange, ExportNote, ExportOptions, Provider, Strictness};
use serde::Serialize;
use std::collections::HashMap;
use std::fmt::Write as _;

/// What one provider accepts of the tools.
#[derive(Serialize)]
pub struct ProviderAcceptance<'a> {
    provider: Provider,
    tools: Vec<ToolAcceptance<'a>>,
}

#[derive(Serialize)]
struct ToolAcceptance<'a> {
    tool: &'a str,
    acceptance: Acceptance,
    notes: Vec<Note<'a>>,
}

/// A note without the tool, which stands above it.
#[derive(Serialize)]
struct Note<'a> {
    pointer: &'a str,
    change: ExportChange,
    reason: &'a str,
}

/// What the chosen providers get, strict where that is asked for and possible.
pub fn exports(host: &Host, choice: ProviderChoice, strict: bool) -> CommandResult<Vec<(Provider, Export)>> {
    if let (ProviderChoice::One(provider), true) = (choice, strict)
        && !provider.has_strict_schemas()
    {
        return Err(CommandError::Misuse {
            message: format!("the provider {provider} has no strict schemas"),
            hint: "leave `--strict` out".to_owned(),
        });
    }
    let options = ExportOptions {
        strict: if strict {
            Strictness::WherePossible
        } else {
            Strictness::AsDeclared
        },
        ..ExportOptions::default()
    };
    let exports = choice
        .providers()
        .into_iter()
        .map(|provider| Ok((provider, host.export(provider, &options)?)));
    exports.collect()
}

impl<'a> ProviderAcceptance<'a> {
    /// What the notes of an export say of these tools; where tools have to be `strict`, one that is not is impossible.
    pub fn new(provider: Provider, export: &'a Export, tools: &[&'a str], strict: bool) -> Self {
        let mut notes: HashMap<&str, Vec<&ExportNote>> = HashMap::new();
        for note in &export.notes {
            notes.entry(&note.tool).or_default().push(note);
        }
        let judge = |change: ExportChange| match change {
            ExportChange::NotStrict if strict => Acceptance::Impossible,
            change => change.acceptance(),
        };
        let tools = tools.iter().map(|tool| {
            let notes = notes.remove(tool).unwrap_or_default();
            ToolAcceptance {
                tool,
                acceptance: notes
                    .iter()
                    .map(|note| judge(note.change))
                    .max()
                    .unwrap_or(Acceptance::Accepted),
                notes: notes
                    .into_iter()
                    .map(|note| Note {
                        pointer: &note.pointer,
                        change: note.change,
                        reason: &note.reason,
                    })
                    .collect(),
            }
        });
        Self {
            provider,
            tools: tools.collect(),
        }
    }

    /// How many tools the provider does not accept.
    pub fn impossible(&self) -> usize {
        let refused = |tool: &&ToolAcceptance<'_>| tool.acceptance == Acceptance::Impossible;
        self.tools.iter().filter(refused).count()
    }
}

/// One line for each tool, one column for each provider.
pub fn table(judged: &[ProviderAcceptance<'_>], paint: Paint) -> String {
    let mut rows = vec![vec!["tool".to_owned()]];
    rows[0].extend(judged.iter().map(|provider| provider.provider.to_string()));
    for (index, tool) in judged
        .first()
        .into_iter()
        .flat_map(|provider| &provider.tools)
        .enumerate()
    {
        let mut row = vec![visible(tool.tool).into_owned()];
        row.extend(
            judged
                .iter()
                .map(|provider| provider.tools[index].acceptance.as_str().to_owned()),
        );
        rows.push(row);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..=judged.len()).map(width).collect();
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let space = " ".repeat(width - cell.chars().count() + 2);
            let painted = match cell.as_str() {
                cell if number == 0 || column == 0 => paint.bold(cell),
                "changed" => paint.warning(cell),
                "impossible" => paint.error(cell),
                cell => cell.to_owned(),
            };
            line.push_str(&painted);
            line.push_str(&space);
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text.push('\n');
    text
}

/// Why tools are changed or impossible: one line for what several providers have in common, and an empty one at the end.
pub fn reasons(judged: &[ProviderAcceptance<'_>], paint: Paint) -> String {
    let mut found: Vec<(&str, &Note<'_>, Vec<&str>)> = Vec::new();
    let mut places: HashMap<(&str, &str), usize> = HashMap::new();
    let count = judged.first().map_or(0, |provider| provider.tools.len());
    for index in 0..count {
        for provider in judged {
            let tool = &provider.tools[index];
            for note in &tool.notes {
                let place = *places.entry((tool.tool, note.reason)).or_insert_with(|| {
                    found.push((tool.tool, note, Vec::new()));
                    found.len() - 1
                });
                let providers = &mut found[place].2;
                if !providers.contains(&provider.provider.as_str()) {
                    providers.push(provider.provider.as_str());
                }
            }
        }
    }
    let mut text = String::new();
    for (tool, note, providers) in &found {
        let head = paint.note(&format!("{}[{}]", note.change.as_str(), providers.join(", ")));
        let _ = writeln!(text, "{head}: {}", visible(&format!("{tool}: {}", note.reason)));
    }
    if !found.is_empty() {
        text.push('\n');
    }
    text
}
