//! Lines of text from a stream of bytes, each with its time of arrival.
//!
//! The one idea: one fixed buffer. A line is a slice of it, so reading never allocates, and a line
//! that does not fit is an error. The network may split the bytes anywhere; the rest of a piece
//! stays in the buffer for the next line.

use std::io::{self, ErrorKind, Read};
use std::time::Instant;

use thiserror::Error;

use super::clock::{Clock, SystemClock};

/// Max bytes of a line, its terminator not counted.
pub const MAX_LINE: usize = 1024;

/// The longest line with the longest terminator, `\r\n`.
const BUFFER_SIZE: usize = MAX_LINE + 2;

/// A line without its terminator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReceivedLine<'a> {
    /// Its bytes, unchanged; any encoding.
    pub bytes: &'a [u8],
    /// The same with the terminator.
    pub with_end: &'a [u8],
    /// When its last byte, the `\n`, was read from the stream.
    pub received: Instant,
}

/// Why there is no line. The reader can be called again after each of these, and continues where it
/// was; only [`LineError::Closed`] and [`LineError::Io`] are final.
#[derive(Debug, Error)]
pub enum LineError {
    /// The other side has closed the stream.
    #[error("the connection was closed{}", if *mid_line { " in the middle of a line" } else { "" })]
    Closed {
        /// Whether bytes without a line's end came before.
        mid_line: bool,
    },
    /// The line has more than [`MAX_LINE`] bytes. It is skipped: what comes next is the line
    /// after it.
    #[error("a line of more than {MAX_LINE} bytes")]
    TooLong,
    /// Nothing has come for as long as the source waits.
    #[error("nothing came for too long")]
    Silent,
    /// Reading failed; no byte is lost by it.
    #[error("reading failed: {0}")]
    Io(#[from] io::Error),
}

/// Reads lines that end with `\n` or `\r\n`.
#[derive(Debug)]
pub struct LineReader<R, C = SystemClock> {
    source: R,
    clock: C,
    buffer: [u8; BUFFER_SIZE],
    /// The bytes read and not yet handed out are `buffer[start..end]`.
    start: usize,
    end: usize,
    /// The end of the current line is still to come, and the line will be thrown away.
    skipping: bool,
    /// When the source last handed over bytes. All complete lines of the buffer were completed
    /// by that read, as the source is only read when the buffer holds no complete line.
    received: Instant,
}

impl<R: Read> LineReader<R> {
    /// Reads lines from `source`.
    pub fn new(source: R) -> LineReader<R> {
        LineReader::with_clock(source, SystemClock)
    }
}

impl<R: Read, C: Clock> LineReader<R, C> {
    /// Reads lines from `source`, and stamps them by `clock`.
    pub fn with_clock(source: R, clock: C) -> LineReader<R, C> {
        LineReader {
            source,
            buffer: [0; BUFFER_SIZE],
            start: 0,
            end: 0,
            skipping: false,
            received: clock.now(),
            clock,
        }
    }

    /// Waits for the next line.
    ///
    /// # Errors
    /// Says why there is none; see [`LineError`].
    pub fn read_line(&mut self) -> Result<ReceivedLine<'_>, LineError> {
        let mut searched = 0;
        let (start, newline) = loop {
            let unread = &self.buffer[self.start + searched..self.end];
            if let Some(offset) = unread.iter().position(|&byte| byte == b'\n') {
                let newline = self.start + searched + offset;
                let start = std::mem::replace(&mut self.start, newline + 1);
                if !std::mem::take(&mut self.skipping) {
                    break (start, newline);
                }
                searched = 0;
                continue;
            }
            self.make_room()?;
            searched = self.end;
            self.fill()?;
        };
        let line = &self.buffer[start..newline];
        let bytes = line.strip_suffix(b"\r").unwrap_or(line);
        if bytes.len() > MAX_LINE {
            return Err(LineError::TooLong);
        }
        let with_end = &self.buffer[start..=newline];
        Ok(ReceivedLine { bytes, with_end, received: self.received })
    }

    /// What was read and not yet handed out: whole lines, or the beginning of one.
    pub fn rest(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Moves the unread bytes, the beginning of a line, to the front of the buffer.
    fn make_room(&mut self) -> Result<(), LineError> {
        if self.skipping {
            self.start = self.end;
        }
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.end < BUFFER_SIZE {
            return Ok(());
        }
        self.end = 0;
        self.skipping = true;
        Err(LineError::TooLong)
    }

    /// Reads once from the source into the room behind the unread bytes.
    fn fill(&mut self) -> Result<(), LineError> {
        let room = &mut self.buffer[self.end..];
        let count = loop {
            match self.source.read(room) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if is_silence(error.kind()) => return Err(LineError::Silent),
                result => break result?,
            }
        };
        self.received = self.clock.now();
        if count == 0 {
            return Err(LineError::Closed { mid_line: self.end > 0 || self.skipping });
        }
        self.end += count;
        Ok(())
    }
}

/// Whether a read has reached its time limit. Windows reports this by the error that other systems
/// use for a machine that is gone.
fn is_silence(kind: ErrorKind) -> bool {
    kind == ErrorKind::WouldBlock || cfg!(windows) && kind == ErrorKind::TimedOut
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::chance::Chance;

    /// A source that hands over prepared pieces, one a read.
    struct Pieces(Vec<io::Result<Vec<u8>>>);

    impl Pieces {
        fn new<const N: usize>(pieces: [&[u8]; N]) -> Pieces {
            Pieces(pieces.iter().rev().map(|piece| Ok(piece.to_vec())).collect())
        }
    }

    impl Read for Pieces {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            let Some(piece) = self.0.pop() else { return Ok(0) };
            let mut piece = piece?;
            let count = piece.len().min(room.len());
            room[..count].copy_from_slice(&piece[..count]);
            if count < piece.len() {
                self.0.push(Ok(piece.split_off(count)));
            }
            Ok(count)
        }
    }

    /// All lines up to the closing, a too long one as `TOO LONG`, then how it closed.
    fn lines(source: impl Read) -> (Vec<Vec<u8>>, bool) {
        let mut reader = LineReader::new(source);
        let mut lines = Vec::new();
        loop {
            match reader.read_line() {
                Ok(line) => lines.push(line.bytes.to_vec()),
                Err(LineError::TooLong) => lines.push(b"TOO LONG".to_vec()),
                Err(LineError::Closed { mid_line }) => return (lines, mid_line),
                Err(error) => panic!("{error}"),
            }
        }
    }

    fn read<const N: usize>(pieces: [&[u8]; N]) -> (Vec<Vec<u8>>, bool) {
        lines(Pieces::new(pieces))
    }

    fn texts<const N: usize>(texts: [&[u8]; N]) -> Vec<Vec<u8>> {
        texts.iter().map(|text| text.to_vec()).collect()
    }

    #[test]
    fn several_lines_in_one_packet() {
        assert_eq!(read([b"a\nbc\n\nd\n"]), (texts([b"a", b"bc", b"", b"d"]), false));
    }

    #[test]
    fn one_line_in_many_packets() {
        assert_eq!(read([b"a", b"b", b"c", b"\n"]), (texts([b"abc"]), false));
    }

    #[test]
    fn a_line_and_the_half_of_another() {
        assert_eq!(read([b"ab\nc", b"d\ne", b"\n"]), (texts([b"ab", b"cd", b"e"]), false));
    }

    #[test]
    fn both_terminators_even_when_split() {
        assert_eq!(read([b"a\r\nb\nc\r", b"\n"]), (texts([b"a", b"b", b"c"]), false));
    }

    #[test]
    fn terminators_and_what_comes_after_a_line_are_kept() {
        let mut reader = LineReader::new(Pieces::new([b"a\r\nb\n", b"cd"]));
        assert_eq!(reader.read_line().unwrap().with_end, b"a\r\n");
        assert_eq!(reader.rest(), b"b\n");
        assert_eq!(reader.read_line().unwrap().with_end, b"b\n");
        assert!(matches!(reader.read_line(), Err(LineError::Closed { mid_line: true })));
        assert_eq!(reader.rest(), b"cd");
    }

    #[test]
    fn only_the_last_carriage_return_belongs_to_the_terminator() {
        assert_eq!(read([b"a\rb\r\r\n\r\n"]), (texts([b"a\rb\r", b""]), false));
    }

    #[test]
    fn any_byte_passes_unchanged() {
        assert_eq!(read([b"\xe8 \0\xff\xc3\n"]), (texts([b"\xe8 \0\xff\xc3"]), false));
    }

    #[test]
    fn an_unfinished_line_is_no_line() {
        assert_eq!(read([b"a\nVICTORY"]), (texts([b"a"]), true));
    }

    #[test]
    fn the_longest_line_passes_and_a_longer_one_is_skipped() {
        let longest = vec![b'x'; MAX_LINE];
        for end in [&b"\n"[..], b"\r\n"] {
            let fits = [&longest, end].concat();
            assert_eq!(read([&fits, b"a\n"]), (vec![longest.clone(), b"a".to_vec()], false));
            let longer = [b"y", &fits[..]].concat();
            assert_eq!(read([&longer, b"a\n"]), (texts([b"TOO LONG", b"a"]), false));
        }
    }

    #[test]
    fn an_endless_line_is_reported_once_and_at_once() {
        let endless = vec![b'x'; 10 * BUFFER_SIZE];
        assert_eq!(read([&endless, b"xx\nab\n"]), (texts([b"TOO LONG", b"ab"]), false));
        assert_eq!(read([&endless]), (texts([b"TOO LONG"]), true));
        let mut reader = LineReader::new(Pieces::new([&endless[..BUFFER_SIZE]]));
        assert!(matches!(reader.read_line(), Err(LineError::TooLong)));
    }

    #[test]
    fn an_interrupted_read_is_repeated() {
        let mut pieces = Pieces::new([b"a", b"b\n"]);
        pieces.0.insert(1, Err(ErrorKind::Interrupted.into()));
        assert_eq!(lines(pieces), (texts([b"ab"]), false));
    }

    #[test]
    fn a_failed_read_loses_nothing() {
        let mut pieces = Pieces::new([b"a", b"b\n"]);
        pieces.0.insert(1, Err(ErrorKind::TimedOut.into()));
        let mut reader = LineReader::new(pieces);
        assert!(matches!(reader.read_line(), Err(LineError::Io(_))));
        assert_eq!(reader.read_line().unwrap().bytes, b"ab");
    }

    #[test]
    fn silence_loses_nothing() {
        let mut pieces = Pieces::new([b"a", b"b\n"]);
        pieces.0.insert(1, Err(ErrorKind::WouldBlock.into()));
        let mut reader = LineReader::new(pieces);
        assert!(matches!(reader.read_line(), Err(LineError::Silent)));
        assert_eq!(reader.read_line().unwrap().bytes, b"ab");
    }

    #[test]
    fn a_line_bears_the_time_of_the_packet_that_completed_it() {
        let mut reader = LineReader::new(Pieces::new([b"a\nb\n", b"c\n"]));
        let mut received = || reader.read_line().unwrap().received;
        let (a, b, c) = (received(), received(), received());
        assert_eq!(a, b);
        assert!(c >= b);
    }

    /// However the network slices a stream, its lines are the same.
    #[test]
    fn slicing_changes_nothing() {
        for seed in 0..300 {
            let mut rng = fastrand::Rng::with_seed(seed);
            // Lines of about the greatest length, so that both sides of the limit occur.
            let random_byte = |rng: &mut fastrand::Rng| match rng.index(..MAX_LINE) {
                0 => b'\n',
                1 => b'\r',
                _ => rng.u8(b' '..),
            };
            let bytes: Vec<u8> = (0..4 * BUFFER_SIZE).map(|_| random_byte(&mut rng)).collect();
            let mut pieces = Vec::new();
            let mut rest = &bytes[..];
            while !rest.is_empty() {
                let (piece, after) = rest.split_at(rng.index(1..300).min(rest.len()));
                pieces.push(Ok(piece.to_vec()));
                rest = after;
            }
            pieces.reverse();
            assert_eq!(lines(Pieces(pieces)), read([&bytes]), "seed {seed}");
        }
    }
}
