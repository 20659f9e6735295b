//! Owns reading a Rust file as tokens, so that neither comments nor strings count and items for tests are left out.

use crate::layout;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

const PRINTING: &[&str] = &["println", "print", "eprintln", "eprint", "dbg"];
const PANICKING_MACROS: &[&str] = &["panic", "todo", "unimplemented", "unreachable"];
const PANICKING_METHODS: &[&str] = &["unwrap", "expect", "unwrap_err", "expect_err"];

/// Everything that a Rust file of `src` does and may not do, each with its line.
pub fn violations(path: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(source) = Source::of(path) {
        match text.parse::<TokenStream>() {
            Ok(tokens) => source.read(&without_tests(tokens), &mut found),
            Err(error) => found.push(format!("cannot be read as Rust: {error}")),
        }
    }
    found
}

/// The tokens without items that only tests are compiled with.
fn without_tests(tokens: TokenStream) -> Vec<TokenTree> {
    let mut kept = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let attribute = match (&token, tokens.peek()) {
            (TokenTree::Punct(hash), Some(TokenTree::Group(group))) if hash.as_char() == '#' => {
                group.stream().to_string().replace(' ', "")
            }
            _ => String::new(),
        };
        if attribute == "cfg(test)" {
            let _ = tokens.find(|token| match token {
                TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                TokenTree::Punct(end) => end.as_char() == ';',
                _ => false,
            });
            continue;
        }
        kept.push(match token {
            TokenTree::Group(group) => {
                let inner = without_tests(group.stream()).into_iter().collect();
                let mut same = proc_macro2::Group::new(group.delimiter(), inner);
                same.set_span(group.span());
                TokenTree::Group(same)
            }
            other => other,
        });
    }
    kept
}

/// A Rust file of `src` and its place in the layout.
struct Source<'a> {
    path: &'a str,
    /// The path of the module, modules inside the file included.
    module: Vec<String>,
}

impl<'a> Source<'a> {
    fn of(path: &'a str) -> Option<Self> {
        let inside = path.strip_prefix("src/")?.strip_suffix(".rs")?;
        let module = inside
            .split('/')
            .filter(|part| *part != "mod")
            .map(str::to_owned)
            .collect();
        Some(Self { path, module })
    }

    fn place(&self) -> &str {
        self.module.first().map_or("", String::as_str)
    }

    fn read(&self, tokens: &[TokenTree], found: &mut Vec<String>) {
        if !layout::has_place(self.place()) {
            found.push("stands in a place that the layout does not have".to_owned());
        }
        self.read_group(tokens, found);
    }

    fn read_group(&self, tokens: &[TokenTree], found: &mut Vec<String>) {
        for (index, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    match &tokens[..index] {
                        [.., TokenTree::Ident(keyword), TokenTree::Ident(name)] if *keyword == "mod" => {
                            let mut module = self.module.clone();
                            module.push(name.to_string());
                            let path = self.path;
                            Self { path, module }.read_group(&inner, found);
                        }
                        _ => self.read_group(&inner, found),
                    }
                }
                TokenTree::Ident(ident) => {
                    let line = ident.span().start().line;
                    let name = ident.to_string();
                    let before = index.checked_sub(1).and_then(|before| punct(tokens.get(before)));
                    let after = punct(tokens.get(index + 1));
                    let findings = self.word(&name, before, after).into_iter().chain(self.paths(
                        &name,
                        before,
                        &tokens[index + 1..],
                    ));
                    found.extend(findings.map(|finding| format!("line {line}: {finding}")));
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    /// What is wrong with a word where it stands.
    fn word(&self, name: &str, before: Option<char>, after: Option<char>) -> Option<String> {
        let is_macro = after == Some('!');
        let is_call = matches!(before, Some('.' | ':'));
        if is_macro && PRINTING.contains(&name) && self.path != "src/cli/printer.rs" {
            return Some(format!("only src/cli/printer.rs prints, here is {name}!"));
        }
        if (is_macro && PANICKING_MACROS.contains(&name)) || (is_call && PANICKING_METHODS.contains(&name)) {
            return Some(format!("{name} may panic outside of a test"));
        }
        if name == "unsafe" && self.place() != "interp" && !layout::may_be_unsafe(self.path) {
            return Some("only src/interp may be unsafe".to_owned());
        }
        (!layout::may_name_crate(self.place(), name)).then(|| format!("may not name {name}"))
    }

    /// What is wrong with the paths that begin with this word.
    fn paths(&self, name: &str, before: Option<char>, after: &[TokenTree]) -> Vec<String> {
        let up = match name {
            "crate" => self.module.len(),
            "pegboard" if self.place() == "main" => self.module.len(),
            "super" if before != Some(':') => 1,
            _ => return Vec::new(),
        };
        let mut written = Vec::new();
        collect_paths(after, &mut Vec::new(), &mut written);
        written.retain(|path| !path.is_empty());
        written
            .iter()
            .filter_map(|path| {
                let path = path.strip_suffix(&["self".to_owned()]).unwrap_or(path);
                let more = path.iter().take_while(|part| *part == "super").count();
                let base = self.module.len().saturating_sub(up + more);
                let whole: Vec<&str> = self.module[..base]
                    .iter()
                    .chain(&path[more..])
                    .map(String::as_str)
                    .collect();
                (!layout::may_name(self.path, self.place(), &whole))
                    .then(|| format!("may not name crate::{}", whole.join("::")))
            })
            .collect()
    }
}

fn punct(token: Option<&TokenTree>) -> Option<char> {
    match token {
        Some(TokenTree::Punct(punct)) => Some(punct.as_char()),
        _ => None,
    }
}

/// The paths that go on after a word, with every branch of a `use` tree.
fn collect_paths(tokens: &[TokenTree], path: &mut Vec<String>, paths: &mut Vec<Vec<String>>) {
    let goes_on = punct(tokens.first()) == Some(':') && punct(tokens.get(1)) == Some(':');
    match tokens.get(2).filter(|_| goes_on) {
        Some(TokenTree::Ident(name)) => {
            path.push(name.to_string());
            collect_paths(&tokens[3..], path, paths);
            path.pop();
        }
        Some(TokenTree::Group(branches)) => {
            let branches: Vec<TokenTree> = branches.stream().into_iter().collect();
            for branch in branches.split(|token| punct(Some(token)) == Some(',')) {
                if let Some(TokenTree::Ident(name)) = branch.first() {
                    path.push(name.to_string());
                    collect_paths(&branch[1..], path, paths);
                    path.pop();
                }
            }
        }
        _ => paths.push(path.clone()),
    }
}
