//! Owns the life of the host that one command works with: protected streams, start, signals, and an end within two
//! seconds whatever a tool does.
//!
//! The caller leaves the process afterwards: threads that tools hold may still run, so Python is not finalised.

use super::diagnostics;
use super::error::{CommandError, CommandResult};
use super::exit_status::Signal;
use super::printer::Printer;
use super::settings::Settings;
use super::streams;
use crate::error::Error;
use crate::host::Host;
use std::path::PathBuf;
use std::pin::pin;
use std::time::Duration;
use tokio::runtime::Builder;
use tokio::signal::unix::{self, SignalKind};
use tokio::sync::oneshot;

/// How long the host may take to close. With what a signal and the way out take, it stays below two seconds.
const CLOSE_LIMIT: Duration = Duration::from_millis(1500);

/// Starts a host over the sources, runs the command with it, and closes it.
///
/// From here on standard input is empty and standard output is standard error, for tools and for this process alike.
///
/// # Errors
/// What the command says, [`CommandError::Signal`] if one came first, and what starting the host says.
pub fn with_host<T>(
    settings: &Settings,
    sources: &[PathBuf],
    printer: &Printer,
    command: impl AsyncFnOnce(&Host) -> CommandResult<T>,
) -> CommandResult<T> {
    serve_host(settings, sources, printer, async |host, stopped| {
        tokio::select! {
            _ = stopped => Err(CommandError::Signal(Signal::Interrupt)),
            result = command(host) => result,
        }
    })
}

/// The same for a command that ends by itself once `stopped` is dropped, which a signal does.
pub fn serve_host<T>(
    settings: &Settings,
    sources: &[PathBuf],
    printer: &Printer,
    command: impl AsyncFnOnce(&Host, oneshot::Receiver<()>) -> CommandResult<T>,
) -> CommandResult<T> {
    streams::protect().map_err(CommandError::Process)?;
    // The thread that starts Python becomes Python's main thread, so everything is driven from this one.
    let runtime = Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(CommandError::Process)?;
    let result = runtime.block_on(async {
        let mut signals = Signals::listen()?;
        let host = tokio::select! {
            signal = signals.next() => return Err(CommandError::Signal(signal)),
            host = settings.host(sources).build() => host?,
        };
        let (stop, stopped) = oneshot::channel();
        let mut running = pin!(command(&host, stopped));
        let result = tokio::select! {
            signal = signals.next() => {
                drop(stop);
                drop(running.as_mut().await);
                Err(CommandError::Signal(signal))
            }
            result = running.as_mut() => result,
        };
        // The answer does not wait for what may take its time to close.
        let result = result.and_then(|value| printer.flush().map(|()| value));
        printer.end_progress();
        close(host.clone(), &mut signals, printer).await;
        result
    });
    // Waits for nothing: a thread that a tool holds would hold this one, too.
    runtime.shutdown_background();
    result
}

/// Closes the host, for as long as it may take and until another signal comes.
async fn close(host: Host, signals: &mut Signals, printer: &Printer) {
    let (sender, receiver) = oneshot::channel();
    let warning = printer.message_paint().warning("warning:");
    // On a thread of its own: closing needs the interpreter lock, which C code in a tool may hold for as long as it likes.
    let spawned = Builder::new_current_thread().enable_time().build().and_then(|runtime| {
        std::thread::Builder::new()
            .name("pegboard-close".to_owned())
            .spawn(move || drop(sender.send(runtime.block_on(host.close()))))
    });
    if let Err(error) = spawned {
        printer.offer_message(&format!("{warning} the host could not be closed: {error}"));
        return;
    }
    let closed = tokio::select! {
        _ = signals.next() => return,
        closed = tokio::time::timeout(CLOSE_LIMIT, receiver) => closed,
    };
    if let Ok(Ok(found)) = closed {
        let shown = |diagnostic| diagnostics::shown(diagnostic, printer.message_paint());
        let lines: Vec<String> = found.iter().map(shown).collect();
        if !lines.is_empty() {
            printer.offer_message(&lines.join("\n"));
        }
    } else {
        printer.offer_message(&format!(
            "{warning} a tool still runs and was left behind; its toolset may not have been closed"
        ));
    }
}

/// The signals that end a command in good order, from the moment this exists.
struct Signals {
    interrupt: unix::Signal,
    terminate: unix::Signal,
}

impl Signals {
    fn listen() -> CommandResult<Self> {
        let listen = |kind| {
            unix::signal(kind).map_err(|error| Error::Internal(format!("signals cannot be received: {error}")).into())
        };
        listen(SignalKind::interrupt()).and_then(|interrupt| {
            Ok(Self {
                interrupt,
                terminate: listen(SignalKind::terminate())?,
            })
        })
    }

    async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.interrupt.recv() => Signal::Interrupt,
            _ = self.terminate.recv() => Signal::Terminate,
        }
    }
}
