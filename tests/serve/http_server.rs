//! Owns the HTTP server that the tests talk to, and their client.

use pegboard::Host;
use pegboard::serve::http::{HttpSettings, Token, bind};
use pegboard::serve::metrics::Metrics;
use reqwest::{Client, Method, RequestBuilder, Response};
use serde_json::Value;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A server over the tools of `tests/tools/served`, in this process.
pub struct Server {
    pub address: SocketAddr,
    client: Client,
    host: Host,
    stop: Option<oneshot::Sender<()>>,
    serving: JoinHandle<pegboard::Result<()>>,
}

impl Server {
    pub async fn start() -> Self {
        Self::start_with(HttpSettings::default()).await
    }

    /// Starts one that demands a token.
    pub async fn start_with_token(token: &str) -> Self {
        let token = Some(Token::new(token).unwrap());
        Self::start_with(HttpSettings {
            token,
            ..HttpSettings::default()
        })
        .await
    }

    /// Starts one with these settings, on a free port of this machine.
    pub async fn start_with(settings: HttpSettings) -> Self {
        let tools = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/tools/served");
        let folder = tempfile::tempdir().unwrap().keep();
        let host = Host::builder()
            .source(tools)
            .working_directory(folder)
            .build()
            .await
            .unwrap();
        let address = "127.0.0.1:0".to_owned();
        let door = bind(HttpSettings { address, ..settings }).unwrap();
        let address = door.address();
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(door.serve(host.clone(), Arc::new(Metrics::default()), async {
            drop(stopped.await);
        }));
        // Only loopback is asked, but the client's TLS wants a provider all the same.
        drop(rustls::crypto::ring::default_provider().install_default());
        Self {
            address,
            host,
            client: Client::builder().no_proxy().build().unwrap(),
            stop: Some(stop),
            serving,
        }
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("http://{}{path}", self.address))
    }

    pub async fn get(&self, path: &str) -> Response {
        self.request(Method::GET, path).send().await.unwrap()
    }

    /// A call of a tool with this text as its arguments.
    pub fn calling(&self, tool: &str, arguments: &str) -> RequestBuilder {
        self.request(Method::POST, &format!("/api/tools/{tool}/call"))
            .header("content-type", "application/json")
            .body(arguments.to_owned())
    }

    pub async fn call(&self, tool: &str, arguments: &str) -> Response {
        self.calling(tool, arguments).send().await.unwrap()
    }

    /// Orders it to stop, waits until it has, and closes the host.
    pub async fn stop(mut self) {
        drop(self.stop.take());
        self.serving.await.unwrap().unwrap();
        assert_eq!(self.host.close().await, []);
    }
}

/// The status and the JSON of an answer.
pub async fn json(response: Response) -> (u16, Value) {
    let status = response.status().as_u16();
    assert_eq!(response.headers()["content-type"], "application/json");
    (status, response.json().await.unwrap())
}

/// Waits until it is so.
pub async fn until(mut is_so: impl FnMut() -> bool) {
    let waiting = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), waiting).await.unwrap();
}
