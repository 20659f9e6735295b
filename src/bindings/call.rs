//! Owns `Call` as Python sees it: one request to run a tool, and how requests are read from a model's answer.

use super::answer;
use super::arguments::GivenArguments;
use crate::model;
use pyo3::prelude::*;

/// One request to run a tool.
#[pyclass(frozen, module = "pegboard")]
pub struct Call {
    inner: model::Call,
}

impl Call {
    /// The request itself.
    pub const fn inner(&self) -> &model::Call {
        &self.inner
    }
}

impl From<model::Call> for Call {
    fn from(inner: model::Call) -> Self {
        Self { inner }
    }
}

#[pymethods]
impl Call {
    /// A call of a tool with arguments as JSON text, bytes or objects.
    #[new]
    #[pyo3(signature = (tool, arguments = None, *, call_id = None))]
    fn new(tool: String, arguments: Option<GivenArguments>, call_id: Option<String>) -> Self {
        let mut inner = model::Call::new(tool, arguments.unwrap_or_default().into_inner());
        inner.id = call_id;
        Self { inner }
    }

    /// The caller's id for it, or `None`.
    #[getter]
    fn call_id(&self) -> Option<&str> {
        self.inner.id.as_deref()
    }

    /// The tool's name, as the caller wrote it.
    #[getter]
    fn tool(&self) -> &str {
        &self.inner.tool
    }

    /// The arguments, as JSON text.
    #[getter]
    fn arguments(&self) -> &str {
        self.inner.arguments.as_str()
    }

    /// The calls in an answer from `OpenAI`: a response of Chat Completions or of Responses, a message, one call or
    /// output item, or a list of them; as objects of its SDK, dicts, or JSON text.
    #[staticmethod]
    fn from_openai(answer: &Bound<'_, PyAny>) -> PyResult<Vec<Self>> {
        read(answer, model::Provider::OpenAi, model::Call::from_openai)
    }

    /// The calls in an answer from Anthropic: a message, one content block, or a list of them.
    #[staticmethod]
    fn from_anthropic(answer: &Bound<'_, PyAny>) -> PyResult<Vec<Self>> {
        read(answer, model::Provider::Anthropic, model::Call::from_anthropic)
    }

    /// The calls in an answer from Gemini: a response, a content, one part or call, or a list of them.
    #[staticmethod]
    fn from_gemini(answer: &Bound<'_, PyAny>) -> PyResult<Vec<Self>> {
        read(answer, model::Provider::Gemini, model::Call::from_gemini)
    }

    /// The calls in an answer from Bedrock's Converse: a response, a message, one content block, or a list of them.
    #[staticmethod]
    fn from_bedrock(answer: &Bound<'_, PyAny>) -> PyResult<Vec<Self>> {
        read(answer, model::Provider::Bedrock, model::Call::from_bedrock)
    }

    fn __repr__(&self) -> String {
        // The arguments are the model's and never go to a log.
        match &self.inner.id {
            Some(id) => format!("Call(tool={:?}, call_id={id:?})", self.inner.tool),
            None => format!("Call(tool={:?})", self.inner.tool),
        }
    }
}

fn read(answer: &Bound<'_, PyAny>, provider: model::Provider, calls: answer::Reader) -> PyResult<Vec<Call>> {
    let calls = answer::read(answer, provider, calls)?;
    Ok(calls.into_iter().map(Call::from).collect())
}
