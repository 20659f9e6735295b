//! Owns what the keywords of JSON Schema hold and which type of value they speak about.
//!
//! Must not know any provider: what one of them accepts stands in its table.

use serde_json::Value;

/// What the value of a keyword is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// A schema.
    Schema,
    /// A list of schemas.
    List,
    /// A map from names to schemas.
    Map,
    /// Something that is no schema, even if it looks like one.
    Data,
}

/// What this keyword's value is made of.
pub(crate) fn holds(keyword: &str, value: &Value) -> Holds {
    match (keyword, value) {
        ("items", Value::Array(_)) | ("allOf" | "anyOf" | "oneOf" | "prefixItems", _) => Holds::List,
        ("properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions", _) => Holds::Map,
        (
            "additionalItems"
            | "additionalProperties"
            | "contains"
            | "contentSchema"
            | "else"
            | "if"
            | "items"
            | "not"
            | "propertyNames"
            | "then"
            | "unevaluatedItems"
            | "unevaluatedProperties",
            _,
        ) => Holds::Schema,
        _ => Holds::Data,
    }
}

/// The only type of value that a keyword speaks about; `None` for one that speaks about all.
pub(crate) fn speaks_of(keyword: &str) -> Option<&'static str> {
    Some(match keyword {
        "minLength" | "maxLength" | "pattern" | "contentEncoding" | "contentMediaType" | "contentSchema" => "string",
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => "number",
        "items" | "prefixItems" | "additionalItems" | "contains" | "minContains" | "maxContains" | "minItems"
        | "maxItems" | "uniqueItems" | "unevaluatedItems" => "array",
        "properties"
        | "patternProperties"
        | "additionalProperties"
        | "propertyNames"
        | "required"
        | "minProperties"
        | "maxProperties"
        | "dependentRequired"
        | "dependentSchemas"
        | "unevaluatedProperties" => "object",
        _ => return None,
    })
}

/// Every keyword of JSON Schema 2020-12 that can stand in a schema without references by name (core, applicator,
/// validation, unevaluated, format, content and meta-data vocabularies), sorted.
pub(crate) const ALL: &[&str] = &[
    "$comment",
    "$defs",
    "$id",
    "$ref",
    "$schema",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "contains",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "default",
    "dependentRequired",
    "dependentSchemas",
    "deprecated",
    "description",
    "else",
    "enum",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "if",
    "items",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "patternProperties",
    "prefixItems",
    "properties",
    "propertyNames",
    "readOnly",
    "required",
    "then",
    "title",
    "type",
    "unevaluatedItems",
    "unevaluatedProperties",
    "uniqueItems",
    "writeOnly",
];
