//! Everything about JSON Schema: judging and mending arguments, and speaking each provider's schema language.
//!
//! Must not know Python, the host or the network.

mod explain;
mod inline;
mod integral;
mod limits;
mod place;
mod pointer;
mod problem;
mod repair;
mod sentence;
mod sha256;
mod suggest;
mod validator;
mod vocabulary;
mod wire_name;

pub(crate) use explain::explain;
pub(crate) use limits::check as check_limits;
pub(crate) use repair::{RepairOptions, repair};
pub(crate) use suggest::near;
pub(crate) use validator::{ArgumentsValidator, InvalidSchema, parse_object};
