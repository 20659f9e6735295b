//! Lets a model use the tools of `tools/` until it has an answer, for two providers.
//!
//! The model is a scripted one, so that the example runs anywhere; a client of the provider takes its place.

mod scripted;

use pegboard::{Call, Error, ExportOptions, Host, Outcome, Provider, RunResult};
use scripted::ScriptedModel;
use serde_json::{Value, json};

const FOLDER: &str = env!("CARGO_MANIFEST_DIR");
const QUESTION: &str = "Which is warmer, Oslo or Bergen? Book three seats in the train there.";

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

#[tokio::main]
async fn main() -> Result<()> {
    for provider in [Provider::OpenAi, Provider::Anthropic] {
        let host = Host::builder().source(format!("{FOLDER}/tools")).build().await?;
        let mut model = ScriptedModel::new(provider, FOLDER)?;
        println!("{provider}");
        let answer = match provider {
            Provider::OpenAi => ask_openai(&host, &mut model).await?,
            _ => ask_anthropic(&host, &mut model).await?,
        };
        println!("  {answer}");
        host.close().await;
    }
    Ok(())
}

/// Asks a model of `OpenAI`'s Chat Completions.
async fn ask_openai(host: &Host, model: &mut ScriptedModel) -> Result<String> {
    let tools = host.export(Provider::OpenAi, &ExportOptions::default())?.tools;
    let mut messages = vec![json!({"role": "user", "content": QUESTION})];
    let run = host.run();
    loop {
        let answer = model.create(&messages, &tools)?;
        let message = &answer["choices"][0]["message"];
        messages.push(message.clone());
        let calls = Call::from_openai(&answer)?;
        if calls.is_empty() {
            return Ok(text(&message["content"]));
        }
        let results = run.call_all(calls.clone()).await;
        for (call, result) in calls.iter().zip(results) {
            messages.push(match result {
                Err(unknown @ Error::UnknownTool { .. }) => {
                    json!({"role": "tool", "tool_call_id": call.id, "content": unknown.to_string()})
                }
                result => ran(call, result)?.to_openai_message(),
            });
        }
    }
}

/// Asks a model of Anthropic's Messages.
async fn ask_anthropic(host: &Host, model: &mut ScriptedModel) -> Result<String> {
    let tools = host.export(Provider::Anthropic, &ExportOptions::default())?.tools;
    let mut messages = vec![json!({"role": "user", "content": QUESTION})];
    let run = host.run();
    loop {
        let answer = model.create(&messages, &tools)?;
        messages.push(json!({"role": "assistant", "content": answer["content"]}));
        let calls = Call::from_anthropic(&answer)?;
        if calls.is_empty() {
            return Ok(text(&answer["content"][0]["text"]));
        }
        // The results of one answer are one message.
        let mut blocks = Vec::new();
        let results = run.call_all(calls.clone()).await;
        for (call, result) in calls.iter().zip(results) {
            blocks.push(match result {
                Err(unknown @ Error::UnknownTool { .. }) => json!({
                    "type": "tool_result", "tool_use_id": call.id, "content": unknown.to_string(), "is_error": true,
                }),
                result => ran(call, result)?.to_anthropic_block(),
            });
        }
        messages.push(json!({"role": "user", "content": blocks}));
    }
}

/// Prints what a call came to. A tool that fails is an outcome, too: the model reads why.
fn ran(call: &Call, result: pegboard::Result<RunResult>) -> Result<Outcome> {
    // An error is what its author wants to end the turn.
    let RunResult::Done(outcome) = result? else {
        return Err("no tool here is left to the application".into());
    };
    let mark = if outcome.is_success() { "" } else { "failed: " };
    println!(
        "  {} {} -> {mark}{}",
        call.tool,
        call.arguments.as_str(),
        outcome.text()
    );
    Ok(outcome)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
