//! What a manifest means: flags, checks, dependencies, secrets and servers, and what is wrong with it, by line.

use crate::Tree;
use pegboard::capability::{Capability, FlagLayer, Found, Surroundings};
use pegboard::{DiagnosticCode, HttpHeader, ServerDefinition, Transport};
use std::time::Duration;

const HEAD: &str = "schema: 1\nname: threat-hunting\nversion: 0.1.0\ndescription: Hunts.\n";

fn discover(rest: &str, surroundings: &Surroundings) -> (Tree, Found) {
    let tree = Tree::new(&[("capability.yaml", &format!("{HEAD}{rest}")), ("tools/a.py", "")]);
    let found = tree.discover_with(&[""], surroundings);
    (tree, found)
}

fn read(rest: &str) -> Capability {
    let (_, found) = discover(rest, &Surroundings::default());
    assert!(found.diagnostics.is_empty(), "{:?}", found.diagnostics);
    found.capabilities.into_iter().next().expect("the capability is read")
}

/// The messages with their lines.
fn faults(rest: &str) -> Vec<(Option<u32>, String)> {
    let (_, found) = discover(rest, &Surroundings::default());
    assert_eq!(
        found.capabilities.len(),
        1,
        "a fault in {rest:?} costs the capability: {:?}",
        found.diagnostics
    );
    found
        .diagnostics
        .into_iter()
        .map(|diagnostic| {
            assert_eq!(diagnostic.code, DiagnosticCode::ManifestInvalid);
            (diagnostic.line, diagnostic.message)
        })
        .collect()
}

#[test]
fn every_required_field_is_checked_at_once() {
    for (manifest, expected) in [
        ("", &[(1, "the manifest is null")][..]),
        ("- a\n", &[(1, "the manifest is a list")]),
        (
            "colour: blue\n",
            &[
                (1, "the required field 'schema'"),
                (1, "the required field 'name'"),
                (1, "the required field 'version'"),
                (1, "the required field 'description'"),
            ],
        ),
        (
            "schema: one\nname: Threat\nversion: 1.0\ndescription: ''\n",
            &[
                (1, "'schema' is not 1"),
                (2, "'name' is \"Threat\""),
                (3, "'version' is a number"),
                (4, "'description' is an empty text"),
            ],
        ),
        ("schema: 1\nname: a\nname: b\n", &[(3, "the manifest is not YAML")]),
    ] {
        let tree = Tree::new(&[("capability.yaml", manifest), ("tools/a.py", "")]);
        let found = tree.discover("");
        assert!(found.capabilities.is_empty() && found.sources.is_empty());
        assert_eq!(found.diagnostics.len(), expected.len(), "{:?}", found.diagnostics);
        for (diagnostic, (line, message)) in found.diagnostics.iter().zip(expected) {
            assert_eq!(diagnostic.line, Some(*line), "{diagnostic}");
            assert!(
                diagnostic.message.starts_with(message),
                "{diagnostic} is not {message:?}"
            );
        }
    }
}

#[test]
fn unknown_keys_are_ignored() {
    let capability = read("colour: blue\nworkers:\n  w: {path: w.py}\n");
    assert_eq!(
        (capability.name.as_str(), capability.version.as_str()),
        ("threat-hunting", "0.1.0")
    );
}

#[test]
fn later_layers_turn_a_flag() {
    let flags =
        "flags:\n  readonly:\n    description: Hides tools.\n  burp:\n    description: Routes.\n    default: true\n";
    let mut surroundings = Surroundings::default();
    let mut states = Vec::new();
    for layer in 0..4 {
        match layer {
            1 => surroundings.kept_flags.set("threat-hunting", "readonly", true),
            2 => {
                let name = "DREADNODE_CAPABILITY_FLAG__THREAT_HUNTING__READONLY".to_owned();
                surroundings.environment.insert(name, "OFF".to_owned());
            }
            3 => surroundings
                .run_flags
                .parse("threat-hunting.readonly=true")
                .expect("the form is right"),
            _ => {}
        }
        let (tree, found) = discover(flags, &surroundings);
        assert!(found.diagnostics.is_empty(), "{:?}", found.diagnostics);
        let capability = &found.capabilities[0];
        states.push((capability.is_on("readonly"), capability.flags[0].layer));
        let on = if capability.is_on("readonly") { "1" } else { "0" };
        assert_eq!(
            found.sources[0].environment,
            [
                ("CAPABILITY_ROOT", tree.root.to_string_lossy().as_ref()),
                ("CAPABILITY_FLAG__THREAT_HUNTING__READONLY", on),
                ("CAPABILITY_FLAG__THREAT_HUNTING__BURP", "1"),
            ]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
        );
    }
    assert_eq!(
        states,
        [
            (false, FlagLayer::Default),
            (true, FlagLayer::Kept),
            (false, FlagLayer::Variable),
            (true, FlagLayer::Run)
        ]
    );
}

#[test]
fn a_variable_that_turns_nothing_is_reported() {
    let name = "DREADNODE_CAPABILITY_FLAG__THREAT_HUNTING__A".to_owned();
    let surroundings = Surroundings {
        environment: [(name, "maybe".to_owned())].into(),
        ..Surroundings::default()
    };
    let (_, found) = discover("flags:\n  a: {description: Does.}\n", &surroundings);
    assert!(!found.capabilities[0].is_on("a"));
    assert!(
        found.diagnostics[0].message.contains("__THREAT_HUNTING__A is neither"),
        "{}",
        found.diagnostics[0]
    );
}

#[test]
fn a_faulty_flag_costs_itself() {
    let faults = faults(
        "flags:\n  Bad: {description: x}\n  a: {description: ''}\n  b: {description: x, default: 5}\n  \
         c: {description: x, when: y}\n  d: yes\n  good: {description: x}\n",
    );
    let lines: Vec<_> = faults
        .iter()
        .map(|(line, _)| line.expect("a fault has a line"))
        .collect();
    assert_eq!(lines, [6, 7, 8, 9, 10]);
    assert!(faults[3].1.contains("unknown key \"when\""), "{faults:?}");
    let many: Vec<String> = (0..17).map(|flag| format!("  f{flag}: {{description: x}}\n")).collect();
    assert!(
        crate::manifests::faults(&format!("flags:\n{}", many.concat()))[0]
            .1
            .contains("17 flags")
    );
}

#[test]
fn checks_and_dependencies_are_read_and_faults_cost_themselves() {
    let capability = read(
        "checks:\n  - name: python\n    command: python --version\n\
         dependencies:\n  python: [requests>=2]\n  packages: [nmap]\n  scripts: [scripts/setup.sh]\n",
    );
    assert_eq!(capability.checks.len(), 1);
    assert_eq!(capability.checks[0].command, "python --version");
    let dependencies = &capability.dependencies;
    assert_eq!(
        (&dependencies.python, &dependencies.packages),
        (&vec!["requests>=2".to_owned()], &vec!["nmap".to_owned()])
    );
    assert_eq!(dependencies.scripts, ["scripts/setup.sh"]);
    assert_eq!(
        faults("checks: [{name: x}, 5]\ndependencies:\n  python: requests\n  scripts: [../x.sh, /x.sh, a/../b.sh]\n"),
        [
            (Some(5), "a check needs the texts 'name' and 'command'".to_owned()),
            (Some(5), "a check needs the texts 'name' and 'command'".to_owned()),
            (
                Some(7),
                "'dependencies.python' is a text, not a list of texts".to_owned()
            ),
            (Some(8), "the script \"../x.sh\" leaves the capability".to_owned()),
            (Some(8), "the script \"/x.sh\" leaves the capability".to_owned()),
        ]
    );
}

#[test]
fn secrets_that_are_not_set_are_known() {
    let surroundings = Surroundings {
        environment: [
            ("A_KEY".to_owned(), "x".to_owned()),
            ("EMPTY".to_owned(), String::new()),
        ]
        .into(),
        ..Surroundings::default()
    };
    for secrets in [
        "secrets: [A_KEY, B_KEY, {name: EMPTY, description: Empty.}, {name: C_KEY, optional: true}]\n",
        "secrets:\n  A_KEY: For a.\n  B_KEY:\n  EMPTY: {description: Empty.}\n  C_KEY: {required: false}\n",
    ] {
        let (_, found) = discover(secrets, &surroundings);
        let missing: Vec<_> = found.capabilities[0]
            .missing_secrets()
            .map(|secret| secret.name.as_str())
            .collect();
        assert_eq!(missing, ["B_KEY", "EMPTY"], "{secrets}");
        assert_eq!(found.capabilities[0].secrets[2].description.as_deref(), Some("Empty."));
    }
}

#[test]
fn servers_are_read_with_the_root_in_place_and_other_variables_as_they_are() {
    let capability = read(
        "flags:\n  burp: {description: Routes.}\n\
         mcp:\n  servers:\n    intel:\n      command: node\n      args: ['${CAPABILITY_ROOT}/mcp/intel.js', 5]\n      \
         env: {TOKEN: '${INTEL_TOKEN}'}\n      timeout: 2.5\n      init_timeout: 10\n    \
         remote:\n      url: https://x.example/mcp\n      headers:\n        A: Bearer ${T}\n        \
         B: {value: '${U}', optional: true}\n      when: [burp]\n",
    );
    let root = capability.root.to_string_lossy();
    let [intel, remote] = capability.servers.as_slice() else {
        panic!("{:?} are not two servers", capability.servers);
    };
    assert_eq!(
        intel.transport,
        Transport::Stdio {
            command: "node".to_owned(),
            arguments: vec![format!("{root}/mcp/intel.js"), "5".to_owned()],
            environment: [("TOKEN".to_owned(), "${INTEL_TOKEN}".to_owned())].into(),
            working_directory: capability.root.clone(),
        }
    );
    assert_eq!(intel.timeout, Some(Duration::from_millis(2500)));
    assert_eq!(intel.start_timeout, Some(Duration::from_secs(10)));
    let header = |name: &str, value: &str, is_optional| HttpHeader {
        name: name.to_owned(),
        value: value.to_owned(),
        is_optional,
    };
    assert_eq!(
        remote.transport,
        Transport::Http {
            url: "https://x.example/mcp".to_owned(),
            headers: vec![header("A", "Bearer ${T}", false), header("B", "${U}", true)],
        }
    );
    let active: Vec<_> = capability.active_servers().map(|server| server.name.as_str()).collect();
    assert_eq!(active, ["intel"], "the flag is off");
}

#[test]
fn servers_come_from_files_too_and_the_manifest_wins() {
    let file = r#"{"mcpServers": {"files": {"command": "npx", "args": ["x"]}, "both": {"command": "file"}}}"#;
    let commands = |manifest: &str, name: &str| -> Vec<(String, String)> {
        let manifest = format!("{HEAD}{manifest}");
        let tree = Tree::new(&[("capability.yaml", &manifest), (name, file), ("tools/a.py", "")]);
        let found = tree.discover("");
        assert!(found.diagnostics.is_empty(), "{:?}", found.diagnostics);
        let command = |server: &ServerDefinition| match &server.transport {
            Transport::Stdio { command, .. } => (server.name.clone(), command.clone()),
            Transport::Http { url, .. } => (server.name.clone(), url.clone()),
        };
        found.capabilities[0].servers.iter().map(command).collect()
    };
    let pair = |name: &str, command: &str| (name.to_owned(), command.to_owned());
    assert_eq!(commands("", ".mcp.json"), [pair("both", "file"), pair("files", "npx")]);
    assert_eq!(
        commands(
            "mcp:\n  files: [conf/mcp.json]\n  servers: {both: {command: inline}}\n",
            "conf/mcp.json"
        ),
        [pair("both", "inline"), pair("files", "npx")]
    );
    assert_eq!(commands("mcp: {servers: {}}\n", ".mcp.json"), []);
}

#[test]
fn a_faulty_server_costs_itself() {
    let faults = faults(
        "mcp:\n  files: [../x.json, nope.json]\n  servers:\n    a: {}\n    b: {command: x, url: y}\n    \
         c: {command: [x]}\n    d: {command: x, args: y}\n    e: {command: x, when: [f]}\n    f: {command: x, when: []}\n    \
         g: {url: x, headers: {h: {optional: true}}}\n    h: {command: x, timeout: -1}\n",
    );
    let lines: Vec<_> = faults
        .iter()
        .map(|(line, _)| line.expect("a fault has a line"))
        .collect();
    assert_eq!(lines, [6, 6, 8, 9, 10, 11, 12, 13, 14, 15], "{faults:?}");
    for (fault, words) in faults.iter().zip([
        "outside",
        "no file",
        "neither 'command' nor 'url'",
        "both 'command' and 'url'",
        "a list in 'command'",
        "'args' that are no list",
        "\"f\", which is not declared",
        "no list of flags",
        "header \"h\" without a value",
        "'timeout' that is no number",
    ]) {
        assert!(fault.1.contains(words), "{:?} is not about {words:?}", fault.1);
    }
}

#[test]
fn variables_are_put_into_a_server_when_it_is_started() {
    let variable = |name: &str| match name {
        "SET" => Some("value".to_owned()),
        "EMPTY" => Some(String::new()),
        _ => None,
    };
    for (text, expected) in [
        ("plain $SET {x}", Ok("plain $SET {x}")),
        ("a ${SET} b ${SET}", Ok("a value b value")),
        ("${NOT:-x}/${EMPTY:-y}/${SET:-z}/${EMPTY}", Ok("x/y/value/")),
        ("${NOT:-}", Ok("")),
        ("${NOT}", Err("NOT")),
        ("${open", Ok("${open")),
    ] {
        let expanded = ServerDefinition::expand(text, variable);
        assert_eq!(expanded.as_deref().map_err(String::as_str), expected, "{text}");
    }
}
