//! What each kind of source yields, and what it leaves out.

use crate::Tree;
use pegboard::capability::{Surroundings, discover};
use pegboard::{DiagnosticCode, Limits, Severity};

const MANIFEST: &str = "schema: 1\nname: intel\nversion: 1.0.0\ndescription: Looks things up.\n";

#[test]
fn a_file_is_loaded_whatever_its_name() {
    let tree = Tree::of(&["a/test_x.py", "a/y.py"]);
    let found = tree.discover("a/test_x.py");
    assert_eq!(tree.only(&found), ["a/test_x.py"]);
    assert_eq!(found.sources[0].root, tree.path("a"));
    assert!(found.sources[0].import_roots.is_empty() && found.diagnostics.is_empty());
}

#[test]
fn a_directory_yields_its_files_sorted_and_no_others() {
    let tree = Tree::of(&[
        "d/z.py",
        "d/a.py",
        "d/a/b.py",
        "d/__init__.py",
        "d/_private.py",
        "d/notes.txt",
        "d/.hidden.py",
        "d/.venv/x.py",
        "d/.git/hooks/x.py",
        "d/venv/x.py",
        "d/env/pyvenv.cfg",
        "d/env/lib/x.py",
        "d/node_modules/x.py",
        "d/__pycache__/x.py",
    ]);
    let found = tree.discover("d");
    assert_eq!(
        tree.only(&found),
        ["d/a/b.py", "d/a.py", "d/_private.py", "d/z.py"]
            .map(str::to_owned)
            .sorted()
    );
    assert!(found.diagnostics.is_empty(), "{:?}", found.diagnostics);
}

#[test]
fn tests_and_set_up_of_a_directory_are_left_out_and_named() {
    let tree = Tree::of(&["d/a.py", "d/conftest.py", "d/sub/test_x.py", "d/y_test.py"]);
    let found = tree.discover("d");
    assert_eq!(tree.only(&found), ["d/a.py"]);
    assert_eq!(
        tree.findings(&found),
        [(DiagnosticCode::FileNotListed, "d".to_owned(), None)]
    );
    assert_eq!(found.diagnostics[0].severity, Severity::Info);
    assert!(
        found.diagnostics[0].message.starts_with("3 files, conftest.py first"),
        "{}",
        found.diagnostics[0]
    );
}

#[test]
fn a_project_yields_its_tools_and_imports_from_its_root() {
    let tree = Tree::of(&[
        "p/pyproject.toml",
        "p/setup.py",
        "p/main.py",
        "p/tools/sib.py",
        "p/tools/pkg/rel.py",
    ]);
    let found = tree.discover("p");
    assert_eq!(tree.only(&found), ["p/tools/pkg/rel.py", "p/tools/sib.py"]);
    assert_eq!(found.sources[0].root, tree.path("p/tools"));
    assert_eq!(found.sources[0].import_roots, [tree.path("p")]);
    let from_tools = tree.discover("p/tools");
    assert_eq!(from_tools.sources[0].root, found.sources[0].root);
    assert_eq!(from_tools.sources[0].import_roots, found.sources[0].import_roots);
}

#[test]
fn a_directory_without_files_of_its_own_yields_its_tools() {
    let tree = Tree::of(&["d/tools/a.py", "d/other/b.py"]);
    assert_eq!(tree.only(&tree.discover("d")), ["d/tools/a.py"]);
    let both = Tree::of(&["d/tools/a.py", "d/b.py"]);
    assert_eq!(both.only(&both.discover("d")), ["d/b.py", "d/tools/a.py"]);
}

#[test]
fn plain_names_are_looked_up_around_the_source() {
    for (files, source, expected) in [
        (&["x/tools/a.py"][..], "x/tools", Some("x")),
        (&["x/other/a.py"], "x/other", None),
        (&["x/.git/HEAD", "x/deep/tools/a.py"], "x/deep/tools", Some("x")),
        (&["x/setup.py", "x/deep/a.py"], "x/deep/a.py", Some("x")),
        (&["x/pyproject.toml", "x/a.py"], "x", Some("x")),
    ] {
        let tree = Tree::of(files);
        let found = tree.discover(source);
        let expected: Vec<_> = expected.map(|root| tree.path(root)).into_iter().collect();
        assert_eq!(found.sources[0].import_roots, expected, "{files:?}");
    }
}

#[test]
fn a_part_of_a_capability_knows_its_capability() {
    let tree = Tree::new(&[
        ("cap/capability.yaml", MANIFEST),
        ("cap/tools/a.py", ""),
        ("cap/tools/b.py", ""),
    ]);
    for source in ["cap/tools/a.py", "cap/tools"] {
        let found = tree.discover(source);
        assert_eq!(found.sources[0].import_roots, [tree.path("cap")]);
        let root = tree.path("cap").to_string_lossy().into_owned();
        assert_eq!(found.sources[0].environment, [("CAPABILITY_ROOT".to_owned(), root)]);
    }
}

#[test]
fn a_directory_of_capabilities_yields_each_of_them_and_nothing_else() {
    let named = |name: &str| MANIFEST.replace("intel", name);
    let tree = Tree::new(&[
        ("caps/b/capability.yaml", &named("bravo")),
        ("caps/b/tools/x.py", ""),
        ("caps/a/capability.yaml", &named("alpha")),
        ("caps/a/tools/x.py", ""),
        ("caps/a/runtime/client.py", ""),
        ("caps/no/stray.py", ""),
    ]);
    let found = tree.discover("caps");
    let files: Vec<_> = found.sources.iter().flat_map(|source| tree.names(source)).collect();
    assert_eq!(files, ["caps/a/tools/x.py", "caps/b/tools/x.py"]);
    let loaded: Vec<_> = found
        .capabilities
        .iter()
        .map(|capability| capability.name.as_str())
        .collect();
    assert_eq!(loaded, ["alpha", "bravo"]);
    assert_eq!(
        tree.findings(&found),
        [(DiagnosticCode::FileNotListed, "caps".to_owned(), None)]
    );
    assert!(
        found.diagnostics[0].message.contains("no/stray.py"),
        "{}",
        found.diagnostics[0]
    );
}

#[test]
fn a_repository_with_a_folder_of_capabilities_is_a_directory_of_them() {
    let tree = Tree::new(&[
        ("repo/.git/HEAD", ""),
        ("repo/tools/release.py", ""),
        ("repo/capabilities/a/capability.yaml", MANIFEST),
        ("repo/capabilities/a/tools/x.py", ""),
    ]);
    assert_eq!(tree.only(&tree.discover("repo")), ["repo/capabilities/a/tools/x.py"]);
}

#[test]
fn of_two_capabilities_with_one_name_the_first_is_loaded() {
    let tree = Tree::new(&[
        ("one/capability.yaml", MANIFEST),
        ("one/tools/x.py", ""),
        ("two/capability.yaml", MANIFEST),
        ("two/tools/x.py", ""),
    ]);
    let found = tree.discover_all(&["two", "one", "two/capability.yaml"]);
    assert_eq!(tree.only(&found), ["two/tools/x.py"]);
    let place = "one/capability.yaml".to_owned();
    assert_eq!(
        tree.findings(&found),
        [(DiagnosticCode::DuplicateCapability, place, None)]
    );
}

#[test]
fn a_file_in_two_sources_is_loaded_once() {
    let tree = Tree::of(&["d/a.py", "d/b.py"]);
    let found = tree.discover_all(&["d/b.py", "d", "d/a.py"]);
    let files: Vec<_> = found.sources.iter().map(|source| tree.names(source)).collect();
    assert_eq!(files, [["d/b.py"], ["d/a.py"]]);
    assert!(found.diagnostics.is_empty(), "{:?}", found.diagnostics);
}

#[test]
fn an_empty_directory_is_told_from_one_whose_files_fail() {
    let tree = Tree::of(&["d/"]);
    let found = tree.discover("d");
    assert!(found.sources.is_empty());
    assert_eq!(
        tree.findings(&found),
        [(DiagnosticCode::EmptySource, "d".to_owned(), None)]
    );
}

#[test]
fn more_files_than_the_limit_are_not_loaded_and_it_is_said() {
    let tree = Tree::of(&["d/a.py", "d/b.py", "d/c.py"]);
    let limits = Limits {
        source_files: 2,
        ..Limits::default()
    };
    let found = discover(&[tree.path("d")], &limits, &Surroundings::default()).expect("the source exists");
    assert_eq!(tree.only(&found), ["d/a.py", "d/b.py"]);
    assert_eq!(
        tree.findings(&found),
        [(DiagnosticCode::TooManyFiles, "d".to_owned(), None)]
    );
    assert!(
        found.diagnostics[0].message.contains("more than 2"),
        "{}",
        found.diagnostics[0]
    );
}

#[test]
fn what_is_no_source_is_an_error_that_says_what_to_do() {
    let tree = Tree::of(&["intel/a.py", "notes.txt"]);
    assert!(tree.error("intle").contains("did you mean") && tree.error("intle").contains("intel"));
    assert!(tree.error("notes.txt").contains("neither a Python file"));
    assert!(tree.error("zzz").ends_with("does not exist"));
    let empty = discover(&["".into()], &Limits::default(), &Surroundings::default());
    assert!(
        empty
            .expect_err("an empty path is no source")
            .to_string()
            .contains("`.` is the current directory")
    );
}

#[cfg(unix)]
#[test]
fn links_are_followed_only_inside_of_the_source() {
    let tree = Tree::of(&["d/a.py", "d/real/b.py", "outside/c.py"]);
    tree.link("d/alias.py", tree.path("d/a.py"));
    tree.link("d/loop", tree.path("d"));
    tree.link("d/again", tree.path("d/real"));
    tree.link("d/out", tree.path("outside"));
    tree.link("d/out.py", tree.path("outside/c.py"));
    tree.link("d/broken.py", tree.path("nowhere.py"));
    tree.link("d/root", "/");
    let found = tree.discover("d");
    assert_eq!(tree.only(&found), ["d/a.py", "d/real/b.py"]);
    let mut findings = tree.findings(&found);
    findings.sort_by(|left, right| left.1.cmp(&right.1));
    assert_eq!(
        findings,
        [
            (DiagnosticCode::PathMissing, "d/broken.py".to_owned(), None),
            (DiagnosticCode::PathOutside, "d/out".to_owned(), None),
            (DiagnosticCode::PathOutside, "d/out.py".to_owned(), None),
            (DiagnosticCode::PathOutside, "d/root".to_owned(), None),
        ]
    );
}

#[cfg(unix)]
#[test]
fn a_link_to_a_folder_beside_the_tools_is_followed() {
    let tree = Tree::new(&[
        ("cap/capability.yaml", MANIFEST),
        ("cap/lib/b.py", ""),
        ("cap/tools/a.py", ""),
    ]);
    tree.link("cap/tools/lib", tree.path("cap/lib"));
    assert_eq!(
        tree.only(&tree.discover("cap")),
        ["cap/tools/a.py", "cap/tools/lib/b.py"]
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_python_cannot_have_is_reported() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let tree = Tree::of(&["d/a.py"]);
    let path = tree.path("d").join(OsStr::from_bytes(b"\xff.py"));
    std::fs::write(path, "").expect("the file system takes any bytes");
    let found = tree.discover("d");
    assert_eq!(tree.only(&found), ["d/a.py"]);
    assert_eq!(found.diagnostics[0].code, DiagnosticCode::FileUnreadable);
}

trait Sorted {
    fn sorted(self) -> Vec<String>;
}

impl<const N: usize> Sorted for [String; N] {
    /// As paths are sorted: folder by folder.
    fn sorted(self) -> Vec<String> {
        let mut names = Vec::from(self);
        names.sort_by(|left, right| std::path::Path::new(left).cmp(std::path::Path::new(right)));
        names
    }
}
