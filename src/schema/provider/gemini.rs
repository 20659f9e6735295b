//! Owns what Gemini accepts, and the shape of its tools.

use super::table::{Language, Table};
use super::{Described, holding};
use crate::schema::inline::Recursion;
use crate::schema::wire_name::NameRule;
use serde_json::{Map, Value};

pub(super) const TABLE: Table = Table {
    name: "Gemini",
    // API reference, `FunctionDeclaration.name`: starts with a letter or an underscore; letters, digits, underscores,
    // dots and dashes, at most 64. Narrowed to what all model providers share.
    tool_names: NameRule::MODEL,
    // API reference, `FunctionDeclaration.parameters`: names start with a letter or an underscore and only have
    // letters, digits and underscores, at most 64.
    parameter_names: Some(NameRule::IDENTIFIER),
    description_limit: None,
    // Function calling guide, "Limitations": 128 function declarations.
    tool_limit: Some(128),
    output_schemas: false,
    language: Language {
        keywords: KEYWORDS,
        root: &["type", "properties", "required", "title", "description"],
        // Refusal: "only 'enum' and 'date-time' are supported for STRING type"; the others are those of the reference
        // for INTEGER and NUMBER.
        formats: Some(&["date-time", "enum", "int32", "int64", "float", "double"]),
        // `Schema` has no reference.
        recursion: Recursion::Unroll(3),
        // `Schema.type` is one name, and null is said with `nullable`.
        nullable: true,
        // Refusal: "type: must be specified when not using one_of, any_of or all_of fields".
        typed: true,
        // Refusal: "schema specified other fields alongside any_of. When using any_of, it must be the only field set".
        lone_unions: true,
        // `Schema.enum` is a list of strings.
        text_enums: true,
        // Refusal: "items: missing field".
        items: true,
        // Refusal: "required[0]: property is not defined".
        declared_required: true,
        ..Language::JSON_SCHEMA
    },
    strict: None,
};

/// API reference, `Schema`. Any other name is refused: "Unknown name ...: Cannot find field".
const KEYWORDS: &[&str] = &[
    "anyOf",
    "default",
    "description",
    "enum",
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
    "nullable",
    "pattern",
    "properties",
    "required",
    "title",
    "type",
];

/// The value of `tools`: one element that holds all functions.
pub(super) fn tools(tools: Vec<Described>) -> Vec<Value> {
    if tools.is_empty() {
        return Vec::new();
    }
    let declarations: Vec<Value> = tools.into_iter().map(declaration).collect();
    vec![Value::Object(holding("functionDeclarations", declarations))]
}

fn declaration(tool: Described) -> Value {
    let mut object = Map::new();
    // API reference: `description` is required.
    let description = if tool.description.is_empty() {
        &tool.name
    } else {
        &tool.description
    };
    object.insert("description".to_owned(), description.as_str().into());
    object.shift_insert(0, "name".to_owned(), tool.name.into());
    // Refusal: "parameters.properties: should be non-empty for OBJECT type".
    let has_parameters = |parameters: &Value| {
        parameters["properties"]
            .as_object()
            .is_some_and(|names| !names.is_empty())
    };
    if has_parameters(&tool.parameters) {
        object.insert("parameters".to_owned(), tool.parameters);
    }
    Value::Object(object)
}
