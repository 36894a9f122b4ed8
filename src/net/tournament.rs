//! The messages of the tournament protocol: read with tolerance, written exactly.
//!
//! The one idea: a message borrows the line it was read from, and is written into a line on the
//! stack, so that neither direction allocates and one `write_all` sends a whole line. Servers
//! differ in case, blanks and `_`; every unambiguous form is accepted.

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::str;

use arrayvec::{ArrayString, ArrayVec};

use super::line::MAX_LINE;
use crate::game::{Game, Move, Outcome, ParseError, Score, Side, quoted};
use crate::games::AnyGame;

/// The port of the course's servers.
pub const DEFAULT_PORT: u16 = 8901;

/// Max bytes of a move in any game's notation, with room to spare.
const MAX_MOVE_TEXT: usize = 16;

/// A move in its game's notation, on the stack.
pub type MoveText = ArrayString<MAX_MOVE_TEXT>;

/// A whole line with its terminator, on the stack, ready to be sent.
pub type OutgoingLine = ArrayVec<u8, { MAX_LINE + 1 }>;

/// What a server says to a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerMessage<'a> {
    /// `WELCOME White`: the client's colour.
    Welcome(Side),
    /// `MESSAGE text`: something to show; any bytes, unchanged.
    Message(&'a [u8]),
    /// `YOUR_TURN`: the client's time runs.
    YourTurn,
    /// `VALID_MOVE`: the client's move has been accepted.
    ValidMove,
    /// `ILLEGAL_MOVE`: the client's move has been refused, and the game is lost.
    IllegalMove,
    /// `TIMEOUT`: the client's move has come too late, and the game is lost.
    Timeout,
    /// `OPPONENT_MOVE move`: the text of the move, without blanks around it.
    OpponentMove(&'a [u8]),
    /// `VICTORY`: the client has won.
    Victory,
    /// `DEFEAT`: the client has lost.
    Defeat,
    /// `TIE`: a draw.
    Tie,
}

impl<'a> ServerMessage<'a> {
    /// Reads a line without its terminator: keywords in any case, their words joined by `_`, by
    /// blanks or by nothing, blanks around them, further words after those that stand alone.
    /// None for a line that is no message.
    pub fn parse(line: &'a [u8]) -> Option<ServerMessage<'a>> {
        use ServerMessage::*;
        let line = line.trim_ascii_start();
        let alone: [(&[&str], ServerMessage); 7] = [
            (&["YOUR", "TURN"], YourTurn),
            (&["VALID", "MOVE"], ValidMove),
            (&["ILLEGAL", "MOVE"], IllegalMove),
            (&["TIMEOUT"], Timeout),
            (&["VICTORY"], Victory),
            (&["DEFEAT"], Defeat),
            (&["TIE"], Tie),
        ];
        for (words, message) in alone {
            if after_words(line, words).is_some() {
                return Some(message);
            }
        }
        if let Some(text) = after_words(line, &["MESSAGE"]) {
            return Some(Message(text.get(1..).unwrap_or_default()));
        }
        if let Some(text) = after_words(line, &["OPPONENT", "MOVE"]) {
            return Some(OpponentMove(text.trim_ascii()));
        }
        let colour = after_words(line, &["WELCOME"])?.trim_ascii();
        let colours = [("WHITE", Side::White), ("BLACK", Side::Black)];
        let known = colours.into_iter().find(|(name, _)| after_words(colour, &[name]).is_some());
        known.map(|(_, side)| Welcome(side))
    }

    /// The line in exactly the document's form, with its terminator. Text after `MESSAGE` is
    /// cut where the line would become longer than [`MAX_LINE`], and line ends in it become
    /// blanks.
    pub fn to_line(&self) -> OutgoingLine {
        match self {
            ServerMessage::Welcome(Side::White) => outgoing("WELCOME White", b""),
            ServerMessage::Welcome(Side::Black) => outgoing("WELCOME Black", b""),
            ServerMessage::Message(text) => outgoing("MESSAGE ", text),
            ServerMessage::YourTurn => outgoing("YOUR_TURN", b""),
            ServerMessage::ValidMove => outgoing("VALID_MOVE", b""),
            ServerMessage::IllegalMove => outgoing("ILLEGAL_MOVE", b""),
            ServerMessage::Timeout => outgoing("TIMEOUT", b""),
            ServerMessage::OpponentMove(text) => outgoing("OPPONENT_MOVE ", text),
            ServerMessage::Victory => outgoing("VICTORY", b""),
            ServerMessage::Defeat => outgoing("DEFEAT", b""),
            ServerMessage::Tie => outgoing("TIE", b""),
        }
    }

    /// How an outcome is announced to `side`.
    pub fn of_outcome(outcome: Outcome, side: Side) -> ServerMessage<'static> {
        match outcome.for_side(side) {
            Score::Win => ServerMessage::Victory,
            Score::Loss => ServerMessage::Defeat,
            Score::Draw => ServerMessage::Tie,
        }
    }
}

/// Reads a client's line without its terminator, as tolerantly as [`ServerMessage::parse`]: the
/// text of the move in `MOVE b2`. None for anything that is no such line.
pub fn parse_move_line(line: &[u8]) -> Option<&str> {
    let text = str::from_utf8(after_words(line.trim_ascii_start(), &["MOVE"])?).ok()?.trim_ascii();
    (!text.is_empty()).then_some(text)
}

/// The line `MOVE text` with its terminator.
pub fn move_line(text: &str) -> OutgoingLine {
    outgoing("MOVE ", text.as_bytes())
}

/// A move in its game's own notation.
pub fn move_text(position: &AnyGame, m: Move) -> MoveText {
    let mut text = MoveText::new();
    // Cannot fail for the games there are; a longer text would be cut, and refused by a server.
    let written = write!(text, "{}", position.notation(m));
    debug_assert!(written.is_ok());
    text
}

/// Reads a legal move from a server or client: in any case, with blanks anywhere.
///
/// # Errors
/// The text is no legal move.
pub fn read_move(position: &AnyGame, text: &[u8]) -> Result<Move, ParseError> {
    let mut compact = ArrayString::<{ MAX_LINE }>::new();
    for &byte in text.iter().filter(|byte| !byte.is_ascii_whitespace()) {
        // No notation has other than plain characters.
        if !byte.is_ascii() || compact.try_push(char::from(byte)).is_err() {
            let expected = "a move in the game's notation";
            return Err(ParseError::new("move", quoted_bytes(text), expected));
        }
    }
    position.parse_move(&compact)
}

/// Text of unknown encoding for display: UTF-8 where it is that, else ISO 8859-1; control
/// characters escaped, so that no peer can play with a terminal.
pub fn readable(text: &[u8]) -> Readable<'_> {
    Readable(text)
}

/// See [`readable`].
#[derive(Clone, Copy, Debug)]
pub struct Readable<'a>(&'a [u8]);

impl fmt::Display for Readable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut show = |character: char| match character.is_control() {
            true => write!(f, "{}", character.escape_default()),
            false => f.write_char(character),
        };
        match str::from_utf8(self.0) {
            Ok(text) => text.chars().try_for_each(&mut show),
            Err(_) => self.0.iter().map(|&byte| char::from(byte)).try_for_each(show),
        }
    }
}

/// The same for an error message, in the form of [`quoted`].
pub fn quoted_bytes(text: &[u8]) -> String {
    quoted(&decoded(text))
}

fn decoded(text: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(text) {
        Ok(text) => text.into(),
        Err(_) => text.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// What follows a keyword at the beginning of a line: nothing, or a blank and more.
fn after_words<'a>(line: &'a [u8], words: &[&str]) -> Option<&'a [u8]> {
    let mut rest = line;
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            while let Some((b'_' | b' ' | b'\t', after)) = rest.split_first() {
                rest = after;
            }
        }
        let (begin, after) = rest.split_at_checked(word.len())?;
        if !begin.eq_ignore_ascii_case(word.as_bytes()) {
            return None;
        }
        rest = after;
    }
    rest.first().is_none_or(u8::is_ascii_whitespace).then_some(rest)
}

fn outgoing(keyword: &str, text: &[u8]) -> OutgoingLine {
    let mut line = OutgoingLine::new();
    let text = text.iter().map(|&byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte });
    line.extend(keyword.bytes().chain(text).take(MAX_LINE));
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests {
    use super::ServerMessage::*;
    use super::*;
    use crate::games::{Hadron, Murus};
    use proptest::prelude::*;

    fn parse(line: &str) -> Option<ServerMessage<'_>> {
        ServerMessage::parse(line.as_bytes())
    }

    #[test]
    fn the_documents_forms() {
        let forms = [
            ("WELCOME White", Welcome(Side::White)),
            ("WELCOME Black", Welcome(Side::Black)),
            ("MESSAGE all players connected", Message(b"all players connected")),
            ("YOUR_TURN", YourTurn),
            ("VALID_MOVE", ValidMove),
            ("ILLEGAL_MOVE", IllegalMove),
            ("TIMEOUT", Timeout),
            ("OPPONENT_MOVE G4,NE", OpponentMove(b"G4,NE")),
            ("VICTORY", Victory),
            ("DEFEAT", Defeat),
            ("TIE", Tie),
        ];
        for (line, message) in forms {
            assert_eq!(parse(line), Some(message), "{line}");
            assert_eq!(&message.to_line()[..], format!("{line}\n").as_bytes());
        }
        assert_eq!(&move_line("G4,NE")[..], b"MOVE G4,NE\n");
    }

    #[test]
    fn case_blanks_and_underscores_do_not_matter() {
        for line in ["your_turn", "YOUR TURN", " Your  Turn ", "\tyour_ turn\t", "YourTurn"] {
            assert_eq!(parse(line), Some(YourTurn), "{line:?}");
        }
        for line in ["WELCOME white", "welcome  WHITE ", "Welcome White player"] {
            assert_eq!(parse(line), Some(Welcome(Side::White)), "{line:?}");
        }
        for line in ["OPPONENT_MOVE b2", "opponent move  b2 ", "Opponent_Move\tb2"] {
            assert_eq!(parse(line), Some(OpponentMove(b"b2")), "{line:?}");
        }
        assert_eq!(parse(" victory "), Some(Victory));
        assert_eq!(parse("illegal move"), Some(IllegalMove));
        assert_eq!(parse("TIMEOUT 1003 ms"), Some(Timeout));
    }

    #[test]
    fn text_after_message_is_unchanged() {
        let message = ServerMessage::parse(b"message  \xe8 \t x ");
        assert_eq!(message, Some(Message(b" \xe8 \t x ")));
        assert_eq!(parse("MESSAGE"), Some(Message(b"")));
        assert_eq!(parse("MESSAGE "), Some(Message(b"")));
    }

    #[test]
    fn rejects_bad_messages() {
        let lines =
            ["", " ", "HELLO", "YOUR", "YOUR_TURNS", "WELCOME", "WELCOME Red", "TIED", "MESSAGES"];
        for line in lines {
            assert_eq!(parse(line), None, "{line:?}");
        }
    }

    #[test]
    fn move_lines() {
        for line in ["MOVE b2", "move  b2 \r", " Move b2", "mOvE\tb2\t"] {
            assert_eq!(parse_move_line(line.as_bytes()), Some("b2"), "{line:?}");
        }
        for line in ["", "MOVE", "MOVE  ", "MOVEb2", "b2", "MOVES b2", "REMOVE b2"] {
            assert_eq!(parse_move_line(line.as_bytes()), None, "{line:?}");
        }
        assert_eq!(parse_move_line(b"MOVE \xff"), None);
    }

    #[test]
    fn moves_are_read_in_any_case_with_blanks_within() {
        let position = AnyGame::from(Murus::start());
        let m = position.parse_move("G4,NE").unwrap();
        for text in ["G4,NE", "g4,ne", "g4, nE", " G 4 , N E "] {
            assert_eq!(read_move(&position, text.as_bytes()), Ok(m), "{text:?}");
        }
        assert_eq!(&move_text(&position, m)[..], "G4,NE");
        let error = read_move(&position, b"g4,\xe8").unwrap_err().to_string();
        assert_eq!(error, "move: found `g4,è`, expected a move in the game's notation");
        let error = read_move(&AnyGame::from(Hadron::start(1, 1)), b"a2").unwrap_err().to_string();
        assert!(error.starts_with("move: found `a2`, expected a cell"), "{error}");
    }

    #[test]
    fn a_text_of_any_length_fits_a_line_and_holds_none() {
        let line = Message(&[b'x'; 2 * MAX_LINE]).to_line();
        assert_eq!(line.len(), MAX_LINE + 1);
        assert_eq!(&Message(b"a\nVICTORY\r").to_line()[..], b"MESSAGE a VICTORY \n");
    }

    #[test]
    fn displayed_text_controls_no_terminal() {
        assert_eq!(readable("è 'x'".as_bytes()).to_string(), "è 'x'");
        assert_eq!(readable(b"\xe8\x1b[2J\t").to_string(), "è\\u{1b}[2J\\t");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_panic(line in any::<Vec<u8>>()) {
            let _ = ServerMessage::parse(&line);
            let _ = parse_move_line(&line);
            let _ = readable(&line).to_string();
            let _ = read_move(&AnyGame::from(Murus::start()), &line);
        }

        #[test]
        fn any_keyword_with_any_bytes_is_read_without_panic(
            keyword in "(?i)(YOUR|OPPONENT|WELCOME|MESSAGE|MOVE)[_ ]?(TURN|MOVE|WHITE)?",
            rest in any::<Vec<u8>>(),
        ) {
            let line = [keyword.as_bytes(), &rest].concat();
            let _ = ServerMessage::parse(&line);
            let _ = parse_move_line(&line);
        }

        #[test]
        fn written_lines_are_read_back(
            text in prop::collection::vec(any::<u8>(), 0..MAX_LINE - 20),
            word in "[!-~]{1,20}",
        ) {
            let text: Vec<u8> = text.into_iter().filter(|b| !b"\r\n".contains(b)).collect();
            for message in [Message(&text), OpponentMove(word.as_bytes())] {
                let line = message.to_line();
                let (end, line) = line.split_last().unwrap();
                prop_assert_eq!(*end, b'\n');
                prop_assert_eq!(ServerMessage::parse(line), Some(message));
            }
            let line = move_line(&word);
            prop_assert_eq!(parse_move_line(&line), Some(&word[..]));
        }
    }
}
