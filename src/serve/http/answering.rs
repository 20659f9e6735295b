//! Owns the way of a request from its head to its answer: who may ask, how much at one time, and what every answer says
//! to browsers.

use super::guard::Guard;
use super::refusal::Refusal;
use super::sessions::{self, Sessions};
use super::settings::HttpSettings;
use super::{api, body, page};
use crate::host::Host;
use crate::serve::metrics::{Connected, Metrics};
use axum::Router;
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderValue, Method, Request, StatusCode};
use axum::response::{IntoResponse, Response};
use hyper::body::Incoming;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower_service::Service;

/// Room in a body for what stands around a call's arguments.
const ENVELOPE_BYTES: usize = 64 * 1024;

/// How many requests may be allowed at one time; more is as good as no limit.
const MOST_REQUESTS: usize = 1_000_000;

/// Everything that answering needs. Lives as long as the door.
pub struct Answering {
    router: Router,
    guard: Guard,
    settings: HttpSettings,
    body_limit: usize,
    metrics: Arc<Metrics>,
    requests: Arc<Semaphore>,
    sessions: Arc<Sessions>,
}

impl Answering {
    pub fn new(host: Host, metrics: Arc<Metrics>, guard: Guard, mut settings: HttpSettings) -> Arc<Self> {
        settings.requests = settings.requests.min(MOST_REQUESTS);
        let body_limit = host.limits().argument_bytes.saturating_add(ENVELOPE_BYTES);
        let sessions = Arc::new(Sessions::new(&settings));
        let mcp = sessions.service(host.clone(), Arc::clone(&metrics), body_limit);
        Arc::new(Self {
            router: api::router(host, Arc::clone(&metrics), Arc::clone(&sessions)).route_service(sessions::PATH, mcp),
            guard,
            body_limit,
            metrics,
            requests: Arc::new(Semaphore::new(settings.requests)),
            sessions,
            settings,
        })
    }

    /// Answers a request, whatever it is.
    pub async fn answer(&self, request: Request<Incoming>) -> Response {
        let mut response = match self.admitted(request).await {
            Ok(response) => response,
            Err(refusal) => self.refused(refusal),
        };
        let headers = response.headers_mut();
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        headers
            .entry(CACHE_CONTROL)
            .or_insert(HeaderValue::from_static("no-store"));
        response
    }

    /// Refuses a connection's request because there are too many of them.
    pub fn turn_away(&self) -> Response {
        self.refused(Refusal::overloaded("too many connections are open").closing())
    }

    /// Counts a connection until the returned value is dropped.
    pub fn connected(&self) -> Connected {
        self.metrics.connected()
    }

    /// Ends the streams that would never end by themselves.
    pub fn end_streams(&self) {
        self.sessions.end();
    }

    /// Waits until no request is in flight.
    pub async fn idle(&self) {
        let all = u32::try_from(self.settings.requests).unwrap_or(u32::MAX);
        // Fails only if the semaphore is closed, which nobody does.
        drop(self.requests.acquire_many(all).await);
    }

    fn permit(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        Arc::clone(&self.requests)
            .try_acquire_owned()
            .map_err(|_| Refusal::overloaded("as many requests as the server may answer at one time are in flight"))
    }

    fn refused(&self, refusal: Refusal) -> Response {
        self.metrics.refused(refusal.code);
        refusal.into_response()
    }

    async fn admitted(&self, request: Request<Incoming>) -> Result<Response, Refusal> {
        let (parts, incoming) = request.into_parts();
        self.guard.check_place(&parts)?;
        // The page holds nothing but itself; it asks for the token.
        if parts.uri.path() != page::PATH {
            self.guard.check_token(&parts)?;
        }
        let permit = if parts.method == Method::POST {
            Some(self.permit()?)
        } else {
            None
        };
        let whole = body::read(incoming, self.body_limit, self.settings.body_timeout).await?;
        self.sessions.admit(&parts, &whole).await?;
        let permit = permit.filter(|_| !Sessions::is_stream(&parts, &whole));
        let request = Request::from_parts(parts, Body::from(whole));
        let ends_session = request.method() == Method::DELETE;
        let Ok(mut response) = self.router.clone().call(request).await;
        if ends_session && response.status() == StatusCode::ACCEPTED {
            // The session is closed by now, and clients take anything but 200 and 204 for a failure.
            *response.status_mut() = StatusCode::NO_CONTENT;
        }
        Ok(match permit {
            Some(permit) => body::holding(response, permit),
            None => response,
        })
    }
}
