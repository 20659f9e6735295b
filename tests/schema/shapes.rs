//! Owns types as an author may write them, and what they look like as a schema.

use serde_json::{Map, Value, json};

/// A type as an author may write it.
#[derive(Debug, Clone)]
pub enum Shape {
    Null,
    Boolean,
    Integer {
        least: i64,
        most: i64,
        exclusive: bool,
        step: Option<i64>,
    },
    Number {
        least: i64,
        exclusive: bool,
    },
    Text {
        least: usize,
        most: usize,
    },
    Choice(Vec<Value>),
    Constant(Value),
    Anything,
    List {
        item: Box<Shape>,
        least: usize,
        most: usize,
    },
    BareList,
    Tuple(Vec<Shape>),
    Object {
        fields: Vec<Field>,
        open: Open,
    },
    Table(Box<Shape>),
    Either {
        branches: Vec<Shape>,
        keyword: &'static str,
    },
    Nullable {
        inner: Box<Shape>,
        list_types: bool,
    },
    Both(Vec<Field>, Vec<Field>),
    /// The definition of that number.
    Named(usize),
    /// An object that contains itself.
    Recursive,
}

#[derive(Debug, Clone)]
pub struct Field {
    pub name: String,
    pub shape: Shape,
    pub required: bool,
    pub described: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Open {
    Unsaid,
    Closed,
    ToAll,
    ToIntegers,
}

/// Parameters: definitions that may name earlier ones, and an object.
#[derive(Debug, Clone)]
pub struct Parameters {
    pub definitions: Vec<Shape>,
    pub root: Vec<Field>,
    pub closed: bool,
}

impl Parameters {
    /// The schema.
    pub fn schema(&self) -> Value {
        let mut definitions: Map<String, Value> = Map::new();
        for (index, shape) in self.definitions.iter().enumerate() {
            definitions.insert(format!("D{index}"), shape.schema());
        }
        definitions.insert(
            "Node".to_owned(),
            json!({"type": "object", "title": "Node", "properties": {
                "value": {"type": "integer"},
                "kids": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
                "next": {"$ref": "#/$defs/Node", "description": "the next one"},
            }}),
        );
        let mut schema = object(&self.root, if self.closed { Open::Closed } else { Open::Unsaid });
        schema["$defs"] = Value::Object(definitions);
        schema
    }
}

fn object(fields: &[Field], open: Open) -> Value {
    let properties: Map<String, Value> = fields
        .iter()
        .map(|field| {
            let mut schema = field.shape.schema();
            if field.described
                && let Value::Object(schema) = &mut schema
            {
                schema.insert("description".to_owned(), format!("about {}", field.name).into());
                schema.insert("title".to_owned(), field.name.to_uppercase().into());
            }
            (field.name.clone(), schema)
        })
        .collect();
    let required: Vec<&str> = fields
        .iter()
        .filter(|field| field.required)
        .map(|field| field.name.as_str())
        .collect();
    let mut schema = json!({"type": "object", "properties": properties, "required": required});
    match open {
        Open::Unsaid => {}
        Open::Closed => schema["additionalProperties"] = json!(false),
        Open::ToAll => schema["additionalProperties"] = json!(true),
        Open::ToIntegers => schema["additionalProperties"] = json!({"type": "integer"}),
    }
    schema
}

impl Shape {
    fn schema(&self) -> Value {
        match self {
            Self::Null => json!({"type": "null"}),
            Self::Boolean => json!({"type": "boolean"}),
            Self::Integer {
                least,
                most,
                exclusive,
                step,
            } => {
                let mut schema = if *exclusive {
                    json!({"type": "integer", "exclusiveMinimum": least - 1, "exclusiveMaximum": most + 1})
                } else {
                    json!({"type": "integer", "minimum": least, "maximum": most})
                };
                if let Some(step) = step {
                    schema["multipleOf"] = json!(step);
                }
                schema
            }
            Self::Number { least, exclusive: true } => json!({"type": "number", "exclusiveMinimum": least}),
            Self::Number {
                least,
                exclusive: false,
            } => json!({"type": "number", "minimum": least}),
            Self::Text { least, most } => {
                json!({"type": "string", "minLength": least, "maxLength": most, "pattern": "^[a-z]*$"})
            }
            Self::Choice(values) => json!({"enum": values}),
            Self::Constant(value) => json!({"const": value}),
            Self::Anything => json!({}),
            Self::List { item, least, most } => {
                json!({"type": "array", "items": item.schema(), "minItems": least, "maxItems": most, "uniqueItems": false})
            }
            Self::BareList => json!({"type": "array"}),
            Self::Tuple(items) => {
                json!({"type": "array", "prefixItems": items.iter().map(Self::schema).collect::<Value>(), "minItems": items.len(), "maxItems": items.len()})
            }
            Self::Object { fields, open } => object(fields, *open),
            Self::Table(value) => json!({"type": "object", "additionalProperties": value.schema(), "maxProperties": 9}),
            Self::Either { branches, keyword } => {
                json!({*keyword: branches.iter().map(Self::schema).collect::<Value>()})
            }
            Self::Nullable { inner, list_types } => match inner.schema() {
                Value::Object(mut schema)
                    if *list_types
                        && schema
                            .get("type")
                            .is_some_and(|name| name.is_string() && name != "null") =>
                {
                    let name = schema["type"].take();
                    schema.insert("type".to_owned(), json!([name, "null"]));
                    Value::Object(schema)
                }
                schema => json!({"anyOf": [schema, {"type": "null"}]}),
            },
            Self::Both(left, right) => json!({"allOf": [object(left, Open::Unsaid), object(right, Open::Unsaid)]}),
            Self::Named(index) => json!({"$ref": format!("#/$defs/D{index}")}),
            Self::Recursive => json!({"$ref": "#/$defs/Node"}),
        }
    }
}
