//! Owns the last lines that a server's process wrote beside its messages, for the finding that tells why it ended.
//!
//! Must not keep more than a few of them, however much the process writes.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

const LINES: usize = 8;
/// The bytes of a line that are kept.
const LINE_BYTES: usize = 400;

/// The last lines of some streams.
#[derive(Debug, Default)]
pub struct Tail(Mutex<VecDeque<String>>);

/// One stream that is cut into lines.
#[derive(Debug, Default)]
pub struct Lines {
    open: Vec<u8>,
}

impl Tail {
    /// Keeps a line, in place of the oldest one if there are enough.
    pub fn push(&self, line: String) {
        if line.trim().is_empty() {
            return;
        }
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == LINES {
            lines.pop_front();
        }
        lines.push_back(line);
    }

    /// The lines, oldest first.
    pub fn lines(&self) -> Vec<String> {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().cloned().collect()
    }
}

impl Lines {
    /// Takes what a stream yielded, and tells each line that is complete.
    pub fn feed(&mut self, mut bytes: &[u8], mut line: impl FnMut(String)) {
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            self.keep(&bytes[..end]);
            line(self.take());
            bytes = &bytes[end + 1..];
        }
        self.keep(bytes);
    }

    /// The line that has no end yet.
    pub fn take(&mut self) -> String {
        let line = String::from_utf8_lossy(&self.open).trim_end().to_owned();
        self.open.clear();
        line
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = LINE_BYTES.saturating_sub(self.open.len());
        self.open.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}

#[cfg(test)]
mod tests {
    use super::{LINE_BYTES, LINES, Lines, Tail};

    #[test]
    fn keeps_the_last_lines_and_no_more() {
        let tail = Tail::default();
        let mut lines = Lines::default();
        for chunk in ["one\ntw", "o\r\n\n", "three"] {
            lines.feed(chunk.as_bytes(), |line| tail.push(line));
        }
        tail.push(lines.take());
        assert_eq!(tail.lines(), ["one", "two", "three"]);
        for number in 0..1000 {
            lines.feed(format!("{number} {}\n", "x".repeat(10_000)).as_bytes(), |line| {
                tail.push(line);
            });
        }
        let kept = tail.lines();
        assert_eq!(kept.len(), LINES);
        assert!(kept.last().is_some_and(|line| line.starts_with("999 ")));
        assert!(kept.iter().all(|line| line.len() <= LINE_BYTES));
    }
}
