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
use super::progress::{self, Reports};
use crate::error::Error;
use crate::model::{Call, LogLine, Outcome};
use crate::serve::echo;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ErrorCode, Implementation, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerConfig, SetLevelRequestParams, SubscriptionFilter,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, Peer, RoleServer, ServerHandler};
use serde_json::json;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::task::JoinSet;

/// What a model is told whatever the tools are.
const INSTRUCTIONS: &str =
    "What is wrong with the arguments of a call is told in its result, with the place: mend them and call again.";

/// A host's tools for one client.
pub struct McpServer {
    listings: Arc<Listings>,
    /// The names that this client was ever told.
    listed: Mutex<HashSet<String>>,
    threshold: Threshold,
    /// What tells the client of changes; it ends with the session.
    telling: Mutex<JoinSet<()>>,
}

impl McpServer {
    /// A session that nobody has begun.
    #[must_use]
    pub fn new(listings: Arc<Listings>) -> Self {
        Self {
            listings,
            listed: Mutex::default(),
            threshold: Threshold::default(),
            telling: Mutex::default(),
        }
    }

    /// What a model is told of the tools as a whole.
    fn instructions(&self) -> String {
        let mut lines = vec![INSTRUCTIONS.to_owned()];
        for capability in self.listings.host().health() {
            if !capability.tools.is_empty() && !capability.description.is_empty() {
                let names: Vec<&str> = capability.tools.iter().map(|tool| tool.name.as_str()).collect();
                let (name, description) = (capability.name, capability.description);
                lines.push(format!("{name} ({}): {description}", names.join(", ")));
            }
        }
        lines.join("\n")
    }

    fn was_listed(&self, name: &str) -> bool {
        self.listed
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .contains(name)
    }

    /// Tells the client and whoever runs the server what a tool wrote.
    async fn tell(&self, peer: &Peer<RoleServer>, tool: &str, lines: &[LogLine]) {
        echo::repeat(lines);
        self.threshold.tell_lines(peer, tool, lines).await;
    }

    /// Runs a call, and tells the client how far it has come if it wants to know.
    async fn run(&self, call: Call, context: &RequestContext<RoleServer>) -> Result<Outcome, Error> {
        let (host, metrics) = (self.listings.host(), self.listings.metrics());
        let Some(token) = context.meta.get_progress_token() else {
            return metrics.call(host, call).await;
        };
        let reports = Arc::new(Reports::default());
        let sink = Arc::clone(&reports);
        let call = call.on_progress(move |report| sink.put(report.clone()));
        progress::told(metrics.call(host, call), &reports, token, &context.peer).await
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
        ServerConfig::new(capabilities)
            .with_server_info(implementation)
            .with_instructions(self.instructions())
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let host = self.listings.host();
        self.threshold.tell_found(&context.peer, &host.diagnostics()).await;
        let mut telling = self.telling.lock().unwrap_or_else(PoisonError::into_inner);
        // A client that says twice that it is ready is told once all the same.
        telling.abort_all();
        telling.spawn(tell_changes(host.changes(), context.peer));
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
        // A value is held to what was published when its call began, whatever changes meanwhile.
        let listing = self.listings.now().map_err(|error| refused(&error))?;
        let call = Call::new(request.name.as_ref(), arguments);
        // A client that has given up is not answered; dropping the call tells the tool.
        let outcome = tokio::select! {
            biased;
            () = context.ct.cancelled() => return Err(ErrorData::internal_error("the call was cancelled", None)),
            outcome = self.run(call, &context) => outcome,
        };
        match outcome {
            Ok(outcome) => {
                self.tell(&context.peer, &outcome.tool, &outcome.logs).await;
                Ok(answer::of(&outcome, listing.outputs.get(request.name.as_ref())).into())
            }
            Err(error @ (Error::UnknownTool { .. } | Error::ToolNotLoaded { .. }))
                if self.was_listed(&request.name) =>
            {
                let listing = self.listings.now().map_err(|error| refused(&error))?;
                let names = listing.tools.iter().map(|tool| tool.name.as_ref());
                Ok(answer::removed(&request.name, &error, names).into())
            }
            Err(error) => {
                if let Error::Aborted { tool, logs, .. } = &error {
                    self.tell(&context.peer, tool, logs).await;
                }
                Err(refused(&error))
            }
        }
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
        let mut accepted = SubscriptionFilter::new();
        // There is nothing else here that changes.
        accepted.tools_list_changed = requested.tools_list_changed;
        Some(accepted)
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

/// What a client is told that the host itself could not answer.
fn refused(error: &Error) -> ErrorData {
    let code = match error {
        Error::UnknownTool { .. } | Error::ToolNotLoaded { .. } => ErrorCode::INVALID_PARAMS,
        _ => ErrorCode::INTERNAL_ERROR,
    };
    ErrorData::new(code, error.to_string(), Some(json!({"code": error.code()})))
}
