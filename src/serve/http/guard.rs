//! Owns who may ask: the Host and Origin headers against web pages that talk to this machine, and the token.
//!
//! A page on the web can make a browser send requests to this machine, and can point a name of its own at it. Such
//! requests carry the page's name as Host or Origin, and are refused by that.

use super::refusal::Refusal;
use super::settings::Token;
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::request::Parts;
use axum::http::uri::{Authority, Uri};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use std::net::IpAddr;

/// Decides who may ask.
#[derive(Debug)]
pub struct Guard {
    token: Option<Token>,
    /// Names that the server answers to, in lower case.
    names: Vec<String>,
    /// Whether other machines can reach it; then it answers to any address, since it cannot know its own.
    is_open: bool,
}

impl Guard {
    /// Answers to these names, and to the addresses and the name of this machine itself.
    pub fn new(token: Option<Token>, names: impl IntoIterator<Item = String>, is_open: bool) -> Self {
        let names = names.into_iter().map(|name| name.to_ascii_lowercase()).collect();
        Self { token, names, is_open }
    }

    /// Refuses a request that a foreign web page may have sent.
    pub fn check_place(&self, request: &Parts) -> Result<(), Refusal> {
        let host = host(request)?;
        if !self.answers_to(&host) {
            let message = format!("the request is for {:?}, which this server is not", host.host());
            return Err(Refusal::new(StatusCode::FORBIDDEN, "host_not_allowed", message)
                .hint("use the address that the server listens on, or start it with `--host-name NAME`"));
        }
        let Some(origin) = only(&request.headers, &ORIGIN)? else {
            return Ok(());
        };
        let is_own = origin.parse::<Uri>().is_ok_and(|origin| is_same(&origin, &host));
        if is_own {
            Ok(())
        } else {
            let message = format!("the request comes from a page of {origin:?}, which may not use this server");
            Err(Refusal::new(StatusCode::FORBIDDEN, "origin_not_allowed", message))
        }
    }

    /// Refuses a request without the token.
    pub fn check_token(&self, request: &Parts) -> Result<(), Refusal> {
        let Some(token) = &self.token else {
            return Ok(());
        };
        let Some(sent) = request.headers.get(AUTHORIZATION) else {
            return Err(Refusal::unauthorized("the request brings no token"));
        };
        let sent = sent.as_bytes();
        let bearer = sent
            .split_at_checked("Bearer ".len())
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case(b"Bearer "));
        match bearer {
            Some((_, text)) if token.is(text.trim_ascii()) => Ok(()),
            _ => Err(Refusal::unauthorized("the token is wrong")),
        }
    }

    fn answers_to(&self, host: &Authority) -> bool {
        let name = host.host();
        let bare = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        if let Ok(address) = bare.unwrap_or(name).parse::<IpAddr>() {
            let is_named = || self.names.iter().any(|name| name.parse() == Ok(address));
            return self.is_open || address.is_loopback() || is_named();
        }
        let name = name.to_ascii_lowercase();
        name == "localhost" || self.names.contains(&name)
    }
}

/// The server that a request is for.
fn host(request: &Parts) -> Result<Authority, Refusal> {
    if let Some(authority) = request.uri.authority() {
        return Ok(authority.clone());
    }
    let unreadable = |message| Refusal::new(StatusCode::BAD_REQUEST, "host_unreadable", message);
    let host = only(&request.headers, &HOST)?;
    host.ok_or_else(|| unreadable("the request has no Host header"))?
        .parse()
        .map_err(|_| unreadable("the Host header is not a name or an address"))
}

/// The value of a header that must not be there twice.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Refusal> {
    let mut values = headers.get_all(name).iter();
    let value = values.next();
    if values.next().is_some() {
        let message = format!("the header {name} is there more than once");
        return Err(Refusal::new(StatusCode::BAD_REQUEST, "header_repeated", message));
    }
    match value.map(|value| value.to_str()) {
        None => Ok(None),
        Some(Ok(text)) => Ok(Some(text)),
        Some(Err(_)) => {
            let message = format!("the header {name} is not ASCII");
            Err(Refusal::new(StatusCode::BAD_REQUEST, "header_unreadable", message))
        }
    }
}

/// Whether a page's origin is the server that it asks. Behind a proxy the scheme may differ from ours.
fn is_same(origin: &Uri, host: &Authority) -> bool {
    let default = match origin.scheme_str() {
        Some("http") => 80,
        Some("https") => 443,
        _ => return false,
    };
    origin.authority().is_some_and(|authority| {
        let port = |authority: &Authority| authority.port_u16().unwrap_or(default);
        authority.host().eq_ignore_ascii_case(host.host()) && port(authority) == port(host)
    })
}
