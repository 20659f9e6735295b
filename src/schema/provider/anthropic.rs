//! Owns what Anthropic accepts, and the shape of its tools.

use super::Described;
use super::table::{Bounds, Language, StrictRules, Table};
use crate::schema::wire_name::NameRule;
use serde_json::{Map, Value};

pub(super) const TABLE: Table = Table {
    name: "Anthropic",
    // Refusal: "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"; narrowed to what all model providers share.
    tool_names: NameRule::MODEL,
    // Refusal: "input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'".
    parameter_names: Some(NameRule::PARAMETER),
    description_limit: None,
    tool_limit: None,
    output_schemas: false,
    // Refusals: "input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12", and "input_schema does
    // not support oneOf, allOf, or anyOf at the top level".
    language: Language::JSON_SCHEMA,
    strict: Some(STRICT),
};

/// Structured outputs guide, "JSON Schema limitations" and "Schema complexity limits".
pub(super) const STRICT: StrictRules = StrictRules {
    language: Language {
        keywords: STRICT_KEYWORDS,
        formats: Some(STRICT_FORMATS),
        declared_required: true,
        small_min_items: true,
        plain_patterns: true,
        scalar_enums: true,
        ..Language::JSON_SCHEMA
    },
    recursion: false,
    alike_unions: true,
    defaults: true,
    each: Bounds::NONE,
    together: Bounds {
        tools: 20,
        unions: 16,
        ..Bounds::NONE
    },
};

const STRICT_KEYWORDS: &[&str] = &[
    "$defs",
    "$ref",
    "additionalProperties",
    "anyOf",
    "const",
    "default",
    "description",
    "enum",
    "format",
    "items",
    "minItems",
    "pattern",
    "properties",
    "required",
    "title",
    "type",
];

/// The same list stands in the vendor's Python SDK, `lib/_parse/_transform.py`.
const STRICT_FORMATS: &[&str] = &[
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "uri",
    "ipv4",
    "ipv6",
    "uuid",
];

/// One element of `tools`.
pub(super) fn tool(tool: Described) -> Value {
    let mut object = Map::new();
    object.insert("name".to_owned(), tool.name.into());
    if !tool.description.is_empty() {
        object.insert("description".to_owned(), tool.description.into());
    }
    object.insert("input_schema".to_owned(), tool.parameters);
    if let Some(strict) = tool.strict {
        object.insert("strict".to_owned(), strict.into());
    }
    Value::Object(object)
}
