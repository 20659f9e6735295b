//! Owns the contract of a backend that loads and runs tools, and the plain data that crosses it.
//!
//! Must not know any backend: the embedded interpreter, child processes and servers all stand behind [`Runner`].

use crate::diagnostic::Diagnostic;
use crate::error::Error;
use crate::model::{
    CallId, CallPolicy, Content, Failure, LogLine, Problem, ProgressSink, Structured, Ticket, ToolDefinition,
};
use serde::{Deserialize, Serialize};
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::time::{Duration, Instant};

/// A boxed future, so that the host can hold runners of several kinds.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A backend that loads tool files and runs their tools.
pub trait Runner: Send + Sync {
    /// Loads files; never fails for a single file, whose fault is a diagnostic.
    fn load(&self, request: LoadRequest) -> BoxFuture<'_, Result<Loaded, Error>>;

    /// The files of the modules that the files below each of these roots have imported by now; none where the code is not
    /// in this process.
    fn modules(&self, roots: Vec<PathBuf>) -> BoxFuture<'_, Result<Vec<Vec<PathBuf>>, Error>> {
        Box::pin(std::future::ready(Ok(vec![Vec::new(); roots.len()])))
    }

    /// Starts to validate the arguments, run the tool and render its value. Dropping the future cancels the call.
    fn call(&self, request: CallRequest) -> BoxFuture<'_, Reply>;

    /// The same on the caller's own thread, which waits.
    fn call_blocking(&self, request: CallRequest, caller: &mut dyn WaitingCaller) -> Reply;

    /// Forgets tools that are no longer in the catalog.
    fn unload(&self, tools: &[ToolKey]);

    /// Leaves toolsets and stops; returns what did not end in good order.
    fn close(&self, grace: Duration) -> BoxFuture<'_, Vec<Diagnostic>>;
}

/// A thread that waits for the answer to a call.
pub trait WaitingCaller {
    /// Runs what may take its time. A thread that holds the interpreter lock lets go of it meanwhile.
    fn wait(&mut self, wait: &mut (dyn FnMut() + Send)) {
        wait();
    }

    /// Whether it gives up; asked now and then.
    fn gives_up(&mut self) -> bool;
}

impl<F: FnMut() -> bool> WaitingCaller for F {
    fn gives_up(&mut self) -> bool {
        self()
    }
}

/// What a runner knows a loaded tool by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ToolKey(pub u64);

/// What is to be loaded.
#[derive(Debug, Clone, Default, Serialize)]
pub struct LoadRequest {
    /// The sources, each with its files in sorted order.
    pub sources: Vec<SourceFiles>,
    /// How files are to be read.
    pub options: LoadOptions,
}

/// The tool files of one source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourceFiles {
    /// The folder that relative module names start from.
    pub root: PathBuf,
    /// The folder whose modules the files may import by their plain names; usually the parent of `tools/`.
    pub import_roots: Vec<PathBuf>,
    /// The tool files in sorted order.
    pub files: Vec<PathBuf>,
    /// Variables that are set before the first import.
    pub environment: Vec<(String, String)>,
    /// The name of the capability that the files belong to.
    #[serde(skip)]
    pub capability: Option<String>,
}

/// How files are to be read.
#[derive(Debug, Clone, Serialize)]
pub struct LoadOptions {
    /// Which package answers `import dreadnode` and the like.
    pub compat: Compat,
    /// Which exceptions a dreadnode or rigging tool catches that does not say.
    pub catch_default: CatchDefault,
    /// How long one file's import may take, in seconds.
    pub import_timeout_seconds: f64,
    /// Whether a file may install packages while it is imported.
    pub allow_install: bool,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self {
            compat: Compat::Auto,
            catch_default: CatchDefault::Documented,
            import_timeout_seconds: 10.0,
            allow_install: false,
        }
    }
}

/// Which package answers `import dreadnode` and the like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Compat {
    /// The real package if it is installed, else the stand-in.
    #[default]
    Auto,
    /// Always the stand-in.
    Builtin,
}

/// Which exceptions a dreadnode or rigging tool catches that does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CatchDefault {
    /// Those of the page: `json.JSONDecodeError` and `pydantic.ValidationError`.
    #[default]
    Documented,
    /// Every `Exception`.
    All,
}

/// What a load yields.
#[derive(Debug, Clone, Default)]
pub struct Loaded {
    /// The tools, in the order of sources, files and definitions; names may repeat.
    pub tools: Vec<LoadedTool>,
    /// The findings.
    pub diagnostics: Vec<Diagnostic>,
    /// The files whose change makes another load yield something else.
    pub modules: Vec<PathBuf>,
}

/// One loaded tool.
#[derive(Debug, Clone)]
pub struct LoadedTool {
    /// What the runner knows it by.
    pub key: ToolKey,
    /// What a model is shown.
    pub definition: ToolDefinition,
    /// How its calls are judged and shown.
    pub policy: CallPolicy,
}

/// One call, as the runner gets it.
#[derive(Clone)]
pub struct CallRequest {
    /// Which tool.
    pub tool: ToolKey,
    /// The call's id.
    pub call_id: CallId,
    /// The arguments: the text of a JSON object.
    pub arguments: String,
    /// When the call is over, by Rust's clock.
    pub deadline: Option<Deadline>,
    /// What the caller wants the tool to see of its surroundings.
    pub context: Option<Ticket>,
    /// Who is told how far the tool has come.
    pub progress: Option<ProgressSink>,
}

/// When a call is over.
#[derive(Debug, Clone, Copy)]
pub struct Deadline {
    /// The moment.
    pub at: Instant,
    /// The limit that led to it, for messages.
    pub limit: Duration,
}

/// What a runner answers.
#[derive(Debug)]
pub struct Reply {
    /// How the call ended.
    pub end: CallEnd,
    /// What the tool wrote while it ran.
    pub logs: Vec<LogLine>,
}

impl From<CallEnd> for Reply {
    fn from(end: CallEnd) -> Self {
        Self { end, logs: Vec::new() }
    }
}

/// How a call ended.
#[derive(Debug)]
pub enum CallEnd {
    /// The tool returned.
    Returned(Rendered),
    /// The tool asked to end the run, with a text.
    Stopped(String),
    /// The arguments do not fit; the tool did not run.
    InvalidArguments(Rejection),
    /// There is no value, and the tool's policy makes that a failure.
    Failed(Box<Failure>),
    /// There is no value, and the tool's policy makes that an error.
    Aborted(Box<Failure>, Option<Ticket>),
    /// The tool was unloaded before the call began; the arguments, given back.
    Unloaded(String),
    /// The runner itself cannot answer.
    Broken(Error),
}

impl From<Failure> for CallEnd {
    fn from(failure: Failure) -> Self {
        Self::Failed(Box::new(failure))
    }
}

/// What is wrong with the arguments of a call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Rejection {
    /// The whole text for the model, where the tool's dialect has words of its own.
    pub answer: Option<String>,
    /// Everything that is wrong.
    pub problems: Vec<Problem>,
    /// The arguments, given back.
    #[serde(skip)]
    pub arguments: String,
}

/// A value in the forms that a model can be given.
#[derive(Debug, Clone, PartialEq)]
pub struct Rendered {
    /// The text.
    pub text: String,
    /// Blocks beside the text.
    pub content: Vec<Content>,
    /// How the value can be had as JSON.
    pub structured: Structured,
}
