//! Owns asking a server for its tools, page by page, and what becomes of each.
//!
//! Schemas pass unchanged. A tool that cannot be read costs itself.

use super::connection::StartProblem;
use crate::diagnostic::{Diagnostic, DiagnosticCode, Severity};
use crate::model::{
    CallPolicy, CatchPolicy, FailureStyle, ServerDefinition, TimeoutPolicy, ToolDefinition, ToolFlags, ToolSource,
};
use rmcp::model::{Extensions, ListToolsRequest, ListToolsRequestMethod, PaginatedRequestParams, ServerResult, Tool};
use rmcp::service::{Peer, RoleClient};
use serde_json::Value;

/// More than any server that is meant for a model has.
const MOST_TOOLS: usize = 2000;
const MOST_PAGES: usize = 200;
/// Where long output goes, below the working directory.
const OFFLOAD: &str = ".pegboard/tool-output";

/// The tools of a server as it listed them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Listing {
    /// What a model is shown of each.
    pub tools: Vec<ToolDefinition>,
    /// What is wrong with others.
    pub diagnostics: Vec<Diagnostic>,
}

/// Asks for all tools.
pub async fn ask(peer: &Peer<RoleClient>, server: &ServerDefinition) -> Result<Listing, StartProblem> {
    let mut listing = Listing::default();
    let mut cursor = None;
    for _ in 0..MOST_PAGES {
        let request = ListToolsRequest {
            method: ListToolsRequestMethod,
            params: Some(PaginatedRequestParams::default().with_cursor(cursor.clone())),
            extensions: Extensions::default(),
        };
        let result = peer.send_request(request.into()).await;
        let result = result.map_err(|error| StartProblem::new(format!("it did not list its tools: {error}")))?;
        let next = match result {
            ServerResult::ListToolsResult(page) => {
                listing
                    .tools
                    .extend(page.tools.into_iter().map(|tool| definition(tool, server)));
                page.next_cursor
            }
            // One tool that is not as it should be makes the whole page something else.
            ServerResult::CustomResult(page) => {
                let Some(tools) = page.0.get("tools").and_then(Value::as_array) else {
                    return Err(StartProblem::new("it answered with something that is no list of tools"));
                };
                for (index, tool) in tools.iter().enumerate() {
                    match serde_json::from_value::<Tool>(tool.clone()) {
                        Ok(tool) => listing.tools.push(definition(tool, server)),
                        Err(error) => listing.diagnostics.push(unreadable(tool, index, server, &error)),
                    }
                }
                page.0.get("nextCursor").and_then(Value::as_str).map(str::to_owned)
            }
            _ => return Err(StartProblem::new("it answered with something that is no list of tools")),
        };
        if next.is_none() {
            return Ok(listing);
        }
        if next == cursor || listing.tools.len() > MOST_TOOLS {
            break;
        }
        cursor = next;
    }
    let message = format!(
        "the list of tools of the MCP server {:?} has no end; its first {} tools are offered",
        server.name,
        listing.tools.len().min(MOST_TOOLS)
    );
    listing.tools.truncate(MOST_TOOLS);
    let finding = Diagnostic::new(DiagnosticCode::ServerToolInvalid, Severity::Warning, message);
    listing.diagnostics.push(finding);
    Ok(listing)
}

/// How calls of a server's tools are judged and shown.
pub fn policy(server: &ServerDefinition) -> CallPolicy {
    CallPolicy {
        failure_style: FailureStyle::Message,
        catch: CatchPolicy::All,
        truncate: None,
        offload: Some(OFFLOAD.to_owned()),
        timeout: server.timeout.map_or(TimeoutPolicy::Host, |timeout| {
            TimeoutPolicy::Seconds(timeout.as_secs_f64())
        }),
        validate_by_schema: true,
        aliases: Vec::new(),
    }
}

fn definition(tool: Tool, server: &ServerDefinition) -> ToolDefinition {
    let object =
        |schema: std::sync::Arc<serde_json::Map<String, Value>>| Value::Object(std::sync::Arc::unwrap_or_clone(schema));
    ToolDefinition {
        name: tool.name.into_owned(),
        description: tool
            .description
            .map(std::borrow::Cow::into_owned)
            .or(tool.title)
            .unwrap_or_default(),
        parameters_schema: object(tool.input_schema),
        output_schema: tool.output_schema.map(object),
        source: ToolSource {
            path: None,
            line: None,
            dialect: "mcp".to_owned(),
            toolset: None,
            server: Some(server.name.clone()),
        },
        flags: ToolFlags {
            asynchronous: true,
            annotations: tool.annotations.and_then(|told| match serde_json::to_value(told) {
                Ok(Value::Object(told)) => Some(told),
                _ => None,
            }),
            ..ToolFlags::default()
        },
    }
}

fn unreadable(tool: &Value, index: usize, server: &ServerDefinition, error: &serde_json::Error) -> Diagnostic {
    let name = tool.get("name").and_then(Value::as_str);
    let which = name.map_or_else(|| format!("number {}", index + 1), |name| format!("{name:?}"));
    let message = format!(
        "the tool {which} of the MCP server {:?} is left out: it cannot be read: {error}",
        server.name
    );
    let mut diagnostic = Diagnostic::new(DiagnosticCode::ServerToolInvalid, Severity::Error, message)
        .hint("tell the server's author: a tool needs a name and an inputSchema that is an object");
    diagnostic.tools.extend(name.map(str::to_owned));
    diagnostic
}
