//! Every recorded load of a capability by dreadnode: the same files, or others with the reason in the test's name.

use crate::Tree;
use pegboard::DiagnosticCode;
use pegboard::capability::{Found, wire_name};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Records where our answer is better, each shown by a test below.
const BETTER: [&str; 14] = [
    "l02_empty_list_only",
    "l04_listed_one_of_two",
    "l05_listed_missing",
    "l06_listed_missing_only",
    "l07_listed_escape",
    "l08_listed_elsewhere",
    "l10_listed_not_python",
    "l12_tools_string",
    "l14_tools_number_item",
    "l60_wire_name_no_room",
    "l70_missing_description",
    "l71_schema_2",
    "l73_bad_yaml",
    "l81_symlink_outside",
];

#[derive(Deserialize)]
struct Record {
    case: String,
    manifest: String,
    files: Vec<String>,
    load: String,
    #[serde(default)]
    wire_names: BTreeMap<String, String>,
}

fn records() -> Vec<Record> {
    serde_json::from_str(include_str!("cases/records.json")).expect("the cases are JSON")
}

fn tree(case: &str) -> Tree {
    let record = records()
        .into_iter()
        .find(|record| record.case == case)
        .expect("there is such a case");
    build(&record)
}

fn build(record: &Record) -> Tree {
    let mut files: Vec<(&str, &str)> = record.files.iter().map(|file| (file.as_str(), "")).collect();
    files.push(("capability.yaml", &record.manifest));
    Tree::new(&files)
}

/// The message of the one finding, which has this code and line.
fn only_finding(found: &Found, code: DiagnosticCode, line: Option<u32>) -> &str {
    let [finding] = found.diagnostics.as_slice() else {
        panic!("{:?} is not one finding", found.diagnostics);
    };
    assert_eq!((finding.code, finding.line), (code, line), "{finding}");
    &finding.message
}

#[test]
fn every_other_record_has_the_same_files_and_names() {
    let records = records();
    let mut compared = 0;
    for record in records.iter().filter(|record| !BETTER.contains(&record.case.as_str())) {
        assert_eq!(record.load, "ok", "{}", record.case);
        let tree = build(record);
        let found = tree.discover("");
        let mut expected: Vec<&String> = record
            .files
            .iter()
            .filter(|file| Path::new(file).extension().is_some_and(|extension| extension == "py"))
            .filter(|file| !file.ends_with("__init__.py"))
            .collect();
        expected.sort_by_key(|file| file.split('/').collect::<Vec<_>>());
        assert_eq!(
            tree.only(&found).iter().collect::<Vec<_>>(),
            expected,
            "{}",
            record.case
        );
        assert!(found.diagnostics.is_empty(), "{} {:?}", record.case, found.diagnostics);
        let capability = &found.capabilities[0];
        for (name, wire) in &record.wire_names {
            assert_eq!(
                wire_name(&[&capability.name], name).as_ref(),
                Ok(wire),
                "{}",
                record.case
            );
        }
        compared += 1;
    }
    assert_eq!(compared + BETTER.len(), records.len());
    assert!(compared > 35, "only {compared} records are compared");
}

#[test]
fn l02_is_better_because_turning_tools_off_is_no_fault() {
    let found = tree("l02_empty_list_only").discover("");
    assert!(found.sources.is_empty());
    assert_eq!(found.capabilities.len(), 1);
    only_finding(&found, DiagnosticCode::EmptySource, None);
}

#[test]
fn l04_is_better_because_a_list_means_what_it_lists_as_documented() {
    let tree = tree("l04_listed_one_of_two");
    let found = tree.discover("");
    assert_eq!(tree.only(&found), ["tools/a.py"]);
    assert_eq!(
        tree.findings(&found),
        [(DiagnosticCode::FileNotListed, "tools/b.py".to_owned(), None)]
    );
}

#[test]
fn l05_and_l06_are_better_because_a_missing_file_is_reported() {
    for case in ["l05_listed_missing", "l06_listed_missing_only"] {
        let found = tree(case).discover("");
        assert!(found.sources.is_empty(), "{case}");
        let finding = &found.diagnostics[0];
        assert_eq!(
            (finding.code, finding.line),
            (DiagnosticCode::PathMissing, Some(5)),
            "{case}"
        );
        assert!(finding.message.contains("\"tools/nope.py\""), "{finding}");
    }
}

#[test]
fn l07_is_better_because_a_path_outside_costs_only_itself() {
    let tree = tree("l07_listed_escape");
    let found = tree.discover("");
    assert_eq!(
        tree.findings(&found),
        [
            (DiagnosticCode::PathOutside, "capability.yaml".to_owned(), Some(5)),
            (DiagnosticCode::FileNotListed, "tools/a.py".to_owned(), None),
        ]
    );
    assert_eq!(found.capabilities.len(), 1);
}

#[test]
fn l08_is_better_because_a_list_means_what_it_lists_as_documented() {
    let tree = tree("l08_listed_elsewhere");
    let found = tree.discover("");
    assert_eq!(tree.only(&found), ["extra/x.py"]);
    assert_eq!(
        tree.findings(&found),
        [(DiagnosticCode::FileNotListed, "tools/a.py".to_owned(), None)]
    );
}

#[test]
fn l10_is_better_because_a_file_that_is_not_python_is_reported() {
    let found = tree("l10_listed_not_python").discover("");
    assert!(
        found.diagnostics[0].message.contains("neither a Python file"),
        "{}",
        found.diagnostics[0]
    );
    assert_eq!(found.diagnostics[0].line, Some(5));
}

#[test]
fn l12_and_l14_are_better_because_the_line_is_named() {
    for (case, message) in [
        ("l12_tools_string", "'tools' is a text, not a list of texts"),
        ("l14_tools_number_item", "'tools' holds a number, not only texts"),
    ] {
        let found = tree(case).discover("");
        assert!(found.sources.is_empty());
        assert_eq!(found.diagnostics[0].code, DiagnosticCode::ManifestInvalid);
        assert_eq!(
            (found.diagnostics[0].message.as_str(), found.diagnostics[0].line),
            (message, Some(5)),
            "{case}"
        );
    }
}

#[test]
fn l60_is_better_because_a_name_without_room_costs_only_its_tool() {
    assert!(wire_name(&["l60-wire-name-no-room"], &"n".repeat(63)).is_err());
    assert_eq!(
        wire_name(&["l60-wire-name-no-room"], "beta").as_deref(),
        Ok("l60_wire_name_no_room__beta")
    );
}

#[test]
fn l70_l71_and_l73_are_better_because_the_line_is_named() {
    for (case, line, message) in [
        (
            "l70_missing_description",
            1,
            "the required field 'description' is missing",
        ),
        ("l71_schema_2", 1, "'schema' is not 1"),
        ("l73_bad_yaml", 2, "the manifest is not YAML"),
    ] {
        let found = tree(case).discover("");
        assert!(found.sources.is_empty() && found.capabilities.is_empty(), "{case}");
        let found = only_finding(&found, DiagnosticCode::ManifestInvalid, Some(line));
        assert!(found.starts_with(message), "{case}: {found}");
    }
}

#[cfg(unix)]
#[test]
fn l81_is_better_because_the_finding_says_where_the_link_leads() {
    let outside = Tree::of(&["outside_target.py"]);
    let tree = tree("l81_symlink_outside");
    tree.link("tools/link.py", outside.path("outside_target.py"));
    let found = tree.discover("");
    assert_eq!(tree.only(&found), ["tools/a.py"]);
    let message = only_finding(&found, DiagnosticCode::PathOutside, None);
    assert!(message.contains("outside_target.py"), "{message}");
}
