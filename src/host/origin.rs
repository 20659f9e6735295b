//! Owns which capability a loaded tool comes from, and the name that it has because of that.
//!
//! Must not decide which name a tool is listed under; the catalog does.

use crate::capability::{NoWireName, wire_name};
use crate::model::ToolDefinition;
use crate::runner::SourceFiles;
use std::collections::HashMap;
use std::path::PathBuf;

/// Which capability each tool file belongs to.
#[derive(Debug, Default)]
pub struct Origins(HashMap<PathBuf, String>);

/// The capability or the MCP server that a tool comes from.
#[derive(Debug, Clone)]
pub struct Origin {
    /// The capability's name.
    pub capability: String,
    /// The tool's name with the capability's in front: `capability__tool`.
    pub namespaced: Result<String, NoWireName>,
}

impl Origins {
    /// Reads them off the sources that are about to be loaded.
    pub fn of(sources: &[SourceFiles]) -> Self {
        let owned = sources
            .iter()
            .filter_map(|source| Some((source, source.capability.as_ref()?)));
        Self(
            owned
                .flat_map(|(source, name)| source.files.iter().map(|file| (file.clone(), name.clone())))
                .collect(),
        )
    }

    /// The origin of a tool, if it is a capability or a server.
    pub fn find(&self, definition: &ToolDefinition) -> Option<Origin> {
        let capability = match &definition.source.server {
            // A server is a namespace of its own, as a capability is.
            Some(server) => server.clone(),
            None => self.0.get(definition.source.path.as_ref()?)?.clone(),
        };
        Some(Origin {
            namespaced: wire_name(&[&capability], &definition.name),
            capability,
        })
    }
}
