//! An edit that breaks something costs only that, and for as long as it is broken.

use super::reload::{folder, load, names, text, write};
use pegboard::{DiagnosticCode, Host};
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

fn tool(name: &str, word: &str) -> String {
    format!("from pegboard import tool\n@tool\ndef {name}() -> str:\n    return {word:?}\n")
}

fn codes(host: &Host) -> Vec<DiagnosticCode> {
    host.diagnostics().iter().map(|found| found.code).collect()
}

/// Makes files look as if nobody had touched them for long.
fn age(folder: &Path) {
    let then = SystemTime::now() - Duration::from_secs(3600);
    for entry in folder.read_dir().unwrap() {
        let file = fs::File::options().append(true).open(entry.unwrap().path()).unwrap();
        file.set_modified(then).unwrap();
    }
}

#[tokio::test]
async fn files_beside_a_broken_one_come_and_go() {
    let broken = "import nowhere_to_be_found\n";
    let folder = folder(&[("a.py", &tool("a", "A")), ("b.py", &tool("b", "B")), ("z.py", broken)]);
    age(folder.path());
    let host = load(&folder).await;
    assert_eq!(codes(&host), [DiagnosticCode::MissingDependency]);
    assert!(!host.reload().await.unwrap(), "nothing has changed");
    fs::remove_file(folder.path().join("b.py")).unwrap();
    assert!(host.reload().await.unwrap());
    assert_eq!(names(&host), ["a"]);
    write(folder.path(), &[("a.py", &tool("renamed", "A"))]);
    assert!(host.reload().await.unwrap());
    assert_eq!(names(&host), ["renamed"]);
    assert_eq!(codes(&host), [DiagnosticCode::MissingDependency], "told once");
    host.close().await;
}

#[tokio::test]
async fn only_the_tools_of_a_broken_file_stay_as_they_were_and_in_their_place() {
    let folder = folder(&[
        ("a.py", &tool("a", "A")),
        ("b.py", &tool("b", "B")),
        ("c.py", &tool("c", "C")),
    ]);
    let host = load(&folder).await;
    write(
        folder.path(),
        &[
            ("b.py", "def broken(:\n"),
            ("a.py", &tool("a", "A2")),
            ("c.py", &tool("other", "C2")),
        ],
    );
    assert!(host.reload().await.unwrap());
    assert_eq!(names(&host), ["a", "b", "other"]);
    assert_eq!((&*text(&host, "a").await, &*text(&host, "b").await), ("A2", "B"));
    assert_eq!(codes(&host), [DiagnosticCode::SyntaxError]);
    let told = host.diagnostics()[0].message.clone();
    assert!(told.ends_with("what it offered before is offered still"), "{told}");
    fs::remove_file(folder.path().join("b.py")).unwrap();
    assert!(host.reload().await.unwrap());
    assert_eq!(names(&host), ["a", "other"]);
    assert_eq!(codes(&host), []);
    host.close().await;
}

#[tokio::test]
async fn a_tool_that_has_moved_out_of_a_broken_file_is_the_new_one() {
    let folder = folder(&[("a.py", &tool("a", "old"))]);
    let host = load(&folder).await;
    write(
        folder.path(),
        &[("a.py", "def broken(:\n"), ("b.py", &tool("a", "new"))],
    );
    assert!(host.reload().await.unwrap());
    assert_eq!(names(&host), ["a"]);
    assert_eq!(text(&host, "a").await, "new");
    host.close().await;
}

#[tokio::test]
async fn a_broken_manifest_does_not_change_who_has_a_name() {
    let manifest = |name: &str| format!("schema: 1\nname: {name}\nversion: 1.0.0\ndescription: Says.\n");
    let folder = folder(&[
        ("alpha/capability.yaml", &manifest("alpha")),
        ("alpha/tools/t.py", &tool("say", "alpha")),
        ("beta/capability.yaml", &manifest("beta")),
        ("beta/tools/t.py", &tool("say", "beta")),
    ]);
    let host = load(&folder).await;
    let before = names(&host);
    assert_eq!(before, ["say", "beta__say"]);
    write(folder.path(), &[("alpha/capability.yaml", "schema: [\n")]);
    assert!(host.reload().await.unwrap());
    assert!(codes(&host).contains(&DiagnosticCode::ManifestInvalid));
    assert_eq!(names(&host), before);
    assert_eq!(text(&host, "say").await, "alpha");
    host.close().await;
}
