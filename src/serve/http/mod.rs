//! Owns the HTTP door: MCP, a JSON API, its description, metrics and a page to try tools on.
//!
//! What happens to a request, in order: `connections` reads its head, `guard` says who may ask, `answering` limits how
//! many are answered at one time, `body` reads the rest, and `api` or MCP's service answers. Must not run tools by itself:
//! the host does.

mod answering;
mod api;
mod body;
mod connections;
mod document;
mod door;
mod guard;
mod page;
mod refusal;
mod sessions;
mod settings;
mod stream;

pub use door::{Door, bind};
pub use settings::{HttpSettings, TOKEN_VARIABLE, Token};

use super::metrics::Metrics;
use crate::error::Result;
use crate::host::Host;
use std::future::Future;
use std::sync::Arc;

/// Serves the host's tools until `shutdown` comes, and then until the requests in flight are answered or the grace is
/// over. The host stays open.
///
/// # Errors
/// As [`bind`] and [`Door::serve`].
pub async fn serve(host: Host, settings: HttpSettings, shutdown: impl Future<Output = ()>) -> Result<()> {
    bind(settings)?
        .serve(host, Arc::new(Metrics::default()), shutdown)
        .await
}
