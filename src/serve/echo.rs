//! Owns repeating on standard error what tools write in their calls, for whoever runs the server.
//!
//! On a thread of its own: nobody may read standard error, and that must hold up no call and no end of the process.

use crate::model::LogLine;
use std::io::{self, Write as _};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::thread;
use std::time::Duration;

/// How many calls' lines may wait for somebody who reads.
const WAITING: usize = 256;
/// How long the end of the process waits for lines to be taken.
const PATIENCE: Duration = Duration::from_millis(200);

/// The one for the process, as standard error is; nothing where its thread could not be made.
static ECHO: OnceLock<Option<Echo>> = OnceLock::new();

struct Echo {
    parts: SyncSender<Part>,
    dropped: AtomicUsize,
}

enum Part {
    Text(String),
    /// Everything before was written.
    Mark(SyncSender<()>),
}

/// Repeats what a call wrote. Where nobody reads, it is let go, and that is told to who reads later.
pub fn repeat(lines: &[LogLine]) {
    if lines.is_empty() {
        return;
    }
    let Some(echo) = ECHO.get_or_init(Echo::start) else {
        return;
    };
    let mut text: String = lines.iter().flat_map(|line| [line.text.as_str(), "\n"]).collect();
    let dropped = echo.dropped.swap(0, Ordering::Relaxed);
    if dropped > 0 {
        text.insert_str(
            0,
            &format!("pegboard: the output of {dropped} calls is missing here: nobody read it\n"),
        );
    }
    if let Err(TrySendError::Full(_)) = echo.parts.try_send(Part::Text(text)) {
        echo.dropped.fetch_add(dropped + 1, Ordering::Relaxed);
    }
}

/// Waits until everything was repeated, if somebody reads.
pub fn flush() {
    if let Some(Some(echo)) = ECHO.get() {
        let (sender, written) = mpsc::sync_channel(1);
        if echo.parts.try_send(Part::Mark(sender)).is_ok() {
            // Nobody reads if it takes longer.
            let _ = written.recv_timeout(PATIENCE);
        }
    }
}

impl Echo {
    fn start() -> Option<Self> {
        let (parts, waiting) = mpsc::sync_channel(WAITING);
        thread::Builder::new()
            .name("pegboard-echo".to_owned())
            .spawn(move || write(&waiting))
            .map_err(|error| tracing::warn!(%error, "what tools write cannot be repeated"))
            .ok()?;
        Some(Self {
            parts,
            dropped: AtomicUsize::new(0),
        })
    }
}

fn write(waiting: &Receiver<Part>) {
    while let Ok(part) = waiting.recv() {
        match part {
            // There is nobody else to tell if this fails.
            Part::Text(text) => drop(io::stderr().write_all(text.as_bytes())),
            // Whoever waited may have gone.
            Part::Mark(sender) => drop(sender.send(())),
        }
    }
}
