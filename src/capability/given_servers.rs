//! Owns what somebody means who names an MCP server beside the sources: an address, a file of servers, or a command.
//!
//! Must not start any.

use super::servers;
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::model::{ServerDefinition, Transport};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A server that belongs to no capability.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenServer {
    /// How it is reached.
    pub definition: ServerDefinition,
    /// The file that defines it, if one does.
    pub path: Option<PathBuf>,
}

/// Whether a path is that of a file of servers.
pub(super) fn is_servers_file(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "json")
}

/// The servers of a file such as `.mcp.json`.
pub(super) fn read_servers(path: &Path) -> (Vec<GivenServer>, Vec<Diagnostic>) {
    let (servers, diagnostics) = servers::read_alone(path);
    let given = |definition| GivenServer {
        definition,
        path: Some(path.to_owned()),
    };
    (servers.into_iter().map(given).collect(), diagnostics)
}

/// The servers that a text names: `http://…`, a path of a file such as `.mcp.json`, or a command with its arguments.
///
/// # Errors
///
/// [`Error::Setting`] if it is none of these.
pub fn servers_of(text: &str, working_directory: &Path) -> Result<(Vec<GivenServer>, Vec<Diagnostic>)> {
    let unusable = |reason: String| Error::Setting { setting: "mcp", reason };
    if let Some((_, rest)) = text
        .split_once("://")
        .filter(|(scheme, _)| ["http", "https"].contains(scheme))
    {
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let transport = Transport::Http {
            url: text.to_owned(),
            headers: Vec::new(),
        };
        return Ok((vec![unnamed(host, transport)], Vec::new()));
    }
    let path = working_directory.join(text);
    if is_servers_file(&path) && !text.contains(' ') {
        if !path.is_file() {
            return Err(unusable(format!("there is no file {text:?}")));
        }
        return Ok(read_servers(&path));
    }
    let words = shlex::split(text).ok_or_else(|| unusable(format!("a quotation in {text:?} has no end")))?;
    let Some((command, arguments)) = words.split_first() else {
        return Err(unusable("an empty text names no server".to_owned()));
    };
    let name = Path::new(command).file_stem().unwrap_or_default().to_string_lossy();
    let transport = Transport::Stdio {
        command: command.clone(),
        arguments: arguments.to_vec(),
        environment: BTreeMap::new(),
        working_directory: working_directory.to_owned(),
    };
    Ok((vec![unnamed(&name, transport)], Vec::new()))
}

fn unnamed(name: &str, transport: Transport) -> GivenServer {
    GivenServer {
        definition: ServerDefinition {
            name: name.to_owned(),
            transport,
            timeout: None,
            start_timeout: None,
            when: None,
        },
        path: None,
    }
}

#[cfg(test)]
mod tests {
    use super::servers_of;
    use crate::model::Transport;
    use std::path::Path;

    #[test]
    fn a_text_is_an_address_or_a_command() {
        let one = |text| servers_of(text, Path::new("/")).map(|(mut servers, _)| servers.remove(0).definition);
        let server = one("https://mcp.example.com/mcp").unwrap();
        assert_eq!(server.name, "mcp.example.com");
        assert!(matches!(server.transport, Transport::Http { url, .. } if url == "https://mcp.example.com/mcp"));
        let server = one("python3 'my server.py' --flag").unwrap();
        assert_eq!(server.name, "python3");
        assert!(
            matches!(server.transport, Transport::Stdio { arguments, .. } if arguments == ["my server.py", "--flag"])
        );
        assert!(one("").is_err() && one("python 'x").is_err() && one("nowhere.json").is_err());
    }
}
