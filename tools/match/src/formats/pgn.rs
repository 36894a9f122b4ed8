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

use alesia::eval::score;
use alesia::game::{Game, ParseError, Side, quoted};
use alesia::games::{AnyGame, GameSpec};

use super::moves::without_number;
use super::remarks::Remarks;
use super::{ForeignGame, ForeignMove, chess, is_finished, of_token, token};
use alesia::record::end::Cause;
use alesia::record::game_record::{Date, GameRecord, Occasion, RecordedMove};

/// What the first line of each record begins with.
pub const BEGINNING: &str = "[Event ";

/// The longest line of moves, in characters.
const WIDTH: usize = 80;

/// The names of chess in the tag `Variant`, where it has one.
const CHESS: [&str; 6] = ["chess", "standard", "classical", "normal", "orthodox", "fromposition"];

/// A record that begins with a position, with an empty line after it.
///
/// # Errors
/// A move is not legal.
pub fn text(record: &GameRecord, first: AnyGame) -> Result<String, ParseError> {
    let mut text = tags(record);
    text.push('\n');
    let mut words = words_of(record, first)?;
    // A line that began with `%` would be no comment.
    words.push(format!("{{{}}}", in_one_line(&record.reason).replace(['{', '}'], "|")));
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

/// The tags of a record, each on its line.
fn tags(record: &GameRecord) -> String {
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
    if let Some(board) = &record.board {
        tags.extend([("SetUp", "1".to_owned()), ("FEN", board.clone())]);
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
fn words_of(record: &GameRecord, first: AnyGame) -> Result<Vec<String>, ParseError> {
    let mut words = Vec::new();
    let played = record.moves.iter().map(|m| (&m.text, comment(m)));
    let all = record.opening.iter().map(|text| (text, None)).chain(played);
    let mut position = first;
    let mut number = 1;
    for (ply, (text, comment)) in all.enumerate() {
        match position.side() {
            Side::White => words.push(format!("{number}.")),
            Side::Black if ply == 0 => words.push(format!("{number}...")),
            Side::Black => {}
        }
        let m = position.parse_move(text)?;
        words.push(position.standard_notation(m));
        words.extend(comment);
        number += usize::from(position.side() == Side::Black);
        position.play(m);
    }
    Ok(words)
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

/// The game of the tag `Variant`, as the command line names it; a name that is unknown stays as it
/// is. Other programs write the names of variants in words, such as `King of the Hill`.
fn game_of(tag: &str) -> String {
    if tag.parse::<GameSpec>().is_ok() {
        return tag.to_owned();
    }
    let mut name = tag.to_ascii_lowercase();
    name.retain(|c| !matches!(c, ' ' | '-' | '_'));
    let name = if CHESS.contains(&&*name) { "chess" } else { &name };
    let found = format!("variant:{name}");
    if found.parse::<GameSpec>().is_ok() { found } else { tag.to_owned() }
}

/// The games of a text.
///
/// # Errors
/// The first tag or remark that has no end.
pub fn read(text: &str) -> Result<Vec<ForeignGame>, ParseError> {
    let mut games: Vec<ForeignGame> = Vec::new();
    // Whether the last game has only tags so far.
    let mut in_tags = false;
    let mut remarks = Remarks::default();
    for (number, line) in (1..).zip(text.lines()) {
        let mut rest = line.trim();
        // Several may stand on a line.
        while !remarks.are_open() && rest.starts_with('[') {
            if !in_tags {
                games.push(begun(number));
                in_tags = true;
            }
            let game = games.last_mut().expect("one has been pushed");
            let (name, value, after) = tag(rest).ok_or_else(|| {
                let expected = "a tag such as [White \"Alesia\"]";
                ParseError::new(format!("line {number}"), quoted(rest), expected)
            })?;
            keep(game, name, value);
            rest = after;
        }
        // Lines for programs.
        if rest.starts_with('%') {
            continue;
        }
        // After a semicolon the rest of the line is a comment.
        for word in remarks.left_out_until(rest, number, Some(';')).split_whitespace() {
            let text = without_number(word);
            if is_remark(text) {
                continue;
            }
            if games.is_empty() {
                games.push(begun(number));
            }
            let only_tags = std::mem::take(&mut in_tags);
            let game = games.last_mut().expect("one has been pushed");
            match of_token(text) {
                Some(result) => {
                    game.result = game.result.or(result);
                    // Only chess does without the tag `Variant`, also before the first move.
                    if only_tags && game.game.is_none() && game.board.is_none() {
                        game.game = game.usual.map(|game| game.to_string());
                    }
                    games.push(begun(number));
                }
                None => {
                    game.moves.push(ForeignMove { line: number, text: text.to_owned(), ms: None })
                }
            }
        }
    }
    remarks.end()?;
    games.retain(|game| !game.moves.is_empty() || game.game.is_some() || game.board.is_some());
    if games.is_empty() {
        return Err(ParseError::new("PGN", "no game", "tags and moves"));
    }
    Ok(games)
}

/// A game that begins on a line.
fn begun(line: usize) -> ForeignGame {
    ForeignGame { line, usual: chess(), ..ForeignGame::default() }
}

/// Whether a word beside the moves says nothing of them: a mark, a number, dots.
fn is_remark(word: &str) -> bool {
    // Castling may be written with zeros.
    let is_said = word.contains(char::is_alphabetic) || word.starts_with("0-0");
    word.starts_with('$') || word == "e.p." || !is_said && of_token(word).is_none()
}

/// The name and the value of the tag that a text begins with, and what comes after it. The value
/// ends at a quote before a bracket: other quotes in it should have a backslash, and may lack it.
fn tag(text: &str) -> Option<(&str, String, &str)> {
    let inner = text.strip_prefix('[')?.trim_start();
    let (name, value) = inner.split_once(char::is_whitespace)?;
    let value = value.trim_start().strip_prefix('"')?;
    let mut plain = String::new();
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        if c == '"'
            && let Some(after) = chars.as_str().trim_start().strip_prefix(']')
        {
            return Some((name, plain, after.trim_start()));
        }
        plain.push(if c == '\\' { chars.next()? } else { c });
    }
    None
}

/// Takes what a tag says, if anybody wants it.
fn keep(game: &mut ForeignGame, name: &str, value: String) {
    let known = || (value != "?" && !value.is_empty()).then(|| value.clone());
    match name {
        "White" => game.names[0] = known(),
        "Black" => game.names[1] = known(),
        "Variant" => game.game = known().map(|tag| game_of(&tag)),
        "FEN" => game.board = known(),
        // Often only the year is known: that is no day.
        "Event" => game.occasion.event = known(),
        "Site" => game.occasion.site = known(),
        "Date" => game.occasion.date = Date::strptime("%Y.%m.%d", value).ok(),
        "Result" => game.result = of_token(&value).flatten(),
        _ => {}
    }
}

#[cfg(test)]
mod tests;
