//! Owns the walk through a schema that writes it in a provider's language.
//!
//! Each keyword is kept, said with other keywords, or moved into the description; nothing is ever narrowed, so whatever
//! fitted before still fits. Expects a schema whose references are written out. Must not know any provider by name.

use super::notes::Notes;
use super::table::Language;
use super::{merge, translate, union};
use crate::schema::sentence;
use crate::schema::vocabulary::{self, Holds};
use serde_json::{Map, Value, json};

/// Writes schemas in one language.
pub(super) struct Rewriter<'l, 'n, 't> {
    pub(super) language: &'l Language,
    pub(super) notes: &'n mut Notes<'t>,
    /// Whether titles that only repeat a name stay.
    pub(super) keep_titles: bool,
}

impl Rewriter<'_, '_, '_> {
    /// The schema of a property of this name, or of something without a name.
    pub(super) fn schema(&mut self, schema: Value, name: Option<&str>) -> Value {
        match schema {
            Value::Object(object) => {
                let (mut written, sentences) = self.object(object, name);
                describe(&mut written, &sentences);
                if self.language.lone_unions {
                    union::stand_alone(&mut written, self.notes);
                }
                Value::Object(written)
            }
            Value::Bool(false) if self.language.allows("not") => schema,
            Value::Bool(false) => self.schema(json!({"description": "Must not be given."}), name),
            _ => self.schema(Value::Object(Map::new()), name),
        }
    }

    /// A schema object without its description's new sentences, and those sentences.
    pub(super) fn object(
        &mut self,
        mut object: Map<String, Value>,
        name: Option<&str>,
    ) -> (Map<String, Value>, Vec<String>) {
        let mut sentences = Vec::new();
        // Most objects only have a type, a name and bounds, which every language says alike.
        if object.iter().any(|(keyword, value)| may_be_translated(keyword, value)) {
            self.flatten(&mut object);
            translate::rules(&mut object, self.language, self.notes, &mut sentences);
            if self.language.text_enums {
                translate::text_enum(&mut object, self.notes, &mut sentences);
            }
        }
        self.say_unknown(&mut object, name, &mut sentences);

        for (keyword, value) in &mut object {
            self.inner(keyword, value);
        }
        self.complete(&mut object);
        (object, sentences)
    }

    /// Takes apart the combinators that the language does not know. What comes out of one may hold the next.
    fn flatten(&mut self, object: &mut Map<String, Value>) {
        loop {
            if !self.language.allows("allOf") {
                merge::all_of(object, self.notes);
            }
            if !self.language.allows("oneOf") {
                union::one_of(object, self.notes);
            }
            if !self.language.nullable || !union::split_null(object, self.notes) {
                return;
            }
        }
    }

    /// Moves what the language does not know into sentences.
    fn say_unknown(&mut self, object: &mut Map<String, Value>, name: Option<&str>, sentences: &mut Vec<String>) {
        if let Some(format) = object.get("format")
            && object.get("minLength").is_some_and(|least| least == 1)
            && !(self.language.allows("minLength") && translate::fits("format", format, self.language))
        {
            // Every format asks for some text, so the sentence about it says this too.
            object.shift_remove("minLength");
        }
        let mut unknown: Vec<String> = Vec::new();
        for (keyword, value) in &*object {
            let is_empty = keyword == "title" && !self.keep_titles && name.is_some_and(|name| repeats(value, name));
            if !is_empty {
                if self.language.allows(keyword) && translate::fits(keyword, value, self.language) {
                    continue;
                }
                translate::say(keyword, object, self.notes, sentences);
            }
            unknown.push(keyword.clone());
        }
        if !unknown.is_empty() {
            object.retain(|keyword, _| !unknown.contains(keyword));
        }
    }

    /// Writes the schemas inside the value of a keyword.
    fn inner(&mut self, keyword: &str, value: &mut Value) {
        match (vocabulary::holds(keyword, value), value) {
            (Holds::Map, Value::Object(schemas)) => {
                for (name, schema) in schemas {
                    self.inner_schema(&[keyword, name], schema, Some(name));
                }
            }
            (Holds::List, Value::Array(schemas)) => {
                for (index, schema) in schemas.iter_mut().enumerate() {
                    self.inner_schema(&[keyword, &index.to_string()], schema, None);
                }
            }
            (Holds::Schema, schema @ Value::Object(_)) => self.inner_schema(&[keyword], schema, None),
            _ => {}
        }
    }

    fn inner_schema(&mut self, segments: &[&str], schema: &mut Value, name: Option<&str>) {
        let outside = self.notes.enter(segments);
        *schema = self.schema(schema.take(), name);
        self.notes.leave(outside);
    }

    /// Adds what the language asks for and JSON Schema does not.
    fn complete(&mut self, object: &mut Map<String, Value>) {
        if self.language.typed {
            union::give_type(object, self.notes);
        }
        if self.language.items
            && object.get("type").is_some_and(is_array)
            && !object.get("items").is_some_and(Value::is_object)
        {
            if object.shift_remove("items").is_some_and(|none| none == false) {
                object.insert("maxItems".to_owned(), 0.into());
            }
            let items = if self.language.typed {
                union::any_value()
            } else {
                json!({})
            };
            object.insert("items".to_owned(), items);
        }
        if self.language.declared_required
            && let Some(Value::Array(mut required)) = object.get_mut("required").map(Value::take)
        {
            let properties = object.get("properties").and_then(Value::as_object);
            let before = required.len();
            required.retain(|name| {
                let declared = name.as_str().zip(properties);
                declared.is_some_and(|(name, properties)| properties.contains_key(name))
            });
            if required.len() < before {
                self.notes.replaced("required", "the names that are declared");
            }
            object.insert("required".to_owned(), Value::Array(required));
        }
    }
}

/// Adds sentences to a schema's description.
pub(super) fn describe(schema: &mut Map<String, Value>, sentences: &[String]) {
    if sentences.is_empty() {
        return;
    }
    let text = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let text = sentence::append(text, sentences);
    schema.insert("description".to_owned(), Value::String(text));
}

/// Whether a keyword is one that some language says with others.
fn may_be_translated(keyword: &str, value: &Value) -> bool {
    match keyword {
        "allOf" | "anyOf" | "oneOf" | "const" | "enum" | "nullable" | "prefixItems" | "exclusiveMinimum"
        | "exclusiveMaximum" => true,
        "type" | "items" => value.is_array(),
        _ => false,
    }
}

fn is_array(kind: &Value) -> bool {
    match kind {
        Value::String(name) => name == "array",
        Value::Array(names) => names.iter().any(|name| name == "array"),
        _ => false,
    }
}

/// Whether a title says no more than the name, as the titles that pydantic makes: `Max Items` for `max_items`.
fn repeats(title: &Value, name: &str) -> bool {
    fn letters(text: &str) -> impl Iterator<Item = char> {
        text.chars()
            .filter(|character| character.is_alphanumeric())
            .flat_map(char::to_lowercase)
    }
    title.as_str().is_some_and(|title| letters(title).eq(letters(name)))
}
