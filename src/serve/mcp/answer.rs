//! Owns what an outcome is in the protocol: content, structured content, errors that a model can read.
//!
//! What is sent fits what was published (specification 2025-11-25, "Output Schema"): a value that does not is an error
//! with the place, since clients drop an answer that fails their own check.

use super::listing::Output;
use crate::error::Error;
use crate::model::{Content, Outcome};
use rmcp::model::{CallToolResult, ContentBlock, Resource, ResourceContents};
use serde_json::json;

/// The result of a call.
pub fn of(outcome: &Outcome, output: Option<&Output>) -> CallToolResult {
    if outcome.failure.is_some() {
        return CallToolResult::error(blocks(outcome));
    }
    let Some(output) = output else {
        return CallToolResult::success(blocks(outcome));
    };
    // Programs read this, and hold it against the schema: it stays whole where a model gets both ends and a path.
    let whole = outcome
        .whole
        .as_deref()
        .and_then(|whole| serde_json::from_str(whole).ok());
    let Some(value) = whole.or_else(|| outcome.structured()) else {
        // Such as pictures beside a text: there is nothing that a schema could be about.
        return misfit("the value has no form in JSON, which the tool's output schema asks for");
    };
    let value = if output.is_wrapped {
        json!({"result": value})
    } else {
        value
    };
    if let Some(error) = output.validator.iter_errors(&value).next() {
        let place = error.instance_path().to_string();
        return misfit(&format!(
            "the value does not fit the tool's output schema at {place:?}: {error}"
        ));
    }
    let mut result = CallToolResult::success(blocks(outcome));
    result.structured_content = Some(value);
    result
}

/// The result of a call of a tool that there is no longer, although the client was told of it.
pub fn removed<'a>(name: &str, error: &Error, names: impl Iterator<Item = &'a str>) -> CallToolResult {
    let gone = match error {
        Error::ToolNotLoaded { .. } => error.to_string(),
        _ => format!("there is no longer a tool named {name:?}"),
    };
    let names: Vec<&str> = names.collect();
    let text = if names.is_empty() {
        format!("{gone}; there are no tools now")
    } else {
        format!("{gone}; the tools now are: {}", names.join(", "))
    };
    CallToolResult::error(vec![ContentBlock::text(text)])
}

fn misfit(reason: &str) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(reason)])
}

/// The text and what stands beside it; never nothing, which some clients refuse.
fn blocks(outcome: &Outcome) -> Vec<ContentBlock> {
    let mut blocks: Vec<ContentBlock> = outcome.content.iter().map(block).collect();
    let is_said = !blocks.is_empty() && outcome.text.is_empty();
    if !is_said {
        blocks.insert(0, ContentBlock::text(outcome.text.clone()));
    }
    blocks
}

fn block(content: &Content) -> ContentBlock {
    match content {
        Content::Text { text } => ContentBlock::text(text.clone()),
        Content::Image { mime_type, data } => ContentBlock::image(data.clone(), mime_type.clone()),
        Content::Audio { mime_type, data } => ContentBlock::audio(data.clone(), mime_type.clone()),
        Content::Resource {
            mime_type,
            uri,
            data: Some(data),
        } => {
            let uri = uri.clone().unwrap_or_else(|| format!("data:{mime_type}"));
            let contents = ResourceContents::blob(data.clone(), uri).with_mime_type(mime_type.clone());
            ContentBlock::resource(contents)
        }
        Content::Resource {
            mime_type,
            uri,
            data: None,
        } => {
            let uri = uri.clone().unwrap_or_default();
            let mut resource = Resource::new(uri.clone(), uri);
            resource.mime_type = Some(mime_type.clone());
            ContentBlock::resource_link(resource)
        }
    }
}
