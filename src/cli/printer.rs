//! Owns all that the command writes: the answer on its private copy of standard output, everything else on standard
//! error.
//!
//! Nothing else in the crate prints. What is written is decided by the commands.

use super::args::{Format, When};
use super::error::{CommandError, CommandResult};
use super::paint::{Paint, visible};
use crate::model::{Progress, ProgressSink};
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Stderr, Write};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a message that must hold nothing up waits for its reader.
const READER_PATIENCE: Duration = Duration::from_millis(200);

/// Clears the line that the cursor is on, and goes to its start.
const CLEAR_LINE: &str = "\r\u{1b}[2K";

/// Writes the answer and the messages of one command.
pub struct Printer {
    format: Format,
    answer: Mutex<BufWriter<File>>,
    answer_paint: Paint,
    messages: Arc<Messages>,
    message_paint: Paint,
}

impl Printer {
    /// A printer whose answer goes to `output`.
    pub fn new(output: File, format: Format, color: When) -> Self {
        let paint = |terminal: bool| {
            Paint::new(match color {
                When::Always => true,
                When::Never => false,
                // https://no-color.org
                When::Auto => terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
            })
        };
        Self {
            format,
            answer_paint: paint(output.is_terminal()),
            answer: Mutex::new(BufWriter::new(output)),
            messages: Arc::new(Messages::new()),
            message_paint: paint(io::stderr().is_terminal()),
        }
    }

    /// How the answer is written.
    pub const fn format(&self) -> Format {
        self.format
    }

    /// The looks of the answer.
    pub const fn answer_paint(&self) -> Paint {
        self.answer_paint
    }

    /// The looks of messages.
    pub const fn message_paint(&self) -> Paint {
        self.message_paint
    }

    /// Writes a part of the answer, as it is.
    pub fn answer(&self, text: &str) -> CommandResult<()> {
        self.end_progress();
        locked(&self.answer)
            .write_all(text.as_bytes())
            .map_err(CommandError::Output)
    }

    /// Writes the answer as one JSON document on one line.
    pub fn json(&self, document: &impl Serialize) -> CommandResult<()> {
        self.end_progress();
        let mut answer = locked(&self.answer);
        serde_json::to_writer(&mut *answer, document).map_err(|error| CommandError::Output(error.into()))?;
        answer.write_all(b"\n").map_err(CommandError::Output)
    }

    /// Sends what is still held back of the answer.
    pub fn flush(&self) -> CommandResult<()> {
        locked(&self.answer).flush().map_err(CommandError::Output)
    }

    /// Writes whole lines on standard error. A standard error that is gone leaves nobody to tell.
    pub fn message(&self, lines: &str) {
        self.messages.write(lines);
    }

    /// The same, but nobody has to read it: it waits for no reader longer than 0.2 s.
    pub fn offer_message(&self, lines: &str) {
        let (sender, written) = mpsc::sync_channel(1);
        let (messages, lines) = (Arc::clone(&self.messages), lines.to_owned());
        std::thread::spawn(move || {
            messages.write(&lines);
            // Whoever waited may have gone.
            let _ = sender.send(());
        });
        let _ = written.recv_timeout(READER_PATIENCE);
    }

    /// Where a tool's progress is shown: one line on a terminal, until anything else is written.
    pub fn progress(&self) -> Option<ProgressSink> {
        if !io::stderr().is_terminal() {
            return None;
        }
        *locked(&self.messages.progress) = ProgressLine::Awaited;
        let messages = Arc::clone(&self.messages);
        Some(Arc::new(move |progress: &Progress| messages.show(progress)))
    }

    /// Removes the line of progress for good; a tool that still runs shows no more.
    pub fn end_progress(&self) {
        self.messages.write("");
    }
}

/// Standard error, and the line of progress on it.
struct Messages {
    stream: Stderr,
    progress: Mutex<ProgressLine>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ProgressLine {
    Awaited,
    Shown,
    Ended,
}

impl Messages {
    fn new() -> Self {
        Self {
            stream: io::stderr(),
            progress: Mutex::new(ProgressLine::Awaited),
        }
    }

    fn write(&self, lines: &str) {
        let mut progress = locked(&self.progress);
        let clear = if *progress == ProgressLine::Shown {
            CLEAR_LINE
        } else {
            ""
        };
        *progress = ProgressLine::Ended;
        let end = if lines.is_empty() || lines.ends_with('\n') {
            ""
        } else {
            "\n"
        };
        // Whoever has nothing to say does not wait for who speaks.
        if !(clear.is_empty() && lines.is_empty()) {
            drop(self.stream.lock().write_all(format!("{clear}{lines}{end}").as_bytes()));
        }
    }

    fn show(&self, shown: &Progress) {
        let mut progress = locked(&self.progress);
        if *progress != ProgressLine::Ended {
            *progress = ProgressLine::Shown;
            let text = visible(&shown.to_string()).replace('\n', " ");
            drop(self.stream.lock().write_all(format!("{CLEAR_LINE}{text}").as_bytes()));
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
