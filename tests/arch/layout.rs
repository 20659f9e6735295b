//! Owns the layout as tables: which place of `src` may name which, and which crates stand in a few places only.

/// The data that every place may name.
const PLAIN: &[&str] = &["model", "error", "diagnostic"];

/// What each place of `src` may name beside itself and [`PLAIN`]. A place that is not listed may not exist.
const MAY_NAME: &[(&str, &[&str])] = &[
    ("error", &[]),
    ("diagnostic", &[]),
    ("model", &[]),
    ("runner", &[]),
    ("schema", &[]),
    ("output", &["runner"]),
    ("capability", &["runner"]),
    ("interp", &["runner"]),
    ("process", &["runner"]),
    ("remote", &["runner"]),
    ("host", &["runner", "schema", "output", "capability"]),
    ("serve", &["host"]),
    ("cli", &["host", "serve"]),
    (
        "bindings",
        &[
            "host",
            "cli::run",
            "interp::fork",
            "interp::handles",
            "interp::inbox",
            "interp::spin",
        ],
    ),
    ("lib", &[]),
    ("main", &["cli"]),
];

/// What single files may name more.
const FILE_MAY_NAME: &[(&str, &[&str])] = &[
    ("src/host/builder.rs", &["interp", "process", "remote"]),
    ("src/cli/command/doctor.rs", &["interp"]),
];

/// Files outside of `src/interp` that may be unsafe: a step between fork and exec cannot be had otherwise.
const UNSAFE: &[&str] = &["src/remote/child.rs"];

/// The places that pass the owner's choices on to the host, and the types of those choices.
const DOORS: &[&str] = &["serve", "cli", "bindings"];
const CHOICES: &[&str] = &["runner::Compat", "runner::CatchDefault", "output::FailureDetail"];

/// Crates that only some places may name.
const CRATES: &[(&str, &[&str])] = &[
    ("pyo3", &["interp", "bindings"]),
    ("pyo3_ffi", &["interp"]),
    ("rmcp", &["serve", "remote"]),
    ("axum", &["serve"]),
    ("clap", &["cli"]),
];

/// Whether a file of `src` may name a path of this crate.
pub fn may_name(file: &str, place: &str, path: &[&str]) -> bool {
    let choices = if DOORS.contains(&place) { CHOICES } else { &[] };
    let names = [
        &[place][..],
        PLAIN,
        choices,
        listed(MAY_NAME, place),
        listed(FILE_MAY_NAME, file),
    ]
    .concat();
    place == "lib"
        || names.iter().any(|name| {
            let name: Vec<&str> = name.split("::").collect();
            path.starts_with(&name)
        })
}

/// Whether a place of `src` may name another crate.
pub fn may_name_crate(place: &str, name: &str) -> bool {
    CRATES
        .iter()
        .find(|(known, _)| *known == name)
        .is_none_or(|(_, places)| places.contains(&place))
}

/// Whether a file outside of `src/interp` may be unsafe.
pub fn may_be_unsafe(file: &str) -> bool {
    UNSAFE.contains(&file)
}

/// Whether the layout has such a place.
pub fn has_place(place: &str) -> bool {
    MAY_NAME.iter().any(|(known, _)| *known == place)
}

fn listed(table: &[(&str, &'static [&'static str])], key: &str) -> &'static [&'static str] {
    table
        .iter()
        .find(|(known, _)| *known == key)
        .map_or(&[], |(_, names)| *names)
}
