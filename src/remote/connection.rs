//! Owns one connection to a server, from its start to its end, and the calls that go over it.
//!
//! Must not start anything again: a connection that has ended stays so, and a call is sent once.

use super::answer;
use super::calls::Calls;
use super::child::{Launch, Process, end_group};
use super::client::Client;
use super::ending::{cancelled, over, timed_out};
use super::http;
use super::listing::{self, Listing};
use super::tail::Tail;
use super::tap::Tap;
use crate::model::{Failure, FailureKind, HttpHeader, ProgressSink, ServerDefinition, Transport};
use crate::runner::{CallEnd, Deadline, Reply};
use rmcp::ServiceExt as _;
use rmcp::model::{CallToolRequest, CallToolRequestParams, ClientRequest, JsonObject};
use rmcp::service::{Peer, PeerRequestOptions, RoleClient, RunningService, ServiceError};
use rmcp::transport::async_rw::AsyncRwTransport;
use rustix::process::{Pid, Signal};
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::{Notify, oneshot};
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

/// How long a start may take if nobody says.
const START_TIMEOUT: Duration = Duration::from_secs(10);
/// How long telling a server that a call is cancelled may take.
const CANCEL_TIME: Duration = Duration::from_millis(500);
/// How long a process that closed its output may take to end, or one that ended to be read to its end.
const LAST_MOMENTS: Duration = Duration::from_millis(500);
const SHOWN_LINES: usize = 3;

/// Why a server did not start.
#[derive(Debug, Clone)]
pub struct StartProblem {
    /// What it did or did not, as the rest of a sentence about it.
    pub what: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl StartProblem {
    /// A problem without advice.
    pub fn new(what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            hint: None,
        }
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// A connection that calls can be sent over.
pub struct Connection {
    peer: Peer<RoleClient>,
    calls: Arc<Calls>,
    ended: CancellationToken,
    ending: OnceLock<String>,
    /// What has to be ended with the server's process, if it has one.
    pub group: Option<Pid>,
}

/// What keeps a connection alive.
pub struct Life {
    service: RunningService<RoleClient, Client>,
    process: Option<Process>,
    tail: Arc<Tail>,
    /// Told when the server has other tools than before.
    pub changed: Arc<Notify>,
}

/// One call, as it goes over the wire.
pub struct Sent {
    /// The tool's name, as the server knows it.
    pub tool: String,
    /// The arguments.
    pub arguments: JsonObject,
    /// When the call is over.
    pub deadline: Option<Deadline>,
    /// How many bytes of what it writes are kept.
    pub log_bytes: usize,
    /// Who is told how far it has come.
    pub progress: Option<ProgressSink>,
}

/// Starts a server and asks for its tools.
pub async fn open(
    server: &ServerDefinition,
    environment: &[(String, String)],
    grace: Duration,
) -> Result<(Arc<Connection>, Life, Listing), StartProblem> {
    let limit = server.start_timeout.unwrap_or(START_TIMEOUT);
    let until = Instant::now() + limit;
    let variable = |name: &str| {
        let own = environment.iter().find(|(own, _)| own == name);
        own.map(|(_, value)| value.clone()).or_else(|| std::env::var(name).ok())
    };
    let expand = |text: &str| {
        ServerDefinition::expand(text, variable).map_err(|name| {
            StartProblem::new(format!("the variable {name:?} in its definition is not set"))
                .hint(format!("set {name}, or write ${{{name}:-default}}"))
        })
    };
    let calls: Arc<Calls> = Arc::default();
    let changed: Arc<Notify> = Arc::default();
    let tail: Arc<Tail> = Arc::default();
    let client = Client {
        server: server.name.clone(),
        calls: Arc::clone(&calls),
        changed: Arc::clone(&changed),
    };
    let late = || StartProblem::new(format!("it did not answer within {} s", limit.as_secs_f64()));
    let mut process = None;
    let started = match &server.transport {
        Transport::Stdio {
            command,
            arguments,
            environment: own,
            working_directory,
        } => {
            let command = expand(command)?;
            let arguments = arguments
                .iter()
                .map(|text| expand(text))
                .collect::<Result<Vec<_>, _>>()?;
            let mut variables = environment.to_vec();
            for (name, value) in own {
                variables.push((name.clone(), expand(value)?));
            }
            let launch = Launch {
                command: &command,
                arguments: &arguments,
                environment: &variables,
                working_directory,
            };
            let (child, stdin, stdout) =
                Process::start(&launch, Arc::clone(&tail), Arc::clone(&calls)).map_err(|error| {
                    StartProblem::new(format!("its command {command:?} cannot be run: {error}"))
                        .hint("install it, or name it by its whole path")
                })?;
            process = Some(child);
            let stdout = Tap::new(stdout, Arc::clone(&tail));
            let transport = AsyncRwTransport::new_client(stdout, stdin).with_max_line_length(usize::MAX);
            timeout(limit, client.serve(transport)).await
        }
        Transport::Http { url, headers } => {
            let url = expand(url)?;
            let headers = expanded(headers, expand)?;
            timeout(limit, client.serve(http::transport(&url, &headers)?)).await
        }
    };
    let service = match started {
        Ok(Ok(service)) => service,
        Ok(Err(error)) => {
            let refused = error.is_authorization_required() || error.auth_challenge().is_some();
            let mut problem = StartProblem::new(format!("it could not be reached: {}", innermost(&error)));
            if refused {
                problem = problem.hint("put a token into `headers` of its definition");
            }
            return Err(ended_at_start(process, &tail, problem, grace).await);
        }
        Err(_) => return Err(ended_at_start(process, &tail, late(), grace).await),
    };
    let connection = Arc::new(Connection {
        peer: service.peer().clone(),
        calls,
        ended: CancellationToken::new(),
        ending: OnceLock::new(),
        group: process.as_ref().and_then(Process::group),
    });
    let mut life = Life {
        service,
        process,
        tail,
        changed,
    };
    let listing = match tokio::time::timeout_at(until, listing::ask(&connection.peer, server)).await {
        Ok(Ok(listing)) => Ok(listing),
        Ok(Err(problem)) => Err(problem),
        Err(_) => Err(late()),
    };
    match listing {
        Ok(listing) => Ok((connection, life, listing)),
        Err(problem) => {
            let _ = life.service.close_with_timeout(grace).await;
            Err(ended_at_start(life.process.take(), &life.tail, problem, grace).await)
        }
    }
}

/// The headers with variables put in, without optional ones whose variables are not set.
fn expanded(
    headers: &[HttpHeader],
    expand: impl Fn(&str) -> Result<String, StartProblem>,
) -> Result<Vec<(String, String)>, StartProblem> {
    let mut sent = Vec::new();
    for header in headers {
        match expand(&header.value) {
            Ok(value) => sent.push((header.name.clone(), value)),
            Err(_) if header.is_optional => {}
            Err(problem) => return Err(problem),
        }
    }
    Ok(sent)
}

/// The problem of a start that failed, told by how the process ended if it did by itself.
async fn ended_at_start(
    process: Option<Process>,
    tail: &Tail,
    mut problem: StartProblem,
    grace: Duration,
) -> StartProblem {
    let Some(mut process) = process else { return problem };
    let by_itself = timeout(LAST_MOMENTS, process.ended()).await.ok().flatten();
    process.end(grace).await;
    if let Some(status) = by_itself {
        problem.what = format!("its process {}", how(status));
    }
    problem.what.push_str(&wrote(tail));
    problem
}

impl Connection {
    /// Sends a call and waits for its answer, its deadline, the server's end, or that nobody waits any longer.
    pub async fn call(&self, sent: Sent, mut given_up: oneshot::Receiver<()>) -> Reply {
        let params = CallToolRequestParams::new(sent.tool).with_arguments(sent.arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let options = PeerRequestOptions::no_options();
        let late = over(sent.deadline);
        tokio::pin!(late);
        // A server that reads nothing may not even take the request.
        let asked = tokio::select! {
            asked = self.peer.send_request_with_option(request, options) => asked,
            () = &mut late => return CallEnd::from(timed_out(sent.deadline)).into(),
            _ = &mut given_up => return CallEnd::from(cancelled()).into(),
        };
        let mut request = match asked {
            Ok(request) => request,
            Err(error) => return self.failed(&error).await.into(),
        };
        let running = self
            .calls
            .begin(request.progress_token.clone(), sent.log_bytes, sent.progress);
        let end = tokio::select! {
            biased;
            answer = &mut request.rx => match answer {
                Ok(Ok(result)) => answer::end(result),
                Ok(Err(error)) => self.failed(&error).await,
                Err(_) => self.failed(&ServiceError::TransportClosed).await,
            },
            () = self.ended.cancelled() => self.failed(&ServiceError::TransportClosed).await,
            () = &mut late => {
                let _ = timeout(CANCEL_TIME, request.cancel(Some("timed out".to_owned()))).await;
                timed_out(sent.deadline).into()
            }
            _ = &mut given_up => {
                let _ = timeout(CANCEL_TIME, request.cancel(Some("the caller gave up".to_owned()))).await;
                cancelled().into()
            }
        };
        Reply {
            end,
            logs: running.logs(),
        }
    }

    /// Asks for the tools again.
    pub async fn list(&self, server: &ServerDefinition) -> Result<Listing, StartProblem> {
        let limit = server.start_timeout.unwrap_or(START_TIMEOUT);
        let asked = timeout(limit, listing::ask(&self.peer, server)).await;
        asked.unwrap_or_else(|_| Err(StartProblem::new("it did not list its tools in time")))
    }

    async fn failed(&self, error: &ServiceError) -> CallEnd {
        let message = match error {
            ServiceError::McpError(error) => {
                return Failure::new(FailureKind::Raised, error.message.clone()).into();
            }
            ServiceError::TransportSend(error) if self.group.is_none() => {
                format!("the server could not be asked: {}", innermost(error))
            }
            _ if self.group.is_none() => {
                "the connection broke during the call; whether the tool did its work is not known".to_owned()
            }
            _ => {
                // The end and its reason are known a moment after the broken stream.
                let _ = timeout(LAST_MOMENTS * 4, self.ended.cancelled()).await;
                let ending = self.ending.get().map_or("the connection was closed", String::as_str);
                format!("the server ended during the call ({ending}); whether the tool did its work is not known")
            }
        };
        Failure::new(FailureKind::Crashed, message).into()
    }
}

impl Life {
    /// Waits until the connection is of no use any longer, and says how it ended.
    pub async fn ended(&mut self, connection: &Connection, grace: Duration) -> String {
        let peer = connection.peer.clone();
        let closed = async {
            // The service tells nobody when it ends but who owns it.
            let mut tick = tokio::time::interval(Duration::from_millis(50));
            while !peer.is_transport_closed() {
                tick.tick().await;
            }
        };
        tokio::pin!(closed);
        let status = if let Some(process) = &mut self.process {
            tokio::select! {
                status = process.ended() => {
                    let _ = timeout(LAST_MOMENTS, closed).await;
                    status
                }
                () = &mut closed => timeout(LAST_MOMENTS, process.ended()).await.ok().flatten(),
            }
        } else {
            closed.await;
            None
        };
        let _ = self.service.close_with_timeout(grace).await;
        let had_process = self.process.is_some();
        if let Some(process) = self.process.take() {
            process.end(grace).await;
        }
        let how = match status {
            Some(status) => format!("its process {}", how(status)),
            None if had_process => "it closed its standard output".to_owned(),
            None => "the connection was closed".to_owned(),
        };
        let ending = how + &wrote(&self.tail);
        let _ = connection.ending.set(ending.clone());
        connection.ended.cancel();
        ending
    }

    /// Ends the connection and the process, within the grace period.
    pub async fn close(mut self, connection: &Connection, grace: Duration) {
        let _ = connection.ending.set("the host was closed".to_owned());
        connection.ended.cancel();
        let _ = self.service.close_with_timeout(grace / 2).await;
        if let Some(process) = self.process.take() {
            process.end(grace).await;
        }
    }
}

/// Tells a process and what it started to end, without waiting.
pub fn terminate(connection: &Connection) {
    end_group(connection.group, Signal::TERM);
}

fn how(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("ended with exit status {code}"),
        (None, Some(signal)) => format!("was killed by signal {signal}"),
        (None, None) => "ended".to_owned(),
    }
}

fn wrote(tail: &Tail) -> String {
    let lines = tail.lines();
    let last = &lines[lines.len().saturating_sub(SHOWN_LINES)..];
    if last.is_empty() {
        return String::new();
    }
    format!("; it wrote last: {}", last.join(" | "))
}

fn innermost(error: &dyn std::error::Error) -> String {
    let mut current = error;
    while let Some(source) = current.source() {
        current = source;
    }
    current.to_string()
}
