//! Owns telling which minor version an environment is for, before anything of it is started in this process.
//!
//! May run a Python to ask it.

use crate::error::{Error, Result};
use std::path::Path;
use std::process::Command;

/// The minor version that an environment was made for.
///
/// `pyvenv.cfg` tells without starting anything (`version` by venv, `version_info` by virtualenv and uv); a Python
/// outside any environment is asked.
///
/// # Errors
/// [`Error::Interpreter`] if the executable does not answer like a Python.
pub fn version(python: &Path) -> Result<(u8, u8)> {
    if let Some(version) = python.parent().and_then(Path::parent).and_then(configured_version) {
        return Ok(version);
    }
    let answer = Command::new(python)
        .args(["-I", "-S", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"])
        .output()
        .map_err(|error| Error::Interpreter {
            reason: format!("cannot run {}: {error}", python.display()),
        })?;
    parse_version(&String::from_utf8_lossy(&answer.stdout)).ok_or_else(|| Error::Interpreter {
        reason: format!("{} does not answer like a Python; name another", python.display()),
    })
}

fn configured_version(environment: &Path) -> Option<(u8, u8)> {
    let text = std::fs::read_to_string(environment.join("pyvenv.cfg")).ok()?;
    text.lines().find_map(|line| {
        let (key, value) = line.split_once('=')?;
        matches!(key.trim(), "version" | "version_info").then(|| parse_version(value))?
    })
}

fn parse_version(text: &str) -> Option<(u8, u8)> {
    let mut parts = text.trim().split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_is_read_from_the_environment_without_starting_it() {
        let folder = tempfile::tempdir().unwrap();
        for line in ["version = 3.12.1", "home = /nowhere\nversion_info = 3.12.1.final.0"] {
            std::fs::write(folder.path().join("pyvenv.cfg"), line).unwrap();
            assert_eq!(version(&folder.path().join("bin/python")).unwrap(), (3, 12));
        }
    }
}
