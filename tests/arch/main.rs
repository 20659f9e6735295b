//! Holds the code to its layout: who may name whom, what stands only in one place, and how long a file may be.
//!
//! The rules for any file stand here, those for Rust in `rust.rs`, and the tables in `layout.rs`. Each rule is itself
//! tested on small texts, so that it is known to be able to fail.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

mod layout;
mod rust;

use std::fs;
use std::path::Path;

const MOST_LINES: usize = 400;
const VAGUE_FUNCTIONS: &[&str] = &["handle_", "process_"];
const VAGUE_NAMES: &[&str] = &[
    "util", "utils", "common", "helper", "helpers", "misc", "tools", "manager", "engine", "registry", "plugin",
];

/// Everything that is wrong with a file, each with its line where it has one.
fn violations(path: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let lines = text.lines().count();
    if lines > MOST_LINES {
        found.push(format!("has {lines} lines, {MOST_LINES} are allowed"));
    }
    if !is_fixture(path) {
        let parts = path.split('/').filter_map(|part| part.split('.').next());
        found.extend(
            parts
                .filter(|part| VAGUE_NAMES.contains(part))
                .map(|part| format!("the name {part:?} says nothing")),
        );
        if !has_header(path, text) {
            found.push("does not begin by saying what it owns".to_owned());
        }
        found.extend(vague_functions(text));
    }
    found.extend(rust::violations(path, text));
    found.into_iter().map(|finding| format!("{path}: {finding}")).collect()
}

/// Files that play the part of a user's: they may be as short, as odd and as broken as a user's.
fn is_fixture(path: &str) -> bool {
    let in_tests = path.starts_with("tests/") && ["/cases/", "/tools/"].iter().any(|folder| path.contains(folder));
    in_tests || (path.starts_with("examples/") && path.contains("/tools/"))
}

fn has_header(path: &str, text: &str) -> bool {
    if Path::new(path).extension().is_some_and(|extension| extension == "rs") {
        return text.starts_with("//!");
    }
    if text.trim().is_empty() && path.ends_with("__init__.py") {
        return true;
    }
    text.lines()
        .find(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .is_some_and(|line| ["\"\"\"", "r\"\"\""].iter().any(|quotes| line.starts_with(quotes)))
}

/// Functions in Rust or Python whose names say only that they do something.
fn vague_functions(text: &str) -> Vec<String> {
    text.lines()
        .filter_map(|line| {
            let (before, after) = line.split_once("fn ").or_else(|| line.split_once("def "))?;
            let is_declaration = before
                .chars()
                .all(|part| part.is_ascii_lowercase() || "() ".contains(part));
            let is_vague = VAGUE_FUNCTIONS.iter().any(|prefix| after.starts_with(prefix));
            (is_declaration && is_vague).then(|| format!("a function's name says nothing: {}", line.trim()))
        })
        .collect()
}

fn read_folder(root: &Path, folder: &Path, found: &mut Vec<String>) -> usize {
    let mut files = 0;
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("a folder of the repository can be read").path();
        let name = path
            .file_name()
            .expect("an entry has a name")
            .to_string_lossy()
            .into_owned();
        if path.is_dir() && !name.starts_with(['.', '_']) {
            files += read_folder(root, &path, found);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "rs" || extension == "py")
        {
            let text =
                String::from_utf8_lossy(&fs::read(&path).expect("a file of the repository can be read")).into_owned();
            let inside = path.strip_prefix(root).expect("the file is in the repository");
            found.extend(violations(&inside.to_string_lossy(), &text));
            files += 1;
        }
    }
    files
}

#[test]
fn the_code_keeps_to_its_layout() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let files: usize = ["src", "python", "tests", "examples"]
        .iter()
        .map(|folder| read_folder(root, &root.join(folder), &mut found))
        .sum();
    found.sort();
    assert!(files >= 25, "only {files} files were read");
    assert!(found.is_empty(), "{} violations:\n{}", found.len(), found.join("\n"));
}

#[test]
fn every_rule_can_be_broken() {
    let long = format!("//! Long.\n{}", "\n".repeat(400));
    for (path, text, expected) in [
        ("src/model/x.rs", long.as_str(), "401 lines"),
        ("src/model/x.rs", "fn f() {}", "saying what it owns"),
        ("python/pegboard/x.py", "import os\n", "saying what it owns"),
        ("src/model/util.rs", "//! X.", "\"util\" says nothing"),
        ("python/pegboard/tools/x.py", "\"\"\"X.\"\"\"", "\"tools\" says nothing"),
        (
            "src/model/x.rs",
            "//! X.\nfn handle_it() {}",
            "says nothing: fn handle_it",
        ),
        (
            "python/x.py",
            "\"\"\"X.\"\"\"\ndef process_it(): ...",
            "says nothing: def process_it",
        ),
        ("src/engines/x.rs", "//! X.", "a place that the layout does not have"),
        (
            "src/model/x.rs",
            "//! X.\nuse crate::host::Host;",
            "line 2: may not name crate::host::Host",
        ),
        (
            "src/model/x.rs",
            "//! X.\nuse crate::{error::Error, runner::{Reply, Runner}};",
            "crate::runner::Runner",
        ),
        (
            "src/model/x.rs",
            "//! X.\nuse crate::Outcome;",
            "may not name crate::Outcome",
        ),
        (
            "src/model/x.rs",
            "//! X.\nuse super::super::host;",
            "may not name crate::host",
        ),
        (
            "src/model/mod.rs",
            "//! X.\nfn f() { super::interp::f() }",
            "may not name crate::interp::f",
        ),
        (
            "src/model/x.rs",
            "//! X.\nfn f() { g!(crate::serve::X) }",
            "may not name crate::serve::X",
        ),
        (
            "src/host/mod.rs",
            "//! X.\nuse crate::interp;",
            "may not name crate::interp",
        ),
        (
            "src/bindings/x.rs",
            "//! X.\nuse crate::interp::gate;",
            "may not name crate::interp::gate",
        ),
        (
            "src/bindings/x.rs",
            "//! X.\nuse crate::cli::args;",
            "may not name crate::cli::args",
        ),
        ("src/main.rs", "//! X.\nuse pegboard::host;", "may not name crate::host"),
        ("src/host/x.rs", "//! X.\nuse pyo3::prelude::*;", "may not name pyo3"),
        (
            "src/cli/x.rs",
            "//! X.\nfn f() { println!() }",
            "only src/cli/printer.rs prints",
        ),
        ("src/cli/x.rs", "//! X.\nfn f() { x.unwrap() }", "unwrap may panic"),
        (
            "src/cli/x.rs",
            "//! X.\nfn f() { x.map(Option::unwrap) }",
            "unwrap may panic",
        ),
        ("src/cli/x.rs", "//! X.\nfn f() { x.expect(\"y\") }", "expect may panic"),
        ("src/cli/x.rs", "//! X.\nfn f() { g(|| todo!()) }", "todo may panic"),
        (
            "src/cli/x.rs",
            "//! X.\n#[cfg(test)]\nmod t { }\nfn f() { panic!() }",
            "panic may panic",
        ),
        (
            "src/cli/x.rs",
            "//! X.\nunsafe fn f() {}",
            "only src/interp may be unsafe",
        ),
        ("src/cli/x.rs", "//! X.\nfn f( {}", "cannot be read as Rust"),
    ] {
        let found = violations(path, text);
        assert!(
            found.len() == 1 && found[0].contains(expected) || found.iter().any(|finding| finding.ends_with(expected)),
            "{path} {text:?} should break {expected:?}, found {found:?}"
        );
    }
}

#[test]
fn what_is_allowed_is_not_reported() {
    for (path, text) in [
        (
            "src/host/builder.rs",
            "//! X.\nuse crate::interp::{self, EmbeddedRunner};",
        ),
        (
            "src/bindings/x.rs",
            "//! X.\nuse crate::interp::handles::X;\nuse pyo3::prelude::*;",
        ),
        ("src/cli/printer.rs", "//! X.\nfn f() { println!() }"),
        ("src/interp/x.rs", "//! X.\nfn f() { unsafe { g() } }"),
        (
            "src/model/x.rs",
            "//! X.\n#[expect(dead_code)]\npub(crate) fn expect() { /* x.unwrap() */ \"panic!()\"; }",
        ),
        (
            "src/model/x.rs",
            "//! X.\n#[cfg(test)]\n#[expect(clippy::x)]\nmod tests { use crate::host; fn f() { x.unwrap() } }",
        ),
        ("src/model/x.rs", "//! X.\nuse super::Call;\nuse crate::error::Error;"),
        (
            "src/cli/command/doctor.rs",
            "//! X.\nuse crate::interp::{self, Status};",
        ),
        ("src/bindings/x.rs", "//! X.\nuse crate::output::FailureDetail;"),
        (
            "src/bindings/mod.rs",
            "//! X.\nmod native { use super::outcome::Outcome; }",
        ),
        ("src/lib.rs", "//! X.\npub use crate::host::Host;"),
        ("tests/conformance/cases/tools/util.py", ""),
        ("python/pegboard/x.py", "# SPDX\n\n\"\"\"X.\"\"\""),
        ("python/pegboard/__init__.py", "\n"),
    ] {
        assert_eq!(violations(path, text), Vec::<String>::new(), "{path} {text:?}");
    }
}
