//! Owns `serve`: which doors are opened, and for how long.

use crate::cli::args::ServeArgs;
use crate::cli::error::{CommandError, CommandResult};
use crate::cli::exit_status::ExitStatus;
use crate::cli::printer::Printer;
use crate::cli::session::serve_host;
use crate::cli::settings::Settings;
use crate::cli::streams;
use crate::serve::http::{HttpSettings, Token, bind};
use crate::serve::mcp::Listings;
use crate::serve::metrics::Metrics;
use crate::serve::stdio;
use rustix::process::getppid;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How often is looked whether the process that started this one is still there.
const PARENT_INTERVAL: Duration = Duration::from_millis(500);

/// Serves the tools until the client is gone or a signal comes.
pub fn run(args: ServeArgs, settings: &Settings, printer: &Printer) -> CommandResult<ExitStatus> {
    match args.http {
        Some(address) => {
            let http = HttpSettings {
                address,
                token: Token::chosen(args.token.as_deref())?,
                host_names: args.host_name,
                ..HttpSettings::default()
            };
            serve_http(http, &args.sources, settings, printer)
        }
        None => serve_stdio(&args.sources, settings, printer),
    }
}

fn serve_http(
    http: HttpSettings,
    sources: &[PathBuf],
    settings: &Settings,
    printer: &Printer,
) -> CommandResult<ExitStatus> {
    // Before anything is loaded: a place that cannot be listened on is told at once.
    let door = bind(http)?;
    serve_host(settings, sources, printer, async |host, stopped| {
        printer.message(&format!("listening on http://{}", door.address()));
        let stopped = async {
            drop(stopped.await);
        };
        door.serve(host.clone(), Arc::new(Metrics::default()), stopped).await?;
        Ok(ExitStatus::Success)
    })
}

fn serve_stdio(sources: &[PathBuf], settings: &Settings, printer: &Printer) -> CommandResult<ExitStatus> {
    // Before the streams are protected, which is before any tool file is read.
    let input = streams::private_input().map_err(CommandError::Process)?;
    let output = streams::private_output().map_err(CommandError::Process)?;
    serve_host(settings, sources, printer, async |host, stopped| {
        let metrics = Arc::new(Metrics::default());
        let listings = Listings::new(host.clone(), Arc::clone(&metrics));
        let over = async {
            tokio::select! {
                _ = stopped => {}
                () = orphaned() => {}
            }
        };
        stdio::serve(listings, metrics, input, output, over).await?;
        Ok(ExitStatus::Success)
    })
}

/// Waits until the process that started this one has ended: its end of the streams may live on in its other children.
async fn orphaned() {
    let parent = getppid();
    let mut looks = tokio::time::interval(PARENT_INTERVAL);
    while getppid() == parent {
        looks.tick().await;
    }
}
