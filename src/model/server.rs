//! Owns what is said about an MCP server: how it is reached, how long it may take, what it waits for.
//!
//! Must not start any. Variables in its texts are put in when it is started, so that what is kept holds no secrets.

use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// An MCP server and how it is reached.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ServerDefinition {
    /// Its name within the capability.
    pub name: String,
    /// How it is reached. Texts may hold `${NAME}` and `${NAME:-default}`; see [`expand`](Self::expand).
    pub transport: Transport,
    /// How long a call may take.
    #[serde(serialize_with = "as_seconds")]
    pub timeout: Option<Duration>,
    /// How long its start may take.
    #[serde(serialize_with = "as_seconds")]
    pub start_timeout: Option<Duration>,
    /// The flags of which one has to be on; `None` needs none.
    pub when: Option<Vec<String>>,
}

/// How a server is reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Transport {
    /// A child process that speaks on its standard input and output.
    Stdio {
        /// The program.
        command: String,
        /// Its arguments.
        arguments: Vec<String>,
        /// Variables beside those of the host.
        environment: BTreeMap<String, String>,
        /// The folder that it runs in.
        working_directory: PathBuf,
    },
    /// A server that speaks streamable HTTP.
    Http {
        /// Its address.
        url: String,
        /// What is sent with every request.
        headers: Vec<HttpHeader>,
    },
}

/// A header that is sent to a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HttpHeader {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Whether it is left out if a variable in it is not set.
    pub is_optional: bool,
}

impl ServerDefinition {
    /// Puts variables into a text of the definition: `${NAME}`, or `${NAME:-default}` where it is not set or empty.
    ///
    /// # Errors
    ///
    /// The name of the first variable that has neither a value nor a default.
    pub fn expand(text: &str, variable: impl Fn(&str) -> Option<String>) -> Result<String, String> {
        let mut expanded = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find("${") {
            let Some(length) = rest[start..].find('}') else { break };
            let inside = &rest[start + 2..start + length];
            let (name, default) = match inside.split_once(":-") {
                Some((name, default)) => (name, Some(default)),
                None => (inside, None),
            };
            expanded.push_str(&rest[..start]);
            match (variable(name), default) {
                (Some(value), None) => expanded.push_str(&value),
                (Some(value), Some(_)) if !value.is_empty() => expanded.push_str(&value),
                (_, Some(default)) => expanded.push_str(default),
                (None, None) => return Err(name.to_owned()),
            }
            rest = &rest[start + length + 1..];
        }
        expanded.push_str(rest);
        Ok(expanded)
    }
}

#[expect(clippy::ref_option, reason = "the shape that serde asks for")]
fn as_seconds<S: Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    time.map(|time| time.as_secs_f64()).serialize(serializer)
}
