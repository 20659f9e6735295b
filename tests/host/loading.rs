//! What cannot be loaded costs only itself and is said with its place.

use super::tools;
use pegboard::{Call, DiagnosticCode, Error, Host, Severity};

#[tokio::test]
#[expect(clippy::print_stdout, reason = "the block is run as it is published")]
async fn the_design_block_runs_as_written() -> pegboard::Result<()> {
    let host = Host::builder().source("examples/intel").build().await?;
    for tool in host.tools() {
        println!("{}: {}", tool.name, tool.description);
    }
    let outcome = host
        .call(Call::new("lookup_indicator", r#"{"indicator":"198.51.100.7"}"#))
        .await?;
    println!("{}", outcome.text());
    assert!(outcome.text().contains("198.51.100.7"));
    host.close().await;
    Ok(())
}

#[tokio::test]
async fn a_broken_file_costs_only_itself() {
    let host = Host::builder().source(tools("broken")).build().await.unwrap();
    let names: Vec<_> = host.tools().iter().map(|tool| tool.name.clone()).collect();
    assert_eq!(names, ["good"]);
    let errors: Vec<_> = host
        .diagnostics()
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
        .map(|diagnostic| {
            let file = diagnostic
                .path
                .as_ref()
                .unwrap()
                .file_name()
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            (file, diagnostic.code, diagnostic.line)
        })
        .collect();
    assert_eq!(
        errors,
        [
            ("dependency.py".to_owned(), DiagnosticCode::MissingDependency, Some(3)),
            ("exits.py".to_owned(), DiagnosticCode::ExitedAtImport, Some(5)),
            ("raises.py".to_owned(), DiagnosticCode::ImportFailed, Some(3)),
            ("rejected.py".to_owned(), DiagnosticCode::ParameterUnresolved, Some(7)),
            ("syntax.py".to_owned(), DiagnosticCode::SyntaxError, Some(4)),
            ("unbuildable.py".to_owned(), DiagnosticCode::ToolsetNotBuilt, Some(11)),
        ]
    );
    match host.call(Call::new("needs_package", "{}")).await {
        Err(Error::ToolNotLoaded { diagnostic, .. }) => {
            assert_eq!(diagnostic.code, DiagnosticCode::MissingDependency);
        }
        other => panic!("{other:?}"),
    }
    host.close().await;
}

#[tokio::test]
async fn a_source_that_does_not_exist_is_an_error() {
    match Host::builder().source(tools("nowhere")).build().await {
        Err(Error::Source { path, .. }) => assert!(path.ends_with("nowhere")),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_empty_directory_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let host = Host::builder().source(folder.path()).build().await.unwrap();
    assert!(host.tools().is_empty());
    assert_eq!(host.diagnostics()[0].code, DiagnosticCode::EmptySource);
    host.close().await;
}

#[tokio::test]
async fn of_two_tools_with_one_name_the_first_is_offered() {
    let host = Host::builder().source(tools("duplicate")).build().await.unwrap();
    assert_eq!(host.call(Call::new("good", "{}")).await.unwrap().text(), "A");
    let diagnostics = host.diagnostics();
    let duplicate = diagnostics
        .iter()
        .find(|found| found.code == DiagnosticCode::DuplicateTool)
        .unwrap();
    assert!(duplicate.path.as_ref().unwrap().ends_with("b.py"), "{duplicate}");
    assert!(duplicate.message.contains("a.py:"), "{duplicate}");
    host.close().await;
}
