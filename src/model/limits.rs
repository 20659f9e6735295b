//! Owns the bounds on a call.

use std::time::Duration;

/// Bounds on a call. Every one can be set on the host's builder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// How many bytes of argument text a call may bring.
    pub argument_bytes: usize,
    /// How deep the arguments may nest.
    pub argument_depth: usize,
    /// How long a tool may run that sets no limit of its own; `None` is without limit.
    pub timeout: Option<Duration>,
    /// How long a cancelled async tool may take to clean up.
    pub grace: Duration,
    /// How many bytes of output are kept per call.
    pub log_bytes: usize,
    /// How many characters of text go to the model before the rest is offloaded.
    pub offload_characters: usize,
    /// How many sync tools run at one time.
    pub sync_threads: usize,
    /// How many threads may be given up as stuck before sync calls are refused.
    pub stuck_threads: usize,
    /// How long importing one file may take.
    pub import_timeout: Duration,
    /// How many tool files one source may have.
    pub source_files: usize,
    /// How many items a generator may yield.
    pub generator_items: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            argument_bytes: 4 * 1024 * 1024,
            argument_depth: 64,
            timeout: Some(Duration::from_secs(120)),
            grace: Duration::from_secs(1),
            log_bytes: 64 * 1024,
            offload_characters: 30_000,
            sync_threads: 8,
            stuck_threads: 32,
            import_timeout: Duration::from_secs(10),
            source_files: 500,
            generator_items: 100_000,
        }
    }
}
