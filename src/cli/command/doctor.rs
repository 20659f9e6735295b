//! Owns `doctor`: which Python runs the tools, why this one, and what is wrong with it.

use crate::cli::args::{DoctorArgs, Format};
use crate::cli::error::{CommandError, CommandResult};
use crate::cli::exit_status::ExitStatus;
use crate::cli::paint::visible;
use crate::cli::printer::Printer;
use crate::cli::settings::Settings;
use crate::cli::streams;
use crate::interp::{self, InterpreterStatus};
use serde::Serialize;
use std::fmt::Write as _;

/// The version of this package.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The oldest pydantic whose schemas are known to be right.
const OLDEST_PYDANTIC: (u32, u32) = (2, 11);

#[derive(Serialize)]
struct Document<'a> {
    version: &'static str,
    python: Option<&'a InterpreterStatus>,
    problems: &'a [Problem],
}

/// Something that keeps tools from running well.
#[derive(Debug, Serialize)]
struct Problem {
    message: String,
    hint: Option<String>,
}

/// Starts Python as every command does, and tells what came of it.
pub fn run(args: &DoctorArgs, settings: &Settings, printer: &Printer) -> CommandResult<ExitStatus> {
    streams::protect().map_err(CommandError::Process)?;
    let asked = interp::start(settings.python.as_deref(), &args.sources)
        .and_then(|environment| interp::status(&environment))
        .map_err(CommandError::Host);
    let (status, problems, exit) = match asked {
        Ok(status) => {
            let problems = problems(&status);
            let exit = if problems.is_empty() {
                ExitStatus::Success
            } else {
                ExitStatus::Misuse
            };
            (Some(status), problems, exit)
        }
        Err(error) => {
            let problem = Problem {
                message: error.to_string(),
                hint: None,
            };
            (None, vec![problem], error.status())
        }
    };
    match printer.format() {
        Format::Json => printer.json(&Document {
            version: VERSION,
            python: status.as_ref(),
            problems: &problems,
        })?,
        Format::Text => {
            printer.answer(&text(status.as_ref()))?;
            printer.flush()?;
            tell(&problems, printer);
        }
    }
    Ok(exit)
}

fn problems(status: &InterpreterStatus) -> Vec<Problem> {
    let mut problems = Vec::new();
    let install = || {
        let (major, minor) = OLDEST_PYDANTIC;
        let python = status.executable.display();
        Some(format!(
            "install it with `{python} -m pip install 'pydantic>={major}.{minor}'`"
        ))
    };
    match &status.pydantic {
        None => problems.push(Problem {
            message: format!("pydantic is not installed in {}", status.prefix.display()),
            hint: install(),
        }),
        Some(version) if release(version).is_none_or(|release| release < OLDEST_PYDANTIC) => problems.push(Problem {
            message: format!("pydantic {version} is too old"),
            hint: install(),
        }),
        Some(_) => {}
    }
    let loaded = status.library.as_deref().and_then(|library| library.parent());
    if let (Some(loaded), Some(linked)) = (loaded, status.linked_library_folder.as_deref())
        && loaded.canonicalize().ok() != linked.canonicalize().ok()
    {
        problems.push(Problem {
            message: format!(
                "the libpython of {} is loaded, but the build was linked to the one of {}",
                loaded.display(),
                linked.display()
            ),
            hint: Some(
                "let the application's build script call `pyo3_build_config::add_libpython_rpath_link_args()`"
                    .to_owned(),
            ),
        });
    }
    problems
}

fn release(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

fn text(status: Option<&InterpreterStatus>) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "{name:<13}{}", visible(value));
    };
    line("pegboard", VERSION);
    let Some(status) = status else { return text };
    line("python", &status.version);
    line("executable", &status.executable.display().to_string());
    line("chosen", &status.reason);
    line("prefix", &status.prefix.display().to_string());
    line("base prefix", &status.base_prefix.display().to_string());
    let library = status.library.as_ref().map(|library| library.display().to_string());
    line("libpython", library.as_deref().unwrap_or("part of the executable"));
    line("pydantic", status.pydantic.as_deref().unwrap_or("not installed"));
    line("package", &status.package);
    line("UTF-8 mode", if status.utf8_mode { "on" } else { "off" });
    for (index, folder) in status.path.iter().enumerate() {
        line(if index == 0 { "path" } else { "" }, folder);
    }
    text
}

fn tell(problems: &[Problem], printer: &Printer) {
    let paint = printer.message_paint();
    for problem in problems {
        let mut lines = format!("{} {}\n", paint.error("error:"), visible(&problem.message));
        if let Some(hint) = &problem.hint {
            let _ = writeln!(lines, "  {} {}", paint.note("hint:"), visible(hint));
        }
        printer.message(&lines);
    }
}
