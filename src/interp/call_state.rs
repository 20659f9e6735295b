//! Owns what is known of one call while it runs, and that it is answered exactly once.
//!
//! Plain data that any thread may touch without the interpreter lock.

use super::lock::lock;
use crate::model::{CallId, Failure, FailureKind, LogBuffer, LogLine, LogStream, Progress, ProgressSink};
use crate::runner::{CallEnd, Deadline, Reply};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;
use tokio::sync::oneshot;

/// Where the answer goes.
pub enum ReplySender {
    /// A future waits.
    Future(oneshot::Sender<Reply>),
    /// A thread waits.
    Thread(mpsc::SyncSender<Reply>),
}

/// Why a call is to end before its tool is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// Its time is over.
    TimedOut,
    /// Its caller no longer wants it.
    Cancelled,
}

/// How far a call has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Phase {
    /// It waits for a thread or for its toolset.
    Waiting,
    /// The tool runs on a thread of the pool or of the caller.
    OnThread,
    /// The tool runs on the event loop.
    OnLoop,
    /// The tool is done.
    Done,
}

/// One call from submission to answer.
pub struct CallState {
    /// Unique in this process.
    pub number: u64,
    /// The caller's id.
    pub call_id: CallId,
    /// The tool's name.
    pub tool: Arc<str>,
    /// When it is over.
    pub deadline: Option<Deadline>,
    sender: Mutex<Option<ReplySender>>,
    log_bytes: usize,
    /// Whether there is anything to take out: most tools write nothing, and need not be locked for it.
    spoke: AtomicBool,
    /// Made at the first write.
    logs: Mutex<Option<Box<LogBuffer>>>,
    progress: Option<ProgressSink>,
    /// Where the process was before the tool changed its working directory.
    directory: Mutex<Option<PathBuf>>,
    phase: AtomicU8,
    stop_reason: AtomicU8,
    cancelled: AtomicBool,
    thread: AtomicU64,
    stack: Mutex<Option<String>>,
    owner: AtomicU8,
}

/// What has become of the pool thread that a call runs on.
const THREAD_TAKEN: u8 = 0;
const THREAD_RETURNED: u8 = 1;
const THREAD_GIVEN_UP: u8 = 2;

static NEXT_NUMBER: AtomicU64 = AtomicU64::new(1);

impl CallState {
    /// A call that nobody has begun.
    pub fn new(
        call_id: CallId,
        tool: Arc<str>,
        deadline: Option<Deadline>,
        log_bytes: usize,
        progress: Option<ProgressSink>,
        sender: Option<ReplySender>,
    ) -> Arc<Self> {
        Arc::new(Self {
            number: NEXT_NUMBER.fetch_add(1, Ordering::Relaxed),
            call_id,
            tool,
            deadline,
            sender: Mutex::new(sender),
            log_bytes,
            spoke: AtomicBool::new(false),
            logs: Mutex::new(None),
            progress,
            directory: Mutex::new(None),
            phase: AtomicU8::new(Phase::Waiting as u8),
            stop_reason: AtomicU8::new(0),
            cancelled: AtomicBool::new(false),
            thread: AtomicU64::new(0),
            stack: Mutex::new(None),
            owner: AtomicU8::new(THREAD_TAKEN),
        })
    }

    /// Answers the call; `false` if it was answered before, in which case `end` is dropped.
    pub fn finish(&self, end: CallEnd) -> bool {
        let Some(sender) = lock(&self.sender).take() else {
            tracing::debug!(call = %self.call_id, tool = %self.tool, "a late result was dropped");
            return false;
        };
        let reply = Reply {
            end,
            logs: self.take_logs(),
        };
        // A receiver that is gone no longer wants the answer, which is not a fault.
        match sender {
            ReplySender::Future(sender) => drop(sender.send(reply)),
            ReplySender::Thread(sender) => drop(sender.try_send(reply)),
        }
        true
    }

    /// Says where the answer goes, for a call that began without anybody who waits elsewhere.
    pub fn reply_to(&self, sender: ReplySender) {
        *lock(&self.sender) = Some(sender);
    }

    /// Notes that the tool changes the working directory; what it was at first stays.
    pub fn leave_directory(&self, before: PathBuf) {
        lock(&self.directory).get_or_insert(before);
        self.spoke.store(true, Ordering::Release);
    }

    /// What the tool wrote so far, and what it did to the process beside that, taken out.
    pub fn take_logs(&self) -> Vec<LogLine> {
        if !self.spoke.load(Ordering::Acquire) {
            return Vec::new();
        }
        if let Some(before) = lock(&self.directory).take() {
            self.report_directory(&before);
        }
        lock(&self.logs).take().map_or_else(Vec::new, |mut logs| logs.take())
    }

    fn report_directory(&self, before: &Path) {
        let now = std::env::current_dir().unwrap_or_default();
        if now != before {
            let (tool, before, now) = (&self.tool, before.display(), now.display());
            let report = format!(
                "{tool} changed the working directory from {before} to {now}, for every tool of this process; \
                 `contextlib.chdir` puts it back"
            );
            tracing::warn!(call = %self.call_id, "{report}");
            self.write(LogStream::Host, &report);
        }
    }

    /// Whether the call was answered, or its caller is gone.
    pub fn is_answered(&self) -> bool {
        lock(&self.sender).is_none()
    }

    /// Forgets the caller, who no longer waits.
    pub fn abandon(&self) {
        lock(&self.sender).take();
    }

    /// Asks the call to end; the first reason stays.
    pub fn request_stop(&self, reason: StopReason) {
        let wanted = match reason {
            StopReason::TimedOut => 1,
            StopReason::Cancelled => 2,
        };
        let _ = self
            .stop_reason
            .compare_exchange(0, wanted, Ordering::AcqRel, Ordering::Acquire);
        self.cancelled.store(true, Ordering::Release);
    }

    /// Why the call is to end, if it is.
    pub fn stop_reason(&self) -> Option<StopReason> {
        match self.stop_reason.load(Ordering::Acquire) {
            1 => Some(StopReason::TimedOut),
            2 => Some(StopReason::Cancelled),
            _ => None,
        }
    }

    /// Whether the tool should stop of its own accord.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Acquire)
    }

    /// How far the call has come.
    pub fn phase(&self) -> Phase {
        match self.phase.load(Ordering::Acquire) {
            0 => Phase::Waiting,
            1 => Phase::OnThread,
            2 => Phase::OnLoop,
            _ => Phase::Done,
        }
    }

    /// Notes how far the call has come.
    pub fn set_phase(&self, phase: Phase) {
        self.phase.store(phase as u8, Ordering::Release);
    }

    /// Notes Python's identifier of the thread that runs the tool; 0 for none. Changed only while attached.
    pub fn set_thread(&self, identifier: u64) {
        self.thread.store(identifier, Ordering::Release);
    }

    /// Python's identifier of the thread that runs the tool.
    pub fn thread(&self) -> Option<u64> {
        Some(self.thread.load(Ordering::Acquire)).filter(|identifier| *identifier != 0)
    }

    /// Notes that the pool no longer counts on the call's thread; `false` if the thread came back before.
    pub fn give_up_thread(&self) -> bool {
        self.owner
            .compare_exchange(THREAD_TAKEN, THREAD_GIVEN_UP, Ordering::AcqRel, Ordering::Acquire)
            .is_ok()
    }

    /// Notes that the call's thread came back to the pool; `false` if the pool gave it up before.
    pub fn return_thread(&self) -> bool {
        self.owner
            .compare_exchange(THREAD_TAKEN, THREAD_RETURNED, Ordering::AcqRel, Ordering::Acquire)
            .is_ok()
    }

    /// Keeps what the tool wrote.
    pub fn write(&self, stream: LogStream, text: &str) {
        lock(&self.logs)
            .get_or_insert_with(|| Box::new(LogBuffer::new(self.log_bytes)))
            .write(stream, text);
        self.spoke.store(true, Ordering::Release);
    }

    /// Whether somebody watches how far the tool has come.
    pub fn is_watched(&self) -> bool {
        self.progress.is_some()
    }

    /// Tells whoever watches the call how far the tool has come.
    pub fn report_progress(&self, progress: &Progress) {
        match &self.progress {
            Some(sink) => sink(progress),
            None => self.write(LogStream::Log, &format!("{progress}\n")),
        }
    }

    /// Keeps the Python stack of a tool that does not stop.
    pub fn set_stack(&self, stack: String) {
        *lock(&self.stack) = Some(stack);
    }

    /// The Python stack of a tool that did not stop.
    pub fn stack(&self) -> Option<String> {
        lock(&self.stack).clone()
    }

    /// Whether the call's time was over before it began, so that its tool never runs.
    pub fn has_no_time(&self) -> bool {
        self.deadline.is_some_and(|deadline| deadline.limit.is_zero())
    }

    /// The failure that a call ends with when its time is over.
    pub fn timed_out(&self, still_running: bool) -> Failure {
        let limit = self
            .deadline
            .map_or(Duration::ZERO, |deadline| deadline.limit)
            .as_secs_f64();
        let message = match (self.phase(), still_running) {
            _ if self.has_no_time() => "a time limit of 0 s is over before the tool runs".to_owned(),
            (Phase::Waiting, _) => format!(
                "timed out after {limit} s without having started: it waited for a free thread, for the event loop, or for \
                 its turn with a toolset"
            ),
            (_, true) => {
                format!("timed out after {limit} s; the tool's code is still running and may still have effects")
            }
            (_, false) => format!("timed out after {limit} s; the tool was stopped"),
        };
        let mut failure = Failure::new(FailureKind::TimedOut, message);
        failure.still_running = still_running && self.phase() != Phase::Waiting;
        failure.traceback.clone_from(&lock(&self.stack));
        failure
    }

    /// The failure of a call that was ended early, after its tool has stopped.
    pub fn stopped(&self, reason: StopReason) -> Failure {
        match reason {
            StopReason::TimedOut => self.timed_out(false),
            StopReason::Cancelled => Failure::new(FailureKind::Cancelled, "the call was cancelled"),
        }
    }
}
