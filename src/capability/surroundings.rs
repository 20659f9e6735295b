//! Owns what discovery depends on beside the sources: variables, searched folders and choices made elsewhere.

use super::flags::FlagChoices;
use std::collections::HashMap;
use std::env;
use std::path::PathBuf;

/// What discovery depends on beside the sources.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// The environment variables.
    pub environment: HashMap<String, String>,
    /// Flags that were set for good, by whoever keeps such choices.
    pub kept_flags: FlagChoices,
    /// Flags that were set for this run, on the command line or in code.
    pub run_flags: FlagChoices,
    /// Folders whose capabilities are loaded after the sources; the first of a name hides the others.
    pub searched: Vec<PathBuf>,
}

impl Surroundings {
    /// The variables of this process and no choices. Variables that are not UTF-8 are not seen.
    #[must_use]
    pub fn of_process() -> Self {
        let environment = env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        Self {
            environment,
            ..Self::default()
        }
    }

    /// The value of a variable.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.environment.get(name).map(String::as_str)
    }
}
