//! Owns `Outcome` as Python sees it.

use super::call::Call;
use super::failure::Failure;
use super::json;
use super::outcome_parts::{LogLine, Offload, Repair, Truncation};
use crate::model;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// What a call yields: a value or a failure.
#[pyclass(frozen, module = "pegboard")]
pub struct Outcome {
    inner: model::Outcome,
}

impl From<model::Outcome> for Outcome {
    fn from(inner: model::Outcome) -> Self {
        Self { inner }
    }
}

#[pymethods]
impl Outcome {
    /// The call's id.
    #[getter]
    fn call_id(&self) -> &str {
        &self.inner.call_id
    }

    /// The tool's real name.
    #[getter]
    fn tool(&self) -> &str {
        &self.inner.tool
    }

    /// The text for the model.
    #[getter]
    fn text(&self) -> &str {
        &self.inner.text
    }

    /// The value as JSON's own kinds, or `None` where there is no value.
    #[getter]
    fn structured<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match &self.inner.structured {
            model::Structured::Absent => Ok(None),
            model::Structured::TextIsJson => json::loads(py, &self.inner.text).map(Some),
            model::Structured::TextIsValue => Ok(Some(self.inner.text.as_str().into_pyobject(py)?.into_any())),
            model::Structured::Json(text) => json::loads(py, text).map(Some),
        }
    }

    /// Blocks beside the text, such as images: dicts with `type` and what belongs to it.
    #[getter]
    fn content<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.inner.content)
    }

    /// Why there is no value, or `None` where there is one.
    #[getter]
    fn failure(&self) -> Option<Failure> {
        self.inner.failure.as_deref().cloned().map(Failure::from)
    }

    /// Whether the tool asked to end the run.
    #[getter]
    fn stop(&self) -> bool {
        self.inner.stop
    }

    /// What was mended in the arguments.
    #[getter]
    fn repairs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let repairs = self
            .inner
            .repairs
            .iter()
            .map(|repair| Bound::new(py, Repair::new(py, repair)?));
        PyTuple::new(py, repairs.collect::<PyResult<Vec<_>>>()?)
    }

    /// What the tool wrote while it ran.
    #[getter]
    fn logs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let logs = self
            .inner
            .logs
            .iter()
            .map(|line| Bound::new(py, LogLine::new(py, line)?));
        PyTuple::new(py, logs.collect::<PyResult<Vec<_>>>()?)
    }

    /// What was cut from the text, or `None`.
    #[getter]
    fn truncated(&self) -> Option<Truncation> {
        self.inner.truncated.map(Truncation::from)
    }

    /// Where the whole text is, or `None` where it was short enough.
    #[getter]
    fn offload(&self) -> Option<Offload> {
        self.inner.offload.clone().map(Offload::from)
    }

    /// How long the call took, in seconds.
    #[getter]
    fn duration(&self) -> f64 {
        self.inner.duration.as_secs_f64()
    }

    /// The message of role `tool` for `OpenAI`'s Chat Completions, as a new dict.
    fn to_openai_message<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.inner.to_openai_message())
    }

    /// The user message that shows the pictures in `OpenAI`'s Chat Completions, after the messages of all calls that the
    /// model made at once; `None` if there are none.
    fn to_openai_attachment<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let attachment = self.inner.to_openai_attachment();
        attachment.map(|message| json::to_python(py, &message)).transpose()
    }

    /// The input item for `OpenAI`'s Responses, pictures and files included.
    fn to_openai_item<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.inner.to_openai_item())
    }

    /// The `tool_result` block for Anthropic's Messages, pictures and documents included.
    fn to_anthropic_block<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.inner.to_anthropic_block())
    }

    /// The `functionResponse` part for Gemini, which repeats the name and id of the call it answers.
    fn to_gemini_part<'py>(&self, py: Python<'py>, call: &Call) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.inner.to_gemini_part(call.inner()))
    }

    /// The `toolResult` block for Bedrock's Converse, with pictures and documents as bytes, which its SDK encodes.
    fn to_bedrock_block<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let block = json::to_python(py, &self.inner.to_bedrock_block())?;
        let content = block.get_item("toolResult")?.get_item("content")?;
        let decode = py.import(intern!(py, "base64"))?.getattr(intern!(py, "b64decode"))?;
        for part in content.try_iter()? {
            for media in part?.cast::<PyDict>()?.values() {
                if let Ok(media) = media.cast::<PyDict>()
                    && let Some(source) = media.get_item("source")?
                {
                    source.set_item("bytes", decode.call1((source.get_item("bytes")?,))?)?;
                }
            }
        }
        Ok(block)
    }

    fn __repr__(&self) -> String {
        match &self.inner.failure {
            Some(failure) => format!("Outcome(tool={:?}, failure={:?})", self.inner.tool, failure.to_string()),
            None => format!(
                "Outcome(tool={:?}, {} characters)",
                self.inner.tool,
                self.inner.text.chars().count()
            ),
        }
    }
}
