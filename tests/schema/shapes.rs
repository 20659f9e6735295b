//! Owns generated parameters: what they look like as a schema, and values that fit them.

use proptest::collection::vec;
use proptest::prelude::*;
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
    Open,
    Integers,
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

    /// Values that fit the schema.
    pub fn values(&self) -> BoxedStrategy<Value> {
        fields(&self.root, &self.definitions)
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
        Open::Open => schema["additionalProperties"] = json!(true),
        Open::Integers => schema["additionalProperties"] = json!({"type": "integer"}),
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

    fn values(&self, definitions: &[Self]) -> BoxedStrategy<Value> {
        match self {
            Self::Null => Just(Value::Null).boxed(),
            Self::Boolean => any::<bool>().prop_map(Value::from).boxed(),
            Self::Integer { least, most, step, .. } => {
                let step = step.unwrap_or(1);
                (*least..=*most)
                    .prop_map(move |value| json!(value / step * step))
                    .boxed()
            }
            Self::Number { least, .. } => (*least + 1..*least + 50).prop_map(|value| json!(value)).boxed(),
            Self::Text { least, most } => {
                let pattern = format!("[a-z]{{{least},{most}}}");
                proptest::string::string_regex(&pattern)
                    .unwrap()
                    .prop_map(Value::from)
                    .boxed()
            }
            Self::Choice(values) => proptest::sample::select(values.clone()).boxed(),
            Self::Constant(value) => Just(value.clone()).boxed(),
            Self::Anything => anything(),
            Self::List { item, least, most } => vec(item.values(definitions), *least..=*most)
                .prop_map(Value::Array)
                .boxed(),
            Self::BareList => vec(scalar(), 0..3).prop_map(Value::Array).boxed(),
            Self::Tuple(items) => items
                .iter()
                .map(|item| item.values(definitions))
                .collect::<Vec<_>>()
                .prop_map(Value::Array)
                .boxed(),
            Self::Object { fields: known, open } => {
                let open = *open;
                (fields(known, definitions), any::<i64>())
                    .prop_map(move |(mut value, extra)| {
                        if matches!(open, Open::Open | Open::Integers) {
                            value["zz_extra"] = json!(extra);
                        }
                        value
                    })
                    .boxed()
            }
            Self::Table(value) => proptest::collection::btree_map("[a-z]{1,4}", value.values(definitions), 0..3)
                .prop_map(|table| table.into_iter().collect())
                .boxed(),
            Self::Either { branches, .. } => {
                let branches: Vec<_> = branches.iter().map(|branch| branch.values(definitions)).collect();
                proptest::strategy::Union::new(branches).boxed()
            }
            Self::Nullable { inner, .. } => prop_oneof![Just(Value::Null), inner.values(definitions)].boxed(),
            Self::Both(left, right) => (fields(left, definitions), fields(right, definitions))
                .prop_map(|(left, right)| {
                    let mut both = left.as_object().unwrap().clone();
                    both.extend(right.as_object().unwrap().clone());
                    Value::Object(both)
                })
                .boxed(),
            Self::Named(index) => definitions[*index].values(&definitions[..*index]),
            Self::Recursive => node(),
        }
    }
}

fn fields(fields: &[Field], definitions: &[Shape]) -> BoxedStrategy<Value> {
    let values: Vec<_> = fields
        .iter()
        .map(|field| {
            (
                Just(field.name.clone()),
                field.shape.values(definitions),
                any::<bool>(),
                Just(field.required),
            )
        })
        .collect();
    values
        .prop_map(|fields| {
            fields
                .into_iter()
                .filter(|(_, _, given, required)| *given || *required)
                .map(|(name, value, _, _)| (name, value))
                .collect::<Map<_, _>>()
                .into()
        })
        .boxed()
}

fn scalar() -> BoxedStrategy<Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-9_i64..9).prop_map(Value::from),
        "[a-z]{0,3}".prop_map(Value::from),
    ]
    .boxed()
}

/// What JSON can say, but no list inside a list: where a language has no recursion, that is as far as it goes.
fn anything() -> BoxedStrategy<Value> {
    prop_oneof![
        scalar(),
        vec(scalar(), 0..3).prop_map(Value::Array),
        scalar().prop_map(|value| json!({"any": value})),
    ]
    .boxed()
}

fn node() -> BoxedStrategy<Value> {
    let leaf = (0_i64..9).prop_map(|value| json!({"value": value})).boxed();
    leaf.prop_recursive(4, 12, 2, |node| {
        (vec(node.clone(), 0..2), proptest::option::of(node)).prop_map(|(kids, next)| {
            let mut value = json!({"kids": kids});
            if let Some(next) = next {
                value["next"] = next;
            }
            value
        })
    })
    .boxed()
}

const NAMES: [&str; 5] = ["alpha", "beta_2", "Gamma", "de-lta", "e.f"];

fn some_fields(
    shapes: impl Strategy<Value = Shape> + Clone + 'static,
    prefix: &'static str,
) -> BoxedStrategy<Vec<Field>> {
    vec((shapes, any::<bool>(), any::<bool>()), 0..4)
        .prop_map(move |fields| {
            fields
                .into_iter()
                .zip(NAMES)
                .map(|((shape, required, described), name)| Field {
                    name: format!("{prefix}{name}"),
                    shape,
                    required,
                    described,
                })
                .collect()
        })
        .boxed()
}

fn shapes(definitions: usize) -> BoxedStrategy<Shape> {
    let values = || vec(scalar(), 1..4);
    let leaves = prop_oneof![
        Just(Shape::Null),
        Just(Shape::Boolean),
        (-9_i64..=0, 1_i64..20, any::<bool>(), proptest::option::of(2_i64..5)).prop_map(
            |(least, most, exclusive, step)| Shape::Integer {
                least,
                most,
                exclusive,
                step
            }
        ),
        (-9_i64..9, any::<bool>()).prop_map(|(least, exclusive)| Shape::Number { least, exclusive }),
        (0_usize..3, 3_usize..6).prop_map(|(least, most)| Shape::Text { least, most }),
        values().prop_map(Shape::Choice),
        scalar().prop_map(Shape::Constant),
        Just(Shape::Anything),
        Just(Shape::BareList),
        Just(Shape::Recursive),
        (0..definitions.max(1)).prop_map(move |index| if definitions == 0 {
            Shape::Boolean
        } else {
            Shape::Named(index)
        }),
    ];
    leaves
        .prop_recursive(3, 20, 3, |inner| {
            let open = prop_oneof![
                Just(Open::Unsaid),
                Just(Open::Closed),
                Just(Open::Open),
                Just(Open::Integers)
            ];
            prop_oneof![
                (inner.clone(), 0_usize..3, 3_usize..5).prop_map(|(item, least, most)| Shape::List {
                    item: Box::new(item),
                    least,
                    most
                }),
                vec(inner.clone(), 1..3).prop_map(Shape::Tuple),
                (some_fields(inner.clone(), ""), open).prop_map(|(fields, open)| Shape::Object { fields, open }),
                inner.clone().prop_map(|value| Shape::Table(Box::new(value))),
                (vec(inner.clone(), 1..3), prop_oneof![Just("anyOf"), Just("oneOf")])
                    .prop_map(|(branches, keyword)| Shape::Either { branches, keyword }),
                (inner.clone(), any::<bool>()).prop_map(|(inner, list_types)| Shape::Nullable {
                    inner: Box::new(inner),
                    list_types
                }),
                (some_fields(inner.clone(), "l"), some_fields(inner, "r"))
                    .prop_map(|(left, right)| Shape::Both(left, right)),
            ]
        })
        .boxed()
}

/// Parameters of every kind.
pub fn parameters() -> BoxedStrategy<Parameters> {
    (shapes(0), shapes(1))
        .prop_flat_map(|(first, second)| {
            (some_fields(shapes(2), ""), any::<bool>()).prop_map(move |(root, closed)| Parameters {
                definitions: vec![first.clone(), second.clone()],
                root,
                closed,
            })
        })
        .boxed()
}
