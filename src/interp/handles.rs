//! Owns every Python object that outlives a call: loaded tools, raised exceptions, callers' contexts.
//!
//! Plain Rust data elsewhere names them by number. Nothing here may run tool code or hold a lock while attaching.

use super::gate::Gate;
use super::job::Job;
use crate::model::Ticket;
use crate::runner::ToolKey;
use ahash::RandomState;
use pyo3::exceptions::PyBaseException;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

/// What a loaded tool is to Python.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct ToolHandle {
    /// Its name, for call states.
    pub name: Arc<str>,
    /// Its name, for the tasks that run it.
    pub task_name: Py<PyString>,
    /// The runtime's own object for it.
    pub bound: Py<PyAny>,
    /// What is called.
    pub function: Py<PyAny>,
    /// The bound `validate_json` of its validator; absent when the host judges arguments by schema.
    pub validate: Option<Py<PyAny>>,
    /// Whether an empty object is valid and comes to no argument at all, which need not be found out at every call.
    pub needs_nothing: bool,
    /// Whether the function must be called on the event loop's thread.
    pub asynchronous: bool,
    /// The keyword under which it wants a `Context`.
    pub context_parameter: Option<Py<PyString>>,
    /// Turns its value into text.
    pub render: Py<PyAny>,
    /// Whether a plain string needs no rendering.
    pub plain_text: bool,
    /// Whether JSON's own kinds need no rendering but to be written as JSON.
    pub plain_json: bool,
    /// Enters its toolset's context manager; absent when there is none.
    pub enter: Option<Py<PyAny>>,
    /// Whether that was done.
    pub entered: AtomicBool,
    /// Who may call into its toolset instance at the same time.
    pub gate: Option<Arc<Gate<Job>>>,
}

impl ToolHandle {
    /// Whether its toolset needs no entering, or was entered.
    pub fn is_entered(&self) -> bool {
        self.enter.is_none() || self.entered.load(Ordering::Acquire)
    }
}

static NEXT: AtomicU64 = AtomicU64::new(1);
static OBJECTS: Mutex<Option<HashMap<u64, Py<PyAny>>>> = Mutex::new(None);

/// The tools of one runner.
#[derive(Default)]
pub struct ToolTable {
    tools: RwLock<HashMap<ToolKey, Arc<ToolHandle>, RandomState>>,
}

impl ToolTable {
    /// Keeps a tool and names it.
    pub fn insert(&self, tool: ToolHandle) -> ToolKey {
        let key = ToolKey(NEXT.fetch_add(1, Ordering::Relaxed));
        self.tools
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(key, Arc::new(tool));
        key
    }

    /// The tool of that number.
    pub fn get(&self, key: ToolKey) -> Option<Arc<ToolHandle>> {
        self.tools
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&key)
            .cloned()
    }

    /// Those who wait to call into a toolset.
    pub fn withdraw(&self) -> Vec<Job> {
        let tools = self.tools.read().unwrap_or_else(PoisonError::into_inner);
        let gates = tools.values().filter_map(|tool| tool.gate.as_ref());
        gates.flat_map(|gate| gate.withdraw()).collect()
    }

    /// Forgets tools, and gives them away; calls in flight keep theirs.
    pub fn remove(&self, keys: &[ToolKey]) -> Vec<Arc<ToolHandle>> {
        let mut tools = self.tools.write().unwrap_or_else(PoisonError::into_inner);
        keys.iter().filter_map(|key| tools.remove(key)).collect()
    }
}

/// The number of an object in the table; the object goes with it.
struct ObjectNumber(u64);

impl Drop for ObjectNumber {
    fn drop(&mut self) {
        let object = objects().as_mut().and_then(|objects| objects.remove(&self.0));
        // Outside the lock: the last reference may run Python code.
        drop(object);
    }
}

fn objects() -> MutexGuard<'static, Option<HashMap<u64, Py<PyAny>>>> {
    OBJECTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps an object for as long as its ticket lives.
pub fn keep(object: Py<PyAny>) -> Ticket {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    objects().get_or_insert_default().insert(number, object);
    Ticket::new(ObjectNumber(number))
}

/// Keeps a caller's context. An empty one says no more than none, which need not be kept and taken along.
///
/// # Errors
/// What Python raises.
pub fn keep_context(context: Bound<'_, PyAny>) -> PyResult<Option<Ticket>> {
    Ok((context.len()? > 0).then(|| keep(context.unbind())))
}

/// The object of a ticket.
pub fn object(py: Python<'_>, ticket: &Ticket) -> Option<Py<PyAny>> {
    let number = ticket.reference::<ObjectNumber>()?.0;
    objects().as_ref()?.get(&number).map(|object| object.clone_ref(py))
}

/// The exception of a ticket, to be raised again as it was.
pub fn exception(py: Python<'_>, ticket: &Ticket) -> Option<PyErr> {
    let object = object(py, ticket)?.into_bound(py).cast_into::<PyBaseException>().ok()?;
    Some(PyErr::from_value(object.into_any()))
}
