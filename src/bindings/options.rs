//! Owns the keyword options of `Host(…)`.

use crate::host::HostBuilder;
use crate::model::Limits;
use crate::output::FailureDetail;
use crate::runner::{CatchDefault, Compat};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::time::Duration;

/// Every option, for the message about an unknown one.
const NAMES: [&str; 24] = [
    "allow_install",
    "argument_bytes",
    "argument_depth",
    "catch_default",
    "compat",
    "failure_detail",
    "flags",
    "generator_items",
    "grace",
    "import_timeout",
    "kept_flags",
    "log_bytes",
    "mcp",
    "offload_characters",
    "run_checks",
    "search_capabilities",
    "secret_patterns",
    "source_files",
    "start_servers",
    "stuck_threads",
    "sync_threads",
    "timeout",
    "tool_rules",
    "working_directory",
];

/// Sets the options on a builder.
pub fn apply(mut builder: HostBuilder, options: Option<&Bound<'_, PyDict>>) -> PyResult<HostBuilder> {
    let mut limits = Limits::default();
    let Some(options) = options else { return Ok(builder) };
    for (name, value) in options {
        match name.extract::<String>()?.as_str() {
            "compat" => {
                let choices = [("auto", Compat::Auto), ("builtin", Compat::Builtin)];
                builder = builder.compat(choice(&value, "compat", &choices)?);
            }
            "catch_default" => {
                let choices = [("documented", CatchDefault::Documented), ("all", CatchDefault::All)];
                builder = builder.catch_default(choice(&value, "catch_default", &choices)?);
            }
            "failure_detail" => {
                let choices = [("redacted", FailureDetail::Redacted), ("full", FailureDetail::Full)];
                builder = builder.failure_detail(choice(&value, "failure_detail", &choices)?);
            }
            "secret_patterns" => {
                let patterns = texts(&value, "secret_patterns")?;
                builder = patterns.into_iter().fold(builder, HostBuilder::secret_pattern);
            }
            "tool_rules" => builder = builder.tool_rules(switches(&value, "tool_rules")?),
            "flags" => {
                for (place, is_on) in switches(&value, "flags")? {
                    let (capability, flag) = flag(&place, "flags")?;
                    builder = builder.flag(capability, flag, is_on);
                }
            }
            "kept_flags" => {
                for (place, is_on) in switches(&value, "kept_flags")? {
                    let (capability, flag) = flag(&place, "kept_flags")?;
                    builder = builder.kept_flag(capability, flag, is_on);
                }
            }
            "search_capabilities" => {
                if yes_or_no(&value, "search_capabilities")? {
                    builder = builder.search_capabilities();
                }
            }
            "mcp" => {
                let servers = texts(&value, "mcp")?;
                builder = servers.into_iter().fold(builder, HostBuilder::mcp);
            }
            "start_servers" => builder = builder.start_servers(yes_or_no(&value, "start_servers")?),
            "run_checks" => builder = builder.run_checks(yes_or_no(&value, "run_checks")?),
            "allow_install" => builder = builder.allow_install(yes_or_no(&value, "allow_install")?),
            "working_directory" => {
                builder = builder.working_directory(given::<PathBuf>(&value, "working_directory", "a path")?);
            }
            "timeout" if value.is_none() => limits.timeout = None,
            "timeout" => limits.timeout = Some(seconds(&value, "timeout")?),
            "grace" => limits.grace = seconds(&value, "grace")?,
            "import_timeout" => limits.import_timeout = seconds(&value, "import_timeout")?,
            "argument_bytes" => limits.argument_bytes = number(&value, "argument_bytes")?,
            "argument_depth" => limits.argument_depth = number(&value, "argument_depth")?,
            "generator_items" => limits.generator_items = number(&value, "generator_items")?,
            "log_bytes" => limits.log_bytes = number(&value, "log_bytes")?,
            "offload_characters" => limits.offload_characters = number(&value, "offload_characters")?,
            "source_files" => limits.source_files = number(&value, "source_files")?,
            "stuck_threads" => limits.stuck_threads = number(&value, "stuck_threads")?,
            "sync_threads" => limits.sync_threads = number(&value, "sync_threads")?,
            unknown => return Err(unknown_option(unknown)),
        }
    }
    Ok(builder.limits(limits))
}

fn unknown_option(name: &str) -> PyErr {
    PyTypeError::new_err(format!(
        "Host has no option {name:?}; the options are {}",
        NAMES.join(", ")
    ))
}

/// The pairs of a mapping from texts to yes or no, in its order.
fn switches(value: &Bound<'_, PyAny>, option: &str) -> PyResult<Vec<(String, bool)>> {
    let pairs = value
        .call_method0(intern!(value.py(), "items"))
        .and_then(|pairs| pairs.try_iter()?.map(|pair| pair?.extract()).collect());
    pairs.map_err(|_| PyTypeError::new_err(format!("{option} must be a mapping from names to True or False")))
}

/// The capability and the flag of a place such as `threat-hunting.readonly`.
fn flag<'p>(place: &'p str, option: &str) -> PyResult<(&'p str, &'p str)> {
    place
        .split_once('.')
        .filter(|(capability, flag)| !capability.is_empty() && !flag.is_empty())
        .ok_or_else(|| {
            PyValueError::new_err(format!(
                "{option} takes keys such as \"capability.flag\", not {place:?}"
            ))
        })
}

/// The value of an option that has to be of a kind.
fn given<'py, T: FromPyObjectOwned<'py>>(value: &Bound<'py, PyAny>, option: &str, kind: &str) -> PyResult<T> {
    value.extract().map_err(|error: T::Error| {
        let shown = value
            .repr()
            .map_or_else(|_| "that".to_owned(), |shown| shown.to_string());
        let message = format!("{option} must be {kind}, not {shown}");
        if error.into().is_instance_of::<PyTypeError>(value.py()) {
            PyTypeError::new_err(message)
        } else {
            PyValueError::new_err(message)
        }
    })
}

fn yes_or_no(value: &Bound<'_, PyAny>, option: &str) -> PyResult<bool> {
    given(value, option, "True or False")
}

fn number(value: &Bound<'_, PyAny>, option: &str) -> PyResult<usize> {
    given(value, option, "a whole number that is not negative")
}

fn texts(value: &Bound<'_, PyAny>, option: &str) -> PyResult<Vec<String>> {
    given(value, option, "a list of texts")
}

fn seconds(value: &Bound<'_, PyAny>, option: &str) -> PyResult<Duration> {
    const KIND: &str = "a number of seconds";
    Duration::try_from_secs_f64(given(value, option, KIND)?)
        .map_err(|error| PyValueError::new_err(format!("{option} must be {KIND}: {error}")))
}

fn choice<T: Copy>(value: &Bound<'_, PyAny>, option: &str, choices: &[(&str, T)]) -> PyResult<T> {
    let known: Vec<_> = choices.iter().map(|(choice, _)| format!("{choice:?}")).collect();
    let kind = known.join(" or ");
    let given: String = given(value, option, &kind)?;
    choices
        .iter()
        .find(|(choice, _)| *choice == given)
        .map(|(_, choice)| *choice)
        .ok_or_else(|| PyValueError::new_err(format!("{option} must be {kind}, not {given:?}")))
}
