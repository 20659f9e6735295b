//! Owns how the tests speak to `pegboard serve` over standard input and output: line by line, as any client does.

use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread::JoinHandle;
use std::time::Duration;

/// For how long the tests wait for what has to come.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A session with a server of its own, which is ended with it.
pub struct Session {
    pub child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    told: JoinHandle<String>,
    reads: Arc<AtomicBool>,
    closes: Arc<AtomicBool>,
    /// Held as long as standard error is not to be read.
    unread: Option<mpsc::Sender<()>>,
    next: u64,
    /// Notifications that came while an answer was waited for.
    pub notifications: VecDeque<Value>,
}

impl Session {
    /// Starts a server with these words, from `tests/tools`, without having said anything to it.
    pub fn start(words: &[&str]) -> Self {
        Self::start_heard(words, true)
    }

    /// The same as [`Session::open`], but standard error is not read before the server has ended.
    pub fn open_deaf(folder: &str) -> Self {
        let mut session = Self::start_heard(&[folder], false);
        session.greet();
        session
    }

    fn start_heard(words: &[&str], is_heard: bool) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_pegboard"))
            .arg("serve")
            .args(words)
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tools"))
            .env_remove("VIRTUAL_ENV")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = mpsc::channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        let reads = Arc::new(AtomicBool::new(true));
        let closes = Arc::new(AtomicBool::new(false));
        std::thread::spawn({
            let reads = Arc::clone(&reads);
            let closes = Arc::clone(&closes);
            move || {
                for line in output.lines().map_while(Result::ok) {
                    if sender.send(line).is_err() || closes.load(Ordering::Acquire) {
                        return;
                    }
                    if !reads.load(Ordering::Acquire) {
                        // Holds the stream open until the session is over.
                        while sender.send(String::new()).is_ok() {
                            std::thread::sleep(Duration::from_millis(50));
                        }
                    }
                }
            }
        });
        let mut errors = child.stderr.take().unwrap();
        let (ended, waits) = mpsc::channel::<()>();
        let unread = (!is_heard).then_some(ended);
        let told = std::thread::spawn(move || {
            // Comes back once nobody holds the other end.
            let _ = waits.recv();
            let mut text = String::new();
            errors.read_to_string(&mut text).unwrap();
            text
        });
        Self {
            input: child.stdin.take(),
            child,
            lines,
            told,
            reads,
            closes,
            unread,
            next: 0,
            notifications: VecDeque::new(),
        }
    }

    /// The same, after the client and the server have greeted each other.
    pub fn open(folder: &str) -> Self {
        Self::open_with(&[folder])
    }

    /// The same with further words on the command line.
    pub fn open_with(words: &[&str]) -> Self {
        let mut session = Self::start(words);
        session.greet();
        session
    }

    /// Greets the server.
    pub fn greet(&mut self) {
        let client = json!({"name": "test", "version": "1"});
        let parameters = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        let greeted = self.ask("initialize", &parameters);
        assert_eq!(greeted["result"]["protocolVersion"], "2025-11-25", "{greeted}");
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
    }

    pub fn send(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_bytes()).unwrap();
        input.write_all(b"\n").unwrap();
    }

    /// Asks without waiting, and returns the id.
    pub fn begin(&mut self, method: &str, parameters: &Value) -> u64 {
        self.next += 1;
        let request = json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": parameters});
        self.send(&request.to_string());
        self.next
    }

    /// The next line, which has to be a message of the protocol.
    pub fn line(&mut self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).unwrap();
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        message
    }

    /// The answer to a request; what comes before it is kept.
    pub fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.line();
            if message.get("method").is_some() {
                self.notifications.push_back(message);
            } else if message["id"] == id {
                return message;
            } else {
                panic!("an answer that nobody waits for: {message}");
            }
        }
    }

    pub fn ask(&mut self, method: &str, parameters: &Value) -> Value {
        let id = self.begin(method, parameters);
        self.answer(id)
    }

    /// The result of a call.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let answer = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}));
        answer.get("result").unwrap_or_else(|| panic!("{answer}")).clone()
    }

    /// The next notification of a method, whether it has come already or not.
    pub fn notification(&mut self, method: &str) -> Value {
        loop {
            if let Some(place) = self.notifications.iter().position(|told| told["method"] == method) {
                return self.notifications.remove(place).unwrap()["params"].clone();
            }
            let message = self.line();
            self.notifications.push_back(message);
        }
    }

    /// Ends the input.
    pub fn close_input(&mut self) {
        drop(self.input.take());
    }

    /// Reads no longer what the server says, without closing the stream.
    pub fn stop_reading(&self) {
        self.reads.store(false, Ordering::Release);
    }

    /// Closes the stream that the server writes to, at the latest once it has said one thing more.
    pub fn close_output(&self) {
        self.closes.store(true, Ordering::Release);
    }

    /// Lets the server say something, if it is still there.
    pub fn nudge(&mut self) {
        let line = b"{\"jsonrpc\":\"2.0\",\"id\":\"nudge\",\"method\":\"ping\"}\n";
        // A server that has ended is what the tests wait for.
        let _ = self.input.as_mut().unwrap().write_all(line);
    }

    /// Whether the server has ended.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Ends the input, and returns the status and what reached standard error.
    pub fn end(mut self) -> (Option<i32>, String) {
        self.close_input();
        self.ended()
    }

    /// Waits for the end.
    pub fn ended(mut self) -> (Option<i32>, String) {
        let status = self.child.wait().unwrap();
        drop(self.unread.take());
        (status.code(), self.told.join().unwrap())
    }
}
