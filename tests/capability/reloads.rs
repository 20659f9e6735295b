//! What is recorded of one folder that is loaded more than once, or read more than once.

use crate::Tree;
use pegboard::{Call, Host};
use std::path::PathBuf;

const MANIFEST: &str = "schema: 1\nname: counts\nversion: 1.0.0\ndescription: Counts.\n";
const COUNTER: &str = r"
import dreadnode

class Counter(dreadnode.Toolset):
    count: int = 0

    @dreadnode.tool_method
    def bump(self) -> int:
        self.count += 1
        return self.count
";

async fn load(root: PathBuf) -> Host {
    Host::builder().source(root).build().await.expect("the host starts")
}

async fn text(host: &Host, tool: &str) -> String {
    host.call(Call::new(tool, "{}")).await.expect("the tool exists").text
}

#[tokio::test]
async fn twice_same_object_keeps_its_state() {
    let tree = Tree::new(&[("capability.yaml", MANIFEST), ("tools/a.py", COUNTER)]);
    let host = load(tree.path("")).await;
    let mut counts = Vec::new();
    for _ in 0..3 {
        assert_eq!(host.tools().len(), 1);
        counts.push(text(&host, "bump").await);
    }
    assert_eq!(counts, ["1", "2", "3"]);
    host.close().await;
}

#[tokio::test]
async fn twice_loaded_shares_no_state() {
    let tree = Tree::new(&[("capability.yaml", MANIFEST), ("tools/a.py", COUNTER)]);
    let (a, b) = (load(tree.path("")).await, load(tree.path("")).await);
    let mut counts = Vec::new();
    for host in [&a, &a, &b, &a] {
        counts.push(text(host, "bump").await);
    }
    assert_eq!(counts, ["1", "2", "1", "3"]);
    a.close().await;
    b.close().await;
}

#[tokio::test]
async fn edited_between_serves_the_new_code_and_the_old_host_the_old() {
    let say = |word: &str| {
        format!(
            "from dreadnode import tool\nfrom ._helper import END\n@tool\ndef say() -> str: return '{word}' + END\n"
        )
    };
    let tree = Tree::new(&[
        ("capability.yaml", MANIFEST),
        ("tools/a.py", &say("one")),
        ("tools/_helper.py", "END = 'x'\n"),
    ]);
    let first = load(tree.path("")).await;
    let mut said = vec![text(&first, "say").await];
    // Of equal size, and most likely within the same second.
    std::fs::write(tree.path("tools/a.py"), say("two")).expect("the file can be written");
    let second = load(tree.path("")).await;
    said.push(text(&second, "say").await);
    std::fs::write(tree.path("tools/_helper.py"), "END = 'y'\n").expect("the file can be written");
    let third = load(tree.path("")).await;
    said.push(text(&third, "say").await);
    said.push(text(&first, "say").await);
    assert_eq!(said, ["onex", "twox", "twoy", "onex"]);
    for host in [first, second, third] {
        host.close().await;
    }
}

#[tokio::test]
async fn same_module_names_do_not_meet_and_have_the_recorded_names() {
    let say = |word: &str| {
        format!("from dreadnode import tool\nfrom ._words import WORD\n@tool\ndef {word}() -> str: return WORD\n")
    };
    let named = |name: &str| MANIFEST.replace("counts", name);
    let tree = Tree::new(&[
        ("a/capability.yaml", &named("cap-a")),
        ("a/tools/say.py", &say("say")),
        ("a/tools/_words.py", "WORD = 'from a'"),
        ("b/capability.yaml", &named("cap-b")),
        ("b/tools/say.py", &say("say")),
        ("b/tools/_words.py", "WORD = 'from b'"),
    ]);
    let host = load(tree.path("")).await;
    let mut calls = Vec::new();
    for name in ["cap_a__say", "cap_b__say", "cap_a__say"] {
        calls.push(text(&host, name).await);
    }
    assert_eq!(calls, ["from a", "from b", "from a"]);
    host.close().await;
}
