//! Owns listening in on a process's standard output: what is written there beside messages, and messages without end.
//!
//! Must not change what passes through.

use super::tail::{Lines, Tail};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, ReadBuf};

/// The longest message that a server may send, in bytes. A longer one ends the connection: nothing could be said about
/// the call that it answers.
pub const LONGEST_MESSAGE: usize = 64 * 1024 * 1024;

/// A stream of messages, one a line.
pub struct Tap<R> {
    inner: R,
    tail: Arc<Tail>,
    lines: Lines,
    length: usize,
    line: LineKind,
}

/// What the line is that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineKind {
    Unknown,
    Message,
    Other,
}

impl<R> Tap<R> {
    /// Listens in on `inner`; lines that are no messages go to `tail`.
    pub fn new(inner: R, tail: Arc<Tail>) -> Self {
        Self {
            inner,
            tail,
            lines: Lines::default(),
            length: 0,
            line: LineKind::Unknown,
        }
    }

    fn observe(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let (piece, rest) = bytes.split_at(end.map_or(bytes.len(), |end| end + 1));
            if self.line == LineKind::Unknown {
                self.line = match piece.trim_ascii_start().first() {
                    None => LineKind::Unknown,
                    Some(b'{' | b'[') => LineKind::Message,
                    Some(_) => LineKind::Other,
                };
            }
            if self.line == LineKind::Other {
                let tail = &self.tail;
                self.lines.feed(piece, |line| tail.push(line));
            }
            self.length += piece.len();
            if self.length > LONGEST_MESSAGE {
                self.tail.push(format!(
                    "a message of more than {LONGEST_MESSAGE} bytes ended the connection"
                ));
                return Err(io::Error::new(io::ErrorKind::InvalidData, "a message is too long"));
            }
            if end.is_some() {
                self.length = 0;
                self.line = LineKind::Unknown;
            }
            bytes = rest;
        }
        Ok(())
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Tap<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.inner).poll_read(context, buffer))?;
        Poll::Ready(self.observe(&buffer.filled()[before..]))
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_MESSAGE, Tap};
    use std::sync::Arc;

    #[test]
    fn tells_messages_from_other_lines() {
        let tail = Arc::default();
        let mut tap = Tap::new(&b""[..], Arc::clone(&tail));
        for chunk in ["Starting", " up\n{\"a\":", "1}\n\n  [1]\noops\n"] {
            tap.observe(chunk.as_bytes()).unwrap();
        }
        assert_eq!(tail.lines(), ["Starting up", "oops"]);
    }

    #[test]
    fn a_message_without_end_is_refused() {
        let mut tap = Tap::new(&b""[..], Arc::default());
        let chunk = vec![b'{'; LONGEST_MESSAGE / 2];
        tap.observe(&chunk).unwrap();
        tap.observe(&chunk).unwrap();
        assert!(tap.observe(b"{").is_err());
    }
}
