//! Owns which tools somebody may use: patterns with yes or no, of which the last that matches decides.

/// Rules such as `{"*": true, "bash": false}`, in order. A tool that none of them matches is allowed.
///
/// Patterns are those of a shell: `*`, `?`, `[abc]`, `[a-z]` and `[!abc]`, against the whole name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolRules(Vec<(String, bool)>);

impl ToolRules {
    /// Whether a tool may be used that goes by all of these names.
    #[must_use]
    pub fn allows(&self, names: &[&str]) -> bool {
        self.0
            .iter()
            .rev()
            .find(|(pattern, _)| fits_any(pattern, names))
            .is_none_or(|(_, allowed)| *allowed)
    }

    /// The patterns that fit none of these names: somebody may have misspelt them.
    pub fn unmatched<'a>(&'a self, names: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
        self.0
            .iter()
            .map(|(pattern, _)| pattern.as_str())
            .filter(move |pattern| *pattern != "*" && !fits_any(pattern, names))
    }
}

impl<P: Into<String>> FromIterator<(P, bool)> for ToolRules {
    fn from_iter<I: IntoIterator<Item = (P, bool)>>(rules: I) -> Self {
        Self(
            rules
                .into_iter()
                .map(|(pattern, allowed)| (pattern.into(), allowed))
                .collect(),
        )
    }
}

fn fits_any(pattern: &str, names: &[&str]) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    names
        .iter()
        .any(|name| matches(&pattern, &name.chars().collect::<Vec<_>>()))
}

/// Whether the whole name fits the pattern.
///
/// Only the last `*` is ever tried again, so the time is bounded by the product of the lengths.
fn matches(pattern: &[char], name: &[char]) -> bool {
    let (mut at, mut read) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while read < name.len() {
        if pattern.get(at) == Some(&'*') {
            star = Some((at, read));
            at += 1;
        } else if let Some(length) = one(&pattern[at..], name[read]) {
            at += length;
            read += 1;
        } else if let Some((star_at, taken)) = star {
            star = Some((star_at, taken + 1));
            (at, read) = (star_at + 1, taken + 1);
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|left| *left == '*')
}

/// How long the piece of the pattern is that fits this one character.
fn one(pattern: &[char], character: char) -> Option<usize> {
    match pattern.first()? {
        '?' => Some(1),
        '[' => match class(pattern) {
            Some((members, is_negated, length)) => (contains(members, character) != is_negated).then_some(length),
            None => (character == '[').then_some(1),
        },
        literal => (*literal == character).then_some(1),
    }
}

/// The members of a class in brackets, whether it is negated, and its length; `None` if it does not end.
fn class(pattern: &[char]) -> Option<(&[char], bool, usize)> {
    let is_negated = pattern.get(1) == Some(&'!');
    let start = if is_negated { 2 } else { 1 };
    // A bracket right at the start is a member.
    let end = start
        + 1
        + pattern
            .get(start + 1..)?
            .iter()
            .position(|character| *character == ']')?;
    Some((&pattern[start..end], is_negated, end + 1))
}

fn contains(members: &[char], character: char) -> bool {
    let mut rest = members;
    while let [first, tail @ ..] = rest {
        let (last, after) = match tail {
            ['-', last, after @ ..] => (last, after),
            _ => (first, tail),
        };
        if (*first..=*last).contains(&character) {
            return true;
        }
        rest = after;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::ToolRules;

    #[test]
    fn the_last_matching_rule_decides() {
        let none: [(&str, bool); 0] = [];
        for (rules, allowed, refused) in [
            (&none[..], &["bash", "read"][..], &[][..]),
            (&[("*", true), ("bash", false)], &["read"], &["bash"]),
            (
                &[("*", false), ("read", true), ("grep", true)],
                &["read", "grep"],
                &["bash", "reader"],
            ),
            (&[("bash", false), ("*", true)], &["bash"], &[]),
            (
                &[("*", true), ("web_pd__*", false), ("web_pd__start", true)],
                &["web_pd__start", "web_pd"],
                &["web_pd__stop", "web_pd__"],
            ),
        ] {
            let rules: ToolRules = rules.iter().copied().collect();
            assert!(
                allowed.iter().all(|tool| rules.allows(&[tool])),
                "{rules:?} {allowed:?}"
            );
            assert!(
                !refused.iter().any(|tool| rules.allows(&[tool])),
                "{rules:?} {refused:?}"
            );
        }
    }

    #[test]
    fn a_tool_has_several_names_and_a_rule_may_fit_none() {
        let rules: ToolRules = [("*", true), ("intel__*", false), ("lookup", true), ("lokup", false)]
            .into_iter()
            .collect();
        assert!(rules.allows(&["lookup", "intel__lookup"]));
        assert!(!rules.allows(&["sweep", "intel__sweep"]));
        assert!(rules.unmatched(&["lookup", "intel__lookup"]).eq(["lokup"]));
    }

    #[test]
    fn patterns_are_those_of_a_shell() {
        for (pattern, fits, fails) in [
            ("a?c", &["abc", "aéc"][..], &["ac", "abbc"][..]),
            ("*a*b*", &["ab", "xaxbx"], &["ba"]),
            ("[a-c]1", &["a1", "c1"], &["d1", "-1"]),
            ("[!a-c]1", &["d1"], &["a1", "1"]),
            ("[]x]", &["]", "x"], &["[", "y"]),
            ("[a", &["[a"], &["a"]),
            ("a.b", &["a.b"], &["axb"]),
            ("", &[""], &["a"]),
            ("**", &["", "a"], &[]),
        ] {
            let rules: ToolRules = [("*", false), (pattern, true)].into_iter().collect();
            assert!(fits.iter().all(|tool| rules.allows(&[tool])), "{pattern:?} {fits:?}");
            assert!(!fails.iter().any(|tool| rules.allows(&[tool])), "{pattern:?} {fails:?}");
        }
    }
}
