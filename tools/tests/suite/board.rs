//! A browser's part in the tests of the page: a server of their own, requests and events over HTTP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::lab;

/// Longer than anything that is waited for, on the busiest machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The server of a page. One that was started here ends with the test.
pub struct Server {
    /// Where it is, such as `127.0.0.1:40123`.
    pub host: String,
    /// The token in the address that it prints.
    pub token: Option<String>,
    child: Option<Child>,
    /// The address of this machine that requests come from, where it matters.
    from: Option<IpAddr>,
    /// The bytes that the system keeps for a slow reader, where they matter.
    room: Option<u32>,
}

impl Server {
    /// Starts `alesia-lab board` with more arguments at a free port.
    pub fn start(arguments: &[&str]) -> Server {
        let mut command = lab::command();
        command.args(["board", "--port", "0"]).args(arguments);
        Server::run(command)
    }

    /// The same with all of the command given.
    pub fn run(mut command: Command) -> Server {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let mut server = Server::in_line(&line);
        server.child = Some(child);
        server
    }

    /// The one that runs already and has said so in a line `the page: http://…/`.
    pub fn in_line(line: &str) -> Server {
        let link = line.trim_end().strip_prefix("the page: http://");
        let (host, rest) = link.and_then(|link| link.split_once('/')).unwrap_or_else(|| {
            panic!("found {line:?}, expected the address of a page");
        });
        let token = rest.strip_prefix("?token=").map(str::to_owned);
        Server { host: host.to_owned(), token, child: None, from: None, room: None }
    }

    /// The same server for somebody at another address of this machine. It ends with the first.
    pub fn seen_from(&self, ip: [u8; 4]) -> Server {
        let (host, token) = (self.host.clone(), self.token.clone());
        Server { host, token, child: None, from: Some(ip.into()), room: None }
    }

    /// The same server for somebody for whom the system keeps few bytes. It ends with the first.
    pub fn with_little_room(&self) -> Server {
        let mut server = self.seen_from([127, 0, 0, 1]);
        server.room = Some(4096);
        server
    }

    /// A connection on which nothing has been said.
    pub fn connect(&self) -> TcpStream {
        let stream = match self.from {
            None => TcpStream::connect(&self.host).unwrap(),
            Some(ip) => connect_from(ip, self.room, self.host.parse().unwrap()),
        };
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Asks for something.
    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], "")
    }

    /// Does something, as the page does it.
    pub fn post(&self, path: &str, content: &Value) -> Answer {
        let origin = format!("http://{}", self.host);
        let headers = [("content-type", "application/json"), ("origin", &*origin)];
        self.send("POST", path, &headers, &content.to_string())
    }

    /// Any request.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut stream = self.ask(method, path, headers, body, "close");
        let (status, headers) = head(&mut stream);
        let length = value(&headers, "content-length").map(|length| length.parse().unwrap());
        let mut content = String::new();
        // No further: a server that has refused to read on ends the connection by force.
        stream.take(length.unwrap_or(u64::MAX)).read_to_string(&mut content).unwrap();
        Answer { status, headers, body: content }
    }

    /// Does something and reads no more than the status; the answer waits in the connection.
    pub fn post_unread(&self, path: &str, content: &Value) -> (u16, impl Read + use<>) {
        let mut stream = self.post_begun(path, content);
        let (status, _) = head(&mut stream);
        (status, stream)
    }

    /// Does something and reads nothing.
    pub fn post_begun(&self, path: &str, content: &Value) -> BufReader<TcpStream> {
        let headers = [("content-type", "application/json")];
        self.ask("POST", path, &headers, &content.to_string(), "keep-alive")
    }

    fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
        connection: &str,
    ) -> BufReader<TcpStream> {
        let mut stream = self.connect();
        let mut text = format!("{method} {path} HTTP/1.1\r\nconnection: {connection}\r\n");
        if !headers.iter().any(|(name, _)| *name == "host") {
            text += &format!("host: {}\r\n", self.host);
        }
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        text += &format!("content-length: {}\r\n\r\n{body}", body.len());
        // A server that refuses a long request may end before it has read all of it.
        let _ = stream.write_all(text.as_bytes());
        BufReader::new(stream)
    }

    /// Listens to a stream of events.
    pub fn events(&self, path: &str) -> Events {
        self.events_with(path, &[])
    }

    /// The same with headers.
    pub fn events_with(&self, path: &str, headers: &[(&str, &str)]) -> Events {
        let mut stream = self.ask("GET", path, headers, "", "keep-alive");
        let (status, headers) = head(&mut stream);
        assert_eq!(status, 200, "{path}");
        assert_eq!(value(&headers, "content-type"), Some("text/event-stream"));
        assert_eq!(value(&headers, "transfer-encoding"), Some("chunked"));
        Events { lines: BufReader::new(Chunks { stream, left: 0 }) }
    }
}

#[cfg(unix)]
impl Server {
    /// Asks it to end, and waits for that; its exit status.
    pub fn end(mut self, signal: &str) -> Option<i32> {
        let mut child = self.child.take().unwrap();
        let told = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(told.unwrap().success());
        child.wait().unwrap().code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn connect_from(ip: IpAddr, room: Option<u32>, to: SocketAddr) -> TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
    let connected = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        if let Some(bytes) = room {
            socket.set_recv_buffer_size(bytes).unwrap();
        }
        socket.bind(SocketAddr::new(ip, 0)).unwrap();
        socket.connect(to).await.unwrap()
    });
    let stream = connected.into_std().unwrap();
    stream.set_nonblocking(false).unwrap();
    stream
}

fn head(stream: &mut impl BufRead) -> (u16, Vec<(String, String)>) {
    let mut lines = stream.lines().map(Result::unwrap);
    let first = lines.next().expect("an answer");
    let status = first.split(' ').nth(1).unwrap().parse().unwrap();
    let fields = lines.take_while(|line| !line.is_empty()).map(|line| {
        let (name, value) = line.split_once(": ").unwrap();
        (name.to_ascii_lowercase(), value.to_owned())
    });
    (status, fields.collect())
}

fn value<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    headers.iter().find(|(known, _)| known == name).map(|(_, value)| &**value)
}

/// What a request is answered.
#[derive(Debug)]
pub struct Answer {
    /// 200 where all is well.
    pub status: u16,
    headers: Vec<(String, String)>,
    /// The content.
    pub body: String,
}

impl Answer {
    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        value(&self.headers, name)
    }

    /// The content of an answer that must be good.
    pub fn json(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        serde_json::from_str(&self.body).unwrap()
    }

    /// The status and the sentence of a refusal.
    pub fn refusal(&self) -> (u16, String) {
        let content: Value = serde_json::from_str(&self.body).expect(&self.body);
        (self.status, content["error"].as_str().expect("a refusal has a sentence").to_owned())
    }
}

/// A body of unknown length, put together from its parts.
struct Chunks {
    stream: BufReader<TcpStream>,
    /// The missing bytes of this part.
    left: usize,
}

impl Chunks {
    fn line(&mut self) -> std::io::Result<String> {
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        Ok(line.trim_end().to_owned())
    }
}

impl Read for Chunks {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.left == 0 {
            let size = self.line()?;
            self.left = usize::from_str_radix(&size, 16).unwrap_or(0);
            if self.left == 0 {
                return Ok(0);
            }
        }
        let most = self.left.min(buffer.len());
        let length = self.stream.read(&mut buffer[..most])?;
        self.left -= length;
        if self.left == 0 {
            self.line()?;
        }
        Ok(length)
    }
}

/// Events as they come: their names and contents. It ends with the stream.
pub struct Events {
    lines: BufReader<Chunks>,
}

impl Iterator for Events {
    type Item = (String, Value);

    fn next(&mut self) -> Option<(String, Value)> {
        let (mut name, mut data) = (String::new(), String::new());
        loop {
            let mut line = String::new();
            let length = self.lines.read_line(&mut line).expect("events come in time");
            if length == 0 {
                return None;
            }
            match line.trim_end().split_once(": ") {
                Some(("event", text)) => text.clone_into(&mut name),
                Some(("data", text)) => data += text,
                // The end of an event; or a comment that keeps the connection alive.
                _ if !data.is_empty() => {
                    return Some((name, serde_json::from_str(&data).unwrap()));
                }
                _ => {}
            }
        }
    }
}

impl Events {
    /// The next event of a name; others are passed over.
    pub fn wait(&mut self, name: &str) -> Value {
        self.find(|(found, _)| found == name).expect("the event comes before the end").1
    }

    /// The next event of a name for which something holds.
    pub fn until(&mut self, name: &str, holds: impl Fn(&Value) -> bool) -> Value {
        self.find(|(found, content)| found == name && holds(content))
            .expect("the event comes before the end")
            .1
    }
}
