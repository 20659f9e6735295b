//! Owns YAML as a tree that knows its lines, so that what is wrong with a value can be shown where it stands.

use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_saphyr::Spanned;
use std::fmt;

/// A value and the line that it begins on, from 1.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub line: u32,
    pub value: Value,
}

/// What a value is. Numbers that are no integers are kept as text: no field of a manifest computes with them.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Integer(i64),
    Float(f64),
    Text(String),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

/// Why a text is not YAML.
#[derive(Debug)]
pub(super) struct SyntaxError {
    pub line: Option<u32>,
    pub message: String,
}

/// Reads a document.
pub(super) fn parse(text: &str) -> Result<Node, SyntaxError> {
    serde_saphyr::from_str(text).map_err(|error| {
        let line = error
            .location()
            .and_then(|location| u32::try_from(location.line()).ok());
        SyntaxError {
            line: line.filter(|line| *line > 0),
            message: error.without_snippet().to_string(),
        }
    })
}

impl Node {
    /// The value of a key; `null` counts as absent, as it does in the manifests that this reads.
    pub fn get(&self, key: &str) -> Option<&Self> {
        let Value::Map(members) = &self.value else {
            return None;
        };
        members
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, node)| node)
            .filter(|node| node.value != Value::Null)
    }

    /// The text, if it is one and holds anything.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) if !text.trim().is_empty() => Some(text),
            _ => None,
        }
    }

    /// The items, if it is a list.
    pub fn list(&self) -> Option<&[Self]> {
        match &self.value {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    /// The members, if it is a mapping.
    pub fn map(&self) -> Option<&[(String, Self)]> {
        match &self.value {
            Value::Map(members) => Some(members),
            _ => None,
        }
    }

    /// What the value is, in a word for messages.
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Integer(_) | Value::Float(_) => "a number",
            Value::Text(text) if text.trim().is_empty() => "an empty text",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Map(_) => "a mapping",
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<Value>::deserialize(deserializer)?;
        Ok(Self {
            line: u32::try_from(spanned.referenced.line()).unwrap_or(0),
            value: spanned.value,
        })
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a YAML value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Integer(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        #[expect(clippy::cast_precision_loss, reason = "no field of a manifest holds such a number")]
        let float = value as f64;
        Ok(i64::try_from(value).map_or(Value::Float(float), Value::Integer))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = access.next_entry()? {
            members.push(member);
        }
        Ok(Value::Map(members))
    }
}
