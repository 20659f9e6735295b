//! Owns the mending of arguments that a validator refused, where the schema cannot mean the value as it was sent.
//!
//! Only places that a problem names are touched, and each at most once; the caller validates the whole call again, and
//! checks its limits again, because text inside a string was not counted as depth. Must not guess: a near name or a
//! text that could be meant as text stays as it is.

use super::edit::Edit;
use super::integral::{self, Integral};
use super::place::{self, Kind, Place};
use super::wire_name::NameRule;
use super::{pointer, problem};
use crate::model::{Problem, Repair, RepairRule};
use serde_json::{Number, Value};

/// What the host knows about a tool's arguments beside the schema.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RepairOptions<'o> {
    /// Undeclared keys that are removed although they do not start with an underscore.
    pub(crate) ignored_keys: &'o [String],
    /// Parameters that are declared under an alias: the name in Python and the alias in the schema.
    pub(crate) aliases: &'o [(String, String)],
}

/// The arguments with every repairable problem mended, and what was done; `None` when nothing can be.
pub(crate) fn repair(
    arguments: &str,
    problems: &[Problem],
    schema: &Value,
    options: RepairOptions<'_>,
) -> Option<(String, Vec<Repair>)> {
    let mut mended: Value = serde_json::from_str(arguments).ok()?;
    let mut repairs: Vec<Repair> = Vec::new();
    for problem in problems {
        let pointer = place::in_arguments(&mended, &problem.pointer, false);
        if repairs.iter().any(|repair| repair.pointer == pointer) {
            continue;
        }
        let edit = if problem::is_unknown_name(&problem.code) {
            mend_name(&mended, &pointer, schema, options)
        } else {
            mend_value(&mended, &pointer, schema)
        };
        if let Some((rule, edit)) = edit
            && edit.apply(&mut mended, &pointer)
        {
            repairs.push(Repair { pointer, rule });
        }
    }
    (!repairs.is_empty()).then(|| (mended.to_string(), repairs))
}

fn mend_name(
    arguments: &Value,
    pointer: &str,
    schema: &Value,
    options: RepairOptions<'_>,
) -> Option<(RepairRule, Edit)> {
    let (parent, name) = pointer::split_last(pointer)?;
    let given = arguments.pointer(parent)?.as_object()?;
    let place = Place::at(schema, parent);
    if !given.contains_key(name.as_ref()) || place.declares(&name) {
        return None;
    }
    let alias = place.names().into_iter().find(|declared| {
        let is_alias = parent.is_empty()
            && options
                .aliases
                .iter()
                .any(|(of, alias)| *of == name && alias == declared);
        // A provider that does not accept the declared name was sent this one in its stead.
        let is_rewritten = |rule: NameRule| rule.rewrite(declared) == name;
        is_alias || is_rewritten(NameRule::PARAMETER) || is_rewritten(NameRule::IDENTIFIER)
    });
    if let Some(alias) = alias.filter(|alias| !given.contains_key(*alias)) {
        return Some((RepairRule::NameForAlias, Edit::Rename(alias.to_owned())));
    }
    let ignored = name.starts_with('_') || options.ignored_keys.iter().any(|key| *key == name);
    ignored.then_some((RepairRule::ExtraKey, Edit::Remove))
}

fn mend_value(arguments: &Value, pointer: &str, schema: &Value) -> Option<(RepairRule, Edit)> {
    let place = Place::at(schema, pointer);
    match arguments.pointer(pointer)? {
        Value::String(text) if !place.admits(Kind::String) => mend_text(text, &place),
        Value::Null if !place.admits(Kind::Null) => {
            let (parent, name) = pointer::split_last(pointer)?;
            (arguments.pointer(parent)?.is_object() && Place::at(schema, parent).may_omit(&name))
                .then_some((RepairRule::NullAsAbsent, Edit::Remove))
        }
        Value::Number(number) if place.admits(Kind::Integer) && !place.admits(Kind::Number) => {
            match integral::read(number.as_str()) {
                Integral::Exact(integer) if integer != number.as_str() => {
                    let integer: Number = integer.parse().ok()?;
                    Some((RepairRule::IntegralFloat, Edit::Replace(Value::Number(integer))))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Text where no text is meant: a word for null, or JSON that was put in quotes.
fn mend_text(text: &str, place: &Place<'_>) -> Option<(RepairRule, Edit)> {
    if matches!(text, "null" | "None") {
        return place
            .admits(Kind::Null)
            .then_some((RepairRule::NullWord, Edit::Replace(Value::Null)));
    }
    // Most texts are no JSON: the first character tells.
    if !text.trim_start().starts_with(['[', '{']) {
        return None;
    }
    let value: Value = serde_json::from_str(text).ok()?;
    place
        .admits(Kind::of(&value))
        .then_some((RepairRule::JsonString, Edit::Replace(value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::validator::ArgumentsValidator;
    use proptest::prelude::*;
    use serde_json::json;

    fn problem(pointer: &str, code: &str) -> Problem {
        Problem {
            pointer: pointer.to_owned(),
            code: code.to_owned(),
            message: String::new(),
            suggestion: None,
        }
    }

    fn mend(schema: &Value, arguments: &str, problems: &[(&str, &str)]) -> Option<Mended> {
        let problems: Vec<Problem> = problems.iter().map(|(pointer, code)| problem(pointer, code)).collect();
        let (text, repairs) = repair(arguments, &problems, schema, RepairOptions::default())?;
        // Nothing is left to mend in what was mended.
        let again = repair(&text, &problems, schema, RepairOptions::default());
        assert_eq!(again, None, "not idempotent");
        Some((
            text,
            repairs
                .into_iter()
                .map(|repair| (repair.pointer, repair.rule))
                .collect(),
        ))
    }

    type Mended = (String, Vec<(String, RepairRule)>);

    fn done(text: &str, repairs: &[(&str, RepairRule)]) -> Mended {
        let repairs = repairs
            .iter()
            .map(|(pointer, rule)| ((*pointer).to_owned(), *rule))
            .collect();
        (text.to_owned(), repairs)
    }

    fn tool() -> Value {
        json!({
            "$defs": {
                "Job": {"type": "object", "properties": {"name": {"type": "string"}, "tags": {"type": "array", "items": {"type": "integer"}}, "next": {"anyOf": [{"$ref": "#/$defs/Job"}, {"type": "null"}]}}, "required": ["name"]},
            },
            "type": "object",
            "properties": {
                "xs": {"type": "array", "items": {"type": "integer"}},
                "job": {"$ref": "#/$defs/Job", "default": null},
                "jobs": {"type": "array", "items": {"$ref": "#/$defs/Job"}},
                "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                "either": {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "object"}]},
                "n": {"type": "integer", "default": 7},
                "a": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": null},
                "r": {"type": "integer"},
                "externalX": {"type": "integer"},
                "filter[id]": {"type": "string"},
            },
            "required": ["r"],
            "additionalProperties": false,
        })
    }

    #[test]
    fn a_json_string_is_read_once() {
        let schema = tool();
        assert_eq!(
            mend(&schema, r#"{"xs":"[1, 2, 3]"}"#, &[("/xs", "list_type")]),
            Some(done(r#"{"xs":[1,2,3]}"#, &[("/xs", RepairRule::JsonString)]))
        );
        assert_eq!(mend(&schema, r#"{"xs":"1,2"}"#, &[("/xs", "list_type")]), None);
        assert_eq!(mend(&schema, r#"{"xs":"\"[1,2]\""}"#, &[("/xs", "list_type")]), None);
        assert_eq!(mend(&schema, r#"{"xs":"{\"a\":1}"}"#, &[("/xs", "list_type")]), None);
    }

    #[test]
    fn models_unions_and_nested_places_are_reached() {
        let schema = tool();
        assert_eq!(
            mend(
                &schema,
                r#"{"job":"{\"name\":\"x\"}","jobs":["{\"name\":\"y\"}"],"either":"[1]"}"#,
                &[
                    ("/job", "dataclass_type"),
                    ("/jobs/0", "model_type"),
                    ("/either/list[int]", "list_type"),
                    ("/either/dict[str,any]", "dict_type"),
                ]
            ),
            Some(done(
                r#"{"job":{"name":"x"},"jobs":[{"name":"y"}],"either":[1]}"#,
                &[
                    ("/job", RepairRule::JsonString),
                    ("/jobs/0", RepairRule::JsonString),
                    ("/either", RepairRule::JsonString)
                ]
            ))
        );
        assert_eq!(
            mend(
                &schema,
                r#"{"job":{"name":"x","next":{"name":"y","tags":"[1]"}}}"#,
                &[("/job/next/tags", "list_type")]
            ),
            Some(done(
                r#"{"job":{"name":"x","next":{"name":"y","tags":[1]}}}"#,
                &[("/job/next/tags", RepairRule::JsonString)]
            ))
        );
    }

    #[test]
    fn arguments_that_are_one_json_string_are_read() {
        assert_eq!(
            mend(&tool(), r#""{\"r\":1}""#, &[("", "arguments_type")]),
            Some(done(r#"{"r":1}"#, &[("", RepairRule::JsonString)]))
        );
    }

    #[test]
    fn text_stays_where_text_may_be_meant() {
        let schema = tool();
        for arguments in [r#"{"note":"{\"a\":1}"}"#, r#"{"note":"null"}"#] {
            assert_eq!(mend(&schema, arguments, &[("/note", "string_too_short")]), None);
        }
    }

    #[test]
    fn null_for_a_default_is_no_argument() {
        let schema = tool();
        assert_eq!(
            mend(&schema, r#"{"n":null,"r":1}"#, &[("/n", "int_type")]),
            Some(done(r#"{"r":1}"#, &[("/n", RepairRule::NullAsAbsent)]))
        );
        assert_eq!(
            mend(&schema, r#"{"job":null}"#, &[("/job", "dataclass_type")]),
            Some(done("{}", &[("/job", RepairRule::NullAsAbsent)]))
        );
        assert_eq!(
            mend(
                &schema,
                r#"{"job":{"name":"x","tags":null}}"#,
                &[("/job/tags", "list_type")]
            ),
            Some(done(
                r#"{"job":{"name":"x"}}"#,
                &[("/job/tags", RepairRule::NullAsAbsent)]
            ))
        );
        assert_eq!(mend(&schema, r#"{"r":null}"#, &[("/r", "int_type")]), None);
        assert_eq!(mend(&schema, r#"{"xs":[null]}"#, &[("/xs/0", "int_type")]), None);
    }

    #[test]
    fn words_for_null_are_null_where_no_text_is_meant() {
        let schema = tool();
        for word in ["null", "None"] {
            assert_eq!(
                mend(&schema, &format!(r#"{{"a":"{word}"}}"#), &[("/a", "int_parsing")]),
                Some(done(r#"{"a":null}"#, &[("/a", RepairRule::NullWord)]))
            );
        }
        assert_eq!(mend(&schema, r#"{"n":"null"}"#, &[("/n", "int_parsing")]), None);
    }

    #[test]
    fn floats_become_integers_only_when_exact() {
        let schema = tool();
        assert_eq!(
            mend(
                &schema,
                r#"{"xs":[10.0,123456789012345678901234567890]}"#,
                &[("/xs/0", "type")]
            ),
            Some(done(
                r#"{"xs":[10,123456789012345678901234567890]}"#,
                &[("/xs/0", RepairRule::IntegralFloat)]
            ))
        );
        for float in ["10.5", "1e20"] {
            assert_eq!(
                mend(&schema, &format!(r#"{{"n":{float}}}"#), &[("/n", "int_from_float")]),
                None
            );
        }
    }

    #[test]
    fn private_keys_are_removed_and_misspelt_ones_are_not() {
        let schema = tool();
        assert_eq!(
            mend(
                &schema,
                r#"{"r":1,"_meta":{}}"#,
                &[("/_meta", "unexpected_keyword_argument")]
            ),
            Some(done(r#"{"r":1}"#, &[("/_meta", RepairRule::ExtraKey)]))
        );
        assert_eq!(mend(&schema, r#"{"nn":1}"#, &[("/nn", "additionalProperties")]), None);
        let options = RepairOptions {
            ignored_keys: &["traceId".to_owned()],
            ..RepairOptions::default()
        };
        let problems = [problem("/traceId", "additionalProperties")];
        let (text, _) = repair(r#"{"traceId":"x","r":1}"#, &problems, &schema, options).unwrap();
        assert_eq!(text, r#"{"r":1}"#);
    }

    #[test]
    fn a_name_is_taken_for_its_alias() {
        let schema = tool();
        let aliases = [("x".to_owned(), "externalX".to_owned())];
        let options = RepairOptions {
            aliases: &aliases,
            ..RepairOptions::default()
        };
        let problems = [
            problem("/externalX", "missing_argument"),
            problem("/x", "unexpected_keyword_argument"),
        ];
        let (text, repairs) = repair(r#"{"x":3,"r":1}"#, &problems, &schema, options).unwrap();
        assert_eq!(text, r#"{"externalX":3,"r":1}"#);
        assert_eq!(repairs[0].rule, RepairRule::NameForAlias);
        let both = r#"{"x":3,"externalX":4}"#;
        assert_eq!(repair(both, &problems[1..], &schema, options), None);
        assert_eq!(
            mend(
                &schema,
                r#"{"filter_id_":"a"}"#,
                &[("/filter_id_", "additionalProperties")]
            ),
            Some(done(
                r#"{"filter[id]":"a"}"#,
                &[("/filter_id_", RepairRule::NameForAlias)]
            ))
        );
    }

    #[test]
    fn nothing_else_is_touched() {
        let arguments = r#"{"r": 1.50, "xs":"[1]", "n":null, "big":123456789012345678901234567890}"#;
        let (text, _) = mend(&tool(), arguments, &[("/xs", "list_type")]).unwrap();
        assert_eq!(
            text,
            r#"{"r":1.50,"xs":[1],"n":null,"big":123456789012345678901234567890}"#
        );
        assert_eq!(mend(&tool(), arguments, &[]), None);
        assert_eq!(mend(&tool(), "no json", &[("", "json_invalid")]), None);
    }

    proptest! {
        /// Whatever is put in quotes, set to null or written as a float in valid arguments is found again.
        #[test]
        fn spoilt_arguments_are_restored(xs in proptest::collection::vec(-1000_i64..1000, 0..5), r in -1000_i64..1000, quote: bool, float: bool, null: bool) {
            let validator = ArgumentsValidator::compile(&tool()).unwrap();
            let valid = json!({"r": r, "xs": xs, "job": {"name": "n", "tags": xs}});
            prop_assert_eq!(validator.validate(&valid.to_string()), Ok(()));
            let mut spoilt = valid.clone();
            if quote {
                spoilt["xs"] = Value::String(valid["xs"].to_string());
                spoilt["job"]["tags"] = Value::String(valid["xs"].to_string());
            }
            if null {
                spoilt["n"] = Value::Null;
            }
            let mut text = spoilt.to_string();
            if float {
                text = text.replacen(&format!("\"r\":{r}"), &format!("\"r\":{r}.0"), 1);
            }
            let restored = match validator.validate(&text) {
                Ok(()) => text,
                Err(problems) => repair(&text, &problems, &tool(), RepairOptions::default()).unwrap().0,
            };
            prop_assert_eq!(serde_json::from_str::<Value>(&restored).unwrap(), valid);
        }
    }
}
