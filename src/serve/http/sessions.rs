//! Owns the sessions of MCP clients over HTTP: how many there may be, how long they may be idle, and their end.

use super::refusal::Refusal;
use super::settings::HttpSettings;
use crate::host::Host;
use crate::serve::mcp::{self, Listings, McpServer};
use crate::serve::metrics::Metrics;
use axum::http::Method;
use axum::http::request::Parts;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Where MCP is served.
pub const PATH: &str = "/mcp";
/// Names the session of a request.
const SESSION_HEADER: &str = "mcp-session-id";
/// The method of the request that opens a session, as it stands in a body.
const OPENS_SESSION: &[u8] = b"\"initialize\"";

/// The open sessions.
#[derive(Debug)]
pub struct Sessions {
    open: Arc<LocalSessionManager>,
    limit: usize,
    ending: CancellationToken,
}

impl Sessions {
    pub fn new(settings: &HttpSettings) -> Self {
        let mut open = LocalSessionManager::default();
        open.session_config.keep_alive = Some(settings.session_idle);
        Self {
            open: Arc::new(open),
            limit: settings.sessions,
            ending: CancellationToken::new(),
        }
    }

    /// What answers to MCP, for requests that were let in and whose bodies were limited already.
    pub fn service(
        &self,
        host: Host,
        metrics: Arc<Metrics>,
        body_limit: usize,
    ) -> StreamableHttpService<McpServer, LocalSessionManager> {
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_max_request_body_bytes(body_limit)
            .with_cancellation_token(self.ending.clone());
        mcp::service(Listings::new(host, metrics), Arc::clone(&self.open), config)
    }

    /// How many are open.
    pub async fn count(&self) -> usize {
        self.open.sessions.read().await.len()
    }

    /// Refuses a request that would open one session too many.
    pub async fn admit(&self, request: &Parts, body: &[u8]) -> Result<(), Refusal> {
        let may_open = request.method == Method::POST
            && request.uri.path() == PATH
            && !request.headers.contains_key(SESSION_HEADER)
            && body.windows(OPENS_SESSION.len()).any(|part| part == OPENS_SESSION);
        if may_open && self.count().await >= self.limit {
            return Err(Refusal::overloaded("too many MCP sessions are open"));
        }
        Ok(())
    }

    /// Ends all of them, and the streams on which they are told of changes.
    pub fn end(&self) {
        self.ending.cancel();
    }
}
