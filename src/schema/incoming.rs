//! Owns reading calls from what a provider's model answered.
//!
//! A whole response, a message, one item or a list of them: whatever an application has at hand. Names stay as the model
//! wrote them, because the answer to a call has to repeat them; the host knows tools by those names too. Must not judge
//! arguments: they stay text.

use crate::model::{Arguments, Call, Provider, UnreadableAnswer};
use serde_json::{Map, Value};

type Read = Result<Vec<Call>, UnreadableAnswer>;

impl Call {
    /// The calls in an answer from `OpenAI`: a response of Chat Completions or of Responses, a message, one call or
    /// output item, or a list of them. Of several choices the first counts.
    ///
    /// # Errors
    ///
    /// Where the value is none of these, or a call in it has no name.
    pub fn from_openai(answer: &Value) -> Read {
        read(Provider::OpenAi, answer, openai)
    }

    /// The calls in an answer from Anthropic: a message, one content block, or a list of them.
    ///
    /// # Errors
    ///
    /// Where the value is none of these, or a call in it has no name.
    pub fn from_anthropic(answer: &Value) -> Read {
        read(Provider::Anthropic, answer, anthropic)
    }

    /// The calls in an answer from Gemini: a response, a content, one part or call, or a list of them. Of several candidates the
    /// first counts.
    ///
    /// # Errors
    ///
    /// Where the value is none of these, or a call in it has no name.
    pub fn from_gemini(answer: &Value) -> Read {
        read(Provider::Gemini, answer, gemini)
    }

    /// The calls in an answer from Bedrock's Converse: a response, a message, one content block, or a list of them.
    ///
    /// # Errors
    ///
    /// Where the value is none of these, or a call in it has no name.
    pub fn from_bedrock(answer: &Value) -> Read {
        read(Provider::Bedrock, answer, bedrock)
    }
}

/// What one object of an answer is.
enum Item<'a> {
    /// It holds these.
    Holds(Vec<&'a Value>),
    /// A call: its id, its name and its arguments.
    Call(Option<&'a Value>, Option<&'a Value>, Option<&'a Value>),
    /// Something else that such answers have.
    Other,
    /// Nothing that such answers have.
    Unknown,
}

type Object = Map<String, Value>;

fn read(provider: Provider, answer: &Value, item: for<'a> fn(&'a Object) -> Item<'a>) -> Read {
    let mut calls = Vec::new();
    let mut waiting = vec![answer];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(items) => waiting.extend(items.iter().rev()),
            Value::Object(object) => match item(object) {
                Item::Holds(items) => waiting.extend(items.into_iter().rev()),
                Item::Call(id, name, arguments) => calls.push(call(provider, id, name, arguments)?),
                Item::Other => {}
                Item::Unknown => {
                    let known = object.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
                    return Err(unreadable(provider, format!("there is no known key among {known:?}")));
                }
            },
            // A message without calls has its text here.
            Value::String(_) | Value::Null if !std::ptr::eq(value, answer) => {}
            _ => return Err(unreadable(provider, "it is neither an object nor a list".to_owned())),
        }
    }
    Ok(calls)
}

fn call(
    provider: Provider,
    id: Option<&Value>,
    name: Option<&Value>,
    arguments: Option<&Value>,
) -> Result<Call, UnreadableAnswer> {
    let Some(name) = name.and_then(Value::as_str) else {
        return Err(unreadable(provider, "a call in it has no name".to_owned()));
    };
    let arguments = match arguments {
        Some(Value::String(text)) => Arguments::from(text.as_str()),
        Some(value) => Arguments::from(value),
        None => Arguments::from(""),
    };
    let call = Call::new(name, arguments);
    Ok(match id.and_then(Value::as_str) {
        Some(id) => call.with_id(id),
        None => call,
    })
}

const fn unreadable(provider: Provider, reason: String) -> UnreadableAnswer {
    UnreadableAnswer { provider, reason }
}

fn openai(object: &Object) -> Item<'_> {
    if let Some(choices) = given(object, "choices") {
        return Item::Holds(
            choices
                .as_array()
                .and_then(|choices| choices.first())
                .into_iter()
                .collect(),
        );
    }
    if let Some(function) = given(object, "function") {
        return Item::Call(object.get("id"), function.get("name"), function.get("arguments"));
    }
    if object.get("type").is_some_and(|kind| kind == "function_call") {
        return Item::Call(object.get("call_id"), object.get("name"), object.get("arguments"));
    }
    if let Some(function) = given(object, "function_call") {
        return Item::Call(None, function.get("name"), function.get("arguments"));
    }
    held(
        object,
        &["message", "tool_calls", "output"],
        &["role", "type", "content"],
    )
}

fn anthropic(object: &Object) -> Item<'_> {
    if object.get("type").is_some_and(|kind| kind == "tool_use") {
        return Item::Call(object.get("id"), object.get("name"), object.get("input"));
    }
    held(object, &["content"], &["role", "type"])
}

fn gemini(object: &Object) -> Item<'_> {
    if let Some(candidates) = given(object, "candidates") {
        return Item::Holds(
            candidates
                .as_array()
                .and_then(|candidates| candidates.first())
                .into_iter()
                .collect(),
        );
    }
    if let Some(call) = given(object, "functionCall").or_else(|| given(object, "function_call")) {
        return Item::Call(call.get("id"), call.get("name"), call.get("args"));
    }
    // The call itself, as the SDK hands calls out.
    if object.contains_key("args") && given(object, "name").is_some() {
        return Item::Call(object.get("id"), object.get("name"), object.get("args"));
    }
    held(
        object,
        &["content", "parts"],
        &[
            "role",
            "text",
            "finishReason",
            "inlineData",
            "promptFeedback",
            "thought",
        ],
    )
}

fn bedrock(object: &Object) -> Item<'_> {
    if let Some(call) = given(object, "toolUse") {
        return Item::Call(call.get("toolUseId"), call.get("name"), call.get("input"));
    }
    held(
        object,
        &["output", "message", "content"],
        &["role", "text", "reasoningContent", "stopReason", "image", "toolResult"],
    )
}

/// What stands under a key, unless it is null: objects of an SDK write out what is not there.
fn given<'a>(object: &'a Object, key: &str) -> Option<&'a Value> {
    object.get(key).filter(|value| !value.is_null())
}

/// What an object holds under the first of these keys that it has.
fn held<'a>(object: &'a Object, holders: &[&str], others: &[&str]) -> Item<'a> {
    if let Some(held) = holders.iter().find_map(|key| given(object, key)) {
        Item::Holds(vec![held])
    } else if holders.iter().chain(others).any(|key| object.contains_key(*key)) {
        Item::Other
    } else {
        Item::Unknown
    }
}
