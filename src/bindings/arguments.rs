//! Owns how a Python caller may give a call: a name with arguments as JSON text, bytes or objects, a `Call`, or one tuple
//! or dict of a batch.

use crate::interp::handles;
use crate::model::{Arguments, Call};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyMapping, PyString, PyTuple};

/// Arguments as a Python caller gives them.
pub struct GivenArguments(Arguments);

impl GivenArguments {
    /// The arguments themselves.
    pub fn into_inner(self) -> Arguments {
        self.0
    }
}

impl Default for GivenArguments {
    fn default() -> Self {
        Self(Arguments::from(""))
    }
}

impl<'py> FromPyObject<'_, 'py> for GivenArguments {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let py = given.py();
        if given.is_none() {
            return Ok(Self::default());
        }
        if let Ok(text) = given.cast::<PyString>() {
            return Ok(Self(Arguments::from(text.to_str()?)));
        }
        if let Ok(bytes) = given.cast::<PyBytes>() {
            let text = std::str::from_utf8(bytes.as_bytes())
                .map_err(|error| PyValueError::new_err(format!("the arguments are not UTF-8: {error}")))?;
            return Ok(Self(Arguments::from(text)));
        }
        let object = match given.cast::<PyDict>() {
            Ok(object) => Some(object.to_owned()),
            Err(_) if given.is_instance_of::<PyMapping>() => {
                Some(PyDict::from_sequence(&given.call_method0("items")?)?)
            }
            Err(_) => None,
        };
        if let Some(object) = object {
            let json = py
                .import(intern!(py, "pydantic_core"))?
                .call_method1(intern!(py, "to_json"), (&object,))
                .map_err(|error| unwritable(&object, error))?;
            let text = std::str::from_utf8(json.cast::<PyBytes>()?.as_bytes())
                .map_err(|error| PyValueError::new_err(error.to_string()))?
                .to_owned();
            return Ok(Self(Arguments::from(text)));
        }
        let name = given.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "arguments must be a dict, or JSON as str or bytes, not {name}"
        )))
    }
}

/// Why arguments cannot be written as JSON, and where.
fn unwritable(arguments: &Bound<'_, PyDict>, error: PyErr) -> PyErr {
    let py = arguments.py();
    let found = py
        .import(intern!(py, "pegboard.runtime.locate"))
        .and_then(|locate| locate.call_method1(intern!(py, "find_fault"), (arguments,)))
        .and_then(|fault| {
            let path: String = fault.getattr(intern!(py, "path"))?.extract()?;
            let reason: String = fault.getattr(intern!(py, "reason"))?.extract()?;
            Ok(format!("the arguments cannot be written as JSON: {path} {reason}"))
        });
    let Ok(message) = found else { return error };
    let told = PyTypeError::new_err(message);
    told.set_cause(py, Some(error));
    told
}

/// What is called: a tool by its name, or a whole call.
pub enum GivenTool {
    /// The tool's name.
    Name(String),
    /// A call, which brings its own arguments and id.
    Call(Call),
}

impl<'py> FromPyObject<'_, 'py> for GivenTool {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match given.cast::<super::call::Call>() {
            Ok(call) => Ok(Self::Call(call.get().inner().clone())),
            Err(_) => given.extract().map(Self::Name),
        }
    }
}

/// One call, for a thread that waits for it: it sees the thread's own context variables.
pub fn waiting_call(tool: GivenTool, arguments: Option<GivenArguments>, call_id: Option<String>) -> PyResult<Call> {
    match tool {
        GivenTool::Name(name) => {
            let mut call = Call::new(name, arguments.unwrap_or_default().0);
            call.id = call_id;
            Ok(call)
        }
        GivenTool::Call(call) if arguments.is_none() && call_id.is_none() => Ok(call),
        GivenTool::Call(_) => Err(PyTypeError::new_err("a Call brings its own arguments and call_id")),
    }
}

/// One call, made on behalf of the calling thread's context, which it takes along.
pub fn call(
    py: Python<'_>,
    tool: GivenTool,
    arguments: Option<GivenArguments>,
    call_id: Option<String>,
) -> PyResult<Call> {
    on_behalf(py, waiting_call(tool, arguments, call_id)?)
}

/// The call with the calling thread's context.
fn on_behalf(py: Python<'_>, mut call: Call) -> PyResult<Call> {
    let context = py
        .import(intern!(py, "contextvars"))?
        .call_method0(intern!(py, "copy_context"))?;
    call.context = handles::keep_context(context)?;
    Ok(call)
}

/// One call of a batch: a `Call`, `(tool, arguments)`, `(tool, arguments, call_id)` or a dict with those keys.
pub struct GivenCall(Call);

impl GivenCall {
    fn new(tool: String, arguments: GivenArguments, call_id: Option<String>) -> Self {
        let mut call = Call::new(tool, arguments.0);
        call.id = call_id;
        Self(call)
    }

    /// The call that it stands for.
    pub fn into_call(self, py: Python<'_>) -> PyResult<Call> {
        on_behalf(py, self.0)
    }
}

impl<'py> FromPyObject<'_, 'py> for GivenCall {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(call) = given.cast::<super::call::Call>() {
            return Ok(Self(call.get().inner().clone()));
        }
        if let Ok((tool, arguments)) = given.extract::<(String, GivenArguments)>() {
            return Ok(Self::new(tool, arguments, None));
        }
        if given.is_instance_of::<PyTuple>()
            && let Ok((tool, arguments, call_id)) = given.extract::<(String, GivenArguments, Option<String>)>()
        {
            return Ok(Self::new(tool, arguments, call_id));
        }
        let Ok(given) = given.cast::<PyDict>() else {
            return Err(unusable());
        };
        let Some(tool) = given.get_item("tool")? else {
            return Err(unusable());
        };
        let arguments = match given.get_item("arguments")? {
            Some(arguments) => arguments.extract()?,
            None => GivenArguments::default(),
        };
        let call_id = given.get_item("call_id")?.map(|id| id.extract()).transpose()?;
        Ok(Self::new(tool.extract()?, arguments, call_id))
    }
}

/// A batch: anything that can be iterated over.
pub struct GivenCalls(Vec<GivenCall>);

impl GivenCalls {
    /// The calls that they stand for.
    pub fn into_calls(self, py: Python<'_>) -> PyResult<Vec<Call>> {
        self.0.into_iter().map(|call| call.into_call(py)).collect()
    }
}

impl<'py> FromPyObject<'_, 'py> for GivenCalls {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let calls = given.try_iter()?.map(|call| call?.extract());
        calls.collect::<PyResult<_>>().map(Self)
    }
}

fn unusable() -> PyErr {
    PyTypeError::new_err(
        "a call must be a Call, (tool, arguments), (tool, arguments, call_id), or a dict with tool, arguments and call_id",
    )
}
