//! Loads an HTTP server with calls of one tool, and writes how that went as JSON.
//!
//! `http_load ADDRESS PATH PROTOCOL TOOL ARGUMENTS EXPECTED CALLS CONNECTIONS`, where PROTOCOL is `mcp`,
//! `mcp-stateless` or `json`. Each
//! connection is kept open, sends one call after the other, and looks for EXPECTED in each answer. It knows just enough
//! of HTTP to be faster than any server that it loads.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench speaks to the terminal and may stop"
)]

mod answer;
mod session;

use session::{Protocol, Session, Target};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [address, path, protocol, tool, arguments, expected, calls, connections] = &words[..] else {
        panic!("ADDRESS PATH PROTOCOL TOOL ARGUMENTS EXPECTED CALLS CONNECTIONS");
    };
    let target = Target {
        address: address.clone(),
        path: path.clone(),
        protocol: match protocol.as_str() {
            "mcp" => Protocol::Mcp,
            "mcp-stateless" => Protocol::McpStateless,
            _ => Protocol::Json,
        },
        tool: tool.clone(),
        arguments: arguments.clone(),
        expected: expected.clone(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let (calls, connections) = (calls.parse().unwrap(), connections.parse().unwrap());
    println!("{}", runtime.block_on(load(Arc::new(target), calls, connections)));
}

/// Makes the calls, and tells how long they took.
async fn load(target: Arc<Target>, calls: usize, connections: usize) -> String {
    let mut sessions = Vec::new();
    for _ in 0..connections {
        sessions.push(Session::open(Arc::clone(&target)).await);
    }
    let left = Arc::new(AtomicUsize::new(calls));
    let started = Instant::now();
    let mut tasks = JoinSet::new();
    for session in sessions {
        tasks.spawn(one_after_the_other(session, Arc::clone(&left)));
    }
    let (mut times, mut errors) = (Vec::with_capacity(calls), Vec::new());
    while let Some(done) = tasks.join_next().await {
        let (of_session, failed) = done.unwrap();
        times.extend(of_session);
        errors.extend(failed);
    }
    let seconds = started.elapsed().as_secs_f64();
    times.sort_unstable();
    let at = |share: usize| {
        let place = (times.len() * share / 100).min(times.len().saturating_sub(1));
        times.get(place).map_or(0.0, Duration::as_secs_f64)
    };
    serde_json::json!({
        "calls": times.len(), "seconds": seconds, "p50": at(50), "p99": at(99),
        "errors": errors.len(), "first_error": errors.first(),
    })
    .to_string()
}

async fn one_after_the_other(mut session: Session, left: Arc<AtomicUsize>) -> (Vec<Duration>, Vec<String>) {
    let (mut times, mut errors) = (Vec::new(), Vec::new());
    while left
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
        .is_ok()
    {
        let started = Instant::now();
        match session.call().await {
            Ok(()) => times.push(started.elapsed()),
            Err(error) => {
                errors.push(error);
                // The connection may be of no use any longer.
                session = session.renewed().await;
            }
        }
    }
    (times, errors)
}
