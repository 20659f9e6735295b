//! Owns the listening socket: where it may listen, and what is put behind it.

use super::answering::Answering;
use super::connections::Connections;
use super::guard::Guard;
use super::settings::HttpSettings;
use crate::error::{Error, Result};
use crate::host::Host;
use crate::serve::metrics::Metrics;
use std::future::Future;
use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::Arc;

/// A door that listens, and lets nobody in yet: clients wait before it.
#[derive(Debug)]
pub struct Door {
    listener: TcpListener,
    address: SocketAddr,
    settings: HttpSettings,
}

/// Listens where the settings say.
///
/// # Errors
/// [`Error::Setting`] if that is no address, cannot be listened on, or can be reached from other machines and there is
/// no token.
pub fn bind(settings: HttpSettings) -> Result<Door> {
    let (host, port) = settings.host_and_port()?;
    let failed = |error: io::Error| Error::Setting {
        setting: "http",
        reason: format!("cannot listen on {}: {error}", settings.address),
    };
    let addresses: Vec<SocketAddr> = (host, port).to_socket_addrs().map_err(failed)?.collect();
    settings.check_reach(&addresses)?;
    let listener = TcpListener::bind(&addresses[..]).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok(Door {
        listener,
        address,
        settings,
    })
}

impl Door {
    /// Where it listens, with the port that was free if none was named.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves the host's tools until `shutdown` comes, and then until the requests in flight are answered or the grace
    /// is over. The host stays open.
    ///
    /// # Errors
    /// [`Error::Internal`] if tokio cannot take the socket.
    pub async fn serve(self, host: Host, metrics: Arc<Metrics>, shutdown: impl Future<Output = ()>) -> Result<()> {
        let listener = tokio::net::TcpListener::from_std(self.listener)
            .map_err(|error| Error::Internal(format!("the listening socket cannot be used: {error}")))?;
        let settings = self.settings;
        let own_name = settings.host_and_port().map(|(name, _)| name.to_owned()).ok();
        let names = settings.host_names.iter().cloned().chain(own_name);
        let guard = Guard::new(settings.token.clone(), names, !self.address.ip().is_loopback());
        let connections = Connections::new(&settings);
        let grace = settings.grace;
        let answering = Answering::new(host, metrics, guard, settings);
        connections.serve(listener, answering, shutdown, grace).await;
        Ok(())
    }
}
