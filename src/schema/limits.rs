//! Owns the bounds on argument text: how long it is and how deep it nests.
//!
//! Runs before every call, so it must not parse: it looks at bytes and builds nothing.

use crate::model::{Limits, Problem};

/// Refuses argument text that is longer or nests deeper than the host allows.
pub(crate) fn check(arguments: &str, limits: &Limits) -> Result<(), Problem> {
    if arguments.len() > limits.argument_bytes {
        return Err(whole(
            "too_long",
            format!(
                "The arguments have {} bytes; at most {} are accepted.",
                arguments.len(),
                limits.argument_bytes
            ),
        ));
    }
    if nests_deeper(arguments.as_bytes(), limits.argument_depth) {
        return Err(whole(
            "too_deep",
            format!(
                "The arguments nest deeper than the {} levels that are accepted.",
                limits.argument_depth
            ),
        ));
    }
    Ok(())
}

/// Whether JSON text opens more arrays and objects inside one another than `depth`.
fn nests_deeper(text: &[u8], depth: usize) -> bool {
    if opening_brackets(text) <= depth {
        return false;
    }
    let mut level = 0_usize;
    let mut bytes = text.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => skip_string(&mut bytes),
            b'[' | b'{' => {
                level += 1;
                if level > depth {
                    return true;
                }
            }
            b']' | b'}' => level = level.saturating_sub(1),
            _ => {}
        }
    }
    false
}

/// How many opening brackets there are, inside strings too: a count that settles nearly every call.
fn opening_brackets(text: &[u8]) -> usize {
    // One bit tells `[` from `{`, and sums of single bytes are what the compiler turns into vector instructions.
    text.chunks(usize::from(u8::MAX))
        .map(|chunk| {
            let count: u8 = chunk.iter().map(|byte| u8::from(byte | 0x20 == b'{')).sum();
            usize::from(count)
        })
        .sum()
}

/// Moves past the rest of a string whose opening quote was read.
fn skip_string(bytes: &mut std::slice::Iter<'_, u8>) {
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => return,
            b'\\' => {
                bytes.next();
            }
            _ => {}
        }
    }
}

fn whole(code: &str, message: String) -> Problem {
    Problem {
        pointer: String::new(),
        code: code.to_owned(),
        message,
        suggestion: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(bytes: usize, depth: usize) -> Limits {
        Limits {
            argument_bytes: bytes,
            argument_depth: depth,
            ..Limits::default()
        }
    }

    #[test]
    fn length_is_counted_in_bytes() {
        assert!(check("\"ä\"", &limits(4, 8)).is_ok());
        let problem = check("\"ää\"", &limits(4, 8)).unwrap_err();
        assert_eq!(problem.code, "too_long");
        assert!(problem.message.contains("6 bytes"), "{}", problem.message);
    }

    #[test]
    fn depth_counts_open_brackets_only() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(check(&nested(64), &Limits::default()).is_ok());
        assert_eq!(check(&nested(65), &Limits::default()).unwrap_err().code, "too_deep");
        let flat = format!("[{}[]]", "[],".repeat(500));
        assert!(check(&flat, &Limits::default()).is_ok());
    }

    #[test]
    fn brackets_inside_strings_do_not_count() {
        let quoted = format!(r#"{{"a":"{}","b":"\\\"[[[\\","c":[]}}"#, "[{".repeat(40));
        assert!(check(&quoted, &limits(1000, 2)).is_ok());
        assert!(check(&quoted, &limits(1000, 1)).is_err());
    }

    #[test]
    fn text_that_is_no_json_cannot_overflow() {
        assert!(check("]]]]{{", &limits(100, 2)).is_ok());
        assert!(check("\"\\", &limits(100, 0)).is_ok());
    }
}
