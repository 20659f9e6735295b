//! Owns the process of a server: how it starts, what it writes beside its messages, and that nothing of it is left.
//!
//! The process leads a group of its own, so that what it starts can be ended with it and a Ctrl-C in the terminal reaches
//! the host alone. Must not know the protocol.

use super::calls::Calls;
use super::tail::{Lines, Tail};
use crate::model::LogStream;
use rustix::process::{Pid, Signal, kill_process_group};
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncReadExt as _;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// How long the last words of a process that ended are waited for; what it started may hold its streams open.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// What a process is started from.
#[derive(Debug)]
pub struct Launch<'a> {
    /// The program.
    pub command: &'a str,
    /// Its arguments.
    pub arguments: &'a [String],
    /// Variables beside those of the host.
    pub environment: &'a [(String, String)],
    /// The folder that it runs in.
    pub working_directory: &'a Path,
}

/// A running process.
pub struct Process {
    child: Child,
    group: Option<Pid>,
    listening: JoinHandle<()>,
}

impl Process {
    /// Starts a process whose standard error goes to the tail, and to the call that runs if it is only one.
    ///
    /// Has to be called on a thread that lives as long as the process: where the system can, the process dies with it.
    pub fn start(
        launch: &Launch<'_>,
        tail: Arc<Tail>,
        calls: Arc<Calls>,
    ) -> io::Result<(Self, ChildStdin, ChildStdout)> {
        let mut command = Command::new(launch.command);
        command
            .args(launch.arguments)
            .envs(
                launch
                    .environment
                    .iter()
                    .map(|(name, value)| (OsStr::new(name), OsStr::new(value))),
            )
            .current_dir(launch.working_directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        die_with_parent(&mut command);
        let mut child = command.spawn()?;
        let missing = || io::Error::other("the process has no standard streams");
        let stdin = child.stdin.take().ok_or_else(missing)?;
        let stdout = child.stdout.take().ok_or_else(missing)?;
        let stderr = child.stderr.take().ok_or_else(missing)?;
        let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        let process = Self {
            child,
            group,
            listening: tokio::spawn(listen(stderr, tail, calls)),
        };
        Ok((process, stdin, stdout))
    }

    /// Who has to be ended with the process.
    pub const fn group(&self) -> Option<Pid> {
        self.group
    }

    /// Waits for its end.
    pub async fn ended(&mut self) -> Option<ExitStatus> {
        self.child.wait().await.ok()
    }

    /// Ends it and what it started, at the latest after `grace`; its standard input has to be closed already.
    pub async fn end(mut self, grace: Duration) -> Option<ExitStatus> {
        let part = grace / 2;
        let mut status = timeout(part, self.child.wait()).await;
        if status.is_err() {
            end_group(self.group, Signal::TERM);
            status = timeout(part, self.child.wait()).await;
        }
        // What it started may outlive it.
        end_group(self.group, Signal::KILL);
        let status = match status {
            Ok(status) => status,
            Err(_) => self.child.wait().await,
        };
        // Whatever still holds its standard error is not of its group.
        let _ = timeout(LAST_WORDS, &mut self.listening).await;
        self.listening.abort();
        status.ok()
    }
}

/// Sends a signal to a process and what it started, if any of it is left.
pub fn end_group(group: Option<Pid>, signal: Signal) {
    if let Some(group) = group {
        // The only fault that there can be is that nothing is left.
        let _ = kill_process_group(group, signal);
    }
}

/// Reads standard error to its end, however much it is: a full pipe would stop the process.
async fn listen(mut stderr: ChildStderr, tail: Arc<Tail>, calls: Arc<Calls>) {
    let mut buffer = vec![0; 8192];
    let mut lines = Lines::default();
    while let Ok(length @ 1..) = stderr.read(&mut buffer).await {
        let bytes = &buffer[..length];
        calls.write(LogStream::Stderr, &String::from_utf8_lossy(bytes));
        lines.feed(bytes, |line| {
            tracing::debug!(target: "pegboard::remote", "standard error: {line}");
            tail.push(line);
        });
    }
    tail.push(lines.take());
}

/// Lets the system kill the process when this one dies without a chance to end it.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "a step between fork and exec cannot be had otherwise")]
fn die_with_parent(command: &mut Command) {
    use rustix::process::{getppid, set_parent_process_death_signal};

    let parent = rustix::process::getpid();
    let step = move || {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // The parent may have died before the call.
        if getppid() == Some(parent) {
            Ok(())
        } else {
            Err(rustix::io::Errno::SRCH.into())
        }
    };
    // SAFETY: the step makes two system calls, and neither allocates nor locks.
    unsafe { command.pre_exec(step) };
}

#[cfg(not(target_os = "linux"))]
fn die_with_parent(_: &mut Command) {}
