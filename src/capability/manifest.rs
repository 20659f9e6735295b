//! Owns reading `capability.yaml`: what it must say, what it may say, and what is wrong with it, by line.
//!
//! A fault in what every capability must say costs the capability; any other costs the thing that it is in. Unknown keys
//! are ignored, as the format's own documents promise.

use super::checks::{self, Check};
use super::flags::{self, Flag};
use super::secrets::{self, Secret};
use super::servers;
use super::surroundings::Surroundings;
use super::walk::MANIFEST;
use super::yaml::{self, Node, Value};
use crate::diagnostic::{Diagnostic, DiagnosticCode, Severity};
use crate::model::ServerDefinition;
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};

/// The version of the format that is read.
const SCHEMA: i64 = 1;

/// A directory with a manifest, as the manifest describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Capability {
    /// The directory, resolved.
    pub root: PathBuf,
    /// Its name, in lower case with dashes.
    pub name: String,
    /// Its version: three numbers.
    pub version: String,
    /// What it is for.
    pub description: String,
    /// How its flags stand.
    pub flags: Vec<Flag>,
    /// What its environment should pass before it is used.
    pub checks: Vec<Check>,
    /// What it needs installed.
    pub dependencies: Dependencies,
    /// The secrets that it needs.
    pub secrets: Vec<Secret>,
    /// The MCP servers that it brings, those behind flags that are off included.
    pub servers: Vec<ServerDefinition>,
    pub(super) tools: Tools,
}

/// Which files of a capability are its tool files.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Tools {
    /// All below `tools/`.
    All,
    /// None at all.
    Off,
    /// These files and folders, with the lines that list them.
    Listed(Vec<(String, u32)>),
}

/// What a capability needs installed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Dependencies {
    /// Python packages, as requirements.
    pub python: Vec<String>,
    /// System packages.
    pub packages: Vec<String>,
    /// Scripts inside the capability, relative to it.
    pub scripts: Vec<String>,
}

impl Capability {
    /// The variables that are set before the capability's first file is imported.
    #[must_use]
    pub fn environment(&self) -> Vec<(String, String)> {
        let root = ("CAPABILITY_ROOT".to_owned(), self.root.to_string_lossy().into_owned());
        let mut variables = vec![root];
        variables.extend(flags::variables(&self.name, &self.flags));
        variables
    }

    /// The file that describes it.
    #[must_use]
    pub fn manifest(&self) -> PathBuf {
        self.root.join(MANIFEST)
    }

    /// The secrets that the capability needs and does not have.
    pub fn missing_secrets(&self) -> impl Iterator<Item = &Secret> {
        self.secrets
            .iter()
            .filter(|secret| !secret.is_present && !secret.is_optional)
    }

    /// Its flags, each with the name of the capability.
    pub(super) fn flag_places(&self) -> impl Iterator<Item = (String, String)> {
        self.flags
            .iter()
            .map(|flag| (self.name.clone(), flag.declaration.name.clone()))
    }

    /// Whether a flag of this name is on.
    #[must_use]
    pub fn is_on(&self, flag: &str) -> bool {
        self.flags
            .iter()
            .any(|known| known.declaration.name == flag && known.is_on)
    }

    /// The MCP servers that no flag holds back.
    pub fn active_servers(&self) -> impl Iterator<Item = &ServerDefinition> {
        self.servers.iter().filter(|server| match &server.when {
            None => true,
            Some(flags) => flags.iter().any(|flag| self.is_on(flag)),
        })
    }
}

/// What is found while a manifest is read.
pub(super) struct Reading<'a> {
    path: &'a Path,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Reading<'a> {
    /// Begins to read a file.
    pub fn of(path: &'a Path) -> Self {
        Self {
            path,
            diagnostics: Vec::new(),
        }
    }

    /// What was found.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.diagnostics
    }

    /// Something on a line cannot be used.
    pub fn fault(&mut self, line: u32, message: String) {
        let mut diagnostic = self.finding(Severity::Error, message);
        diagnostic.line = Some(line).filter(|line| *line > 0);
        self.diagnostics.push(diagnostic);
    }

    /// Something outside of the manifest makes it mean less than somebody wanted.
    pub fn warn(&mut self, message: String) {
        let diagnostic = self.finding(Severity::Warning, message);
        self.diagnostics.push(diagnostic);
    }

    fn finding(&self, severity: Severity, message: String) -> Diagnostic {
        Diagnostic::new(DiagnosticCode::ManifestInvalid, severity, message).at(self.path)
    }
}

/// Reads the manifest of the capability in a resolved directory.
pub(super) fn read(root: &Path, surroundings: &Surroundings) -> (Option<Capability>, Vec<Diagnostic>) {
    let path = root.join(MANIFEST);
    let mut reading = Reading::of(&path);
    let capability = read_file(&path, &mut reading).and_then(|node| read_root(root, &node, surroundings, &mut reading));
    (capability, reading.diagnostics)
}

fn read_file(path: &Path, reading: &mut Reading<'_>) -> Option<Node> {
    let text = match fs::read(path).map(String::from_utf8) {
        Ok(Ok(text)) => text,
        Ok(Err(_)) => {
            reading.fault(0, "the manifest is not UTF-8 text".to_owned());
            return None;
        }
        Err(error) => {
            reading.fault(0, format!("the manifest cannot be read: {error}"));
            return None;
        }
    };
    match yaml::parse(&text) {
        Ok(node) => Some(node),
        Err(error) => {
            reading.fault(
                error.line.unwrap_or(0),
                format!("the manifest is not YAML: {}", error.message),
            );
            None
        }
    }
}

fn read_root(root: &Path, node: &Node, surroundings: &Surroundings, reading: &mut Reading<'_>) -> Option<Capability> {
    if node.map().is_none() {
        reading.fault(node.line, format!("the manifest is {}, not a mapping", node.kind()));
        return None;
    }
    let schema = required(node, "schema", reading).filter(|schema| {
        let is_known = schema.value == Value::Integer(SCHEMA);
        if !is_known {
            reading.fault(
                schema.line,
                format!("'schema' is not {SCHEMA}, the one version that is known"),
            );
        }
        is_known
    });
    let name = required_text(node, "name", is_name, "lower-case letters, digits and dashes", reading);
    let version = required_text(node, "version", is_version, "three numbers such as \"1.0.0\"", reading);
    let description = required_text(node, "description", |_| true, "a text", reading);
    // All of them are looked at before any is missed, so that an author sees every fault at once.
    let (_, name, version, description) = (schema?, name?, version?, description?);
    let declarations = flags::read(node.get("flags"), reading);
    let flag_names: Vec<&str> = declarations.iter().map(|flag| flag.name.as_str()).collect();
    let servers = servers::read(root, node.get("mcp"), &flag_names, reading);
    Some(Capability {
        flags: flags::resolve(&name, declarations, surroundings, reading),
        tools: read_tools(node.get("tools"), reading),
        checks: checks::read(node.get("checks"), reading),
        dependencies: read_dependencies(node.get("dependencies"), reading),
        secrets: secrets::read(node.get("secrets"), surroundings, reading),
        servers,
        root: root.to_owned(),
        name,
        version,
        description,
    })
}

fn required<'a>(node: &'a Node, key: &str, reading: &mut Reading<'_>) -> Option<&'a Node> {
    let found = node.get(key);
    if found.is_none() {
        reading.fault(node.line, format!("the required field '{key}' is missing"));
    }
    found
}

fn required_text(
    node: &Node,
    key: &str,
    is_valid: fn(&str) -> bool,
    wanted: &str,
    reading: &mut Reading<'_>,
) -> Option<String> {
    let field = required(node, key, reading)?;
    if let Some(text) = field.text().filter(|text| is_valid(text)) {
        return Some(text.to_owned());
    }
    let found = field
        .text()
        .map_or_else(|| field.kind().to_owned(), |text| format!("{text:?}"));
    reading.fault(field.line, format!("'{key}' is {found}, not {wanted}"));
    None
}

fn is_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    name.as_bytes().first().is_some_and(|first| is_plain(*first))
        && name.bytes().all(|byte| is_plain(byte) || byte == b'-')
}

fn is_version(version: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    version.split('.').count() == 3 && version.split('.').all(is_number)
}

fn read_tools(node: Option<&Node>, reading: &mut Reading<'_>) -> Tools {
    match node {
        None => Tools::All,
        Some(node) if node.list().is_some_and(<[Node]>::is_empty) => Tools::Off,
        Some(node) => Tools::Listed(texts(node, "tools", reading)),
    }
}

/// The texts of a list, with their lines; other items and other things than lists are faults.
fn texts(node: &Node, field: &str, reading: &mut Reading<'_>) -> Vec<(String, u32)> {
    let Some(items) = node.list() else {
        reading.fault(node.line, format!("'{field}' is {}, not a list of texts", node.kind()));
        return Vec::new();
    };
    items
        .iter()
        .filter_map(|item| {
            if let Some(text) = item.text() {
                return Some((text.to_owned(), item.line));
            }
            reading.fault(item.line, format!("'{field}' holds {}, not only texts", item.kind()));
            None
        })
        .collect()
}

fn read_dependencies(node: Option<&Node>, reading: &mut Reading<'_>) -> Dependencies {
    let Some(node) = node else {
        return Dependencies::default();
    };
    if node.map().is_none() {
        reading.fault(node.line, format!("'dependencies' is {}, not a mapping", node.kind()));
    }
    let mut listed = |key: &str| -> Vec<(String, u32)> {
        let field = format!("dependencies.{key}");
        node.get(key).map_or_else(Vec::new, |node| texts(node, &field, reading))
    };
    let plain = |texts: Vec<(String, u32)>| texts.into_iter().map(|(text, _)| text).collect();
    let (python, packages, scripts) = (listed("python"), listed("packages"), listed("scripts"));
    let scripts = scripts
        .into_iter()
        .filter(|(script, line)| {
            let stays = stays_inside(script);
            if !stays {
                reading.fault(*line, format!("the script {script:?} leaves the capability"));
            }
            stays
        })
        .collect();
    Dependencies {
        python: plain(python),
        packages: plain(packages),
        scripts: plain(scripts),
    }
}

/// Whether a relative path stays below where it starts, as far as its text tells.
pub(super) fn stays_inside(path: &str) -> bool {
    use std::path::Component;

    let mut depth = 0_usize;
    for component in Path::new(path).components() {
        match component {
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::ParentDir if depth > 0 => depth -= 1,
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return false,
        }
    }
    true
}
