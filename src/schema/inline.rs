//! Owns the replacement of `$ref` by what it leads to.
//!
//! Keywords beside a reference are kept and win over the same keywords in what it leads to. A type that contains itself
//! either keeps one definition or is unrolled a few levels. Always ends, within a budget, and the same way each time.

use super::vocabulary::{self, Holds};
use super::{place, recursion};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// How many schema objects one parameters schema may grow to before further references are kept or cut: a few lines of
/// definitions that name each other twice can double with each line.
const BUDGET: usize = 5_000;

/// What becomes of a type that contains itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Recursion {
    /// One definition in `$defs`, and references to it.
    Keep,
    /// No reference at all: the type is written out this many times inside itself, then only named.
    Unroll(usize),
}

/// A schema whose references are replaced.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Inlined {
    /// The schema.
    pub(crate) schema: Value,
    /// References that lead nowhere, and now admit everything.
    pub(crate) lost: Vec<String>,
}

/// Replaces the references of a schema.
pub(crate) fn inline(schema: &Value, recursion: Recursion) -> Inlined {
    if !mentions(schema, &["$ref", "$defs", "definitions", "discriminator"]) {
        return Inlined {
            schema: schema.clone(),
            lost: Vec::new(),
        };
    }
    let mut inliner = Inliner {
        root: schema,
        recursion,
        recursive: HashMap::new(),
        open: Vec::new(),
        kept: Vec::new(),
        objects: 0,
        lost: Vec::new(),
    };
    let mut written = inliner.root();
    let mut definitions = Map::new();
    // Definitions may lead to further ones that have to be kept.
    while let Some(kept) = inliner.kept.get(definitions.len()) {
        let (name, target) = (kept.name.clone(), kept.target);
        definitions.insert(name.clone(), inliner.body(target, &name));
    }
    if let (Value::Object(root), false) = (&mut written, definitions.is_empty()) {
        root.insert("$defs".to_owned(), Value::Object(definitions));
    }
    Inlined {
        schema: written,
        lost: inliner.lost,
    }
}

/// Whether one of these keys stands anywhere, in data too.
fn mentions(value: &Value, keys: &[&str]) -> bool {
    match value {
        Value::Object(object) => object
            .iter()
            .any(|(key, value)| keys.contains(&key.as_str()) || mentions(value, keys)),
        Value::Array(items) => items.iter().any(|item| mentions(item, keys)),
        _ => false,
    }
}

struct Kept<'s> {
    reference: &'s str,
    name: String,
    target: &'s Value,
}

struct Inliner<'s> {
    root: &'s Value,
    recursion: Recursion,
    /// Whether what a reference leads to contains the same reference.
    recursive: HashMap<&'s str, bool>,
    /// The references that are being written out, outermost first.
    open: Vec<&'s str>,
    kept: Vec<Kept<'s>>,
    objects: usize,
    lost: Vec<String>,
}

impl<'s> Inliner<'s> {
    /// The root is always an object of its own, even if it refers to a type that contains itself.
    fn root(&mut self) -> Value {
        let mut schema = self.root;
        let mut beside: Vec<&'s Map<String, Value>> = Vec::new();
        while let Some((object, reference)) = reference_of(schema) {
            // A chain of references that comes back to itself says nothing.
            if beside.iter().any(|met| std::ptr::eq(*met, object)) {
                break;
            }
            beside.push(object);
            match place::resolve(self.root, reference) {
                Some(target) => schema = target,
                None => break,
            }
        }
        if beside.is_empty() {
            return self.schema(schema);
        }
        let mut root = match schema {
            Value::Object(object) if !object.contains_key("$ref") => self.object(object),
            _ => Map::new(),
        };
        for object in beside.into_iter().rev() {
            root.extend(self.object_without_reference(object));
        }
        Value::Object(root)
    }

    /// A schema with everything in it written out.
    fn schema(&mut self, schema: &'s Value) -> Value {
        match (reference_of(schema), schema) {
            (Some((object, reference)), _) => self.reference(reference, object),
            (None, Value::Object(object)) => Value::Object(self.object(object)),
            (None, other) => other.clone(),
        }
    }

    fn object(&mut self, object: &'s Map<String, Value>) -> Map<String, Value> {
        self.objects += 1;
        let mut written = Map::with_capacity(object.len());
        for (keyword, value) in object {
            let value = match (vocabulary::holds(keyword, value), value) {
                _ if matches!(keyword.as_str(), "$defs" | "definitions" | "discriminator") => continue,
                (Holds::Schema, value) => self.schema(value),
                (Holds::List, Value::Array(schemas)) => schemas.iter().map(|schema| self.schema(schema)).collect(),
                (Holds::Map, Value::Object(schemas)) => Value::Object(
                    schemas
                        .iter()
                        .map(|(name, schema)| (name.clone(), self.schema(schema)))
                        .collect(),
                ),
                (_, value) => value.clone(),
            };
            written.insert(keyword.clone(), value);
        }
        written
    }

    fn object_without_reference(&mut self, object: &'s Map<String, Value>) -> Map<String, Value> {
        let mut beside = self.object(object);
        beside.shift_remove("$ref");
        beside
    }

    fn reference(&mut self, reference: &'s str, object: &'s Map<String, Value>) -> Value {
        let beside = self.object_without_reference(object);
        let Some(target) = place::resolve(self.root, reference) else {
            self.lost.push(reference.to_owned());
            return Value::Object(beside);
        };
        let name = reference.rsplit('/').next().unwrap_or(reference);
        let spent = self.objects > BUDGET;
        let written = match self.recursion {
            Recursion::Keep => {
                if spent || self.is_recursive(reference, target) {
                    recursion::kept(&self.keep(reference, target))
                } else {
                    self.body(target, name)
                }
            }
            Recursion::Unroll(levels) => {
                if spent || self.open.iter().filter(|open| **open == reference).count() >= levels {
                    recursion::another(self.root, target, name)
                } else {
                    self.open.push(reference);
                    let written = self.body(target, name);
                    self.open.pop();
                    written
                }
            }
        };
        match written {
            // Also a definition that is no more than another name for one that is kept.
            reference if reference.get("$ref").is_some() => recursion::with(reference, beside),
            Value::Object(mut written) => {
                written.extend(beside);
                Value::Object(written)
            }
            // `true` adds nothing to what stands beside it, and `false` leaves nothing.
            Value::Bool(true) => Value::Object(beside),
            other => other,
        }
    }

    /// What a reference leads to. A title that only repeats the definition's name says nothing where it is written out.
    fn body(&mut self, target: &'s Value, name: &str) -> Value {
        let mut written = self.schema(target);
        if let Value::Object(object) = &mut written
            && object.get("title").and_then(Value::as_str) == Some(name)
        {
            object.shift_remove("title");
        }
        written
    }

    /// The name under which a definition is kept.
    fn keep(&mut self, reference: &'s str, target: &'s Value) -> String {
        if let Some(kept) = self.kept.iter().find(|kept| kept.reference == reference) {
            return kept.name.clone();
        }
        let plain = match reference.rsplit('/').next() {
            None | Some("" | "#") => "Root",
            Some(name) => name,
        };
        let mut name = plain.to_owned();
        let mut number = 2;
        while self.kept.iter().any(|kept| kept.name == name) {
            name = format!("{plain}{number}");
            number += 1;
        }
        self.kept.push(Kept {
            reference,
            name: name.clone(),
            target,
        });
        name
    }

    fn is_recursive(&mut self, reference: &'s str, target: &'s Value) -> bool {
        if let Some(known) = self.recursive.get(reference) {
            return *known;
        }
        let recursive = recursion::leads_to(self.root, target, reference);
        self.recursive.insert(reference, recursive);
        recursive
    }
}

/// The reference that a schema is, and the object that holds it.
fn reference_of(schema: &Value) -> Option<(&Map<String, Value>, &str)> {
    let object = schema.as_object()?;
    Some((object, object.get("$ref")?.as_str()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn kept(schema: &Value) -> Value {
        inline(schema, Recursion::Keep).schema
    }

    #[test]
    fn keywords_beside_a_reference_stay_and_win() {
        let schema = json!({
            "$defs": {"Color": {"enum": ["red", "blue"], "title": "Color", "type": "string", "description": "a color"}},
            "properties": {"c": {"$ref": "#/$defs/Color", "description": "what to paint with"}},
        });
        assert_eq!(
            kept(&schema),
            json!({"properties": {"c": {"enum": ["red", "blue"], "type": "string", "description": "what to paint with"}}})
        );
    }

    #[test]
    fn references_are_followed_everywhere_but_in_data() {
        let schema = json!({
            "definitions": {"N": {"type": "integer"}, "P": {"properties": {"x": {"$ref": "#/definitions/N"}}}},
            "properties": {
                "$defs": {"$ref": "#/definitions/N"},
                "list": {"type": "array", "items": {"$ref": "#/definitions/P"}, "default": [{"$ref": "#/definitions/P"}]},
                "pair": {"prefixItems": [{"$ref": "#/definitions/N"}, true], "items": false},
                "map": {"additionalProperties": {"$ref": "#/definitions/N"}, "enum": [{"$ref": "x"}]},
            },
        });
        assert_eq!(
            kept(&schema),
            json!({"properties": {
                "$defs": {"type": "integer"},
                "list": {"type": "array", "items": {"properties": {"x": {"type": "integer"}}}, "default": [{"$ref": "#/definitions/P"}]},
                "pair": {"prefixItems": [{"type": "integer"}, true], "items": false},
                "map": {"additionalProperties": {"type": "integer"}, "enum": [{"$ref": "x"}]},
            }})
        );
    }

    fn node() -> Value {
        json!({
            "$defs": {"Node": {"properties": {"kids": {"default": [], "items": {"$ref": "#/$defs/Node"}, "type": "array"}}, "title": "Node", "type": "object"}},
            "properties": {"node": {"$ref": "#/$defs/Node"}},
            "type": "object",
        })
    }

    #[test]
    fn a_recursive_type_keeps_one_definition() {
        assert_eq!(
            kept(&node()),
            json!({
                "properties": {"node": {"$ref": "#/$defs/Node"}},
                "type": "object",
                "$defs": {"Node": {"properties": {"kids": {"default": [], "items": {"$ref": "#/$defs/Node"}, "type": "array"}}, "type": "object"}},
            })
        );
    }

    #[test]
    fn beside_a_kept_reference_a_union_of_one_carries_the_rest() {
        let mut schema = node();
        schema["$defs"]["Tree"] = json!({"$ref": "#/$defs/Node"});
        for name in ["Node", "Tree"] {
            schema["properties"]["node"] = json!({"$ref": format!("#/$defs/{name}"), "description": "where to start"});
            assert_eq!(
                kept(&schema)["properties"]["node"],
                json!({"anyOf": [{"$ref": "#/$defs/Node"}], "description": "where to start"})
            );
        }
    }

    #[test]
    fn a_recursive_type_can_be_unrolled() {
        let unrolled = inline(&node(), Recursion::Unroll(3)).schema;
        let level = |items: &Value| json!({"properties": {"kids": {"default": [], "items": items, "type": "array"}}, "type": "object"});
        let end = json!({"type": "object", "description": "another Node"});
        assert_eq!(
            unrolled,
            json!({"properties": {"node": level(&level(&level(&end)))}, "type": "object"})
        );
    }

    #[test]
    fn a_type_that_is_not_always_an_object_ends_in_anything() {
        let schema = json!({
            "$defs": {"Json": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/$defs/Json"}}]}},
            "properties": {"value": {"$ref": "#/$defs/Json"}},
        });
        let unrolled = inline(&schema, Recursion::Unroll(1)).schema;
        assert_eq!(
            unrolled["properties"]["value"]["anyOf"][1]["items"],
            json!({"description": "another Json"})
        );
    }

    #[test]
    fn a_root_that_is_a_reference_is_written_out() {
        let schema = json!({
            "$defs": {"Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}},
            "$ref": "#/$defs/Node",
            "description": "the start",
        });
        assert_eq!(
            kept(&schema),
            json!({
                "type": "object",
                "properties": {"next": {"$ref": "#/$defs/Node"}},
                "description": "the start",
                "$defs": {"Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}},
            })
        );
        assert_eq!(kept(&json!({"$ref": "#"})), json!({}));
    }

    #[test]
    fn doubling_definitions_end_within_the_budget() {
        let mut definitions = Map::from_iter([("D0".to_owned(), json!({"type": "integer"}))]);
        for level in 1..40 {
            let below = json!({"$ref": format!("#/$defs/D{}", level - 1)});
            definitions.insert(
                format!("D{level}"),
                json!({"type": "object", "properties": {"a": below, "b": below}}),
            );
        }
        let schema = json!({"$defs": definitions, "properties": {"x": {"$ref": "#/$defs/D39"}}});
        let kept = inline(&schema, Recursion::Keep).schema;
        assert!(kept["$defs"].as_object().unwrap().len() < 40);
        let unrolled = inline(&schema, Recursion::Unroll(3)).schema.to_string();
        assert!(!unrolled.contains("$ref") && unrolled.len() < 2_000_000);
    }

    #[test]
    fn a_reference_that_leads_nowhere_is_told() {
        let schema = json!({"properties": {"a": {"$ref": "https://example.com/a.json", "description": "far"}, "b": {"$ref": "#/$defs/B"}}});
        let inlined = inline(&schema, Recursion::Keep);
        assert_eq!(
            inlined.schema,
            json!({"properties": {"a": {"description": "far"}, "b": {}}})
        );
        assert_eq!(inlined.lost, ["https://example.com/a.json", "#/$defs/B"]);
    }
}
