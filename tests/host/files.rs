//! Files as authors write them: late annotations, documented parameters, aliases, recursion, imports, slow imports.

use super::{call, host, tools, value};
use pegboard::{DiagnosticCode, ExportOptions, FailureKind, Host, Limits, Provider};
use serde_json::{Value, json};
use std::fs;
use std::time::Duration;

fn schema(host: &Host, tool: &str) -> Value {
    host.tool(tool).unwrap().parameters_schema.clone()
}

#[tokio::test]
async fn late_annotations_change_nothing_and_cost_no_more_than_they_must() {
    let host = host("dreadnode_files").await;
    let later = schema(&host, "run_later");
    assert_eq!(later.to_string(), schema(&host, "run_now").to_string());
    assert_eq!(later["required"], json!(["job"]));
    assert_eq!(
        value(&host, "run_later", r#"{"job":{"name":"scan"}}"#).await,
        json!("scan")
    );
    let diagnostics = host.diagnostics();
    let found = |code| {
        diagnostics
            .iter()
            .filter(move |found| found.code == code)
            .collect::<Vec<_>>()
    };
    let [unresolved] = found(DiagnosticCode::ParameterUnresolved)[..] else {
        panic!("{:?}", host.diagnostics());
    };
    assert_eq!(unresolved.tools, ["lost"]);
    assert!(
        unresolved.message.contains("price") && unresolved.message.contains("Decimal"),
        "{unresolved}"
    );
    assert!(unresolved.line.is_some());
    assert_eq!(found(DiagnosticCode::ReturnUnresolved).len(), 1);
    host.close().await;
}

#[tokio::test]
async fn every_way_to_describe_a_parameter_reaches_the_model() {
    let text = fs::read_to_string(tools("dreadnode_files").join("documented.py")).unwrap();
    let mode = "One of:\n- \"fast\": quick\n- \"deep\": slow";
    for (dialect, description, mode, lim) in [
        ("pegboard", "Run it.", json!(mode), json!("upper bound")),
        // dreadnode's own schema takes no text from docstrings; there, the description keeps it all.
        (
            "dreadnode",
            "Run it.\n\nArgs:\n    mode (str): One of:\n        - \"fast\": quick\n        - \"deep\": slow\n\
             Keyword Args:\n    lim: upper bound",
            Value::Null,
            Value::Null,
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("documented.py");
        fs::write(
            &file,
            text.replace("from dreadnode import", &format!("from {dialect} import")),
        )
        .unwrap();
        let host = Host::builder().source(&file).build().await.unwrap();
        let go = host.tool("go").unwrap();
        assert_eq!(go.source.dialect, dialect);
        assert_eq!(go.description, description);
        let properties = &go.parameters_schema["properties"];
        assert_eq!(
            (&properties["mode"]["description"], &properties["lim"]["description"]),
            (&mode, &lim)
        );
        assert_eq!(properties["n"]["description"], "how many");
        assert_eq!(properties["n"]["minimum"], 1);
        host.close().await;
    }
}

#[tokio::test]
async fn an_alias_is_the_name_outside_and_the_own_name_is_mended() {
    let host = host("dreadnode_files").await;
    let schema = schema(&host, "outside");
    assert_eq!(schema["required"], json!(["externalX"]));
    let outside = call(&host, "outside", r#"{"externalX":3}"#).await;
    assert_eq!((outside.text(), outside.repairs.len()), ("3", 0));
    let own = call(&host, "outside", r#"{"x":3}"#).await;
    assert_eq!((own.text(), own.repairs.len()), ("3", 1));
    let wrong = call(&host, "outside", r#"{"externalX":0}"#).await;
    assert_eq!(wrong.failure.unwrap().problems[0].pointer, "/externalX");
    host.close().await;
}

#[tokio::test]
async fn a_recursive_type_is_described_and_called_to_a_depth() {
    let host = host("dreadnode_files").await;
    for provider in [
        Provider::OpenAi,
        Provider::OpenAiResponses,
        Provider::Anthropic,
        Provider::Gemini,
        Provider::Bedrock,
        Provider::Mcp,
    ] {
        let export = host.export(provider, &ExportOptions::default()).unwrap();
        assert!(
            serde_json::to_string(&export.tools).unwrap().contains("walk"),
            "{provider:?}"
        );
    }
    assert_eq!(
        value(&host, "walk", r#"{"root":{"kids":[{"kids":[]},{}]}}"#).await,
        json!(3)
    );
    let deep = format!(r#"{{"root":{}{{}}{}}}"#, r#"{"kids":["#.repeat(200), "]}".repeat(200));
    let refused = call(&host, "walk", &deep).await.failure.unwrap();
    assert_eq!(refused.kind, FailureKind::InvalidArguments);
    assert!(refused.to_string().contains("deep"), "{refused}");
    host.close().await;
}

#[tokio::test]
async fn siblings_and_the_project_are_imported_from_anywhere() {
    let host = host("imports/project").await;
    for (tool, expected) in [
        ("sibling", json!(1)),
        ("root", json!([3, 3, 6])),
        ("relative", json!(2)),
    ] {
        assert_eq!(value(&host, tool, "{}").await, expected, "{tool}");
    }
    host.close().await;
}

#[tokio::test]
async fn a_class_of_a_tool_file_can_be_found_by_its_module() {
    let host = host("identity").await;
    assert_eq!(value(&host, "is_registered", "{}").await, json!(true));
    host.close().await;
}

#[tokio::test]
async fn a_method_named_like_a_builtin_shadows_no_annotation() {
    let host = host("toolsets").await;
    assert_eq!(schema(&host, "add")["properties"]["xs"]["items"]["type"], "integer");
    assert_eq!(value(&host, "list", "{}").await, json!("listed"));
    host.close().await;
}

#[tokio::test]
async fn a_file_that_takes_too_long_to_import_costs_only_itself() {
    let limits = Limits {
        import_timeout: Duration::from_millis(500),
        ..Limits::default()
    };
    let host = Host::builder()
        .source(tools("slow"))
        .limits(limits)
        .build()
        .await
        .unwrap();
    let names: Vec<_> = host.tools().iter().map(|tool| tool.name.clone()).collect();
    assert_eq!(names, ["quick"]);
    let diagnostics = host.diagnostics();
    let late: Vec<_> = diagnostics
        .iter()
        .filter(|found| found.code == DiagnosticCode::ImportTimedOut)
        .map(|found| found.path.as_ref().unwrap().file_name().unwrap().to_str().unwrap())
        .collect();
    assert_eq!(late, ["a_sleeps.py", "b_spins.py"]);
    host.close().await;
}
