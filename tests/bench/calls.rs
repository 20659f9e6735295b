//! Measures the call paths against baselines in the same run, and prints ratios.
//!
//! `cargo bench --bench calls`. Absolute times differ between machines; only the ratios mean something.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench speaks to the terminal and may stop"
)]

use pegboard::{Call, Host};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use std::ffi::CString;
use std::time::{Duration, Instant};

const ROUNDS: usize = 7;
const SMALL: &str = r#"{"a": 1, "b": "hello"}"#;

fn main() {
    // Asked for by `cargo test --benches`, which only wants to know that it builds.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bench/tools");
    let host = runtime
        .block_on(
            Host::builder()
                .source(folder)
                .timeout(None)
                .working_directory(std::env::temp_dir())
                .build(),
        )
        .unwrap();
    let bench = Bench {
        runtime,
        host,
        baseline: baseline(),
    };
    if let Ok(only) = std::env::var("ONLY") {
        if only == "blocking" {
            println!("{:.3} µs", bench.blocking("small", SMALL, 200_000) * 1e6);
        } else {
            let (tool, n) = only.split_once(':').unwrap();
            let n: usize = n.parse().unwrap();
            let text = if tool == "small" { SMALL } else { "{}" };
            println!("{:.3} µs", bench.awaited(tool, text, n, 100_000) * 1e6);
        }
        return;
    }
    bench.sync_small();
    bench.sync_payload("nested model argument", "nested", &nested_rows());
    bench.sync_payload("1 MB text result", "long_text", "{}");
    bench.sync_payload("1 MB nested result", "long_rows", "{}");
    for (tool, concurrency, count) in [
        ("noop", 1, 2_000),
        ("noop", 100, 20_000),
        ("noop", 10_000, 40_000),
        ("nap", 100, 2_000),
        ("nap", 10_000, 40_000),
    ] {
        bench.asynchronous(tool, concurrency, count);
    }
    bench.runtime.block_on(bench.host.close());
}

struct Bench {
    runtime: tokio::runtime::Runtime,
    host: Host,
    baseline: Py<PyAny>,
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

/// The median of several rounds, in seconds per call.
fn median(mut round: impl FnMut() -> f64) -> f64 {
    let mut times: Vec<_> = (0..ROUNDS).map(|_| round()).collect();
    times.sort_by(f64::total_cmp);
    times[ROUNDS / 2]
}

fn timed(count: usize, mut work: impl FnMut()) -> f64 {
    let started = Instant::now();
    for _ in 0..count {
        work();
    }
    started.elapsed().as_secs_f64() / f64::from(u32::try_from(count).unwrap())
}

fn line(what: &str, seconds: f64, against: &str, baseline: f64) {
    println!(
        "{what:44} {:9.2} µs   {:6.2} × {against} ({:.2} µs)",
        seconds * 1e6,
        seconds / baseline,
        baseline * 1e6
    );
}

impl Bench {
    /// The tool's function as a plain module defines it, without any framework.
    fn plain(py: Python<'_>, name: &str) -> Py<PyAny> {
        let source = include_str!("tools/measured.py").replace(
            "from pegboard import tool\n",
            "def tool(f=None, **_): return f or (lambda f: f)\n",
        );
        let globals = PyDict::new(py);
        globals.set_item("__name__", "pegboard_bench_plain").unwrap();
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
            median(|| {
                timed(count, || {
                    let validated = validate.call1((PyBytes::new(py, text.as_bytes()),)).unwrap();
                    let (positional, keywords): (Bound<'_, PyTuple>, Bound<'_, PyDict>) = validated.extract().unwrap();
                    let value = function.call(positional, Some(&keywords)).unwrap();
                    let json = to_json.call1((value,)).unwrap();
                    std::hint::black_box(json.cast::<PyBytes>().unwrap().as_bytes().to_vec());
                })
            })
        })
    }

    fn blocking(&self, tool: &str, text: &str, count: usize) -> f64 {
        median(|| {
            timed(count, || {
                std::hint::black_box(self.host.call_blocking(Call::new(tool, text)).unwrap());
            })
        })
    }

    fn sync_small(&self) {
        let count = 20_000;
        let path = Self::bare_path("small", SMALL, count);
        let (bare, careful) = Python::attach(|py| {
            let function = Self::plain(py, "small");
            let ask = |name: &str, arguments: &Bound<'_, PyTuple>| -> f64 {
                median(|| {
                    self.baseline
                        .bind(py)
                        .call_method1(name, arguments.clone())
                        .unwrap()
                        .extract()
                        .unwrap()
                })
            };
            let bare = ask("bare", &(function.clone_ref(py), count).into_pyobject(py).unwrap());
            (
                bare,
                ask("careful", &(function, SMALL, count).into_pyobject(py).unwrap()),
            )
        });
        line("bare path in Rust", path, "a bare Python call", bare);
        let blocking = self.blocking("small", SMALL, count);
        line("sync tool, call_blocking", blocking, "the bare path", path);
        line("sync tool, call_blocking", blocking, "careful pure Python", careful);
        let one = self.awaited("small", SMALL, 1, count / 10);
        line("sync tool, call, one at a time", one, "the bare path", path);
        let many = self.awaited("small", SMALL, 64, count);
        line("sync tool, call, 64 at a time", many, "the bare path", path);
        line("sync tool, call, 64 at a time", many, "careful pure Python", careful);
    }

    fn sync_payload(&self, what: &str, tool: &str, text: &str) {
        let count = 200;
        let path = Self::bare_path(tool, text, count);
        line(
            &format!("{what}, call_blocking"),
            self.blocking(tool, text, count),
            "the bare path",
            path,
        );
    }

    /// Seconds per call of `concurrency` tasks that call one after the other.
    fn awaited(&self, tool: &str, text: &str, concurrency: usize, count: usize) -> f64 {
        let each = count / concurrency;
        median(|| {
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
        })
    }

    fn asynchronous(&self, tool: &str, concurrency: usize, count: usize) {
        let gather = Python::attach(|py| {
            let function = Self::plain(py, tool);
            median(|| {
                let arguments = (function.clone_ref(py), concurrency, count);
                self.baseline
                    .bind(py)
                    .call_method1("gather", arguments)
                    .unwrap()
                    .extract()
                    .unwrap()
            })
        });
        let ours = self.awaited(tool, "{}", concurrency, count);
        line(
            &format!("async {tool}, {concurrency} at a time"),
            ours,
            "asyncio.gather in one loop",
            gather,
        );
    }
}

fn per_call(elapsed: Duration, count: usize) -> f64 {
    elapsed.as_secs_f64() / f64::from(u32::try_from(count).unwrap())
}
