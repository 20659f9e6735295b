//! Owns what a call yields.
//!
//! Must not render or cut text: that is done in `output/`.

use super::{Content, Failure, ToolName};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;
use std::path::PathBuf;
use std::time::Duration;

/// What a call yields: a value or a failure, in every form that somebody may need.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The call's id.
    pub call_id: String,
    /// The tool's real name.
    pub tool: ToolName,
    /// The text for the model.
    pub text: String,
    /// Blocks beside the text, such as images; empty when the text says it all.
    pub content: Vec<Content>,
    /// How the value can be had as JSON. Of one that is too long for a model, large parts are `{"$offloaded": path, "chars":
    /// count}`: the file holds the text of a string, or the JSON of anything else.
    pub structured: Structured,
    /// The whole value as JSON, if parts of it moved to files.
    pub whole: Option<String>,
    /// Why there is no value.
    pub failure: Option<Box<Failure>>,
    /// Whether the tool asked to end the run.
    pub stop: bool,
    /// What was mended in the arguments.
    pub repairs: Vec<Repair>,
    /// What the tool wrote while it ran.
    pub logs: Vec<LogLine>,
    /// What was cut from the text.
    pub truncated: Option<Truncation>,
    /// Where the whole text is, if it was too long.
    pub offload: Option<Offload>,
    /// How long the call took, validation and rendering included.
    pub duration: Duration,
}

/// How an outcome's value can be had as JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Structured {
    /// There is no value.
    Absent,
    /// The text is the JSON.
    TextIsJson,
    /// The text is the value: a string.
    TextIsValue,
    /// The JSON stands here, because the text shows it differently.
    Json(String),
}

impl Outcome {
    /// The text for the model.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the call yielded a value.
    #[must_use]
    pub const fn is_success(&self) -> bool {
        self.failure.is_none()
    }

    /// The value, parsed.
    #[must_use]
    pub fn structured(&self) -> Option<Value> {
        match &self.structured {
            Structured::Absent => None,
            Structured::TextIsJson => serde_json::from_str(&self.text).ok(),
            Structured::TextIsValue => Some(Value::String(self.text.clone())),
            Structured::Json(json) => serde_json::from_str(json).ok(),
        }
    }

    /// The value as JSON text, without parsing it where the text already is JSON.
    #[must_use]
    pub fn structured_json(&self) -> Option<Box<RawValue>> {
        match &self.structured {
            Structured::Absent => None,
            Structured::TextIsJson => RawValue::from_string(self.text.clone()).ok(),
            Structured::TextIsValue => serde_json::value::to_raw_value(&self.text).ok(),
            Structured::Json(json) => RawValue::from_string(json.clone()).ok(),
        }
    }
}

/// An outcome in JSON, the same in every door.
impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut document = serializer.serialize_struct("Outcome", 12)?;
        document.serialize_field("call_id", &self.call_id)?;
        document.serialize_field("tool", &self.tool)?;
        document.serialize_field("text", &self.text)?;
        document.serialize_field("structured", &self.structured_json())?;
        document.serialize_field("content", &self.content)?;
        document.serialize_field("failure", &self.failure)?;
        document.serialize_field("stop", &self.stop)?;
        document.serialize_field("repairs", &self.repairs)?;
        document.serialize_field("logs", &self.logs)?;
        document.serialize_field("truncated", &self.truncated)?;
        document.serialize_field("offload", &self.offload)?;
        document.serialize_field("duration_seconds", &self.duration.as_secs_f64())?;
        document.end()
    }
}

/// One thing that was mended in the arguments before the tool saw them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repair {
    /// Where, as a JSON Pointer into the arguments as they were sent.
    pub pointer: String,
    /// What was done.
    pub rule: RepairRule,
}

/// What was done to an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RepairRule {
    /// A string that holds JSON was read as the array or object that it holds.
    JsonString,
    /// `null` for a parameter with a default was taken as not given.
    NullAsAbsent,
    /// The words `null` or `None` for a nullable parameter that takes no string were taken as null.
    NullWord,
    /// A float without a fraction was taken as an integer.
    IntegralFloat,
    /// An undeclared key that starts with an underscore was removed.
    ExtraKey,
    /// A parameter was given under its name although it is declared under an alias.
    NameForAlias,
}

/// What a tool wrote while it ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLine {
    /// Where it wrote to.
    pub stream: LogStream,
    /// The text, without the line's end.
    pub text: String,
}

/// Where a tool wrote to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogStream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
    /// `Context.log`.
    Log,
    /// The host's own remark, such as that lines were dropped.
    Host,
}

/// What was cut from a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Truncation {
    /// How many characters the whole text had.
    pub characters: usize,
    /// How many are left.
    pub kept: usize,
}

/// Where the whole of a long text is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offload {
    /// The file, or `None` when it could not be written.
    pub path: Option<PathBuf>,
    /// How many characters the whole text has.
    pub characters: usize,
    /// Why the file could not be written.
    #[serde(default)]
    pub error: Option<String>,
}
