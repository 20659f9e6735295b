//! What providers are sent and what comes back, over recorded and generated schemas.

mod cases;
mod corpus;
mod support;
