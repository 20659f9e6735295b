//! Owns writing values of JSON's own kinds as JSON, without a detour through Python code.
//!
//! Must not decide what any other value looks like: it gives up at the first one, at NaN and infinity, for which JSON has
//! no form, and at an integer or a string that Rust cannot hold. The runtime's own code then writes the value or says what
//! is wrong with it.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde::ser::{Error, Serialize, Serializer};

/// How deep values are looked into before it is left to Python, which also notices one that holds itself.
const DEPTH: usize = 32;

/// The value as compact JSON; `None` leaves it to the runtime's own code.
pub fn plain(value: &Bound<'_, PyAny>) -> Option<String> {
    serde_json::to_string(&Plain { value, depth: DEPTH }).ok()
}

/// A value that is looked into `depth` levels deep.
struct Plain<'a, 'py> {
    value: &'a Bound<'py, PyAny>,
    depth: usize,
}

impl Serialize for Plain<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { value, depth } = *self;
        // Exact types only: a subclass may look different, as enumerations and secrets do.
        if let Ok(text) = value.cast_exact::<PyString>() {
            serializer.serialize_str(written(text)?)
        } else if value.is_exact_instance_of::<PyInt>() {
            serializer.serialize_i64(value.extract().map_err(S::Error::custom)?)
        } else if let Ok(members) = value.cast_exact::<PyDict>() {
            let depth = one_deeper(depth)?;
            serializer.collect_map(members.iter().map(|(name, member)| (Name(name), Owned(member, depth))))
        } else if let Ok(items) = value.cast_exact::<PyList>() {
            let depth = one_deeper(depth)?;
            serializer.collect_seq(items.iter().map(|item| Owned(item, depth)))
        } else if let Ok(items) = value.cast_exact::<PyTuple>() {
            let depth = one_deeper(depth)?;
            serializer.collect_seq(items.iter().map(|item| Owned(item, depth)))
        } else if let Ok(truth) = value.cast_exact::<PyBool>() {
            serializer.serialize_bool(truth.is_true())
        } else if let Ok(number) = value.cast_exact::<PyFloat>() {
            let number = number.value();
            if !number.is_finite() {
                return Err(S::Error::custom("JSON has no form for it"));
            }
            serializer.serialize_f64(number)
        } else if value.is_none() {
            serializer.serialize_unit()
        } else {
            Err(S::Error::custom("not one of JSON's own kinds"))
        }
    }
}

/// A part of a value.
struct Owned<'py>(Bound<'py, PyAny>, usize);

impl Serialize for Owned<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(value, depth) = self;
        Plain { value, depth: *depth }.serialize(serializer)
    }
}

/// The name of a member, which may only be a string.
struct Name<'py>(Bound<'py, PyAny>);

impl Serialize for Name<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = self
            .0
            .cast_exact::<PyString>()
            .map_err(|_| S::Error::custom("a name that is no string"))?;
        serializer.serialize_str(written(name)?)
    }
}

fn one_deeper<E: Error>(depth: usize) -> Result<usize, E> {
    depth.checked_sub(1).ok_or_else(|| E::custom("nested too deep"))
}

/// The string as UTF-8, for which half a surrogate pair has no form.
fn written<'a, E: Error>(text: &'a Bound<'_, PyString>) -> Result<&'a str, E> {
    text.to_str().map_err(E::custom)
}
