//! Owns the making of tool definitions for the tests, and the reading of exports back into plain schemas.

use pegboard::{Export, ExportOptions, Provider, Strictness, ToolDefinition, ToolFlags, ToolSource, export};
use serde_json::{Value, json};

/// A tool of our own dialect.
pub fn tool(name: &str, description: &str, schema: Value) -> ToolDefinition {
    ToolDefinition {
        name: name.to_owned(),
        description: description.to_owned(),
        parameters_schema: schema,
        output_schema: None,
        source: ToolSource {
            path: None,
            line: None,
            dialect: "pegboard".to_owned(),
            toolset: None,
            server: None,
        },
        flags: ToolFlags::default(),
    }
}

/// The schema that pydantic made of a recorded function.
pub fn recorded(case: &str) -> Value {
    let cases: Value = serde_json::from_str(include_str!("cases/pydantic.json")).unwrap();
    cases
        .as_array()
        .unwrap()
        .iter()
        .find(|entry| entry["case"] == format!("pydantic/{case}"))
        .unwrap_or_else(|| panic!("no case {case}"))["schema"]
        .clone()
}

/// The export of some tools, strict wherever that is possible or not at all.
pub fn exported(provider: Provider, strict: bool, tools: &[ToolDefinition]) -> Export {
    let options = ExportOptions {
        strict: if strict {
            Strictness::WherePossible
        } else {
            Strictness::AsDeclared
        },
        ..ExportOptions::default()
    };
    export(provider, &options, tools).unwrap()
}

/// One tool's parameters schema as a provider gets it.
pub fn parameters(provider: Provider, strict: bool, schema: &Value) -> Value {
    let export = exported(provider, strict, &[tool("probe", "Probes.", schema.clone())]);
    schemas(provider, &export).remove(0)
}

/// Whether the provider was told that the only tool of an export is strict.
pub fn is_strict(provider: Provider, export: &Export) -> bool {
    let tool = &export.tools[0];
    let holder = match provider {
        Provider::OpenAi => &tool["function"],
        Provider::Bedrock => &tool["toolSpec"],
        _ => tool,
    };
    holder["strict"] == true
}

/// The parameters schemas of an export.
pub fn schemas(provider: Provider, export: &Export) -> Vec<Value> {
    let empty = || json!({"type": "object", "properties": {}});
    match provider {
        Provider::OpenAi => export
            .tools
            .iter()
            .map(|tool| tool["function"]["parameters"].clone())
            .collect(),
        Provider::OpenAiResponses => export.tools.iter().map(|tool| tool["parameters"].clone()).collect(),
        Provider::Anthropic => export.tools.iter().map(|tool| tool["input_schema"].clone()).collect(),
        Provider::Bedrock => export
            .tools
            .iter()
            .map(|tool| tool["toolSpec"]["inputSchema"]["json"].clone())
            .collect(),
        Provider::Mcp => export.tools.iter().map(|tool| tool["inputSchema"].clone()).collect(),
        Provider::Gemini => export
            .tools
            .iter()
            .flat_map(|tools| tools["functionDeclarations"].as_array().unwrap())
            .map(|tool| tool.get("parameters").cloned().unwrap_or_else(empty))
            .collect(),
        other => panic!("no shape known for {other}"),
    }
}

/// The descriptions of an export.
pub fn descriptions(provider: Provider, export: &Export) -> Vec<String> {
    let texts: Vec<&Value> = match provider {
        Provider::OpenAi => export
            .tools
            .iter()
            .map(|tool| &tool["function"]["description"])
            .collect(),
        Provider::Bedrock => export
            .tools
            .iter()
            .map(|tool| &tool["toolSpec"]["description"])
            .collect(),
        Provider::Gemini => export
            .tools
            .iter()
            .flat_map(|tools| tools["functionDeclarations"].as_array().unwrap())
            .map(|tool| &tool["description"])
            .collect(),
        _ => export.tools.iter().map(|tool| &tool["description"]).collect(),
    };
    texts
        .into_iter()
        .map(|text| text.as_str().unwrap_or_default().to_owned())
        .collect()
}

/// The names of an export.
pub fn names(provider: Provider, export: &Export) -> Vec<String> {
    let name = |tool: &Value| tool["name"].as_str().unwrap_or_default().to_owned();
    match provider {
        Provider::OpenAi => export.tools.iter().map(|tool| name(&tool["function"])).collect(),
        Provider::Bedrock => export.tools.iter().map(|tool| name(&tool["toolSpec"])).collect(),
        Provider::Gemini => export
            .tools
            .iter()
            .flat_map(|tools| tools["functionDeclarations"].as_array().unwrap())
            .map(name)
            .collect(),
        _ => export.tools.iter().map(name).collect(),
    }
}

/// Every object inside a schema, data included.
pub fn objects(value: &Value) -> Vec<&serde_json::Map<String, Value>> {
    match value {
        Value::Object(object) => std::iter::once(object)
            .chain(object.values().flat_map(objects))
            .collect(),
        Value::Array(items) => items.iter().flat_map(objects).collect(),
        _ => Vec::new(),
    }
}
