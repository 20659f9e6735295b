//! Owns the failure text of dendrux: `{"error": …, "code": …}`, written as Python's `json.dumps` writes it.
//!
//! Only rejected arguments have a code. A reached limit has the key `limit` in place of `error`.

use super::super::Facts;
use crate::model::{Failure, FailureKind};
use std::borrow::Cow;
use std::fmt::Write as _;

/// The message; the dialect's own validator has put all that is wrong with arguments into it.
pub(super) fn body<'a>(failure: &'a Failure, facts: &Facts<'_>) -> Cow<'a, str> {
    match (failure.kind, facts.time_limit) {
        (FailureKind::TimedOut, Some(limit)) => {
            let seconds = limit.as_secs_f64();
            Cow::Owned(format!("Tool '{}' timed out after {seconds:?}s", facts.tool))
        }
        _ => Cow::Borrowed(&failure.message),
    }
}

pub(super) fn write(failure: &Failure, body: &str) -> String {
    let key = match failure.kind {
        FailureKind::LimitReached => "limit",
        _ => "error",
    };
    let mut text = format!("{{\"{key}\": ");
    push_string(&mut text, body);
    let code = match failure.kind {
        FailureKind::InvalidJson => Some("invalid_json"),
        FailureKind::InvalidArguments => Some("invalid_params"),
        _ => None,
    };
    if let Some(code) = code {
        text.push_str(", \"code\": ");
        push_string(&mut text, code);
    }
    // The dialect cannot say that a timed-out tool goes on, and the model must not take it for stopped.
    if failure.still_running {
        text.push_str(", \"still_running\": true");
    }
    text.push('}');
    text
}

/// A JSON string in ASCII, escaped as Python escapes it.
fn push_string(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            ' '..='~' => out.push(character),
            _ => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    // Writing to a `String` cannot fail.
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::push_string;

    #[test]
    fn escapes_as_python_does() {
        let mut text = String::new();
        push_string(&mut text, "é 日本 😀 \"\\/\n\r\t\u{8}\u{c}\u{0}\u{7f}");
        assert_eq!(
            text,
            r#""\u00e9 \u65e5\u672c \ud83d\ude00 \"\\/\n\r\t\b\f\u0000\u007f""#
        );
    }
}
