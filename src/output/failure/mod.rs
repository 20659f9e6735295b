//! Owns the text of a failure: which style writes it, and how it fits into less room than it would like.

mod code;
mod element;
mod json;

use super::Facts;
use super::offload::{Store, marker};
use super::truncate::{count_beyond, cut_middle, first};
use crate::model::{Failure, FailureKind, FailureStyle, Offload};
use std::borrow::Cow;

/// Room below which the list of problems gives way to the message.
const SHORTEST_BODY: usize = 5;

/// The whole text.
pub(super) fn render(failure: &Failure, facts: &Facts<'_>) -> String {
    write(failure, facts, &body(failure, facts), true)
}

/// The text in at most `limit` characters: the message is cut, the form and the type stay.
///
/// Where even the empty form has no room, the type and the beginning of the message stand alone.
pub(super) fn render_within(failure: &Failure, facts: &Facts<'_>, limit: usize) -> String {
    let body = body(failure, facts);
    fit(failure, facts, limit, |shown| cut_middle(&body, shown)).unwrap_or_else(|| {
        let name = type_name(failure);
        let plain = match &*body {
            "" => name.into_owned(),
            body => format!("{name}: {body}"),
        };
        first(&plain, limit).to_owned()
    })
}

/// Keeps a JSON text that is over the limit, and returns one that still is JSON: only its message is cut.
pub(super) fn offload(
    failure: &Failure,
    text: &str,
    facts: &Facts<'_>,
    store: &Store<'_>,
) -> Option<(String, Offload)> {
    let characters = count_beyond(text, store.limit)?;
    let body = body(failure, facts);
    let body_characters = body.chars().count();
    let saved = store.keep(text.as_bytes(), "txt");
    let saved_to = saved.as_deref().map(AsRef::as_ref);
    let summary = |shown: usize| {
        if shown < body_characters {
            Store::summary(&body, body_characters, shown, saved_to)
        } else {
            let missing = format!("{} problems", failure.problems.len());
            format!("{body}{}", marker(&missing, saved_to).trim_end())
        }
    };
    let room = store.limit + summary(0).chars().count();
    let text = fit(failure, facts, room, summary)?;
    let offload = Offload {
        characters,
        error: saved.as_ref().err().map(ToString::to_string),
        path: saved.ok(),
    };
    Some((text, offload))
}

/// The longest text that has room, of those whose body shows ever fewer characters.
fn fit(failure: &Failure, facts: &Facts<'_>, limit: usize, body: impl Fn(usize) -> String) -> Option<String> {
    for (whole, least) in [(true, SHORTEST_BODY), (false, 0)] {
        let frame = write(failure, facts, "", whole).chars().count();
        let Some(room) = limit.checked_sub(frame).filter(|room| *room >= least) else {
            continue;
        };
        let mut shown = room;
        loop {
            let text = write(failure, facts, &body(shown), whole);
            let Some(over) = count_beyond(&text, limit) else {
                return Some(text);
            };
            if shown == 0 {
                break;
            }
            // Escapes and indentation grow with the body, so the share that had room is a good next guess.
            shown = (shown * room / (over - frame)).min(shown - 1);
        }
    }
    None
}

/// What the model is told in words; the style decides what belongs to it.
fn body<'a>(failure: &'a Failure, facts: &Facts<'_>) -> Cow<'a, str> {
    match facts.policy.failure_style {
        FailureStyle::Json | FailureStyle::Message => Cow::Borrowed(&failure.message),
        FailureStyle::ErrorElement => element::body(failure, facts),
        FailureStyle::ErrorCode => code::body(failure, facts),
    }
}

/// The text around a body; `whole` asks for everything that the style shows beside it.
fn write(failure: &Failure, facts: &Facts<'_>, body: &str, whole: bool) -> String {
    match facts.policy.failure_style {
        FailureStyle::Json => json::write(failure, body, whole),
        FailureStyle::Message => body.to_owned(),
        FailureStyle::ErrorElement => element::write(failure, body),
        FailureStyle::ErrorCode => code::write(failure, body),
    }
}

/// Whether the arguments were not JSON at all, rather than JSON of another kind than an object.
fn is_not_json(failure: &Failure) -> bool {
    failure.problems.iter().all(|problem| problem.code == "json_invalid")
}

/// The class of the exception; where Python raised none, the one that Python would have raised.
fn type_name(failure: &Failure) -> Cow<'_, str> {
    if let Some(name) = &failure.exception_type {
        return Cow::Borrowed(name);
    }
    Cow::Borrowed(match failure.kind {
        FailureKind::InvalidJson if is_not_json(failure) => "JSONDecodeError",
        FailureKind::InvalidJson | FailureKind::InvalidArguments => "ValidationError",
        FailureKind::Raised => "Exception",
        FailureKind::TimedOut => "TimeoutError",
        FailureKind::Cancelled => "CancelledError",
        FailureKind::Exited => "SystemExit",
        FailureKind::Crashed => "ProcessCrashed",
        FailureKind::NotSerializable => "NotSerializable",
        FailureKind::LimitReached => "LimitReached",
    })
}
