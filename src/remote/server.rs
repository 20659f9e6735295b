//! Owns the life of one server: its start, its restarts with growing pauses, and who waits for them.
//!
//! Its tools stay known whatever becomes of it. A call is sent once: one that was under way at the end of the server
//! fails, and is not sent again.

use super::connection::{self, Connection, Life, Sent, StartProblem};
use super::ending::{cancelled, over, timed_out};
use super::listing::Listing;
use crate::diagnostic::{Diagnostic, DiagnosticCode, Severity};
use crate::model::{Failure, FailureKind, ServerDefinition, Transport};
use crate::runner::{CallEnd, Reply};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, oneshot, watch};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

/// The pause after the second early end in a row; it doubles from there.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// A server that lived this long did not end early.
const SETTLED: Duration = Duration::from_secs(30);
/// After so many early ends in a row it is started only for a call.
const MOST_EARLY_ENDS: u32 = 5;

/// A server, and where it comes from.
#[derive(Debug, Clone)]
pub struct ServerSource {
    /// How it is reached.
    pub definition: ServerDefinition,
    /// The file that defines it.
    pub path: Option<PathBuf>,
    /// Variables that it gets beside its own.
    pub environment: Vec<(String, String)>,
}

/// One server.
pub struct Server {
    /// What it is started from.
    pub source: ServerSource,
    stage: watch::Sender<Stage>,
    known: Mutex<Known>,
    demand: Notify,
    closing: CancellationToken,
    grace: Duration,
    changed: Arc<Notify>,
}

#[derive(Default)]
struct Known {
    listing: Listing,
    finding: Option<Diagnostic>,
}

/// Where a server is in its life.
#[derive(Clone)]
enum Stage {
    Starting,
    Up(Arc<Connection>),
    /// It is started again by itself, or only for a call from a moment on.
    Down {
        ending: String,
        on_demand_from: Option<Instant>,
    },
    Gone(String),
}

impl Server {
    /// A server that [`live`](Self::live) starts; `changed` is told whenever more or less is known of it.
    pub fn new(source: ServerSource, closing: CancellationToken, grace: Duration, changed: Arc<Notify>) -> Self {
        Self {
            source,
            stage: watch::Sender::new(Stage::Starting),
            known: Mutex::default(),
            demand: Notify::new(),
            closing,
            grace,
            changed,
        }
    }

    /// Waits until the first start has come to an end.
    pub async fn started(&self) {
        let mut stage = self.stage.subscribe();
        // An error would mean that the server is gone, which it is not while it is borrowed.
        let _ = stage.wait_for(|stage| !matches!(stage, Stage::Starting)).await;
    }

    /// The tools as they were listed last, and everything that is wrong.
    pub fn known(&self) -> (Listing, Option<Diagnostic>) {
        let known = self.lock();
        (known.listing.clone(), known.finding.clone())
    }

    /// Tells its process to end, without waiting.
    pub fn terminate(&self) {
        if let Stage::Up(connection) = &*self.stage.borrow() {
            connection::terminate(connection);
        }
    }

    /// Starts the server and keeps it running until the host is closed.
    pub async fn live(&self) {
        let mut early_ends = 0;
        let mut was_up = false;
        loop {
            self.stage.send_replace(Stage::Starting);
            let opening = connection::open(&self.source.definition, &self.source.environment, self.grace);
            let opened = tokio::select! {
                opened = opening => opened,
                () = self.closing.cancelled() => return self.gone("the host was closed".to_owned()),
            };
            let mut is_settled = false;
            let ending = match opened {
                Ok((connection, life, listing)) => {
                    was_up = true;
                    let up = Instant::now();
                    self.learn(listing);
                    self.stage.send_replace(Stage::Up(Arc::clone(&connection)));
                    let Some(ending) = self.serve(&connection, life).await else {
                        return self.gone("the host was closed".to_owned());
                    };
                    is_settled = up.elapsed() > SETTLED;
                    ending
                }
                Err(problem) if !was_up => {
                    let gone = problem.what.clone();
                    self.lock().finding = Some(self.not_started(problem));
                    return self.gone(gone);
                }
                Err(problem) => problem.what,
            };
            early_ends = if is_settled { 0 } else { early_ends + 1 };
            if !self.pause(ending, early_ends).await {
                return self.gone("the host was closed".to_owned());
            }
        }
    }

    /// Follows a connection to its end; `None` if the host is closed.
    async fn serve(&self, connection: &Arc<Connection>, mut life: Life) -> Option<String> {
        let changed = Arc::clone(&life.changed);
        let relisting = async {
            loop {
                changed.notified().await;
                match connection.list(&self.source.definition).await {
                    Ok(listing) => self.learn(listing),
                    Err(problem) => {
                        let server = &self.source.definition.name;
                        tracing::warn!(target: "pegboard::remote", server, "its tools could not be listed again: {}", problem.what);
                    }
                }
            }
        };
        let ending = tokio::select! {
            ending = life.ended(connection, self.grace) => Some(ending),
            () = relisting => None,
            () = self.closing.cancelled() => None,
        };
        if ending.is_none() {
            life.close(connection, self.grace).await;
        }
        ending
    }

    /// Waits before the next start; false if the host is closed meanwhile.
    async fn pause(&self, ending: String, early_ends: u32) -> bool {
        let server = &self.source.definition.name;
        tracing::warn!(target: "pegboard::remote", server, "the MCP server ended: {ending}");
        let is_given_up = early_ends >= MOST_EARLY_ENDS;
        let doublings = early_ends.saturating_sub(2);
        let length = match early_ends {
            0 | 1 => Duration::ZERO,
            _ => FIRST_PAUSE
                .saturating_mul(2_u32.saturating_pow(doublings))
                .min(LONGEST_PAUSE),
        };
        let until = Instant::now() + length;
        self.lock().finding = Some(self.died(&ending, is_given_up));
        self.changed.notify_one();
        self.stage.send_replace(Stage::Down {
            ending,
            on_demand_from: is_given_up.then_some(until),
        });
        let over = async {
            sleep_until(until).await;
            if is_given_up {
                self.demand.notified().await;
            }
        };
        tokio::select! {
            () = over => true,
            () = self.closing.cancelled() => false,
        }
    }

    /// Sends a call as soon as the server can take one.
    pub async fn call(&self, sent: Sent, mut given_up: oneshot::Receiver<()>) -> Reply {
        let mut stage = self.stage.subscribe();
        let deadline = sent.deadline;
        let late = over(deadline);
        let ready = async {
            loop {
                let now = stage.borrow_and_update().clone();
                match now {
                    Stage::Up(connection) => return Ok(connection),
                    Stage::Gone(why) => return Err(self.unsent(&why)),
                    Stage::Down {
                        ending,
                        on_demand_from: Some(from),
                    } => {
                        if Instant::now() < from {
                            return Err(self.unsent(&format!("{ending}; it is not started again so soon")));
                        }
                        self.demand.notify_one();
                    }
                    Stage::Starting | Stage::Down { .. } => {}
                }
                if stage.changed().await.is_err() {
                    return Err(self.unsent("the host was closed"));
                }
            }
        };
        let ready = tokio::select! {
            ready = ready => ready,
            () = late => {
                let mut failure = timed_out(deadline);
                failure.message = format!("timed out before the MCP server {:?} was running again; the call was not sent", self.source.definition.name);
                failure.still_running = false;
                Err(failure)
            }
            _ = &mut given_up => Err(cancelled()),
        };
        match ready {
            Ok(connection) => connection.call(sent, given_up).await,
            Err(failure) => CallEnd::from(failure).into(),
        }
    }

    fn unsent(&self, why: &str) -> Failure {
        let name = &self.source.definition.name;
        let message = format!("the MCP server {name:?} is not running ({why}); the call was not sent");
        Failure::new(FailureKind::Crashed, message)
    }

    fn learn(&self, listing: Listing) {
        let mut known = self.lock();
        if known.listing != listing {
            known.listing = listing;
            self.changed.notify_one();
        }
    }

    fn gone(&self, why: String) {
        self.stage.send_replace(Stage::Gone(why));
    }

    fn not_started(&self, problem: StartProblem) -> Diagnostic {
        let ServerDefinition { name, transport, .. } = &self.source.definition;
        let message = format!(
            "the MCP server {name:?} ({}) was not started: {}",
            shown(transport),
            problem.what
        );
        let mut diagnostic = Diagnostic::new(DiagnosticCode::ServerNotStarted, Severity::Error, message);
        diagnostic.hint = problem.hint;
        diagnostic.path.clone_from(&self.source.path);
        diagnostic
    }

    fn died(&self, ending: &str, is_given_up: bool) -> Diagnostic {
        let ServerDefinition { name, transport, .. } = &self.source.definition;
        let next = if is_given_up {
            "it is started again only for a call"
        } else {
            "it is started again"
        };
        let message = format!("the MCP server {name:?} ({}) ended: {ending}; {next}", shown(transport));
        let mut diagnostic = Diagnostic::new(DiagnosticCode::ServerDied, Severity::Warning, message);
        diagnostic.path.clone_from(&self.source.path);
        diagnostic
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        // What is guarded is replaced whole.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How a server is reached, in a few words and without what variables hold.
fn shown(transport: &Transport) -> String {
    match transport {
        Transport::Stdio { command, arguments, .. } => {
            let words: Vec<&str> = std::iter::once(command).chain(arguments).map(String::as_str).collect();
            words.join(" ")
        }
        Transport::Http { url, .. } => url.clone(),
    }
}
