//! Owns the health report: what each capability brought, what it needs, and what is wrong with it, as plain data.
//!
//! Must not find anything out by itself: discovery, checks, catalog and diagnostics have done that.

use super::catalog::Catalog;
use crate::capability::{Capability, CheckOutcome, Dependencies, Flag, Secret};
use crate::diagnostic::{Diagnostic, DiagnosticCode, Severity};
use crate::model::{ServerDefinition, ToolName};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// How one capability is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CapabilityHealth {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// What it is for.
    pub description: String,
    /// Its directory.
    pub root: PathBuf,
    /// The worst of what was found about it.
    pub status: HealthStatus,
    /// Its tools that are offered.
    pub tools: Vec<CapabilityTool>,
    /// Its flags, how they stand and who decided that.
    pub flags: Vec<Flag>,
    /// How its checks ended; empty if they were not run.
    pub checks: Vec<CheckOutcome>,
    /// The secrets that it names, and whether they are set.
    pub secrets: Vec<Secret>,
    /// What it says has to be installed; nothing is installed.
    pub dependencies: Dependencies,
    /// The MCP servers that it brings.
    pub servers: Vec<CapabilityServer>,
    /// Everything that was found about it and its files.
    pub diagnostics: Vec<Diagnostic>,
}

/// The worst of what was found about a capability.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HealthStatus {
    /// Nothing is wrong.
    Ok,
    /// Something works less well than its author meant: a warning, a failed check, a secret that is not set.
    Degraded,
    /// A file, class or tool was not loaded.
    Error,
}

/// A tool of a capability.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CapabilityTool {
    /// The name that it is listed under.
    pub name: ToolName,
    /// Its name with the capability's in front, under which it is always found, too; `None` if that is too long.
    pub namespaced_name: Option<String>,
}

/// An MCP server of a capability.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CapabilityServer {
    /// How it is reached.
    #[serde(flatten)]
    pub definition: ServerDefinition,
    /// Whether no flag holds it back.
    pub is_active: bool,
}

impl From<Severity> for HealthStatus {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Info => Self::Ok,
            Severity::Warning => Self::Degraded,
            Severity::Error => Self::Error,
        }
    }
}

/// What the host says about checks that failed.
pub fn failed_checks(outcomes: &[(Capability, Vec<CheckOutcome>)]) -> Vec<Diagnostic> {
    let diagnostic = |capability: &Capability, name: &str, problem: &str| {
        let message = format!(
            "the check {name:?} of the capability {:?} failed: {problem}",
            capability.name
        );
        let hint = capability.checks.iter().find(|check| check.name == name);
        let hint = hint.map(|check| format!("its command is `{}`", check.command));
        Diagnostic {
            hint,
            ..Diagnostic::new(DiagnosticCode::CheckFailed, Severity::Warning, message).at(capability.manifest())
        }
    };
    outcomes
        .iter()
        .flat_map(|(capability, outcomes)| outcomes.iter().map(move |outcome| (capability, outcome)))
        .filter_map(|(capability, outcome)| Some(diagnostic(capability, &outcome.name, outcome.problem.as_ref()?)))
        .collect()
}

/// The report on capabilities, in the order in which they were found.
pub fn report(
    capabilities: Vec<Capability>,
    mut checks: Vec<(Capability, Vec<CheckOutcome>)>,
    catalog: &Catalog,
    diagnostics: &[Diagnostic],
) -> Vec<CapabilityHealth> {
    let roots: Vec<PathBuf> = capabilities.iter().map(|capability| capability.root.clone()).collect();
    let one = |capability: Capability| {
        let about = |diagnostic: &&Diagnostic| owner(diagnostic, &roots) == Some(capability.root.as_path());
        let diagnostics: Vec<Diagnostic> = diagnostics.iter().filter(about).cloned().collect();
        let worst = diagnostics
            .iter()
            .map(|diagnostic| HealthStatus::from(diagnostic.severity))
            .max();
        let checks = checks
            .iter_mut()
            .find(|(checked, _)| checked.root == capability.root)
            .map(|(_, outcomes)| std::mem::take(outcomes));
        let active: Vec<String> = capability.active_servers().map(|server| server.name.clone()).collect();
        CapabilityHealth {
            status: worst.unwrap_or(HealthStatus::Ok),
            tools: catalog.tools_of(&capability.name),
            checks: checks.unwrap_or_default(),
            servers: capability
                .servers
                .into_iter()
                .map(|definition| CapabilityServer {
                    is_active: active.contains(&definition.name),
                    definition,
                })
                .collect(),
            name: capability.name,
            version: capability.version,
            description: capability.description,
            root: capability.root,
            flags: capability.flags,
            secrets: capability.secrets,
            dependencies: capability.dependencies,
            diagnostics,
        }
    };
    capabilities.into_iter().map(one).collect()
}

/// The innermost capability that a finding is about.
fn owner<'r>(diagnostic: &Diagnostic, roots: &'r [PathBuf]) -> Option<&'r Path> {
    let path = diagnostic.path.as_ref()?;
    let around = roots.iter().filter(|root| path.starts_with(root));
    around
        .max_by_key(|root| root.components().count())
        .map(PathBuf::as_path)
}
