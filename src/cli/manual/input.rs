//! The lines that a person may type at a prompt.
//!
//! The one idea: a line is one word; after `undo` there may be a number, and after `save` there is
//! the name of a file. A word that is no command is read as a move by the game.

use std::io::{self, Read};

use alesia::game::{ParseError, quoted, without_bom};

/// The commands, for error messages.
pub const COMMANDS: &str =
    "hint, moves, board, rules, undo, clock, save FILE, resign, help or quit";

/// The answer to `help`.
pub const HELP: &str = "\
MOVE       plays this move for the side to move
hint       shows the move that the engine would play now
moves      lists the legal moves
board      shows the board, and all moves so far in the form of --moves
rules      explains the rules of the game
undo       takes back all moves since your previous turn; undo N takes back
           N moves, then you enter the next move for either side
clock      shows the time used by both sides, and for this move
save FILE  writes the board, all moves and how to continue to a new file
resign     gives the game up for the side to move, and ends the program
help       shows this list
quit       ends the program, and prints how to continue the game";

/// A line that has been understood; a move is still text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input<'a> {
    /// An empty line.
    Empty,
    /// A move, or an unknown word.
    Move(&'a str),
    /// Show the engine's move.
    Hint,
    /// List the legal moves.
    Moves,
    /// Show the board and the moves.
    Board,
    /// Explain the rules.
    Rules,
    /// Take back this many moves; none: all moves since the person's previous turn.
    Undo(Option<usize>),
    /// Show the time used.
    Clock,
    /// Write the game to a file of this name.
    Save(&'a str),
    /// The side to move loses.
    Resign,
    /// List the commands.
    Help,
    /// End.
    Quit,
}

impl Input<'_> {
    /// Understands a line. Commands are taken in any case.
    ///
    /// # Errors
    /// A word after a command or a move that ends the line, no number of moves after `undo`, or no
    /// name of a file after `save`.
    pub fn parse(line: &str) -> Result<Input<'_>, ParseError> {
        let line = without_bom(line).trim();
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else { return Ok(Input::Empty) };
        let command = first.to_ascii_lowercase();
        let input = match command.as_str() {
            "hint" => Input::Hint,
            "moves" => Input::Moves,
            "board" => Input::Board,
            "rules" => Input::Rules,
            "undo" => Input::Undo(words.next().map(number_of_moves).transpose()?),
            "clock" => Input::Clock,
            "save" => return file(line[first.len()..].trim()).map(Input::Save),
            "resign" => Input::Resign,
            "help" | "?" => Input::Help,
            "quit" => Input::Quit,
            _ => Input::Move(first),
        };
        match words.next() {
            None => Ok(input),
            Some(more) => {
                let place = if matches!(input, Input::Move(_)) { "move" } else { &*command };
                let found = format!("{} after it", quoted(more));
                Err(ParseError::new(place, found, "the end of the line"))
            }
        }
    }
}

/// The name of a file, which may contain blanks.
fn file(name: &str) -> Result<&str, ParseError> {
    match name.is_empty() {
        true => Err(ParseError::new("save", "nothing after it", "the name of a file")),
        false => Ok(name),
    }
}

/// A stream of lines that adds a missing line end to the last one.
pub struct LastLineEnded<R> {
    source: R,
    last: u8,
}

impl<R> LastLineEnded<R> {
    /// The lines of `source`.
    pub fn new(source: R) -> LastLineEnded<R> {
        LastLineEnded { source, last: b'\n' }
    }
}

impl<R: Read> Read for LastLineEnded<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let mut count = self.source.read(room)?;
        if count == 0 && self.last != b'\n' && !room.is_empty() {
            room[0] = b'\n';
            count = 1;
        }
        if count > 0 {
            self.last = room[count - 1];
        }
        Ok(count)
    }
}

fn number_of_moves(text: &str) -> Result<usize, ParseError> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| ParseError::new("undo", quoted(text), "a number of moves, 1 or more"))
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! lines {
        ($($name:ident: $line:literal => $expected:expr;)*) => {
            $(
                #[test]
                fn $name() {
                    assert_eq!(Input::parse($line).map_err(|error| error.to_string()), $expected);
                }
            )*
        };
    }

    lines! {
        nothing: "" => Ok(Input::Empty);
        blanks: " \t\r" => Ok(Input::Empty);
        a_move: "G4,NE" => Ok(Input::Move("G4,NE"));
        a_move_between_blanks: "  c8-c9=V \r" => Ok(Input::Move("c8-c9=V"));
        no_word_that_is_known: "castle!" => Ok(Input::Move("castle!"));
        hint: "hint" => Ok(Input::Hint);
        moves: "moves" => Ok(Input::Moves);
        board: "board" => Ok(Input::Board);
        rules: "Rules" => Ok(Input::Rules);
        resign: "resign" => Ok(Input::Resign);
        save: "save my game.txt " => Ok(Input::Save("my game.txt"));
        save_in_any_case: "SAVE Game.txt" => Ok(Input::Save("Game.txt"));
        save_nothing: "save" =>
            Err("save: found nothing after it, expected the name of a file".into());
        resign_twice: "resign resign" =>
            Err("resign: found `resign` after it, expected the end of the line".into());
        clock: "clock" => Ok(Input::Clock);
        help: "help" => Ok(Input::Help);
        question_mark: "?" => Ok(Input::Help);
        quit: "quit" => Ok(Input::Quit);
        any_case: " QUIT " => Ok(Input::Quit);
        undo: "undo" => Ok(Input::Undo(None));
        undo_some: "Undo 12" => Ok(Input::Undo(Some(12)));
        undo_none: "undo 0" =>
            Err("undo: found `0`, expected a number of moves, 1 or more".into());
        undo_a_word: "undo all" =>
            Err("undo: found `all`, expected a number of moves, 1 or more".into());
        undo_beyond_numbers: "undo 99999999999999999999" =>
            Err("undo: found `99999999999999999999`, expected a number of moves, 1 or more".into());
        undo_and_more: "undo 1 2" =>
            Err("undo: found `2` after it, expected the end of the line".into());
        a_command_and_more: "Hint please" =>
            Err("hint: found `please` after it, expected the end of the line".into());
        two_moves: "G4,N A5,S" =>
            Err("move: found `A5,S` after it, expected the end of the line".into());
        control_characters: "board \u{1b}[2J" =>
            Err("board: found `\\u{1b}[2J` after it, expected the end of the line".into());
    }

    #[test]
    fn the_last_line_has_an_end() {
        for (bytes, lines) in [("", ""), ("a", "a\n"), ("a\n", "a\n"), ("a\n\nb", "a\n\nb\n")] {
            let mut read = String::new();
            LastLineEnded::new(bytes.as_bytes()).read_to_string(&mut read).unwrap();
            assert_eq!(read, lines);
        }
    }

    #[test]
    fn help_fits_a_terminal_and_stands_in_columns() {
        for line in HELP.lines().chain([COMMANDS]) {
            assert!(line.chars().count() < 80, "{line}");
        }
        for line in HELP.lines() {
            assert!(line.as_bytes()[10] == b' ' && line.as_bytes()[11] != b' ', "{line}");
        }
    }

    #[test]
    fn every_command_is_helped_with() {
        for command in COMMANDS.replace(" or ", ", ").split(", ") {
            assert!(HELP.lines().any(|line| line.starts_with(command)), "{command}");
            assert!(!matches!(Input::parse(command), Ok(Input::Move(_))), "{command}");
        }
    }
}
