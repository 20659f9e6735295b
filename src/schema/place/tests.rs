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
