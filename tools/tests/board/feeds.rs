//! A page's server in a process of its own, and the little of HTTP that it takes to talk to it.

// Each test that includes this module uses only a part of it.
#![allow(dead_code)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server; one that was started here ends with this.
pub struct Server {
    pub address: SocketAddr,
    process: Option<Child>,
}

impl Server {
    /// Starts `alesia-lab board` with these arguments on a free port.
    pub fn start(arguments: &[&str]) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_alesia-lab"));
        command.args(["board", "--port", "0"]).args(arguments);
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Server { address: address_in(&line), process: Some(process) }
    }

    /// The server that runs at an address already.
    pub fn at(address: SocketAddr) -> Server {
        Server { address, process: None }
    }

    /// The status of an answer and what it says.
    pub fn get(&self, path: &str) -> (u16, Value) {
        self.ask("GET", path, None)
    }

    /// The same of a change.
    pub fn post(&self, path: &str, content: &Value) -> (u16, Value) {
        self.ask("POST", path, Some(content))
    }

    fn ask(&self, method: &str, path: &str, content: Option<&Value>) -> (u16, Value) {
        let (status, mut answer) = self.request(method, path, content);
        let mut text = String::new();
        answer.read_to_string(&mut text).unwrap();
        (status, serde_json::from_str(&text).unwrap_or_default())
    }

    /// Listens to events.
    pub fn events(&self, path: &str) -> Events {
        let (status, answer) = self.request("GET", path, None);
        assert_eq!(status, 200, "{path}");
        Events { answer }
    }

    /// The answer's status, and its content to be read.
    fn request(
        &self,
        method: &str,
        path: &str,
        content: Option<&Value>,
    ) -> (u16, BufReader<TcpStream>) {
        let address = self.address;
        let stream = TcpStream::connect_timeout(&address, PATIENCE).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let text = content.map(Value::to_string).unwrap_or_default();
        let length = text.len();
        // Under the older version nothing is sent in chunks.
        let request = format!(
            "{method} {path} HTTP/1.0\r\nHost: {address}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n{text}"
        );
        (&stream).write_all(request.as_bytes()).unwrap();
        let mut answer = BufReader::new(stream);
        let mut line = String::new();
        answer.read_line(&mut line).unwrap();
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
        while line != "\r\n" {
            line.clear();
            assert!(answer.read_line(&mut line).unwrap() > 0, "the answer has no end of its head");
        }
        (status.unwrap(), answer)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

/// The address in a line such as `the page: http://127.0.0.1:8910/`.
pub fn address_in(line: &str) -> SocketAddr {
    let address =
        line.trim_end().strip_prefix("the page: http://").unwrap_or_else(|| panic!("{line}"));
    address.split('/').next().unwrap().parse().unwrap()
}

/// What the server tells.
pub struct Events {
    answer: BufReader<TcpStream>,
}

impl Events {
    /// The next event's name and content; none where there are no more, or none for a long time.
    pub fn next(&mut self) -> Option<(String, Value)> {
        let mut name = String::new();
        let mut line = String::new();
        loop {
            line.clear();
            if self.answer.read_line(&mut line).ok()? == 0 {
                return None;
            }
            if let Some(text) = line.strip_prefix("event: ") {
                name = text.trim_end().to_owned();
            } else if let Some(text) = line.strip_prefix("data: ") {
                return Some((name, serde_json::from_str(text).unwrap()));
            }
        }
    }
}
