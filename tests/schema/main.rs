//! What providers are sent and what comes back, over recorded and generated schemas.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod calls;
mod cases;
mod corpus;
mod envelope;
mod generated;
mod properties;
mod results;
mod shapes;
mod strict;
mod support;
mod wire;
