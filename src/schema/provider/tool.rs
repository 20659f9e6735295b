//! Owns the way of one tool from its definition to a provider's words.

use super::notes::Notes;
use super::rewrite::Rewriter;
use super::strict::{self, Reason, Size};
use super::table::{Language, StrictRules, Table};
use super::{Described, refusals, root};
use crate::model::{ExportChange, ExportNote, ExportOptions, Strictness, ToolDefinition};
use crate::schema::{inline, pointer, sentence};
use serde_json::{Map, Value};

/// How many strict tools the request has so far, and how large they are together.
pub(super) type StrictTools = (usize, Size);

/// Describes one tool; `None` if it cannot be described to this provider, which is noted.
pub(super) fn describe(
    definition: &ToolDefinition,
    wire_name: &str,
    table: &'static Table,
    options: ExportOptions,
    strict_tools: &mut StrictTools,
    all_notes: &mut Vec<ExportNote>,
) -> Option<Described> {
    let mut notes = Notes::new(&definition.name);
    if wire_name != definition.name {
        notes.say(ExportChange::Renamed, "", format!("name written as {wire_name}"));
    }
    let is_foreign = definition.source.dialect == "mcp" && !options.adapt_mcp;
    let described = if is_foreign {
        Some(pass_on(definition, table, options, &mut notes))
    } else {
        adapt(definition, table, options, strict_tools, &mut notes)
    };
    let described = described.map(|parameters| {
        let description = description(definition, &parameters.sentences, table, &mut notes);
        (parameters, description)
    });
    all_notes.extend(notes.into_inner());
    let (parameters, description) = described?;
    Some(Described {
        name: wire_name.to_owned(),
        description,
        parameters: parameters.schema,
        output: output(definition, table, options, is_foreign),
        annotations: definition.flags.annotations.clone(),
        strict: parameters.strict,
    })
}

struct Parameters {
    schema: Value,
    /// What the tool's description has to say because its schema cannot.
    sentences: Vec<String>,
    strict: Option<bool>,
}

/// The schema of a server's tool, unchanged; the notes say what the provider will make of it.
fn pass_on(definition: &ToolDefinition, table: &Table, options: ExportOptions, notes: &mut Notes<'_>) -> Parameters {
    for refusal in refusals::in_language(table, &table.language, &definition.parameters_schema) {
        let reason = format!("{refusal}; it is passed on as its MCP server gave it");
        notes.say(ExportChange::Unchanged, &refusal.pointer, reason);
    }
    if options.strict == Strictness::Required {
        let reason = "the schema of an MCP server's tool is passed on unchanged".to_owned();
        notes.say(ExportChange::NotStrict, "", reason);
    }
    Parameters {
        schema: definition.parameters_schema.clone(),
        sentences: Vec::new(),
        strict: None,
    }
}

fn adapt(
    definition: &ToolDefinition,
    table: &'static Table,
    options: ExportOptions,
    strict_tools: &mut StrictTools,
    notes: &mut Notes<'_>,
) -> Option<Parameters> {
    let wanted = match options.strict {
        Strictness::AsDeclared => definition.flags.strict,
        Strictness::WherePossible | Strictness::Required => true,
    };
    match &table.strict {
        Some(rules) if wanted => match strict(definition, table, rules, strict_tools, notes) {
            Ok(parameters) => return Some(parameters),
            Err(reasons) => {
                for reason in reasons {
                    notes.say(ExportChange::NotStrict, &reason.pointer, reason.text);
                }
            }
        },
        None if options.strict == Strictness::Required => {
            notes.say(
                ExportChange::NotStrict,
                "",
                format!("{} has no strict schemas", table.name),
            );
        }
        _ => {}
    }
    let (root, sentences) = write(definition, table, &table.language, options.keep_references, notes)?;
    Some(Parameters {
        schema: Value::Object(root),
        sentences,
        strict: (wanted && table.strict.is_some()).then_some(false),
    })
}

/// The strict schema, or the reasons against it.
fn strict(
    definition: &ToolDefinition,
    table: &'static Table,
    rules: &'static StrictRules,
    strict_tools: &mut StrictTools,
    notes: &mut Notes<'_>,
) -> Result<Parameters, Vec<Reason>> {
    let no_more = || Reason::whole(format!("{} accepts no more strict schemas in one request", table.name));
    let least = (strict_tools.0 + 1, strict_tools.1.plus(Size::at_least(definition)));
    if least.0 > rules.together.tools || !least.1.beyond(&rules.together).is_empty() {
        return Err(vec![no_more()]);
    }
    let mut tried = Notes::new(&definition.name);
    let Some((mut root, sentences)) = write(definition, table, &rules.language, false, &mut tried) else {
        return Err(Vec::new());
    };
    let mut reasons = strict::tighten(&mut root, rules, &mut tried);
    let size = Size::of(&root);
    reasons.extend(size.beyond(&rules.each).into_iter().map(Reason::whole));
    let together = (strict_tools.0 + 1, strict_tools.1.plus(size));
    if together.0 > rules.together.tools || !together.1.beyond(&rules.together).is_empty() {
        reasons.push(no_more());
    }
    if !reasons.is_empty() {
        return Err(reasons);
    }
    *strict_tools = together;
    notes.append(tried);
    Ok(Parameters {
        schema: Value::Object(root),
        sentences,
        strict: Some(true),
    })
}

/// The schema in a language, and what the tool's description has to say because it cannot.
fn write(
    definition: &ToolDefinition,
    table: &Table,
    language: &Language,
    keep_references: bool,
    notes: &mut Notes<'_>,
) -> Option<(Map<String, Value>, Vec<String>)> {
    let is_reference = definition.parameters_schema.get("$ref").is_some();
    let schema = if keep_references && language.keeps_references() && !is_reference {
        definition.parameters_schema.clone()
    } else {
        let inlined = inline::inline(&definition.parameters_schema, language.recursion);
        for reference in inlined.lost {
            let reason = format!("the reference {reference} leads nowhere, so any value is described in its place");
            notes.say(ExportChange::Dropped, "", reason);
        }
        inlined.schema
    };
    let mut root = arguments_object(schema, notes)?;
    rename_parameters(&mut root, table, notes)?;
    let mut sentences = root::flatten(&mut root, language, notes);
    let mut rewriter = Rewriter {
        language,
        notes,
        // Its page promises that every provider sees the schema as it was made.
        keep_titles: definition.source.dialect == "dendrux",
    };
    let (written, more) = rewriter.object(root, None);
    sentences.extend(more);
    Some((written, sentences))
}

fn arguments_object(schema: Value, notes: &mut Notes<'_>) -> Option<Map<String, Value>> {
    let reason = match schema {
        Value::Object(root) => match root.get("type") {
            Some(kind) if *kind != "object" => format!("left out, because its arguments are of type {kind}"),
            _ => return Some(root),
        },
        _ => "left out, because its parameters schema is no object".to_owned(),
    };
    notes.say(
        ExportChange::LeftOut,
        "",
        format!("{reason}; every provider wants an object"),
    );
    None
}

/// Gives parameters names that the provider accepts. Calls under the new names are repaired, which a closed object
/// makes sure of: it refuses them first.
fn rename_parameters(root: &mut Map<String, Value>, table: &Table, notes: &mut Notes<'_>) -> Option<()> {
    let (Some(rule), Some(Value::Object(properties))) = (table.parameter_names, root.get("properties")) else {
        return Some(());
    };
    let refused: Vec<String> = properties.keys().filter(|name| !rule.accepts(name)).cloned().collect();
    for name in refused {
        let new = rule.rewrite(&name).into_owned();
        let is_closed = root.get("additionalProperties").is_some_and(|open| open == false);
        let Some(Value::Object(properties)) = root.get_mut("properties") else {
            return Some(());
        };
        if !is_closed || properties.contains_key(&new) {
            let reason = format!(
                "left out, because {} does not accept the parameter name {name:?}",
                table.name
            );
            notes.say(ExportChange::LeftOut, "", reason);
            return None;
        }
        *properties = std::mem::take(properties)
            .into_iter()
            .map(|(key, schema)| {
                if key == name {
                    (new.clone(), schema)
                } else {
                    (key, schema)
                }
            })
            .collect();
        for required in root
            .get_mut("required")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            if *required == name {
                *required = new.as_str().into();
            }
        }
        let place = pointer::join("/properties", &name);
        notes.say(
            ExportChange::Renamed,
            &place,
            format!("parameter {name} written as {new}"),
        );
    }
    Some(())
}

/// The tool's description with what its schema cannot say, within the provider's limit.
fn description(definition: &ToolDefinition, sentences: &[String], table: &Table, notes: &mut Notes<'_>) -> String {
    let whole = sentence::append(&definition.description, sentences);
    let Some(limit) = table.description_limit else {
        return whole;
    };
    let characters = whole.chars().count();
    if characters <= limit {
        return whole;
    }
    // The rules are worth more than the end of the prose, unless they are most of it.
    let rules: usize = sentences.iter().map(|sentence| sentence.chars().count() + 1).sum();
    let short = if rules < limit / 2 {
        sentence::append(&sentence::cut(&definition.description, limit - rules), sentences)
    } else {
        sentence::cut(&whole, limit)
    };
    let reason = format!("description {characters} → {}", short.chars().count());
    notes.say(ExportChange::Shortened, "", reason);
    short
}

/// The schema of the value, where the provider takes one.
fn output(definition: &ToolDefinition, table: &Table, options: ExportOptions, is_foreign: bool) -> Option<Value> {
    let schema = definition.output_schema.as_ref().filter(|_| table.output_schemas)?;
    Some(if is_foreign || options.keep_references {
        schema.clone()
    } else {
        inline::inline(schema, table.language.recursion).schema
    })
}
