//! Owns the MCP servers that a capability brings: in its manifest, and in `.mcp.json` or `mcp.json`.
//!
//! Must not start any. `${CAPABILITY_ROOT}` is resolved here; other variables when a server is started, so that what is
//! kept of a definition holds no secrets.

use super::manifest::{Reading, stays_inside};
use super::yaml::{self, Node, Value};
use crate::diagnostic::Diagnostic;
use crate::model::{HttpHeader, ServerDefinition, Transport};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Where servers are looked for if the manifest says nothing of them.
const FILES: [&str; 2] = [".mcp.json", "mcp.json"];
const ROOT: &str = "${CAPABILITY_ROOT}";

/// Reads the servers of a capability; a faulty one costs itself. One in the manifest wins over one in a file.
pub(super) fn read(
    root: &Path,
    node: Option<&Node>,
    flags: &[&str],
    reading: &mut Reading<'_>,
) -> Vec<ServerDefinition> {
    let mut servers = BTreeMap::new();
    let Some(node) = node else {
        for file in FILES {
            read_file(root, file, &mut servers, reading);
        }
        return servers.into_values().collect();
    };
    if node.map().is_none() {
        reading.fault(node.line, format!("'mcp' is {}, not a mapping", node.kind()));
    }
    for file in node.get("files").and_then(Node::list).unwrap_or_default() {
        match file.text() {
            Some(path) if stays_inside(path) && root.join(path).is_file() => {
                read_file(root, path, &mut servers, reading);
            }
            Some(path) if stays_inside(path) => reading.fault(file.line, format!("there is no file {path:?}")),
            Some(path) => reading.fault(file.line, format!("the file {path:?} is outside of the capability")),
            None => reading.fault(file.line, format!("'mcp.files' holds {}, not only texts", file.kind())),
        }
    }
    for (name, entry) in node.get("servers").and_then(Node::map).unwrap_or_default() {
        let when = match read_when(entry.get("when"), flags) {
            Ok(when) => when,
            Err(message) => {
                reading.fault(entry.line, format!("the MCP server {name:?} {message}"));
                continue;
            }
        };
        insert(root, name, entry, when, &mut servers, reading);
    }
    servers.into_values().collect()
}

/// Reads the servers of a file like `.mcp.json` that belongs to no capability; they run in its folder.
pub(super) fn read_alone(path: &Path) -> (Vec<ServerDefinition>, Vec<Diagnostic>) {
    let root = path.parent().unwrap_or(path);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut reading = Reading::of(path);
    let mut servers = BTreeMap::new();
    read_file(root, &name, &mut servers, &mut reading);
    (servers.into_values().collect(), reading.into_diagnostics())
}

fn read_file(root: &Path, path: &str, servers: &mut BTreeMap<String, ServerDefinition>, reading: &mut Reading<'_>) {
    let Ok(text) = fs::read_to_string(root.join(path)) else {
        if root.join(path).exists() {
            reading.fault(0, format!("the file {path:?} cannot be read as UTF-8 text"));
        }
        return;
    };
    // Every JSON text is YAML, and this reader knows lines.
    let document = match yaml::parse(&text) {
        Ok(document) => document,
        Err(error) => {
            reading.fault(0, format!("the file {path:?} is not JSON: {}", error.message));
            return;
        }
    };
    for (name, entry) in document.get("mcpServers").and_then(Node::map).unwrap_or_default() {
        if entry.get("when").is_some() {
            let message = format!("the MCP server {name:?} in {path:?} has 'when', which only a manifest may have");
            reading.fault(0, message);
            continue;
        }
        insert(root, name, entry, None, servers, reading);
    }
}

fn read_when(node: Option<&Node>, flags: &[&str]) -> Result<Option<Vec<String>>, String> {
    let Some(node) = node else { return Ok(None) };
    let names: Option<Vec<&str>> = node.list().map(|items| items.iter().filter_map(Node::text).collect());
    let Some(names) = names.filter(|names| !names.is_empty()) else {
        return Err("has a 'when' that is no list of flags".to_owned());
    };
    match names.iter().find(|name| !flags.contains(name)) {
        Some(unknown) => Err(format!("waits for the flag {unknown:?}, which is not declared")),
        None => Ok(Some(names.into_iter().map(str::to_owned).collect())),
    }
}

fn insert(
    root: &Path,
    name: &str,
    entry: &Node,
    when: Option<Vec<String>>,
    servers: &mut BTreeMap<String, ServerDefinition>,
    reading: &mut Reading<'_>,
) {
    match read_server(root, name, entry, when) {
        Ok(server) => drop(servers.insert(name.to_owned(), server)),
        Err(message) => reading.fault(entry.line, format!("the MCP server {name:?} {message}")),
    }
}

fn read_server(root: &Path, name: &str, entry: &Node, when: Option<Vec<String>>) -> Result<ServerDefinition, String> {
    let transport = match (entry.get("command"), entry.get("url")) {
        (Some(_), Some(_)) => return Err("has both 'command' and 'url'".to_owned()),
        (None, None) => return Err("has neither 'command' nor 'url'".to_owned()),
        (Some(command), None) => Transport::Stdio {
            command: text(root, command, "command")?,
            arguments: match entry.get("args") {
                None => Vec::new(),
                Some(arguments) => arguments
                    .list()
                    .ok_or("has 'args' that are no list")?
                    .iter()
                    .map(|argument| text(root, argument, "args"))
                    .collect::<Result<_, _>>()?,
            },
            environment: members(entry, "env")?
                .iter()
                .map(|(name, value)| Ok((name.clone(), text(root, value, "env")?)))
                .collect::<Result<_, String>>()?,
            working_directory: match entry.get("cwd") {
                Some(folder) => root.join(text(root, folder, "cwd")?),
                None => root.to_owned(),
            },
        },
        (None, Some(url)) => Transport::Http {
            url: text(root, url, "url")?,
            headers: members(entry, "headers")?
                .iter()
                .map(|(name, value)| read_header(root, name, value))
                .collect::<Result<_, _>>()?,
        },
    };
    Ok(ServerDefinition {
        name: name.to_owned(),
        transport,
        timeout: seconds(entry, "timeout")?,
        start_timeout: seconds(entry, "init_timeout")?,
        when,
    })
}

fn read_header(root: &Path, name: &str, value: &Node) -> Result<HttpHeader, String> {
    let (value, is_optional) = match value.map() {
        None => (Some(value), false),
        Some(_) => (
            value.get("value"),
            value.get("optional").map(|node| &node.value) == Some(&Value::Bool(true)),
        ),
    };
    let value = value.ok_or_else(|| format!("has a header {name:?} without a value"))?;
    Ok(HttpHeader {
        name: name.to_owned(),
        value: text(root, value, "headers")?,
        is_optional,
    })
}

fn members<'a>(entry: &'a Node, key: &str) -> Result<&'a [(String, Node)], String> {
    match entry.get(key) {
        None => Ok(&[]),
        Some(node) => node.map().ok_or_else(|| format!("has '{key}' that is no mapping")),
    }
}

/// A text with the capability's directory in it; numbers and booleans are as good as their text.
fn text(root: &Path, node: &Node, key: &str) -> Result<String, String> {
    match &node.value {
        Value::Text(text) => Ok(text.replace(ROOT, &root.to_string_lossy())),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Float(number) => Ok(number.to_string()),
        Value::Bool(value) => Ok(value.to_string()),
        _ => Err(format!("has {} in '{key}', not a text", node.kind())),
    }
}

fn seconds(entry: &Node, key: &str) -> Result<Option<Duration>, String> {
    let Some(node) = entry.get(key) else { return Ok(None) };
    let seconds = match &node.value {
        #[expect(clippy::cast_precision_loss, reason = "no timeout is that long")]
        Value::Integer(number) => *number as f64,
        Value::Float(number) => *number,
        _ => return Err(format!("has a '{key}' that is no number of seconds")),
    };
    Duration::try_from_secs_f64(seconds)
        .map(Some)
        .map_err(|_| format!("has a '{key}' that is no number of seconds"))
}
