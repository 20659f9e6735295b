//! Owns all tools by name, and why a name that is written in a file is not among them.
//!
//! A catalog never changes; a reload makes another.

use crate::diagnostic::{Diagnostic, DiagnosticCode, Severity};
use crate::error::Error;
use crate::model::{CallPolicy, Provider, ToolDefinition, ToolName};
use crate::runner::{Loaded, LoadedTool, ToolKey};
use crate::schema::{ArgumentsValidator, InvalidSchema, WireNames, near, wire_names};
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
    /// What the runner knows it by.
    pub key: ToolKey,
    /// Judges its arguments where no Python validator does.
    pub validator: Option<ArgumentsValidator>,
}

/// All tools by name.
#[derive(Default)]
pub struct Catalog {
    entries: HashMap<ToolName, Arc<Entry>>,
    definitions: Vec<Arc<ToolDefinition>>,
    missing: HashMap<ToolName, Diagnostic>,
    wire_names: WireNames,
}

/// A catalog, with what was found while it was made.
pub struct Cataloged {
    /// The tools.
    pub catalog: Catalog,
    /// What was found while loading and while making the catalog, in that order.
    pub diagnostics: Vec<Diagnostic>,
    /// Loaded tools that are not in the catalog.
    pub left_out: Vec<ToolKey>,
}

impl Catalog {
    /// Puts loaded tools under their names; the first of a name stays, every other is a diagnostic.
    pub fn of(loaded: Loaded) -> Cataloged {
        let mut cataloged = Cataloged {
            catalog: Self::default(),
            diagnostics: loaded.diagnostics,
            left_out: Vec::new(),
        };
        for tool in loaded.tools {
            let key = tool.key;
            if let Err(diagnostic) = cataloged.catalog.add(tool) {
                cataloged.diagnostics.push(*diagnostic);
                cataloged.left_out.push(key);
            }
        }
        let names = cataloged
            .catalog
            .definitions
            .iter()
            .map(|definition| definition.name.as_str());
        cataloged.catalog.wire_names = wire_names(Provider::OpenAi, names);
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

    fn add(&mut self, tool: LoadedTool) -> Result<(), Box<Diagnostic>> {
        let LoadedTool {
            key,
            definition,
            policy,
        } = tool;
        if let Some(first) = self.entries.get(&definition.name) {
            return Err(Box::new(duplicate(&definition, &first.definition)));
        }
        let validator = if policy.validate_by_schema {
            Some(
                ArgumentsValidator::compile(&definition.parameters_schema)
                    .map_err(|reason| unusable(&definition, &reason))?,
            )
        } else {
            None
        };
        let definition = Arc::new(definition);
        self.definitions.push(Arc::clone(&definition));
        let name = definition.name.clone();
        self.entries.insert(
            name,
            Arc::new(Entry {
                definition,
                policy,
                key,
                validator,
            }),
        );
        Ok(())
    }

    /// The tool of that name, which may also be the name that a provider knows it by.
    ///
    /// # Errors
    /// [`Error::ToolNotLoaded`] if a file defines it but was not loaded, else [`Error::UnknownTool`] with near names.
    pub fn find(&self, name: &str) -> Result<&Arc<Entry>, Error> {
        let real = || self.wire_names.real(name).and_then(|real| self.entries.get(real));
        self.entries
            .get(name)
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

    /// What the runner knows the tools by.
    pub fn keys(&self) -> Vec<ToolKey> {
        self.entries.values().map(|entry| entry.key).collect()
    }
}

fn place(definition: &ToolDefinition) -> String {
    let path = definition
        .source
        .path
        .as_ref()
        .map_or_else(|| definition.source.dialect.clone(), |path| path.display().to_string());
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

fn duplicate(loser: &ToolDefinition, winner: &ToolDefinition) -> Diagnostic {
    let message = format!(
        "the tool {:?} is already defined at {}, which is offered",
        loser.name,
        place(winner)
    );
    let diagnostic = Diagnostic::new(DiagnosticCode::DuplicateTool, Severity::Error, message);
    at_definition(diagnostic, loser).hint("rename one of the two")
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
