//! The relay protocol of Lines of Action: two players and a silent relay between them.
//!
//! The one idea: the only message is a move, `B1-B3` and a line end, in ISO 8859-1. White listens,
//! Black connects to the relay, the relay then to White, whose clock starts with that connection.
//! There is no message for the result: both [players](side) find the end by the rules, and the
//! [relay](forward) closes.

pub mod forward;
mod opponent;
pub mod side;

use std::time::Duration;

use crate::game::{Game, Move, ParseError};
use crate::games::AnyGame;
use crate::net::tournament::{self, MoveText, quoted_bytes};

/// The course's laboratory may filter ports up to this one.
pub const HIGHEST_FILTERED_PORT: u16 = 40_000;

/// The time for the first move of each side.
pub const FIRST_MOVE_TIME: Duration = Duration::from_millis(2000);

/// The time for every other move.
pub const MOVE_TIME: Duration = Duration::from_millis(1000);

/// The bytes of a message, its line's end included.
const MESSAGE_LENGTH: usize = 6;

/// A move as it goes over the wire.
pub fn message(position: &AnyGame, m: Move) -> (MoveText, [u8; MESSAGE_LENGTH]) {
    let text = tournament::move_text(position, m);
    let mut bytes = [b'\n'; MESSAGE_LENGTH];
    bytes[..text.len()].copy_from_slice(text.as_bytes());
    (text, bytes)
}

/// Reads a message in the exact form of the protocol: a legal move.
///
/// # Errors
/// It has another form, or is no legal move.
pub fn read_exactly(position: &AnyGame, bytes: &[u8]) -> Result<Move, ParseError> {
    let wrong = || ParseError::new("message", quoted_bytes(bytes), "a move such as `B1-B3\\n`");
    let text = bytes.strip_suffix(b"\n").filter(|text| text.len() + 1 == MESSAGE_LENGTH);
    let text = std::str::from_utf8(text.ok_or_else(wrong)?).map_err(|_| wrong())?;
    let m = position.parse_move(text)?;
    // No other spelling, such as lower case.
    if tournament::move_text(position, m).as_str() == text { Ok(m) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Loa;

    #[test]
    fn messages_are_read_as_they_are_written_and_no_other() {
        let start = AnyGame::from(Loa::start(Default::default()));
        let m = start.parse_move("B1-B3").unwrap();
        let (text, bytes) = message(&start, m);
        assert_eq!((text.as_str(), &bytes), ("B1-B3", b"B1-B3\n"));
        assert_eq!(read_exactly(&start, &bytes), Ok(m));
        for wrong in [
            &b"b1-b3\n"[..],
            b"B1-B3",
            b"B1-B3\r\n",
            b" B1-B3\n",
            b"B1-B4\n",
            b"B1B3\n",
            b"\n",
            b"",
            b"B1-B\xb3\n",
            b"MOVE B1-B3\n",
            b"B1-B33\n",
            b"A2-A3\n",
        ] {
            assert!(read_exactly(&start, wrong).is_err(), "{}", quoted_bytes(wrong));
        }
    }
}
