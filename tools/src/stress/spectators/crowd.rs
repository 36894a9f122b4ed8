//! The spectators of a game on the page.
//!
//! The one idea: all are one thread that only stores incoming bytes, so that they use as little of
//! the machine as possible; the bytes are checked when the move is over.

use std::fs;
use std::io::{self, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle, sleep};
use std::time::{Duration, Instant};

use alesia::words::command_error::CommandError;
use tokio::sync::oneshot;

use super::heard::{self, Event, Heard};
use super::page::processor_time;

/// Max time for sent bytes to arrive.
const PATIENCE: Duration = Duration::from_secs(30);

/// The time between two looks at what has arrived.
const LOOK_TIME: Duration = Duration::from_millis(10);

/// Bytes taken at a time.
const PIECE: usize = 16 << 10;

/// The bytes that one has received.
#[derive(Default)]
struct Spectator(Mutex<Vec<u8>>);

impl Spectator {
    fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Spectators of a game.
pub struct Crowd {
    spectators: Vec<Arc<Spectator>>,
    /// The folder of their thread in Linux's `/proc`.
    folder: Option<String>,
    /// Both are taken when they leave.
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Crowd {
    /// Connects spectators, until all have received the whole of the game.
    ///
    /// # Errors
    /// One finds no seat.
    pub fn seat(address: SocketAddr, path: &str, count: usize) -> Result<Crowd, CommandError> {
        let failed =
            |error: io::Error| CommandError::Failed(format!("spectators of {path}: {error}"));
        let connect = |_| {
            let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
            // As browsers do it.
            let request = format!(
                "GET {path} HTTP/1.1\r\nhost: {address}\r\naccept: text/event-stream\r\n\r\n"
            );
            stream.write_all(request.as_bytes())?;
            stream.set_nonblocking(true)?;
            Ok((stream, Arc::new(Spectator::default())))
        };
        let streams: io::Result<Vec<_>> = (0..count).map(connect).collect();
        let streams = streams.map_err(failed)?;
        let spectators = streams.iter().map(|(_, spectator)| spectator.clone()).collect();
        let (end, ended) = oneshot::channel();
        let (folder_sender, folder) = sync_channel(1);
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_io().build().map_err(failed)?;
        let thread = thread::spawn(move || {
            let folder = fs::read_link("/proc/thread-self").ok();
            let folder = folder.map(|folder| format!("/proc/{}", folder.display()));
            // The thread that connects them waits for it.
            let _ = folder_sender.send(folder);
            runtime.block_on(async {
                for (stream, spectator) in streams {
                    tokio::spawn(async move { watch(stream, &spectator).await });
                }
                // Ends when the sender is gone.
                let _ = ended.await;
            });
        });
        let folder = folder.recv().ok().flatten();
        let crowd = Crowd { spectators, folder, end: Some(end), thread: Some(thread) };
        match crowd.wait(|events| !events.is_empty()) {
            true => Ok(crowd),
            false => Err(failed(io::Error::other("not all spectators received the game"))),
        }
    }

    /// Processor time of their thread, where the system reports it.
    pub fn processor_time(&self) -> Option<Duration> {
        processor_time(self.folder.as_deref()?)
    }

    /// Waits until something holds for the events of each.
    fn wait(&self, holds: impl Fn(&[Event]) -> bool) -> bool {
        let began = Instant::now();
        let mut waiting = self.spectators.iter().peekable();
        while let Some(spectator) = waiting.peek() {
            if holds(&heard::events(&spectator.bytes())) {
                waiting.next();
            } else if began.elapsed() > PATIENCE {
                return false;
            } else {
                sleep(LOOK_TIME);
            }
        }
        true
    }

    /// Waits until all have seen the end of the game, and looks whether they have missed anything
    /// of these changes and what else there was.
    ///
    /// # Errors
    /// One has.
    pub fn leave(self, changes: usize) -> Result<Heard, String> {
        // Where they have not, the look at all events finds out.
        self.wait(|events| events.last().is_some_and(Event::ends));
        let events: Vec<Vec<Event>> =
            self.spectators.iter().map(|spectator| heard::events(&spectator.bytes())).collect();
        heard::compare(&events, changes)
    }
}

impl Drop for Crowd {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // It has nothing that can fail.
            let _ = thread.join();
        }
    }
}

/// Stores incoming bytes until the connection ends; the check of all events finds missing ones.
async fn watch(stream: TcpStream, spectator: &Spectator) -> io::Result<()> {
    let stream = tokio::net::TcpStream::from_std(stream)?;
    loop {
        stream.readable().await?;
        let mut piece = [0; PIECE];
        match stream.try_read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(length) => spectator.bytes().extend_from_slice(&piece[..length]),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
}
