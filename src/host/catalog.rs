//! Owns all tools by name, and why a name that is written in a file is not among them.
//!
//! A tool is listed under its own name. A tool of a capability is also found under its namespaced name,
//! `capability__tool`, and is listed under that if a tool from elsewhere, found earlier, has its own name. Two tools of
//! one source with one name are a fault: the first stays. A catalog never changes; a reload makes another.

use super::health::CapabilityTool;
use super::origin::{Origin, Origins};
use crate::capability::ToolRules;
use crate::diagnostic::{Diagnostic, DiagnosticCode, Severity};
use crate::error::Error;
use crate::model::{CallPolicy, Provider, ToolDefinition, ToolName, ToolTarget};
use crate::runner::{Loaded, LoadedTool, Runner, ToolKey};
use crate::schema::{ArgumentsValidator, InvalidSchema, WireNames, near, wire_names};
use ahash::RandomState;
use std::collections::HashMap;
use std::sync::Arc;

/// How many names are suggested for an unknown one.
const NEAR_NAMES: usize = 3;

/// One tool of the catalog.
pub struct Entry {
    /// What a model is shown.
    pub definition: Arc<ToolDefinition>,
    /// How its calls are judged and shown.
    pub policy: CallPolicy,
    /// Who runs it.
    pub runner: Arc<dyn Runner>,
    /// What the runner knows it by.
    pub key: ToolKey,
    /// The capability that it comes from.
    pub origin: Option<Origin>,
    /// Judges its arguments where no Python validator does.
    pub validator: Option<ArgumentsValidator>,
}

/// All tools by name.
#[derive(Default)]
pub struct Catalog {
    entries: HashMap<ToolName, Arc<Entry>, RandomState>,
    definitions: Vec<Arc<ToolDefinition>>,
    /// Listed names by namespaced ones.
    namespaced: HashMap<String, ToolName>,
    missing: HashMap<ToolName, Diagnostic>,
    /// As models' providers know the tools, and as the Model Context Protocol does, which allows more.
    wire_names: [WireNames; 2],
}

/// What one runner loaded.
#[derive(Clone)]
pub struct Part {
    /// Who runs the tools.
    pub runner: Arc<dyn Runner>,
    /// The tools and what was found.
    pub loaded: Loaded,
}

/// A catalog, with what was found while it was made.
pub struct Cataloged {
    /// The tools.
    pub catalog: Catalog,
    /// What was found while loading and while making the catalog, in that order.
    pub diagnostics: Vec<Diagnostic>,
}

impl Catalog {
    /// Puts loaded tools that the rules allow under their names; whatever becomes of a tool beyond that is a diagnostic.
    pub fn of(parts: Vec<Part>, origins: &Origins, rules: &ToolRules) -> Cataloged {
        let mut cataloged = Cataloged {
            catalog: Self::default(),
            diagnostics: Vec::new(),
        };
        let mut names = Vec::new();
        let mut tools = Vec::new();
        for Part { runner, loaded } in parts {
            cataloged.diagnostics.extend(loaded.diagnostics);
            tools.extend(loaded.tools.into_iter().map(|tool| (Arc::clone(&runner), tool)));
        }
        for (runner, tool) in tools {
            let origin = origins.find(&tool.definition);
            names.push(tool.definition.name.clone());
            names.extend(origin.iter().filter_map(|origin| origin.namespaced.clone().ok()));
            match cataloged.catalog.add(&runner, tool, origin, rules) {
                Ok(notes) => cataloged.diagnostics.extend(notes),
                Err(diagnostic) => cataloged.diagnostics.push(*diagnostic),
            }
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        cataloged.diagnostics.extend(rules.unmatched(&names).map(unmatched));
        let names = cataloged
            .catalog
            .definitions
            .iter()
            .map(|definition| definition.name.as_str());
        cataloged.catalog.wire_names =
            [Provider::OpenAi, Provider::Mcp].map(|provider| wire_names(provider, names.clone()));
        for diagnostic in &cataloged.diagnostics {
            for name in &diagnostic.tools {
                if !cataloged.catalog.entries.contains_key(name) {
                    cataloged
                        .catalog
                        .missing
                        .entry(name.clone())
                        .or_insert_with(|| diagnostic.clone());
                }
            }
        }
        cataloged
    }

    /// Adds a tool, or says why not; what it returns is worth knowing although nothing was lost.
    fn add(
        &mut self,
        runner: &Arc<dyn Runner>,
        tool: LoadedTool,
        origin: Option<Origin>,
        rules: &ToolRules,
    ) -> Result<Vec<Diagnostic>, Box<Diagnostic>> {
        let LoadedTool {
            key,
            mut definition,
            policy,
        } = tool;
        let namespaced = origin.as_ref().and_then(|origin| origin.namespaced.as_ref().ok());
        let names: Vec<&str> = [&definition.name]
            .into_iter()
            .chain(namespaced)
            .map(String::as_str)
            .collect();
        if !rules.allows(&names) {
            return Err(Box::new(excluded(&definition)));
        }
        let mut notes = Vec::new();
        if let Some(first) = self.entries.get(&definition.name) {
            let capability = |origin: &Option<Origin>| origin.as_ref().map(|origin| origin.capability.clone());
            let elsewhere = capability(&first.origin) != capability(&origin);
            match namespaced.filter(|name| elsewhere && !self.entries.contains_key(*name)) {
                Some(name) => {
                    notes.push(moved(&definition, &first.definition, name));
                    definition.name.clone_from(name);
                }
                None => return Err(Box::new(duplicate(&definition, first, origin.as_ref()))),
            }
        }
        // What the application runs never reaches a Python validator.
        let validator = if policy.validate_by_schema || definition.flags.target == ToolTarget::Client {
            match ArgumentsValidator::compile(&definition.parameters_schema) {
                Ok(validator) => Some(validator),
                // The server judges its arguments itself.
                Err(reason) if definition.source.server.is_some() => {
                    notes.push(unjudged(&definition, &reason));
                    None
                }
                Err(reason) => return Err(Box::new(unusable(&definition, &reason))),
            }
        } else {
            None
        };
        let definition = Arc::new(definition);
        self.definitions.push(Arc::clone(&definition));
        let name = definition.name.clone();
        if let Some(namespaced) = namespaced {
            self.namespaced
                .entry(namespaced.clone())
                .or_insert_with(|| name.clone());
        }
        self.entries.insert(
            name,
            Arc::new(Entry {
                definition,
                policy,
                runner: Arc::clone(runner),
                key,
                origin,
                validator,
            }),
        );
        Ok(notes)
    }

    /// The tool of that name, which may also be its namespaced name or the name that a provider knows it by.
    ///
    /// # Errors
    /// [`Error::ToolNotLoaded`] if a file defines it but was not loaded, else [`Error::UnknownTool`] with near names.
    pub fn find(&self, name: &str) -> Result<&Arc<Entry>, Error> {
        let namespaced = || self.namespaced.get(name).and_then(|listed| self.entries.get(listed));
        let real = || {
            let real = self.wire_names.iter().find_map(|names| names.real(name));
            real.and_then(|real| self.entries.get(real))
        };
        self.entries
            .get(name)
            .or_else(namespaced)
            .or_else(real)
            .ok_or_else(|| match self.missing.get(name) {
                Some(diagnostic) => Error::ToolNotLoaded {
                    name: name.to_owned(),
                    diagnostic: Box::new(diagnostic.clone()),
                },
                None => Error::UnknownTool {
                    name: name.to_owned(),
                    near: self.near(name),
                },
            })
    }

    fn near(&self, name: &str) -> Vec<String> {
        let names = self.definitions.iter().map(|definition| definition.name.as_str());
        near(name, names, NEAR_NAMES).into_iter().map(str::to_owned).collect()
    }

    /// Every definition, in the order of sources, files and definitions.
    pub fn definitions(&self) -> &[Arc<ToolDefinition>] {
        &self.definitions
    }

    /// The tools of a capability, in the order of files and definitions.
    pub fn tools_of(&self, capability: &str) -> Vec<CapabilityTool> {
        let entries = self
            .definitions
            .iter()
            .filter_map(|definition| self.entries.get(&definition.name));
        let origins = entries.filter_map(|entry| Some((entry, entry.origin.as_ref()?)));
        origins
            .filter(|(_, origin)| origin.capability == capability)
            .map(|(entry, origin)| CapabilityTool {
                name: entry.definition.name.clone(),
                namespaced_name: origin.namespaced.clone().ok(),
            })
            .collect()
    }

    /// Every entry, in no order.
    pub fn entries(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.entries.values()
    }
}

fn place(definition: &ToolDefinition) -> String {
    let path = definition
        .source
        .path
        .as_ref()
        .map(|path| path.display().to_string())
        .or_else(|| {
            definition
                .source
                .server
                .as_ref()
                .map(|server| format!("the MCP server {server:?}"))
        })
        .unwrap_or_else(|| definition.source.dialect.clone());
    definition
        .source
        .line
        .map_or_else(|| path.clone(), |line| format!("{path}:{line}"))
}

fn at_definition(mut diagnostic: Diagnostic, definition: &ToolDefinition) -> Diagnostic {
    diagnostic.path.clone_from(&definition.source.path);
    diagnostic.line = definition.source.line;
    diagnostic
}

fn duplicate(loser: &ToolDefinition, winner: &Entry, origin: Option<&Origin>) -> Diagnostic {
    let mut message = format!(
        "the tool {:?} is already defined at {}, which is offered",
        loser.name,
        place(&winner.definition)
    );
    if let Some(Err(reason)) = origin.map(|origin| &origin.namespaced) {
        message = format!("{message}, and it has no name beside its own: {reason}");
    }
    let diagnostic = Diagnostic::new(DiagnosticCode::DuplicateTool, Severity::Error, message);
    at_definition(diagnostic, loser).hint("rename one of the two")
}

fn moved(definition: &ToolDefinition, winner: &ToolDefinition, name: &str) -> Diagnostic {
    let message = format!(
        "the tool {:?} is offered as {name:?}, since {} defines a tool of its name, too",
        definition.name,
        place(winner)
    );
    at_definition(
        Diagnostic::new(DiagnosticCode::DuplicateTool, Severity::Info, message),
        definition,
    )
}

fn excluded(definition: &ToolDefinition) -> Diagnostic {
    let message = format!("the tool {:?} is not offered: a rule excludes it", definition.name);
    let mut diagnostic = at_definition(
        Diagnostic::new(DiagnosticCode::ToolExcluded, Severity::Info, message),
        definition,
    );
    diagnostic.tools.push(definition.name.clone());
    diagnostic
}

fn unmatched(pattern: &str) -> Diagnostic {
    let message = format!("the rule {pattern:?} matches no tool");
    Diagnostic::new(DiagnosticCode::RuleUnmatched, Severity::Info, message)
        .hint("a tool of a capability goes by its own name and by capability__tool")
}

fn unjudged(definition: &ToolDefinition, reason: &InvalidSchema) -> Diagnostic {
    let server = definition.source.server.as_deref().unwrap_or_default();
    let message = format!(
        "arguments of the tool {:?} are judged by its MCP server {server:?} alone: {reason}",
        definition.name
    );
    Diagnostic::new(DiagnosticCode::ServerToolInvalid, Severity::Warning, message)
}

fn unusable(definition: &ToolDefinition, reason: &InvalidSchema) -> Diagnostic {
    let message = format!("the tool {:?} is left out: {reason}", definition.name);
    let mut diagnostic = at_definition(
        Diagnostic::new(DiagnosticCode::SignatureRejected, Severity::Error, message),
        definition,
    );
    diagnostic.tools.push(definition.name.clone());
    diagnostic
}
