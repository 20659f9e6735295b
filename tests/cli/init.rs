//! Tests of `init`: what it writes works, and it harms nothing.

use crate::context::{run, text};
use insta::assert_snapshot;

#[test]
fn a_new_folder_works_at_once() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("my tools");
    let place = text(place.path()).to_owned();
    assert_snapshot!(run(&["init", text(&folder)]).replaced(&place, "[TEMP]"), @"
    status: 0
    ----- stdout -----
    [TEMP]/my tools/first_tools.py
    ----- stderr -----
    Next:
      pegboard list '[TEMP]/my tools'
      pegboard call '[TEMP]/my tools' longest_words text='to be or not to be' count=2
    ");
    assert_snapshot!(run(&["check", text(&folder)]), @"
    status: 0
    ----- stdout -----
    2 tools, nothing to report
    ----- stderr -----
    ");
    let words = [
        "call",
        text(&folder),
        "longest_words",
        "text=to be or not to be",
        "count=2",
    ];
    assert_snapshot!(run(&words), @r#"
    status: 0
    ----- stdout -----
    ["not","be"]
    ----- stderr -----
    "#);
    assert_snapshot!(run(&["call", text(&folder), "remind", "message=now", "seconds=0"]), @"
    status: 0
    ----- stdout -----
    now
    ----- stderr -----
    ");
}

#[test]
fn nothing_is_overwritten() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("first_tools.py");
    std::fs::write(&file, "mine").unwrap();
    let ran = run(&["init", text(place.path())]).replaced(text(place.path()), "[TEMP]");
    assert_snapshot!(ran, @"
    status: 1
    ----- stdout -----
    ----- stderr -----
    error: cannot write [TEMP]/first_tools.py
      caused by: File exists (os error 17)
      hint: name another folder; nothing was changed
    ");
    assert_eq!(std::fs::read_to_string(file).unwrap(), "mine");
}

#[test]
fn json_names_the_file_and_what_to_do_next() {
    let place = tempfile::tempdir().unwrap();
    let told = run(&["init", text(place.path()), "--format", "json"]).json();
    assert_eq!(told["files"][0], text(&place.path().join("first_tools.py")));
    assert_eq!(told["next"].as_array().unwrap().len(), 2);
}
