//! Measures the call paths against baselines in the same run, and prints each ratio with its target and a verdict.
//!
//! `cargo bench --bench calls [-- NAME…]`; a name selects the lines that hold it. Host and baseline take turns, and a
//! line shows the median of the rounds' ratios. Absolute times differ between machines; only the ratios mean something.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench speaks to the terminal and may stop"
)]

use pegboard::{Call, Host};
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use std::ffi::CString;
use std::time::{Duration, Instant};

const ROUNDS: usize = 9;
const SMALL: &str = r#"{"a": 1, "b": "hello"}"#;
/// The throughput that is asked for, as a ratio of times.
const NINE_TENTHS: f64 = 1.0 / 0.9;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    // Asked for by `cargo test --benches`, which only wants to know that it builds.
    if words.iter().any(|word| word == "--test") {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let hosts = [None, Some(Duration::from_secs(120))].map(|timeout| {
        let builder = Host::builder()
            .source(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bench/tools"))
            .timeout(timeout)
            .working_directory(std::env::temp_dir());
        runtime.block_on(builder.build()).unwrap()
    });
    let [host, limited] = hosts;
    let bench = Bench {
        runtime,
        host,
        limited,
        baseline: baseline(),
        words,
    };
    bench.sync_small();
    for (what, tool, text) in [
        ("nested model argument", "nested", &*nested_rows()),
        ("1 MB text result", "long_text", "{}"),
        ("1 MB nested result", "long_rows", "{}"),
    ] {
        let bare = || Bench::bare_path(tool, text, 200);
        bench.line(what, "the bare path in Rust", Some(1.1), &bare, &|| {
            Bench::blocking(&bench.host, tool, text, 200)
        });
    }
    for (tool, concurrency, count, target) in [
        ("noop", 1, 4_000, Some(5.0)),
        ("noop", 100, 40_000, Some(NINE_TENTHS)),
        ("noop", 10_000, 40_000, Some(NINE_TENTHS)),
        ("nap", 100, 2_000, Some(NINE_TENTHS)),
        ("nap", 10_000, 40_000, Some(NINE_TENTHS)),
    ] {
        let gather = || bench.ask("gather", |py| (Bench::plain(py, tool), concurrency, count));
        let what = format!("async {tool}, {concurrency} at a time");
        bench.line(&what, "asyncio.gather in one loop", target, &gather, &|| {
            bench.awaited(tool, "{}", concurrency, count)
        });
    }
    bench.idle();
    bench.runtime.block_on(bench.host.close());
    bench.runtime.block_on(bench.limited.close());
}

struct Bench {
    runtime: tokio::runtime::Runtime,
    /// Without a time limit.
    host: Host,
    /// With the time limit that hosts have if nothing is said.
    limited: Host,
    baseline: Py<PyAny>,
    words: Vec<String>,
}

fn baseline() -> Py<PyAny> {
    Python::attach(|py| {
        let text = CString::new(include_str!("baseline.py")).unwrap();
        PyModule::from_code(py, &text, c"baseline.py", c"pegboard_bench_baseline")
            .unwrap()
            .into_any()
            .unbind()
    })
}

fn nested_rows() -> String {
    let row = r#"{"a":1,"b":2,"c":"three","d":"four","e":5.5,"f":true}"#;
    format!("{{\"rows\":[{}]}}", vec![row; 50].join(","))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn timed(count: usize, mut work: impl FnMut()) -> f64 {
    let started = Instant::now();
    for _ in 0..count {
        work();
    }
    per_call(started.elapsed(), count)
}

fn per_call(elapsed: Duration, count: usize) -> f64 {
    elapsed.as_secs_f64() / f64::from(u32::try_from(count).unwrap())
}

/// The processor time of this process so far, in seconds.
fn processor_seconds() -> f64 {
    Python::attach(|py| {
        let time = py.import("time").unwrap();
        time.call_method0("process_time").unwrap().extract().unwrap()
    })
}

impl Bench {
    fn is_wanted(&self, what: &str) -> bool {
        self.words.is_empty() || self.words.iter().any(|word| what.contains(word))
    }

    /// Takes turns between a baseline and the host, both in seconds per call, and prints how they compare.
    fn line(&self, what: &str, against: &str, target: Option<f64>, baseline: &dyn Fn() -> f64, ours: &dyn Fn() -> f64) {
        if !self.is_wanted(what) {
            return;
        }
        let rounds: Vec<(f64, f64)> = (0..ROUNDS).map(|_| (baseline(), ours())).collect();
        let ratio = median(rounds.iter().map(|(baseline, ours)| ours / baseline).collect());
        let [baseline, ours] = [|round: &(f64, f64)| round.0, |round: &(f64, f64)| round.1]
            .map(|side| median(rounds.iter().map(side).collect()) * 1e6);
        let verdict = match target {
            None => String::new(),
            Some(target) if ratio <= target => format!("  target {target:.2}: reached"),
            Some(target) => format!("  target {target:.2}: missed"),
        };
        println!("{what:44} {ours:9.2} µs   {ratio:5.2} × {against} ({baseline:.2} µs){verdict}");
    }

    /// The tool's function as a plain module defines it, without any framework.
    fn plain(py: Python<'_>, name: &str) -> Py<PyAny> {
        let source = include_str!("tools/measured.py").replace(
            "from pegboard import tool\n",
            "def tool(f=None, **_): return f or (lambda f: f)\n",
        );
        let modules = py.import("sys").unwrap().getattr("modules").unwrap();
        if !modules.contains("pegboard_bench_plain").unwrap() {
            let module = PyModule::from_code(py, &CString::new(source).unwrap(), c"plain.py", c"pegboard_bench_plain");
            modules.set_item("pegboard_bench_plain", module.unwrap()).unwrap();
        }
        modules
            .get_item("pegboard_bench_plain")
            .unwrap()
            .getattr(name)
            .unwrap()
            .unbind()
    }

    /// What a function of the baseline measures, in seconds per call.
    fn ask<A: for<'py> PyCallArgs<'py>>(&self, name: &str, arguments: impl Fn(Python<'_>) -> A) -> f64 {
        Python::attach(|py| {
            let measured = self.baseline.bind(py).call_method1(name, arguments(py));
            measured.unwrap().extract().unwrap()
        })
    }

    /// Seconds per call of the bare path in Rust: text, validator, call, `to_json`, text.
    fn bare_path(tool: &str, text: &str, count: usize) -> f64 {
        Python::attach(|py| {
            let function = Self::plain(py, tool).into_bound(py);
            let schema = py
                .import("pydantic.experimental.arguments_schema")
                .unwrap()
                .call_method1("generate_arguments_schema", (&function, "arguments"))
                .unwrap();
            let core = py.import("pydantic_core").unwrap();
            let validate = core
                .getattr("SchemaValidator")
                .unwrap()
                .call1((schema,))
                .unwrap()
                .getattr("validate_json")
                .unwrap();
            let to_json = core.getattr("to_json").unwrap();
            timed(count, || {
                let validated = validate.call1((PyBytes::new(py, text.as_bytes()),)).unwrap();
                let (positional, keywords): (Bound<'_, PyTuple>, Bound<'_, PyDict>) = validated.extract().unwrap();
                let value = function.call(positional, Some(&keywords)).unwrap();
                let json = to_json.call1((value,)).unwrap();
                std::hint::black_box(json.cast::<PyBytes>().unwrap().as_bytes().to_vec());
            })
        })
    }

    fn blocking(host: &Host, tool: &str, text: &str, count: usize) -> f64 {
        timed(count, || {
            std::hint::black_box(host.call_blocking(Call::new(tool, text)).unwrap());
        })
    }

    fn sync_small(&self) {
        let count = 20_000;
        let bare = || Self::bare_path("small", SMALL, count);
        let careful = || self.ask("careful", |py| (Self::plain(py, "small"), SMALL, count));
        let plain = || self.ask("bare", |py| (Self::plain(py, "small"), count));
        let blocking = || Self::blocking(&self.host, "small", SMALL, count);
        self.line("sync, the bare path in Rust", "a bare Python call", None, &plain, &bare);
        self.line(
            "sync, call_blocking",
            "the bare path in Rust",
            Some(2.0),
            &bare,
            &blocking,
        );
        self.line(
            "sync, call_blocking",
            "careful pure Python",
            Some(0.6),
            &careful,
            &blocking,
        );
        self.line(
            "sync, call_blocking with a time limit",
            "careful pure Python",
            None,
            &careful,
            &|| Self::blocking(&self.limited, "small", SMALL, count),
        );
        for concurrency in [1, 64] {
            let what = format!("sync, call, {concurrency} at a time");
            self.line(&what, "careful pure Python", None, &careful, &|| {
                self.awaited("small", SMALL, concurrency, count)
            });
        }
    }

    /// Seconds per call of `concurrency` tasks that call one after the other.
    fn awaited(&self, tool: &str, text: &str, concurrency: usize, count: usize) -> f64 {
        let each = count / concurrency;
        self.runtime.block_on(async {
            let started = Instant::now();
            let tasks: Vec<_> = (0..concurrency)
                .map(|_| {
                    let (host, tool, text) = (self.host.clone(), tool.to_owned(), text.to_owned());
                    tokio::spawn(async move {
                        for _ in 0..each {
                            host.call(Call::new(tool.as_str(), text.as_str())).await.unwrap();
                        }
                    })
                })
                .collect();
            for task in tasks {
                task.await.unwrap();
            }
            per_call(started.elapsed(), each * concurrency)
        })
    }

    /// What a host costs that is not asked for anything.
    fn idle(&self) {
        let what = "idle host, processor time of a second";
        if self.is_wanted(what) {
            let before = processor_seconds();
            std::thread::sleep(Duration::from_secs(1));
            let used = (processor_seconds() - before) * 1e3;
            let verdict = if used <= 1.0 { "reached" } else { "missed" };
            println!("{what:44} {used:9.2} ms   target 1.00: {verdict}");
        }
    }
}
