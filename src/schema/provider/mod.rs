//! Owns the description of tools to a model's provider.
//!
//! `table.rs` says in which form a provider's rules are written down; `openai.rs` and its siblings hold one table and one
//! request shape each. The work is the same for all: write references out (`inline.rs`), flatten the top level
//! (`root.rs`), write every schema in the provider's language (`rewrite.rs` with `translate.rs`, `union.rs`, `merge.rs`),
//! make it strict where that is asked for (`strict.rs`). `refusals.rs` checks a finished schema against the table.

mod anthropic;
mod bedrock;
mod gemini;
mod mcp;
mod merge;
mod notes;
mod openai;
mod refusals;
mod rewrite;
mod root;
mod strict;
mod table;
mod tool;
mod translate;
mod union;

use crate::error::{Error, Result};
use crate::model::{Export, ExportChange, ExportNote, ExportOptions, Provider, Strictness, ToolDefinition};
use crate::schema::wire_name::WireNames;
use serde_json::{Map, Value};
use strict::Size;
use table::Table;

pub use refusals::refusals;

/// How many reasons against strict schemas an error tells.
const TOLD_REASONS: usize = 20;

/// A tool in the words of a provider, before it gets the provider's shape.
struct Described {
    name: String,
    description: String,
    parameters: Value,
    output: Option<Value>,
    annotations: Option<Map<String, Value>>,
    /// What is said about strictness; `None` says nothing.
    strict: Option<bool>,
}

/// Describes tools to a provider, and notes everything that had to be changed.
///
/// # Errors
///
/// Where strict schemas are required and a tool's schema does not allow it: the reasons are listed, tool by tool.
pub fn export<'d>(
    provider: Provider,
    options: &ExportOptions,
    definitions: impl IntoIterator<Item = &'d ToolDefinition>,
) -> Result<Export> {
    let table = table(provider);
    let definitions: Vec<&ToolDefinition> = definitions.into_iter().collect();
    let names = wire_names(provider, definitions.iter().map(|definition| definition.name.as_str()));
    let mut notes: Vec<ExportNote> = Vec::new();
    let mut described: Vec<Described> = Vec::with_capacity(definitions.len());
    let mut strict_tools = (0, Size::default());
    for definition in definitions {
        let name = names.wire(&definition.name).unwrap_or(&definition.name);
        described.extend(tool::describe(
            definition,
            name,
            table,
            *options,
            &mut strict_tools,
            &mut notes,
        ));
    }
    refuse_loose(*options, table, &notes)?;
    let count = described.len();
    for (index, tool) in described.iter().enumerate().skip(table.tool_limit.unwrap_or(count)) {
        let limit = table.tool_limit.unwrap_or(count);
        notes.push(ExportNote {
            tool: names.real(&tool.name).unwrap_or_default().to_owned(),
            pointer: String::new(),
            change: ExportChange::Unchanged,
            reason: format!(
                "it is tool {} of {count}, and {} accepts at most {limit}",
                index + 1,
                table.name
            ),
        });
    }
    Ok(Export {
        tools: shape(provider, described),
        notes,
    })
}

/// The names under which a provider knows tools.
pub fn wire_names<'n>(provider: Provider, names: impl IntoIterator<Item = &'n str>) -> WireNames {
    WireNames::new(table(provider).tool_names, names)
}

impl Provider {
    /// Whether the provider has strict schemas at all.
    #[must_use]
    pub fn has_strict_schemas(self) -> bool {
        table(self).strict.is_some()
    }
}

fn refuse_loose(options: ExportOptions, table: &Table, notes: &[ExportNote]) -> Result<()> {
    if options.strict != Strictness::Required {
        return Ok(());
    }
    let loose = notes.iter().filter(|note| note.change == ExportChange::NotStrict);
    let mut reasons: Vec<String> = loose.map(ToString::to_string).collect();
    if reasons.is_empty() {
        return Ok(());
    }
    if reasons.len() > TOLD_REASONS {
        let more = reasons.len() - TOLD_REASONS;
        reasons.truncate(TOLD_REASONS);
        reasons.push(format!("and {more} more"));
    }
    Err(Error::Setting {
        setting: "strict",
        reason: format!("{} does not accept as strict: {}", table.name, reasons.join("; ")),
    })
}

fn table(provider: Provider) -> &'static Table {
    match provider {
        Provider::OpenAi | Provider::OpenAiResponses => &openai::TABLE,
        Provider::Anthropic => &anthropic::TABLE,
        Provider::Gemini => &gemini::TABLE,
        Provider::Bedrock => &bedrock::TABLE,
        Provider::Mcp => &mcp::TABLE,
    }
}

/// An object with this one member, which is moved there: `json!` would copy it.
fn holding(key: &str, value: impl Into<Value>) -> Map<String, Value> {
    Map::from_iter([(key.to_owned(), value.into())])
}

fn shape(provider: Provider, tools: Vec<Described>) -> Vec<Value> {
    let one: fn(Described) -> Value = match provider {
        Provider::OpenAi => openai::chat_tool,
        Provider::OpenAiResponses => openai::responses_tool,
        Provider::Anthropic => anthropic::tool,
        Provider::Gemini => return gemini::tools(tools),
        Provider::Bedrock => bedrock::tool,
        Provider::Mcp => mcp::tool,
    };
    tools.into_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_sorted_because_they_are_searched() {
        for provider in Provider::ALL {
            let table = table(provider);
            let languages = [
                Some(&table.language),
                table.strict.as_ref().map(|rules| &rules.language),
            ];
            for language in languages.into_iter().flatten() {
                assert!(language.keywords.is_sorted(), "{provider}");
            }
        }
    }
}
