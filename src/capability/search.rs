//! Owns where capabilities are looked for that nobody names: beside the project, with the user, and where a variable says.

use super::surroundings::Surroundings;
use std::env;
use std::path::{Path, PathBuf};

/// Where the folder of capabilities lies in a project and in a home.
const FOLDER: &str = ".dreadnode/capabilities";
const FOLDERS_VARIABLE: &str = "DREADNODE_CAPABILITY_DIRS";
const PROJECT_VARIABLE: &str = "DREADNODE_PROJECT_ROOT";

/// The folders that hold capabilities, the most particular first: a capability in one hides those of its name in later
/// ones. Folders that do not exist are left out.
#[must_use]
pub fn search_folders(working_directory: &Path, surroundings: &Surroundings) -> Vec<PathBuf> {
    let project = project_root(working_directory, surroundings).join(FOLDER);
    let home = ["HOME", "USERPROFILE"]
        .iter()
        .find_map(|name| surroundings.variable(name).filter(|home| !home.is_empty()))
        .map(|home| Path::new(home).join(FOLDER));
    let named = surroundings.variable(FOLDERS_VARIABLE).unwrap_or_default();
    let named = env::split_paths(named).filter(|folder| !folder.as_os_str().is_empty());
    let mut folders: Vec<PathBuf> = Vec::new();
    for folder in [project].into_iter().chain(home).chain(named) {
        if let Ok(folder) = working_directory.join(folder).canonicalize()
            && folder.is_dir()
            && !folders.contains(&folder)
        {
            folders.push(folder);
        }
    }
    folders
}

fn project_root(working_directory: &Path, surroundings: &Surroundings) -> PathBuf {
    match surroundings.variable(PROJECT_VARIABLE).map(str::trim) {
        Some(root) if !root.is_empty() => working_directory.join(root),
        _ => working_directory
            .ancestors()
            .find(|folder| folder.join(".git").exists())
            .unwrap_or(working_directory)
            .to_owned(),
    }
}
