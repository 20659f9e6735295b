//! Owns reaching a server over streamable HTTP.
//!
//! Must not follow a redirect to another origin: headers may hold secrets.

use super::connection::StartProblem;
use reqwest::header::{HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, StatusCode};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::common::client_side_sse::SseRetryPolicy;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

const MAX_REDIRECTS: usize = 10;
/// The pauses before a broken stream is taken up again.
const RECONNECT_PAUSES: [Duration; 3] = [
    Duration::from_millis(100),
    Duration::from_millis(400),
    Duration::from_millis(1500),
];
/// Calls that a server is sent at one time; more wait.
const CONCURRENT_REQUESTS: usize = 256;

/// The way to a server. Nothing is sent yet.
pub fn transport(
    url: &str,
    headers: &[(String, String)],
) -> Result<StreamableHttpClientTransport<Client>, StartProblem> {
    let headers: HashMap<HeaderName, HeaderValue> = headers
        .iter()
        .map(|(name, value)| {
            let parsed = name.parse::<HeaderName>().ok().zip(value.parse::<HeaderValue>().ok());
            parsed.ok_or_else(|| StartProblem::new(format!("its header {name:?} cannot be sent")))
        })
        .collect::<Result<_, _>>()?;
    let client = client(url).map_err(|error| StartProblem::new(format!("an HTTP client cannot be made: {error}")))?;
    let mut config = StreamableHttpClientTransportConfig::with_uri(url)
        .max_concurrent_requests(CONCURRENT_REQUESTS)
        .custom_headers(headers);
    config.retry_config = Arc::new(Reconnects);
    Ok(StreamableHttpClientTransport::with_client(client, config))
}

/// A stream that breaks is taken up again a few times: a server that is gone must not keep a call until its deadline.
#[derive(Debug)]
struct Reconnects;

impl SseRetryPolicy for Reconnects {
    fn retry(&self, current_times: usize) -> Option<Duration> {
        RECONNECT_PAUSES.get(current_times).copied()
    }
}

fn client(url: &str) -> reqwest::Result<Client> {
    // The first one wins, whoever installs it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = Client::builder().redirect(Policy::custom(|attempt| {
        let keeps_body = [StatusCode::TEMPORARY_REDIRECT, StatusCode::PERMANENT_REDIRECT].contains(&attempt.status());
        let first = attempt.previous().first();
        let same_origin = first.is_some_and(|first| first.origin() == attempt.url().origin());
        if !keeps_body || !same_origin || attempt.previous().len() > MAX_REDIRECTS {
            attempt.stop()
        } else {
            attempt.follow()
        }
    }));
    // A connection that is kept while its server is restarted fails the next call for nothing.
    let builder = builder.pool_max_idle_per_host(0);
    if url.starts_with("http://") {
        // Certificates are not needed, and the system may have none.
        return builder.tls_certs_only([]).build();
    }
    builder.build()
}
