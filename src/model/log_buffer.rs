//! Owns keeping what a tool writes during one call within a number of bytes.
//!
//! Must not write anywhere: the lines go onto the call's outcome.

use super::{LogLine, LogStream};
use std::collections::VecDeque;
use std::mem;

/// The streams that a tool writes to.
const STREAMS: [LogStream; 3] = [LogStream::Stdout, LogStream::Stderr, LogStream::Log];

/// What a tool wrote during one call, in lines: the first and the last, if it was too much to keep it all.
///
/// Standard output and error arrive in chunks, so a line is complete at its end, or when it alone would fill the buffer.
/// What is written to the log arrives message by message, and each ends its own last line.
#[derive(Debug)]
pub struct LogBuffer {
    limit: usize,
    head: Vec<LogLine>,
    tail: VecDeque<LogLine>,
    head_bytes: usize,
    tail_bytes: usize,
    open: [String; STREAMS.len()],
    dropped_lines: usize,
    dropped_bytes: usize,
}

impl LogBuffer {
    /// An empty buffer for at most `limit` bytes, line ends included.
    #[must_use]
    pub const fn new(limit: usize) -> Self {
        Self {
            limit,
            head: Vec::new(),
            tail: VecDeque::new(),
            head_bytes: 0,
            tail_bytes: 0,
            open: [const { String::new() }; STREAMS.len()],
            dropped_lines: 0,
            dropped_bytes: 0,
        }
    }

    /// Takes what the tool wrote to a stream: a chunk, or a whole message for the log.
    pub fn write(&mut self, stream: LogStream, text: &str) {
        let Some(index) = STREAMS.iter().position(|known| *known == stream) else {
            return self.push(stream, text.to_owned());
        };
        for piece in text.split_inclusive('\n') {
            let (piece, complete) = match piece.strip_suffix('\n') {
                Some(line) => (line, true),
                None => (piece, false),
            };
            let rest = self.fill(index, stream, piece);
            self.open[index].push_str(rest);
            if complete {
                let mut line = mem::take(&mut self.open[index]);
                if line.ends_with('\r') {
                    line.pop();
                }
                self.push(stream, line);
            }
        }
        if stream == LogStream::Log {
            self.end_line(index, stream);
        }
    }

    /// Takes out the lines in the order of their ends, with a remark where some were dropped.
    #[must_use]
    pub fn take(&mut self) -> Vec<LogLine> {
        for (index, stream) in STREAMS.into_iter().enumerate() {
            self.end_line(index, stream);
        }
        let full = mem::replace(self, Self::new(self.limit));
        let mut lines = full.head;
        if full.dropped_lines > 0 {
            lines.push(LogLine {
                stream: LogStream::Host,
                text: format!(
                    "{} lines ({} bytes) were dropped here: a call may write {} bytes",
                    full.dropped_lines, full.dropped_bytes, full.limit
                ),
            });
        }
        lines.extend(full.tail);
        lines
    }

    /// Ends the open line, if one is open.
    fn end_line(&mut self, index: usize, stream: LogStream) {
        let line = mem::take(&mut self.open[index]);
        if !line.is_empty() {
            self.push(stream, line);
        }
    }

    /// Ends the open line as often as the piece overfills it, and returns what is left of the piece.
    fn fill<'a>(&mut self, index: usize, stream: LogStream, mut piece: &'a str) -> &'a str {
        let longest = (self.limit / 4).max(1);
        while self.open[index].len() + piece.len() > longest {
            let room = longest.saturating_sub(self.open[index].len());
            let mut end = (0..=room.min(piece.len()))
                .rev()
                .find(|end| piece.is_char_boundary(*end))
                .unwrap_or(0);
            if end == 0 && self.open[index].is_empty() {
                end = piece.chars().next().map_or(0, char::len_utf8);
            }
            let (line, rest) = piece.split_at(end);
            let mut whole = mem::take(&mut self.open[index]);
            whole.push_str(line);
            self.push(stream, whole);
            piece = rest;
        }
        piece
    }

    fn push(&mut self, stream: LogStream, text: String) {
        let bytes = text.len() + 1;
        let half = self.limit / 2;
        if self.dropped_lines == 0 && self.tail.is_empty() && self.head_bytes + bytes <= half {
            self.head_bytes += bytes;
            self.head.push(LogLine { stream, text });
            return;
        }
        self.tail_bytes += bytes;
        self.tail.push_back(LogLine { stream, text });
        while self.head_bytes + self.tail_bytes > self.limit {
            let Some(line) = self.tail.pop_front() else { break };
            let bytes = line.text.len() + 1;
            self.tail_bytes -= bytes;
            self.dropped_bytes += bytes;
            self.dropped_lines += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LogBuffer, LogLine, LogStream};
    use proptest::prelude::*;

    fn line(stream: LogStream, text: &str) -> LogLine {
        LogLine {
            stream,
            text: text.to_owned(),
        }
    }

    #[test]
    fn makes_lines_of_chunks_and_messages_in_the_order_of_their_ends() {
        let mut buffer = LogBuffer::new(1000);
        for (stream, chunk) in [
            (LogStream::Stdout, "a"),
            (LogStream::Stderr, "err\r\n"),
            (LogStream::Stdout, "b\n\nc"),
            (LogStream::Log, "note"),
            (LogStream::Log, "two\nlines\n"),
        ] {
            buffer.write(stream, chunk);
        }
        assert_eq!(
            buffer.take(),
            [
                line(LogStream::Stderr, "err"),
                line(LogStream::Stdout, "ab"),
                line(LogStream::Stdout, ""),
                line(LogStream::Log, "note"),
                line(LogStream::Log, "two"),
                line(LogStream::Log, "lines"),
                line(LogStream::Stdout, "c"),
            ]
        );
    }

    #[test]
    fn keeps_the_first_and_the_last_and_says_what_is_missing() {
        let mut buffer = LogBuffer::new(40);
        for number in 0..10 {
            buffer.write(LogStream::Stdout, &format!("line {number}\n"));
        }
        assert_eq!(
            buffer.take(),
            [
                line(LogStream::Stdout, "line 0"),
                line(LogStream::Stdout, "line 1"),
                line(
                    LogStream::Host,
                    "5 lines (35 bytes) were dropped here: a call may write 40 bytes"
                ),
                line(LogStream::Stdout, "line 7"),
                line(LogStream::Stdout, "line 8"),
                line(LogStream::Stdout, "line 9"),
            ]
        );
    }

    #[test]
    fn a_line_without_end_does_not_grow_for_ever() {
        let mut buffer = LogBuffer::new(64);
        for _ in 0..1000 {
            buffer.write(LogStream::Stderr, "日本語");
        }
        let lines = buffer.take();
        let kept: usize = lines
            .iter()
            .filter(|line| line.stream == LogStream::Stderr)
            .map(|line| line.text.len() + 1)
            .sum();
        assert!((1..=64).contains(&kept), "{kept} bytes are kept");
        assert!(lines.iter().any(|line| line.stream == LogStream::Host));
    }

    proptest! {
        #[test]
        fn loses_nothing_below_the_limit_and_keeps_the_limit_above(
            chunks in prop::collection::vec("[a-zé\n]{0,20}", 0..30),
            limit in 0_usize..2000,
        ) {
            let mut buffer = LogBuffer::new(limit);
            for chunk in &chunks {
                buffer.write(LogStream::Stdout, chunk);
            }
            let lines = buffer.take();
            let kept: usize = lines
                .iter()
                .filter(|line| line.stream == LogStream::Stdout)
                .map(|line| line.text.len() + 1)
                .sum();
            prop_assert!(kept <= limit);
            let written: usize = chunks.concat().split_terminator('\n').map(|line| line.len() + 1).sum();
            let is_whole = lines.iter().all(|line| line.stream != LogStream::Host);
            // A line may not be longer than a quarter of the limit; a long one counts its parts' ends too.
            let longest = chunks.concat().split('\n').map(str::len).max().unwrap_or(0);
            prop_assert!(is_whole || written > limit || longest > limit / 4);
            if is_whole {
                let text: String = chunks.concat().replace('\n', "");
                let joined: String = lines.iter().map(|line| line.text.as_str()).collect();
                prop_assert_eq!(joined, text);
            }
        }
    }
}
