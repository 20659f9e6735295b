//! Owns the names under which a capability's tools go to a model: `capability__tool`, within 64 characters.
//!
//! The tool's own name is never changed; what is in front of it gives way from its middle.

const LONGEST: usize = 64;
const SEPARATOR: &str = "__";
/// What is left of a part of the namespace at least.
const SHORTEST_PART: usize = 4;

/// Why a tool has no name on the wire.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoWireName {
    /// The tool's own name leaves no room for the namespace.
    #[error("the tool name {name:?} has {} characters and leaves no room for the capability's name within {LONGEST}", name.chars().count())]
    NoRoom {
        /// The tool's own name.
        name: String,
    },
    /// A part of the namespace has nothing that a name may hold.
    #[error("{part:?} has no letter or digit that a tool name may begin with")]
    EmptyPart {
        /// The part.
        part: String,
    },
}

/// The name of a tool in a namespace: a capability, or a capability and a server.
///
/// # Errors
///
/// [`NoWireName`] if there is none within 64 characters; that concerns this tool and no other.
pub fn wire_name(namespace: &[&str], name: &str) -> Result<String, NoWireName> {
    let no_room = || NoWireName::NoRoom { name: name.to_owned() };
    let parts = namespace
        .iter()
        .map(|part| match safe(part) {
            safe if safe.is_empty() => Err(NoWireName::EmptyPart {
                part: (*part).to_owned(),
            }),
            safe => Ok(safe),
        })
        .collect::<Result<Vec<_>, _>>()?;
    let whole = join(&parts, name);
    if whole.chars().count() <= LONGEST {
        return Ok(whole);
    }
    let separators = SEPARATOR.len() * parts.len();
    let available = LONGEST.saturating_sub(name.chars().count() + separators);
    let room = available
        .checked_div(parts.len())
        .ok_or_else(no_room)?
        .max(SHORTEST_PART);
    let shortened: Vec<String> = parts.iter().map(|part| shorten(part, room)).collect();
    Some(join(&shortened, name))
        .filter(|name| name.chars().count() <= LONGEST)
        .ok_or_else(no_room)
}

fn join(parts: &[String], name: &str) -> String {
    parts
        .iter()
        .flat_map(|part| [part.as_str(), SEPARATOR])
        .chain([name])
        .collect()
}

/// ASCII letters, digits and `_`, with one `_` for everything between them, and none at the ends.
fn safe(part: &str) -> String {
    let mut safe = String::with_capacity(part.len());
    for character in part.chars() {
        if character.is_ascii_alphanumeric() || character == '_' {
            safe.push(character);
        } else if !safe.ends_with('\0') {
            safe.push('\0');
        }
    }
    safe.replace('\0', "_").trim_matches('_').to_owned()
}

/// Both ends of an ASCII text around a `_`, in at most `room` characters.
fn shorten(part: &str, room: usize) -> String {
    if part.len() <= room {
        return part.to_owned();
    }
    let half = (room - 1) / 2;
    format!("{}_{}", &part[..half], &part[part.len() - half..])
}

#[cfg(test)]
mod tests {
    use super::{NoWireName, safe, wire_name};

    #[test]
    fn the_namespace_gives_way_and_the_name_does_not() {
        let long = "a-capability-with-quite-a-long-name-of-its-own-and-more";
        for (namespace, name, expected) in [
            (&[][..], "bare", Ok("bare")),
            (&["web-pd"], "scan", Ok("web_pd__scan")),
            (&["web-pd", "my server"], "scan", Ok("web_pd__my_server__scan")),
            (
                &[long],
                "a_tool_name_of_some_length_here",
                Ok("a_capability_wi_ts_own_and_more__a_tool_name_of_some_length_here"),
            ),
            (
                &[long, long],
                "a_tool_name_of_some_length_here",
                Ok("a_capa_d_more__a_capa_d_more__a_tool_name_of_some_length_here"),
            ),
        ] {
            assert_eq!(
                wire_name(namespace, name).as_deref(),
                expected.as_ref().map(|name: &&str| *name),
                "{name}"
            );
        }
    }

    #[test]
    fn a_name_that_fills_the_wire_has_no_namespace() {
        for length in [60, 63, 65] {
            let name = "n".repeat(length);
            assert_eq!(
                wire_name(&["capability"], &name),
                Err(NoWireName::NoRoom { name: name.clone() })
            );
        }
        assert!(wire_name(&[], &"n".repeat(65)).is_err());
        assert_eq!(wire_name(&[], &"n".repeat(64)), Ok("n".repeat(64)));
        assert_eq!(
            wire_name(&["---"], "scan"),
            Err(NoWireName::EmptyPart { part: "---".to_owned() })
        );
    }

    #[test]
    fn only_safe_characters_are_left() {
        assert_eq!(safe("--a.b  c__d_é_"), "a_b_c__d");
    }
}
