//! Owns one client's session: what it asks for, and what it is told.
//!
//! Must not know what carries the messages.
#![expect(
    deprecated,
    reason = "clients of the protocol's earlier versions set a logging level"
)]

use super::answer;
use super::listing::Listings;
use super::logging::Threshold;
use super::progress;
use crate::error::Error;
use crate::model::{Call, LogLine, Outcome};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ErrorCode, Implementation, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerConfig, SetLevelRequestParams, SubscriptionFilter,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, Peer, RoleServer, ServerHandler};
use serde_json::json;
use std::collections::HashSet;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::mpsc;

/// A host's tools for one client.
pub struct McpServer {
    listings: Arc<Listings>,
    /// The names that this client was ever told.
    listed: Mutex<HashSet<String>>,
    threshold: Arc<Threshold>,
}

impl McpServer {
    /// A session that nobody has begun.
    #[must_use]
    pub fn new(listings: Arc<Listings>) -> Self {
        Self {
            listings,
            listed: Mutex::default(),
            threshold: Arc::default(),
        }
    }

    fn was_listed(&self, name: &str) -> bool {
        self.listed
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .contains(name)
    }

    /// Runs a call, and tells the client how far it has come if it wants to know.
    async fn run(&self, call: Call, context: &RequestContext<RoleServer>) -> Result<Outcome, Error> {
        let (host, metrics) = (self.listings.host(), self.listings.metrics());
        let Some(token) = context.meta.get_progress_token() else {
            return metrics.call(host, call).await;
        };
        let (sender, reports) = mpsc::unbounded_channel();
        let call = call.on_progress(move |report| drop(sender.send(report.clone())));
        progress::told(metrics.call(host, call), reports, token, &context.peer).await
    }
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_logging()
            .build();
        let implementation = Implementation::new("pegboard", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(capabilities).with_server_info(implementation)
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let host = self.listings.host();
        self.threshold.tell_found(&context.peer, &host.diagnostics()).await;
        tokio::spawn(tell_changes(host.changes(), context.peer));
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let listing = self.listings.now().map_err(|error| refused(&error))?;
        let names = listing.tools.iter().map(|tool| tool.name.to_string());
        self.listed.lock().unwrap_or_else(PoisonError::into_inner).extend(names);
        Ok(ListToolsResult::with_all_items(listing.tools.clone()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = match &request.arguments {
            Some(arguments) => serde_json::to_string(arguments)
                .map_err(|error| ErrorData::invalid_params(format!("the arguments cannot be read: {error}"), None))?,
            None => String::new(),
        };
        let call = Call::new(request.name.as_ref(), arguments);
        // A client that has given up is not answered; dropping the call tells the tool.
        let outcome = tokio::select! {
            biased;
            () = context.ct.cancelled() => return Err(ErrorData::internal_error("the call was cancelled", None)),
            outcome = self.run(call, &context) => outcome,
        };
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(Error::UnknownTool { .. }) if self.was_listed(&request.name) => {
                let tools = self.listings.host().tools();
                let names: Vec<String> = tools.iter().map(|tool| tool.name.clone()).collect();
                return Ok(answer::removed(&request.name, &names).into());
            }
            Err(error) => return Err(refused(&error)),
        };
        repeat(&outcome.logs);
        self.threshold
            .tell_lines(&context.peer, &outcome.tool, &outcome.logs)
            .await;
        let listing = self.listings.now().map_err(|error| refused(&error))?;
        Ok(answer::of(&outcome, listing.outputs.get(request.name.as_ref())).into())
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.threshold.set(request.level);
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = self.listings.host().changes();
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                told = changes.changed() => {
                    if told.is_err() || context.sink().notify_tool_list_changed().await.is_err() {
                        return Ok(());
                    }
                }
            }
        }
    }
}

/// Tells a client of every change, until it is gone.
async fn tell_changes(mut changes: tokio::sync::watch::Receiver<u64>, peer: Peer<RoleServer>) {
    while !peer.is_transport_closed() && changes.changed().await.is_ok() {
        if peer.notify_tool_list_changed().await.is_err() {
            return;
        }
    }
}

/// What a tool wrote, for whoever runs the server.
fn repeat(lines: &[LogLine]) {
    let mut stderr = io::stderr().lock();
    for line in lines {
        // There is nobody else to tell if this fails.
        drop(writeln!(stderr, "{}", line.text));
    }
}

/// What a client is told that the host itself could not answer.
fn refused(error: &Error) -> ErrorData {
    let code = match error {
        Error::UnknownTool { .. } | Error::ToolNotLoaded { .. } => ErrorCode::INVALID_PARAMS,
        _ => ErrorCode::INTERNAL_ERROR,
    };
    ErrorData::new(code, error.to_string(), Some(json!({"code": error.code()})))
}
