//! Owns keeping the blocks beside the text within the same limits as the text.
//!
//! Pictures and sounds are left alone: a model takes them in whole or not at all.

use super::offload::Store;
use super::truncate::{count_beyond, truncate};
use crate::model::Content;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::fmt::Write as _;
use std::path::Path;

/// The same blocks: texts with at most `limit` characters together, and what is too long in files.
pub(super) fn bound(mut content: Vec<Content>, limit: Option<usize>, store: Option<&Store<'_>>) -> Vec<Content> {
    let mut left = limit;
    for block in &mut content {
        match block {
            Content::Text { text } => {
                if let Some(left) = &mut left {
                    if let Some((cut, _)) = truncate(text, *left) {
                        *text = cut;
                    }
                    *left -= text.chars().count();
                }
                if let Some((summary, _)) = store.and_then(|store| store.offload(text)) {
                    *text = summary;
                }
            }
            Content::Resource { uri, data, .. } => {
                if let Some(store) = store {
                    offload_data(uri, data, store);
                }
            }
            Content::Image { .. } | Content::Audio { .. } => {}
        }
    }
    content
}

/// Moves bytes that are over the limit to a file; they stay where they are if it cannot be written, or if they are
/// known by an address already.
fn offload_data(uri: &mut Option<String>, data: &mut Option<String>, store: &Store<'_>) {
    let (None, Some(encoded)) = (&uri, &data) else { return };
    if count_beyond(encoded, store.limit).is_none() {
        return;
    }
    if let Ok(bytes) = STANDARD.decode(encoded.as_bytes())
        && let Ok(path) = store.keep(&bytes, "bin")
    {
        *uri = Some(file_uri(&path));
        *data = None;
    }
}

/// The address of a file by RFC 8089.
fn file_uri(path: &Path) -> String {
    let mut uri = String::from("file://");
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(char::from(byte)),
            // Writing to a `String` cannot fail.
            _ => drop(write!(uri, "%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::file_uri;
    use std::path::Path;

    #[test]
    fn escapes_what_an_address_cannot_hold() {
        assert_eq!(
            file_uri(Path::new("/data/a b/é#1.bin")),
            "file:///data/a%20b/%C3%A9%231.bin"
        );
    }
}
