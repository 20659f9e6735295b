//! Owns awaitables: futures of the caller's own event loop that end as a Rust future does.
//!
//! Each event loop has one bridge. A Rust future is polled on that loop's own thread, first when it is awaited or the loop
//! next gets to it, then whenever it was woken. So it goes through no other thread, what is asked for in one moment is begun
//! at once, and what ends in one moment wakes the loop once. It is never polled while attached: the tool needs the
//! interpreter lock, and waiting for that takes longer than most tools.

use super::reactor;
use crate::interp::inbox::Inbox;
use crate::interp::spin;
use ahash::RandomState;
use pyo3::exceptions::PyRuntimeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::collections::HashMap;
use std::future::Future;
use std::mem;
use std::os::fd::RawFd;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// How long a coroutine may go on with answers that are there at once, before the loop lets others in.
const LONGEST_TURN: Duration = Duration::from_micros(500);

/// What a future came to, to be shown to Python.
type Answer = Box<dyn FnOnce(Python<'_>) -> PyResult<Py<PyAny>> + Send>;

/// A Rust future that nobody has polled to its end.
type Work = Pin<Box<dyn Future<Output = Answer> + Send>>;

/// A Rust future, and the Python one that ends with it.
struct Open {
    future: Work,
    awaited: Py<PyAny>,
}

/// What was asked for where no event loop runs: one that runs later may begin it.
#[pyclass(frozen, module = "pegboard._native")]
pub struct Deferred {
    work: Mutex<Option<Work>>,
}

#[pymethods]
impl Deferred {
    /// An awaitable of the running event loop.
    fn begin<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match lock(&self.work).take() {
            Some(work) => open(py, work),
            None => Err(PyRuntimeError::new_err("this was begun before")),
        }
    }
}

/// Wakes one future of a bridge.
struct Call {
    number: usize,
    woken: Arc<Inbox<usize>>,
}

impl Wake for Call {
    fn wake(self: Arc<Self>) {
        self.woken.push(self.number);
    }
}

/// The futures that one event loop waits for, and what the loop calls when some of them were woken.
#[pyclass(frozen, module = "pegboard._native")]
pub struct Bridge {
    /// What was asked for and is not begun.
    asked: Mutex<Vec<(usize, Open)>>,
    /// What was begun, by number.
    open: Mutex<HashMap<usize, Open, RandomState>>,
    /// The loop's thread: nobody else may begin what it asked for.
    thread: ThreadId,
    /// When the loop last got to it.
    turned: Mutex<Instant>,
    /// The numbers of those that were woken.
    woken: Arc<Inbox<usize>>,
}

/// Makes an awaitable of the running event loop, or of one that runs later, that ends as `future` does; `show` turns its
/// answer into a value or an exception. Cancelling the awaitable drops the future.
///
/// # Errors
/// What Python raises, such as `RuntimeError` if the event loop has no readers.
pub fn awaitable<T: Send + 'static>(
    py: Python<'_>,
    future: impl Future<Output = T> + Send + 'static,
    show: impl FnOnce(Python<'_>, T) -> PyResult<Py<PyAny>> + Send + 'static,
) -> PyResult<Bound<'_, PyAny>> {
    open(
        py,
        Box::pin(async move {
            let answer = future.await;
            Box::new(move |py: Python<'_>| show(py, answer)) as Answer
        }),
    )
}

/// Hands what was asked for to the bridge of the running event loop; without one, to a coroutine that does so later.
fn open(py: Python<'_>, work: Work) -> PyResult<Bound<'_, PyAny>> {
    static MAKE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    static LATER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let awaited = MAKE.import(py, "pegboard.runtime.awaiting", "make")?.call0()?;
    if awaited.is_none() {
        let work = Mutex::new(Some(work));
        return LATER
            .import(py, "pegboard.runtime.awaiting", "later")?
            .call1((Deferred { work },));
    }
    let bridge = awaited.getattr(intern!(py, "bridge"))?.cast_into::<Bridge>()?;
    let open = Open {
        future: work,
        awaited: awaited.clone().unbind(),
    };
    lock(&bridge.get().asked).push((number(&awaited), open));
    Ok(awaited)
}

#[pymethods]
impl Bridge {
    #[new]
    fn new() -> PyResult<Self> {
        Ok(Self {
            asked: Mutex::default(),
            open: Mutex::default(),
            thread: thread::current().id(),
            turned: Mutex::new(Instant::now()),
            woken: Arc::new(Inbox::new()?),
        })
    }

    /// The descriptor that becomes readable when a future was woken.
    fn fileno(&self) -> RawFd {
        self.woken.descriptor()
    }

    /// Begins what was asked for, when the loop gets to it.
    fn begin(&self, py: Python<'_>) -> PyResult<()> {
        *lock(&self.turned) = Instant::now();
        self.begin_asked(py)
    }

    /// Begins what was asked for as soon as something is awaited, unless others have waited for the loop too long: an answer
    /// that is there at once does not let them in.
    fn begin_early(&self, py: Python<'_>) -> PyResult<()> {
        if thread::current().id() == self.thread && lock(&self.turned).elapsed() < LONGEST_TURN {
            self.begin_asked(py)?;
        }
        Ok(())
    }

    /// Goes on with the futures that were woken.
    fn turn(&self, py: Python<'_>) -> PyResult<()> {
        *lock(&self.turned) = Instant::now();
        self.woken.look();
        let ended = py.detach(|| {
            // One that is not open was cancelled.
            let open = self
                .woken
                .take()
                .filter_map(|number| Some((number, lock(&self.open).remove(&number)?)));
            spin::without(|| {
                open.filter_map(|(number, open)| self.poll(number, open))
                    .collect::<Vec<_>>()
            })
        });
        end_all(py, ended)
    }

    /// Drops the future of an awaitable that nobody waits for any longer.
    fn forget(&self, awaited: &Bound<'_, PyAny>) {
        let number = number(awaited);
        let open = lock(&self.open).remove(&number);
        let asked = {
            let mut asked = lock(&self.asked);
            let place = asked.iter().position(|(asked, _)| *asked == number);
            place.map(|place| asked.remove(place))
        };
        drop((open, asked));
    }

    /// Drops every future, of a loop that is closed.
    fn forget_all(&self) {
        let open = mem::take(&mut *lock(&self.open));
        let asked = mem::take(&mut *lock(&self.asked));
        drop((open, asked));
    }
}

impl Bridge {
    /// Waits a moment for the answer if only one is asked for: most calls take less time than to sleep and be woken.
    fn begin_asked(&self, py: Python<'_>) -> PyResult<()> {
        let asked = mem::take(&mut *lock(&self.asked));
        if asked.is_empty() {
            return Ok(());
        }
        let is_alone = asked.len() == 1 && lock(&self.open).is_empty();
        let poll_all = || {
            asked
                .into_iter()
                .filter_map(|(number, open)| self.poll(number, open))
                .collect()
        };
        let ended: Vec<_> = py.detach(|| if is_alone { poll_all() } else { spin::without(poll_all) });
        end_all(py, ended)
    }

    /// Goes on with a future: gives its answer, or keeps it open.
    fn poll(&self, number: usize, mut open: Open) -> Option<(Py<PyAny>, Answer)> {
        let waker = Arc::new(Call {
            number,
            woken: Arc::clone(&self.woken),
        })
        .into();
        // Timers and files need the runtime's context; without the runtime they say so themselves.
        let _context = reactor::get().ok().map(|runtime| runtime.enter());
        match open.future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(answer) => Some((open.awaited, answer)),
            Poll::Pending => {
                lock(&self.open).insert(number, open);
                None
            }
        }
    }
}

/// Ends awaitables, unless somebody has done so already.
fn end_all(py: Python<'_>, ended: Vec<(Py<PyAny>, Answer)>) -> PyResult<()> {
    for (awaited, answer) in ended {
        let awaited = awaited.bind(py);
        if awaited.call_method0(intern!(py, "done"))?.is_truthy()? {
            continue;
        }
        match answer(py) {
            Ok(value) => awaited.call_method1(intern!(py, "set_result"), (value,))?,
            Err(error) => awaited.call_method1(intern!(py, "fail"), (error.into_value(py),))?,
        };
    }
    Ok(())
}

fn number(awaited: &Bound<'_, PyAny>) -> usize {
    awaited.as_ptr() as usize
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
