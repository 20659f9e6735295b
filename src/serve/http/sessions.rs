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
use serde::Deserialize;
use std::borrow::Cow;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Where MCP is served.
pub const PATH: &str = "/mcp";
/// Names the session of a request.
const SESSION_HEADER: &str = "mcp-session-id";
/// The method that opens a session.
const OPENS_SESSION: &str = "initialize";
/// The method that is answered for as long as its client likes.
const NEVER_ENDS: &str = "subscriptions/listen";

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
            // Where a request needs no session, and its answer is all there is to tell.
            .with_json_response(true)
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
        let opens = !request.headers.contains_key(SESSION_HEADER) && asks(request, body, OPENS_SESSION);
        if opens && self.count().await >= self.limit {
            return Err(Refusal::overloaded("too many MCP sessions are open"));
        }
        Ok(())
    }

    /// Whether a request is a stream of changes and no work: it does not count as a request in flight.
    pub fn is_stream(request: &Parts, body: &[u8]) -> bool {
        asks(request, body, NEVER_ENDS)
    }

    /// Ends all of them, and the streams on which they are told of changes.
    pub fn end(&self) {
        self.ending.cancel();
    }
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    method: Cow<'a, str>,
}

/// Whether a request asks for a method. Nearly all bodies are told apart without being parsed.
fn asks(request: &Parts, body: &[u8], method: &str) -> bool {
    request.method == Method::POST
        && request.uri.path() == PATH
        && body.windows(method.len()).any(|part| part == method.as_bytes())
        && serde_json::from_slice::<Message>(body).is_ok_and(|message| message.method == method)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::Request;

    #[test]
    fn a_request_asks_for_its_own_method_only() {
        let of = |method: &str, path: &str| {
            Request::builder()
                .method(method)
                .uri(path)
                .body(())
                .unwrap()
                .into_parts()
                .0
        };
        let post = of("POST", PATH);
        let opens = br#"{"jsonrpc": "2.0", "method": "initialize"}"#;
        assert!(asks(&post, opens, OPENS_SESSION));
        assert!(!asks(&of("GET", PATH), opens, OPENS_SESSION));
        assert!(!asks(&of("POST", "/api/tools/initialize/call"), opens, OPENS_SESSION));
        let calls = br#"{"method": "tools/call", "params": {"arguments": {"a": "initialize subscriptions/listen"}}}"#;
        assert!(!asks(&post, calls, OPENS_SESSION) && !asks(&post, calls, NEVER_ENDS));
        assert!(!asks(&post, b"initialize", OPENS_SESSION));
    }
}
