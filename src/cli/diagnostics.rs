//! Owns how diagnostics are shown: like a compiler's, with the line that they are about.
//!
//! Must not print, and must not judge: severity and advice come from whoever found it.

use super::paint::{Paint, visible};
use crate::diagnostic::{Diagnostic, Severity};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// How far into a file a line is looked for, and how much of it is shown at most.
const READ_LIMIT: u64 = 4 * 1024 * 1024;
const SHOWN_CHARACTERS: usize = 200;

/// The diagnostic in lines, with an empty one after it.
pub fn shown(diagnostic: &Diagnostic, paint: Paint) -> String {
    let code = code(diagnostic);
    let head = match diagnostic.severity {
        Severity::Error => paint.error(&format!("error[{code}]")),
        Severity::Warning => paint.warning(&format!("warning[{code}]")),
        Severity::Info => paint.note(&format!("info[{code}]")),
    };
    let mut text = format!("{head}: {}\n", visible(&diagnostic.message));
    let mut margin = 1;
    if let Some(path) = &diagnostic.path {
        let place = shown_path(path);
        let arrow = paint.faint("-->");
        match diagnostic.line {
            Some(line) => {
                margin = line.to_string().len();
                let space = " ".repeat(margin);
                let bar = paint.faint("|");
                let _ = writeln!(text, "{space}{arrow} {place}:{line}");
                if let Some(source) = source_line(path, line) {
                    let _ = writeln!(text, "{space} {bar}");
                    let _ = writeln!(text, "{} {bar} {source}", paint.faint(&line.to_string()));
                    let _ = writeln!(text, "{space} {bar}");
                }
            }
            None => {
                let _ = writeln!(text, " {arrow} {place}");
            }
        }
    }
    let space = " ".repeat(margin);
    let equals = paint.faint("=");
    if diagnostic.severity == Severity::Error && !diagnostic.tools.is_empty() {
        let names = visible(&diagnostic.tools.join(", ")).into_owned();
        let _ = writeln!(text, "{space} {equals} {}: {names}", paint.bold("not offered"));
    }
    if let Some(hint) = &diagnostic.hint {
        let _ = writeln!(text, "{space} {equals} {}: {}", paint.bold("help"), visible(hint));
    }
    text.push('\n');
    text
}

/// What was found, in words: `1 error, 2 warnings`; nothing if there is nothing.
pub fn counted(diagnostics: &[Diagnostic]) -> Option<String> {
    let counts = [
        (Severity::Error, "error", "errors"),
        (Severity::Warning, "warning", "warnings"),
        (Severity::Info, "remark", "remarks"),
    ];
    let words: Vec<String> = counts
        .into_iter()
        .filter_map(|(severity, one, many)| {
            let count = count(diagnostics, severity);
            (count > 0).then(|| format!("{count} {}", if count == 1 { one } else { many }))
        })
        .collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// One line that says that something was not loaded, which `check` tells in full; nothing if all was.
pub fn losses(diagnostics: &[Diagnostic], paint: Paint) -> Option<String> {
    let errors = count(diagnostics, Severity::Error);
    let noun = if errors == 1 { "error" } else { "errors" };
    let warning = paint.warning("warning:");
    (errors > 0).then(|| format!("{warning} {errors} {noun} while loading; `pegboard check` tells more"))
}

/// How many diagnostics have this severity.
pub fn count(diagnostics: &[Diagnostic], severity: Severity) -> usize {
    diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == severity)
        .count()
}

/// A path as a person at this place would write it.
pub fn shown_path(path: &Path) -> String {
    let below = std::env::current_dir()
        .ok()
        .and_then(|folder| path.strip_prefix(folder).ok().map(Path::to_path_buf));
    match below {
        Some(relative) if !relative.as_os_str().is_empty() => visible(&relative.display().to_string()).into_owned(),
        _ => visible(&path.display().to_string()).into_owned(),
    }
}

/// The stable name, as in JSON.
fn code(diagnostic: &Diagnostic) -> String {
    serde_json::to_value(diagnostic.code)
        .ok()
        .and_then(|name| name.as_str().map(str::to_owned))
        .unwrap_or_default()
}

fn source_line(path: &Path, line: u32) -> Option<String> {
    let file = BufReader::new(File::open(path).ok()?.take(READ_LIMIT));
    let index = usize::try_from(line).ok()?.checked_sub(1)?;
    let bytes = file.split(b'\n').nth(index)?.ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_end();
    if text.is_empty() {
        return None;
    }
    let cut = text
        .char_indices()
        .nth(SHOWN_CHARACTERS)
        .map_or(text, |(end, _)| &text[..end]);
    let mark = if cut.len() < text.len() { "…" } else { "" };
    Some(format!("{}{mark}", visible(cut)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::DiagnosticCode;

    #[test]
    fn a_diagnostic_shows_the_line_that_it_is_about() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("dep.py");
        std::fs::write(&path, "# a file\nimport missing_package\n").unwrap();
        let mut diagnostic = Diagnostic::new(DiagnosticCode::MissingDependency, Severity::Error, "no such module")
            .at(&path)
            .hint("install it");
        diagnostic.line = Some(2);
        diagnostic.tools = vec!["lookup".to_owned()];
        let expected = format!(
            "error[missing_dependency]: no such module\n --> {}:2\n  |\n2 | import missing_package\n  |\n  = not offered: lookup\n  = help: install it\n\n",
            path.display()
        );
        assert_eq!(shown(&diagnostic, Paint::new(false)), expected);
    }

    #[test]
    fn a_line_that_is_gone_or_empty_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("short.py");
        std::fs::write(&path, "\n").unwrap();
        assert_eq!(source_line(&path, 1), None);
        assert_eq!(source_line(&path, 7), None);
        assert_eq!(source_line(&path, 0), None);
        assert_eq!(source_line(&folder.path().join("absent.py"), 1), None);
    }

    #[test]
    fn a_long_line_is_cut_with_a_mark() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("long.py");
        std::fs::write(&path, "é".repeat(SHOWN_CHARACTERS + 1)).unwrap();
        assert_eq!(
            source_line(&path, 1).unwrap(),
            format!("{}…", "é".repeat(SHOWN_CHARACTERS))
        );
    }
}
