//! Owns what a client is told of what tools write and of what was found while loading.
#![expect(deprecated, reason = "clients of the protocol's earlier versions still ask for it")]

use crate::diagnostic::{Diagnostic, Severity};
use crate::model::{LogLine, LogStream};
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam};
use rmcp::{Peer, RoleServer};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU8, Ordering};

/// From which level on a client wants to be told.
pub struct Threshold(AtomicU8);

impl Default for Threshold {
    fn default() -> Self {
        Self(AtomicU8::new(rank(LoggingLevel::Warning)))
    }
}

impl Threshold {
    /// What a client asks for.
    pub fn set(&self, level: LoggingLevel) {
        self.0.store(rank(level), Ordering::Relaxed);
    }

    fn admits(&self, level: LoggingLevel) -> bool {
        rank(level) >= self.0.load(Ordering::Relaxed)
    }

    /// Tells what a tool wrote in a call.
    pub async fn tell_lines(&self, peer: &Peer<RoleServer>, tool: &str, lines: &[LogLine]) {
        for line in lines {
            let level = match line.stream {
                LogStream::Host => LoggingLevel::Warning,
                _ => LoggingLevel::Info,
            };
            self.tell(peer, level, tool, Value::String(line.text.clone())).await;
        }
    }

    /// Tells what was found while loading.
    pub async fn tell_found(&self, peer: &Peer<RoleServer>, found: &[Diagnostic]) {
        for diagnostic in found {
            let level = match diagnostic.severity {
                Severity::Info => LoggingLevel::Info,
                Severity::Warning => LoggingLevel::Warning,
                Severity::Error => LoggingLevel::Error,
            };
            let data = serde_json::to_value(diagnostic).unwrap_or_else(|_| json!(diagnostic.message));
            self.tell(peer, level, "pegboard", data).await;
        }
    }

    async fn tell(&self, peer: &Peer<RoleServer>, level: LoggingLevel, logger: &str, data: Value) {
        if self.admits(level) {
            let mut message = LoggingMessageNotificationParam::new(level, data);
            message.logger = Some(logger.to_owned());
            if let Err(error) = peer.notify_logging_message(message).await {
                tracing::debug!(%error, "a client was not told what was written");
            }
        }
    }
}

const fn rank(level: LoggingLevel) -> u8 {
    level as u8
}
