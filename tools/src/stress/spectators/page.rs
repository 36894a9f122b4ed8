//! The page's server in a separate process, and the few requests to it.
//!
//! The one idea: HTTP/1.0, where an answer ends with the connection, needs only reading to the end.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use alesia::words::command_error::CommandError;
use alesia_match::players::entrant::Program;
use alesia_match::players::process::{Heard, Process};
use serde_json::Value;

/// Max time of the server to start, and to answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// Memory of its engines: more than two cores fill in a second, as iterations in a full tree cost
/// nothing and say nothing.
const MEMORY: &str = "1GiB";

/// A running server, which ends with this.
pub struct PageServer {
    process: Process,
    address: SocketAddr,
}

impl PageServer {
    /// This program once more, as `alesia-lab board` at any free port.
    ///
    /// # Errors
    /// It cannot be started, or does not say where it is.
    pub fn start() -> Result<PageServer, CommandError> {
        let failed = |error: io::Error| CommandError::Failed(format!("starting the page: {error}"));
        let program = Program {
            path: std::env::current_exe().map_err(failed)?,
            arguments: ["board", "--port", "0", "--memory", MEMORY].map(String::from).to_vec(),
            directory: None,
            options: Vec::new(),
        };
        let process = Process::start("page", &program, true).map_err(failed)?;
        let found = match process.hear(Some(Instant::now() + PATIENCE)) {
            Heard::Line(line, _) => line,
            Heard::Nothing | Heard::End => String::new(),
        };
        let link = found.strip_prefix("the page: http://").and_then(|link| link.strip_suffix('/'));
        match link.and_then(|address| address.parse().ok()) {
            Some(address) => Ok(PageServer { process, address }),
            None => Err(CommandError::Failed(format!(
                "starting the page: found `{found}`, expected its address"
            ))),
        }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Processor time of the thread that serves the pages, where the system reports it; the engines
    /// have other threads.
    pub fn processor_time(&self) -> Option<Duration> {
        processor_time(&format!("/proc/{}", self.process.id()))
    }

    /// Asks for a change.
    ///
    /// # Errors
    /// It is refused, or there is no answer.
    pub fn post(&self, path: &str, content: &Value) -> Result<Value, CommandError> {
        let read = || -> io::Result<(String, String)> {
            let mut answer = self.ask("POST", path, &content.to_string())?;
            let (mut status, mut rest) = (String::new(), String::new());
            answer.read_line(&mut status)?;
            answer.read_to_string(&mut rest)?;
            Ok((status, rest))
        };
        let (status, rest) = read().map_err(|error| failed(path, error))?;
        let body = rest.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        match serde_json::from_str(body) {
            Ok(answer) if status.contains(" 200 ") => Ok(answer),
            _ => Err(failed(path, format!("{} {body}", status.trim_end()))),
        }
    }

    /// The content of the first event of a stream.
    ///
    /// # Errors
    /// There is none.
    pub fn first_event(&self, path: &str) -> Result<Value, CommandError> {
        let answer = self.ask("GET", path, "").map_err(|error| failed(path, error))?;
        for line in answer.lines() {
            let line = line.map_err(|error| failed(path, error))?;
            if let Some(data) = line.strip_prefix("data: ") {
                return serde_json::from_str(data).map_err(|error| failed(path, error));
            }
        }
        Err(failed(path, "found no event"))
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> io::Result<BufReader<TcpStream>> {
        let (address, length) = (self.address, body.len());
        let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let request = format!(
            "{method} {path} HTTP/1.0\r\nhost: {address}\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes())?;
        Ok(BufReader::new(stream))
    }
}

fn failed(path: &str, error: impl std::fmt::Display) -> CommandError {
    CommandError::Failed(format!("the page, {path}: {error}"))
}

/// What a thread has had of the processors, by its folder in Linux's `/proc`.
pub fn processor_time(thread: &str) -> Option<Duration> {
    let text = fs::read_to_string(format!("{thread}/schedstat")).ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}
