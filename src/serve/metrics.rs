//! Owns what is counted while tools are served, and the text in which Prometheus reads it.
//!
//! Must not decide anything: it watches calls and never changes them.

use crate::diagnostic::Severity;
use crate::error::{Error, Result};
use crate::host::Host;
use crate::model::{Call, Outcome};
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// How a call ended that yielded a value; any other ending has the name of its failure's kind or its error's code.
const SUCCESS: &str = "success";
/// How a call ended that nobody waited for any longer.
const CANCELLED: &str = "cancelled";

/// Everything that is counted. One for each served host, shared by all its doors.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    calls: Family<CallLabels, Counter>,
    durations: Family<ToolLabels, Histogram, fn() -> Histogram>,
    in_flight: Gauge,
    refusals: Family<RefusalLabels, Counter>,
    connections: Gauge,
    sessions: Gauge,
    reloads: Counter,
    tools: Gauge,
    diagnostics: Family<SeverityLabels, Gauge>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CallLabels {
    tool: String,
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ToolLabels {
    tool: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RefusalLabels {
    code: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct SeverityLabels {
    severity: &'static str,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut metrics = Self {
            registry: Registry::with_prefix("pegboard"),
            calls: Family::default(),
            durations: Family::new_with_constructor(|| Histogram::new(exponential_buckets(0.0001, 4.0, 11))),
            in_flight: Gauge::default(),
            refusals: Family::default(),
            connections: Gauge::default(),
            sessions: Gauge::default(),
            reloads: Counter::default(),
            tools: Gauge::default(),
            diagnostics: Family::default(),
        };
        let registry = &mut metrics.registry;
        registry.register("calls", "Calls that ended, by tool and outcome", metrics.calls.clone());
        registry.register(
            "call_duration_seconds",
            "How long calls took, validation and rendering included",
            metrics.durations.clone(),
        );
        registry.register("calls_in_flight", "Calls that run now", metrics.in_flight.clone());
        registry.register(
            "http_refusals",
            "HTTP requests that were refused, by code",
            metrics.refusals.clone(),
        );
        registry.register("http_connections", "Open HTTP connections", metrics.connections.clone());
        registry.register("mcp_sessions", "Open MCP sessions", metrics.sessions.clone());
        registry.register("reloads", "Reloads that changed the tools", metrics.reloads.clone());
        registry.register("tools", "Tools that are offered", metrics.tools.clone());
        registry.register(
            "diagnostics",
            "Findings of the last load, by severity",
            metrics.diagnostics.clone(),
        );
        metrics
    }
}

impl Metrics {
    /// Runs a tool as [`Host::call`] does, and counts the call. Dropping the future cancels it.
    ///
    /// # Errors
    /// As [`Host::call`].
    pub async fn call(&self, host: &Host, call: Call) -> Result<Outcome> {
        // A call of an unknown tool has no label of its own: names are the caller's to choose.
        let tool = match host.tool(&call.tool) {
            Ok(definition) => definition.name.clone(),
            Err(error) => {
                self.count(String::new(), error.code());
                return Err(error);
            }
        };
        let mut watched = Watched::start(self, tool);
        let result = host.call(call).await;
        watched.outcome = match &result {
            Ok(outcome) => outcome
                .failure
                .as_ref()
                .map_or(SUCCESS, |failure| failure.kind.as_str()),
            Err(error) => error.code(),
        };
        result
    }

    /// Counts an HTTP request that was refused before it reached a tool.
    pub fn refused(&self, code: &'static str) {
        self.refusals.get_or_create(&RefusalLabels { code }).inc();
    }

    /// Counts an HTTP connection until the returned value is dropped.
    #[must_use]
    pub fn connected(&self) -> Connected {
        self.connections.inc();
        Connected(self.connections.clone())
    }

    /// Notes how many MCP sessions are open.
    pub fn set_sessions(&self, open: usize) {
        self.sessions.set(i64::try_from(open).unwrap_or(i64::MAX));
    }

    /// How many calls run now.
    #[must_use]
    pub fn calls_in_flight(&self) -> i64 {
        self.in_flight.get()
    }

    /// Everything as `OpenMetrics` text, with what the host itself can tell as of now.
    ///
    /// # Errors
    /// [`Error::Internal`] if the text cannot be written.
    pub fn text(&self, host: &Host) -> Result<String> {
        self.reloads.inner().store(*host.changes().borrow(), Ordering::Relaxed);
        self.tools.set(i64::try_from(host.tools().len()).unwrap_or(i64::MAX));
        for (severity, name) in [
            (Severity::Info, "info"),
            (Severity::Warning, "warning"),
            (Severity::Error, "error"),
        ] {
            let found = host
                .diagnostics()
                .iter()
                .filter(|found| found.severity == severity)
                .count();
            let labels = SeverityLabels { severity: name };
            let gauge = self.diagnostics.get_or_create(&labels);
            gauge.set(i64::try_from(found).unwrap_or(i64::MAX));
        }
        let mut written = String::new();
        text::encode(&mut written, &self.registry)
            .map_err(|error| Error::Internal(format!("the metrics cannot be written: {error}")))?;
        Ok(written)
    }

    fn count(&self, tool: String, outcome: &'static str) {
        self.calls.get_or_create(&CallLabels { tool, outcome }).inc();
    }
}

/// An open HTTP connection.
#[derive(Debug)]
pub struct Connected(Gauge);

impl Drop for Connected {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// A call while it runs. Dropped early, it was cancelled.
struct Watched<'a> {
    metrics: &'a Metrics,
    tool: String,
    started: Instant,
    outcome: &'static str,
}

impl<'a> Watched<'a> {
    fn start(metrics: &'a Metrics, tool: String) -> Self {
        metrics.in_flight.inc();
        Self {
            metrics,
            tool,
            started: Instant::now(),
            outcome: CANCELLED,
        }
    }
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        self.metrics.in_flight.dec();
        let tool = std::mem::take(&mut self.tool);
        let duration = self.started.elapsed().as_secs_f64();
        let labels = ToolLabels { tool };
        self.metrics.durations.get_or_create(&labels).observe(duration);
        self.metrics.count(labels.tool, self.outcome);
    }
}
