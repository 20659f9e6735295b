//! Owns strict schemas: every object closed, every property required, null for what may be left out.
//!
//! Works on a schema that is already written in the strict language. Must not hide anything: what cannot be made strict
//! is named, and the tool is then not described as strict.

use super::notes::Notes;
use super::rewrite::describe;
use super::table::{Bounds, StrictRules};
use crate::model::{ExportChange, ToolDefinition};
use crate::schema::{pointer, sentence};
use serde_json::{Map, Value, json};

/// What speaks against a strict schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reason {
    /// Where in the schema.
    pub(super) pointer: String,
    /// In words, with the argument's name.
    pub(super) text: String,
}

impl Reason {
    /// A reason that lies in the whole.
    pub(super) const fn whole(text: String) -> Self {
        Self {
            pointer: String::new(),
            text,
        }
    }
}

/// Makes a schema strict; nothing is a reason against it if all went well.
pub(super) fn tighten(root: &mut Map<String, Value>, rules: &StrictRules, notes: &mut Notes<'_>) -> Vec<Reason> {
    let mut tightener = Tightener {
        rules,
        notes,
        reasons: Vec::new(),
    };
    if !rules.recursion && root.contains_key("$defs") {
        tightener.refuse("a parameter's type contains itself".to_owned());
    }
    if let Some(Value::Object(definitions)) = root.get_mut("$defs") {
        for (name, definition) in definitions {
            let place = tightener.notes.enter(&["$defs", name]);
            tightener.unnamed(definition, &format!("/{name}"));
            tightener.notes.leave(place);
        }
    }
    tightener.object(root, "", true);
    tightener.reasons
}

struct Tightener<'r, 'n, 't> {
    rules: &'r StrictRules,
    notes: &'n mut Notes<'t>,
    reasons: Vec<Reason>,
}

impl Tightener<'_, '_, '_> {
    fn schema(&mut self, schema: &mut Value, argument: &str) {
        match schema {
            Value::Object(object) => self.object(object, argument, false),
            _ => self.refuse(format!("{argument} takes any value")),
        }
    }

    /// A schema that is no property's, so that its default has no use.
    fn unnamed(&mut self, schema: &mut Value, argument: &str) {
        self.schema(schema, argument);
        if let Value::Object(object) = schema {
            self.settle_default(object);
        }
    }

    fn object(&mut self, object: &mut Map<String, Value>, argument: &str, is_root: bool) {
        if object.contains_key("$ref") {
            return;
        }
        if !self.rules.alike_unions && begins_alike(object) {
            self.refuse(format!("{argument} has alternatives that begin with the same property"));
        }
        for (index, branch) in branches(object).into_iter().enumerate() {
            let outside = self.notes.enter(&["anyOf", &index.to_string()]);
            self.unnamed(branch, argument);
            self.notes.leave(outside);
        }
        if names_type(object, "object") {
            self.close(object, argument, is_root);
        }
        if names_type(object, "array") {
            self.items(object, argument);
        }
        if !["type", "anyOf", "enum", "const"]
            .iter()
            .any(|keyword| object.contains_key(*keyword))
        {
            self.refuse(format!("{argument} takes any value"));
        }
    }

    fn items(&mut self, object: &mut Map<String, Value>, argument: &str) {
        let argument = format!("{argument}/*");
        match object.get_mut("items") {
            Some(items) => {
                let outside = self.notes.enter(&["items"]);
                self.unnamed(items, &argument);
                self.notes.leave(outside);
            }
            None => self.refuse(format!("{argument} takes any value")),
        }
    }

    fn close(&mut self, object: &mut Map<String, Value>, argument: &str, is_root: bool) {
        let is_open = object.get("additionalProperties").is_some_and(|open| open != false)
            || !is_root && !object.contains_key("properties") && object.get("additionalProperties").is_none();
        if is_open {
            let place = if is_root { "the arguments as a whole" } else { argument };
            self.refuse(format!("{place} is an open object"));
            return;
        }
        // Taken out first, so that both stand at the end each time.
        object.shift_remove("additionalProperties");
        let required = match object.shift_remove("required") {
            Some(Value::Array(names)) => names,
            _ => Vec::new(),
        };
        let mut names: Vec<Value> = Vec::new();
        if let Some(Value::Object(properties)) = object.get_mut("properties") {
            for (name, schema) in properties {
                let place = pointer::join(argument, name);
                let outside = self.notes.enter(&["properties", name]);
                self.schema(schema, &place);
                if let Value::Object(schema) = schema {
                    if required.iter().any(|required| required == name) {
                        self.settle_default(schema);
                    } else {
                        self.let_null(schema, &place);
                    }
                }
                self.notes.leave(outside);
                names.push(Value::String(name.clone()));
            }
        } else {
            object.insert("properties".to_owned(), json!({}));
        }
        object.insert("required".to_owned(), Value::Array(names));
        object.insert("additionalProperties".to_owned(), false.into());
    }

    /// A default beside a property that has to be given is only a hint.
    fn settle_default(&mut self, schema: &mut Map<String, Value>) {
        if !self.rules.defaults && schema.contains_key("default") {
            let hint: Vec<String> = sentence::for_keyword("default", schema).into_iter().collect();
            schema.shift_remove("default");
            if hint.is_empty() {
                self.notes.dropped("default");
            } else {
                self.notes.moved("default");
            }
            describe(schema, &hint);
        }
    }

    /// Null stands for a property that is not given.
    fn let_null(&mut self, schema: &mut Map<String, Value>, argument: &str) {
        if admits_null(schema) {
            let default = schema.get("default").filter(|default| !default.is_null()).cloned();
            if let Some(default) = default {
                schema.shift_remove("default");
                let default = sentence::shown(&default);
                let reason = format!("{argument} has to be given, so its default {default} cannot be left to the tool");
                self.notes.say_here(ExportChange::Replaced, reason);
            } else if !self.rules.defaults {
                schema.shift_remove("default");
            }
            return;
        }
        let default = schema.shift_remove("default");
        add_null(schema);
        let meaning = default.map_or_else(
            || "not given".to_owned(),
            |default| format!("its default {}", sentence::shown(&default)),
        );
        let reason = format!("{argument} has to be given, and null means {meaning}");
        self.notes.say_here(ExportChange::Replaced, reason);
    }

    fn refuse(&mut self, text: String) {
        self.reasons.push(Reason {
            pointer: self.notes.here().to_owned(),
            text,
        });
    }
}

/// Whether two objects of a union begin with the same property, and its values do not tell them apart.
pub(super) fn begins_alike(object: &Map<String, Value>) -> bool {
    let branches = object.get("anyOf").and_then(Value::as_array);
    let firsts: Vec<(&String, &Value)> = branches
        .into_iter()
        .flatten()
        .filter_map(|branch| branch.get("properties")?.as_object()?.iter().next())
        .collect();
    let only_value = |schema: &Value| {
        let listed = || match schema.get("enum")?.as_array()?.as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        };
        schema.get("const").cloned().or_else(listed)
    };
    firsts.iter().enumerate().any(|(index, (name, schema))| {
        firsts[..index].iter().any(|(other, other_schema)| {
            name == other && (only_value(schema).is_none() || only_value(schema) == only_value(other_schema))
        })
    })
}

fn branches(object: &mut Map<String, Value>) -> Vec<&mut Value> {
    match object.get_mut("anyOf") {
        Some(Value::Array(branches)) => branches.iter_mut().collect(),
        _ => Vec::new(),
    }
}

fn names_type(object: &Map<String, Value>, name: &str) -> bool {
    match object.get("type") {
        Some(Value::String(kind)) => kind == name,
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == name),
        _ => false,
    }
}

fn admits_null(object: &Map<String, Value>) -> bool {
    if let Some(Value::Array(branches)) = object.get("anyOf") {
        return branches.iter().filter_map(Value::as_object).any(admits_null);
    }
    let listed = match object.get("enum") {
        Some(Value::Array(values)) => values.contains(&Value::Null),
        _ => object.get("const").is_none_or(Value::is_null),
    };
    listed && (names_type(object, "null") || !object.contains_key("type") && !object.contains_key("$ref"))
}

/// Lets a schema that does not admit null admit it.
fn add_null(object: &mut Map<String, Value>) {
    if let Some(Value::Array(branches)) = object.get_mut("anyOf") {
        branches.push(json!({"type": "null"}));
        return;
    }
    if object.contains_key("$ref") {
        let reference = std::mem::take(object);
        object.insert("anyOf".to_owned(), json!([reference, {"type": "null"}]));
        return;
    }
    if let Some(value) = object.shift_remove("const") {
        object.insert("enum".to_owned(), json!([value]));
    }
    if let Some(Value::Array(values)) = object.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
    match object.get_mut("type") {
        Some(Value::Array(names)) if names.iter().any(|name| name == "null") => {}
        Some(Value::Array(names)) => names.push("null".into()),
        Some(name) => *name = json!([name.take(), "null"]),
        None => {}
    }
}

/// How much of everything a strict schema has.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Size {
    properties: usize,
    depth: usize,
    enum_values: usize,
    characters: usize,
    unions: usize,
}

impl Size {
    /// Measures a strict schema.
    pub(super) fn of(root: &Map<String, Value>) -> Self {
        let mut size = Self::default();
        size.add_object(root, 0);
        size
    }

    /// What a tool's strict schema has for certain, before it is written: each parameter of one type that may be left out
    /// becomes one of two types.
    pub(super) fn at_least(definition: &ToolDefinition) -> Self {
        let schema = &definition.parameters_schema;
        let required = schema.get("required").and_then(Value::as_array);
        let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|required| required == name));
        let properties = schema.get("properties").and_then(Value::as_object);
        let becomes_union = |schema: &Value| {
            let kind = schema.get("type").and_then(Value::as_str);
            kind.is_some_and(|kind| kind != "null")
        };
        let unions = properties.into_iter().flatten();
        Self {
            unions: unions
                .filter(|(name, schema)| !is_required(name) && becomes_union(schema))
                .count(),
            ..Self::default()
        }
    }

    /// Both together.
    pub(super) const fn plus(self, other: Self) -> Self {
        Self {
            properties: self.properties + other.properties,
            depth: if self.depth > other.depth {
                self.depth
            } else {
                other.depth
            },
            enum_values: self.enum_values + other.enum_values,
            characters: self.characters + other.characters,
            unions: self.unions + other.unions,
        }
    }

    /// What is more than the bounds allow, in words.
    pub(super) fn beyond(&self, bounds: &Bounds) -> Vec<String> {
        [
            (self.properties, bounds.properties, "properties"),
            (self.depth, bounds.depth, "levels of objects"),
            (self.enum_values, bounds.enum_values, "values in enums"),
            (self.characters, bounds.characters, "characters of names and values"),
            (self.unions, bounds.unions, "parameters of several types"),
        ]
        .into_iter()
        .filter(|(count, limit, _)| count > limit)
        .map(|(count, limit, what)| format!("it has {count} {what}, and at most {limit} are accepted"))
        .collect()
    }

    fn add(&mut self, schema: &Value, depth: usize) {
        if let Value::Object(object) = schema {
            self.add_object(object, depth);
        }
    }

    fn add_object(&mut self, object: &Map<String, Value>, depth: usize) {
        let depth = depth + usize::from(object.contains_key("properties"));
        self.depth = self.depth.max(depth);
        self.unions += usize::from(object.contains_key("anyOf") || object.get("type").is_some_and(Value::is_array));
        for keyword in ["properties", "$defs"] {
            for (name, schema) in object.get(keyword).and_then(Value::as_object).into_iter().flatten() {
                self.properties += usize::from(keyword == "properties");
                self.characters += name.chars().count();
                self.add(schema, depth);
            }
        }
        for branch in object.get("anyOf").and_then(Value::as_array).into_iter().flatten() {
            self.add(branch, depth);
        }
        if let Some(items) = object.get("items") {
            self.add(items, depth);
        }
        for value in object.get("enum").and_then(Value::as_array).into_iter().flatten() {
            self.enum_values += 1;
            self.characters += characters(value);
        }
        self.characters += object.get("const").map_or(0, characters);
    }
}

fn characters(value: &Value) -> usize {
    value
        .as_str()
        .map_or_else(|| value.to_string().len(), |text| text.chars().count())
}
