//! Capabilities in a host: their environment, flags, checks, secrets, names and rules, and the report on them.

use crate::Tree;
use pegboard::{
    Call, CapabilityHealth, Diagnostic, DiagnosticCode, Error, FlagLayer, HealthStatus, Host, HostBuilder, Severity,
};

/// For two capabilities whose files have equal names: tools that tell their environment at import and now.
const FILE: &str = r#"
import os
from dreadnode import tool
from runtime.client import NAME, PREFIX

ROOT = os.environ["CAPABILITY_ROOT"]
VARIABLE = f"CAPABILITY_FLAG__{PREFIX}_{NAME.upper()}__QUICK"
FLAG = os.environ.get(VARIABLE)

@tool
def say() -> str:
    return f"from {NAME}"

@tool
def root() -> str:
    return f"{os.path.basename(ROOT)} {os.path.basename(os.environ['CAPABILITY_ROOT'])}"

@tool
def flag() -> str:
    return f"{FLAG} {os.environ.get(VARIABLE)}"
"#;

fn manifest(name: &str, rest: &str) -> String {
    format!("schema: 1\nname: {name}\nversion: 1.0.0\ndescription: Says.\n{rest}")
}

/// Named `{prefix}-a`, with a flag, and `{prefix}-b`. Variables are the process's, so a test that looks at those of flags
/// has names of its own.
fn two_capabilities(prefix: &str) -> Tree {
    let client = |name: &str| format!("NAME = '{name}'\nPREFIX = '{}'", prefix.to_uppercase());
    let flags = "flags:\n  quick: {description: Goes fast.}\n";
    Tree::new(&[
        ("a/capability.yaml", &manifest(&format!("{prefix}-a"), flags)),
        ("a/runtime/client.py", &client("a")),
        ("a/tools/say.py", FILE),
        ("b/capability.yaml", &manifest(&format!("{prefix}-b"), "")),
        ("b/runtime/client.py", &client("b")),
        ("b/tools/say.py", FILE),
    ])
}

async fn build(builder: HostBuilder) -> Host {
    builder.build().await.expect("the host starts")
}

async fn text(host: &Host, tool: &str) -> String {
    let outcome = host.call(Call::new(tool, "{}")).await.expect("the tool exists");
    assert!(outcome.is_success(), "{tool}: {:?}", outcome.failure);
    outcome.text
}

fn found(host: &Host, code: DiagnosticCode) -> Vec<Diagnostic> {
    host.diagnostics()
        .iter()
        .filter(|diagnostic| diagnostic.code == code)
        .cloned()
        .collect()
}

fn names(host: &Host) -> Vec<String> {
    host.tools().iter().map(|tool| tool.name.clone()).collect()
}

fn only(host: &Host) -> CapabilityHealth {
    let mut health = host.health();
    assert_eq!(health.len(), 1, "{health:?}");
    health.remove(0)
}

#[tokio::test]
async fn tools_of_one_name_in_two_capabilities_are_both_reachable() {
    let tree = two_capabilities("cap");
    let host = build(Host::builder().source(&tree.root)).await;
    assert_eq!(
        names(&host),
        ["say", "root", "flag", "cap_b__say", "cap_b__root", "cap_b__flag"]
    );
    for (name, expected) in [("say", "from a"), ("cap_a__say", "from a"), ("cap_b__say", "from b")] {
        assert_eq!(text(&host, name).await, expected, "{name}");
    }
    let moved = found(&host, DiagnosticCode::DuplicateTool);
    assert_eq!(moved.len(), 3);
    assert!(
        moved
            .iter()
            .all(|diagnostic| diagnostic.severity == Severity::Info && diagnostic.message.contains("\"cap_b__"))
    );
    let health = host.health();
    let listed: Vec<_> = health[1].tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(listed, ["cap_b__say", "cap_b__root", "cap_b__flag"]);
    assert_eq!(health[0].tools[0].namespaced_name.as_deref(), Some("cap_a__say"));
    assert_eq!(health[1].status, HealthStatus::Ok);
    host.close().await;
}

#[tokio::test]
async fn a_name_of_a_plain_file_is_kept_and_a_later_capability_gives_way() {
    let tree = Tree::new(&[
        (
            "plain/say.py",
            "from pegboard import tool\n@tool\ndef say() -> str: return 'plain'",
        ),
        ("cap/capability.yaml", &manifest("cap", "")),
        (
            "cap/tools/say.py",
            "from pegboard import tool\n@tool\ndef say() -> str: return 'cap'\n@tool(name='say')\ndef again() -> str: return ''",
        ),
    ]);
    let host = build(Host::builder().source(tree.path("plain")).source(tree.path("cap"))).await;
    assert_eq!(names(&host), ["say", "cap__say"]);
    assert_eq!(
        (text(&host, "say").await, text(&host, "cap__say").await),
        ("plain".to_owned(), "cap".to_owned())
    );
    // Two of one capability stay a fault.
    let severities: Vec<_> = found(&host, DiagnosticCode::DuplicateTool)
        .iter()
        .map(|diagnostic| diagnostic.severity)
        .collect();
    assert_eq!(severities, [Severity::Info, Severity::Error]);
    host.close().await;
}

#[tokio::test]
async fn each_capability_sees_its_own_root_and_flags_at_import_and_in_a_call() {
    let tree = two_capabilities("own");
    let host = build(Host::builder().source(&tree.root).flag("own-a", "quick", true)).await;
    assert_eq!(text(&host, "root").await, "a a");
    assert_eq!(text(&host, "own_b__root").await, "b b");
    assert_eq!(text(&host, "flag").await, "1 1");
    assert_eq!(text(&host, "own_b__flag").await, "None None");
    let flags = &host.health()[0].flags;
    assert_eq!((flags[0].is_on, flags[0].layer), (true, FlagLayer::Run));
    host.close().await;
}

#[tokio::test]
async fn a_choice_for_this_run_goes_over_a_kept_one_and_an_unknown_one_is_said() {
    let tree = Tree::new(&[
        (
            "capability.yaml",
            &manifest(
                "kept",
                "flags:\n  one: {description: One.}\n  two: {description: Two.}\n",
            ),
        ),
        ("tools/a.py", ""),
    ]);
    let host = build(
        Host::builder()
            .source(&tree.root)
            .kept_flag("kept", "one", true)
            .kept_flag("kept", "two", true)
            .kept_flag("other", "flag", true)
            .flag("kept", "two", false)
            .flag("kept", "tow", true),
    )
    .await;
    let states: Vec<_> = only(&host).flags.iter().map(|flag| (flag.is_on, flag.layer)).collect();
    assert_eq!(states, [(true, FlagLayer::Kept), (false, FlagLayer::Run)]);
    let [unknown] = &found(&host, DiagnosticCode::FlagUnknown)[..] else {
        panic!("{:?}", host.diagnostics());
    };
    assert!(unknown.message.contains("\"tow\""), "{unknown}");
    host.close().await;
}

#[tokio::test]
async fn checks_secrets_and_servers_are_in_the_report() {
    let rest = "checks:\n  - {name: passes, command: 'test -d tools'}\n  - {name: fails, command: 'echo no nmap >&2; exit 1'}\n\
                secrets: [{name: PEGBOARD_TEST_UNSET, description: For the feed.}, {name: PEGBOARD_TEST_OTHER, optional: true}]\n\
                dependencies:\n  python: [requests]\n\
                flags:\n  remote: {description: Far.}\n\
                mcp:\n  servers:\n    near: {command: node}\n    far: {url: 'https://x.example/mcp', when: [remote]}\n";
    let tree = Tree::new(&[
        ("capability.yaml", &manifest("intel", rest)),
        (
            "tools/a.py",
            "from pegboard import tool\n@tool\ndef look() -> str: return ''",
        ),
    ]);
    let host = build(Host::builder().source(&tree.root).start_servers(false)).await;
    let health = only(&host);
    assert_eq!(health.status, HealthStatus::Degraded);
    assert_eq!(health.checks[0].problem, None);
    assert_eq!(health.checks[1].problem.as_deref(), Some("no nmap"));
    let secrets: Vec<_> = health.secrets.iter().map(|secret| secret.is_present).collect();
    assert_eq!(secrets, [false, false]);
    let servers: Vec<_> = health
        .servers
        .iter()
        .map(|server| (server.definition.name.as_str(), server.is_active))
        .collect();
    assert_eq!(servers, [("far", false), ("near", true)]);
    assert_eq!(health.dependencies.python, ["requests"]);
    assert!(
        found(&host, DiagnosticCode::CheckFailed)[0]
            .message
            .ends_with("no nmap")
    );
    let [missing] = &found(&host, DiagnosticCode::SecretMissing)[..] else {
        panic!("{:?}", host.diagnostics());
    };
    assert!(
        missing.message.contains("PEGBOARD_TEST_UNSET (For the feed.)"),
        "{missing}"
    );
    assert_eq!(health.diagnostics.len(), 2);
    let json = serde_json::to_value(&health).expect("the report is data");
    assert_eq!(json["status"], "degraded");
    assert_eq!(json["servers"][1]["transport"]["stdio"]["command"], "node");
    assert_eq!(json["flags"][0]["name"], "remote");
    host.close().await;
}

#[tokio::test]
async fn checks_are_left_out_where_nobody_wants_them() {
    let tree = Tree::new(&[
        (
            "capability.yaml",
            &manifest("intel", "checks:\n  - {name: marks, command: 'touch ran'}\n"),
        ),
        ("tools/a.py", ""),
    ]);
    let host = build(Host::builder().source(&tree.root).run_checks(false)).await;
    assert!(only(&host).checks.is_empty());
    assert!(!tree.path("ran").exists());
    host.close().await;
    build(Host::builder().source(&tree.root)).await.close().await;
    assert!(tree.path("ran").exists());
}

#[tokio::test]
async fn rules_decide_by_own_and_namespaced_names() {
    let tree = two_capabilities("cap");
    for (rules, expected) in [
        (
            &[("*", true), ("root", false), ("flag", false)][..],
            &["say", "cap_b__say"][..],
        ),
        (&[("*", false), ("cap_b__*", true)], &["say", "root", "flag"]),
        (&[("cap_a__*", false), ("sya", false)], &["say", "root", "flag"]),
    ] {
        let host = build(Host::builder().source(&tree.root).tool_rules(rules.iter().copied())).await;
        assert_eq!(names(&host), expected, "{rules:?}");
        let unmatched = found(&host, DiagnosticCode::RuleUnmatched);
        assert_eq!(
            unmatched.len(),
            usize::from(rules.iter().any(|(pattern, _)| *pattern == "sya"))
        );
        assert_eq!(found(&host, DiagnosticCode::ToolExcluded).len(), 6 - expected.len());
        host.close().await;
    }
    let host = build(Host::builder().source(tree.path("a")).tool_rules([("say", false)])).await;
    match host.call(Call::new("say", "{}")).await {
        Err(Error::ToolNotLoaded { diagnostic, .. }) => assert_eq!(diagnostic.code, DiagnosticCode::ToolExcluded),
        other => panic!("{other:?}"),
    }
    host.close().await;
}

#[tokio::test]
async fn capabilities_beside_the_project_are_searched_for_and_hidden_by_sources() {
    let tree = Tree::new(&[
        (".git/HEAD", ""),
        ("named/capability.yaml", &manifest("one", "")),
        (
            "named/tools/a.py",
            "from pegboard import tool\n@tool\ndef where() -> str: return 'named'",
        ),
        (".dreadnode/capabilities/x/capability.yaml", &manifest("one", "")),
        (
            ".dreadnode/capabilities/x/tools/a.py",
            "from pegboard import tool\n@tool\ndef where() -> str: return 'searched'",
        ),
        (".dreadnode/capabilities/y/capability.yaml", &manifest("two", "")),
        (
            ".dreadnode/capabilities/y/tools/b.py",
            "from pegboard import tool\n@tool\ndef other() -> str: return 'searched'",
        ),
        (".dreadnode/capabilities/stray.py", "raise SystemExit"),
    ]);
    let builder = Host::builder().source(tree.path("named")).working_directory(&tree.root);
    let host = build(builder.search_capabilities()).await;
    assert_eq!(text(&host, "where").await, "named");
    assert_eq!(text(&host, "other").await, "searched");
    let [hidden] = &found(&host, DiagnosticCode::DuplicateCapability)[..] else {
        panic!("{:?}", host.diagnostics());
    };
    assert_eq!(hidden.severity, Severity::Info);
    host.close().await;
}

#[tokio::test]
async fn a_capability_with_a_file_that_fails_is_reported_as_such() {
    let tree = Tree::new(&[
        ("caps/a/capability.yaml", &manifest("fails", "")),
        ("caps/a/tools/a.py", "import pegboard_has_no_such_package"),
        ("caps/b/capability.yaml", &manifest("works", "")),
        (
            "caps/b/tools/a.py",
            "from pegboard import tool\n@tool\ndef fine() -> str: return ''",
        ),
    ]);
    let host = build(Host::builder().source(tree.path("caps"))).await;
    let health = host.health();
    let states: Vec<_> = health
        .iter()
        .map(|health| (health.name.as_str(), health.status))
        .collect();
    assert_eq!(states, [("fails", HealthStatus::Error), ("works", HealthStatus::Ok)]);
    assert_eq!(health[0].diagnostics[0].code, DiagnosticCode::MissingDependency);
    host.close().await;
}
