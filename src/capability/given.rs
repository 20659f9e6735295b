//! Owns what a path means that somebody gave as a source, and what is said if it means nothing.

use super::walk::entries;
use crate::error::{Error, Result};
use std::io;
use std::path::{Path, PathBuf};

/// How alike a name must be to be offered in place of one that does not exist.
const ALIKE: f64 = 0.75;

/// The resolved path of a source that exists.
pub(super) fn resolve(given: &Path) -> Result<PathBuf> {
    if given.as_os_str().is_empty() {
        return Err(unusable(
            given,
            "an empty path names nothing; `.` is the current directory",
        ));
    }
    let path = given.canonicalize().map_err(|error| {
        if error.kind() == io::ErrorKind::NotFound {
            unusable(given, &format!("it does not exist{}", near(given)))
        } else {
            unusable(given, &error.to_string())
        }
    })?;
    match path.to_str() {
        Some(_) => Ok(path),
        None => Err(unusable(
            given,
            "its path is not UTF-8, so Python modules cannot be named after it",
        )),
    }
}

/// Names beside a path that does not exist, as a question.
fn near(given: &Path) -> String {
    let Some(wanted) = given.file_name().and_then(|name| name.to_str()) else {
        return String::new();
    };
    let folder = match given.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut names: Vec<(f64, String)> = entries(folder)
        .filter_map(|entry| Some(entry.file_name()?.to_str()?.to_owned()))
        .map(|name| (strsim::jaro_winkler(wanted, &name), name))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .collect();
    names.sort_by(|left, right| right.0.total_cmp(&left.0).then_with(|| left.1.cmp(&right.1)));
    match names.first() {
        Some((_, name)) => format!("; did you mean {}?", given.with_file_name(name).display()),
        None => String::new(),
    }
}

/// The error for a path that is no source.
pub(super) fn unusable(path: &Path, reason: &str) -> Error {
    Error::Source {
        path: path.to_owned(),
        reason: reason.to_owned(),
    }
}
