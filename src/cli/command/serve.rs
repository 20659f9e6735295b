//! Owns `serve`: which doors are opened, and for how long.

use crate::cli::args::ServeArgs;
use crate::cli::diagnostics;
use crate::cli::error::{CommandError, CommandResult};
use crate::cli::exit_status::ExitStatus;
use crate::cli::printer::Printer;
use crate::cli::session::serve_host;
use crate::cli::settings::Settings;
use crate::cli::streams;
use crate::diagnostic::Severity;
use crate::error::Result;
use crate::host::{Host, Reloaded};
use crate::serve::echo;
use crate::serve::http::{HttpSettings, Token, bind};
use crate::serve::mcp::Listings;
use crate::serve::metrics::Metrics;
use crate::serve::stdio;
use rustix::process::{Pid, getppid};
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// How often is looked whether the process that started this one is still there.
const PARENT_INTERVAL: Duration = Duration::from_millis(500);

/// Serves the tools until the client is gone or a signal comes.
pub fn run(args: ServeArgs, settings: &Settings, printer: &Printer) -> CommandResult<ExitStatus> {
    let door = match args.http {
        Some(address) => Door::Http(HttpSettings {
            address,
            token: Token::chosen(args.token.as_deref())?,
            host_names: args.host_name,
            ..HttpSettings::default()
        }),
        None => Door::Stdio,
    };
    door.open(&args.sources, args.watch, settings, printer)
}

/// What clients come in by.
enum Door {
    Http(HttpSettings),
    Stdio,
}

impl Door {
    fn open(
        self,
        sources: &[PathBuf],
        watch: bool,
        settings: &Settings,
        printer: &Printer,
    ) -> CommandResult<ExitStatus> {
        let metrics = Arc::new(Metrics::default());
        match self {
            Self::Http(http) => {
                // Before anything is loaded: a place that cannot be listened on is told at once.
                let door = bind(http)?;
                serve_host(settings, sources, printer, async |host, stopped| {
                    printer.message(&format!("listening on http://{}", door.address()));
                    let stopped = async {
                        drop(stopped.await);
                    };
                    let served = door.serve(host.clone(), Arc::clone(&metrics), stopped);
                    Box::pin(beside_watching(served, host, watch, printer)).await
                })
            }
            Self::Stdio => {
                // Before the streams are protected, which is before any tool file is read.
                let parent = getppid();
                let input = streams::private_input().map_err(CommandError::Process)?;
                let output = streams::private_output().map_err(CommandError::Process)?;
                serve_host(settings, sources, printer, async |host, stopped| {
                    let listings = Listings::new(host.clone(), Arc::clone(&metrics));
                    let over = async {
                        tokio::select! {
                            _ = stopped => {}
                            () = orphaned(parent) => {}
                        }
                    };
                    let served = stdio::serve(listings, input, output, over);
                    Box::pin(beside_watching(served, host, watch, printer)).await
                })
            }
        }
    }
}

/// Serves until that is over, and meanwhile tells of every reload.
async fn beside_watching(
    served: impl Future<Output = Result<()>>,
    host: &Host,
    watch: bool,
    printer: &Printer,
) -> CommandResult<ExitStatus> {
    let (sender, mut reloads) = mpsc::unbounded_channel();
    let _watching = if watch {
        let told = move |reloaded| {
            // Nobody listens once serving is over.
            let _ = sender.send(reloaded);
        };
        Some(host.watch(told)?)
    } else {
        None
    };
    let mut served = pin!(served);
    loop {
        tokio::select! {
            ended = &mut served => {
                echo::flush();
                return Ok(ended.map(|()| ExitStatus::Success)?);
            }
            Some(reloaded) = reloads.recv() => tell(reloaded, host, printer),
        }
    }
}

/// Tells whoever started the server what a reload came to.
fn tell(reloaded: Reloaded, host: &Host, printer: &Printer) {
    let paint = printer.message_paint();
    let lines = match reloaded {
        Reloaded::Done(found) => {
            let told = found.iter().filter(|found| found.severity > Severity::Info);
            let told = told.map(|diagnostic| diagnostics::shown(diagnostic, paint));
            let count = format!("reloaded, {} tools", host.tools().len());
            told.chain(std::iter::once(count)).collect::<Vec<_>>().join("\n")
        }
        Reloaded::Failed(error) => format!("{} not reloaded: {error}", paint.warning("warning:")),
    };
    printer.offer_message(&lines);
}

/// Waits until the process that started this one has ended: its end of the streams may live on in its other children.
async fn orphaned(parent: Option<Pid>) {
    let mut looks = tokio::time::interval(PARENT_INTERVAL);
    while getppid() == parent {
        looks.tick().await;
    }
}
