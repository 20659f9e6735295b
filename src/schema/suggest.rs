//! Owns the search for names that look alike, for unknown tools and unknown arguments.
//!
//! A suggestion is only ever shown: nothing may act on it, because a near name can still be the wrong one.

/// How alike two names must be, from 0 to 1.
const ENOUGH: f64 = 0.6;

/// The candidates that look like `name`, best first, at most `limit`.
pub(crate) fn near<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>, limit: usize) -> Vec<&'c str> {
    let name = fold(name);
    let mut scored: Vec<(f64, &str)> = candidates
        .into_iter()
        .map(|candidate| (likeness(&name, &fold(candidate)), candidate))
        .filter(|(score, _)| *score >= ENOUGH)
        .collect();
    scored.sort_by(|(left, _), (right, _)| right.total_cmp(left));
    scored.truncate(limit);
    scored.into_iter().map(|(_, candidate)| candidate).collect()
}

/// Upper and lower case and separators are what people and models mix up most, so they do not count.
fn fold(name: &str) -> String {
    name.chars()
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Edit distance, but a name inside a longer one (`limit` in `line_limit`) is always near.
fn likeness(left: &str, right: &str) -> f64 {
    let (short, long) = if left.len() <= right.len() {
        (left, right)
    } else {
        (right, left)
    };
    let distance = strsim::normalized_damerau_levenshtein(left, right);
    if short.len() >= 3 && long.contains(short) {
        distance.max(ENOUGH)
    } else {
        distance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_the_name() {
        assert_eq!(near("timeuot", ["truncate", "timeout"], 3), ["timeout"]);
        assert_eq!(near("readFile", ["write_file", "read_file"], 1), ["read_file"]);
    }

    #[test]
    fn a_name_inside_a_longer_one_is_near() {
        assert_eq!(near("line_limit", ["path", "limit"], 3), ["limit"]);
    }

    #[test]
    fn strangers_are_not_suggested() {
        assert!(near("zzz", ["path", "limit"], 3).is_empty());
        assert!(near("", ["path", "id"], 3).is_empty());
    }

    #[test]
    fn equally_near_names_keep_their_order() {
        assert_eq!(near("item_c", ["item_b", "item_a"], 5), ["item_b", "item_a"]);
    }
}
