//! Owns telling a client that waits how far a call has come, and that it still goes on.

use crate::model::Progress;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::{Peer, RoleServer};
use std::future::Future;
use std::pin::pin;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;

/// After what silence a client is told that its call still goes on.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// By how much a heartbeat lets the number grow, which the protocol asks for in every notification.
const STEP: f64 = 1e-6;

/// Waits for a call, and tells what it reports meanwhile.
pub async fn told<T>(
    call: impl Future<Output = T>,
    mut reports: UnboundedReceiver<Progress>,
    token: ProgressToken,
    peer: &Peer<RoleServer>,
) -> T {
    let mut call = pin!(call);
    let mut last = Progress {
        done: 0.0,
        total: None,
        message: None,
    };
    loop {
        let report = tokio::select! {
            biased;
            Some(report) = reports.recv() => report,
            answer = &mut call => {
                while let Ok(report) = reports.try_recv() {
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
        last.done + STEP
    };
    *last = Progress { done, ..report };
    let mut told = ProgressNotificationParam::new(token.clone(), done);
    told.total = last.total;
    told.message.clone_from(&last.message);
    if let Err(error) = peer.notify_progress(told).await {
        tracing::debug!(%error, "a client was not told how far its call has come");
    }
}
