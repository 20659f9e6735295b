//! Everything about JSON Schema: judging and mending arguments, and speaking each provider's schema language.
//!
//! Must not know Python, the host or the network.

mod explain;
mod inline;
mod integral;
mod limits;
mod place;
mod pointer;
mod problem;
mod provider;
mod repair;
mod sentence;
mod sha256;
mod suggest;
mod validator;
mod vocabulary;
mod wire_name;

pub use provider::{export, refusals, wire_names};
pub use wire_name::WireNames;
