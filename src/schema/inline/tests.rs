use super::*;

fn kept(schema: &Value) -> Value {
    inline(schema, Recursion::Keep).schema
}

#[test]
fn keywords_beside_a_reference_stay_and_win() {
    let schema = json!({
        "$defs": {"Color": {"enum": ["red", "blue"], "title": "Color", "type": "string", "description": "a color"}},
        "properties": {"c": {"$ref": "#/$defs/Color", "description": "what to paint with"}},
    });
    assert_eq!(
        kept(&schema),
        json!({"properties": {"c": {"enum": ["red", "blue"], "type": "string", "description": "what to paint with"}}})
    );
}

#[test]
fn references_are_followed_everywhere_but_in_data() {
    let schema = json!({
        "definitions": {"N": {"type": "integer"}, "P": {"properties": {"x": {"$ref": "#/definitions/N"}}}},
        "properties": {
            "$defs": {"$ref": "#/definitions/N"},
            "list": {"type": "array", "items": {"$ref": "#/definitions/P"}, "default": [{"$ref": "#/definitions/P"}]},
            "pair": {"prefixItems": [{"$ref": "#/definitions/N"}, true], "items": false},
            "map": {"additionalProperties": {"$ref": "#/definitions/N"}, "enum": [{"$ref": "x"}]},
        },
    });
    assert_eq!(
        kept(&schema),
        json!({"properties": {
            "$defs": {"type": "integer"},
            "list": {"type": "array", "items": {"properties": {"x": {"type": "integer"}}}, "default": [{"$ref": "#/definitions/P"}]},
            "pair": {"prefixItems": [{"type": "integer"}, true], "items": false},
            "map": {"additionalProperties": {"type": "integer"}, "enum": [{"$ref": "x"}]},
        }})
    );
}

fn node() -> Value {
    json!({
        "$defs": {"Node": {"properties": {"kids": {"default": [], "items": {"$ref": "#/$defs/Node"}, "type": "array"}}, "title": "Node", "type": "object"}},
        "properties": {"node": {"$ref": "#/$defs/Node"}},
        "type": "object",
    })
}

#[test]
fn a_recursive_type_keeps_one_definition() {
    assert_eq!(
        kept(&node()),
        json!({
            "properties": {"node": {"$ref": "#/$defs/Node"}},
            "type": "object",
            "$defs": {"Node": {"properties": {"kids": {"default": [], "items": {"$ref": "#/$defs/Node"}, "type": "array"}}, "type": "object"}},
        })
    );
}

#[test]
fn beside_a_kept_reference_a_union_of_one_carries_the_rest() {
    let mut schema = node();
    schema["properties"]["node"]["description"] = json!("where to start");
    assert_eq!(
        kept(&schema)["properties"]["node"],
        json!({"anyOf": [{"$ref": "#/$defs/Node"}], "description": "where to start"})
    );
}

#[test]
fn a_recursive_type_can_be_unrolled() {
    let unrolled = inline(&node(), Recursion::Unroll(3)).schema;
    let level = |items: &Value| json!({"properties": {"kids": {"default": [], "items": items, "type": "array"}}, "type": "object"});
    let end = json!({"type": "object", "description": "another Node"});
    assert_eq!(
        unrolled,
        json!({"properties": {"node": level(&level(&level(&end)))}, "type": "object"})
    );
}

#[test]
fn a_type_that_is_not_always_an_object_ends_in_anything() {
    let schema = json!({
        "$defs": {"Json": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/$defs/Json"}}]}},
        "properties": {"value": {"$ref": "#/$defs/Json"}},
    });
    let unrolled = inline(&schema, Recursion::Unroll(1)).schema;
    assert_eq!(
        unrolled["properties"]["value"]["anyOf"][1]["items"],
        json!({"description": "another Json"})
    );
}

#[test]
fn a_root_that_is_a_reference_is_written_out() {
    let schema = json!({
        "$defs": {"Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}},
        "$ref": "#/$defs/Node",
        "description": "the start",
    });
    assert_eq!(
        kept(&schema),
        json!({
            "type": "object",
            "properties": {"next": {"$ref": "#/$defs/Node"}},
            "description": "the start",
            "$defs": {"Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}},
        })
    );
    assert_eq!(kept(&json!({"$ref": "#"})), json!({}));
}

#[test]
fn doubling_definitions_end_within_the_budget() {
    let mut definitions = Map::from_iter([("D0".to_owned(), json!({"type": "integer"}))]);
    for level in 1..40 {
        let below = json!({"$ref": format!("#/$defs/D{}", level - 1)});
        definitions.insert(
            format!("D{level}"),
            json!({"type": "object", "properties": {"a": below, "b": below}}),
        );
    }
    let schema = json!({"$defs": definitions, "properties": {"x": {"$ref": "#/$defs/D39"}}});
    let kept = inline(&schema, Recursion::Keep).schema;
    assert!(kept["$defs"].as_object().unwrap().len() < 40);
    let unrolled = inline(&schema, Recursion::Unroll(3)).schema.to_string();
    assert!(!unrolled.contains("$ref") && unrolled.len() < 2_000_000);
}

#[test]
fn a_reference_that_leads_nowhere_is_told() {
    let schema = json!({"properties": {"a": {"$ref": "https://example.com/a.json", "description": "far"}, "b": {"$ref": "#/$defs/B"}}});
    let inlined = inline(&schema, Recursion::Keep);
    assert_eq!(
        inlined.schema,
        json!({"properties": {"a": {"description": "far"}, "b": {}}})
    );
    assert_eq!(inlined.lost, ["https://example.com/a.json", "#/$defs/B"]);
}
