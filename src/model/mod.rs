//! Owns the plain data that every part of the crate speaks: definitions, calls, outcomes, failures and limits.
//!
//! Nothing here may do I/O, know Python, or depend on anything but `error.rs` and `diagnostic.rs`.

mod call;
mod call_id;
mod content;
mod definition;
mod export;
mod failure;
mod limits;
mod log_buffer;
mod outcome;
mod policy;
mod progress;
mod server;
mod ticket;

pub use call::{Arguments, Call, UnreadableAnswer};
pub use call_id::CallId;
pub use content::Content;
pub use definition::{ToolDefinition, ToolFlags, ToolName, ToolSource, ToolTarget};
pub use export::{
    Acceptance, Export, ExportChange, ExportNote, ExportOptions, Provider, Refusal, Strictness, UnknownProvider,
};
pub use failure::{Failure, FailureKind, Problem};
pub use limits::Limits;
pub use log_buffer::LogBuffer;
pub use outcome::{LogLine, LogStream, Offload, Outcome, Repair, RepairRule, Structured, Truncation};
pub use policy::{CallPolicy, CatchPolicy, FailureStyle, TimeoutPolicy};
pub use progress::{Progress, ProgressSink};
pub use server::{HttpHeader, ServerDefinition, Transport};
pub use ticket::Ticket;
