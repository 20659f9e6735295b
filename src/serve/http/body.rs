//! Owns how bodies cross: requests' are read whole, within a length and a time; answers' hold what their request holds.

use super::refusal::Refusal;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::StatusCode;
use axum::response::Response;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::{Frame, Incoming, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

/// Reads a request's body.
pub async fn read(body: Incoming, limit: usize, timeout: Duration) -> Result<Bytes, Refusal> {
    if body.is_end_stream() {
        return Ok(Bytes::new());
    }
    if body.size_hint().lower() > limit as u64 {
        return Err(Refusal::body_too_long(limit));
    }
    match tokio::time::timeout(timeout, Limited::new(body, limit).collect()).await {
        Ok(Ok(whole)) => Ok(whole.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(Refusal::body_too_long(limit)),
        Ok(Err(error)) => {
            let message = format!("the body cannot be read: {error}");
            Err(Refusal::new(StatusCode::BAD_REQUEST, "body_unreadable", message).closing())
        }
        Err(_) => {
            let message = format!("the body did not arrive within {} seconds", timeout.as_secs_f64());
            Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, "body_timed_out", message).closing())
        }
    }
}

/// The same answer, which keeps `held` until its body has been sent or given up.
pub fn holding(response: Response, held: impl Unpin + Send + 'static) -> Response {
    response.map(|body| Body::new(Holding { body, _held: held }))
}

struct Holding<H> {
    body: Body,
    _held: H,
}

impl<H: Unpin> HttpBody for Holding<H> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
