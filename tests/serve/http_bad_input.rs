//! Tests clients that write what is no HTTP, too much, too slowly, or never read what they are answered.

use crate::http_server::{Server, json};
use pegboard::serve::http::HttpSettings;
use serde_json::{Value, json as object};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Short enough to wait for, and long enough for everything that is in time.
const SHORT: Duration = Duration::from_millis(300);

async fn connect(server: &Server) -> TcpStream {
    TcpStream::connect(server.address).await.unwrap()
}

/// Everything that comes until the server closes the connection.
async fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let reading = stream.read_to_end(&mut bytes);
    // A connection may also end by being reset, when the server has not read everything.
    drop(tokio::time::timeout(Duration::from_secs(30), reading).await.unwrap());
    String::from_utf8(bytes).unwrap()
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or("none")
}

fn code(answer: &str) -> Value {
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    serde_json::from_str::<Value>(body).unwrap()["error"]["code"].clone()
}

#[tokio::test]
async fn what_is_no_request_is_refused_and_the_server_goes_on() {
    let server = Server::start().await;
    let long = "x".repeat(100_000);
    let many = "a: b\r\n".repeat(200);
    for (request, expected) in [
        ("GARBAGE\r\n\r\n".to_owned(), "400"),
        ("GET / HTTP/7.3\r\nHost: localhost\r\n\r\n".to_owned(), "400"),
        ("\u{16}\u{3}\u{1}\u{2}\r\n\r\n".to_owned(), "400"),
        (
            "GET / HTTP/1.1\r\nHost: localhost\r\nbad header\r\n\r\n".to_owned(),
            "400",
        ),
        ("GET /api/tools HTTP/1.1\r\nConnection: close\r\n\r\n".to_owned(), "400"),
        (
            "GET /api/tools HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n".to_owned(),
            "400",
        ),
        (
            "GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".to_owned(),
            "403",
        ),
        (format!("GET / HTTP/1.1\r\nHost: localhost\r\nA: {long}\r\n\r\n"), "431"),
        (format!("GET / HTTP/1.1\r\nHost: localhost\r\n{many}\r\n"), "431"),
        (
            "POST /api/tools/add/call HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n".to_owned(),
            "400",
        ),
        (
            "POST /api/tools/add/call HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}"
                .to_owned(),
            "400",
        ),
        (
            "POST /api/tools/add/call HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n{".to_owned(),
            "413",
        ),
        (
            "POST /api/tools/add/call HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n"
                .to_owned(),
            "400",
        ),
        (
            "CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".to_owned(),
            "404",
        ),
    ] {
        let mut stream = connect(&server).await;
        stream.write_all(request.as_bytes()).await.unwrap();
        let answer = rest(&mut stream).await;
        let shown: String = request.chars().take(150).collect();
        assert_eq!(status(&answer), expected, "{shown}: {answer}");
    }
    let (status, outcome) = json(server.call("add", r#"{"a": 1, "b": 2}"#).await).await;
    assert_eq!((status, &outcome["text"]), (200, &object!("3")));
}

#[tokio::test]
async fn a_body_may_be_as_long_as_a_calls_arguments() {
    let server = Server::start().await;
    let name = |length: usize| object!({"name": "x".repeat(length)}).to_string();
    // Over the host's own limit, which the host tells as it does everywhere.
    let (status, outcome) = json(server.call("greet", &name(4 * 1024 * 1024)).await).await;
    assert_eq!(
        (status, &outcome["failure"]["kind"]),
        (200, &object!("invalid_arguments"))
    );
    let mut stream = connect(&server).await;
    let head = "POST /api/tools/greet/call HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
    for _ in 0..66 {
        stream.write_all(chunk.as_bytes()).await.unwrap();
    }
    let answer = rest(&mut stream).await;
    assert_eq!(
        (self::status(&answer), code(&answer)),
        ("413", object!("body_too_long"))
    );
}

#[tokio::test]
async fn a_client_that_writes_slowly_is_let_go() {
    let settings = HttpSettings {
        head_timeout: SHORT,
        body_timeout: SHORT,
        ..HttpSettings::default()
    };
    let server = Server::start_with(settings).await;
    let mut silent = connect(&server).await;
    let mut head = connect(&server).await;
    head.write_all(b"GET /api/tools HTTP/1.1\r\nHost: loc").await.unwrap();
    let mut body = connect(&server).await;
    let request = "POST /api/tools/add/call HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n{\"a\": 1";
    body.write_all(request.as_bytes()).await.unwrap();
    assert_eq!(rest(&mut silent).await, "");
    assert_eq!(rest(&mut head).await, "");
    let answer = rest(&mut body).await;
    assert_eq!((status(&answer), code(&answer)), ("408", object!("body_timed_out")));
}

#[tokio::test]
async fn a_client_that_never_reads_is_let_go() {
    let settings = HttpSettings {
        write_timeout: SHORT,
        ..HttpSettings::default()
    };
    let server = Server::start_with(settings).await;
    let mut stream = connect(&server).await;
    let requests = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(100);
    // Asks for more and more, until the server has had enough: far more than lies between the two.
    let asking = async { while stream.write_all(requests.as_bytes()).await.is_ok() {} };
    tokio::time::timeout(Duration::from_secs(30), asking).await.unwrap();
    assert_eq!(server.get("/api/health").await.status(), 200);
}

#[tokio::test]
async fn a_client_that_has_nothing_more_to_say_is_answered_or_let_go() {
    let server = Server::start().await;
    let mut asking = connect(&server).await;
    asking
        .write_all(b"GET /api/tools/add HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .await
        .unwrap();
    asking.shutdown().await.unwrap();
    assert_eq!(status(&rest(&mut asking).await), "200");
    let mut halfway = connect(&server).await;
    let request = "POST /api/tools/add/call HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n{\"a\": 1";
    halfway.write_all(request.as_bytes()).await.unwrap();
    halfway.shutdown().await.unwrap();
    let answer = rest(&mut halfway).await;
    assert!(["none", "400"].contains(&status(&answer)), "{answer}");
}

#[tokio::test]
async fn more_requests_than_the_limit_are_asked_to_come_back() {
    let server = Server::start_with(HttpSettings {
        requests: 1,
        ..HttpSettings::default()
    })
    .await;
    let trace = tempfile::tempdir().unwrap();
    let arguments = object!({"folder": trace.path()}).to_string();
    let waiting = tokio::spawn(server.calling("wait", &arguments).send());
    crate::http_server::until(|| trace.path().join("begun").exists()).await;
    let response = server.call("add", r#"{"a": 1, "b": 2}"#).await;
    assert_eq!(response.headers()["retry-after"], "1");
    let (status, answer) = json(response).await;
    assert_eq!((status, &answer["error"]["code"]), (503, &object!("overloaded")));
    // What does not run a tool is answered all the same.
    assert_eq!(server.get("/api/health").await.status(), 200);
    waiting.abort();
    crate::http_server::until(|| trace.path().join("cancelled").exists()).await;
    while server.call("add", r#"{"a": 1, "b": 2}"#).await.status() != 200 {}
}

#[tokio::test]
async fn more_connections_than_the_limit_are_asked_to_come_back() {
    let server = Server::start_with(HttpSettings {
        connections: 2,
        ..HttpSettings::default()
    })
    .await;
    let request = b"GET /api/tools/add HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let mut open = [connect(&server).await, connect(&server).await];
    for stream in &mut open {
        stream.write_all(request).await.unwrap();
        assert_eq!(stream.read(&mut [0; 12]).await.unwrap(), 12);
    }
    let mut third = connect(&server).await;
    third.write_all(request).await.unwrap();
    let answer = rest(&mut third).await;
    assert_eq!((status(&answer), code(&answer)), ("503", object!("overloaded")));
    assert!(answer.contains("retry-after: 1"), "{answer}");
    drop(open);
    loop {
        let mut again = connect(&server).await;
        again
            .write_all(b"GET /api/tools/add HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            .await
            .unwrap();
        if status(&rest(&mut again).await) == "200" {
            break;
        }
    }
}
