//! Owns the failure text of dreadnode and rigging: `<error type="T">message</error>`.
//!
//! The form is what their models write: the text is stripped, characters that XML cannot hold are removed, several lines
//! stand indented on lines of their own, and nothing is escaped. One thing is done better: a message cannot end the
//! element itself.

use super::super::Facts;
use super::{is_not_json, type_name};
use crate::model::{Failure, FailureKind, Problem};
use std::borrow::Cow;

const END_TAG: &str = "</error";

/// The message, the problems in pydantic's layout, and the hint.
pub(super) fn body<'a>(failure: &'a Failure, facts: &Facts<'_>) -> Cow<'a, str> {
    let words = match failure.kind {
        FailureKind::InvalidJson | FailureKind::InvalidArguments if lists_problems(failure) => {
            Cow::Owned(listing(&failure.problems, facts.tool))
        }
        _ => Cow::Borrowed(failure.message.as_str()),
    };
    match &failure.hint {
        None => words,
        Some(hint) => Cow::Owned(format!("{words}\nHint: {hint}")),
    }
}

pub(super) fn write(failure: &Failure, body: &str) -> String {
    let name = attribute(&type_name(failure));
    let text = neutral(body);
    let text = text.trim();
    if !text.contains('\n') {
        return format!("<error type=\"{name}\">{text}</error>");
    }
    let mut element = format!("<error type=\"{name}\">\n");
    for line in text.split('\n') {
        if !line.trim().is_empty() {
            element.push_str("  ");
            element.push_str(line);
        }
        element.push('\n');
    }
    element.push_str("</error>");
    element
}

/// Whether there are problems to list; of text that is not JSON there is only the message.
fn lists_problems(failure: &Failure) -> bool {
    !failure.problems.is_empty() && !is_not_json(failure)
}

/// The problems as pydantic lists them, without the addresses and the echoed input.
fn listing(problems: &[Problem], tool: &str) -> String {
    let plural = if problems.len() == 1 { "" } else { "s" };
    let mut text = format!("{} validation error{plural} for call[{tool}]", problems.len());
    for problem in problems {
        let location = problem.pointer.strip_prefix('/').unwrap_or_default().replace('/', ".");
        if !location.is_empty() {
            text.push('\n');
            text.push_str(&location.replace("~1", "/").replace("~0", "~"));
        }
        text.push_str("\n  ");
        text.push_str(problem.message.trim_end_matches('.'));
        text.push_str(" [type=");
        text.push_str(&problem.code);
        text.push(']');
    }
    text
}

/// The text without characters that XML cannot hold, and without anything that would end the element.
///
/// The end is looked for in any case of letters: models do not read XML to the letter.
fn neutral(text: &str) -> String {
    let held: String = text.chars().filter(|character| is_xml(*character)).collect();
    let mut kept = String::with_capacity(held.len());
    let mut from = 0;
    for (at, bracket) in held.match_indices('<') {
        let is_end = held
            .get(at..at + END_TAG.len())
            .is_some_and(|tag| tag.eq_ignore_ascii_case(END_TAG));
        if is_end {
            kept.push_str(&held[from..at]);
            kept.push_str("&lt;");
            from = at + bracket.len();
        }
    }
    kept.push_str(&held[from..]);
    kept
}

/// XML 1.0, section 2.2.
const fn is_xml(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..)
}

/// A class name as an attribute's value.
fn attribute(name: &str) -> String {
    let mut value = String::with_capacity(name.len());
    for character in name.chars().filter(|character| is_xml(*character)) {
        match character {
            '&' => value.push_str("&amp;"),
            '<' => value.push_str("&lt;"),
            '>' => value.push_str("&gt;"),
            '"' => value.push_str("&quot;"),
            other => value.push(other),
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::{neutral, write};
    use crate::model::{Failure, FailureKind};

    fn raised(name: &str, message: &str) -> String {
        let mut failure = Failure::new(FailureKind::Raised, message);
        failure.exception_type = Some(name.to_owned());
        write(&failure, message)
    }

    #[test]
    fn a_message_cannot_end_the_element() {
        assert_eq!(
            raised("ValueError", "<b>&amp; \"quoted\" 'single' </error> ]]>"),
            "<error type=\"ValueError\"><b>&amp; \"quoted\" 'single' &lt;/error> ]]></error>"
        );
        assert_eq!(
            neutral("</ERROR></error ></er\u{0}ror>"),
            "&lt;/ERROR>&lt;/error >&lt;/error>"
        );
    }

    #[test]
    fn several_lines_are_indented_and_empty_ones_stay_empty() {
        assert_eq!(
            raised("ValueError", "first line\n  second line\n \n    third line\n"),
            "<error type=\"ValueError\">\n  first line\n    second line\n\n      third line\n</error>"
        );
    }

    #[test]
    fn a_class_name_cannot_leave_the_attribute() {
        assert_eq!(raised("X\"><b", "m"), "<error type=\"X&quot;&gt;&lt;b\">m</error>");
    }
}
