//! Owns the checks of a capability: commands whose success says that its environment is as it needs it.
//!
//! Discovery only reads them. Running them is the host's choice, since a check may take seconds and do anything.

use super::manifest::{Capability, Reading};
use super::yaml::Node;
use rustix::process::{Pid, Signal, kill_process_group};
use serde::Serialize;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

/// How long one check may take.
const LIMIT: Duration = Duration::from_secs(5);
/// How often a running check is looked at.
const INTERVAL: Duration = Duration::from_millis(10);
/// How much of what a failing check wrote is told.
const MOST_WORDS: usize = 2000;
/// How long the end of these words is waited for after the command has ended.
const PATIENCE: Duration = Duration::from_millis(200);

/// A command whose success says that the environment is as the capability needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// What it checks.
    pub name: String,
    /// A line for the shell, run in the capability's directory.
    pub command: String,
}

/// How a check ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CheckOutcome {
    /// What was checked.
    pub name: String,
    /// Why it failed, if it did: what the command wrote to its standard error, or how it ended.
    pub problem: Option<String>,
}

impl Capability {
    /// Runs the checks at the same time, each for at most five seconds.
    ///
    /// The thread waits for them. A check that takes longer is killed, with every process that it started.
    #[must_use]
    pub fn run_checks(&self) -> Vec<CheckOutcome> {
        let environment = self.environment();
        let problem = |check: &Check| run(&check.command, &self.root, &environment, LIMIT).err();
        thread::scope(|scope| {
            let running: Vec<_> = self
                .checks
                .iter()
                .map(|check| (check, scope.spawn(|| problem(check))))
                .collect();
            let outcome = |(check, running): (&Check, ScopedJoinHandle<'_, Option<String>>)| CheckOutcome {
                name: check.name.clone(),
                problem: running
                    .join()
                    .unwrap_or_else(|_| Some("it could not be run".to_owned())),
            };
            running.into_iter().map(outcome).collect()
        })
    }
}

fn run(command: &str, root: &Path, environment: &[(String, String)], limit: Duration) -> Result<(), String> {
    let mut child = Command::new("sh")
        .args(["-c", command])
        .current_dir(root)
        .envs(environment.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .map_err(|error| format!("the shell cannot be started: {error}"))?;
    let words = child.stderr.take().map(Words::of);
    let status = wait(&mut child, limit).map_err(|error| format!("the check cannot be waited for: {error}"))?;
    let Some(status) = status else {
        return Err(format!("timed out after {} s", limit.as_secs_f64()));
    };
    if status.success() {
        return Ok(());
    }
    Err(words
        .map(Words::take)
        .filter(|words| !words.is_empty())
        .unwrap_or_else(|| status.to_string()))
}

/// How the child ended, or `None` if it had to be killed.
fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let end = Instant::now() + limit;
    while Instant::now() < end {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(INTERVAL);
    }
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        kill_process_group(group, Signal::KILL)?;
    }
    child.wait().map(|_| None)
}

/// The beginning of what a command writes, read by a thread so that the command never waits for it.
struct Words {
    kept: Arc<Mutex<Vec<u8>>>,
    /// Disconnected at the end of the pipe.
    end: mpsc::Receiver<()>,
}

impl Words {
    fn of(mut pipe: ChildStderr) -> Self {
        let (sender, end) = mpsc::channel();
        let kept = Arc::new(Mutex::new(Vec::new()));
        let words = Arc::clone(&kept);
        thread::spawn(move || {
            let mut chunk = [0; 1024];
            while let Ok(length @ 1..) = pipe.read(&mut chunk) {
                let mut words = words.lock().unwrap_or_else(PoisonError::into_inner);
                let room = MOST_WORDS.saturating_sub(words.len());
                words.extend_from_slice(&chunk[..length.min(room)]);
            }
            drop(sender);
        });
        Self { kept, end }
    }

    /// What there is by now: a process that outlives the command may hold the pipe for ever.
    fn take(self) -> String {
        let _ = self.end.recv_timeout(PATIENCE);
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&kept).trim().to_owned()
    }
}

/// Reads the checks; a faulty one costs itself.
pub(super) fn read(node: Option<&Node>, reading: &mut Reading<'_>) -> Vec<Check> {
    let Some(node) = node else { return Vec::new() };
    let Some(items) = node.list() else {
        reading.fault(node.line, format!("'checks' is {}, not a list", node.kind()));
        return Vec::new();
    };
    items
        .iter()
        .filter_map(|item| {
            let text = |key: &str| item.get(key).and_then(Node::text).map(str::to_owned);
            let check = text("name").zip(text("command"));
            if check.is_none() {
                reading.fault(item.line, "a check needs the texts 'name' and 'command'".to_owned());
            }
            check.map(|(name, command)| Check { name, command })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::run;
    use std::fs;
    use std::path::Path;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn a_check_that_takes_too_long_is_killed_with_what_it_started() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let command = "sleep 60 & echo $! > child; wait";
        let ended = run(command, folder.path(), &[], Duration::from_millis(500));
        assert_eq!(ended, Err("timed out after 0.5 s".to_owned()));
        let child = fs::read_to_string(folder.path().join("child")).expect("the command began");
        let state = Path::new("/proc").join(child.trim()).join("stat");
        // The signal takes its time, and a killed orphan may wait to be collected; if it lives, this never ends.
        while fs::read_to_string(&state).is_ok_and(|state| !state.contains(") Z ")) {
            thread::sleep(Duration::from_millis(1));
        }
    }
}
