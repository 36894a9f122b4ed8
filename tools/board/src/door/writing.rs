//! Writing to a connection whose other end may not read.
//!
//! The one idea: a reader has a least speed. Once the system takes no more bytes, it must take some
//! within a time, and from then on that many a second on average. An answer that is read more
//! slowly is given up.

use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

/// Max time without progress. In all, what waits may take this, and a second more for each
/// [`BYTES_PER_SECOND`].
const USUAL_TIME: Duration = Duration::from_secs(30);
const BYTES_PER_SECOND: u64 = 64 << 10;

/// A connection on which writing fails if it takes too long.
pub struct Timed {
    stream: TcpStream,
    usual_time: Duration,
    /// None while the system takes everything.
    waiting: Option<Waiting>,
}

struct Waiting {
    since: Instant,
    /// The bytes sent since then.
    sent: u64,
    alarm: Pin<Box<Sleep>>,
}

impl Timed {
    pub fn new(stream: TcpStream) -> Timed {
        Timed { stream, usual_time: USUAL_TIME, waiting: None }
    }

    /// Notes what a try to write has led to, which fails if it is too late.
    fn note(
        &mut self,
        context: &mut Context<'_>,
        tried: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        match tried {
            Poll::Pending => {
                let waiting = self.waiting.get_or_insert_with(|| Waiting {
                    since: Instant::now(),
                    sent: 0,
                    alarm: Box::pin(sleep(self.usual_time)),
                });
                match waiting.alarm.as_mut().poll(context) {
                    Poll::Pending => Poll::Pending,
                    Poll::Ready(()) => Poll::Ready(Err(ErrorKind::TimedOut.into())),
                }
            }
            Poll::Ready(Ok(bytes)) => {
                if let Some(waiting) = &mut self.waiting {
                    waiting.sent += bytes as u64;
                    let more = Duration::from_secs(waiting.sent / BYTES_PER_SECOND);
                    let from = Instant::now().min(waiting.since + more);
                    waiting.alarm.as_mut().reset(from + self.usual_time);
                }
                Poll::Ready(Ok(bytes))
            }
            failed @ Poll::Ready(Err(_)) => failed,
        }
    }
}

impl AsyncWrite for Timed {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let tried = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.note(context, tried)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let tried = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.note(context, tried)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// The writer has nothing left.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.waiting = None;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

impl AsyncRead for Timed {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::io::Read;

    use super::*;

    const TIME: Duration = Duration::from_millis(200);

    /// Writes until an error, which comes when the other end does not read; the time it took.
    fn fill(other_end_reads: bool) -> (io::Result<usize>, Duration) {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let mut other = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (stream, _) = listener.accept().unwrap();
        stream.set_nonblocking(true).unwrap();
        let reader = std::thread::spawn(move || {
            let mut bytes = vec![0; 1 << 20];
            // Slower than it is written to, for longer than the time.
            while other_end_reads && other.read(&mut bytes).is_ok_and(|length| length > 0) {
                std::thread::sleep(Duration::from_millis(20));
            }
            other
        });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let began = std::time::Instant::now();
        let result = runtime.block_on(async {
            let stream = TcpStream::from_std(stream).unwrap();
            let mut timed = Timed { usual_time: TIME, ..Timed::new(stream) };
            let bytes = vec![0; 64 << 10];
            let mut result = Ok(0);
            while result.is_ok() && (!other_end_reads || began.elapsed() < 4 * TIME) {
                result = poll_fn(|context| Pin::new(&mut timed).poll_write(context, &bytes)).await;
            }
            result
        });
        drop(reader.join().unwrap());
        (result, began.elapsed())
    }

    #[test]
    fn gives_up_where_nobody_reads() {
        let (result, time) = fill(false);
        assert_eq!(result.unwrap_err().kind(), ErrorKind::TimedOut);
        assert!(time >= TIME && time < Duration::from_secs(20), "{time:?}");
    }

    #[test]
    fn sends_to_slow_readers() {
        assert!(fill(true).0.is_ok());
    }
}
