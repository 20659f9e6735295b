//! Tests the command as a process: many connections, its end, and what it refuses to begin with.

use crate::http_server::until;
use rustix::process::{Pid, Resource, Signal, getrlimit, kill_process, setrlimit};
use serde_json::json as object;
use std::fs::read_dir;
use std::io::{BufRead as _, BufReader, Read as _};
use std::net::TcpListener;
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const REQUEST: &[u8] = b"GET /api/tools/add HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

/// `pegboard serve`, which is ended with the test.
struct Served {
    child: Child,
    stderr: BufReader<ChildStderr>,
    address: String,
}

fn command(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pegboard"));
    command
        .args(["serve", "tests/tools/served", "--http"])
        .args(words)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("VIRTUAL_ENV")
        .env_remove("PEGBOARD_TOKEN")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

impl Served {
    /// Starts it on a free port, and waits until it tells which.
    fn start(words: &[&str]) -> Self {
        Self::begun(&mut command(&[&["127.0.0.1:0"], words].concat()))
    }

    fn begun(command: &mut Command) -> Self {
        let mut child = command.spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut told = String::new();
        let address = loop {
            assert_ne!(stderr.read_line(&mut told).unwrap(), 0, "it did not begin: {told}");
            if let Some((_, address)) = told.trim_end().rsplit_once("http://") {
                break address.to_owned();
            }
        };
        Self { child, stderr, address }
    }

    fn open_files(&self) -> usize {
        read_dir(format!("/proc/{}/fd", self.child.id())).unwrap().count()
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// The status that it ends with, and what it told.
    fn ended(mut self) -> (Option<i32>, String) {
        let mut told = String::new();
        self.stderr.read_to_string(&mut told).unwrap();
        (self.child.wait().unwrap().code(), told)
    }
}

async fn ask(address: &str, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn a_thousand_connections_are_answered_and_leave_nothing_behind() {
    let mut files = getrlimit(Resource::Nofile);
    files.current = files.maximum;
    setrlimit(Resource::Nofile, files).unwrap();
    let served = Served::start(&[]);
    assert!(ask(&served.address, REQUEST).await.starts_with("HTTP/1.1 200 "));
    let before = served.open_files();
    let mut open = Vec::new();
    for _ in 0..1000 {
        open.push(TcpStream::connect(&served.address).await.unwrap());
    }
    let mut answered = 0;
    for stream in &mut open {
        // Beyond what the process may open it is told so, or closed.
        drop(stream.write_all(REQUEST).await);
        let mut answer = String::new();
        drop(stream.read_to_string(&mut answer).await);
        answered += usize::from(answer.starts_with("HTTP/1.1 200 "));
        assert!(
            answer.is_empty() || ["200", "503"].contains(&&answer[9..12]),
            "{answer}"
        );
    }
    assert!(answered >= 256, "{answered} were answered");
    // Left without having asked anything.
    for _ in 0..100 {
        drop(TcpStream::connect(&served.address).await.unwrap());
    }
    until(|| served.open_files() <= before).await;
    assert!(ask(&served.address, REQUEST).await.starts_with("HTTP/1.1 200 "));
    served.signal(Signal::TERM);
    assert_eq!(served.ended(), (Some(143), String::new()));
}

#[tokio::test]
async fn a_signal_ends_it_although_a_call_goes_on() {
    for (signal, status) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let served = Served::start(&[]);
        let trace = tempfile::tempdir().unwrap();
        let arguments = object!({"folder": trace.path()}).to_string();
        let head = "POST /api/tools/wait/call HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
        let request = format!("{head}Content-Length: {}\r\n\r\n{arguments}", arguments.len());
        let mut stream = TcpStream::connect(&served.address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        until(|| trace.path().join("begun").exists()).await;
        served.signal(signal);
        assert_eq!(served.ended(), (Some(status), String::new()));
        assert!(trace.path().join("cancelled").exists());
    }
}

#[tokio::test]
async fn a_token_comes_from_the_command_line_or_the_environment() {
    let with_token = |token: &str| {
        let head = "GET /api/tools/add HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
        format!("{head}Authorization: Bearer {token}\r\n\r\n")
    };
    let address = "127.0.0.1:0";
    for command in [
        command(&[address, "--token", "a-secret"]).env("PEGBOARD_TOKEN", "another"),
        command(&[address]).env("PEGBOARD_TOKEN", "a-secret"),
    ] {
        let served = Served::begun(command);
        let answer = ask(&served.address, REQUEST).await;
        assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
        let answer = ask(&served.address, with_token("a-secret").as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        served.signal(Signal::TERM);
        assert_eq!(served.ended(), (Some(143), String::new()));
    }
    let ran = command(&["127.0.0.1:0"]).env("PEGBOARD_TOKEN", "").output().unwrap();
    assert_eq!(ran.status.code(), Some(2));
    assert!(
        told(&ran).starts_with("error: the setting token is not usable"),
        "{}",
        told(&ran)
    );
}

#[test]
fn what_it_cannot_serve_is_refused_before_anything_is_loaded() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = listener.local_addr().unwrap().to_string();
    for (address, reason) in [
        ("0.0.0.0:0", "PEGBOARD_TOKEN"),
        ("[::]:0", "PEGBOARD_TOKEN"),
        ("nowhere", "HOST:PORT"),
        (&taken, &*taken),
    ] {
        let ran = command(&[address]).output().unwrap();
        let told = told(&ran);
        assert!(
            told.starts_with("error: the setting http is not usable") && told.contains(reason),
            "{told}"
        );
        assert_eq!(ran.status.code(), Some(2), "{address}");
    }
}

fn told(ran: &Output) -> String {
    String::from_utf8_lossy(&ran.stderr).into_owned()
}
