//! Owns `serve`: which doors are opened, and for how long.

use crate::cli::args::ServeArgs;
use crate::cli::error::CommandResult;
use crate::cli::exit_status::ExitStatus;
use crate::cli::printer::Printer;
use crate::cli::session::serve_host;
use crate::cli::settings::Settings;
use crate::serve::http::{HttpSettings, Token, bind};
use crate::serve::metrics::Metrics;
use std::sync::Arc;

/// Serves the tools until a signal comes.
pub fn run(args: ServeArgs, settings: &Settings, printer: &Printer) -> CommandResult<ExitStatus> {
    let http = HttpSettings {
        address: args.http,
        token: Token::chosen(args.token.as_deref())?,
        host_names: args.host_name,
        ..HttpSettings::default()
    };
    // Before anything is loaded: a place that cannot be listened on is told at once.
    let door = bind(http)?;
    serve_host(settings, &args.sources, printer, async |host, stopped| {
        printer.message(&format!("listening on http://{}", door.address()));
        let stopped = async {
            drop(stopped.await);
        };
        door.serve(host.clone(), Arc::new(Metrics::default()), stopped).await?;
        Ok(ExitStatus::Success)
    })
}
