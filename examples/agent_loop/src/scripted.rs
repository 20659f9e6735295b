//! A model that answers from a script, in the shape of its provider and with the provider's checks.
//!
//! It stands where a provider's client would: the loop sends it what it would send to the provider.

use pegboard::{Call, Provider, UnreadableAnswer};
use serde_json::Value;
use std::collections::HashSet;
use std::error::Error;
use std::fs;
use std::vec::IntoIter;

/// Answers each request with the next answer of its script.
pub struct ScriptedModel {
    answers: IntoIter<Value>,
    read: fn(&Value) -> Result<Vec<Call>, UnreadableAnswer>,
    open_calls: HashSet<String>,
}

impl ScriptedModel {
    /// Reads the script of a provider.
    pub fn new(provider: Provider, folder: &str) -> Result<Self, Box<dyn Error>> {
        let script = fs::read_to_string(format!("{folder}/script/{provider}.json"))?;
        let answers: Vec<Value> = serde_json::from_str(&script)?;
        Ok(Self {
            answers: answers.into_iter(),
            read: match provider {
                Provider::OpenAi => Call::from_openai,
                _ => Call::from_anthropic,
            },
            open_calls: HashSet::new(),
        })
    }

    /// Answers a request; like a provider, it refuses one that leaves a call unanswered.
    pub fn create(&mut self, messages: &[Value], tools: &[Value]) -> Result<Value, Box<dyn Error>> {
        let answered: HashSet<String> = messages.iter().flat_map(answered_ids).collect();
        let missing: Vec<&String> = self.open_calls.difference(&answered).collect();
        if !missing.is_empty() {
            return Err(format!("400: these calls have no result: {missing:?}").into());
        }
        if tools.is_empty() {
            return Err("400: there are no tools to call".into());
        }
        let answer = self.answers.next().ok_or("the script is over")?;
        let calls = (self.read)(&answer)?;
        self.open_calls = calls.into_iter().filter_map(|call| call.id).collect();
        Ok(answer)
    }
}

/// The ids of the calls that a message answers.
fn answered_ids(message: &Value) -> Vec<String> {
    let blocks = message["content"].as_array().into_iter().flatten();
    let ids = blocks
        .map(|block| &block["tool_use_id"])
        .chain([&message["tool_call_id"]]);
    ids.filter_map(Value::as_str).map(str::to_owned).collect()
}
