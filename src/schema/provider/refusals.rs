//! Owns the check of a finished schema against a provider's table.
//!
//! Written without regard to how schemas are adapted, so that it can prove that they were. Must not change anything.

use super::strict::{Size, begins_alike};
use super::table::{Language, StrictRules, Table};
use super::translate;
use crate::model::{Provider, Refusal};
use crate::schema::inline::Recursion;
use crate::schema::vocabulary::{self, Holds};
use crate::schema::{place, pointer};
use serde_json::{Map, Value};

/// What a provider would refuse about a parameters schema, sent as strict or not.
#[must_use]
pub fn refusals(provider: Provider, schema: &Value, strict: bool) -> Vec<Refusal> {
    let table = super::table(provider);
    match (&table.strict, strict) {
        (_, false) => in_language(table, &table.language, schema),
        (Some(rules), true) => {
            let mut found = in_language(table, &rules.language, schema);
            if let Value::Object(root) = schema {
                loose(root, "", rules, &mut found);
                for reason in Size::of(root).beyond(&rules.each) {
                    found.push(refusal("", reason));
                }
            }
            found
        }
        (None, true) => vec![refusal("", "cannot be sent as strict".to_owned())],
    }
}

/// What does not belong to a language.
pub(super) fn in_language(table: &Table, language: &Language, schema: &Value) -> Vec<Refusal> {
    let Value::Object(root) = schema else {
        return vec![refusal("", "is no object".to_owned())];
    };
    let mut found = Vec::new();
    if root.get("type").is_none_or(|kind| kind != "object") {
        found.push(refusal("", "is not of type object".to_owned()));
    }
    for keyword in root.keys().filter(|keyword| !language.root.contains(&keyword.as_str())) {
        found.push(refusal(
            &pointer::join("", keyword),
            "is not accepted at the top level".to_owned(),
        ));
    }
    if let (Some(rule), Some(Value::Object(properties))) = (table.parameter_names, root.get("properties")) {
        for name in properties.keys().filter(|name| !rule.accepts(name)) {
            let place = pointer::join("/properties", name);
            found.push(refusal(&place, "has a name that is not accepted".to_owned()));
        }
    }
    let mut walk = Walk {
        root: schema,
        language,
        found,
    };
    walk.object(root, "");
    walk.found
}

fn refusal(pointer: &str, reason: String) -> Refusal {
    Refusal {
        pointer: pointer.to_owned(),
        reason,
    }
}

struct Walk<'s> {
    root: &'s Value,
    language: &'s Language,
    found: Vec<Refusal>,
}

impl Walk<'_> {
    fn refuse(&mut self, pointer: &str, reason: &str) {
        self.found.push(refusal(pointer, reason.to_owned()));
    }

    fn schema(&mut self, schema: &Value, pointer: &str) {
        match schema {
            Value::Object(object) => self.object(object, pointer),
            Value::Bool(_) if self.language.allows("not") => {}
            _ => self.refuse(pointer, "is no schema object"),
        }
    }

    fn object(&mut self, object: &Map<String, Value>, pointer: &str) {
        for (keyword, value) in object {
            let place = pointer::join(pointer, keyword);
            if !self.language.allows(keyword) {
                self.refuse(&place, "is not a keyword that is known there");
            } else if !translate::fits(keyword, value, self.language) {
                self.refuse(&place, "has a value that is not accepted");
            }
            self.children(keyword, value, &place);
        }
        self.shape(object, pointer);
        if let Some(Value::String(reference)) = object.get("$ref") {
            if self.language.recursion != Recursion::Keep || place::resolve(self.root, reference).is_none() {
                self.refuse(pointer, "refers to a definition");
            } else if self.language.lone_references && object.len() > 1 {
                self.refuse(pointer, "has keywords beside a reference");
            }
        }
    }

    fn children(&mut self, keyword: &str, value: &Value, place: &str) {
        match (vocabulary::holds(keyword, value), value) {
            (Holds::Map, Value::Object(schemas)) => {
                for (name, schema) in schemas {
                    self.schema(schema, &pointer::join(place, name));
                }
            }
            (Holds::List, Value::Array(schemas)) => {
                for (index, schema) in schemas.iter().enumerate() {
                    self.schema(schema, &pointer::join(place, &index.to_string()));
                }
            }
            (Holds::Schema, Value::Object(object)) => self.object(object, place),
            _ => {}
        }
    }

    fn shape(&mut self, object: &Map<String, Value>, pointer: &str) {
        let language = self.language;
        let is_union = object.contains_key("anyOf");
        if language.typed && !is_union && !object.contains_key("type") {
            self.refuse(pointer, "has no type");
        }
        if language.nullable && object.get("type").is_some_and(Value::is_array) {
            self.refuse(pointer, "has several types");
        }
        if language.lone_unions && is_union && object.len() > 1 {
            self.refuse(pointer, "has keywords beside anyOf");
        }
        if language.items
            && object.get("type").is_some_and(|kind| kind == "array")
            && !object.get("items").is_some_and(Value::is_object)
        {
            self.refuse(pointer, "is an array without items");
        }
        if language.text_enums
            && let Some(Value::Array(values)) = object.get("enum")
            && !(values.iter().all(Value::is_string) && object.get("type").is_some_and(|kind| kind == "string"))
        {
            self.refuse(pointer, "lists values that are no texts");
        }
        if language.declared_required {
            let properties = object.get("properties").and_then(Value::as_object);
            for name in object.get("required").and_then(Value::as_array).into_iter().flatten() {
                let name = name.as_str().unwrap_or_default();
                if !properties.is_some_and(|properties| properties.contains_key(name)) {
                    self.refuse(pointer, "requires a name that is not declared");
                }
            }
        }
    }
}

/// What keeps a schema from being strict.
fn loose(object: &Map<String, Value>, pointer: &str, rules: &StrictRules, found: &mut Vec<Refusal>) {
    let names = |kind: &str| match object.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(|name| name == kind),
        single => single.is_some_and(|name| name == kind),
    };
    if !rules.defaults && object.contains_key("default") {
        found.push(refusal(pointer, "has a default".to_owned()));
    }
    if !rules.alike_unions && begins_alike(object) {
        found.push(refusal(
            pointer,
            "has alternatives that begin with the same property".to_owned(),
        ));
    }
    if !rules.recursion && object.contains_key("$ref") {
        found.push(refusal(pointer, "contains itself".to_owned()));
    }
    if !["type", "anyOf", "enum", "const", "$ref"]
        .iter()
        .any(|keyword| object.contains_key(*keyword))
    {
        found.push(refusal(pointer, "takes any value".to_owned()));
    }
    if names("object") {
        let declared = object.get("properties").and_then(Value::as_object);
        let required = object
            .get("required")
            .and_then(Value::as_array)
            .map_or(&[][..], Vec::as_slice);
        if object.get("additionalProperties").is_none_or(|open| open != false) {
            found.push(refusal(pointer, "is an open object".to_owned()));
        }
        if declared.is_none_or(|declared| declared.keys().any(|name| !required.iter().any(|given| given == name))) {
            found.push(refusal(pointer, "does not require all of its properties".to_owned()));
        }
    }
    for (keyword, value) in object {
        let place = pointer::join(pointer, keyword);
        let children: Vec<(String, &Value)> = match (vocabulary::holds(keyword, value), value) {
            (Holds::Map, Value::Object(schemas)) => schemas
                .iter()
                .map(|(name, schema)| (pointer::join(&place, name), schema))
                .collect(),
            (Holds::List, Value::Array(schemas)) => schemas
                .iter()
                .enumerate()
                .map(|(index, schema)| (pointer::join(&place, &index.to_string()), schema))
                .collect(),
            (Holds::Schema, schema) => vec![(place, schema)],
            _ => Vec::new(),
        };
        for (place, schema) in children {
            if let Value::Object(object) = schema {
                loose(object, &place, rules, found);
            }
        }
    }
}
