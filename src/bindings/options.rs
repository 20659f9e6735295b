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
                let patterns: Vec<String> = value.extract()?;
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
            "search_capabilities" if value.extract()? => builder = builder.search_capabilities(),
            "search_capabilities" => {}
            "mcp" => {
                let servers: Vec<String> = value.extract()?;
                builder = servers.into_iter().fold(builder, HostBuilder::mcp);
            }
            "start_servers" => builder = builder.start_servers(value.extract()?),
            "run_checks" => builder = builder.run_checks(value.extract()?),
            "allow_install" => builder = builder.allow_install(value.extract()?),
            "working_directory" => builder = builder.working_directory(value.extract::<PathBuf>()?),
            "timeout" if value.is_none() => limits.timeout = None,
            "timeout" => limits.timeout = Some(seconds(&value, "timeout")?),
            "grace" => limits.grace = seconds(&value, "grace")?,
            "import_timeout" => limits.import_timeout = seconds(&value, "import_timeout")?,
            "argument_bytes" => limits.argument_bytes = value.extract()?,
            "argument_depth" => limits.argument_depth = value.extract()?,
            "generator_items" => limits.generator_items = value.extract()?,
            "log_bytes" => limits.log_bytes = value.extract()?,
            "offload_characters" => limits.offload_characters = value.extract()?,
            "source_files" => limits.source_files = value.extract()?,
            "stuck_threads" => limits.stuck_threads = value.extract()?,
            "sync_threads" => limits.sync_threads = value.extract()?,
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

fn seconds(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Duration> {
    Duration::try_from_secs_f64(value.extract()?)
        .map_err(|error| PyValueError::new_err(format!("{name} must be a number of seconds: {error}")))
}

fn choice<T: Copy>(value: &Bound<'_, PyAny>, name: &str, choices: &[(&str, T)]) -> PyResult<T> {
    let given: String = value.extract()?;
    choices
        .iter()
        .find(|(choice, _)| *choice == given)
        .map(|(_, choice)| *choice)
        .ok_or_else(|| {
            let known: Vec<_> = choices.iter().map(|(choice, _)| format!("{choice:?}")).collect();
            PyValueError::new_err(format!("{name} must be {}, not {given:?}", known.join(" or ")))
        })
}
