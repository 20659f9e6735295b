//! Owns the blocks that a value can be shown to a model as.

use serde::{Deserialize, Serialize};

/// One block of content. Binary data is base64 with padding (RFC 4648, section 4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Content {
    /// Plain text.
    Text {
        /// The text.
        text: String,
    },
    /// A picture.
    Image {
        /// Its media type, such as `image/png`.
        mime_type: String,
        /// The bytes as base64.
        data: String,
    },
    /// A sound.
    Audio {
        /// Its media type, such as `audio/wav`.
        mime_type: String,
        /// The bytes as base64.
        data: String,
    },
    /// Other bytes, or a reference to something elsewhere.
    Resource {
        /// Its media type, such as `application/octet-stream`.
        mime_type: String,
        /// Where it is, if it has an address.
        uri: Option<String>,
        /// The bytes as base64, if they are here.
        data: Option<String>,
    },
}
