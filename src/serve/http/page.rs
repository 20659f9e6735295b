//! Owns the page on which tools can be looked at and tried, and what a browser lets it do: nothing but ask this server.

use axum::http::HeaderValue;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// Where the page is.
pub const PATH: &str = "/";
const PAGE: &str = include_str!("page.html");

/// Allows exactly the script and the style that the page holds.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; connect-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
        digest("script"),
        digest("style")
    )
});

/// Answers with the page.
pub async fn answer() -> Response {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    ];
    let mut response = (headers, PAGE).into_response();
    if let Ok(policy) = HeaderValue::from_str(&POLICY) {
        response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// The digest of the page's one element of that name, as a policy names it.
fn digest(element: &str) -> String {
    let (open, close) = (format!("<{element}>"), format!("</{element}>"));
    let text = PAGE
        .split_once(&open)
        .and_then(|(_, rest)| rest.split_once(&close))
        .map_or("", |(text, _)| text);
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}
