//! Owns the `OpenAPI` document: what the server answers to in general stands in `openapi.json`, and each tool's own call
//! is added with its schemas.

use crate::error::{Error, Result};
use crate::model::ToolDefinition;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::sync::Arc;

const GENERAL: &str = include_str!("openapi.json");
/// The path whose description every tool's own call shares.
const CALL_PATH: &str = "/api/tools/{name}/call";
/// Keywords whose values are named schemas.
const NAMED: [&str; 5] = [
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
];
/// Keywords whose values are data, however much they look like schemas.
const DATA: [&str; 5] = ["const", "enum", "default", "examples", "example"];

/// Describes the server with these tools.
///
/// # Errors
/// [`Error::Internal`] if the general part is not what it has to be.
pub fn openapi(tools: &[Arc<ToolDefinition>]) -> Result<Value> {
    let broken = || Error::Internal("the general part of the OpenAPI document cannot be used".to_owned());
    let mut document: Value = serde_json::from_str(GENERAL).map_err(|_| broken())?;
    document["info"]["version"] = json!(env!("CARGO_PKG_VERSION"));
    let call = document["paths"][CALL_PATH]["post"].clone();
    let mut schemas = Map::new();
    let mut paths = Map::new();
    for (number, tool) in tools.iter().enumerate() {
        let component = format!("arguments-{number}");
        schemas.insert(component.clone(), rooted(&tool.parameters_schema, &component));
        paths.insert(
            path(&tool.name),
            json!({ "post": own_call(&call, tool, number, &component) }),
        );
    }
    let general = |value: &mut Value, pointer: &str, added: Map<String, Value>| {
        let place = value.pointer_mut(pointer).and_then(Value::as_object_mut);
        place.map(|place| place.extend(added)).ok_or_else(broken)
    };
    general(&mut document, "/components/schemas", schemas)?;
    general(&mut document, "/paths", paths)?;
    Ok(document)
}

/// The call of any tool as that of one.
fn own_call(call: &Value, tool: &ToolDefinition, number: usize, component: &str) -> Value {
    let mut own = call.clone();
    own["operationId"] = json!(format!("call-{number}"));
    own["summary"] = json!(format!("Call {}", tool.name));
    own["description"] = json!(tool.description);
    own["requestBody"]["content"]["application/json"]["schema"] =
        json!({ "$ref": format!("#/components/schemas/{component}") });
    if let Value::Object(own) = &mut own {
        own.remove("parameters");
    }
    own
}

/// The path of a tool's call.
fn path(name: &str) -> String {
    let mut segment = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            segment.push(char::from(byte));
        } else {
            let _ = write!(segment, "%{byte:02X}");
        }
    }
    CALL_PATH.replace("{name}", &segment)
}

/// A schema whose references to its own root lead to where it stands in the document.
fn rooted(schema: &Value, component: &str) -> Value {
    let mut schema = schema.clone();
    if let Value::Object(root) = &mut schema {
        // Each would give the schema a root of its own.
        root.remove("$id");
        root.remove("$schema");
    }
    root_references(&mut schema, &format!("#/components/schemas/{component}"));
    schema
}

fn root_references(schema: &mut Value, root: &str) {
    match schema {
        Value::Array(schemas) => schemas.iter_mut().for_each(|schema| root_references(schema, root)),
        Value::Object(keywords) => {
            for (keyword, value) in keywords {
                match (keyword.as_str(), value) {
                    ("$ref" | "$dynamicRef", Value::String(reference)) => root_reference(reference, root),
                    ("discriminator", Value::Object(discriminator)) => {
                        let mapping = discriminator.get_mut("mapping").and_then(Value::as_object_mut);
                        for reference in mapping.into_iter().flat_map(Map::values_mut) {
                            if let Value::String(reference) = reference {
                                root_reference(reference, root);
                            }
                        }
                    }
                    (keyword, Value::Object(named)) if NAMED.contains(&keyword) => {
                        named.values_mut().for_each(|schema| root_references(schema, root));
                    }
                    (keyword, _) if DATA.contains(&keyword) => {}
                    (_, value) => root_references(value, root),
                }
            }
        }
        _ => {}
    }
}

fn root_reference(reference: &mut String, root: &str) {
    if let Some(inside) = reference.strip_prefix('#')
        && (inside.is_empty() || inside.starts_with('/'))
    {
        *reference = format!("{root}{inside}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::uri::PathAndQuery;

    #[test]
    fn references_lead_to_where_the_schema_stands() {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "properties": {
                "node": {"$ref": "#/$defs/Node"},
                "default": {"$ref": "#"},
                "$ref": {"type": "string"},
                "sample": {"default": {"$ref": "#/$defs/Node"}},
            },
            "$defs": {"Node": {"discriminator": {"mapping": {"a": "#/$defs/A"}}, "anyOf": [{"$ref": "#/$defs/A"}]}},
        });
        let expected = json!({
            "properties": {
                "node": {"$ref": "#/components/schemas/x/$defs/Node"},
                "default": {"$ref": "#/components/schemas/x"},
                "$ref": {"type": "string"},
                "sample": {"default": {"$ref": "#/$defs/Node"}},
            },
            "$defs": {"Node": {
                "discriminator": {"mapping": {"a": "#/components/schemas/x/$defs/A"}},
                "anyOf": [{"$ref": "#/components/schemas/x/$defs/A"}],
            }},
        });
        assert_eq!(rooted(&schema, "x"), expected);
    }

    #[test]
    fn a_path_is_one_segment_whatever_the_name() {
        assert_eq!(path("a_b-1"), "/api/tools/a_b-1/call");
        assert_eq!(path("a/b {ü}"), "/api/tools/a%2Fb%20%7B%C3%BC%7D/call");
        assert!(path("a/b {ü}").parse::<PathAndQuery>().is_ok());
    }
}
