//! Portable Game Notation: tags, then moves with comments (S. J. Edwards, 1994).
//!
//! The one idea: the tag `Variant` names the game as the command line does. Moves are in the game's
//! own notation. A comment after a move has what cutechess writes there: score, depth and seconds.

use alesia::eval::score;
use alesia::game::{ParseError, Side, quoted};

use super::moves::without_number;
use super::{ForeignGame, ForeignMove, of_token, token};
use crate::record::{Cause, GameRecord, Occasion, RecordedMove};

/// The longest line of moves, in characters.
const WIDTH: usize = 80;

/// A record, `first` to move at its beginning, with an empty line after it.
pub fn text(record: &GameRecord, first: Side) -> String {
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
        ("Variant", record.game.clone()),
        ("PlyCount", plies.to_string()),
        ("Termination", termination(record.cause).to_owned()),
    ];
    if let Some(board) = &record.board {
        tags.extend([("SetUp", "1".to_owned()), ("FEN", board.clone())]);
    }
    let mut text = String::new();
    for (name, value) in tags {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text += &format!("[{name} \"{value}\"]\n");
    }
    text.push('\n');
    let mut words = Vec::new();
    let played = moves.iter().map(|m| (&m.text, comment(m)));
    let all = opening.iter().map(|text| (text, None)).chain(played);
    let mut side = first;
    let mut number = 1;
    for (ply, (text, comment)) in all.enumerate() {
        match side {
            Side::White => words.push(format!("{number}.")),
            Side::Black if ply == 0 => words.push(format!("{number}...")),
            Side::Black => {}
        }
        words.push(text.clone());
        words.extend(comment);
        number += usize::from(side == Side::Black);
        side = !side;
    }
    words.push(format!("{{{}}}", record.reason.replace(['{', '}'], "|")));
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
    text + "\n\n"
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

fn termination(cause: Cause) -> &'static str {
    match cause {
        Cause::Rule => "normal",
        Cause::MoveLimit | Cause::Adjudication => "adjudication",
        Cause::Time => "time forfeit",
        Cause::IllegalMove => "rules infraction",
        Cause::Disconnect | Cause::Stall => "abandoned",
        Cause::Reported => "unterminated",
    }
}

/// The games of a text.
///
/// # Errors
/// The first tag or comment that has no end.
pub fn read(text: &str) -> Result<Vec<ForeignGame>, ParseError> {
    let mut games: Vec<ForeignGame> = Vec::new();
    // Whether the last game has only tags so far.
    let mut in_tags = false;
    let mut comment_from = None;
    // Of variations, which may be nested.
    let mut depth = 0_usize;
    for (number, line) in (1..).zip(text.lines()) {
        let trimmed = line.trim();
        if comment_from.is_none() && depth == 0 && trimmed.starts_with('[') {
            if !in_tags {
                games.push(ForeignGame { line: number, ..ForeignGame::default() });
                in_tags = true;
            }
            let game = games.last_mut().expect("one has been pushed");
            let (name, value) = tag(trimmed).ok_or_else(|| {
                let expected = "a tag such as [White \"Alesia\"]";
                ParseError::new(format!("line {number}"), quoted(trimmed), expected)
            })?;
            keep(game, name, value);
            continue;
        }
        // Lines for programs.
        if trimmed.starts_with('%') {
            continue;
        }
        for word in words(trimmed, &mut comment_from, &mut depth, number) {
            let text = without_number(&word);
            if text.is_empty() || text.starts_with('$') || text.chars().all(char::is_numeric) {
                continue;
            }
            if games.is_empty() {
                games.push(ForeignGame { line: number, ..ForeignGame::default() });
            }
            in_tags = false;
            let game = games.last_mut().expect("one has been pushed");
            match of_token(text) {
                Some(result) => {
                    game.result = game.result.or(result);
                    games.push(ForeignGame { line: number, ..ForeignGame::default() });
                }
                None => {
                    game.moves.push(ForeignMove { line: number, text: text.to_owned(), ms: None })
                }
            }
        }
        if in_tags && trimmed.is_empty() {
            continue;
        }
    }
    if let Some(line) = comment_from {
        return Err(ParseError::new(format!("line {line}"), "a comment without end", "`}`"));
    }
    games.retain(|game| !game.moves.is_empty() || game.game.is_some() || game.board.is_some());
    if games.is_empty() {
        return Err(ParseError::new("PGN", "no game", "tags and moves"));
    }
    Ok(games)
}

/// The words of a line of moves that are not within comments or variations, which may go on.
fn words(
    line: &str,
    comment_from: &mut Option<usize>,
    depth: &mut usize,
    number: usize,
) -> Vec<String> {
    let mut kept = String::new();
    for c in line.chars() {
        match (c, comment_from.is_some()) {
            ('}', true) => {
                *comment_from = None;
                kept.push(' ');
            }
            (_, true) => {}
            ('{', false) => *comment_from = Some(number),
            // The rest of the line is a comment.
            (';', false) => break,
            ('(', false) => *depth += 1,
            (')', false) => {
                *depth = depth.saturating_sub(1);
                kept.push(' ');
            }
            (c, false) if *depth == 0 => kept.push(c),
            _ => {}
        }
    }
    kept.split_whitespace().map(str::to_owned).collect()
}

/// The name and the value of a tag.
fn tag(line: &str) -> Option<(&str, String)> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?.trim();
    let (name, value) = inner.split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    let mut plain = String::new();
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        plain.push(if c == '\\' { chars.next()? } else { c });
    }
    Some((name, plain))
}

/// Takes what a tag says, if anybody wants it.
fn keep(game: &mut ForeignGame, name: &str, value: String) {
    let known = || (value != "?" && !value.is_empty()).then(|| value.clone());
    match name {
        "White" => game.names[0] = known(),
        "Black" => game.names[1] = known(),
        "Variant" => game.game = known(),
        "FEN" => game.board = known(),
        // Often only the year is known: that is no day.
        "Event" => game.occasion.event = known(),
        "Site" => game.occasion.site = known(),
        "Date" => game.occasion.date = value.parse().ok(),
        "Result" => game.result = of_token(&value).flatten(),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Winner;

    #[test]
    fn tags_moves_comments_and_variations() {
        let text = "\
[Event \"a \\\"great\\\" day\"]
[Site \"?\"]
[White \"Ann\"]
[Black \"?\"]
[Date \"2026.11.27\"]
[Variant \"hadron3\"]
[Result \"1-0\"]

1. B1 {good; (or
not)} A3 2. C2 $1 (2. A1
B2 (2... C3)) 1-0

[Date \"2026.??.??\"]
[Variant \"hadron2x2\"]

1. A1 ; the end
*
";
        let games = read(text).unwrap();
        assert_eq!(games.len(), 2);
        let of = |game: &ForeignGame| {
            game.moves.iter().map(|m| (m.line, m.text.clone())).collect::<Vec<_>>()
        };
        let expected = [(9, "B1"), (10, "A3"), (10, "C2")];
        assert_eq!(of(&games[0]), expected.map(|(line, text)| (line, text.to_owned())));
        assert_eq!(games[0].names, [Some("Ann".to_owned()), None]);
        assert_eq!(games[0].occasion.event.as_deref(), Some("a \"great\" day"));
        assert_eq!(games[0].occasion.site, None, "a question mark");
        assert_eq!((games[0].game.as_deref(), games[0].line), (Some("hadron3"), 1));
        assert_eq!((games[0].result, games[1].result), (Some(Winner::White), None));
        assert_eq!(of(&games[1]), [(16, "A1".to_owned())]);
        assert_eq!(games[0].occasion.date, "2026-11-27".parse().ok());
        assert_eq!(games[1].occasion.date, None, "only a year");
    }

    #[test]
    fn what_has_no_end_or_no_game_is_refused() {
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert!(error("1. A1 {begun\nand on").starts_with("line 1: found a comment without end"));
        assert!(error("[White \"A\"]\n[Black B]\n").starts_with("line 2: found `[Black B]`"));
        assert!(error("").contains("no game"));
    }
}
