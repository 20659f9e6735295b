//! Owns what Amazon Bedrock's Converse accepts, and the shape of its tools.

use super::table::{Language, Table};
use super::{Described, anthropic, holding};
use crate::schema::inline::Recursion;
use crate::schema::wire_name::NameRule;
use serde_json::{Map, Value};

pub(super) const TABLE: Table = Table {
    name: "Bedrock",
    // API reference, `ToolSpecification.name`: `[a-zA-Z0-9_-]+`, at most 64.
    tool_names: NameRule::MODEL,
    // Not checked by Bedrock itself, but by the Anthropic models behind it.
    parameter_names: Some(NameRule::PARAMETER),
    description_limit: None,
    tool_limit: None,
    output_schemas: false,
    language: Language {
        // Amazon Nova guide, "Using tools": at the top level only `type`, `properties` and `required` are supported.
        root: &["type", "properties", "required"],
        recursion: Recursion::Unroll(3),
        ..Language::JSON_SCHEMA
    },
    // `ToolSpecification.strict` follows the rules of the vendor whose models have it.
    strict: Some(anthropic::STRICT),
};

/// One element of `toolConfig.tools`.
pub(super) fn tool(tool: Described) -> Value {
    let mut specification = Map::new();
    specification.insert("name".to_owned(), tool.name.into());
    // API reference: `description` has at least one character.
    if !tool.description.is_empty() {
        specification.insert("description".to_owned(), tool.description.into());
    }
    specification.insert("inputSchema".to_owned(), holding("json", tool.parameters).into());
    if let Some(strict) = tool.strict {
        specification.insert("strict".to_owned(), strict.into());
    }
    Value::Object(holding("toolSpec", specification))
}
