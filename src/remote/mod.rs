//! Owns MCP servers as a source of tools: starting them, listing their tools, and sending them calls.
//!
//! Everything runs on one thread of its own; callers only wait. Must not know files or Python.

mod answer;
mod background;
mod calls;
mod child;
mod client;
mod connection;
mod ending;
mod http;
mod listing;
mod server;
mod tail;
mod tap;

pub use server::ServerSource;

use crate::diagnostic::Diagnostic;
use crate::error::Error;
use crate::model::{Limits, Problem};
use crate::runner::{
    BoxFuture, CallEnd, CallRequest, LoadRequest, Loaded, LoadedTool, Rejection, Reply, Runner, ToolKey, WaitingCaller,
};
use background::Background;
use connection::Sent;
use futures_util::future::join_all;
use serde_json::Value;
use server::Server;
use std::collections::HashMap;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, oneshot};
use tokio_util::sync::CancellationToken;

/// How often a waiting thread asks whether to give up.
const INTERRUPTED_INTERVAL: Duration = Duration::from_millis(50);

/// Runs the tools of servers.
pub struct RemoteRunner {
    background: Background,
    servers: Arc<[Server]>,
    names: Mutex<Names>,
    closing: CancellationToken,
    closed: CancellationToken,
    changed: Arc<Notify>,
    log_bytes: usize,
}

/// The tools that were ever listed, by key: a key stays what it is, so a call never reaches another tool.
#[derive(Default)]
struct Names {
    keys: HashMap<(usize, String), ToolKey>,
    tools: Vec<(usize, String)>,
}

impl RemoteRunner {
    /// Begins to start all servers at once.
    ///
    /// # Errors
    /// [`Error::Internal`] if their thread cannot be made.
    pub fn start(sources: Vec<ServerSource>, limits: &Limits) -> Result<Self, Error> {
        let closing = CancellationToken::new();
        let closed = CancellationToken::new();
        let changed: Arc<Notify> = Arc::default();
        let servers: Arc<[Server]> = sources
            .into_iter()
            .map(|source| Server::new(source, closing.clone(), limits.grace, Arc::clone(&changed)))
            .collect();
        let (lives, closing_all, closed_all) = (Arc::clone(&servers), closing.clone(), closed.clone());
        let background = Background::start(move || async move {
            join_all(lives.iter().map(Server::live)).await;
            closing_all.cancelled().await;
            closed_all.cancel();
        });
        let background = background
            .map_err(|error| Error::Internal(format!("the thread for MCP servers cannot be made: {error}")))?;
        Ok(Self {
            background,
            servers,
            names: Mutex::default(),
            closing,
            closed,
            changed,
            log_bytes: limits.log_bytes,
        })
    }

    /// Passes on what is known of the servers whenever that has changed, until it is told to stop or the host is closed.
    pub fn follow(self: &Arc<Self>, changed: impl Fn(Loaded) -> bool + Send + 'static) {
        let notify = Arc::clone(&self.changed);
        let runner = Arc::downgrade(self);
        self.background.spawn(async move {
            loop {
                notify.notified().await;
                let known = runner.upgrade().map(|runner| runner.known());
                if !known.is_some_and(&changed) {
                    break;
                }
            }
        });
    }

    /// What is known of the servers now.
    pub fn known(&self) -> Loaded {
        let mut loaded = Loaded::default();
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        for (index, server) in self.servers.iter().enumerate() {
            let (listing, finding) = server.known();
            let policy = listing::policy(&server.source.definition);
            loaded.diagnostics.extend(finding);
            loaded.diagnostics.extend(listing.diagnostics);
            loaded
                .tools
                .extend(listing.tools.into_iter().map(|definition| LoadedTool {
                    key: names.key(index, &definition.name),
                    definition,
                    policy: policy.clone(),
                }));
        }
        loaded
    }

    /// Sends a call; `reply` is given the answer on the servers' thread. The call is over when what is returned is dropped.
    fn send(
        &self,
        request: CallRequest,
        reply: impl FnOnce(Reply) + Send + 'static,
    ) -> Result<oneshot::Sender<()>, Reply> {
        if self.closing.is_cancelled() {
            return Err(CallEnd::Broken(Error::Closed).into());
        }
        let names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        let position = usize::try_from(request.tool.0).unwrap_or(usize::MAX);
        let Some((server, tool)) = names.tools.get(position).cloned() else {
            let reason = "the runner no longer has the tool".to_owned();
            return Err(CallEnd::Broken(Error::Internal(reason)).into());
        };
        drop(names);
        let arguments = match serde_json::from_str(&request.arguments) {
            Ok(Value::Object(arguments)) => arguments,
            Ok(_) => {
                return Err(invalid(
                    "not_an_object",
                    "The arguments must be a JSON object.",
                    request.arguments,
                ));
            }
            Err(error) => {
                let message = format!("The arguments are not valid JSON: {error}.");
                return Err(invalid("json_invalid", &message, request.arguments));
            }
        };
        let sent = Sent {
            tool,
            arguments,
            deadline: request.deadline,
            log_bytes: self.log_bytes,
            progress: request.progress,
        };
        let servers = Arc::clone(&self.servers);
        let (waiting, given_up) = oneshot::channel();
        self.background.spawn(async move {
            if let Some(server) = servers.get(server) {
                reply(server.call(sent, given_up).await);
            }
        });
        Ok(waiting)
    }
}

impl Names {
    fn key(&mut self, server: usize, name: &str) -> ToolKey {
        let tools = &mut self.tools;
        *self.keys.entry((server, name.to_owned())).or_insert_with(|| {
            tools.push((server, name.to_owned()));
            ToolKey(tools.len() as u64 - 1)
        })
    }
}

impl Runner for RemoteRunner {
    fn load(&self, _: LoadRequest) -> BoxFuture<'_, Result<Loaded, Error>> {
        Box::pin(async {
            join_all(self.servers.iter().map(Server::started)).await;
            Ok(self.known())
        })
    }

    fn call(&self, request: CallRequest) -> BoxFuture<'_, Reply> {
        let (sender, receiver) = oneshot::channel();
        match self.send(request, |reply| drop(sender.send(reply))) {
            Err(reply) => Box::pin(std::future::ready(reply)),
            Ok(waiting) => Box::pin(async move {
                let reply = receiver.await;
                drop(waiting);
                reply.unwrap_or_else(|_| CallEnd::Broken(Error::Closed).into())
            }),
        }
    }

    fn call_blocking(&self, request: CallRequest, caller: &mut dyn WaitingCaller) -> Reply {
        if self.background.is_current() {
            let reason = "the thread of MCP servers cannot wait for a call; `progress` has to return at once";
            return CallEnd::Broken(Error::Internal(reason.to_owned())).into();
        }
        let (sender, mut receiver) = mpsc::sync_channel(1);
        let waiting = match self.send(request, move |reply| drop(sender.send(reply))) {
            Ok(waiting) => waiting,
            Err(reply) => return reply,
        };
        loop {
            let mut answer = Err(RecvTimeoutError::Timeout);
            caller.wait(&mut || answer = receive(&mut receiver));
            match answer {
                Ok(reply) => return reply,
                Err(RecvTimeoutError::Disconnected) => return CallEnd::Broken(Error::Closed).into(),
                Err(RecvTimeoutError::Timeout) if caller.gives_up() => {
                    drop(waiting);
                    return CallEnd::from(ending::cancelled()).into();
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn unload(&self, _: &[ToolKey]) {
        // A key costs a name, and stays valid for as long as anybody may use it.
    }

    fn close(&self, _: Duration) -> BoxFuture<'_, Vec<Diagnostic>> {
        self.closing.cancel();
        Box::pin(async {
            self.closed.cancelled().await;
            Vec::new()
        })
    }
}

impl Drop for RemoteRunner {
    fn drop(&mut self) {
        // The process may leave before the thread has ended them in good order.
        if !self.closing.is_cancelled() {
            self.servers.iter().for_each(Server::terminate);
        }
        self.closing.cancel();
    }
}

/// Waits for an answer until the caller has to be asked whether it gives up.
fn receive(receiver: &mut mpsc::Receiver<Reply>) -> Result<Reply, RecvTimeoutError> {
    receiver.recv_timeout(INTERRUPTED_INTERVAL)
}

fn invalid(code: &str, message: &str, arguments: String) -> Reply {
    let problem = Problem {
        pointer: String::new(),
        code: code.to_owned(),
        message: message.to_owned(),
        suggestion: None,
    };
    let rejection = Rejection {
        answer: None,
        problems: vec![problem],
        arguments,
    };
    CallEnd::InvalidArguments(rejection).into()
}
