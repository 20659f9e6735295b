//! Tests of the command as a user meets it: the real binary, over real tool files. One command or one subject a file.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod call;
mod check;
mod context;
mod doctor;
mod errors;
mod examples;
mod export;
mod help;
mod init;
mod interrupt;
mod list;
mod show;
mod streams;
mod terminal;
