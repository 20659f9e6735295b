//! Owns leaving the toolsets of tools that were unloaded, when the last call that uses them has ended.
//!
//! Must not hold up anybody: a call may take as long as it likes.

use super::handles::ToolHandle;
use super::invoke::internal;
use super::lanes::Lanes;
use super::reader::Reader;
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// How often is looked whether calls have ended.
const INTERVAL: Duration = Duration::from_millis(20);

/// Leaves the toolsets of these tools as soon as nobody else holds them; closing the runner leaves all that are left.
pub fn leave(tools: Vec<Arc<ToolHandle>>, lanes: &Arc<Lanes>, closed: &Arc<AtomicBool>) {
    let entered: Vec<_> = tools
        .into_iter()
        .filter(|tool| tool.enter.is_some() && tool.entered.load(Ordering::Acquire))
        .collect();
    if entered.is_empty() {
        return;
    }
    let (lanes, closed, presence) = (Arc::clone(lanes), Arc::clone(closed), lanes.presence());
    let spawned = thread::Builder::new()
        .name("pegboard-unload".to_owned())
        .spawn(move || {
            while entered.iter().any(|tool| Arc::strong_count(tool) > 1) && !closed.load(Ordering::Acquire) {
                thread::sleep(INTERVAL);
            }
            if let Some(event_loop) = lanes.running_event_loop() {
                let grace = lanes.limits().grace;
                event_loop.run(move |reader| {
                    if let Err(error) = start(reader, &entered, grace) {
                        tracing::warn!(error = %internal(&error), "toolsets could not be left");
                    }
                });
            }
            drop(presence);
        });
    if let Err(error) = spawned {
        tracing::warn!(%error, "toolsets that were unloaded are left when the host is closed");
    }
}

fn start(reader: &Bound<'_, Reader>, tools: &[Arc<ToolHandle>], grace: Duration) -> PyResult<()> {
    let py = reader.py();
    let enters = PyList::new(py, tools.iter().filter_map(|tool| tool.enter.as_ref()))?;
    let leaving = py
        .import("pegboard.runtime.lifetime")?
        .call_method1("leave_unloaded", (enters, grace.as_secs_f64()))?;
    reader
        .get()
        .event_loop(py)
        .call_method1("create_task", (leaving,))
        .map(drop)
}
