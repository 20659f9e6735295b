//! Owns what is told when files define other MCP servers than were started. Starts none.

use crate::capability::Found;
use crate::diagnostic::{Diagnostic, DiagnosticCode, Severity};
use crate::model::ServerDefinition;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A server and the file that defines it.
pub type Defined = (PathBuf, ServerDefinition);

/// The servers that files define, and where.
pub fn defined(found: &Found) -> Vec<Defined> {
    let of_capabilities = found.capabilities.iter().flat_map(|capability| {
        capability
            .active_servers()
            .map(|server| (capability.manifest(), server.clone()))
    });
    let alone = found
        .servers
        .iter()
        .filter_map(|given| Some((given.path.clone()?, given.definition.clone())));
    of_capabilities.chain(alone).collect()
}

/// Tells of servers that files define otherwise than when servers were started.
pub fn unlike(started: &[Defined], defined: &[Defined]) -> Vec<Diagnostic> {
    let places = |servers: &[Defined]| -> BTreeSet<(PathBuf, String)> {
        servers
            .iter()
            .map(|(path, server)| (path.clone(), server.name.clone()))
            .collect()
    };
    let (old, new) = (places(started), places(defined));
    let told = |(path, name): &(PathBuf, String)| {
        let of_name = |servers: &[Defined]| -> Vec<ServerDefinition> {
            let named = servers.iter().filter(|(at, server)| at == path && server.name == *name);
            named.map(|(_, server)| server.clone()).collect()
        };
        let (before, after) = (of_name(started), of_name(defined));
        let change = match (before.is_empty(), after.is_empty()) {
            _ if before == after => return None,
            (true, _) => "was added and is not started",
            (_, true) => "was taken away and still runs",
            _ => "was changed and still runs as it was",
        };
        let message = format!("the MCP server \"{name}\" {change}: a reload leaves servers alone");
        let diagnostic = Diagnostic::new(DiagnosticCode::ServerNotStarted, Severity::Warning, message);
        Some(
            diagnostic
                .at(path)
                .hint("make the host anew, or start `pegboard serve` again"),
        )
    };
    old.union(&new).filter_map(told).collect()
}
