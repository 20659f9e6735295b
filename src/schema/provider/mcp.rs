//! Owns what the Model Context Protocol accepts, and the shape of its tools.

use super::table::{Language, Table};
use super::{Described, holding};
use crate::schema::wire_name::NameRule;
use serde_json::{Map, Value, json};

pub(super) const TABLE: Table = Table {
    name: "MCP",
    // Specification 2025-11-25, "Tool Names": 1 to 128 letters, digits, underscores, hyphens and dots.
    tool_names: NameRule::PROTOCOL,
    parameter_names: None,
    description_limit: None,
    tool_limit: None,
    output_schemas: true,
    language: Language {
        // Clients hand the schema on to a model's provider, so it has no combinator at the top level here either.
        root: &[
            "$schema",
            "$id",
            "$comment",
            "$defs",
            "additionalProperties",
            "deprecated",
            "description",
            "examples",
            "maxProperties",
            "minProperties",
            "patternProperties",
            "properties",
            "propertyNames",
            "required",
            "title",
            "type",
            "unevaluatedProperties",
        ],
        ..Language::JSON_SCHEMA
    },
    strict: None,
};

/// One element of `tools` in the answer to `tools/list`.
pub(super) fn tool(tool: Described) -> Value {
    let mut object = Map::new();
    object.insert("name".to_owned(), tool.name.into());
    if !tool.description.is_empty() {
        object.insert("description".to_owned(), tool.description.into());
    }
    object.insert("inputSchema".to_owned(), tool.parameters);
    if let Some(output) = tool.output {
        object.insert("outputSchema".to_owned(), object_schema(output));
    }
    if let Some(annotations) = tool.annotations {
        object.insert("annotations".to_owned(), annotations.into());
    }
    Value::Object(object)
}

/// Specification, "Output Schema": structured content is an object, so any other value is sent as one named `result`.
fn object_schema(output: Value) -> Value {
    if output["type"] == "object" {
        return output;
    }
    let mut output = output;
    let definitions = output.as_object_mut().and_then(|schema| schema.shift_remove("$defs"));
    let mut object = holding("type", "object");
    object.insert("properties".to_owned(), holding("result", output).into());
    object.insert("required".to_owned(), json!(["result"]));
    if let Some(definitions) = definitions {
        object.insert("$defs".to_owned(), definitions);
    }
    Value::Object(object)
}
