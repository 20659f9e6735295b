//! Loading again what has changed: whole or not at all, told once, and old code for the calls that began with it.

use pegboard::{Call, DiagnosticCode, Error, Host};
use serde_json::json;
use std::fs;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

pub const COUNTED: &str =
    "from pegboard import tool\nfrom ._h import K\n@tool\ndef k() -> int:\n    \"\"\"Tell K.\"\"\"\n    return K\n";

pub fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
}

pub fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), files);
    folder
}

pub async fn load(folder: &TempDir) -> Host {
    Host::builder().source(folder.path()).build().await.unwrap()
}

pub async fn text(host: &Host, tool: &str) -> String {
    host.call(Call::new(tool, "{}")).await.unwrap().text
}

pub fn names(host: &Host) -> Vec<String> {
    host.tools().iter().map(|tool| tool.name.clone()).collect()
}

#[tokio::test]
async fn a_helper_of_equal_size_in_the_same_second_is_seen() {
    let folder = folder(&[("_h.py", "K = 1\n"), ("t.py", COUNTED)]);
    let host = load(&folder).await;
    assert_eq!(text(&host, "k").await, "1");
    assert!(!host.reload().await.unwrap() || text(&host, "k").await == "1");
    write(folder.path(), &[("_h.py", "K = 2\n")]);
    assert!(host.reload().await.unwrap());
    assert_eq!(text(&host, "k").await, "2");
    host.close().await;
}

#[tokio::test]
async fn a_broken_edit_leaves_what_works_and_is_told_until_it_is_mended() {
    let folder = folder(&[("_h.py", "K = 1\n"), ("t.py", COUNTED)]);
    let host = load(&folder).await;
    write(folder.path(), &[("t.py", "def broken(:\n")]);
    assert!(host.reload().await.unwrap());
    assert_eq!(text(&host, "k").await, "1");
    let found = host.diagnostics();
    let [problem] = &found[..] else { panic!("{found:?}") };
    assert_eq!((problem.code, problem.line), (DiagnosticCode::SyntaxError, Some(1)));
    write(folder.path(), &[("t.py", &COUNTED.replace("return K", "return 7 * K"))]);
    assert!(host.reload().await.unwrap());
    assert_eq!(text(&host, "k").await, "7");
    assert_eq!(host.diagnostics()[..], []);
    host.close().await;
}

#[tokio::test]
async fn files_come_go_and_move_and_the_first_of_a_name_stays() {
    let good = |answer: &str| format!("from pegboard import tool\n@tool\ndef good() -> str:\n    return {answer:?}\n");
    let folder = folder(&[("a.py", &good("A")), ("b.py", &good("B"))]);
    let host = load(&folder).await;
    assert_eq!(text(&host, "good").await, "A");
    write(folder.path(), &[("b.py", &good("b"))]);
    assert!(host.reload().await.unwrap());
    assert_eq!(text(&host, "good").await, "A", "a reload does not change the winner");
    fs::remove_file(folder.path().join("a.py")).unwrap();
    assert!(host.reload().await.unwrap());
    assert_eq!(text(&host, "good").await, "b");
    fs::rename(folder.path().join("b.py"), folder.path().join("c.py")).unwrap();
    write(folder.path(), &[("d.py", &good("D").replace("good", "more"))]);
    assert!(host.reload().await.unwrap());
    assert_eq!(names(&host), ["good", "more"]);
    assert_eq!(text(&host, "good").await, "b");
    host.close().await;
}

#[tokio::test]
async fn only_what_a_model_is_shown_counts_as_a_change() {
    let folder = folder(&[("_h.py", "K = 1\n"), ("t.py", COUNTED)]);
    let host = load(&folder).await;
    let mut changes = host.changes();
    write(folder.path(), &[("_h.py", "K = 2\n\n")]);
    host.reload().await.unwrap();
    assert!(!changes.has_changed().unwrap(), "another value is no change");
    write(folder.path(), &[("t.py", &COUNTED.replace("Tell K", "Tell what K is"))]);
    host.reload().await.unwrap();
    assert!(changes.has_changed().unwrap());
    assert_eq!(*changes.borrow_and_update(), 1, "one change is told once");
    host.close().await;
}

#[tokio::test]
async fn a_call_that_runs_ends_with_the_code_that_it_began_with() {
    let slow = |answer: &str| {
        format!(
            "import asyncio\nfrom pathlib import Path\nfrom pegboard import tool\n@tool\nasync def slow(folder: str) -> str:\n    \
             (Path(folder) / 'begun').touch()\n    while not (Path(folder) / 'go').exists():\n        \
             await asyncio.sleep(0.01)\n    return late()\ndef late() -> str:\n    return {answer:?}\n"
        )
    };
    let folder = folder(&[("t.py", &slow("old"))]);
    let trace = tempfile::tempdir().unwrap();
    let host = load(&folder).await;
    let arguments = json!({"folder": trace.path()}).to_string();
    let running = tokio::spawn({
        let (host, arguments) = (host.clone(), arguments.clone());
        async move { host.call(Call::new("slow", arguments)).await.unwrap().text }
    });
    while !trace.path().join("begun").exists() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    write(folder.path(), &[("t.py", &slow("new"))]);
    assert!(host.reload().await.unwrap());
    fs::write(trace.path().join("go"), "").unwrap();
    assert_eq!(running.await.unwrap(), "old");
    assert_eq!(host.call(Call::new("slow", arguments)).await.unwrap().text, "new");
    host.close().await;
}

#[tokio::test]
async fn a_tool_that_is_gone_is_unknown_and_a_new_parameter_is_judged() {
    let folder = folder(&[("_h.py", "K = 1\n"), ("t.py", COUNTED)]);
    let host = load(&folder).await;
    let renamed = COUNTED
        .replace("def k()", "def kay(by: int)")
        .replace("return K", "return K + by");
    write(folder.path(), &[("t.py", &renamed)]);
    host.reload().await.unwrap();
    let Err(Error::UnknownTool { near, .. }) = host.call(Call::new("kai", "{}")).await else {
        panic!("it is still there");
    };
    assert_eq!(near, ["kay"]);
    assert_eq!(host.call(Call::new("kay", r#"{"by":3}"#)).await.unwrap().text, "4");
    let refused = host.call(Call::new("kay", "{}")).await.unwrap().failure.unwrap();
    assert_eq!(refused.problems[0].pointer, "/by");
    host.close().await;
}

#[tokio::test]
async fn nothing_of_an_old_load_stays_behind() {
    const COUNTING: &str = "import gc, weakref\nfrom pegboard import tool, Toolset, tool_method\nclass Held(Toolset):\n    \
                            @tool_method\n    def held(self) -> str:\n        return 'held'\n@tool\ndef loads() -> int:\n    \
                            import sys\n    gc.collect()\n    return sum(name.endswith('.t') and \
                            name.startswith('pegboard_source_') for name in list(sys.modules))\n";
    let folder = folder(&[("t.py", COUNTING)]);
    let host = load(&folder).await;
    let before: usize = text(&host, "loads").await.parse().unwrap();
    for round in 0..20 {
        write(folder.path(), &[("t.py", &format!("{COUNTING}# {round}\n"))]);
        assert!(host.reload().await.unwrap());
        assert_eq!(text(&host, "held").await, "held");
    }
    let after: usize = text(&host, "loads").await.parse().unwrap();
    assert!(
        after <= before + 1,
        "{before} modules of that name were there, now {after}"
    );
    host.close().await;
}

#[tokio::test]
async fn a_context_is_left_when_its_toolset_is_replaced() {
    let entered = |trace: &Path, round: u32| {
        format!(
            "from pathlib import Path\nfrom pegboard import Toolset, tool_method\nclass Open(Toolset):\n    \
             async def __aenter__(self):\n        return self\n    async def __aexit__(self, *exception):\n        \
             Path({trace:?}, 'left{round}').touch()\n    @tool_method\n    async def use(self) -> int:\n        return {round}\n"
        )
    };
    let trace = tempfile::tempdir().unwrap();
    let folder = folder(&[("t.py", &entered(trace.path(), 1))]);
    let host = load(&folder).await;
    assert_eq!(text(&host, "use").await, "1");
    write(folder.path(), &[("t.py", &entered(trace.path(), 2))]);
    assert!(host.reload().await.unwrap());
    assert_eq!(text(&host, "use").await, "2");
    let left = trace.path().join("left1");
    for _ in 0..1000 {
        if left.exists() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(left.exists() && !trace.path().join("left2").exists());
    host.close().await;
    assert!(trace.path().join("left2").exists());
}

#[tokio::test]
async fn a_call_that_a_reload_overtakes_runs_the_tool_that_is_there_now() {
    let folder = folder(&[("_h.py", "K = 1\n"), ("t.py", COUNTED)]);
    let host = load(&folder).await;
    let asked = host.call(Call::new("k", "{}"));
    write(folder.path(), &[("_h.py", "K = 2\n")]);
    assert!(host.reload().await.unwrap());
    assert_eq!(asked.await.unwrap().text, "2");
    let asked = host.call(Call::new("k", "{}"));
    fs::remove_file(folder.path().join("t.py")).unwrap();
    assert!(host.reload().await.unwrap());
    assert!(matches!(asked.await, Err(Error::UnknownTool { .. })));
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reload_that_has_returned_has_seen_what_was_there_when_it_began() {
    let folder = folder(&[("_h.py", "K = 0\n"), ("t.py", COUNTED)]);
    let host = load(&folder).await;
    let competing = tokio::spawn({
        let host = host.clone();
        async move {
            while host.reload().await.is_ok() {
                tokio::task::yield_now().await;
            }
        }
    });
    for number in 1..200 {
        // At once, so that nobody sees half of it.
        write(folder.path(), &[("next", &format!("K = {number}\n"))]);
        fs::rename(folder.path().join("next"), folder.path().join("_h.py")).unwrap();
        host.reload().await.unwrap();
        assert_eq!(text(&host, "k").await, number.to_string());
    }
    host.close().await;
    competing.await.unwrap();
}

#[tokio::test]
async fn a_module_that_a_tool_imports_when_it_runs_is_followed() {
    const LATE: &str = "from pegboard import tool\n@tool\ndef late() -> str:\n    from runtime.client import WORD\n    \
                        return WORD\n";
    let manifest = "schema: 1\nname: late\nversion: 1.0.0\ndescription: Imports late.\n";
    let folder = folder(&[
        ("capability.yaml", manifest),
        ("tools/t.py", LATE),
        ("runtime/client.py", "WORD = 'one'\n"),
    ]);
    let host = load(&folder).await;
    assert_eq!(text(&host, "late").await, "one");
    write(folder.path(), &[("runtime/client.py", "WORD = 'two'\n")]);
    assert!(host.reload().await.unwrap());
    assert_eq!(text(&host, "late").await, "two");
    host.close().await;
}
