//! Owns MCP over a pair of streams: one message a line, read and written by threads of their own.
//!
//! What is no message is answered, so that a client never waits for what was not understood; rmcp would pass over it.

use super::mcp::{Listings, McpServer};
use crate::error::{Error, Result};
use rmcp::model::{ClientNotification, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, ServerInitializeError, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::{RoleServer, ServiceExt};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::fs::File;
use std::future::Future;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

/// Codes of JSON-RPC 2.0, section 5.1.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
/// Of those that the same section leaves to servers.
const OVERLOADED: i32 = -32000;
/// The longest line that is read.
const LONGEST_LINE: u64 = 16 * 1024 * 1024;
/// How many messages may wait to be handled, and to be written: a client that does not read holds up its own calls only.
const QUEUED: usize = 1024;
/// How many requests may be without an answer, whoever is to blame: a client that asks on and never reads is refused.
const UNANSWERED: usize = 10_000;
/// How long calls may go on after the end of input.
const GRACE: Duration = Duration::from_millis(500);

type Received = RxJsonRpcMessage<RoleServer>;

/// Serves one client until it is gone or `shutdown` comes. The host stays open.
///
/// # Errors
/// [`Error::Internal`] if the threads cannot be made, or the client does not keep to the protocol from the start.
pub async fn serve(
    listings: Arc<Listings>,
    input: File,
    output: File,
    shutdown: impl Future<Output = ()>,
) -> Result<()> {
    let (give_up, calls_left) = oneshot::channel();
    let (lines, mut written) = Lines::open(input, output, give_up)
        .map_err(|error| Error::Internal(format!("cannot make the threads of the protocol's streams: {error}")))?;
    let serving = async {
        match McpServer::new(listings).serve(lines).await {
            Ok(running) => running
                .waiting()
                .await
                .map(drop)
                .map_err(|error| Error::Internal(format!("the session broke off: {error}"))),
            // A client that goes without a word is not at fault.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(Error::Internal(format!(
                "the client does not keep to the protocol: {error}"
            ))),
        }
    };
    let ended = tokio::select! {
        biased;
        ended = serving => ended,
        () = shutdown => return Ok(()),
        // rmcp would wait for what still runs.
        Ok(()) = calls_left => return Ok(()),
        // Nobody reads any longer, so nobody is left to serve, although the input may be held open.
        _ = &mut written => return Ok(()),
    };
    // What was said last has to get out, unless nobody reads it.
    drop(tokio::time::timeout(GRACE, written).await);
    ended
}

/// One client's messages.
struct Lines {
    incoming: mpsc::Receiver<Received>,
    outgoing: Option<mpsc::Sender<Vec<u8>>>,
    /// The requests that wait for an answer.
    asked: HashSet<RequestId>,
    /// What is answered to a request that is one too many, until there is room for it.
    refused: Option<Vec<u8>>,
    /// When the calls that still run are given up, from the end of input on.
    end: Option<Instant>,
    /// Tells that they were given up.
    give_up: Option<oneshot::Sender<()>>,
}

impl Lines {
    /// The messages of two streams, and what is told when everything was written.
    fn open(input: File, output: File, give_up: oneshot::Sender<()>) -> io::Result<(Self, oneshot::Receiver<()>)> {
        let (received, incoming) = mpsc::channel(QUEUED);
        let (outgoing, to_write) = mpsc::channel(QUEUED);
        let (done, written) = oneshot::channel();
        let refusals = outgoing.clone();
        thread::Builder::new()
            .name("pegboard-input".to_owned())
            .spawn(move || read(BufReader::new(input), &received, &refusals))?;
        thread::Builder::new()
            .name("pegboard-output".to_owned())
            .spawn(move || {
                if let Err(error) = write(BufWriter::new(output), to_write) {
                    tracing::debug!(%error, "the client no longer reads");
                }
                // Whoever waited for it may have gone.
                let _ = done.send(());
            })?;
        let lines = Self {
            incoming,
            outgoing: Some(outgoing),
            asked: HashSet::new(),
            refused: None,
            end: None,
            give_up: Some(give_up),
        };
        Ok((lines, written))
    }
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(&mut self, item: TxJsonRpcMessage<RoleServer>) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let answered = match &item {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            _ => None,
        };
        if let Some(id) = answered {
            self.asked.remove(id);
        }
        let line = serde_json::to_vec(&item);
        let outgoing = self.outgoing.clone();
        async move {
            let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
            outgoing.ok_or_else(closed)?.send(line?).await.map_err(|_| closed())
        }
    }

    // rmcp drops this future whenever it has something to send, so what has to last stands in `self`.
    async fn receive(&mut self) -> Option<Received> {
        loop {
            if self.refused.is_some() {
                let room = self.outgoing.as_ref()?.reserve().await.ok()?;
                room.send(self.refused.take()?);
            }
            let Some(message) = self.incoming.recv().await else {
                break;
            };
            match &message {
                JsonRpcMessage::Request(request) => {
                    if self.asked.len() >= UNANSWERED {
                        let reason = format!("{UNANSWERED} requests wait for their answers already; read some first");
                        self.refused = serde_json::to_vec(&refusal(OVERLOADED, &reason, &json!(request.id))).ok();
                        continue;
                    }
                    self.asked.insert(request.id.clone());
                }
                JsonRpcMessage::Notification(notification) => {
                    if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                        && let Some(id) = &cancelled.params.request_id
                    {
                        self.asked.remove(id);
                    }
                }
                _ => {}
            }
            return Some(message);
        }
        // The input has ended; who asked something shortly before still gets the answer.
        let end = *self.end.get_or_insert_with(|| Instant::now() + GRACE);
        if !self.asked.is_empty() {
            tokio::time::sleep_until(end).await;
            if let Some(give_up) = self.give_up.take() {
                // Nobody listens if the session is over already.
                let _ = give_up.send(());
            }
        }
        None
    }

    async fn close(&mut self) -> io::Result<()> {
        self.outgoing = None;
        Ok(())
    }
}

/// Reads lines until the end of input, and hands on what is a message.
fn read(mut input: impl BufRead, received: &mpsc::Sender<Received>, refusals: &mpsc::Sender<Vec<u8>>) {
    let mut line = Vec::new();
    loop {
        line.clear();
        match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) => return tracing::warn!(%error, "the input cannot be read"),
        }
        let is_cut =
            line.last() != Some(&b'\n') && u64::try_from(line.len()).is_ok_and(|length| length == LONGEST_LINE);
        let understood = if is_cut {
            if skip_line(&mut input).is_err() {
                return;
            }
            let reason = format!("a message may have {LONGEST_LINE} bytes");
            Err(refusal(INVALID_REQUEST, &reason, &Value::Null))
        } else if line.trim_ascii().is_empty() {
            continue;
        } else {
            understand(&line)
        };
        let taken = match understood {
            Ok(message) => received.blocking_send(message).is_ok(),
            Err(refusal) => serde_json::to_vec(&refusal).is_ok_and(|line| refusals.blocking_send(line).is_ok()),
        };
        if !taken {
            return;
        }
    }
}

/// The message of a line, or what is answered to a line that is none.
fn understand(line: &[u8]) -> std::result::Result<Received, Value> {
    let error = match serde_json::from_slice(line) {
        Ok(message) => return Ok(message),
        Err(error) => error,
    };
    if line.trim_ascii_start().starts_with(b"[") && serde_json::from_slice::<IgnoredAny>(line).is_ok() {
        let reason = "the protocol has no batches; send one message a line";
        return Err(refusal(INVALID_REQUEST, reason, &Value::Null));
    }
    // Reads what is nested too deeply, too: whoever asks that way is told so under the request's id.
    let Ok(addressed) = serde_json::from_slice::<Addressed>(line) else {
        return Err(match serde_json::from_slice::<IgnoredAny>(line) {
            Ok(_) => refusal(INVALID_REQUEST, "a message is an object", &Value::Null),
            Err(error) => refusal(PARSE_ERROR, &format!("this is not JSON: {error}"), &Value::Null),
        });
    };
    let id = addressed.id.filter(|id| id.is_string() || id.is_number());
    let reason = format!("this is no message of the protocol: {error}");
    Err(refusal(INVALID_REQUEST, &reason, &id.unwrap_or_default()))
}

/// What is read of a message that could not be read.
#[derive(Deserialize)]
struct Addressed {
    id: Option<Value>,
}

/// An error response; without an id where none could be read (JSON-RPC 2.0, section 5).
fn refusal(code: i32, reason: &str, id: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": reason}})
}

/// Moves past the rest of a line, however long it is.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let available = input.fill_buf()?;
        if available.is_empty() {
            return Ok(());
        }
        let end = memchr::memchr(b'\n', available);
        let length = end.map_or(available.len(), |end| end + 1);
        input.consume(length);
        if end.is_some() {
            return Ok(());
        }
    }
}

/// Writes lines until nobody sends any, each at once if no other waits.
fn write(mut output: impl Write, mut lines: mpsc::Receiver<Vec<u8>>) -> io::Result<()> {
    while let Some(line) = lines.blocking_recv() {
        output.write_all(&line)?;
        output.write_all(b"\n")?;
        while let Ok(line) = lines.try_recv() {
            output.write_all(&line)?;
            output.write_all(b"\n")?;
        }
        output.flush()?;
    }
    Ok(())
}
