//! Owns the threads that run sync tools. Each keeps its Python thread state for life, which makes attaching cheap.
//!
//! Never joins a thread: a tool that does not return must not hold anybody up.

use super::call_state::CallState;
use super::invoke;
use super::job::Job;
use super::presence::Threads;
use super::spin;
use crate::error::Error;
use crate::runner::CallEnd;
use ahash::RandomState;
use crossbeam_channel::{Receiver, Sender, unbounded};
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A fixed number of threads for sync tools, made as they are needed.
pub struct Pool {
    size: usize,
    sender: Sender<Order>,
    receiver: Receiver<Order>,
    counts: Arc<Counts>,
    present: Threads,
}

/// What a thread is told.
enum Order {
    Run(Job),
    Leave,
}

impl Order {
    fn into_job(self) -> Option<Job> {
        match self {
            Self::Run(job) => Some(job),
            Self::Leave => None,
        }
    }
}

#[derive(Default)]
struct Counts {
    /// Threads that serve the queue.
    threads: AtomicUsize,
    /// Jobs that are queued or run on such threads.
    jobs: AtomicUsize,
    /// Threads that were given up and have not come back.
    stuck: AtomicUsize,
    /// What runs on such threads.
    running: Mutex<HashMap<u64, Arc<CallState>, RandomState>>,
    /// Whether one of the threads looks for the next job without sleeping; the others need not.
    lingers: AtomicBool,
}

impl Counts {
    fn running(&self) -> MutexGuard<'_, HashMap<u64, Arc<CallState>, RandomState>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pool {
    /// A pool without threads yet.
    pub fn new(size: usize, present: Threads) -> Self {
        let (sender, receiver) = unbounded();
        Self {
            size: size.max(1),
            sender,
            receiver,
            counts: Arc::default(),
            present,
        }
    }

    /// Queues a job, with another thread if all are taken and the size allows.
    pub fn run(&self, job: Job) {
        let jobs = self.counts.jobs.fetch_add(1, Ordering::AcqRel) + 1;
        if jobs > self.counts.threads.load(Ordering::Acquire) {
            self.add_thread();
        }
        // Both ends live in this pool, so the queue cannot be closed.
        drop(self.sender.send(Order::Run(job)));
        if self.counts.threads.load(Ordering::Acquire) == 0 {
            for job in self.withdraw() {
                let reason = "the system gives no thread for sync tools".to_owned();
                job.finish(CallEnd::Broken(Error::Internal(reason)));
            }
        }
    }

    /// How many threads were given up and have not come back.
    pub fn stuck(&self) -> usize {
        self.counts.stuck.load(Ordering::Acquire)
    }

    /// Takes the thread of a call out of the count, so that another can be made in its place.
    pub fn give_up(&self, state: &CallState) {
        if state.give_up_thread() {
            self.counts.stuck.fetch_add(1, Ordering::AcqRel);
            self.counts.threads.fetch_sub(1, Ordering::AcqRel);
            let left = self.counts.jobs.fetch_sub(1, Ordering::AcqRel) - 1;
            if left > 0 {
                self.add_thread();
            }
        }
    }

    /// The calls whose tools run now.
    pub fn running(&self) -> Vec<Arc<CallState>> {
        self.counts.running().values().cloned().collect()
    }

    /// Takes back the jobs that no thread has begun.
    pub fn withdraw(&self) -> Vec<Job> {
        let jobs: Vec<Job> = self.receiver.try_iter().filter_map(Order::into_job).collect();
        self.counts.jobs.fetch_sub(jobs.len(), Ordering::AcqRel);
        jobs
    }

    /// Sends every thread home after the jobs that are queued.
    pub fn close(&self) {
        for _ in 0..self.counts.threads.load(Ordering::Acquire) {
            drop(self.sender.send(Order::Leave));
        }
    }

    /// Makes one more thread if the size allows.
    fn add_thread(&self) {
        let threads = &self.counts.threads;
        let add = |number| (number < self.size).then_some(number + 1);
        let Ok(number) = threads.fetch_update(Ordering::AcqRel, Ordering::Acquire, add) else {
            return;
        };
        let receiver = self.receiver.clone();
        let counts = Arc::clone(&self.counts);
        let presence = self.present.enter();
        let spawned = std::thread::Builder::new()
            .name(format!("pegboard-sync-{number}"))
            .spawn(move || {
                serve(&receiver, &counts);
                drop(presence);
            });
        if let Err(error) = spawned {
            self.counts.threads.fetch_sub(1, Ordering::AcqRel);
            tracing::error!(%error, "cannot make a thread for sync tools");
        }
    }
}

fn serve(receiver: &Receiver<Order>, counts: &Counts) {
    Python::attach(|py| {
        let mut order = py.detach(|| wait(receiver, counts));
        while let Some(Order::Run(job)) = order {
            let number = job.state.number;
            counts.running().insert(number, Arc::clone(&job.state));
            let ran = (!job.state.is_answered()).then(|| invoke::run_on_thread(py, &job));
            counts.running().remove(&number);
            let returned = job.state.return_thread();
            let answer = || {
                if let Some(ran) = ran {
                    job.conclude(ran);
                }
            };
            if !returned {
                // Given up meanwhile: another thread serves in this one's place.
                answer();
                counts.stuck.fetch_sub(1, Ordering::AcqRel);
                return;
            }
            counts.jobs.fetch_sub(1, Ordering::AcqRel);
            // What is queued is taken without detaching: letting go of the interpreter lock between two short jobs would
            // hand it from thread to thread at every one of them. Else it is let go of first, for whoever gets the answer.
            order = match receiver.try_recv() {
                Ok(next) => {
                    answer();
                    Some(next)
                }
                Err(_) => py.detach(|| {
                    answer();
                    wait(receiver, counts)
                }),
            };
        }
        counts.threads.fetch_sub(1, Ordering::AcqRel);
    });
}

/// Waits for the next order; `None` when the pool is gone.
fn wait(receiver: &Receiver<Order>, counts: &Counts) -> Option<Order> {
    if !counts.lingers.swap(true, Ordering::AcqRel) {
        spin::until(|| !receiver.is_empty());
        counts.lingers.store(false, Ordering::Release);
    }
    receiver.recv().ok()
}
