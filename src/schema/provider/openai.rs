//! Owns what `OpenAI` accepts, and the shape of its tools in Chat Completions and Responses.

use super::table::{Bounds, Language, ROOT, StrictRules, Table};
use super::{Described, holding};
use crate::schema::wire_name::NameRule;
use serde_json::{Map, Value};

pub(super) const TABLE: Table = Table {
    name: "OpenAI",
    // API reference, `FunctionDefinition.name`: letters, digits, underscores and dashes, at most 64. The rule that all
    // model providers share also asks for a letter or underscore at the start.
    tool_names: NameRule::MODEL,
    parameter_names: None,
    // Refusal: "tools.N.function.description: string too long. Expected a string with maximum length 1024".
    description_limit: Some(1024),
    // Refusal: "tools: array too long. Expected an array with maximum length 128".
    tool_limit: Some(128),
    output_schemas: false,
    language: Language {
        keywords: KEYWORDS,
        // Refusal: "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level".
        root: ROOT,
        formats: Some(FORMATS),
        // Refusal: "array schema missing items".
        items: true,
        // Refusal: "$ref cannot have keywords {'description'}".
        lone_references: true,
        ..Language::JSON_SCHEMA
    },
    strict: Some(StrictRules {
        language: Language {
            keywords: STRICT_KEYWORDS,
            formats: Some(FORMATS),
            items: true,
            lone_references: true,
            // Refusal: "'required' is required to be supplied and to be an array including every key in properties.
            // Extra required key ... supplied".
            declared_required: true,
            // Refusal: regular expressions with look-around do not parse.
            plain_patterns: true,
            scalar_enums: true,
            ..Language::JSON_SCHEMA
        },
        // Structured Outputs guide, "Recursive schemas are supported".
        recursion: true,
        // Refusal: "Objects provided via 'anyOf' must not share identical first keys. Consider adding a discriminator key".
        alike_unions: false,
        // Refusal: "In context=(...), 'default' is not permitted".
        defaults: false,
        // Structured Outputs guide, "Limitations on nesting depth and size" and "on enum size".
        each: Bounds {
            properties: 5_000,
            depth: 10,
            enum_values: 1_000,
            characters: 120_000,
            ..Bounds::NONE
        },
        together: Bounds::NONE,
    }),
};

/// Without strict mode the schema is passed to the model and hardly checked; these are the keywords that models know.
const KEYWORDS: &[&str] = &[
    "$defs",
    "$ref",
    "additionalProperties",
    "anyOf",
    "const",
    "default",
    "description",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "properties",
    "required",
    "title",
    "type",
    "uniqueItems",
];

/// Structured Outputs guide, "Supported schemas" and "Supported properties". A `default` is settled when the
/// schema is made strict.
const STRICT_KEYWORDS: &[&str] = &[
    "$defs",
    "$ref",
    "additionalProperties",
    "anyOf",
    "const",
    "default",
    "description",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "items",
    "maxItems",
    "maximum",
    "minItems",
    "minimum",
    "multipleOf",
    "pattern",
    "properties",
    "required",
    "title",
    "type",
];

/// Structured Outputs guide, "Supported properties", `format`.
const FORMATS: &[&str] = &[
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
];

/// One element of `tools` in Chat Completions.
pub(super) fn chat_tool(tool: Described) -> Value {
    let strict = tool.strict;
    let mut function = function(tool);
    if let Some(strict) = strict {
        function.insert("strict".to_owned(), strict.into());
    }
    let mut tool = holding("type", "function");
    tool.insert("function".to_owned(), Value::Object(function));
    Value::Object(tool)
}

/// One element of `tools` in Responses.
///
/// Function calling guide, "Strict mode": where `strict` is not given, Responses makes the schema strict by itself, and
/// with it every optional parameter mandatory. So it is always given.
pub(super) fn responses_tool(tool: Described) -> Value {
    let strict = tool.strict.unwrap_or(false);
    let mut object = holding("type", "function");
    object.extend(function(tool));
    object.insert("strict".to_owned(), strict.into());
    Value::Object(object)
}

fn function(tool: Described) -> Map<String, Value> {
    let mut function = Map::new();
    function.insert("name".to_owned(), tool.name.into());
    if !tool.description.is_empty() {
        function.insert("description".to_owned(), tool.description.into());
    }
    function.insert("parameters".to_owned(), tool.parameters);
    function
}
