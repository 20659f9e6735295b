//! What a failure tells the model holds no secrets, unless the owner wants everything told.

use crate::raised;
use pegboard::Error;
use pegboard::output::{FailureDetail, Masker};

fn environment() -> Vec<(String, String)> {
    [
        ("API_KEY", "k-123456"),
        ("LONGER_API_KEY", "k-123456-and-more"),
        ("DB_PASSWORD", "short"),
        ("PWD", "/home/someone"),
        ("KEYBOARD_LAYOUT", "querty-layout"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into()
}

fn masker() -> Masker {
    Masker::new(FailureDetail::Redacted, &["acct-[0-9]+".to_owned()], environment()).expect("the pattern is usable")
}

#[test]
fn hides_what_is_secret_and_nothing_else() {
    let masker = masker();
    for (text, expected) in [
        (
            "cannot open db://app:s3cret@h/x with key k-123456",
            "cannot open db://app:***@h/x with key ***",
        ),
        ("k-123456-and-more", "***"),
        (
            "postgres://u:p@ss:w@host:5432/db?x=1",
            "postgres://u:***@host:5432/db?x=1",
        ),
        ("redis://:hunter22@cache", "redis://:***@cache"),
        ("Authorization: Bearer eyJhbGciOi.J9-x_y==", "Authorization: Bearer ***"),
        ("authorization: Basic dXNlcjpwYXNz", "authorization: Basic ***"),
        ("account acct-99 is closed", "account *** is closed"),
        (
            "short is a word in /home/someone with querty-layout",
            "short is a word in /home/someone with querty-layout",
        ),
        (
            "ssh://git@host/x and https://host:8080/a@b",
            "ssh://git@host/x and https://host:8080/a@b",
        ),
        ("the bearer of bad news", "the bearer of bad news"),
    ] {
        assert_eq!(masker.mask(text), expected);
    }
}

#[test]
fn hides_in_every_text_that_a_model_may_see_and_not_in_the_traceback() {
    let mut failure = raised("ValueError", "key k-123456");
    failure.hint = Some("check k-123456".to_owned());
    failure.cause_chain = vec!["KeyError: k-123456".to_owned()];
    failure.traceback = Some("k-123456".to_owned());
    masker().mask_failure(&mut failure);
    assert_eq!(failure.message, "key ***");
    assert_eq!(failure.hint.as_deref(), Some("check ***"));
    assert_eq!(failure.cause_chain, ["KeyError: ***"]);
    assert_eq!(failure.traceback.as_deref(), Some("k-123456"));
}

#[test]
fn full_detail_hides_nothing() {
    let masker = Masker::new(FailureDetail::Full, &[], environment()).expect("there is no pattern");
    assert_eq!(
        masker.mask("db://app:s3cret@h/x k-123456"),
        "db://app:s3cret@h/x k-123456"
    );
}

#[test]
fn a_broken_pattern_is_named() {
    let error = Masker::new(FailureDetail::Redacted, &["(".to_owned()], []).expect_err("the pattern is broken");
    assert!(
        matches!(
            error,
            Error::Setting {
                setting: "secret_patterns",
                ..
            }
        ),
        "{error}"
    );
    assert!(error.to_string().contains("\"(\""), "{error}");
}
