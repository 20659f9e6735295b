//! Tests of `list`.

use crate::context::{run, text};
use insta::assert_snapshot;

#[test]
fn tools_are_listed_in_the_order_of_files_and_definitions() {
    assert_snapshot!(run(&["list", "examples/intel"]), @"
    status: 0
    ----- stdout -----
    lookup_indicator  Look up an indicator in an intel source.
    sweep_indicators  Look up many indicators at once, and group them by verdict.
    watch             Put an indicator on the watchlist.
    report            Tell the verdict on every watched indicator.
    ----- stderr -----
    ");
}

#[test]
fn what_was_not_loaded_is_told_beside_what_was() {
    assert_snapshot!(run(&["list", "tests/tools/broken"]), @r#"
    status: 0
    ----- stdout -----
    good  Work.
    ----- stderr -----
    error[missing_dependency]: the file needs the package 'package_that_nobody_has', which is not installed in [PYTHON] (ModuleNotFoundError: No module named 'package_that_nobody_has')
     --> tests/tools/broken/dependency.py:3
      |
    3 | import package_that_nobody_has
      |
      = not offered: needs_package
      = help: [PYTHON] -m pip install package_that_nobody_has

    error[exited_at_import]: the file left its import by SystemExit with status 5
     --> tests/tools/broken/exits.py:5
      |
    5 | sys.exit(5)
      |
      = help: a tool file is imported, not run: keep such code under `if __name__ == "__main__":`

    error[import_failed]: the import failed: RuntimeError: no
     --> tests/tools/broken/raises.py:3
      |
    3 | raise RuntimeError("no")
      |

    error[parameter_unresolved]: the tool 'rejected' was left out: the type of its parameter 'value': the name 'Nowhere' is not defined where the function is
     --> tests/tools/broken/rejected.py:7
      |
    7 | def rejected(value: "Nowhere") -> str:  # noqa: F821
      |
      = not offered: rejected

    error[syntax_error]: the file is not valid Python: invalid syntax
     --> tests/tools/broken/syntax.py:4
      |
    4 | def broken(:
      |

    error[toolset_not_built]: the toolset Unbuildable could not be built: ValueError: no
      --> tests/tools/broken/unbuildable.py:11
       |
    11 |         raise ValueError("no")
       |
       = not offered: never

    6 errors
    "#);
}

#[test]
fn the_first_of_two_tools_of_one_name_is_listed() {
    assert_snapshot!(run(&["list", "tests/tools/duplicate"]), @r#"
    status: 0
    ----- stdout -----
    good  Say which.
    ----- stderr -----
    error[duplicate_tool]: the tool "good" is already defined at [ROOT]/tests/tools/duplicate/a.py:7, which is offered
     --> tests/tools/duplicate/b.py:7
      |
    7 | def good() -> str:
      |
      = help: rename one of the two

    1 error
    "#);
}

#[test]
fn an_empty_folder_is_no_failure_but_a_folder_of_failures_is() {
    let empty = tempfile::tempdir().unwrap();
    let ran = run(&["list", text(empty.path())]).replaced(text(empty.path()), "[EMPTY]");
    assert_snapshot!(ran, @"
    status: 0
    ----- stdout -----
    ----- stderr -----
    warning[empty_source]: the directory holds no tool file
     --> [EMPTY]
      = help: put a Python file with a tool in it, or name another directory

    1 warning
    ");
    assert_snapshot!(run(&["list", "tests/tools/broken/raises.py"]), @r#"
    status: 1
    ----- stdout -----
    ----- stderr -----
    error[import_failed]: the import failed: RuntimeError: no
     --> tests/tools/broken/raises.py:3
      |
    3 | raise RuntimeError("no")
      |

    1 error
    "#);
}

#[test]
fn json_holds_tools_and_diagnostics() {
    let told = run(&["list", "tests/tools/broken", "--format", "json"]).json();
    assert_eq!(told["tools"][0]["name"], "good");
    let codes: Vec<_> = told["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|diagnostic| diagnostic["code"].as_str().unwrap())
        .collect();
    assert_eq!(
        codes,
        [
            "missing_dependency",
            "exited_at_import",
            "import_failed",
            "parameter_unresolved",
            "syntax_error",
            "toolset_not_built"
        ]
    );
}

#[test]
fn several_sources_are_listed_together() {
    let ran = run(&["list", "tests/tools/stateful", "examples/intel/tools/lookup.py"]);
    assert_snapshot!(ran, @"
    status: 0
    ----- stdout -----
    bump              Add one.
    read              Tell the count.
    lookup_indicator  Look up an indicator in an intel source.
    ----- stderr -----
    ");
}

#[test]
fn the_current_folder_is_the_source_that_nobody_names() {
    let mut command = crate::context::command(&["list"]);
    let output = command.current_dir("tests/tools/stateful").output().unwrap();
    let ran = crate::context::portable(output.into());
    assert_eq!(ran.stdout, run(&["list", "tests/tools/stateful"]).stdout);
    assert!(!ran.stdout.is_empty(), "{ran}");
}

#[test]
fn capabilities_in_the_folders_of_the_variable_are_listed_if_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let capability = folder.path().join("caps/extra");
    std::fs::create_dir_all(capability.join("tools")).unwrap();
    let manifest = "schema: 1\nname: extra\nversion: 1.0.0\ndescription: More.\n";
    std::fs::write(capability.join("capability.yaml"), manifest).unwrap();
    let tool = "from dreadnode import tool\n@tool\ndef more() -> str:\n    return 'more'\n";
    std::fs::write(capability.join("tools/more.py"), tool).unwrap();
    let source = format!("{}/examples/intel", crate::context::ROOT);
    for (words, expected) in [
        (&["list", &source][..], false),
        (&["list", &source, "--capabilities"], true),
    ] {
        let output = crate::context::command(words)
            .current_dir(folder.path())
            .env("HOME", folder.path())
            .env("DREADNODE_CAPABILITY_DIRS", folder.path().join("caps"))
            .output()
            .unwrap();
        let listed = String::from_utf8(output.stdout).unwrap();
        assert!(listed.contains("lookup_indicator"), "{listed}");
        assert_eq!(listed.contains("more"), expected, "{words:?}: {listed}");
    }
}
