//! Owns writing outcomes in the shape of a provider's next request.
//!
//! The text always goes along; pictures and other blocks do where the provider takes them in the answer to a call. Must
//! not cut or word anything: the outcome is as the model is meant to see it.

use crate::model::{Call, Content, Outcome, Structured};
use serde_json::{Map, Value, json};

/// Pictures that models read.
const IMAGES: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];
const PDF: &str = "application/pdf";

impl Outcome {
    /// The message of role `tool` for `OpenAI`'s Chat Completions.
    ///
    /// Such a message is text. Pictures go into [`to_openai_attachment`](Self::to_openai_attachment).
    #[must_use]
    pub fn to_openai_message(&self) -> Value {
        json!({"role": "tool", "tool_call_id": self.call_id, "content": self.whole_text(|_| true)})
    }

    /// The user message that shows the outcome's pictures in `OpenAI`'s Chat Completions, if there are any.
    ///
    /// It has to come after the messages of *all* calls that the model made at once.
    #[must_use]
    pub fn to_openai_attachment(&self) -> Option<Value> {
        let pictures: Vec<Value> = self
            .content
            .iter()
            .filter_map(|block| match block {
                Content::Image { mime_type, data } => {
                    Some(json!({"type": "image_url", "image_url": {"url": data_url(mime_type, data)}}))
                }
                _ => None,
            })
            .collect();
        if pictures.is_empty() {
            return None;
        }
        let mut content =
            vec![json!({"type": "text", "text": format!("What {} returned for {}:", self.tool, self.call_id)})];
        content.extend(pictures);
        Some(json!({"role": "user", "content": content}))
    }

    /// The input item for `OpenAI`'s Responses, pictures and files included.
    #[must_use]
    pub fn to_openai_item(&self) -> Value {
        let blocks: Vec<Value> = self.content.iter().filter_map(responses_block).collect();
        let text = self.whole_text(|block| responses_block(block).is_none());
        let output = if blocks.is_empty() {
            Value::String(text)
        } else {
            with_text(blocks, text, |text| json!({"type": "input_text", "text": text}))
        };
        json!({"type": "function_call_output", "call_id": self.call_id, "output": output})
    }

    /// The `tool_result` block for Anthropic's Messages, pictures and documents included.
    #[must_use]
    pub fn to_anthropic_block(&self) -> Value {
        let blocks: Vec<Value> = self.content.iter().filter_map(anthropic_block).collect();
        let text = self.whole_text(|block| anthropic_block(block).is_none());
        let mut result = json!({"type": "tool_result", "tool_use_id": self.call_id});
        if !blocks.is_empty() {
            result["content"] = with_text(blocks, text, |text| json!({"type": "text", "text": text}));
        } else if !text.trim().is_empty() {
            // A blank text is refused, and no content is not.
            result["content"] = text.into();
        }
        if self.failure.is_some() {
            result["is_error"] = true.into();
        }
        result
    }

    /// The `functionResponse` part for Gemini, which repeats the name and id of the call it answers.
    #[must_use]
    pub fn to_gemini_part(&self, call: &Call) -> Value {
        let blocks: Vec<Value> = self.content.iter().filter_map(gemini_block).collect();
        let text = self.whole_text(|block| gemini_block(block).is_none());
        let response = if self.failure.is_some() {
            json!({"error": text})
        } else {
            json!({"output": self.whole_value().unwrap_or(Value::String(text))})
        };
        let mut answer = Map::new();
        if let Some(id) = &call.id {
            answer.insert("id".to_owned(), id.as_str().into());
        }
        answer.insert("name".to_owned(), call.tool.as_str().into());
        answer.insert("response".to_owned(), response);
        if !blocks.is_empty() {
            answer.insert("parts".to_owned(), Value::Array(blocks));
        }
        json!({"functionResponse": answer})
    }

    /// The `toolResult` block for Bedrock's Converse, pictures and documents included.
    #[must_use]
    pub fn to_bedrock_block(&self) -> Value {
        let blocks: Vec<Value> = self.content.iter().filter_map(bedrock_block).collect();
        let text = self.whole_text(|block| bedrock_block(block).is_none());
        let content = if blocks.is_empty() && text.trim().is_empty() {
            // A blank text is refused, and so is no content.
            json!([{"json": {"output": text}}])
        } else {
            with_text(blocks, text, |text| json!({"text": text}))
        };
        let mut result = json!({"toolUseId": self.call_id, "content": content});
        // Only some vendors' models know `status`, so it is said where it says something.
        if self.failure.is_some() {
            result["status"] = "error".into();
        }
        json!({"toolResult": result})
    }

    /// The text, with the texts among the blocks and a word for every block that is left out and not yet named.
    fn whole_text(&self, is_left_out: impl Fn(&Content) -> bool) -> String {
        let mut text = self.text.clone();
        for block in &self.content {
            let line = match block {
                Content::Text { text } => text.clone(),
                block if is_left_out(block) && !self.text.contains(mime_type(block)) => {
                    format!("[{} that cannot be shown here]", mime_type(block))
                }
                _ => continue,
            };
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&line);
        }
        text
    }

    /// The value as JSON, if the text is that value and nothing was cut from it.
    fn whole_value(&self) -> Option<Value> {
        let is_whole = self.truncated.is_none() && self.offload.is_none();
        match self.structured {
            Structured::TextIsJson if is_whole => self.structured(),
            _ => None,
        }
    }
}

fn with_text(blocks: Vec<Value>, text: String, block: impl Fn(String) -> Value) -> Value {
    let mut content = Vec::with_capacity(blocks.len() + 1);
    if !text.trim().is_empty() {
        content.push(block(text));
    }
    content.extend(blocks);
    Value::Array(content)
}

fn mime_type(block: &Content) -> &str {
    match block {
        Content::Image { mime_type, .. } | Content::Audio { mime_type, .. } | Content::Resource { mime_type, .. } => {
            mime_type
        }
        Content::Text { .. } => "text/plain",
    }
}

fn data_url(mime_type: &str, data: &str) -> String {
    format!("data:{mime_type};base64,{data}")
}

/// API reference, `FunctionCallOutput.output`: `input_text`, `input_image` and `input_file`.
fn responses_block(block: &Content) -> Option<Value> {
    match block {
        Content::Image { mime_type, data } => {
            Some(json!({"type": "input_image", "image_url": data_url(mime_type, data)}))
        }
        Content::Resource {
            mime_type,
            data: Some(data),
            ..
        } if mime_type == PDF => {
            Some(json!({"type": "input_file", "filename": "document.pdf", "file_data": data_url(mime_type, data)}))
        }
        _ => None,
    }
}

/// API reference, `ToolResultBlockParam.content`: `text`, `image` and `document`.
fn anthropic_block(block: &Content) -> Option<Value> {
    let source = |mime_type: &str, data: &str| json!({"type": "base64", "media_type": mime_type, "data": data});
    match block {
        Content::Image { mime_type, data } if IMAGES.contains(&mime_type.as_str()) => {
            Some(json!({"type": "image", "source": source(mime_type, data)}))
        }
        Content::Resource {
            mime_type,
            data: Some(data),
            ..
        } if mime_type == PDF => Some(json!({"type": "document", "source": source(mime_type, data)})),
        _ => None,
    }
}

/// API reference, `FunctionResponsePart`: media as `inlineData`.
fn gemini_block(block: &Content) -> Option<Value> {
    match block {
        Content::Image { mime_type, data }
        | Content::Audio { mime_type, data }
        | Content::Resource {
            mime_type,
            data: Some(data),
            ..
        } => Some(json!({"inlineData": {"mimeType": mime_type, "data": data}})),
        _ => None,
    }
}

/// API reference, `ToolResultContentBlock`: `image` with one of four formats, `document` with a name.
fn bedrock_block(block: &Content) -> Option<Value> {
    match block {
        Content::Image { mime_type, data } if IMAGES.contains(&mime_type.as_str()) => {
            let format = mime_type.trim_start_matches("image/");
            Some(json!({"image": {"format": format, "source": {"bytes": data}}}))
        }
        Content::Resource {
            mime_type,
            data: Some(data),
            ..
        } if mime_type == PDF => {
            Some(json!({"document": {"format": "pdf", "name": "document", "source": {"bytes": data}}}))
        }
        _ => None,
    }
}
