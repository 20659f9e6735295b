//! Owns cutting a text to a number of characters (code points): lossy, for texts whose author wants no more.

use crate::model::Truncation;

const ELLIPSIS: &str = "...";

/// How many characters the text has, if it has more than `limit`.
pub(super) fn count_beyond(text: &str, limit: usize) -> Option<usize> {
    if text.len() <= limit {
        return None;
    }
    let characters = text.chars().count();
    (characters > limit).then_some(characters)
}

/// The text cut to at most `limit` characters, if it has more.
pub(super) fn truncate(text: &str, limit: usize) -> Option<(String, Truncation)> {
    let characters = count_beyond(text, limit)?;
    let cut = cut_middle(text, limit);
    let kept = cut.chars().count();
    Some((cut, Truncation { characters, kept }))
}

/// At most `limit` characters of the text: equally much of both ends around an ellipsis.
///
/// Below five characters there is no room for both ends, so the first ones are all there is.
pub(super) fn cut_middle(text: &str, limit: usize) -> String {
    if count_beyond(text, limit).is_none() {
        return text.to_owned();
    }
    if limit < ELLIPSIS.len() + 2 {
        return first(text, limit).to_owned();
    }
    let half = (limit - ELLIPSIS.len()) / 2;
    [first(text, half), ELLIPSIS, last(text, half)].concat()
}

/// The first `count` characters.
pub(super) fn first(text: &str, count: usize) -> &str {
    match text.char_indices().nth(count) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

/// The last `count` characters.
pub(super) fn last(text: &str, count: usize) -> &str {
    match count.checked_sub(1).map(|before| text.char_indices().nth_back(before)) {
        Some(Some((start, _))) => &text[start..],
        Some(None) => text,
        None => "",
    }
}

#[cfg(test)]
mod tests {
    use super::{cut_middle, first, last, truncate};
    use crate::model::Truncation;
    use proptest::prelude::*;

    const ALPHABET: &str = "abcdefghijklmnopqrstuvwxyz";

    #[test]
    fn cuts_the_middle_as_the_dialects_do() {
        for (limit, expected) in [
            (5, "a...z"),
            (6, "a...z"),
            (7, "ab...yz"),
            (11, "abcd...wxyz"),
            (25, "abcdefghijk...pqrstuvwxyz"),
            (26, ALPHABET),
            (27, ALPHABET),
        ] {
            assert_eq!(cut_middle(ALPHABET, limit), expected, "limit {limit}");
        }
        assert_eq!(cut_middle("😀😀😀😀😀😀😀😀", 5), "😀...😀");
        assert_eq!(cut_middle("a\n\n\n\n\n\n\nb", 5), "a...b");
    }

    #[test]
    fn keeps_the_beginning_where_both_ends_have_no_room() {
        for (limit, expected) in [(0, ""), (1, "a"), (2, "ab"), (3, "abc"), (4, "abcd")] {
            assert_eq!(cut_middle(ALPHABET, limit), expected, "limit {limit}");
        }
    }

    #[test]
    fn counts_code_points_and_leaves_short_text_alone() {
        assert_eq!(truncate("日本語", 3), None);
        let truncation = Truncation { characters: 9, kept: 7 };
        assert_eq!(
            truncate("日本語日本語日本語", 7),
            Some(("日本...本語".to_owned(), truncation))
        );
    }

    #[test]
    fn takes_ends_at_character_borders() {
        assert_eq!((first("日本語", 2), last("日本語", 2)), ("日本", "本語"));
        assert_eq!((first("日本語", 9), last("日本語", 9)), ("日本語", "日本語"));
        assert_eq!((first("日本語", 0), last("日本語", 0)), ("", ""));
    }

    proptest! {
        #[test]
        fn never_exceeds_the_limit(text in "\\PC{0,60}", limit in 0_usize..70) {
            let cut = cut_middle(&text, limit);
            prop_assert!(cut.chars().count() <= limit);
            if text.chars().count() <= limit {
                prop_assert_eq!(cut, text);
            }
        }
    }
}
