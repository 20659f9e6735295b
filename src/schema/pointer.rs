//! Owns JSON Pointers (RFC 6901) as text.
//!
//! Must not know what a pointer leads to: `place.rs` follows them through a schema.

use std::borrow::Cow;

/// Appends one segment, escaped.
pub(crate) fn push(pointer: &mut String, segment: &str) {
    pointer.push('/');
    if !segment.contains(['~', '/']) {
        pointer.push_str(segment);
        return;
    }
    for character in segment.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

/// The pointer to `segment` below `pointer`.
pub(crate) fn join(pointer: &str, segment: &str) -> String {
    let mut joined = String::with_capacity(pointer.len() + segment.len() + 1);
    joined.push_str(pointer);
    push(&mut joined, segment);
    joined
}

/// The segments of a pointer, unescaped.
pub(crate) fn segments(pointer: &str) -> impl Iterator<Item = Cow<'_, str>> {
    pointer.split('/').skip(1).map(|segment| {
        if segment.contains('~') {
            Cow::Owned(segment.replace("~1", "/").replace("~0", "~"))
        } else {
            Cow::Borrowed(segment)
        }
    })
}

/// The pointer to what holds `pointer`'s last segment, and that segment unescaped; `None` for the whole.
pub(crate) fn split_last(pointer: &str) -> Option<(&str, Cow<'_, str>)> {
    let (parent, _) = pointer.rsplit_once('/')?;
    segments(&pointer[parent.len()..]).next().map(|last| (parent, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_survive_the_way_there_and_back() {
        let parts = ["a/b", "~1", "", "plain", "~0/"];
        let pointer = parts.iter().fold(String::new(), |pointer, part| join(&pointer, part));
        assert_eq!(pointer, "/a~1b/~01//plain/~00~1");
        assert_eq!(segments(&pointer).collect::<Vec<_>>(), parts);
    }

    #[test]
    fn the_last_segment_is_split_off() {
        assert_eq!(split_last(""), None);
        assert_eq!(split_last("/a~1b"), Some(("", Cow::Borrowed("a/b"))));
        assert_eq!(split_last("/a/0"), Some(("/a", Cow::Borrowed("0"))));
    }
}
