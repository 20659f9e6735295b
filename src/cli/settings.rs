//! Owns the resolved choices of one command: what the raw words come to.

use super::args::{CatchDefaultArg, CompatArg, GlobalArgs};
use super::error::{CommandError, CommandResult};
use crate::host::{Host, HostBuilder};
use crate::runner::{CatchDefault, Compat};
use std::path::PathBuf;
use std::time::Duration;

/// The resolved choices that every command shares.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The Python that was named.
    pub python: Option<PathBuf>,
    capabilities: bool,
    mcp: Vec<String>,
    timeout: Timeout,
    compat: Compat,
    catch_default: CatchDefault,
}

/// What was said about time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Timeout {
    /// Nothing.
    Default,
    /// No limit, or this one.
    Chosen(Option<Duration>),
}

impl Settings {
    /// Resolves the words.
    pub fn resolve(args: GlobalArgs) -> CommandResult<Self> {
        Ok(Self {
            python: args.python,
            capabilities: args.capabilities,
            mcp: args.mcp,
            timeout: args
                .timeout
                .as_deref()
                .map_or(Ok(Timeout::Default), |text| timeout(text).map(Timeout::Chosen))?,
            compat: match args.compat {
                CompatArg::Auto => Compat::Auto,
                CompatArg::Builtin => Compat::Builtin,
            },
            catch_default: match args.catch_default {
                CatchDefaultArg::All => CatchDefault::All,
                CatchDefaultArg::Documented => CatchDefault::Documented,
            },
        })
    }

    /// A builder of a host over these sources.
    pub fn host(&self, sources: &[PathBuf]) -> HostBuilder {
        let mut builder = Host::builder()
            .sources(sources)
            .compat(self.compat)
            .catch_default(self.catch_default);
        builder = self.mcp.iter().fold(builder, HostBuilder::mcp);
        if self.capabilities {
            builder = builder.search_capabilities();
        }
        if let Some(python) = &self.python {
            builder = builder.python(python);
        }
        if let Timeout::Chosen(timeout) = self.timeout {
            builder = builder.timeout(timeout);
        }
        builder
    }
}

fn timeout(text: &str) -> CommandResult<Option<Duration>> {
    if text == "none" {
        return Ok(None);
    }
    text.parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|timeout| !timeout.is_zero())
        .map(Some)
        .ok_or_else(|| CommandError::Misuse {
            message: format!("`--timeout {text}` is not a time"),
            hint: "give seconds greater than zero, such as `2.5`, or `none`".to_owned(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_is_seconds_or_none() {
        assert_eq!(timeout("2.5").unwrap(), Some(Duration::from_millis(2500)));
        assert_eq!(timeout("none").unwrap(), None);
        for text in ["0", "-1", "nan", "inf", "1e300", "soon", ""] {
            assert!(timeout(text).is_err(), "{text}");
        }
    }
}
