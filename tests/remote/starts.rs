//! What a start comes to: tools beside each other, or one diagnostic.

use crate::{call, finding, host, peer};
use pegboard::{DiagnosticCode, Host, Provider, ServerDefinition, Severity, Transport};
use serde_json::json;
use std::time::Duration;

#[tokio::test]
async fn tools_of_two_servers_and_of_files_stand_in_one_catalog() {
    let tools = tempfile::tempdir().unwrap();
    let file = "from pegboard import tool\n\n@tool\ndef echo(text: str) -> str:\n    return 'python ' + text\n";
    std::fs::write(tools.path().join("own.py"), file).unwrap();
    let host = Host::builder()
        .source(tools.path())
        .server(peer("first", ""))
        .server(peer("second", ""))
        .build()
        .await
        .unwrap();
    for (name, expected) in [("echo", "python a"), ("first__echo", "a"), ("second__echo", "a")] {
        assert_eq!(call(&host, name, r#"{"text":"a"}"#).await.text, expected, "{name}");
    }
    assert_eq!(call(&host, "first__fail", "{}").await.text, "there is no such issue");
    let tool = host.tool("total").unwrap();
    assert_eq!(tool.source.server.as_deref(), Some("first"));
    let schema = json!({"type": "object", "properties": {"n": {"type": "array", "items": {"type": "integer"}}}});
    assert_eq!(tool.parameters_schema, schema);
    let exported = host.export(Provider::Mcp, &pegboard::ExportOptions::default()).unwrap();
    let exported = exported.tools.iter().find(|tool| tool["name"] == "total").unwrap();
    assert_eq!(exported["inputSchema"], schema);
    host.close().await;
}

#[tokio::test]
async fn rules_hold_for_servers_too() {
    let host = Host::builder()
        .server(peer("peer", ""))
        .tool_rules([("*", false), ("peer__echo", true)])
        .build()
        .await
        .unwrap();
    let names: Vec<String> = host.tools().iter().map(|tool| tool.name.clone()).collect();
    assert_eq!(names, ["echo"]);
    host.close().await;
}

#[tokio::test]
async fn a_server_that_does_not_start_costs_itself_alone() {
    let silent = ServerDefinition {
        start_timeout: Some(Duration::from_millis(300)),
        ..peer("silent", "silent")
    };
    let mut missing = peer("missing", "");
    if let Transport::Stdio { command, .. } = &mut missing.transport {
        *command = "there-is-no-such-program".to_owned();
    }
    let host = host([peer("gone", "exit"), silent, missing, peer("good", "")]).await;
    assert_eq!(call(&host, "echo", r#"{"text":"a"}"#).await.text, "a");
    let diagnostics = host.diagnostics();
    let message = |name: &str| {
        let named = format!("the MCP server {name:?}");
        let mut found = diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.message.starts_with(&named));
        let only = found.next().unwrap();
        assert!(found.next().is_none(), "{diagnostics:?}");
        assert_eq!(
            (only.code, only.severity),
            (DiagnosticCode::ServerNotStarted, Severity::Error)
        );
        only.message.clone()
    };
    let gone = message("gone");
    assert!(
        gone.contains("exit status 3") && gone.contains("no configuration was found"),
        "{gone}"
    );
    assert!(message("silent").contains("did not answer within 0.3 s"));
    assert!(message("missing").contains("there-is-no-such-program"));
    host.close().await;
}

#[tokio::test]
async fn a_variable_without_value_is_named_and_others_are_put_in() {
    let with = |name: &str, value: &str| {
        let mut server = peer(name, "");
        if let Transport::Stdio { environment, .. } = &mut server.transport {
            environment.insert("GIVEN".to_owned(), value.to_owned());
        }
        server
    };
    let lacking = with("lacking", "${PEGBOARD_TEST_SURELY_NOT_SET}");
    let host = host([lacking, with("given", "<${PEGBOARD_TEST_SURELY_NOT_SET:-default}>")]).await;
    assert!(finding(&host, DiagnosticCode::ServerNotStarted).contains("PEGBOARD_TEST_SURELY_NOT_SET"));
    assert_eq!(
        call(&host, "environment", r#"{"text":"GIVEN"}"#).await.text,
        "<default>"
    );
    host.close().await;
}

#[tokio::test]
async fn garbage_and_megabytes_beside_messages_do_no_harm() {
    let host = host([peer("garbage", "garbage"), peer("chatty", "chatty")]).await;
    for name in ["garbage__echo", "chatty__echo"] {
        assert_eq!(
            call(&host, name, r#"{"text":"a"}"#).await.text,
            "a",
            "{name}: {:?}",
            host.diagnostics()
        );
    }
    host.close().await;
}

#[tokio::test]
async fn a_sloppy_tool_costs_itself_and_a_sloppy_schema_only_its_judgement() {
    let host = host([peer("sloppy", "sloppy")]).await;
    assert!(finding(&host, DiagnosticCode::ServerToolInvalid).contains("broken"));
    assert!(host.tool("odd").is_ok() && host.tool("broken").is_err());
    assert_eq!(call(&host, "echo", r#"{"text":"a"}"#).await.text, "a");
    host.close().await;
}

#[tokio::test]
async fn a_file_of_servers_is_a_source() {
    let folder = tempfile::tempdir().unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/remote/cases/peer.py");
    let servers = json!({"mcpServers": {"filed": {"command": "python3", "args": [script], "timeout": 7}}});
    let file = folder.path().join(".mcp.json");
    std::fs::write(&file, servers.to_string()).unwrap();
    let as_source = Host::builder().source(&file).build().await.unwrap();
    let as_option = Host::builder().mcp(file.to_string_lossy()).build().await.unwrap();
    let as_command = Host::builder()
        .mcp(format!("python3 '{script}'"))
        .build()
        .await
        .unwrap();
    for host in [as_source, as_option, as_command] {
        assert_eq!(call(&host, "echo", r#"{"text":"a"}"#).await.text, "a");
        host.close().await;
    }
    let unstarted = Host::builder()
        .source(&file)
        .start_servers(false)
        .build()
        .await
        .unwrap();
    assert!(unstarted.tools().is_empty());
}

#[tokio::test]
async fn servers_that_files_define_otherwise_later_are_told_of_and_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(".mcp.json");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/remote/cases/peer.py");
    let define = |servers: &[(&str, &str)]| {
        let servers: serde_json::Map<_, _> = servers
            .iter()
            .map(|(name, mode)| {
                let server = json!({"command": "python3", "args": [script, mode]});
                ((*name).to_owned(), server)
            })
            .collect();
        std::fs::write(&file, json!({"mcpServers": servers}).to_string()).unwrap();
    };
    define(&[("same", ""), ("edited", ""), ("removed", "")]);
    let host = Host::builder()
        .source(&file)
        .mcp("there-is-no-such-program")
        .build()
        .await
        .unwrap();
    let told = |host: &Host| -> Vec<String> {
        let warnings = host.diagnostics();
        let warnings = warnings.iter().filter(|one| one.severity == Severity::Warning);
        warnings.map(|one| one.message.clone()).collect()
    };
    let faults = |host: &Host| {
        host.diagnostics()
            .iter()
            .filter(|one| one.severity == Severity::Error)
            .count()
    };
    assert_eq!((told(&host), faults(&host)), (Vec::new(), 1));
    assert!(!host.reload().await.unwrap());

    define(&[("same", ""), ("edited", "slow"), ("added", "")]);
    assert!(host.reload().await.unwrap());
    let of = |name: &str, change: &str| format!("the MCP server \"{name}\" {change}: a reload leaves servers alone");
    let expected = [
        of("added", "was added and is not started"),
        of("edited", "was changed and still runs as it was"),
        of("removed", "was taken away and still runs"),
    ];
    assert_eq!((told(&host), faults(&host)), (expected.to_vec(), 1));
    assert_eq!(call(&host, "removed__echo", r#"{"text":"a"}"#).await.text, "a");

    define(&[("same", ""), ("edited", ""), ("removed", "")]);
    assert!(host.reload().await.unwrap());
    assert_eq!((told(&host), faults(&host)), (Vec::new(), 1));
    host.close().await;
}
