//! Portable Game Notation: tags, then moves with comments (S. J. Edwards, 1994).
//!
//! The one idea: chess and its variants are written as other programs read them, with moves in
//! standard algebraic notation ([`Game::standard_notation`]). The tag `Variant` has the name of the
//! variant in its file, and chess has no such tag. The other games have their own notation, and the
//! tag names them as the command line does. So it names a variant of another file, or one that has
//! the name of another game (`variant:voidrider`). A comment after a move has what cutechess writes
//! there: score, depth and seconds.
//!
//! A game without the tag is chess, if no other game fits its moves better.

mod reader;

use alesia::eval::score;
use alesia::game::{Game, ParseError, Side};
use alesia::games::{AnyGame, GameSpec};

pub use self::reader::read;
use super::notes::Note;
use super::{is_finished, token};
use alesia::record::end::Cause;
use alesia::record::game_record::{GameRecord, Occasion, RecordedMove};

/// What the first line of each record begins with.
pub const BEGINNING: &str = "[Event ";

/// The longest line of moves, in characters.
const WIDTH: usize = 80;

/// A record that begins with a position, with an empty line after it.
///
/// # Errors
/// A move is not legal.
pub fn text(record: &GameRecord, first: AnyGame, notes: &[Note]) -> Result<String, ParseError> {
    let mut text = tags(record, &first);
    text.push('\n');
    let mut words = words_of(record, first, notes)?;
    // A line that began with `%` would be no comment.
    words.push(braced(&record.reason));
    words.push(token(record).to_owned());
    let mut width = 0;
    for word in words {
        let length = word.chars().count();
        if width > 0 {
            let fits = width + 1 + length <= WIDTH;
            text.push(if fits { ' ' } else { '\n' });
            width = if fits { width + 1 } else { 0 };
        }
        text += &word;
        width += length;
    }
    Ok(text + "\n\n")
}

/// The tags of a record that begins with a position, each on its line.
fn tags(record: &GameRecord, first: &AnyGame) -> String {
    let GameRecord { key, opening, moves, .. } = record;
    let (pair, leg) = (key.pair + 1, key.leg + 1);
    let plies = opening.len() + moves.len();
    let Occasion { event, site, date } = &record.occasion;
    let known = |text: &Option<String>| text.as_deref().unwrap_or("?").to_owned();
    let date = date.map_or("????.??.??".to_owned(), |d| d.to_string().replace('-', "."));
    let mut tags = vec![
        ("Event", known(event)),
        ("Site", known(site)),
        ("Date", date),
        ("Round", format!("{pair}.{leg}")),
        ("White", record.white.clone()),
        ("Black", record.black.clone()),
        ("Result", token(record).to_owned()),
    ];
    tags.extend(variant(&record.game).map(|name| ("Variant", name.to_owned())));
    tags.push(("PlyCount", plies.to_string()));
    tags.extend(termination(record).map(|reason| ("Termination", reason.to_owned())));
    if record.board.is_some() {
        // A record may have it without the fields that have a default.
        tags.extend([("SetUp", "1".to_owned()), ("FEN", first.to_string())]);
    }
    let mut text = String::new();
    for (name, value) in tags {
        // Older records may have names of several lines, and a tag has one.
        let value = in_one_line(&value).replace('\\', "\\\\").replace('"', "\\\"");
        text += &format!("[{name} \"{value}\"]\n");
    }
    text
}

/// A text with blanks for line ends and other control characters.
fn in_one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// The moves of a record with their numbers and comments.
fn words_of(
    record: &GameRecord,
    first: AnyGame,
    notes: &[Note],
) -> Result<Vec<String>, ParseError> {
    let mut words = Vec::new();
    let played = record.moves.iter().map(|m| (&m.text, comment(m)));
    let all = record.opening.iter().map(|text| (text, None)).chain(played);
    let mut position = first;
    let mut number = first.ply() / 2 + 1;
    for (ply, (text, comment)) in all.enumerate() {
        match position.side() {
            Side::White => words.push(format!("{number}.")),
            Side::Black if ply == 0 => words.push(format!("{number}...")),
            Side::Black => {}
        }
        let m = position.parse_move(text)?;
        words.push(position.standard_notation(m));
        let note = notes.get(ply);
        words.extend(note.and_then(Note::code));
        words.extend(comment);
        let said = note.filter(|note| !note.comment.is_empty());
        words.extend(said.map(|note| braced(&note.comment)));
        number += usize::from(position.side() == Side::Black);
        position.play(m);
    }
    Ok(words)
}

/// A text as a comment.
fn braced(text: &str) -> String {
    format!("{{{}}}", in_one_line(text).replace(['{', '}'], "|"))
}

/// What cutechess writes after a move: score in pawns, depth, seconds.
fn comment(m: &RecordedMove) -> Option<String> {
    let thought = &m.thought;
    let hundredths = thought.cp.or(thought.value.map(score));
    let score = match (thought.mate, hundredths) {
        (Some(moves), _) if moves < 0 => format!("-M{}", -i64::from(moves)),
        (Some(moves), _) => format!("+M{moves}"),
        (None, Some(cp)) => format!("{:+.2}", f64::from(cp) / 100.0),
        (None, None) => return None,
    };
    let time = m.ms.map_or(String::new(), |ms| format!(" {:.3}s", ms / 1000.0));
    Some(format!("{{{score}/{}{time}}}", thought.depth.unwrap_or(0)))
}

/// The reason for the end in the standard's words; none where only the result is known.
fn termination(record: &GameRecord) -> Option<&'static str> {
    match record.cause {
        Cause::Rule => Some("normal"),
        Cause::MoveLimit | Cause::Adjudication => Some("adjudication"),
        Cause::Time => Some("time forfeit"),
        Cause::IllegalMove => Some("rules infraction"),
        Cause::Disconnect | Cause::Stall => Some("abandoned"),
        Cause::Reported => (!is_finished(record)).then_some("unterminated"),
    }
}

/// The tag `Variant` of a game; none of chess.
fn variant(game: &str) -> Option<&str> {
    match game.strip_prefix("variant:") {
        Some("chess") => None,
        // A game of the list has the name, too.
        Some(name) if name.parse::<GameSpec>().is_ok() => Some(game),
        Some(name) => Some(name),
        None => Some(game),
    }
}

#[cfg(test)]
mod tests;
