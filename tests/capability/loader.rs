//! Every recorded load of a capability by dreadnode, against the host: the same tools under the same names with the same
//! descriptions and troubles, or others with the reason in the table.

use pegboard::{CapabilityHealth, Diagnostic, HealthStatus, Host, Severity};
use serde::Deserialize;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What dreadnode answered for one folder.
#[derive(Deserialize)]
struct Record {
    case: String,
    /// How its names were imported: dreadnode's own way does not work for all of them.
    imports: String,
    load: String,
    /// Absent where it found no tool because it raised.
    tools: Option<Vec<Tool>>,
    health: Vec<Component>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct Tool {
    name: String,
    description: String,
    wire_name: String,
}

#[derive(Deserialize)]
struct Component {
    status: HealthStatusOfRecord,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
enum HealthStatusOfRecord {
    Ok,
    Degraded,
    Error,
}

/// Where our answer is another one, and better.
#[derive(Deserialize)]
struct Difference {
    case: String,
    imports: Option<String>,
    because: String,
    tools: Vec<String>,
    /// Everything that is said, each as `severity code place`.
    findings: Vec<String>,
}

/// What the host answers for one folder.
struct Answer {
    tools: Vec<Tool>,
    status: HealthStatus,
    findings: Vec<String>,
}

#[tokio::test]
#[expect(
    clippy::print_stdout,
    reason = "the tally is what a reader of the test's output looks for"
)]
async fn every_record_is_answered_the_same_or_better() {
    let records: Vec<Record> = serde_json::from_str(include_str!("cases/loader.json")).expect("the records are JSON");
    let differences: Vec<Difference> =
        serde_json::from_str(include_str!("cases/loader_differences.json")).expect("the differences are JSON");
    let (mut passed, mut failed, mut told) = (0, String::new(), String::new());
    let mut used = 0;
    for record in &records {
        let answer = answer(&record.case).await;
        let difference = differences.iter().find(|difference| difference.applies_to(record));
        match difference {
            None if record.is_met_by(&answer) => passed += 1,
            Some(difference) if difference.is_met_by(&answer) && !record.is_met_by(&answer) => {
                used += 1;
                let _ = writeln!(told, "  {} ({}): {}", record.case, record.imports, difference.because);
            }
            _ => {
                let tools: Vec<_> = answer.tools.iter().map(|tool| &tool.name).collect();
                let _ = writeln!(
                    failed,
                    "  {} ({}): {:?} {tools:?} {:#?}",
                    record.case, record.imports, answer.status, answer.findings
                );
            }
        }
    }
    let failures = records.len() - passed - used;
    println!("{passed} passed, {used} differ on purpose, {failures} failed\n{told}");
    assert!(failed.is_empty(), "{failures} failed:\n{failed}");
    assert!(used >= differences.len(), "a difference is no longer one");
}

impl Record {
    fn is_met_by(&self, answer: &Answer) -> bool {
        let worst = self.health.iter().map(|component| component.status).max();
        let status = match worst.unwrap_or(HealthStatusOfRecord::Ok) {
            HealthStatusOfRecord::Ok => HealthStatus::Ok,
            HealthStatusOfRecord::Degraded => HealthStatus::Degraded,
            HealthStatusOfRecord::Error => HealthStatus::Error,
        };
        self.load == "ok" && self.tools.as_ref() == Some(&answer.tools) && status == answer.status
    }
}

impl Difference {
    fn applies_to(&self, record: &Record) -> bool {
        self.case == record.case && self.imports.as_ref().is_none_or(|imports| *imports == record.imports)
    }

    fn is_met_by(&self, answer: &Answer) -> bool {
        answer.tools.iter().map(|tool| &tool.name).eq(&self.tools) && answer.findings == self.findings
    }
}

async fn answer(case: &str) -> Answer {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/capability/cases/loader")
        .join(case);
    let host = Host::builder()
        .source(&folder)
        .build()
        .await
        .expect("the folder is a capability");
    let health = host.health();
    let answer = Answer {
        tools: tools(&host, health.first()),
        // A capability whose manifest cannot be used is in no report.
        status: health.first().map_or(HealthStatus::Error, |health| health.status),
        findings: host
            .diagnostics()
            .iter()
            .map(|diagnostic| finding(diagnostic, &folder))
            .collect(),
    };
    host.close().await;
    answer
}

fn tools(host: &Host, health: Option<&CapabilityHealth>) -> Vec<Tool> {
    let listed = health.into_iter().flat_map(|health| &health.tools);
    let tools: Vec<Tool> = listed
        .map(|tool| {
            let namespaced = tool.namespaced_name.clone().unwrap_or_default();
            let definition = host.tool(&tool.name).expect("a tool in the report is in the catalog");
            if !namespaced.is_empty() {
                let found = host.tool(&namespaced).expect("the namespaced name leads to the tool");
                assert_eq!(found.name, tool.name);
            }
            Tool {
                name: tool.name.clone(),
                description: definition.description.clone(),
                wire_name: namespaced,
            }
        })
        .collect();
    assert_eq!(tools.len(), host.tools().len(), "every tool is the capability's");
    tools
}

fn finding(diagnostic: &Diagnostic, folder: &Path) -> String {
    let severity = match diagnostic.severity {
        Severity::Info => "info",
        Severity::Warning => "warning",
        Severity::Error => "error",
    };
    let code = serde_json::to_value(diagnostic.code).expect("a code is a text");
    let path = diagnostic.path.as_ref().expect("a finding has a place");
    let path = path.strip_prefix(folder).unwrap_or(path).display();
    let line = diagnostic.line.map_or_else(String::new, |line| format!(":{line}"));
    format!("{severity} {} {path}{line}", code.as_str().expect("a code is a text"))
}
