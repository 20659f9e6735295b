//! Measures what many calls cost beside their time: memory, and how long an async tool waits beside tools that compute.
//!
//! `cargo bench --bench strain`. Each figure comes from a process of its own, which this one starts; it prints ratios
//! against baselines of the same run, with targets and verdicts.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench speaks to the terminal and may stop"
)]

use pegboard::{Call, Host};
use pyo3::prelude::*;
use std::ffi::CString;
use std::process::Command;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

const SMALL: &str = r#"{"a": 1, "b": "hello"}"#;
const SLEEPERS: usize = 10_000;
const COMPUTING: usize = 4;
const SECONDS: f64 = 5.0;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    match words.first().map(String::as_str) {
        // Asked for by `cargo test --benches`, which only wants to know that it builds.
        Some("--test") => {}
        Some("million") => million(),
        Some("sleepers") => sleepers(),
        Some("gather") => gather(),
        Some("wait") => wait(),
        Some("wait-plain") => wait_plain(),
        _ => compare(),
    }
}

/// The last word that a process of this bench prints when it is asked for a figure.
fn asked(figure: &str) -> f64 {
    let output = Command::new(std::env::current_exe().unwrap())
        .arg(figure)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.split_whitespace().last().unwrap().parse().unwrap()
}

fn median(figure: &str) -> f64 {
    let mut figures: Vec<f64> = (0..3).map(|_| asked(figure)).collect();
    figures.sort_by(f64::total_cmp);
    figures[1]
}

fn verdict(reached: bool) -> &'static str {
    if reached { "reached" } else { "missed" }
}

fn compare() {
    let grown = asked("million");
    println!(
        "memory after 1,000,000 calls: {:+.2} % of that after 100,000  target 2.00 % either way: {}",
        (grown - 1.0) * 100.0,
        verdict((grown - 1.0).abs() <= 0.02)
    );
    let (ours, plain) = (median("sleepers"), median("gather"));
    println!(
        "memory of {SLEEPERS} sleeping calls: {ours:.1} MB, {:.2} × asyncio.gather of the coroutines ({plain:.1} MB)  target 2.00: {}",
        ours / plain,
        verdict(ours / plain <= 2.0)
    );
    let (ours, plain) = (median("wait"), median("wait-plain"));
    println!(
        "p99 of an async no-op beside {COMPUTING} tools that compute: {ours:.2} ms, {:.2} × plain threads and loop ({plain:.2} ms)  target 0.30: {}",
        ours / plain,
        verdict(ours / plain <= 0.3)
    );
}

fn host() -> (Runtime, Host) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let builder = Host::builder().source(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bench/tools"));
    let host = runtime
        .block_on(builder.timeout(None).working_directory(std::env::temp_dir()).build())
        .unwrap();
    (runtime, host)
}

/// The memory of this process that is not swapped out or shared, in megabytes.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("RssAnon")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap() / 1024.0
}

fn million() {
    let (_runtime, host) = host();
    let call = || drop(host.call_blocking(Call::new("small", SMALL)).unwrap());
    (0..100_000).for_each(|_| call());
    let before = resident();
    (0..900_000).for_each(|_| call());
    println!("{}", resident() / before);
}

fn sleepers() {
    let (runtime, host) = host();
    runtime.block_on(async {
        host.call(Call::new("noop", "{}")).await.unwrap();
        let before = resident();
        let calls: Vec<_> = (0..SLEEPERS)
            .map(|_| {
                let host = host.clone();
                tokio::spawn(async move { host.call(Call::new("long_nap", "{}")).await })
            })
            .collect();
        tokio::time::sleep(Duration::from_secs(1)).await;
        println!("{}", resident() - before);
        for call in calls {
            call.await.unwrap().unwrap();
        }
    });
}

/// Runs a function of the baseline with a plain copy of the tools, in an interpreter like the host's.
fn plain(function: &str, arguments: impl for<'py> pyo3::call::PyCallArgs<'py>) -> f64 {
    let (_runtime, _host) = host();
    let tools = include_str!("tools/measured.py").replace(
        "from pegboard import tool\n",
        "def tool(f=None, **_): return f or (lambda f: f)\n",
    );
    let source = format!("{tools}\n{}", include_str!("strain.py"));
    Python::attach(|py| {
        let module = PyModule::from_code(py, &CString::new(source).unwrap(), c"plain.py", c"plain").unwrap();
        py.import("sys")
            .unwrap()
            .getattr("modules")
            .unwrap()
            .set_item("plain", &module)
            .unwrap();
        module
            .getattr(function)
            .unwrap()
            .call1(arguments)
            .unwrap()
            .extract()
            .unwrap()
    })
}

fn gather() {
    println!("{}", plain("sleeping_megabytes", (SLEEPERS,)));
}

fn wait() {
    let (runtime, host) = host();
    let mut waits = runtime.block_on(async {
        let arguments = format!(r#"{{"seconds":{SECONDS}}}"#);
        let computing: Vec<_> = (0..COMPUTING)
            .map(|_| {
                let (host, arguments) = (host.clone(), arguments.clone());
                tokio::spawn(async move { host.call(Call::new("compute", arguments)).await })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(500)).await;
        let started = Instant::now();
        let mut waits = Vec::new();
        while started.elapsed().as_secs_f64() < SECONDS - 1.0 {
            let asked = Instant::now();
            host.call(Call::new("noop", "{}")).await.unwrap();
            waits.push(asked.elapsed().as_secs_f64() * 1e3);
        }
        for tool in computing {
            tool.await.unwrap().unwrap();
        }
        waits
    });
    waits.sort_by(f64::total_cmp);
    println!("{}", waits[waits.len() * 99 / 100]);
}

fn wait_plain() {
    println!("{}", plain("waiting_milliseconds", (COMPUTING, SECONDS)));
}
