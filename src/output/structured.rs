//! Owns keeping a structured value within the limit and valid: large parts move to files, the rest stays in place.
//!
//! What moved is replaced by `{"$offloaded": path, "chars": count}`. A file holds exactly the part: the text of a string,
//! the JSON of anything else. Where a value is wide rather than deep, the whole list or object moves, so that one value
//! never becomes hundreds of files.

use super::offload::Store;
use super::truncate::count_beyond;
use crate::model::Structured;
use serde_json::{Map, Value, json};
use std::io;

/// The largest number of parts that one value is taken apart into.
const MOST_PARTS: usize = 30;
/// What a replacement takes beside the path.
const REPLACEMENT_CHARACTERS: usize = 200;

/// The same value, within the limit, and the whole one as JSON if that is another.
pub(super) fn bound(structured: Structured, store: &Store<'_>) -> (Structured, Option<String>) {
    let text = match structured {
        Structured::Json(text) if count_beyond(&text, store.limit).is_some() => text,
        within => return (within, None),
    };
    let parts = Parts {
        store,
        smallest: (store.limit / MOST_PARTS).max(REPLACEMENT_CHARACTERS),
    };
    let bounded = match serde_json::from_str(&text) {
        Ok(value) => parts.shrink(value, store.limit),
        // Nested deeper than the parser goes: the text still is what the tool returned.
        Err(_) => parts.replacement(&text),
    };
    (Structured::Json(bounded.to_string()), Some(text))
}

struct Parts<'a> {
    store: &'a Store<'a>,
    /// A part that has to shrink below this many characters is not worth a file of its own.
    smallest: usize,
}

impl Parts<'_> {
    fn shrink(&self, value: Value, allowed: usize) -> Value {
        if characters(&value) <= allowed {
            return value;
        }
        match value {
            Value::String(text) => self.replacement(&text),
            Value::Array(items) => {
                let sizes: Vec<usize> = items.iter().map(characters).collect();
                let punctuation = items.len() + 1;
                match self.shares(&sizes, allowed.saturating_sub(punctuation)) {
                    Some(shares) => items
                        .into_iter()
                        .zip(shares)
                        .map(|(item, share)| self.shrink(item, share))
                        .collect(),
                    None => self.replacement(&Value::Array(items).to_string()),
                }
            }
            Value::Object(members) => {
                let sizes: Vec<usize> = members.values().map(characters).collect();
                let names: usize = members.keys().map(|name| name.chars().count() + 4).sum();
                match self.shares(&sizes, allowed.saturating_sub(names + 1)) {
                    Some(shares) => members
                        .into_iter()
                        .zip(shares)
                        .map(|((name, member), share)| (name, self.shrink(member, share)))
                        .collect::<Map<_, _>>()
                        .into(),
                    None => self.replacement(&Value::Object(members).to_string()),
                }
            }
            other => self.replacement(&other.to_string()),
        }
    }

    /// How many characters each part may have: small ones stay whole, large ones share what is left equally.
    ///
    /// `None` says that there are too many of them for that.
    fn shares(&self, sizes: &[usize], available: usize) -> Option<Vec<usize>> {
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        order.sort_by_key(|&index| sizes[index]);
        let mut shares = vec![0; sizes.len()];
        let mut left = available;
        for (done, &index) in order.iter().enumerate() {
            let fair = left / (sizes.len() - done);
            if sizes[index] > fair && fair < self.smallest {
                return None;
            }
            shares[index] = sizes[index].min(fair);
            left -= shares[index];
        }
        Some(shares)
    }

    fn replacement(&self, text: &str) -> Value {
        let chars = text.chars().count();
        match self.store.keep(text.as_bytes(), "txt") {
            Ok(path) => json!({"$offloaded": path.to_string_lossy(), "chars": chars}),
            Err(error) => json!({"$offloaded": null, "chars": chars, "error": error.to_string()}),
        }
    }
}

/// How many characters the value has as JSON.
fn characters(value: &Value) -> usize {
    let mut counter = Counter(0);
    // Neither a `Value` nor the counter can fail; a count that is too low only keeps the value whole.
    let _ = serde_json::to_writer(&mut counter, value);
    counter.0
}

/// Counts the characters of UTF-8 text that is written to it.
struct Counter(usize);

impl io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        const CONTINUATION: u8 = 0b1000_0000;
        self.0 += bytes.iter().filter(|byte| *byte & 0b1100_0000 != CONTINUATION).count();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
