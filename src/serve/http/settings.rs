//! Owns the choices of the HTTP door, and which of them must not go together.
//!
//! Must not listen: see `door.rs`.

use crate::error::{Error, Result};
use sha2::{Digest, Sha256};
use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;
use subtle::ConstantTimeEq;

/// The variable that holds the token if none is given.
pub const TOKEN_VARIABLE: &str = "PEGBOARD_TOKEN";

/// The choices of the HTTP door.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// Where to listen: `HOST:PORT`, or a port on `127.0.0.1`. Port 0 takes a free one.
    pub address: String,
    /// What every request has to bring, without which only this machine may ask.
    pub token: Option<Token>,
    /// Further names under which clients reach the server, such as that of a proxy before it.
    pub host_names: Vec<String>,
    /// How many requests may be answered at one time.
    pub requests: usize,
    /// How many connections may be open at one time.
    pub connections: usize,
    /// How many MCP sessions may be open at one time.
    pub sessions: usize,
    /// How long an MCP session may be idle.
    pub session_idle: Duration,
    /// How long a client may take to send a request's head, and may keep a connection open without a request.
    pub head_timeout: Duration,
    /// How long a client may take to send a request's body.
    pub body_timeout: Duration,
    /// How long a client may take nothing of an answer that waits for it.
    pub write_timeout: Duration,
    /// How long requests may go on after the order to stop.
    pub grace: Duration,
}

impl Default for HttpSettings {
    fn default() -> Self {
        Self {
            address: "127.0.0.1:8080".to_owned(),
            token: None,
            host_names: Vec::new(),
            requests: 256,
            connections: 1024,
            sessions: 1024,
            session_idle: Duration::from_secs(30 * 60),
            head_timeout: Duration::from_secs(30),
            body_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
            // With what the host may take to close, it stays below two seconds.
            grace: Duration::from_millis(250),
        }
    }
}

impl HttpSettings {
    /// The host and the port of the address.
    pub(super) fn host_and_port(&self) -> Result<(&str, u16)> {
        let unusable = || Error::Setting {
            setting: "http",
            reason: format!(
                "{:?} is not an address; write `HOST:PORT`, such as `127.0.0.1:8080`, or a port alone",
                self.address
            ),
        };
        if let Ok(port) = self.address.parse() {
            return Ok(("127.0.0.1", port));
        }
        let (host, port) = self.address.rsplit_once(':').ok_or_else(unusable)?;
        let port = port.parse().map_err(|_| unusable())?;
        let bare = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        match bare.unwrap_or(host) {
            "" => Err(unusable()),
            // An IPv6 address without brackets: its end was taken for a port.
            name if bare.is_none() && name.contains(':') => Err(unusable()),
            name => Ok((name, port)),
        }
    }

    /// Refuses to be reached from other machines without a token.
    pub(super) fn check_reach(&self, addresses: &[SocketAddr]) -> Result<()> {
        match addresses.iter().find(|address| !address.ip().is_loopback()) {
            Some(address) if self.token.is_none() => Err(Error::Setting {
                setting: "http",
                reason: format!(
                    "{} can be reached from other machines, and whoever reaches it runs tools: give a token with \
                     `--token` or the variable {TOKEN_VARIABLE}, or listen on 127.0.0.1",
                    address.ip()
                ),
            }),
            _ => Ok(()),
        }
    }
}

/// A secret that requests have to bring. Only its digest is kept.
#[derive(Clone)]
pub struct Token([u8; 32]);

impl Token {
    /// Takes a token.
    ///
    /// # Errors
    /// [`Error::Setting`] for a text that no client could send in a header, or that is empty.
    pub fn new(text: &str) -> Result<Self> {
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::Setting {
                setting: "token",
                reason: "it has to be one or more visible ASCII characters without spaces".to_owned(),
            });
        }
        Ok(Self(Sha256::digest(text).into()))
    }

    /// The token that was given, or that of the variable `PEGBOARD_TOKEN`.
    ///
    /// # Errors
    /// As [`Token::new`].
    pub fn chosen(given: Option<&str>) -> Result<Option<Self>> {
        match given {
            Some(text) => Self::new(text).map(Some),
            None => match std::env::var(TOKEN_VARIABLE) {
                Ok(text) => Self::new(&text).map(Some),
                Err(std::env::VarError::NotPresent) => Ok(None),
                Err(std::env::VarError::NotUnicode(_)) => Self::new("").map(Some),
            },
        }
    }

    /// Whether this is the token, in a time that tells nothing about it.
    pub(super) fn is(&self, text: &[u8]) -> bool {
        let digest: [u8; 32] = Sha256::digest(text).into();
        self.0.ct_eq(&digest).into()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Token")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(address: &str) -> HttpSettings {
        HttpSettings {
            address: address.to_owned(),
            ..HttpSettings::default()
        }
    }

    #[test]
    fn an_address_is_a_host_and_a_port() {
        for (address, expected) in [
            ("127.0.0.1:80", ("127.0.0.1", 80)),
            ("8080", ("127.0.0.1", 8080)),
            ("[::1]:0", ("::1", 0)),
            ("localhost:1", ("localhost", 1)),
        ] {
            assert_eq!(settings(address).host_and_port().unwrap(), expected, "{address}");
        }
        for address in [
            "",
            ":80",
            "::1",
            "localhost",
            "localhost:",
            "localhost:65536",
            "[]:1",
            "::1:80",
        ] {
            assert!(settings(address).host_and_port().is_err(), "{address}");
        }
    }

    #[test]
    fn other_machines_need_a_token() {
        let outside: SocketAddr = "192.0.2.1:80".parse().unwrap();
        let inside: SocketAddr = "[::1]:80".parse().unwrap();
        let mut settings = HttpSettings::default();
        assert!(settings.check_reach(&[inside]).is_ok());
        assert!(settings.check_reach(&[inside, outside]).is_err());
        settings.token = Some(Token::new("secret").unwrap());
        assert!(settings.check_reach(&[inside, outside]).is_ok());
    }

    #[test]
    fn a_token_is_only_itself() {
        let token = Token::new("secret").unwrap();
        assert!(token.is(b"secret"));
        for other in ["", "secre", "secrets", "Secret"] {
            assert!(!token.is(other.as_bytes()), "{other}");
        }
        for text in ["", "two words", "schlüssel", "line\n"] {
            assert!(Token::new(text).is_err(), "{text:?}");
        }
        assert!(!format!("{token:?}").contains("secret"));
    }
}
