//! Owns what this side of a connection answers: a server's notifications are passed on, its requests are refused.
//!
//! Nothing here may run a model, ask a person or show files to a server: no such capability is declared.
#![expect(
    deprecated,
    reason = "servers of earlier versions of the protocol still log and ask for roots"
)]

use super::calls::Calls;
use crate::model::{LogStream, Progress};
use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationCreateRequestMethod, ErrorData,
    Implementation, ListRootsRequestMethod, ListRootsResult, LoggingLevel, LoggingMessageNotificationParam,
    ProgressNotificationParam,
};
use rmcp::service::{NotificationContext, RequestContext, RoleClient};
use serde_json::Value;
use std::sync::Arc;
use tokio::sync::Notify;

/// This side of a connection.
pub struct Client {
    /// The server's name, for what is traced.
    pub server: String,
    /// The calls that the server is at.
    pub calls: Arc<Calls>,
    /// Told when the server has other tools than before.
    pub changed: Arc<Notify>,
}

impl ClientHandler for Client {
    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListRootsRequestMethod>())
    }

    async fn create_elicitation(
        &self,
        _: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        Err(ErrorData::method_not_found::<ElicitationCreateRequestMethod>())
    }

    async fn on_progress(&self, params: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        let progress = Progress {
            done: params.progress,
            total: params.total,
            message: params.message,
        };
        self.calls.progress(&params.progress_token, &progress);
    }

    async fn on_logging_message(&self, params: LoggingMessageNotificationParam, _: NotificationContext<RoleClient>) {
        let text = match params.data {
            Value::String(text) => text,
            other => other.to_string(),
        };
        let server = &self.server;
        match params.level {
            LoggingLevel::Debug | LoggingLevel::Info | LoggingLevel::Notice => {
                tracing::debug!(target: "pegboard::remote", server, "{text}");
            }
            _ => tracing::warn!(target: "pegboard::remote", server, "{text}"),
        }
        self.calls.write(LogStream::Log, &text);
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.changed.notify_one();
    }

    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(
            ClientCapabilities::default(),
            Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")),
        )
    }
}
