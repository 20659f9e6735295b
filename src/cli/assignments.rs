//! Owns how `name=value` words become the arguments of a call.
//!
//! The parameter's schema decides what a value is, never its looks: where a string is allowed the text stays as it is, so
//! `id=007` and `note=null` arrive unharmed. Must not validate; the call does.

use super::error::{CommandError, CommandResult};
use serde_json::{Map, Value};

/// How many references and combinations a schema may lead through before it counts as unknown.
const SCHEMA_DEPTH: usize = 16;

/// One `name=value` or `name:=JSON`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    name: String,
    value: String,
    /// Whether the value was declared to be JSON.
    json: bool,
}

impl Assignment {
    /// Reads one word.
    ///
    /// # Errors
    /// [`CommandError::Misuse`] if it has no name or no value.
    pub fn parse(word: &str) -> CommandResult<Self> {
        let (name, value) = word.split_once('=').ok_or_else(|| CommandError::Misuse {
            message: format!("the argument `{word}` is not `name=value`"),
            hint: "write `name=value` or `name:=JSON`, or the whole as `--json TEXT`, `@FILE` or `-`".to_owned(),
        })?;
        let (name, json) = name.strip_suffix(':').map_or((name, false), |name| (name, true));
        if name.split('.').any(str::is_empty) {
            return Err(CommandError::Misuse {
                message: format!("the argument `{word}` has no name"),
                hint: "write `name=value`, or `outer.inner=value` for a value inside an object".to_owned(),
            });
        }
        Ok(Self {
            name: name.to_owned(),
            value: value.to_owned(),
            json,
        })
    }
}

/// The text of the JSON object that the words make for a tool with this parameters schema.
///
/// # Errors
/// [`CommandError::Misuse`] if two words say something of one place, or if a `:=` is not followed by JSON.
pub fn object(assignments: &[Assignment], schema: &Value) -> CommandResult<String> {
    let schemas = Schemas { root: schema };
    let mut object = Map::new();
    for assignment in assignments {
        let mut steps = steps(&assignment.name, schema);
        let Some(last) = steps.pop() else { continue };
        let mut place = &mut object;
        let mut candidates = schemas.alternatives(schema);
        for step in steps {
            candidates = schemas.children(&candidates, step);
            place = place
                .entry(step)
                .or_insert_with(|| Value::Object(Map::new()))
                .as_object_mut()
                .ok_or_else(|| repeated(&assignment.name))?;
        }
        let candidates = schemas.children(&candidates, last);
        if place.insert(last.to_owned(), value(assignment, &candidates)?).is_some() {
            return Err(repeated(&assignment.name));
        }
    }
    Ok(Value::Object(object).to_string())
}

/// The names from the outside in; a declared name that holds a dot is one name.
fn steps<'a>(name: &'a str, schema: &Value) -> Vec<&'a str> {
    let declared = schema
        .get("properties")
        .is_some_and(|properties| properties.get(name).is_some());
    if declared {
        vec![name]
    } else {
        name.split('.').collect()
    }
}

fn repeated(name: &str) -> CommandError {
    CommandError::Misuse {
        message: format!("the argument `{name}` is given twice, or once as a whole and once in part"),
        hint: "give each place one value; a list is written as JSON, such as `names=[\"a\",\"b\"]`".to_owned(),
    }
}

fn value(assignment: &Assignment, candidates: &[&Value]) -> CommandResult<Value> {
    let Assignment { name, value, json } = assignment;
    if *json {
        return serde_json::from_str(value).map_err(|error| CommandError::Misuse {
            message: format!("the value of `{name}:=` is not JSON: {error}"),
            hint: format!("write JSON, or `{name}={value}` to leave the text as it is"),
        });
    }
    let text = Value::String(value.clone());
    if candidates.is_empty() || admitted(candidates, &text) {
        return Ok(text);
    }
    Ok(serde_json::from_str(value)
        .ok()
        .filter(|parsed| admitted(candidates, parsed))
        .unwrap_or(text))
}

/// The parts of one schema document.
struct Schemas<'a> {
    root: &'a Value,
}

impl<'a> Schemas<'a> {
    /// The schemas any of which a value may fit, with references followed and combinations opened.
    fn alternatives(&self, schema: &'a Value) -> Vec<&'a Value> {
        let mut found = Vec::new();
        self.open(schema, SCHEMA_DEPTH, &mut found);
        found
    }

    fn open(&self, schema: &'a Value, depth: usize, found: &mut Vec<&'a Value>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            if let Some(target) = reference
                .strip_prefix('#')
                .and_then(|pointer| self.root.pointer(pointer))
            {
                self.open(target, depth, found);
            }
            return;
        }
        let combined = ["anyOf", "oneOf", "allOf"]
            .into_iter()
            .filter_map(|keyword| schema.get(keyword)?.as_array());
        let mut opened = false;
        for member in combined.flatten() {
            opened = true;
            self.open(member, depth, found);
        }
        if !opened {
            found.push(schema);
        }
    }

    /// What the schemas say of a property.
    fn children(&self, schemas: &[&'a Value], name: &str) -> Vec<&'a Value> {
        schemas
            .iter()
            .filter_map(|schema| {
                let declared = schema.get("properties").and_then(|properties| properties.get(name));
                declared.or_else(|| schema.get("additionalProperties"))
            })
            .flat_map(|child| self.alternatives(child))
            .collect()
    }
}

fn admitted(schemas: &[&Value], value: &Value) -> bool {
    schemas.iter().any(|schema| admits(schema, value))
}

/// Whether a schema means values of this kind; closer judgement is for the validator.
fn admits(schema: &Value, value: &Value) -> bool {
    if let Some(only) = schema.get("const") {
        return only == value;
    }
    if let Some(listed) = schema.get("enum").and_then(Value::as_array) {
        return listed.contains(value);
    }
    match schema.get("type") {
        Some(Value::String(name)) => is_of_type(value, name),
        Some(Value::Array(names)) => names
            .iter()
            .any(|name| name.as_str().is_some_and(|name| is_of_type(value, name))),
        _ if schema.get("properties").is_some() => value.is_object(),
        _ if schema.get("items").is_some() => value.is_array(),
        _ => schema != &Value::Bool(false),
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "string" => value.is_string(),
        "integer" | "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn made(words: &[&str], properties: &Value) -> CommandResult<String> {
        let schema = json!({
            "type": "object",
            "properties": properties,
            "$defs": {"Point": {"type": "object", "properties": {"x": {"type": "number"}, "label": {"type": "string"}}}},
        });
        let assignments: CommandResult<Vec<_>> = words.iter().map(|word| Assignment::parse(word)).collect();
        object(&assignments?, &schema)
    }

    #[test]
    fn a_place_that_takes_a_string_keeps_the_text() {
        let properties = json!({
            "id": {"type": "string"},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "either": {"type": ["string", "integer"]},
            "any": {},
        });
        let words = ["id=007", "note=null", "either=5", "any={\"a\":1}", "undeclared=true"];
        assert_eq!(
            made(&words, &properties).unwrap(),
            r#"{"id":"007","note":"null","either":"5","any":"{\"a\":1}","undeclared":"true"}"#
        );
    }

    #[test]
    fn a_place_that_takes_no_string_gets_the_json_that_it_wants() {
        let properties = json!({
            "n": {"type": "integer"},
            "big": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "on": {"type": "boolean"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "level": {"enum": [1, 2]},
            "point": {"$ref": "#/$defs/Point"},
        });
        let words = [
            "n=-1",
            "big=123456789012345678901234567890",
            "on=true",
            "tags=[\"a\"]",
            "level=2",
            "point={\"x\":1}",
        ];
        assert_eq!(
            made(&words, &properties).unwrap(),
            r#"{"n":-1,"big":123456789012345678901234567890,"on":true,"tags":["a"],"level":2,"point":{"x":1}}"#
        );
    }

    #[test]
    fn a_value_of_another_kind_stays_text_for_the_validator_to_judge() {
        let properties = json!({"n": {"type": "integer"}, "on": {"type": "boolean"}, "mode": {"enum": ["a", 1]}});
        assert_eq!(
            made(&["n=[1]", "on=yes", "mode=b"], &properties).unwrap(),
            r#"{"n":"[1]","on":"yes","mode":"b"}"#
        );
    }

    #[test]
    fn a_dot_leads_into_an_object_unless_the_name_is_declared_with_it() {
        let properties = json!({"point": {"$ref": "#/$defs/Point"}, "a.b": {"type": "integer"}});
        let words = ["point.x=1.5", "point.label=2", "a.b=3", "value=x=y"];
        assert_eq!(
            made(&words, &properties).unwrap(),
            r#"{"point":{"x":1.5,"label":"2"},"a.b":3,"value":"x=y"}"#
        );
    }

    #[test]
    fn a_colon_declares_json_whatever_the_schema_says() {
        let properties = json!({"note": {"type": ["string", "null"]}});
        assert_eq!(made(&["note:=null"], &properties).unwrap(), r#"{"note":null}"#);
        let error = made(&["note:=nul"], &properties).unwrap_err();
        assert!(error.to_string().contains("`note:=` is not JSON"), "{error}");
    }

    #[test]
    fn words_that_say_nothing_or_too_much_are_misuse() {
        for words in [
            &["name"][..],
            &["=1"],
            &["a..b=1"],
            &["a=1", "a=2"],
            &["a=1", "a.b=2"],
            &["a.b=1", "a=2"],
        ] {
            let error = made(words, &json!({})).unwrap_err();
            assert_eq!(error.code(), "misuse", "{words:?}");
        }
    }

    #[test]
    fn a_schema_that_refers_to_itself_ends() {
        let schema = json!({"properties": {"node": {"$ref": "#/properties/node"}}});
        let assignments = [Assignment::parse("node=1").unwrap()];
        assert_eq!(object(&assignments, &schema).unwrap(), r#"{"node":"1"}"#);
    }
}
