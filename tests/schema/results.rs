//! Outcomes in the shape of every provider's next request.

use pegboard::{Call, Content, Failure, FailureKind, Outcome, Structured, Truncation};
use serde_json::json;
use std::time::Duration;

fn outcome(text: &str) -> Outcome {
    Outcome {
        call_id: "c1".to_owned(),
        tool: "shot.take".to_owned(),
        text: text.to_owned(),
        content: Vec::new(),
        structured: Structured::TextIsValue,
        whole: None,
        failure: None,
        stop: false,
        repairs: Vec::new(),
        logs: Vec::new(),
        truncated: None,
        offload: None,
        duration: Duration::ZERO,
    }
}

fn call() -> Call {
    Call::new("shot_take", "{}")
}

fn picture() -> Outcome {
    Outcome {
        content: vec![Content::Image {
            mime_type: "image/png".to_owned(),
            data: "iVBOR/8=".to_owned(),
        }],
        structured: Structured::Absent,
        ..outcome("[image/png, 5 bytes]")
    }
}

#[test]
fn text_is_text_everywhere() {
    let outcome = outcome("日本");
    assert_eq!(
        outcome.to_openai_message(),
        json!({"role": "tool", "tool_call_id": "c1", "content": "日本"})
    );
    assert_eq!(outcome.to_openai_attachment(), None);
    assert_eq!(
        outcome.to_openai_item(),
        json!({"type": "function_call_output", "call_id": "c1", "output": "日本"})
    );
    assert_eq!(
        outcome.to_anthropic_block(),
        json!({"type": "tool_result", "tool_use_id": "c1", "content": "日本"})
    );
    assert_eq!(
        outcome.to_gemini_part(&call()),
        json!({"functionResponse": {"name": "shot_take", "response": {"output": "日本"}}})
    );
    assert_eq!(
        outcome.to_bedrock_block(),
        json!({"toolResult": {"toolUseId": "c1", "content": [{"text": "日本"}]}})
    );
}

#[test]
fn a_failure_is_marked_where_there_is_a_mark() {
    let mut failed = outcome("{\"error\":{}}");
    failed.failure = Some(Box::new(Failure::new(FailureKind::Raised, "no")));
    failed.structured = Structured::Absent;
    assert_eq!(failed.to_openai_message()["content"], "{\"error\":{}}");
    assert_eq!(failed.to_anthropic_block()["is_error"], true);
    assert_eq!(failed.to_bedrock_block()["toolResult"]["status"], "error");
    assert_eq!(
        failed.to_gemini_part(&call())["functionResponse"]["response"],
        json!({"error": "{\"error\":{}}"})
    );
}

#[test]
fn pictures_go_where_they_are_taken() {
    let outcome = picture();
    assert_eq!(outcome.to_openai_message()["content"], "[image/png, 5 bytes]");
    assert_eq!(
        outcome.to_openai_attachment().unwrap()["content"][1],
        json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBOR/8="}})
    );
    assert_eq!(
        outcome.to_openai_item()["output"],
        json!([
            {"type": "input_text", "text": "[image/png, 5 bytes]"},
            {"type": "input_image", "image_url": "data:image/png;base64,iVBOR/8="},
        ])
    );
    assert_eq!(
        outcome.to_anthropic_block()["content"],
        json!([
            {"type": "text", "text": "[image/png, 5 bytes]"},
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBOR/8="}},
        ])
    );
    assert_eq!(
        outcome.to_gemini_part(&call())["functionResponse"]["parts"],
        json!([{"inlineData": {"mimeType": "image/png", "data": "iVBOR/8="}}])
    );
    assert_eq!(
        outcome.to_bedrock_block()["toolResult"]["content"],
        json!([{"text": "[image/png, 5 bytes]"}, {"image": {"format": "png", "source": {"bytes": "iVBOR/8="}}}])
    );
}

#[test]
fn blocks_that_are_not_taken_are_named() {
    let mut outcome = outcome("done");
    outcome.content = vec![
        Content::Audio {
            mime_type: "audio/wav".to_owned(),
            data: "AAAA".to_owned(),
        },
        Content::Text {
            text: "more".to_owned(),
        },
    ];
    let text = "done\n[audio/wav that cannot be shown here]\nmore";
    assert_eq!(outcome.to_openai_message()["content"], text);
    assert_eq!(outcome.to_anthropic_block()["content"], text);
    assert_eq!(
        outcome.to_bedrock_block()["toolResult"]["content"],
        json!([{"text": text}])
    );
    let part = outcome.to_gemini_part(&call());
    assert_eq!(part["functionResponse"]["response"]["output"], "done\nmore");
    assert_eq!(
        part["functionResponse"]["parts"][0]["inlineData"]["mimeType"],
        "audio/wav"
    );
}

#[test]
fn documents_go_where_they_are_taken() {
    let mut outcome = outcome("[application/pdf, 3 bytes]");
    outcome.content = vec![Content::Resource {
        mime_type: "application/pdf".to_owned(),
        uri: None,
        data: Some("UERG".to_owned()),
    }];
    assert_eq!(
        outcome.to_openai_item()["output"][1]["file_data"],
        "data:application/pdf;base64,UERG"
    );
    assert_eq!(outcome.to_anthropic_block()["content"][1]["type"], "document");
    assert_eq!(
        outcome.to_bedrock_block()["toolResult"]["content"][1]["document"]["format"],
        "pdf"
    );
}

#[test]
fn gemini_gets_the_value_unless_it_was_cut() {
    let mut outcome = outcome("{\"rows\":[1,2]}");
    outcome.structured = Structured::TextIsJson;
    let named = call().with_id("g7");
    assert_eq!(
        outcome.to_gemini_part(&named),
        json!({"functionResponse": {"id": "g7", "name": "shot_take", "response": {"output": {"rows": [1, 2]}}}})
    );
    outcome.truncated = Some(Truncation {
        characters: 99,
        kept: 14,
    });
    assert_eq!(
        outcome.to_gemini_part(&call())["functionResponse"]["response"]["output"],
        "{\"rows\":[1,2]}"
    );
}

#[test]
fn an_empty_text_is_no_empty_block() {
    let outcome = outcome("");
    assert_eq!(
        outcome.to_anthropic_block(),
        json!({"type": "tool_result", "tool_use_id": "c1"})
    );
    assert_eq!(
        outcome.to_bedrock_block()["toolResult"]["content"],
        json!([{"json": {"output": ""}}])
    );
    let mut bare = picture();
    bare.text = String::new();
    assert_eq!(bare.to_anthropic_block()["content"].as_array().unwrap().len(), 1);
}
