//! The page's server as a browser sees it: requests, and events as they come.
//!
//! The one idea: HTTP/1.0, whose answers end with the connection, needs no more than lines of text.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

/// Longest wait for anything.
const PATIENCE: Duration = Duration::from_secs(60);

/// `alesia-lab board` at work; it ends with this value.
pub struct Server {
    process: Child,
    address: SocketAddr,
}

impl Server {
    /// Starts the server on any free port, with more arguments.
    pub fn start(arguments: &[&str]) -> Server {
        let mut process = Command::new(env!("CARGO_BIN_EXE_alesia-lab"))
            .args(["board", "--port", "0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("the page: http://").unwrap();
        let address = address.split('/').next().unwrap().parse().unwrap();
        Server { process, address }
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (address, length) = (self.address, body.len());
        let request = format!(
            "{method} {path} HTTP/1.0\r\nHost: {address}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        );
        // A server that refuses what is too long may close before it has read everything.
        let _ = stream.write_all(request.as_bytes());
        BufReader::new(stream)
    }

    fn answer(mut stream: BufReader<TcpStream>) -> (u16, Value) {
        let status = head(&mut stream);
        let mut body = Vec::new();
        let _ = stream.read_to_end(&mut body);
        let text = String::from_utf8(body).unwrap();
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// Status and content; what is no JSON is a string.
    pub fn get(&self, path: &str) -> (u16, Value) {
        Server::answer(self.ask("GET", path, ""))
    }

    /// The same after sending something.
    pub fn post(&self, path: &str, content: &Value) -> (u16, Value) {
        Server::answer(self.ask("POST", path, &content.to_string()))
    }

    /// Listens to events until the value is dropped.
    pub fn events(&self, path: &str) -> Events {
        let mut stream = self.ask("GET", path, "");
        assert_eq!(head(&mut stream), 200, "{path}");
        Events { stream }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Reads the head of an answer: its status.
fn head(stream: &mut BufReader<TcpStream>) -> u16 {
    let mut status = None;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).unwrap();
        let status = *status
            .get_or_insert_with(|| line.split(' ').nth(1).and_then(|word| word.parse().ok()));
        if line.trim().is_empty() {
            return status.expect("an answer begins with its status");
        }
    }
}

/// Server-sent events.
pub struct Events {
    stream: BufReader<TcpStream>,
}

impl Events {
    /// The next event and its content; none once the stream has ended.
    pub fn next(&mut self) -> Option<(String, Value)> {
        let (mut name, mut data) = (String::new(), String::new());
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            match line.trim_end().split_once(':') {
                Some(("event", text)) => name = text.trim_start().to_owned(),
                Some(("data", text)) => data.push_str(text.trim_start()),
                // A comment, by which the server keeps the connection.
                Some(_) => {}
                None if data.is_empty() => {}
                None => return Some((name, serde_json::from_str(&data).unwrap())),
            }
        }
    }
}
