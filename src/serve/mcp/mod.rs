//! The tools as an MCP server, whatever carries the messages.
//!
//! The protocol itself is rmcp's; here stands what a host's tools mean in it.

mod answer;
mod listing;
mod logging;
mod progress;
mod server;

pub use listing::Listings;
pub use server::McpServer;

use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use std::sync::Arc;

/// The streamable HTTP service over a host's tools; each session gets a server of its own.
///
/// Hosts and origins are checked by whoever lets requests in.
#[must_use]
pub fn service(
    listings: Arc<Listings>,
    sessions: Arc<LocalSessionManager>,
    config: StreamableHttpServerConfig,
) -> StreamableHttpService<McpServer, LocalSessionManager> {
    StreamableHttpService::new(move || Ok(McpServer::new(Arc::clone(&listings))), sessions, config)
}
