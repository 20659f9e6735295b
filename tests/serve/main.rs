//! Tests of what is served to other processes, with real clients. One door or one subject a file.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod http_api;
mod http_bad_input;
mod http_connections;
mod http_document;
mod http_guards;
mod http_mcp;
mod http_process;
mod http_server;
mod mcp_ends;
mod mcp_session;
mod mcp_stdio;
