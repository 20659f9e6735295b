//! Owns the choice of the Python environment that an embedded interpreter starts in.
//!
//! Reads variables and looks for files; must not touch the interpreter in this process.

use crate::error::{Error, Result};
use std::fmt;
use std::path::{Path, PathBuf};

/// The Python that the build was linked to; empty in a wheel.
const LINKED_PYTHON: &str = env!("PEGBOARD_LINKED_PYTHON");

/// A Python to start as, and why it was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Environment {
    /// The path of its executable.
    pub python: PathBuf,
    /// Why this one.
    pub choice: Choice,
}

/// Why an environment was chosen. The order is the order of precedence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// The owner named it.
    Explicit,
    /// `VIRTUAL_ENV` names it.
    VirtualEnvVariable,
    /// A `.venv` in the named folder, which is a source's or above one.
    NearSource(PathBuf),
    /// It is the Python that the build was linked to.
    Linked,
    /// The interpreter already ran when the host was built.
    Adopted,
}

impl fmt::Display for Choice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Explicit => formatter.write_str("it was named explicitly"),
            Self::VirtualEnvVariable => formatter.write_str("the variable VIRTUAL_ENV names it"),
            Self::NearSource(folder) => {
                write!(
                    formatter,
                    "{} holds it, the nearest .venv to a source",
                    folder.display()
                )
            }
            Self::Linked => formatter.write_str("it is the Python that this build is linked to"),
            Self::Adopted => formatter.write_str("it was already running"),
        }
    }
}

/// Chooses by precedence: named, `VIRTUAL_ENV`, the nearest `.venv` at or above a source, the linked Python.
///
/// # Errors
/// [`Error::Interpreter`] if the chosen place holds no Python.
pub fn choose(named: Option<&Path>, sources: &[PathBuf]) -> Result<Environment> {
    if let Some(path) = named {
        return Ok(Environment {
            python: executable(path, "the named Python")?,
            choice: Choice::Explicit,
        });
    }
    if let Some(folder) = std::env::var_os("VIRTUAL_ENV").filter(|folder| !folder.is_empty()) {
        let python = executable(Path::new(&folder), "the variable VIRTUAL_ENV")?;
        return Ok(Environment {
            python,
            choice: Choice::VirtualEnvVariable,
        });
    }
    for source in sources {
        let start = source.canonicalize().unwrap_or_else(|_| source.clone());
        for folder in start.ancestors() {
            let candidate = folder.join(".venv");
            if candidate.join("pyvenv.cfg").is_file() {
                let python = executable(&candidate, "the .venv near a source")?;
                return Ok(Environment {
                    python,
                    choice: Choice::NearSource(folder.to_path_buf()),
                });
            }
        }
    }
    if LINKED_PYTHON.is_empty() {
        return Err(Error::Interpreter {
            reason: "this build is not linked to a Python; name one, or set VIRTUAL_ENV".to_owned(),
        });
    }
    Ok(Environment {
        python: executable(Path::new(LINKED_PYTHON), "the linked Python")?,
        choice: Choice::Linked,
    })
}

/// Finds the executable in an environment's folder, or takes the path as the executable.
fn executable(path: &Path, origin: &str) -> Result<PathBuf> {
    let candidates = if path.is_dir() {
        vec![
            path.join("bin/python"),
            path.join("bin/python3"),
            path.join("Scripts/python.exe"),
        ]
    } else {
        vec![path.to_path_buf()]
    };
    candidates
        .into_iter()
        .find(|candidate| candidate.is_file())
        .map_or_else(
            || {
                Err(Error::Interpreter {
                    reason: format!(
                        "{origin} is {}, which is neither a Python executable nor an environment with bin/python; \
                     create it with `python3 -m venv {0}` or name another",
                        path.display()
                    ),
                })
            },
            // The link itself must stay: Python finds the environment by where the executable was called from.
            |found| {
                std::path::absolute(&found).map_err(|error| Error::Interpreter {
                    reason: error.to_string(),
                })
            },
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_without_python_is_named_in_the_error() {
        let folder = tempfile::tempdir().unwrap();
        let error = choose(Some(folder.path()), &[]).unwrap_err();
        assert_eq!(error.code(), "interpreter");
        assert!(error.to_string().contains(folder.path().to_str().unwrap()), "{error}");
    }
}
