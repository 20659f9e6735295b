//! Owns the replacement of `$ref` by what it leads to.
//!
//! Keywords beside a reference are kept and win over the same keywords in what it leads to. A type that contains itself
//! either keeps one definition or is unrolled a few levels. Always ends, within a budget, and the same way each time.

use super::place::{self, Kind, Place};
use super::vocabulary::{self, Holds};
use serde_json::{Map, Value, json};
use std::collections::{HashMap, HashSet};

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
                    return with_kept(&self.keep(reference, target), beside);
                }
                self.body(target, name)
            }
            Recursion::Unroll(levels) => {
                if spent || self.open.iter().filter(|open| **open == reference).count() >= levels {
                    another(self.root, target, name)
                } else {
                    self.open.push(reference);
                    let written = self.body(target, name);
                    self.open.pop();
                    written
                }
            }
        };
        match written {
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
        let mut met = HashSet::new();
        let recursive = reaches(self.root, target, reference, &mut met);
        self.recursive.insert(reference, recursive);
        recursive
    }
}

/// The reference that a schema is, and the object that holds it.
fn reference_of(schema: &Value) -> Option<(&Map<String, Value>, &str)> {
    let object = schema.as_object()?;
    Some((object, object.get("$ref")?.as_str()?))
}

/// A reference to a kept definition. Beside a reference some providers accept nothing, so a union of one carries the rest.
fn with_kept(name: &str, beside: Map<String, Value>) -> Value {
    let reference = json!({"$ref": format!("#/$defs/{name}")});
    if beside.is_empty() {
        return reference;
    }
    let combinator = if beside.contains_key("anyOf") { "allOf" } else { "anyOf" };
    let mut object = Map::from_iter([(combinator.to_owned(), Value::Array(vec![reference]))]);
    object.extend(beside);
    Value::Object(object)
}

/// What stands for a type that is not written out again.
fn another(root: &Value, target: &Value, name: &str) -> Value {
    let title = target.get("title").and_then(Value::as_str).unwrap_or(name);
    let description = format!("another {title}");
    let place = Place::within(root, target);
    let others = [Kind::Null, Kind::Boolean, Kind::Number, Kind::String, Kind::Array];
    if others.into_iter().any(|kind| place.admits(kind)) {
        json!({"description": description})
    } else {
        json!({"type": "object", "description": description})
    }
}

fn reaches<'s>(root: &'s Value, value: &'s Value, goal: &str, met: &mut HashSet<&'s str>) -> bool {
    match value {
        Value::Object(object) => object.iter().any(|(key, value)| match value {
            Value::String(reference) if key == "$ref" => {
                reference == goal
                    || met.insert(reference)
                        && place::resolve(root, reference).is_some_and(|target| reaches(root, target, goal, met))
            }
            value => reaches(root, value, goal, met),
        }),
        Value::Array(items) => items.iter().any(|item| reaches(root, item, goal, met)),
        _ => false,
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;
