//! Owns the doors that serve a host's tools to other processes: MCP and HTTP.
//!
//! Every call goes through [`Metrics::call`](metrics::Metrics::call), so that all doors are counted alike.

pub(crate) mod echo;
pub mod http;
pub mod mcp;
pub mod metrics;
pub mod stdio;
