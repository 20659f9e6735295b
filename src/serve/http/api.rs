//! Owns the paths: what each of them answers.

use super::refusal::{self, Refusal, json};
use super::sessions::Sessions;
use super::{document, page};
use crate::diagnostic::{Diagnostic, Severity};
use crate::host::{HealthStatus, Host};
use crate::model::{Call, ToolDefinition};
use crate::serve::metrics::Metrics;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequestParts, Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use serde::Serialize;
use std::sync::Arc;

/// What the metrics are written in.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// What every path works with.
#[derive(Clone)]
struct Served {
    host: Host,
    metrics: Arc<Metrics>,
    sessions: Arc<Sessions>,
}

/// Everything that can be asked.
pub fn router(host: Host, metrics: Arc<Metrics>, sessions: Arc<Sessions>) -> Router {
    Router::new()
        .route(page::PATH, reading(get(page::answer)))
        .route("/openapi.json", reading(get(openapi)))
        .route("/metrics", reading(get(metrics_text)))
        .route("/api/health", reading(get(health)))
        .route("/api/tools", reading(get(list)))
        .route("/api/tools/{name}", reading(get(show)))
        .route(
            "/api/tools/{name}/call",
            post(call).fallback(|| async { Refusal::method_not_allowed("POST") }),
        )
        .fallback(|path: Uri| async move { Refusal::not_found(path.path()) })
        // The body is here already, and was limited on its way.
        .layer(DefaultBodyLimit::disable())
        .with_state(Served {
            host,
            metrics,
            sessions,
        })
}

fn reading(methods: MethodRouter<Served>) -> MethodRouter<Served> {
    methods.fallback(|| async { Refusal::method_not_allowed("GET,HEAD") })
}

#[derive(Serialize)]
struct List<'a> {
    tools: Vec<&'a ToolDefinition>,
    diagnostics: &'a [Diagnostic],
}

async fn list(State(Served { host, .. }): State<Served>) -> Response {
    let tools = host.tools();
    let list = List {
        tools: tools.iter().map(AsRef::as_ref).collect(),
        diagnostics: &host.diagnostics(),
    };
    json(StatusCode::OK, &list)
}

async fn show(State(Served { host, .. }): State<Served>, Name(name): Name) -> Response {
    match host.tool(&name) {
        Ok(tool) => json(StatusCode::OK, tool.as_ref()),
        Err(error) => refusal::error(error),
    }
}

/// The body is the text of the arguments, and reaches the tool's validator as it is.
async fn call(
    State(Served { host, metrics, .. }): State<Served>,
    Name(name): Name,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    if !body.is_empty() && !is_json(&headers) {
        let message = "the body has to be JSON: the object of the arguments";
        return Err(
            Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "media_type_not_json", message)
                .hint("send the header `Content-Type: application/json`"),
        );
    }
    let arguments = String::from_utf8(body.into()).map_err(|error| {
        let message = format!("the body is not UTF-8: {}", error.utf8_error());
        Refusal::new(StatusCode::BAD_REQUEST, "body_not_utf8", message)
    })?;
    Ok(match metrics.call(&host, Call::new(name, arguments)).await {
        Ok(mut outcome) => {
            // The traceback is the owner's, not the caller's.
            let traceback = outcome.failure.as_mut().and_then(|failure| failure.traceback.take());
            if let Some(traceback) = traceback {
                tracing::info!(tool = %outcome.tool, call = %outcome.call_id, %traceback, "a tool raised");
            }
            json(StatusCode::OK, &outcome)
        }
        Err(error) => refusal::error(error),
    })
}

/// The name of a tool, from the path.
struct Name(String);

impl<S: Send + Sync> FromRequestParts<S> for Name {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let path = Path::from_request_parts(parts, state).await;
        path.map(|Path(name)| Self(name)).map_err(|_| {
            let message = "the tool's name in the path is not UTF-8 text in percent-encoding";
            Refusal::new(StatusCode::BAD_REQUEST, "name_unreadable", message)
        })
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let declared = headers.get(CONTENT_TYPE).map_or(Some(""), |value| value.to_str().ok());
    let essence = declared.and_then(|value| value.split(';').next()).unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("application/json")
}

#[derive(Serialize)]
struct Health {
    status: HealthStatus,
    version: &'static str,
    tools: usize,
    calls_in_flight: i64,
    diagnostics: Counts,
    capabilities: Vec<CapabilityHealth>,
}

#[derive(Serialize)]
struct Counts {
    error: usize,
    warning: usize,
    info: usize,
}

/// A capability without what only its owner should see, such as its servers' headers.
#[derive(Serialize)]
struct CapabilityHealth {
    name: String,
    version: String,
    status: HealthStatus,
}

async fn health(State(Served { host, metrics, .. }): State<Served>) -> Response {
    let found = host.diagnostics();
    let count = |severity| found.iter().filter(|found| found.severity == severity).count();
    let capabilities: Vec<CapabilityHealth> = host
        .health()
        .into_iter()
        .map(|capability| CapabilityHealth {
            name: capability.name,
            version: capability.version,
            status: capability.status,
        })
        .collect();
    let of_files = found.iter().map(|found| HealthStatus::from(found.severity));
    let status = of_files
        .chain(capabilities.iter().map(|capability| capability.status))
        .max();
    json(
        StatusCode::OK,
        &Health {
            status: status.unwrap_or(HealthStatus::Ok),
            version: env!("CARGO_PKG_VERSION"),
            tools: host.tools().len(),
            calls_in_flight: metrics.calls_in_flight(),
            diagnostics: Counts {
                error: count(Severity::Error),
                warning: count(Severity::Warning),
                info: count(Severity::Info),
            },
            capabilities,
        },
    )
}

async fn metrics_text(
    State(Served {
        host,
        metrics,
        sessions,
    }): State<Served>,
) -> Response {
    metrics.set_sessions(sessions.count().await);
    match metrics.text(&host) {
        Ok(text) => ([(CONTENT_TYPE, OPEN_METRICS)], text).into_response(),
        Err(error) => refusal::error(error),
    }
}

async fn openapi(State(Served { host, .. }): State<Served>) -> Response {
    match document::openapi(&host.tools()) {
        Ok(document) => json(StatusCode::OK, &document),
        Err(error) => refusal::error(error),
    }
}
