//! Owns telling a client that waits how far a call has come, and that it still goes on.

use crate::model::Progress;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::{Peer, RoleServer};
use std::collections::VecDeque;
use std::future::Future;
use std::pin::pin;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// After what silence a client is told that its call still goes on.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// How many reports may wait for a client that is slow to read.
const WAITING: usize = 1024;
/// By how much a heartbeat lets the number grow, which the protocol asks for in every notification.
const STEP: f64 = 1e-6;

/// What a tool has reported and its client was not told yet.
#[derive(Default)]
pub struct Reports {
    waiting: Mutex<VecDeque<Progress>>,
    came: Notify,
}

impl Reports {
    /// Keeps a report. A tool that reports faster than its client reads loses those between, never the last.
    pub fn put(&self, report: Progress) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() >= WAITING {
            waiting.pop_back();
        }
        waiting.push_back(report);
        drop(waiting);
        self.came.notify_one();
    }

    fn take(&self) -> Option<Progress> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }

    async fn next(&self) -> Progress {
        loop {
            let came = self.came.notified();
            if let Some(report) = self.take() {
                return report;
            }
            came.await;
        }
    }
}

/// Waits for a call, and tells what it reports meanwhile.
pub async fn told<T>(
    call: impl Future<Output = T>,
    reports: &Reports,
    token: ProgressToken,
    peer: &Peer<RoleServer>,
) -> T {
    let mut call = pin!(call);
    let mut last = Progress {
        done: -STEP,
        total: None,
        message: None,
    };
    loop {
        let report = tokio::select! {
            biased;
            report = reports.next() => report,
            answer = &mut call => {
                while let Some(report) = reports.take() {
                    tell(peer, &token, &mut last, report).await;
                }
                return answer;
            }
            () = tokio::time::sleep(HEARTBEAT) => Progress { done: last.done, ..last.clone() },
        };
        tell(peer, &token, &mut last, report).await;
    }
}

async fn tell(peer: &Peer<RoleServer>, token: &ProgressToken, last: &mut Progress, report: Progress) {
    let done = if report.done > last.done {
        report.done
    } else {
        (last.done + STEP).max(0.0)
    };
    *last = Progress { done, ..report };
    let mut told = ProgressNotificationParam::new(token.clone(), done);
    told.total = last.total;
    told.message.clone_from(&last.message);
    if let Err(error) = peer.notify_progress(told).await {
        tracing::debug!(%error, "a client was not told how far its call has come");
    }
}
