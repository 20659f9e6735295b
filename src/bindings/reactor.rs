//! Owns the runtime on whose threads the host's timers, files and servers live while Python waits.

use crate::error::Error;
use std::sync::OnceLock;
use tokio::runtime::{Builder, Runtime};

/// The runtime, made on first use.
///
/// # Errors
/// [`Error::Internal`] with what the system said.
pub fn get() -> Result<&'static Runtime, Error> {
    static RUNTIME: OnceLock<Result<Runtime, String>> = OnceLock::new();
    let made = RUNTIME.get_or_init(|| {
        let built = Builder::new_multi_thread()
            .enable_all()
            .thread_name("pegboard-reactor")
            .build();
        built.map_err(|error| format!("cannot make the threads of the host: {error}"))
    });
    made.as_ref().map_err(|reason| Error::Internal(reason.clone()))
}
