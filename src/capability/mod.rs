//! Owns finding tool files and reading what a capability's manifest says about them.
//!
//! Nothing here runs Python or knows a runner: what is found goes to the host as plain data, and what is wrong as
//! diagnostics. Only a source that cannot be read at all is an error.

mod checks;
mod discovery;
mod flags;
mod given;
mod given_servers;
mod manifest;
mod rules;
mod search;
mod secrets;
mod servers;
mod surroundings;
mod walk;
mod wire_name;
mod yaml;

pub use crate::runner::SourceFiles;
pub use checks::{Check, CheckOutcome};
pub use discovery::{Found, discover};
pub use flags::{Flag, FlagChoices, FlagDeclaration, FlagLayer};
pub use given_servers::{GivenServer, servers_of};
pub use manifest::{Capability, Dependencies};
pub use rules::ToolRules;
pub use search::search_folders;
pub use secrets::Secret;
pub use surroundings::Surroundings;
pub use wire_name::{NoWireName, wire_name};
