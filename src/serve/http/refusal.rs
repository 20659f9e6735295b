//! Owns how a request is refused: one shape in JSON, with a status, a stable code, and what to do.

use crate::error::{Error, ErrorDetails};
use crate::model::FailureKind;
use axum::body::Body;
use axum::http::header::{ALLOW, CONNECTION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// Why a request is not answered as it wishes.
#[derive(Debug)]
pub struct Refusal {
    status: StatusCode,
    /// A stable code in snake case.
    pub code: &'static str,
    message: String,
    hint: Option<&'static str>,
    header: Option<(HeaderName, &'static str)>,
    closes: bool,
}

impl Refusal {
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            hint: None,
            header: None,
            closes: false,
        }
    }

    pub fn hint(mut self, hint: &'static str) -> Self {
        self.hint = Some(hint);
        self
    }

    fn header(mut self, name: HeaderName, value: &'static str) -> Self {
        self.header = Some((name, value));
        self
    }

    /// The request has no token, or a wrong one.
    pub fn unauthorized(message: &'static str) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "unauthorized", message)
            .hint("send the header `Authorization: Bearer TOKEN` with the token that the server was started with")
            .header(WWW_AUTHENTICATE, "Bearer")
    }

    /// The server does as much as it may.
    pub fn overloaded(message: &'static str) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "overloaded", message)
            .hint("try again after the seconds that the header Retry-After says")
            .header(RETRY_AFTER, "1")
    }

    /// The body is longer than any call's may be.
    pub fn body_too_long(limit: usize) -> Self {
        let message = format!("the body may have {limit} bytes");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_long", message).closing()
    }

    /// There is nothing at the path.
    pub fn not_found(path: &str) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "not_found",
            format!("there is nothing at {path}"),
        )
        .hint("/openapi.json tells what there is")
    }

    /// The path does not know the method.
    pub fn method_not_allowed(allowed: &'static str) -> Self {
        let message = format!("only {allowed} can be asked of this path");
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", message).header(ALLOW, allowed)
    }

    /// The connection cannot be used any longer, since the rest of the body would be taken for a request.
    pub fn closing(mut self) -> Self {
        self.closes = true;
        self
    }
}

#[derive(Serialize)]
struct Document<'a> {
    error: Detail<'a>,
}

#[derive(Serialize)]
struct Detail<'a> {
    code: &'a str,
    message: &'a str,
    hint: Option<&'a str>,
    #[serde(flatten)]
    details: ErrorDetails<'a>,
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let detail = Detail {
            code: self.code,
            message: &self.message,
            hint: self.hint,
            details: ErrorDetails::default(),
        };
        let mut response = json(self.status, &Document { error: detail });
        if let Some((name, value)) = self.header {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        if self.closes {
            response
                .headers_mut()
                .insert(CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}

/// The answer to a request that the host cannot serve.
pub fn error(mut error: Error) -> Response {
    let status = match error {
        Error::UnknownTool { .. } | Error::ToolNotLoaded { .. } | Error::UnknownCall { .. } => StatusCode::NOT_FOUND,
        Error::Closed => StatusCode::SERVICE_UNAVAILABLE,
        // The tool did not run: the arguments are the caller's.
        Error::Aborted { ref failure, .. }
            if matches!(failure.kind, FailureKind::InvalidJson | FailureKind::InvalidArguments) =>
        {
            StatusCode::UNPROCESSABLE_ENTITY
        }
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    if let Error::Aborted { tool, failure, .. } = &mut error
        && let Some(traceback) = failure.traceback.take()
    {
        tracing::warn!(%tool, %traceback, "a tool aborted its call");
    }
    let hint = match &error {
        Error::UnknownTool { .. } => Some("/api/tools lists the tools"),
        Error::ToolNotLoaded { diagnostic, .. } => diagnostic.hint.as_deref(),
        Error::Aborted { failure, .. } => failure.hint.as_deref(),
        _ => None,
    };
    let detail = Detail {
        code: error.code(),
        message: &error.to_string(),
        hint,
        details: error.details(),
    };
    json(status, &Document { error: detail })
}

/// An answer in JSON.
pub fn json(status: StatusCode, document: &impl Serialize) -> Response {
    match serde_json::to_vec(document) {
        Ok(text) => (status, [(CONTENT_TYPE, "application/json")], Body::from(text)).into_response(),
        Err(error) => {
            tracing::error!(%error, "an answer cannot be written as JSON");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}
