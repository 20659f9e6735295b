//! Owns the start of CPython in this process through `PyConfig`, or the adoption of one that already runs.
//!
//! Must not load tool files. `Python::initialize()` is not used: it ignores virtual environments and takes
//! `sys.executable` from `PATH`.
#![expect(
    unsafe_code,
    reason = "CPython's start-up and the system's signal table have no safe interface"
)]

use super::embedded;
use super::environment::{self, Choice, Environment};
use crate::error::{Error, Result};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The environment of this process's one interpreter, once it runs.
static STARTED: OnceLock<Environment> = OnceLock::new();

/// Held while Python is started, at a time when no thread can be attached yet.
static STARTING: Mutex<()> = Mutex::new(());

/// Whether it was this library that started Python, or is starting it now.
static IS_OURS: AtomicBool = AtomicBool::new(false);

/// Starts Python, or answers with the environment in which it already runs.
///
/// The thread that starts it becomes Python's main thread, so call it on the process's main thread if tools are to set
/// signal handlers.
///
/// # Errors
/// [`Error::Interpreter`] if no environment can be chosen, if the chosen one is for another minor version than the
/// linked libpython, if Python itself refuses, or if it already runs in another environment than the named one.
pub fn start(named: Option<&Path>, sources: &[PathBuf]) -> Result<Environment> {
    if STARTED.get().is_none() && (IS_OURS.load(Ordering::Acquire) || !is_running()) {
        let _starting = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
        if STARTED.get().is_none() && !is_running() {
            IS_OURS.store(true, Ordering::Release);
            let environment = embed(named, sources)?;
            return Ok(STARTED.get_or_init(|| environment).clone());
        }
    }
    let running = if let Some(running) = STARTED.get() {
        running
    } else {
        let adopted = adopt()?;
        STARTED.get_or_init(|| adopted)
    };
    if named.is_some() && environment::choose(named, sources)?.python != running.python {
        return Err(Error::Interpreter {
            reason: format!(
                "Python already runs in this process as {}; one process has one Python, so start another process",
                running.python.display()
            ),
        });
    }
    Ok(running.clone())
}

fn is_running() -> bool {
    // SAFETY: may be called at any time, also before Python is initialised.
    unsafe { pyo3::ffi::Py_IsInitialized() != 0 }
}

/// Takes over the interpreter that loaded this library as a module, or that the application started.
fn adopt() -> Result<Environment> {
    Python::attach(|py| -> PyResult<Environment> {
        if py.import("pegboard.runtime").is_err() {
            embedded::install(py)?;
        }
        let python = py
            .import("sys")?
            .getattr("executable")?
            .extract::<Option<PathBuf>>()?
            .unwrap_or_default();
        Ok(Environment {
            python,
            choice: Choice::Adopted,
        })
    })
    .map_err(|error| Error::Interpreter {
        reason: error.to_string(),
    })
}

#[cfg(Py_LIMITED_API)]
fn embed(_named: Option<&Path>, _sources: &[PathBuf]) -> Result<Environment> {
    Err(Error::Interpreter {
        reason: "this build is a Python module and cannot start a Python".to_owned(),
    })
}

#[cfg(not(Py_LIMITED_API))]
fn embed(named: Option<&Path>, sources: &[PathBuf]) -> Result<Environment> {
    let environment = environment::choose(named, sources)?;
    let linked = configured::linked_version();
    let wanted = super::version::version(&environment.python)?;
    if wanted != linked {
        return Err(Error::Interpreter {
            reason: format!(
                "{python} (chosen because {choice}) is Python {}.{}, but this build is linked to Python {major}.{minor}; \
                 use an environment of {major}.{minor}, or install pegboard into the other one with pip",
                wanted.0,
                wanted.1,
                python = environment.python.display(),
                choice = environment.choice,
                major = linked.0,
                minor = linked.1,
            ),
        });
    }
    configured::initialize(&environment.python)?;
    Ok(environment)
}

#[cfg(not(Py_LIMITED_API))]
mod configured {
    //! The part that speaks to CPython's configuration API, which the limited API does not have.

    use super::{Error, Path, PyResult, Python, Result, embedded};
    use pyo3::ffi;
    use pyo3::prelude::*;
    use std::ffi::{CStr, CString, c_char};
    use std::mem::MaybeUninit;
    use std::os::unix::ffi::OsStrExt;

    /// After how many new objects garbage is looked for among them. CPython has had this number since 3.13, before that
    /// 700, which a hundred calls at a time exceed with every batch.
    const YOUNG_OBJECTS: u32 = 2000;

    /// How long Python code runs before another thread gets its turn. By CPython's own 5 ms, an async tool beside four sync
    /// ones that compute waits 20 ms for each of its turns.
    const SWITCH_INTERVAL_SECONDS: f64 = 0.0005;

    pub(super) fn linked_version() -> (u8, u8) {
        // SAFETY: Py_GetVersion may be called before initialisation and returns a static string.
        let text = unsafe { CStr::from_ptr(ffi::Py_GetVersion()) }.to_string_lossy();
        let mut numbers = text
            .split(|character: char| !character.is_ascii_digit())
            .map(|part| part.parse().unwrap_or(0));
        (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
    }

    /// Starts Python as `python`, in UTF-8 mode, without touching signals, and lets go of it again.
    pub(super) fn initialize(python: &Path) -> Result<()> {
        let interrupt = InterruptAction::remember();
        // SAFETY: Python is not initialised, and `start` holds its lock, so nobody else initialises it meanwhile.
        // Each structure is filled by its own Init function before it is read.
        unsafe {
            let mut before = MaybeUninit::<ffi::PyPreConfig>::zeroed().assume_init();
            ffi::PyPreConfig_InitPythonConfig(&raw mut before);
            before.utf8_mode = 1;
            before.parse_argv = 0;
            check(ffi::Py_PreInitialize(&raw const before))?;
            let mut config = MaybeUninit::<ffi::PyConfig>::zeroed().assume_init();
            ffi::PyConfig_InitPythonConfig(&raw mut config);
            let outcome =
                fill(&mut config, python).and_then(|()| check(ffi::Py_InitializeFromConfig(&raw const config)));
            ffi::PyConfig_Clear(&raw mut config);
            outcome?;
        }
        // The initialising thread is attached now, which `attach` only confirms.
        let prepared = Python::attach(|py| prepare(py, &interrupt));
        // SAFETY: this thread is attached and no pyo3 token of it is alive. The state is kept for the thread's later use.
        unsafe { ffi::PyEval_SaveThread() };
        prepared.map_err(|error| Error::Interpreter {
            reason: format!(
                "the standard library of {} does not work with the libpython of this build: {error}",
                python.display()
            ),
        })
    }

    fn prepare(py: Python<'_>, interrupt: &InterruptAction) -> PyResult<()> {
        // A library that does not fit fails here, with a name, rather than in a tool's import.
        py.import("encodings")?;
        py.import("_socket")?;
        // Binds `threading.main_thread()` to this thread; otherwise the first importer is taken for it.
        py.import("threading")?;
        py.import("gc")?.call_method1("set_threshold", (YOUNG_OBJECTS,))?;
        py.import("sys")?
            .call_method1("setswitchinterval", (SWITCH_INTERVAL_SECONDS,))?;
        interrupt.restore(py)?;
        embedded::install(py)
    }

    /// # Safety
    /// `config` must have been filled by `PyConfig_InitPythonConfig`.
    unsafe fn fill(config: &mut ffi::PyConfig, python: &Path) -> Result<()> {
        config.install_signal_handlers = 0;
        config.parse_argv = 0;
        config.safe_path = 1;
        let executable = CString::new(python.as_os_str().as_bytes()).map_err(|error| Error::Interpreter {
            reason: format!("{}: {error}", python.display()),
        })?;
        // SAFETY: the caller vouches for `config`; the strings live until the calls return, which copy them.
        unsafe {
            let mut text = config.executable;
            check(ffi::PyConfig_SetBytesString(config, &raw mut text, executable.as_ptr()))?;
            config.executable = text;
            let mut text = config.program_name;
            check(ffi::PyConfig_SetBytesString(config, &raw mut text, executable.as_ptr()))?;
            config.program_name = text;
            let mut arguments = [c"pegboard".as_ptr().cast_mut()];
            check(ffi::PyConfig_SetBytesArgv(
                config,
                1,
                arguments.as_mut_ptr().cast::<*const c_char>().cast_mut(),
            ))
        }
    }

    fn check(status: ffi::PyStatus) -> Result<()> {
        // SAFETY: only reads the status.
        if unsafe { ffi::PyStatus_Exception(status) } == 0 {
            return Ok(());
        }
        let text = |pointer: *const c_char| {
            if pointer.is_null() {
                return String::new();
            }
            // SAFETY: CPython's status texts are static strings.
            unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
        };
        Err(Error::Interpreter {
            reason: format!("{}: {}", text(status.func), text(status.err_msg)),
        })
    }

    /// What SIGINT did before Python came. CPython's `_signal` takes it over on first import, whatever the
    /// configuration says, and asyncio, subprocess and multiprocessing all import it.
    struct InterruptAction(libc::sigaction);

    impl InterruptAction {
        fn remember() -> Self {
            // SAFETY: a null action only asks; the structure is plain data that the call fills.
            unsafe {
                let mut action = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
                libc::sigaction(libc::SIGINT, std::ptr::null(), &raw mut action);
                Self(action)
            }
        }

        fn restore(&self, py: Python<'_>) -> PyResult<()> {
            let signal = py.import("signal")?;
            if self.0.sa_sigaction == libc::SIG_DFL {
                // Through Python, so that `signal.getsignal` agrees and `asyncio.Runner` keeps its hands off.
                signal.call_method1("signal", (libc::SIGINT, signal.getattr("SIG_DFL")?))?;
            } else {
                // SAFETY: puts back exactly what `remember` read.
                unsafe { libc::sigaction(libc::SIGINT, &raw const self.0, std::ptr::null_mut()) };
            }
            Ok(())
        }
    }
}
