//! Owns one connection to the server: the handshake of MCP if there is one, and calls.

use super::answer::{Answer, read};
use std::io::Write as _;
use std::sync::Arc;
use tokio::io::{AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

const VERSION: &str = "2025-06-18";
/// The version that has no sessions.
const STATELESS_VERSION: &str = "2026-07-28";

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    Mcp,
    McpStateless,
    Json,
}

/// What is called, where.
pub struct Target {
    pub address: String,
    pub path: String,
    pub protocol: Protocol,
    pub tool: String,
    pub arguments: String,
    pub expected: String,
}

pub struct Session {
    target: Arc<Target>,
    stream: BufReader<TcpStream>,
    /// The headers that every request has.
    headers: String,
    /// The request that calls the tool, made once.
    request: Vec<u8>,
}

impl Session {
    pub async fn open(target: Arc<Target>) -> Self {
        let stream = TcpStream::connect(&target.address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        let headers = format!(
            "Host: {}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n",
            target.address
        );
        let mut session = Self {
            stream: BufReader::with_capacity(64 * 1024, stream),
            headers,
            request: Vec::new(),
            target,
        };
        let (tool, arguments) = (&session.target.tool.clone(), &session.target.arguments.clone());
        let call = |meta: &str| {
            let params = format!(r#"{{"name":"{tool}","arguments":{arguments}{meta}}}"#);
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#)
        };
        let body = match session.target.protocol {
            Protocol::Json => arguments.clone(),
            Protocol::Mcp => {
                session.shake_hands().await;
                call("")
            }
            Protocol::McpStateless => {
                session.add_header("MCP-Protocol-Version", STATELESS_VERSION);
                session.add_header("Mcp-Method", "tools/call");
                session.add_header("Mcp-Name", tool);
                call(&meta())
            }
        };
        session.request = session.written(&body);
        session
    }

    /// The same on a connection of its own.
    pub async fn renewed(self) -> Self {
        Self::open(self.target).await
    }

    /// Calls the tool.
    pub async fn call(&mut self) -> Result<(), String> {
        let answer = self.ask().await?;
        let text = String::from_utf8_lossy(&answer.body);
        if answer.status == 200 && text.contains(&self.target.expected) {
            Ok(())
        } else {
            Err(format!("status {}: {text}", answer.status))
        }
    }

    async fn ask(&mut self) -> Result<Answer, String> {
        let sent = self.stream.get_mut().write_all(&self.request).await;
        sent.map_err(|error| error.to_string())?;
        read(&mut self.stream).await.map_err(|error| error.to_string())
    }

    async fn shake_hands(&mut self) {
        let client = r#"{"name":"http_load","version":"1"}"#;
        let params = format!(r#"{{"protocolVersion":"{VERSION}","capabilities":{{}},"clientInfo":{client}}}"#);
        self.request = self.written(&format!(
            r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{params}}}"#
        ));
        let answer = self.ask().await.unwrap();
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        self.add_header("MCP-Protocol-Version", VERSION);
        if let Some(id) = answer.session {
            self.add_header("Mcp-Session-Id", &id);
        }
        self.request = self.written(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        assert_eq!(self.ask().await.unwrap().status, 202);
    }

    fn add_header(&mut self, name: &str, value: &str) {
        for part in [name, ": ", value, "\r\n"] {
            self.headers.push_str(part);
        }
    }

    fn written(&self, body: &str) -> Vec<u8> {
        let mut request = Vec::new();
        let (path, headers, length) = (&self.target.path, &self.headers, body.len());
        write!(
            request,
            "POST {path} HTTP/1.1\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        request
    }
}

/// What a request says of its client where there is no handshake.
fn meta() -> String {
    let version = format!(r#""io.modelcontextprotocol/protocolVersion":"{STATELESS_VERSION}""#);
    let client = r#""io.modelcontextprotocol/clientInfo":{"name":"http_load","version":"1"}"#;
    let capabilities = r#""io.modelcontextprotocol/clientCapabilities":{}"#;
    format!(r#","_meta":{{{version},{client},{capabilities}}}"#)
}
