//! Owns writing values of JSON's own kinds as JSON, without a detour through Python code.
//!
//! Must not decide what any other value looks like, and must give up where JSON has no form for one: NaN, bytes, objects.

use super::invoke::is_plain;
use super::runtime::Runtime;
use memchr::{memchr, memchr3, memmem};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyNone, PyString};

/// How deep values are looked into before it is left to Python.
const DEPTH: usize = 32;

/// The value as compact JSON; `None` leaves it to the runtime's own code, which also says what is wrong with a value.
pub fn plain(value: &Bound<'_, PyAny>) -> Option<String> {
    if value.is_exact_instance_of::<PyDict>() {
        return written(value);
    }
    if let Ok(items) = value.cast_exact::<PyList>() {
        // A list may also be one of content blocks, all of which are told by the first.
        let first = items.get_item(0).ok();
        return if first.is_none_or(|first| is_plain(&first) && !first.is_exact_instance_of::<PyString>()) {
            written(value)
        } else {
            None
        };
    }
    if value.is_exact_instance_of::<PyInt>() {
        return value.extract::<i64>().ok().map(|number| number.to_string());
    }
    if let Ok(truth) = value.cast_exact::<PyBool>() {
        return Some(if truth.is_true() { "true" } else { "false" }.to_owned());
    }
    value.is_none().then(|| "null".to_owned())
}

fn written(value: &Bound<'_, PyAny>) -> Option<String> {
    let py = value.py();
    let json = Runtime::get(py).ok()?.serialize.bind(py).call1((value,)).ok()?;
    let json = json.cast::<PyBytes>().ok()?.as_bytes();
    if is_doubtful(json) && !is_made_of_plain(value, DEPTH) {
        return None;
    }
    std::str::from_utf8(json).ok().map(str::to_owned)
}

/// Whether the JSON may stand for something that it does not say: NaN and infinity, which pydantic writes as such or as
/// `null`, and bytes, which it writes in the alphabet for addresses.
fn is_doubtful(json: &[u8]) -> bool {
    // Single bytes are found in a fraction of the time that it takes to get ready for a word.
    memchr3(b'N', b'I', b'-', json).is_some()
        || memchr(b'_', json).is_some()
        || memchr(b'n', json).is_some_and(|first| memmem::find(&json[first..], b"null").is_some())
}

/// Whether nothing but JSON's own kinds and finite numbers is in it.
fn is_made_of_plain(value: &Bound<'_, PyAny>, depth: usize) -> bool {
    if let Ok(number) = value.cast_exact::<PyFloat>() {
        return number.value().is_finite();
    }
    if value.is_exact_instance_of::<PyString>()
        || value.is_exact_instance_of::<PyInt>()
        || value.is_exact_instance_of::<PyBool>()
        || value.is_exact_instance_of::<PyNone>()
    {
        return true;
    }
    if depth == 0 {
        return false;
    }
    if let Ok(members) = value.cast_exact::<PyDict>() {
        return members
            .iter()
            .all(|(name, member)| name.is_exact_instance_of::<PyString>() && is_made_of_plain(&member, depth - 1));
    }
    value
        .cast_exact::<PyList>()
        .is_ok_and(|items| items.iter().all(|item| is_made_of_plain(&item, depth - 1)))
}
