//! Holds a host to its promises for a long time: tools of every kind, faults, time limits and callers who give up.
//!
//! `cargo bench --bench soak [-- SECONDS]`, 600 if nothing is said. At the end every call was answered exactly once under
//! its own id or given up by its caller, no tool ran twice for one call, and neither threads nor memory have grown.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench speaks to the terminal and may stop"
)]

use pegboard::{Call, Error, Host};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const TASKS: u64 = 48;
const THREADS: u64 = 6;
const TOOLS: [&str; 15] = [
    "sync_noted",
    "async_noted",
    "turn_noted",
    "sync_noted",
    "async_noted",
    "fails",
    "fails_in_a_group",
    "leaves",
    "leaves_later",
    "naps",
    "writes",
    "returns_what_json_lacks",
    "sleeps_on_the_loop",
    "computes_for_ever",
    "sleeps_in_c",
];

/// What became of the calls.
#[derive(Default)]
struct Ledger {
    asked: AtomicU64,
    answered: AtomicU64,
    given_up: AtomicU64,
    ends: Mutex<BTreeMap<String, u64>>,
    wrong: Mutex<Vec<String>>,
}

impl Ledger {
    fn ask(&self) -> String {
        format!("soak-{}", self.asked.fetch_add(1, Ordering::Relaxed))
    }

    fn take(&self, id: &str, tool: &str, answer: Result<pegboard::Outcome, Error>) {
        self.answered.fetch_add(1, Ordering::Relaxed);
        let end = match answer {
            Ok(outcome) => {
                let named = outcome.call_id == id && outcome.tool == tool;
                let said = !tool.ends_with("noted") || !outcome.is_success() || outcome.text() == id;
                if !named || !said {
                    self.wrong.lock().unwrap().push(format!("{id} {tool}: {outcome:?}"));
                }
                outcome
                    .failure
                    .map_or_else(|| "value".to_owned(), |failure| failure.kind.as_str().to_owned())
            }
            Err(error) => error.code().to_owned(),
        };
        *self.ends.lock().unwrap().entry(format!("{tool}: {end}")).or_default() += 1;
    }
}

/// A number that depends on two others in no visible way.
fn mixed(task: u64, turn: u64) -> u64 {
    let mut number = (task << 32 | turn).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    number ^= number >> 29;
    number.wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 33
}

fn chosen(task: u64, turn: u64) -> (&'static str, bool) {
    let number = mixed(task, turn);
    let count = u64::try_from(TOOLS.len()).unwrap();
    // The tools that hold threads come up less often than a fair share.
    let tool = TOOLS[usize::try_from(number % count).unwrap()];
    let rare = matches!(tool, "computes_for_ever" | "sleeps_in_c") && !(number / 16).is_multiple_of(8);
    (if rare { "sync_noted" } else { tool }, (number / 256).is_multiple_of(8))
}

fn status(name: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if words.iter().any(|word| word == "--test") {
        return;
    }
    let seconds = words.first().map_or(600, |word| word.parse().unwrap());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let builder = Host::builder().source(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bench/faults"));
    let host = runtime.block_on(builder.build()).unwrap();
    let ledger = Arc::new(Ledger::default());
    soak(&runtime, &host, &ledger, Duration::from_secs(5));
    let (threads, memory) = (status("Threads"), status("RssAnon"));
    soak(&runtime, &host, &ledger, Duration::from_secs(seconds));
    // What was left behind in C code ends after half a second.
    std::thread::sleep(Duration::from_secs(2));
    let (threads_after, memory_after) = (status("Threads"), status("RssAnon"));
    let twice = host.call_blocking(Call::new("ran_more_than_once", "{}")).unwrap();
    for (end, count) in ledger.ends.lock().unwrap().iter() {
        println!("{end:44} {count:9}");
    }
    let count = |number: &AtomicU64| number.load(Ordering::Relaxed);
    let (asked, answered, given_up) = (count(&ledger.asked), count(&ledger.answered), count(&ledger.given_up));
    let wrong = ledger.wrong.lock().unwrap();
    let closed = runtime.block_on(host.close());
    println!(
        "asked {asked}, answered {answered}, given up {given_up}, threads {threads} -> {threads_after}, memory {memory} -> {memory_after} kB"
    );
    verdict("every call was answered once or given up", asked == answered + given_up);
    verdict("every answer was that of its call", wrong.is_empty());
    verdict("no tool ran twice for one call", twice.text() == "[]");
    // How many of the pool's eight there are just then is a matter of chance.
    verdict("no thread was left over", threads_after <= threads + 8.0);
    // What is left is the ledger of ids that the tools themselves keep: about 200 bytes a call.
    let kept = f64::from(u32::try_from(asked).unwrap()) * 0.2;
    verdict("memory did not grow", memory_after <= memory * 1.1 + kept);
    verdict("the host closed in good order", closed.is_empty());
    for wrong in wrong.iter().take(5) {
        println!("{wrong}");
    }
}

fn verdict(what: &str, holds: bool) {
    println!("{what}: {}", if holds { "yes" } else { "NO" });
}

fn soak(runtime: &tokio::runtime::Runtime, host: &Host, ledger: &Arc<Ledger>, time: Duration) {
    let end = Instant::now() + time;
    let waiting: Vec<_> = (0..THREADS)
        .map(|thread| {
            let (host, ledger) = (host.clone(), Arc::clone(ledger));
            std::thread::spawn(move || {
                for turn in (0..).take_while(|_| Instant::now() < end) {
                    let (tool, gives_up) = chosen(thread + TASKS, turn);
                    let id = ledger.ask();
                    let answer = host.call_blocking_until(Call::new(tool, "{}").with_id(&*id), &mut || gives_up);
                    ledger.take(&id, tool, answer);
                }
            })
        })
        .collect();
    runtime.block_on(async {
        let tasks: Vec<_> = (0..TASKS)
            .map(|task| {
                let (host, ledger) = (host.clone(), Arc::clone(ledger));
                tokio::spawn(async move {
                    for turn in (0..).take_while(|_| Instant::now() < end) {
                        let (tool, gives_up) = chosen(task, turn);
                        let id = ledger.ask();
                        let call = host.call(Call::new(tool, "{}").with_id(&*id));
                        let patience = Duration::from_millis(if gives_up { turn % 40 } else { 60_000 });
                        match tokio::time::timeout(patience, call).await {
                            Ok(answer) => ledger.take(&id, tool, answer),
                            Err(_) => drop(ledger.given_up.fetch_add(1, Ordering::Relaxed)),
                        }
                    }
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
    });
    for thread in waiting {
        thread.join().unwrap();
    }
}
