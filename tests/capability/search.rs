//! Where capabilities are looked for that nobody names.

use crate::Tree;
use pegboard::capability::{Surroundings, search_folders};

fn surroundings(variables: &[(&str, String)]) -> Surroundings {
    Surroundings {
        environment: variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect(),
        ..Surroundings::default()
    }
}

#[test]
fn the_project_comes_before_the_user_and_the_variable() {
    let tree = Tree::of(&[
        "project/.git/HEAD",
        "project/.dreadnode/capabilities/",
        "project/deep/down/",
        "home/.dreadnode/capabilities/",
        "one/",
        "two/",
        "other/.dreadnode/capabilities/",
    ]);
    let text = |name: &str| tree.path(name).to_string_lossy().into_owned();
    let named = format!("{}:{}::{}:{}", text("two"), text("nowhere"), text("one"), text("two"));
    let variables = [("HOME", text("home")), ("DREADNODE_CAPABILITY_DIRS", named)];
    assert_eq!(
        search_folders(&tree.path("project/deep/down"), &surroundings(&variables)),
        [
            "project/.dreadnode/capabilities",
            "home/.dreadnode/capabilities",
            "two",
            "one"
        ]
        .map(|name| tree.path(name))
    );
    let elsewhere = [("DREADNODE_PROJECT_ROOT", text("other"))];
    assert_eq!(
        search_folders(&tree.path("project"), &surroundings(&elsewhere)),
        [tree.path("other/.dreadnode/capabilities")]
    );
    assert!(search_folders(&tree.path("one"), &Surroundings::default()).is_empty());
}
