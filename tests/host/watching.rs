//! Files that are watched are loaded again by themselves, whatever is done to them.

use super::reload::{COUNTED, folder, load, names, text, write};
use pegboard::{Host, Reloaded, Watching};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::mpsc::{self, UnboundedReceiver};

fn watch(host: &Host) -> (Watching, UnboundedReceiver<Reloaded>) {
    let (sender, told) = mpsc::unbounded_channel();
    let watching = host.watch(move |reloaded| drop(sender.send(reloaded))).unwrap();
    (watching, told)
}

/// A tool that says a word.
fn say(word: &str) -> String {
    format!("from pegboard import tool\n@tool\ndef say() -> str:\n    return {word:?}\n")
}

/// Waits until the tool says the word.
async fn heard(host: &Host, told: &mut UnboundedReceiver<Reloaded>, word: &str) {
    while !names(host).contains(&"say".to_owned()) || text(host, "say").await != word {
        let reloaded = tokio::time::timeout(Duration::from_secs(60), told.recv()).await;
        assert!(matches!(reloaded, Ok(Some(_))), "the change is seen within a minute");
    }
}

#[tokio::test]
async fn a_watched_folder_is_loaded_again_by_itself() {
    let folder = folder(&[("_h.py", "K = 1\n"), ("t.py", COUNTED)]);
    let host = load(&folder).await;
    let (watching, mut told) = watch(&host);
    write(folder.path(), &[("_h.py", "K = 2\n")]);
    assert!(matches!(told.recv().await, Some(Reloaded::Done(found)) if found.is_empty()));
    assert_eq!(text(&host, "k").await, "2");
    // As editors save: a new file in the place of the old one.
    write(
        folder.path(),
        &[("t.py.new", &COUNTED.replace("return K", "return 10 * K"))],
    );
    fs::rename(folder.path().join("t.py.new"), folder.path().join("t.py")).unwrap();
    told.recv().await.unwrap();
    assert_eq!(text(&host, "k").await, "20");
    write(
        folder.path(),
        &[(
            "below/new.py",
            &COUNTED
                .replace("from ._h import K", "K = 5")
                .replace("def k", "def five"),
        )],
    );
    while !names(&host).contains(&"five".to_owned()) {
        told.recv().await.unwrap();
    }
    drop(watching);
    host.close().await;
}

#[tokio::test]
async fn what_was_changed_before_the_watching_began_is_seen() {
    let folder = folder(&[("t.py", &say("one"))]);
    let host = load(&folder).await;
    write(folder.path(), &[("t.py", &say("two"))]);
    let (_watching, mut told) = watch(&host);
    heard(&host, &mut told, "two").await;
    host.close().await;
}

#[tokio::test]
async fn another_folder_in_the_place_of_a_watched_one_is_watched() {
    for place in ["", "below"] {
        let folder = folder(&[("source/below/t.py", &say("one")), ("other/t.py", &say("two"))]);
        let source = folder.path().join("source");
        let host = Host::builder().source(&source).build().await.unwrap();
        let (_watching, mut told) = watch(&host);
        let watched = source.join(place);
        fs::rename(&watched, folder.path().join("old")).unwrap();
        fs::rename(folder.path().join("other"), &watched).unwrap();
        heard(&host, &mut told, "two").await;
        write(&watched, &[("t.py", &say("three"))]);
        heard(&host, &mut told, "three").await;
        host.close().await;
    }
}

#[tokio::test]
async fn a_source_that_is_gone_for_a_while_is_found_again() {
    let folder = folder(&[("source/t.py", &say("one"))]);
    let source = folder.path().join("source");
    let host = Host::builder().source(&source).build().await.unwrap();
    let (_watching, mut told) = watch(&host);
    let away = folder.path().join("away");
    fs::rename(&source, &away).unwrap();
    while !matches!(told.recv().await, Some(Reloaded::Failed(_))) {}
    assert_eq!(text(&host, "say").await, "one", "it goes on as it was");
    write(&away, &[("t.py", &say("two"))]);
    fs::rename(&away, &source).unwrap();
    heard(&host, &mut told, "two").await;
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_written_to_all_the_time_holds_nothing_up() {
    for noisy in ["state", "noise.py"] {
        let folder = folder(&[("t.py", &say("one"))]);
        let host = load(&folder).await;
        let (_watching, mut told) = watch(&host);
        let is_over = Arc::new(AtomicBool::new(false));
        let writing = tokio::task::spawn_blocking({
            let (is_over, noisy) = (Arc::clone(&is_over), folder.path().join(noisy));
            move || write_until(&is_over, &noisy)
        });
        write(folder.path(), &[("t.py", &say("two"))]);
        heard(&host, &mut told, "two").await;
        is_over.store(true, Ordering::Release);
        writing.await.unwrap();
        host.close().await;
    }
}

fn write_until(is_over: &AtomicBool, file: &Path) {
    while !is_over.load(Ordering::Acquire) {
        fs::write(file, "").unwrap();
        std::thread::sleep(Duration::from_millis(20));
    }
}
