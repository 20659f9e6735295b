//! Owns connections: accepting them, how many there may be, how long they may be idle, and their end.

use super::answering::Answering;
use super::settings::HttpSettings;
use super::stream::BoundedStream;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioTimer;
use rustix::process::{Resource, getrlimit};
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// How many connections beyond the limit are told so at one time; the rest is closed without a word.
const TURNED_AWAY: usize = 256;
/// How long a connection beyond the limit may take to say what it wants.
const TURNED_AWAY_TIMEOUT: Duration = Duration::from_secs(2);
/// How long to wait before accepting again when the system has no room for another connection.
const FULL_PAUSE: Duration = Duration::from_millis(50);
/// How long connections may take to end once nothing is in flight.
const LAST_WORDS: Duration = Duration::from_millis(50);
/// What a request's head may have.
const HEADERS: usize = 100;
const HEAD_BYTES: usize = 64 * 1024;

/// The connections of a door.
pub struct Connections {
    protocol: http1::Builder,
    brief_protocol: http1::Builder,
    write_timeout: Duration,
    room: Arc<Semaphore>,
    brief_room: Arc<Semaphore>,
    tasks: JoinSet<()>,
    /// Cancelled when no connection may begin another request.
    ending: CancellationToken,
}

impl Connections {
    pub fn new(settings: &HttpSettings) -> Self {
        // Leaves tools enough of what the process may open.
        let files = most_files();
        Self {
            protocol: protocol(settings.head_timeout),
            brief_protocol: protocol(settings.head_timeout.min(TURNED_AWAY_TIMEOUT)),
            write_timeout: settings.write_timeout,
            room: Arc::new(Semaphore::new(settings.connections.min(files / 2))),
            brief_room: Arc::new(Semaphore::new(TURNED_AWAY.min(files / 4))),
            tasks: JoinSet::new(),
            ending: CancellationToken::new(),
        }
    }

    /// Accepts connections and answers their requests until `shutdown` comes; then lets those in flight end within the
    /// grace.
    pub async fn serve(
        mut self,
        listener: TcpListener,
        answering: Arc<Answering>,
        shutdown: impl Future<Output = ()>,
        grace: Duration,
    ) {
        let mut shutdown = pin!(shutdown);
        loop {
            tokio::select! {
                () = &mut shutdown => break,
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => self.begin(stream, &answering),
                    Err(error) => pause_after(&error).await,
                },
                // Ended connections leave no trace.
                Some(_) = self.tasks.join_next() => {}
            }
        }
        drop(listener);
        self.end(&answering, grace).await;
    }

    fn begin(&mut self, stream: TcpStream, answering: &Arc<Answering>) {
        let (protocol, room, is_welcome) = if let Ok(room) = Arc::clone(&self.room).try_acquire_owned() {
            (&self.protocol, room, true)
        } else if let Ok(room) = Arc::clone(&self.brief_room).try_acquire_owned() {
            (&self.brief_protocol, room, false)
        } else {
            return;
        };
        // Answers are written whole; waiting for more would only delay them.
        drop(stream.set_nodelay(true));
        let connected = answering.connected();
        let answering = Arc::clone(answering);
        let service = service_fn(move |request| {
            let answering = Arc::clone(&answering);
            async move {
                Ok::<_, Infallible>(if is_welcome {
                    answering.answer(request).await
                } else {
                    answering.turn_away()
                })
            }
        });
        let connection = protocol.serve_connection(BoundedStream::new(stream, self.write_timeout), service);
        let ending = self.ending.clone();
        self.tasks.spawn(async move {
            let _held = (room, connected);
            let mut connection = pin!(connection);
            let ended = tokio::select! {
                ended = connection.as_mut() => ended,
                () = ending.cancelled() => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = ended {
                tracing::debug!(%error, "a connection ended early");
            }
        });
    }

    async fn end(mut self, answering: &Answering, grace: Duration) {
        self.ending.cancel();
        let all_ended = async |tasks: &mut JoinSet<()>| while tasks.join_next().await.is_some() {};
        let within_grace = async {
            tokio::select! {
                () = all_ended(&mut self.tasks) => {}
                () = answering.idle() => {}
            }
        };
        drop(tokio::time::timeout(grace, within_grace).await);
        answering.end_streams();
        drop(tokio::time::timeout(LAST_WORDS, all_ended(&mut self.tasks)).await);
        // What is left is dropped, which cancels its calls.
        self.tasks.shutdown().await;
    }
}

fn protocol(head_timeout: Duration) -> http1::Builder {
    let mut protocol = http1::Builder::new();
    protocol
        .timer(TokioTimer::new())
        .header_read_timeout(head_timeout)
        .max_headers(HEADERS)
        .max_header_size(HEAD_BYTES);
    protocol
}

/// How many files and connections the process may have open.
fn most_files() -> usize {
    let files = getrlimit(Resource::Nofile).current;
    let files = files.map_or(usize::MAX, |files| usize::try_from(files).unwrap_or(usize::MAX));
    files.min(Semaphore::MAX_PERMITS)
}

/// Waits where trying again at once would only fail again.
async fn pause_after(error: &io::Error) {
    let is_of_one_connection = matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionRefused
    );
    if !is_of_one_connection {
        tracing::warn!(%error, "no connection can be accepted");
        tokio::time::sleep(FULL_PAUSE).await;
    }
}
