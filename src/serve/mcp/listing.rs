//! Owns what clients are told of the tools, made once for each change of the catalog.
//!
//! Must not run a tool. What is published of a tool's value is what answers are held to.

use crate::error::{Error, Result};
use crate::host::Host;
use crate::model::{ExportOptions, Provider};
use crate::serve::metrics::Metrics;
use arc_swap::ArcSwapOption;
use jsonschema::Validator;
use rmcp::model::Tool;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// The tools as clients see them between two changes of the catalog.
pub struct Listing {
    /// The number of changes before it.
    pub change: u64,
    /// Every tool, in the catalog's order.
    pub tools: Vec<Tool>,
    /// What is published of values, by the tools' published names.
    pub outputs: HashMap<String, Output>,
}

/// What is published of a tool's value.
pub struct Output {
    /// Whether the value stands in an object, under `result`, since it is none itself.
    pub is_wrapped: bool,
    /// Judges the structured content.
    pub validator: Validator,
}

/// A host's tools as clients see them, now and after every change.
pub struct Listings {
    host: Host,
    metrics: Arc<Metrics>,
    current: ArcSwapOption<Listing>,
}

impl Listings {
    /// The tools of a host.
    #[must_use]
    pub fn new(host: Host, metrics: Arc<Metrics>) -> Arc<Self> {
        Arc::new(Self {
            host,
            metrics,
            current: ArcSwapOption::empty(),
        })
    }

    /// Whose tools they are.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// What counts their calls.
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// The tools now.
    ///
    /// # Errors
    /// [`Error::Internal`] if the export is not what the protocol's types take.
    pub fn now(&self) -> Result<Arc<Listing>> {
        let change = *self.host.changes().borrow();
        if let Some(listing) = self.current.load_full()
            && listing.change == change
        {
            return Ok(listing);
        }
        let listing = Arc::new(Listing::of(&self.host, change)?);
        self.current.store(Some(Arc::clone(&listing)));
        Ok(listing)
    }
}

impl Listing {
    fn of(host: &Host, change: u64) -> Result<Self> {
        let exported = host.export(Provider::Mcp, &ExportOptions::default())?;
        let mut outputs = HashMap::new();
        let mut tools = Vec::with_capacity(exported.tools.len());
        for exported in exported.tools {
            let name = exported["name"].as_str().unwrap_or_default().to_owned();
            if let Some(schema) = exported.get("outputSchema")
                && let Some(output) = Output::of(host, &name, schema)
            {
                outputs.insert(name, output);
            }
            let tool = serde_json::from_value(exported)
                .map_err(|error| Error::Internal(format!("a tool does not fit the protocol: {error}")))?;
            tools.push(tool);
        }
        Ok(Self { change, tools, outputs })
    }
}

impl Output {
    fn of(host: &Host, name: &str, schema: &Value) -> Option<Self> {
        let validator = jsonschema::draft202012::options()
            .should_validate_formats(false)
            .build(schema)
            .map_err(|error| tracing::warn!(tool = name, %error, "an output schema cannot be used"))
            .ok()?;
        let declared = host.tool(name).ok()?.output_schema.clone()?;
        Some(Self {
            is_wrapped: declared["type"] != "object",
            validator,
        })
    }
}
