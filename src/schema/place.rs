//! Owns the question what a schema says about one place in the arguments.
//!
//! Follows `$ref` and every alternative, and errs on the side of "the schema may mean it": whoever asks wants to know
//! whether a value is surely wrong. Must not change anything.

use super::pointer;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// How many references and combinators are followed before a schema counts as one that may mean anything.
const PATIENCE: usize = 32;

/// The kind of a JSON value. A number is an integer when it is written without fraction and exponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

impl Kind {
    /// The kind of `value`.
    pub(crate) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(number) if number.as_str().contains(['.', 'e', 'E']) => Self::Number,
            Value::Number(_) => Self::Integer,
            Value::String(_) => Self::String,
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        }
    }

    /// The kind with an article, for sentences.
    pub(crate) const fn noun(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Integer => "an integer",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }

    fn is_named(self, name: &str) -> bool {
        match self {
            Self::Null => name == "null",
            Self::Boolean => name == "boolean",
            Self::Integer => name == "integer" || name == "number",
            Self::Number => name == "number",
            Self::String => name == "string",
            Self::Array => name == "array",
            Self::Object => name == "object",
        }
    }
}

/// What a local reference leads to; `None` for one that leads nowhere or out of the document.
pub(crate) fn resolve<'s>(root: &'s Value, reference: &str) -> Option<&'s Value> {
    let fragment = reference.strip_prefix('#')?;
    if fragment.contains('%') {
        root.pointer(&percent_decoded(fragment)?)
    } else {
        root.pointer(fragment)
    }
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

/// The alternatives that a schema has for one place in the arguments.
#[derive(Debug, Clone)]
pub(crate) struct Place<'s> {
    root: &'s Value,
    schemas: Vec<&'s Value>,
}

impl<'s> Place<'s> {
    /// The place of the arguments as a whole.
    pub(crate) fn root(schema: &'s Value) -> Self {
        Self::within(schema, schema)
    }

    /// A place that a part of a schema speaks about; references start at the whole.
    pub(crate) fn within(root: &'s Value, schema: &'s Value) -> Self {
        Self {
            root,
            schemas: vec![schema],
        }
    }

    /// The place that a pointer into the arguments leads to.
    pub(crate) fn at(schema: &'s Value, pointer: &str) -> Self {
        pointer::segments(pointer).fold(Self::root(schema), |place, segment| place.child(&segment))
    }

    /// The place below this one.
    pub(crate) fn child(&self, segment: &str) -> Self {
        let mut schemas = Vec::new();
        for object in self.expanded() {
            collect_children(object, segment, &mut schemas);
        }
        Self {
            root: self.root,
            schemas,
        }
    }

    /// Whether a value of this kind may be meant here. A place that no schema speaks about admits everything.
    pub(crate) fn admits(&self, kind: Kind) -> bool {
        self.schemas.is_empty()
            || self
                .schemas
                .iter()
                .any(|schema| admits(self.root, schema, kind, PATIENCE))
    }

    /// Whether an object here has this property declared.
    pub(crate) fn declares(&self, name: &str) -> bool {
        self.expanded().iter().any(|object| property(object, name).is_some())
    }

    /// The names of the properties that are declared for an object here, in order.
    pub(crate) fn names(&self) -> Vec<&'s str> {
        let mut names: Vec<&str> = Vec::new();
        for object in self.expanded() {
            for name in object
                .get("properties")
                .and_then(Value::as_object)
                .into_iter()
                .flat_map(Map::keys)
            {
                if !names.contains(&name.as_str()) {
                    names.push(name);
                }
            }
        }
        names
    }

    /// Whether the property may be left out of an object here: it is declared, and never required without a default.
    pub(crate) fn may_omit(&self, name: &str) -> bool {
        let mut declared = false;
        for object in self.expanded() {
            if let Some(schema) = property(object, name) {
                declared = true;
                let required = object
                    .get("required")
                    .and_then(Value::as_array)
                    .is_some_and(|names| names.iter().any(|required| required == name));
                if required && schema.get("default").is_none() {
                    return false;
                }
            }
        }
        declared
    }

    /// Every object schema that speaks about this place, through references and combinators.
    fn expanded(&self) -> Vec<&'s Map<String, Value>> {
        let mut objects = Vec::new();
        for schema in &self.schemas {
            expand(self.root, schema, &mut objects);
        }
        objects
    }
}

fn expand<'s>(root: &'s Value, schema: &'s Value, objects: &mut Vec<&'s Map<String, Value>>) {
    let Value::Object(object) = schema else { return };
    // A schema that was met before is a recursion.
    if objects.iter().any(|met| std::ptr::eq(*met, object)) {
        return;
    }
    objects.push(object);
    if let Some(target) = object
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|reference| resolve(root, reference))
    {
        expand(root, target, objects);
    }
    for keyword in ["anyOf", "oneOf", "allOf"] {
        for branch in object.get(keyword).and_then(Value::as_array).into_iter().flatten() {
            expand(root, branch, objects);
        }
    }
    for keyword in ["then", "else"] {
        if let Some(branch) = object.get(keyword) {
            expand(root, branch, objects);
        }
    }
}

fn property<'s>(object: &'s Map<String, Value>, name: &str) -> Option<&'s Value> {
    object.get("properties")?.as_object()?.get(name)
}

fn collect_children<'s>(object: &'s Map<String, Value>, segment: &str, children: &mut Vec<&'s Value>) {
    let before = children.len();
    if let Some(child) = property(object, segment) {
        children.push(child);
    }
    // Which pattern fits is not asked: all of them may be meant.
    for child in object
        .get("patternProperties")
        .and_then(Value::as_object)
        .into_iter()
        .flat_map(Map::values)
    {
        children.push(child);
    }
    if children.len() == before
        && let Some(child) = object.get("additionalProperties")
        && !child.is_boolean()
    {
        children.push(child);
    }
    if let Ok(index) = segment.parse::<usize>() {
        let tuple = object
            .get("prefixItems")
            .or_else(|| object.get("items"))
            .and_then(Value::as_array);
        if let Some(child) = tuple.and_then(|items| items.get(index)) {
            children.push(child);
        } else if let Some(child) = object.get("items").filter(|items| items.is_object()) {
            children.push(child);
        }
    }
}

fn admits(root: &Value, schema: &Value, kind: Kind, patience: usize) -> bool {
    let object = match schema {
        Value::Bool(all) => return *all,
        Value::Object(object) => object,
        _ => return true,
    };
    let Some(patience) = patience.checked_sub(1) else {
        return true;
    };
    object.iter().all(|(keyword, value)| match (keyword.as_str(), value) {
        ("type", Value::String(name)) => kind.is_named(name),
        ("type", Value::Array(names)) => names.iter().filter_map(Value::as_str).any(|name| kind.is_named(name)),
        ("enum", Value::Array(values)) => values.iter().any(|value| Kind::of(value) == kind),
        ("const", value) => Kind::of(value) == kind,
        ("anyOf" | "oneOf", Value::Array(branches)) => {
            branches.iter().any(|branch| admits(root, branch, kind, patience))
        }
        ("allOf", Value::Array(branches)) => branches.iter().all(|branch| admits(root, branch, kind, patience)),
        ("$ref", Value::String(reference)) => {
            resolve(root, reference).is_none_or(|target| admits(root, target, kind, patience))
        }
        _ => true,
    })
}

/// The pointer to the place in `arguments` that a validator's pointer means.
///
/// pydantic names the chosen member of a union inside its paths (`/pet/Dog/age`); segments that lead nowhere are such
/// names and are left out. `keep_last` keeps the last one all the same, for a name that is missing.
pub(crate) fn in_arguments(arguments: &Value, pointer: &str, keep_last: bool) -> String {
    let segments: Vec<Cow<'_, str>> = pointer::segments(pointer).collect();
    let mut found = String::with_capacity(pointer.len());
    let mut value = arguments;
    for (index, segment) in segments.iter().enumerate() {
        let child = match value {
            Value::Object(object) => object.get(segment.as_ref()),
            Value::Array(items) => segment.parse::<usize>().ok().and_then(|index| items.get(index)),
            _ => None,
        };
        if let Some(child) = child {
            value = child;
            pointer::push(&mut found, segment);
        } else if keep_last && index + 1 == segments.len() {
            pointer::push(&mut found, segment);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn pets() -> Value {
        json!({
            "$defs": {
                "Dog": {"type": "object", "properties": {"age": {"type": "integer", "default": 3}, "kids": {"type": "array", "items": {"$ref": "#/$defs/Dog"}}}},
                "Cat": {"type": "object", "properties": {"lives": {"type": ["integer", "null"]}}, "required": ["lives"]},
            },
            "type": "object",
            "properties": {
                "pet": {"anyOf": [{"$ref": "#/$defs/Dog"}, {"$ref": "#/$defs/Cat"}, {"type": "null"}], "default": null},
                "table": {"type": "object", "additionalProperties": {"type": "string"}},
                "pair": {"type": "array", "prefixItems": [{"type": "integer"}], "items": {"const": "x"}},
            },
        })
    }

    #[test]
    fn alternatives_and_references_are_followed() {
        let schema = pets();
        let pet = Place::at(&schema, "/pet");
        assert!(pet.admits(Kind::Null) && pet.admits(Kind::Object));
        assert!(!pet.admits(Kind::String));
        let kid = Place::at(&schema, "/pet/kids/0/kids/4/age");
        assert!(kid.admits(Kind::Integer) && !kid.admits(Kind::Number) && !kid.admits(Kind::Null));
        assert!(Place::at(&schema, "/pet/lives").admits(Kind::Null));
        assert_eq!(pet.names(), ["age", "kids", "lives"]);
    }

    #[test]
    fn dictionaries_and_tuples_have_children() {
        let schema = pets();
        assert!(!Place::at(&schema, "/table/any").admits(Kind::Integer));
        assert!(!Place::at(&schema, "/pair/0").admits(Kind::String));
        assert!(Place::at(&schema, "/pair/1").admits(Kind::String));
        assert!(!Place::at(&schema, "/pair/1").admits(Kind::Integer));
    }

    #[test]
    fn what_nobody_speaks_about_admits_everything() {
        let schema = pets();
        assert!(Place::at(&schema, "/other/deep").admits(Kind::String));
        assert!(Place::root(&json!({"$ref": "#"})).admits(Kind::String));
    }

    #[test]
    fn only_what_is_optional_or_defaulted_may_be_omitted() {
        let schema = pets();
        let pet = Place::at(&schema, "/pet");
        assert!(pet.may_omit("age"));
        assert!(!pet.may_omit("lives"));
        assert!(!pet.may_omit("other"));
        assert!(Place::root(&schema).may_omit("pet"));
    }

    #[test]
    fn names_of_union_members_are_left_out_of_pointers() {
        let arguments = json!({"pets": [{"kind": "dog", "age": null}]});
        assert_eq!(in_arguments(&arguments, "/pets/0/dog/age", false), "/pets/0/age");
        assert_eq!(in_arguments(&arguments, "/pets/0/Cat/lives", true), "/pets/0/lives");
        assert_eq!(in_arguments(&json!({"u": "[1]"}), "/u/list[int]", false), "/u");
    }

    #[test]
    fn references_may_be_percent_encoded() {
        let root = json!({"$defs": {"a b": {"type": "null"}}});
        assert_eq!(resolve(&root, "#/$defs/a%20b"), Some(&json!({"type": "null"})));
        assert_eq!(resolve(&root, "other.json#/x"), None);
    }
}
