//! Owns the making of parameters of every kind, and of values that fit them.

use crate::shapes::{Field, Open, Parameters, Shape};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

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

/// Values that fit parameters.
pub fn arguments(parameters: &Parameters) -> BoxedStrategy<Value> {
    fields(&parameters.root, &parameters.definitions)
}

fn fields(fields: &[Field], definitions: &[Shape]) -> BoxedStrategy<Value> {
    let values: Vec<_> = fields
        .iter()
        .map(|field| {
            (
                Just(field.name.clone()),
                values(&field.shape, definitions),
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
                Just(Open::ToAll),
                Just(Open::ToIntegers)
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

fn values(shape: &Shape, definitions: &[Shape]) -> BoxedStrategy<Value> {
    match shape {
        Shape::Null => Just(Value::Null).boxed(),
        Shape::Boolean => any::<bool>().prop_map(Value::from).boxed(),
        Shape::Integer { least, most, step, .. } => {
            let step = step.unwrap_or(1);
            (*least..=*most)
                .prop_map(move |value| json!(value / step * step))
                .boxed()
        }
        Shape::Number { least, .. } => (*least + 1..*least + 50).prop_map(|value| json!(value)).boxed(),
        Shape::Text { least, most } => {
            let pattern = format!("[a-z]{{{least},{most}}}");
            proptest::string::string_regex(&pattern)
                .unwrap()
                .prop_map(Value::from)
                .boxed()
        }
        Shape::Choice(values) => proptest::sample::select(values.clone()).boxed(),
        Shape::Constant(value) => Just(value.clone()).boxed(),
        Shape::Anything => anything(),
        Shape::List { item, least, most } => vec(values(item, definitions), *least..=*most)
            .prop_map(Value::Array)
            .boxed(),
        Shape::BareList => vec(scalar(), 0..3).prop_map(Value::Array).boxed(),
        Shape::Tuple(items) => items
            .iter()
            .map(|item| values(item, definitions))
            .collect::<Vec<_>>()
            .prop_map(Value::Array)
            .boxed(),
        Shape::Object { fields: known, open } => {
            let open = *open;
            (fields(known, definitions), any::<i64>())
                .prop_map(move |(mut value, extra)| {
                    if matches!(open, Open::ToAll | Open::ToIntegers) {
                        value["zz_extra"] = json!(extra);
                    }
                    value
                })
                .boxed()
        }
        Shape::Table(value) => proptest::collection::btree_map("[a-z]{1,4}", values(value, definitions), 0..3)
            .prop_map(|table| table.into_iter().collect())
            .boxed(),
        Shape::Either { branches, .. } => {
            let branches: Vec<_> = branches.iter().map(|branch| values(branch, definitions)).collect();
            proptest::strategy::Union::new(branches).boxed()
        }
        Shape::Nullable { inner, .. } => prop_oneof![Just(Value::Null), values(inner, definitions)].boxed(),
        Shape::Both(left, right) => (fields(left, definitions), fields(right, definitions))
            .prop_map(|(left, right)| {
                let mut both = left.as_object().unwrap().clone();
                both.extend(right.as_object().unwrap().clone());
                Value::Object(both)
            })
            .boxed(),
        Shape::Named(index) => values(&definitions[*index], &definitions[..*index]),
        Shape::Recursive => node(),
    }
}
