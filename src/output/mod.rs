//! Owns what becomes of a value or a failure on its way to the model: render, measure, truncate, offload.
//!
//! Values arrive rendered; failures are rendered here, by the style of their dialect. Nothing here may know Python, and
//! nothing may run a tool or decide whether a call failed.

mod blocks;
mod failure;
mod offload;
mod secrets;
mod structured;
mod truncate;

pub use crate::runner::Rendered;
pub use secrets::{FailureDetail, Masker};

use crate::model::{CallPolicy, Content, Failure, FailureStyle, Limits, Offload, Structured, Truncation};
use offload::Store;
use std::mem;
use std::path::Path;
use std::time::Duration;

/// What shaping has to know about the call.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// The tool's real name.
    pub tool: &'a str,
    /// The call's id; it names the file that long output goes to.
    pub call_id: &'a str,
    /// What the tool's dialect says about failures, truncation and offload.
    pub policy: &'a CallPolicy,
    /// The host's bounds.
    pub limits: &'a Limits,
    /// The folder that the policy's offload folder lies in.
    pub working_directory: &'a Path,
    /// How long the call was allowed to take, for the dialects that say so when it is over.
    pub time_limit: Option<Duration>,
}

/// How a call ended, as far as the model is concerned.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended {
    /// The tool returned.
    Returned(Rendered),
    /// The tool asked to end the run, with a text in the form of its dialect.
    Stopped(String),
    /// There is no value.
    Failed(Failure),
}

/// The end of a call in the form that an [`Outcome`](crate::Outcome) holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Shaped {
    /// The text for the model.
    pub text: String,
    /// Blocks beside the text.
    pub content: Vec<Content>,
    /// How the value can be had as JSON.
    pub structured: Structured,
    /// The whole value as JSON, if parts of it moved to files.
    pub whole: Option<String>,
    /// Why there is no value.
    pub failure: Option<Failure>,
    /// Whether the tool asked to end the run.
    pub stop: bool,
    /// What was cut from the text.
    pub truncated: Option<Truncation>,
    /// Where the whole text is, if it was too long.
    pub offload: Option<Offload>,
}

impl Shaped {
    const fn whole(text: String, content: Vec<Content>, structured: Structured) -> Self {
        Self {
            text,
            content,
            structured,
            whole: None,
            failure: None,
            stop: false,
            truncated: None,
            offload: None,
        }
    }
}

/// A value that is a text and nothing else.
#[must_use]
pub const fn text_value(text: String) -> Rendered {
    Rendered {
        text,
        content: Vec::new(),
        structured: Structured::TextIsValue,
    }
}

/// Brings the end of a call into the form that the model gets.
///
/// A value within its limits is moved, never copied and never counted.
#[must_use]
pub fn shape(ended: Ended, facts: &Facts<'_>) -> Shaped {
    match ended {
        Ended::Returned(rendered) => shape_value(rendered, facts),
        Ended::Failed(failure) => shape_failure(failure, facts),
        Ended::Stopped(text) => {
            let rendered = Rendered {
                text,
                content: Vec::new(),
                structured: Structured::Absent,
            };
            Shaped {
                stop: true,
                ..shape_value(rendered, facts)
            }
        }
    }
}

fn shape_value(rendered: Rendered, facts: &Facts<'_>) -> Shaped {
    let Rendered {
        text,
        content,
        structured,
    } = rendered;
    let within = facts.surely_fits(&text)
        && content.is_empty()
        && !matches!(&structured, Structured::Json(json) if !facts.surely_fits(json));
    if within {
        return Shaped::whole(text, content, structured);
    }
    shape_long(text, content, structured, facts)
}

/// Truncation cuts the text only; the structured value stays whole until it passes the offload limit itself, and stays
/// valid JSON then too.
#[cold]
fn shape_long(mut text: String, content: Vec<Content>, mut structured: Structured, facts: &Facts<'_>) -> Shaped {
    let store = Store::of(facts);
    let mut truncated = None;
    if let Some((cut, truncation)) = facts.truncate().and_then(|limit| truncate::truncate(&text, limit)) {
        replace_text(&mut text, cut, &mut structured);
        truncated = Some(truncation);
    }
    let mut offload = None;
    if let Some((summary, place)) = store.as_ref().and_then(|store| store.offload(&text)) {
        replace_text(&mut text, summary, &mut structured);
        offload = Some(place);
    }
    let mut whole = None;
    if let Some(store) = &store {
        (structured, whole) = structured::bound(structured, store);
    }
    let content = blocks::bound(content, facts.truncate(), store.as_ref());
    Shaped {
        whole,
        truncated,
        offload,
        ..Shaped::whole(text, content, structured)
    }
}

/// Puts a shorter text in place of the whole one, which lives on as the JSON if it was that.
fn replace_text(text: &mut String, shorter: String, structured: &mut Structured) {
    let whole = mem::replace(text, shorter);
    if *structured == Structured::TextIsJson {
        *structured = Structured::Json(whole);
    }
}

/// Renders a failure in the style of the tool's dialect. However little room there is, its type is cut last.
fn shape_failure(failure: Failure, facts: &Facts<'_>) -> Shaped {
    let mut text = failure::render(&failure, facts);
    let mut truncated = None;
    let mut offload = None;
    if !facts.surely_fits(&text) {
        if let Some(limit) = facts.truncate()
            && let Some(characters) = truncate::count_beyond(&text, limit)
        {
            text = failure::render_within(&failure, facts, limit);
            let kept = text.chars().count();
            truncated = Some(Truncation { characters, kept });
        }
        let store = Store::of(facts);
        let shorter = match facts.policy.failure_style {
            FailureStyle::ErrorElement | FailureStyle::Message => store.and_then(|store| store.offload(&text)),
            FailureStyle::Json | FailureStyle::ErrorCode => {
                store.and_then(|store| failure::offload(&failure, &text, facts, &store))
            }
        };
        if let Some((shorter, place)) = shorter {
            text = shorter;
            offload = Some(place);
        }
    }
    Shaped {
        failure: Some(failure),
        truncated,
        offload,
        ..Shaped::whole(text, Vec::new(), Structured::Absent)
    }
}

impl Facts<'_> {
    /// The most characters that the tool's author wants; 0 is without limit, as in the dialects.
    fn truncate(&self) -> Option<usize> {
        self.policy.truncate.filter(|limit| *limit > 0)
    }

    /// Whether the text is short enough whatever it holds: no text has more characters than bytes.
    fn surely_fits(&self, text: &str) -> bool {
        let bytes = text.len();
        self.truncate().is_none_or(|limit| bytes <= limit)
            && (self.policy.offload.is_none() || bytes <= self.limits.offload_characters)
    }
}
