//! dreadnode's toolsets in a host: what they offer, when their contexts are entered and left, what cannot be built.

use super::{call, host, tools, value};
use pegboard::{Call, DiagnosticCode, Error, Host};
use serde_json::json;
use std::fs;

#[tokio::test]
async fn a_context_is_entered_once_on_first_use_and_left_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("contexts.py");
    fs::copy(tools("dreadnode_toolsets").join("contexts.py"), &file).unwrap();
    let host = Host::builder().source(&file).build().await.unwrap();
    let notes = || fs::read_to_string(folder.path().join("notes.txt")).unwrap_or_default();
    assert_eq!(notes(), "", "nothing is entered before it is used");
    let (first, second) = tokio::join!(
        call(&host, "query", r#"{"table":"users"}"#),
        call(&host, "query", r#"{"table":"hosts"}"#)
    );
    assert_eq!((first.text(), second.text()), ("users: 1", "hosts: 1"));
    assert_eq!(value(&host, "tables", "{}").await, json!(["users"]));
    assert_eq!(value(&host, "session", "{}").await, json!(1));
    assert_eq!(value(&host, "session", "{}").await, json!(1));
    assert_eq!(notes(), "Query entered\nSession entered\n");
    assert!(host.close().await.is_empty());
    assert_eq!(notes(), "Query entered\nSession entered\nSession left\nQuery left\n");
}

#[tokio::test]
async fn toolsets_offer_what_their_classes_and_instances_say() {
    let host = host("dreadnode_toolsets").await;
    let names: Vec<_> = host.tools().iter().map(|tool| tool.name.clone()).collect();
    for (tool, arguments, expected) in [
        ("inc", r#"{"by":2}"#, json!(2)),
        ("inc", r#"{"by":3}"#, json!(5)),
        ("look", "{}", json!("look")),
        ("act", "{}", json!("child")),
        ("keep", "{}", json!("kept")),
        ("add", "{}", json!(42)),
        ("made", r#"{"text":"a"}"#, json!("A")),
        ("own", "{}", json!("own")),
        ("label_of", "{}", json!("an instance")),
    ] {
        assert_eq!(value(&host, tool, arguments).await, expected, "{tool}");
        assert_eq!(names.iter().filter(|name| *name == tool).count(), 1, "{tool}");
    }
    assert!(!names.contains(&"change".to_owned()), "another variant's");
    let inc = host.tool("inc").unwrap();
    let parameters: Vec<_> = inc.parameters_schema["properties"]
        .as_object()
        .unwrap()
        .keys()
        .collect();
    assert_eq!(parameters, ["by"]);
    assert_eq!(inc.source.toolset.as_deref(), Some("Counter"));
    host.close().await;
}

#[tokio::test]
async fn a_tool_of_a_toolset_that_cannot_be_built_is_told_with_the_field() {
    let host = host("dreadnode_toolsets").await;
    for (tool, code, words) in [
        ("get", DiagnosticCode::ToolsetFieldRequired, "NeedsUrl needs url"),
        ("misplaced", DiagnosticCode::DecoratorMisplaced, "Plain.misplaced"),
    ] {
        match host.call(Call::new(tool, "{}")).await {
            Err(Error::ToolNotLoaded { diagnostic, .. }) => {
                assert_eq!(diagnostic.code, code, "{diagnostic}");
                assert!(diagnostic.message.contains(words), "{diagnostic}");
                assert!(diagnostic.line.is_some() && diagnostic.hint.is_some(), "{diagnostic:?}");
            }
            other => panic!("{tool}: {other:?}"),
        }
    }
    host.close().await;
}
