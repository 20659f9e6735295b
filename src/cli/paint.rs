//! Owns the looks of text: colours where they are wanted, and characters that a terminal would obey made visible.

use clap::builder::styling::{AnsiColor, Style};
use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether text for one stream is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// Colours, or none.
    pub const fn new(on: bool) -> Self {
        Self { on }
    }

    /// Whether there are colours.
    pub const fn is_on(self) -> bool {
        self.on
    }

    /// Something that went wrong.
    pub fn error(self, text: &str) -> String {
        self.styled(AnsiColor::Red.on_default().bold(), text)
    }

    /// Something to look at.
    pub fn warning(self, text: &str) -> String {
        self.styled(AnsiColor::Yellow.on_default().bold(), text)
    }

    /// Something to know.
    pub fn note(self, text: &str) -> String {
        self.styled(AnsiColor::Cyan.on_default().bold(), text)
    }

    /// Something that the eye is to find.
    pub fn bold(self, text: &str) -> String {
        self.styled(Style::new().bold(), text)
    }

    /// Something that frames other text.
    pub fn faint(self, text: &str) -> String {
        self.styled(Style::new().dimmed(), text)
    }

    fn styled(self, style: Style, text: &str) -> String {
        if self.on {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }
}

/// The text with its control characters written out, line ends and tabs excepted: what a tool or a file says must not
/// move the cursor or recolour the terminal.
pub fn visible(text: &str) -> Cow<'_, str> {
    let obeyed = |character: char| character.is_control() && !matches!(character, '\n' | '\t');
    if !text.contains(obeyed) {
        return Cow::Borrowed(text);
    }
    let mut written = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if obeyed(character) {
            let _ = write!(written, "{}", character.escape_unicode());
        } else {
            written.push(character);
        }
    }
    Cow::Owned(written)
}

/// The first line, with control characters written out.
pub fn first_line(text: &str) -> Cow<'_, str> {
    visible(text.lines().next().unwrap_or_default().trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_written_out_and_line_ends_are_kept() {
        assert_eq!(visible("a\tb\nc"), "a\tb\nc");
        assert_eq!(visible("\u{1b}[31mred"), "\\u{1b}[31mred");
        assert_eq!(first_line("one\r\ntwo"), "one");
    }

    #[test]
    fn without_colours_text_stays_as_it_is() {
        assert_eq!(Paint::new(false).error("x"), "x");
        assert_ne!(Paint::new(true).error("x"), "x");
    }
}
