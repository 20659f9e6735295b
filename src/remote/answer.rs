//! Owns what a server's answer to a call comes to: texts joined, other blocks beside them, an error as a failure.
//!
//! Must not word anything where the server did.

use crate::model::{Content, Failure, FailureKind, Structured};
use crate::runner::{CallEnd, Rendered};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents, ServerResult};
use serde_json::Value;

const BYTES: &str = "application/octet-stream";

/// How a call ended that was answered.
pub fn end(result: ServerResult) -> CallEnd {
    match result {
        ServerResult::CallToolResult(result) => of_result(result),
        ServerResult::EmptyResult(_) => of_result(CallToolResult::default()),
        ServerResult::CustomResult(custom) => of_custom(&custom.0),
        _ => failed("the server answered the call with something that is no result of a tool"),
    }
}

fn failed(message: impl Into<String>) -> CallEnd {
    Failure::new(FailureKind::Raised, message).into()
}

fn of_result(result: CallToolResult) -> CallEnd {
    let mut texts = Vec::new();
    let mut content = Vec::new();
    for block in result.content {
        sort_in(block, &mut texts, &mut content);
    }
    rendered(
        &texts,
        content,
        result.structured_content,
        result.is_error == Some(true),
    )
}

/// A result with a block of a kind that this protocol's version does not have: the others still count.
fn of_custom(result: &Value) -> CallEnd {
    let Some(blocks) = result.get("content").and_then(Value::as_array) else {
        return failed("the server answered the call with something that is no result of a tool");
    };
    let mut texts = Vec::new();
    let mut content = Vec::new();
    for block in blocks {
        match serde_json::from_value(block.clone()) {
            Ok(known) => sort_in(known, &mut texts, &mut content),
            Err(_) => texts.push(block.to_string()),
        }
    }
    let structured = result.get("structuredContent").cloned();
    let is_error = result.get("isError").and_then(Value::as_bool) == Some(true);
    rendered(&texts, content, structured, is_error)
}

fn rendered(texts: &[String], content: Vec<Content>, structured: Option<Value>, is_error: bool) -> CallEnd {
    let mut text = texts.join("\n");
    if is_error {
        if text.is_empty() {
            text = structured.map_or_else(
                || "the tool failed and did not say why".to_owned(),
                |value| value.to_string(),
            );
        }
        return failed(text);
    }
    let structured = match structured {
        None if texts.is_empty() => Structured::Absent,
        None => Structured::TextIsValue,
        Some(value) => {
            let json = value.to_string();
            if texts.is_empty() && content.is_empty() {
                text.clone_from(&json);
            }
            if text == json {
                Structured::TextIsJson
            } else {
                Structured::Json(json)
            }
        }
    };
    CallEnd::Returned(Rendered {
        text,
        content,
        structured,
    })
}

/// Texts are joined to the text; what is no text stays a block, and a reference is also named in the text.
fn sort_in(block: ContentBlock, texts: &mut Vec<String>, content: &mut Vec<Content>) {
    match block {
        ContentBlock::Text(text) => texts.push(text.text),
        ContentBlock::Image(image) => content.push(Content::Image {
            mime_type: image.mime_type,
            data: image.data,
        }),
        ContentBlock::Audio(audio) => content.push(Content::Audio {
            mime_type: audio.mime_type,
            data: audio.data,
        }),
        ContentBlock::Resource(resource) => match resource.resource {
            ResourceContents::TextResourceContents {
                uri, mime_type, text, ..
            } => {
                content.push(Content::Resource {
                    mime_type: mime_type.unwrap_or_else(|| "text/plain".to_owned()),
                    uri: Some(uri),
                    data: Some(STANDARD.encode(&text)),
                });
                texts.push(text);
            }
            ResourceContents::BlobResourceContents {
                uri, mime_type, blob, ..
            } => content.push(Content::Resource {
                mime_type: mime_type.unwrap_or_else(|| BYTES.to_owned()),
                uri: Some(uri),
                data: Some(blob),
            }),
            _ => texts.push("a resource of an unknown kind".to_owned()),
        },
        ContentBlock::ResourceLink(link) => {
            texts.push(format!("{}: {}", link.name, link.uri));
            content.push(Content::Resource {
                mime_type: link.mime_type.unwrap_or_else(|| BYTES.to_owned()),
                uri: Some(link.uri),
                data: None,
            });
        }
        _ => texts.push("a block of an unknown kind".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{end, of_custom};
    use crate::model::{Content, FailureKind, Structured};
    use crate::runner::{CallEnd, Rendered};
    use serde_json::{Value, json};

    fn returned(result: Value) -> Rendered {
        match end(serde_json::from_value(result).unwrap()) {
            CallEnd::Returned(rendered) => rendered,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_kind_of_block_is_kept() {
        let rendered = returned(json!({"content": [
            {"type": "text", "text": "a"},
            {"type": "image", "mimeType": "image/png", "data": "AAAA"},
            {"type": "audio", "mimeType": "audio/wav", "data": "BBBB"},
            {"type": "resource", "resource": {"uri": "file:///x", "mimeType": "text/csv", "text": "b"}},
            {"type": "resource", "resource": {"uri": "file:///y", "blob": "CCCC"}},
            {"type": "resource_link", "uri": "file:///z", "name": "z"},
        ]}));
        assert_eq!(rendered.text, "a\nb\nz: file:///z");
        assert_eq!(rendered.content.len(), 5);
        assert!(matches!(&rendered.content[3], Content::Resource { data: Some(data), .. } if data == "CCCC"));
        assert_eq!(rendered.structured, Structured::TextIsValue);
    }

    #[test]
    fn a_structured_value_is_exact() {
        let rendered = returned(json!({"content": [], "structuredContent": {"n": 123_456_789_012_345_678_901_f64}}));
        assert_eq!(rendered.structured, Structured::TextIsJson);
        let rendered = returned(json!({"content": [{"type": "text", "text": "one"}], "structuredContent": {"n": 1}}));
        assert_eq!(rendered.structured, Structured::Json("{\"n\":1}".to_owned()));
    }

    #[test]
    fn an_error_is_a_failure_in_the_servers_words() {
        let result = json!({"content": [{"type": "text", "text": "no such issue"}], "isError": true});
        let CallEnd::Failed(failure) = end(serde_json::from_value(result).unwrap()) else {
            panic!("no failure");
        };
        assert_eq!(
            (failure.kind, failure.message.as_str()),
            (FailureKind::Raised, "no such issue")
        );
    }

    #[test]
    fn an_unknown_block_costs_no_other() {
        let result = json!({"content": [{"type": "hologram"}, {"type": "text", "text": "b"}]});
        let CallEnd::Returned(rendered) = of_custom(&result) else {
            panic!("no value");
        };
        assert_eq!(rendered.text, "{\"type\":\"hologram\"}\nb");
    }
}
