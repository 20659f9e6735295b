//! Everything about JSON Schema: judging and mending arguments, and speaking each provider's schema language.
//!
//! Before a call, [`check_limits`] looks at the size of the arguments. [`ArgumentsValidator`] judges them where a tool has
//! no validator of its own; [`repair`] mends what the schema cannot mean as it was sent, and [`explain`] has the last word
//! on what is still wrong. [`export`] describes tools to a provider, one table each in `provider/`; [`WireNames`] leads the
//! names of calls back, `incoming.rs` reads calls from a provider's answers and `outgoing.rs` writes outcomes for its next
//! request.
//!
//! Beneath them: `place.rs` answers what a schema says about one place in the arguments, `sentence.rs` says a rule in
//! English, `inline.rs` writes references out, `vocabulary.rs` knows the keywords. Must not know Python, the host or the
//! network.

mod edit;
mod explain;
mod incoming;
mod inline;
mod integral;
mod limits;
mod noun;
mod outgoing;
mod place;
mod pointer;
mod problem;
mod provider;
mod recursion;
mod repair;
mod sentence;
mod suggest;
mod validator;
mod vocabulary;
mod wire_name;

pub use provider::{export, refusals, wire_names};
pub use wire_name::WireNames;

pub(crate) use explain::explain;
pub(crate) use limits::check as check_limits;
pub(crate) use repair::{RepairOptions, repair};
pub(crate) use suggest::near;
pub(crate) use validator::{ArgumentsValidator, InvalidSchema, parse_object};
