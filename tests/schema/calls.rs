//! Calls in every shape in which a provider's model makes them.

use pegboard::{Call, Provider, UnreadableAnswer};
use serde_json::{Value, json};

fn seen(calls: &[Call]) -> Vec<(Option<&str>, &str, &str)> {
    calls
        .iter()
        .map(|call| (call.id.as_deref(), call.tool.as_str(), call.arguments.as_str()))
        .collect()
}

#[test]
fn chat_completions_are_read_at_every_level() {
    let first = json!({"id": "c1", "type": "function", "function": {"name": "add", "arguments": "{\"a\": 1}"}});
    let second = json!({"id": "c2", "type": "function", "function": {"name": "sub", "arguments": ""}});
    let message = json!({"role": "assistant", "content": null, "tool_calls": [first, second]});
    let response = json!({"id": "r", "object": "chat.completion", "choices": [{"index": 0, "message": message}, {"index": 1, "message": message}]});
    let expected = [(Some("c1"), "add", "{\"a\": 1}"), (Some("c2"), "sub", "")];
    for answer in [&response, &message, &message["tool_calls"], &json!([message])] {
        assert_eq!(seen(&Call::from_openai(answer).unwrap()), expected, "{answer}");
    }
    assert_eq!(seen(&Call::from_openai(&first).unwrap()), expected[..1]);
}

#[test]
fn responses_are_read_at_every_level() {
    let item = json!({"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "add", "arguments": "{\"a\":1}"});
    let output = json!([{"type": "reasoning", "summary": []}, item, {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "x"}]}]);
    let response = json!({"id": "resp_1", "object": "response", "output": output});
    for answer in [&response, &output, &item] {
        assert_eq!(
            seen(&Call::from_openai(answer).unwrap()),
            [(Some("c1"), "add", "{\"a\":1}")],
            "{answer}"
        );
    }
}

#[test]
fn anthropic_messages_are_read_at_every_level() {
    let block = json!({"type": "tool_use", "id": "toolu_1", "name": "add", "input": {"a": 1, "big": 1}});
    let message =
        json!({"role": "assistant", "type": "message", "content": [{"type": "text", "text": "let me see"}, block]});
    for answer in [&message, &message["content"], &block] {
        let calls = Call::from_anthropic(answer).unwrap();
        assert_eq!(
            seen(&calls),
            [(Some("toolu_1"), "add", "{\"a\":1,\"big\":1}")],
            "{answer}"
        );
    }
}

#[test]
fn gemini_contents_are_read_at_every_level() {
    let part = json!({"functionCall": {"name": "add", "args": {"a": 1}}, "thoughtSignature": "x"});
    let named = json!({"function_call": {"id": "g2", "name": "sub"}});
    let content = json!({"role": "model", "parts": [{"text": "let me see"}, part, named]});
    let response = json!({"candidates": [{"content": content, "finishReason": "STOP"}], "usageMetadata": {}});
    for answer in [&response, &content, &content["parts"]] {
        let calls = Call::from_gemini(answer).unwrap();
        assert_eq!(
            seen(&calls),
            [(None, "add", "{\"a\":1}"), (Some("g2"), "sub", "")],
            "{answer}"
        );
    }
    let call = json!({"id": "g3", "name": "add", "args": {"a": 1}});
    assert_eq!(
        seen(&Call::from_gemini(&json!([call])).unwrap()),
        [(Some("g3"), "add", "{\"a\":1}")]
    );
    let blocked = json!({"candidates": [{"finishReason": "SAFETY"}]});
    assert_eq!(seen(&Call::from_gemini(&blocked).unwrap()), []);
}

#[test]
fn bedrock_messages_are_read_at_every_level() {
    let block = json!({"toolUse": {"toolUseId": "t1", "name": "add", "input": {"a": 1}}});
    let message = json!({"role": "assistant", "content": [{"text": "let me see"}, block]});
    let response = json!({"output": {"message": message}, "stopReason": "tool_use"});
    for answer in [&response, &message, &message["content"], &block] {
        let calls = Call::from_bedrock(answer).unwrap();
        assert_eq!(seen(&calls), [(Some("t1"), "add", "{\"a\":1}")], "{answer}");
    }
}

#[test]
fn arguments_may_be_text_or_an_object() {
    for arguments in [json!("{\"x\":1}"), json!({"x": 1})] {
        let call = json!({"id": "c", "function": {"name": "f", "arguments": arguments}});
        assert_eq!(
            seen(&Call::from_openai(&call).unwrap()),
            [(Some("c"), "f", "{\"x\":1}")]
        );
    }
}

#[test]
fn large_integers_stay_exact() {
    let block: Value =
        serde_json::from_str(r#"{"type":"tool_use","id":"t","name":"f","input":{"n":123456789012345678901234567890}}"#)
            .unwrap();
    let calls = Call::from_anthropic(&block).unwrap();
    assert_eq!(calls[0].arguments.as_str(), r#"{"n":123456789012345678901234567890}"#);
}

#[test]
fn what_an_sdk_writes_out_as_null_is_not_there() {
    let part = json!({"functionCall": null, "text": "hello", "inlineData": null});
    assert_eq!(seen(&Call::from_gemini(&part).unwrap()), []);
    let message = json!({"role": "assistant", "content": "hello", "function_call": null, "tool_calls": null});
    assert_eq!(seen(&Call::from_openai(&message).unwrap()), []);
    let block = json!({"text": "hello", "toolUse": null});
    assert_eq!(seen(&Call::from_bedrock(&block).unwrap()), []);
    let blocked = json!({"candidates": null, "promptFeedback": {"blockReason": "SAFETY"}});
    assert_eq!(seen(&Call::from_gemini(&blocked).unwrap()), []);
}

#[test]
fn an_answer_without_calls_has_none() {
    let text = json!({"choices": [{"message": {"role": "assistant", "content": "hello", "tool_calls": null}}]});
    assert_eq!(seen(&Call::from_openai(&text).unwrap()), []);
    let text = json!({"role": "assistant", "content": "hello"});
    assert_eq!(seen(&Call::from_anthropic(&text).unwrap()), []);
}

#[test]
fn what_is_no_answer_is_told() {
    let error = Call::from_openai(&json!({"error": {"message": "x"}})).unwrap_err();
    assert_eq!(
        error,
        UnreadableAnswer {
            provider: Provider::OpenAi,
            reason: "there is no known key among \"error\"".to_owned()
        }
    );
    assert!(Call::from_gemini(&json!("text")).is_err());
    let error = Call::from_bedrock(&json!({"toolUse": {"input": {}}})).unwrap_err();
    assert_eq!(
        error.to_string(),
        "this is no answer from bedrock: a call in it has no name"
    );
}
