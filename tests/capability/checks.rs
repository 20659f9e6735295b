//! Running the checks of a capability for real.

use crate::Tree;

fn problems(checks: &str) -> Vec<(String, Option<String>)> {
    let manifest = format!(
        "schema: 1\nname: c\nversion: 1.0.0\ndescription: C.\nflags: {{f: {{description: F.}}}}\nchecks:\n{checks}"
    );
    let tree = Tree::new(&[
        ("capability.yaml", &manifest),
        ("tools/a.py", ""),
        ("scripts/there", ""),
    ]);
    let found = tree.discover("");
    assert!(found.diagnostics.is_empty(), "{:?}", found.diagnostics);
    let outcomes = found.capabilities[0].run_checks();
    outcomes
        .into_iter()
        .map(|outcome| (outcome.name, outcome.problem))
        .collect()
}

#[test]
fn a_check_passes_or_says_why_not() {
    let outcomes = problems(
        "  - {name: passes, command: 'test -f scripts/there && test \"$CAPABILITY_FLAG__C__F\" = 0'}\n  \
           - {name: says, command: 'echo not here >&2; exit 3'}\n  \
           - {name: silent, command: 'exit 3'}\n  \
           - {name: outlived, command: 'sleep 60 & echo left >&2; exit 1'}\n",
    );
    let problem = |text: &str| Some(text.to_owned());
    assert_eq!(
        outcomes,
        [
            ("passes".to_owned(), None),
            ("says".to_owned(), problem("not here")),
            ("silent".to_owned(), problem("exit status: 3")),
            ("outlived".to_owned(), problem("left")),
        ]
    );
}
