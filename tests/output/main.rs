//! What becomes of values and failures on their way to the model, through the crate's public functions.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

mod dialects;
mod offloading;
mod secrets;
mod shortening;

use pegboard::output::{Ended, Facts, Rendered, Shaped, shape, text_value};
use pegboard::{CallPolicy, Failure, FailureKind, FailureStyle, Limits, Structured};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Everything that a call's facts borrow from.
struct Setup {
    policy: CallPolicy,
    limits: Limits,
    working_directory: PathBuf,
    call_id: String,
}

impl Setup {
    fn new(style: FailureStyle) -> Self {
        Self {
            policy: serde_json::from_value(json!({"failure_style": style, "catch": "all"}))
                .expect("the rest of a policy has defaults"),
            limits: Limits::default(),
            working_directory: PathBuf::new(),
            call_id: "call_1".to_owned(),
        }
    }

    /// A call whose long output goes to `.pegboard` in `working_directory`.
    fn offloading(style: FailureStyle, working_directory: &Path) -> Self {
        let mut call = Self::new(style);
        call.policy.offload = Some(".pegboard".to_owned());
        working_directory.clone_into(&mut call.working_directory);
        call
    }

    fn facts(&self) -> Facts<'_> {
        Facts {
            tool: "add",
            call_id: &self.call_id,
            policy: &self.policy,
            limits: &self.limits,
            working_directory: &self.working_directory,
            time_limit: None,
        }
    }
}

fn string_value(text: impl Into<String>) -> Rendered {
    text_value(text.into())
}

fn json_value(text: impl Into<String>) -> Rendered {
    Rendered {
        text: text.into(),
        content: Vec::new(),
        structured: Structured::TextIsJson,
    }
}

fn raised(exception_type: &str, message: impl Into<String>) -> Failure {
    let mut failure = Failure::new(FailureKind::Raised, message);
    failure.exception_type = Some(exception_type.to_owned());
    failure
}

fn shape_value(rendered: Rendered, facts: &Facts<'_>) -> Shaped {
    shape(Ended::Returned(rendered), facts)
}

fn shape_failure(failure: &Failure, facts: &Facts<'_>) -> Shaped {
    let shaped = shape(Ended::Failed(failure.clone()), facts);
    assert_eq!(shaped.failure.as_ref(), Some(failure), "shaping changes the text only");
    shaped
}
