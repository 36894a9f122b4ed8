//! Reading Portable Game Notation.
//!
//! The one idea: a game is read to its end and handed on before the next begins. It ends at its
//! result, at tags after moves, or at tags that begin anew.

use std::ops::ControlFlow;

use alesia::game::{ParseError, quoted};
use alesia::games::GameSpec;
use alesia::record::game_record::Date;

use super::super::notes::mark_of;
use super::super::remarks::{COMMENT, Remarks};
use super::super::words::{Word, of_token};
use super::super::{ForeignGame, Take, chess};

/// The names of chess in the tag `Variant`, where it has one. Chess960 is chess where castling is
/// that of chess; elsewhere its castling rights are refused.
const CHESS: [&str; 8] = [
    "chess",
    "standard",
    "classical",
    "normal",
    "orthodox",
    "fromposition",
    "chess960",
    "fischerandom",
];

/// The tags that are read, in lower case.
const TAGS: [&str; 8] = ["event", "site", "date", "white", "black", "result", "variant", "fen"];

/// Hands the games of a text to `take`; of a game with a wrong tag, the first such. At the end,
/// that there is no game, or that a remark has no end.
pub fn read(text: &str, take: &mut Take) -> ControlFlow<()> {
    let mut reader = Reader { open: None, found: false, take };
    let mut remarks = Remarks::heard();
    for (number, line) in (1..).zip(text.lines()) {
        let mut rest = line.trim();
        if rest.is_empty()
            && let Some(open) = &mut reader.open
        {
            open.gap = true;
        }
        // Several may stand on a line.
        while !remarks.are_open() && rest.starts_with('[') {
            let tag = tag(rest).ok_or_else(|| {
                let expected = "a tag such as [White \"Alesia\"]";
                ParseError::new(format!("line {number}"), quoted(rest), expected)
            });
            rest = tag.as_ref().map_or("", |&(_, _, after)| after);
            reader.tag(number, tag.map(|(name, value, _)| (name, value)))?;
        }
        // Lines for programs.
        if !remarks.are_open() && rest.starts_with('%') {
            continue;
        }
        // After a semicolon the rest of the line is a comment.
        for word in remarks.left_out_until(rest, number, Some(';')).split_whitespace() {
            if word == COMMENT {
                let comment = remarks.next_comment().unwrap_or_default();
                if let Some(open) = &mut reader.open {
                    open.game.comment(&comment);
                }
                continue;
            }
            match Word::of(word) {
                Word::Mark => {
                    if let Some(open) = &mut reader.open {
                        open.game.judge(mark_of(word));
                    }
                }
                Word::Move(text) => {
                    let open = reader.open.get_or_insert_with(|| Open::at(number));
                    open.in_tags = false;
                    open.game.add(number, text, None);
                    open.game.judge(mark_of(word));
                }
                Word::Result(result) => {
                    if let Some(open) = &mut reader.open {
                        open.game.result = open.game.result.or(result);
                    }
                    reader.end()?;
                }
            }
        }
    }
    if let Err(error) = remarks.end() {
        return (reader.take)(Err(error));
    }
    reader.end()?;
    match reader.found {
        true => ControlFlow::Continue(()),
        false => (reader.take)(Err(ParseError::new("PGN", "no game", "tags and moves"))),
    }
}

struct Reader<'t, 'f> {
    /// The game that has begun.
    open: Option<Open>,
    found: bool,
    take: &'t mut Take<'f>,
}

/// A game that has begun and not ended.
struct Open {
    game: ForeignGame,
    /// The first tag that is wrong.
    wrong: Option<ParseError>,
    /// Whether no move has come yet.
    in_tags: bool,
    /// Whether an empty line has come after a tag.
    gap: bool,
    /// A bit for each of [`TAGS`] that has come.
    said: u8,
}

impl Open {
    fn at(line: usize) -> Open {
        let game = ForeignGame { line, usual: chess(), ..ForeignGame::default() };
        Open { game, wrong: None, in_tags: true, gap: false, said: 0 }
    }

    /// Whether a tag is one of the next game: the standard's first, or one that has come already.
    fn ends_before(&self, tag: Option<usize>) -> bool {
        let again = tag.is_some_and(|tag| self.said >> tag & 1 != 0);
        let first = tag == Some(0);
        let is_over = again || first || self.wrong.is_some();
        !self.in_tags || self.gap && is_over || first && again
    }
}

impl Reader<'_, '_> {
    /// Takes what a tag says, if anybody wants it.
    fn tag(&mut self, line: usize, tag: Result<(&str, String), ParseError>) -> ControlFlow<()> {
        let name = tag.as_ref().map_or("", |&(name, _)| name).to_ascii_lowercase();
        let number = TAGS.iter().position(|&tag| tag == name);
        if self.open.as_ref().is_some_and(|open| open.ends_before(number)) {
            self.end()?;
        }
        let open = self.open.get_or_insert_with(|| Open::at(line));
        open.gap = false;
        open.said |= number.map_or(0, |number| 1 << number);
        match tag {
            Ok((_, value)) => keep(&mut open.game, &name, value),
            Err(error) => _ = open.wrong.get_or_insert(error),
        }
        ControlFlow::Continue(())
    }

    /// Hands on the game that has begun, if one has.
    fn end(&mut self) -> ControlFlow<()> {
        let Some(Open { mut game, wrong, in_tags, .. }) = self.open.take() else {
            return ControlFlow::Continue(());
        };
        // Only chess does without the tag `Variant`, also before the first move.
        if in_tags && game.game.is_none() && game.board.is_none() {
            game.game = game.usual.map(|game| game.to_string());
        }
        self.found = true;
        (self.take)(wrong.map_or(Ok(game), Err))
    }
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

/// Keeps the value of a tag whose name is one of [`TAGS`].
fn keep(game: &mut ForeignGame, name: &str, value: String) {
    let known = || (value != "?" && !value.is_empty()).then(|| value.clone());
    match name {
        "white" => game.names[0] = known(),
        "black" => game.names[1] = known(),
        "variant" => game.game = known().map(|tag| game_of(&tag)),
        "fen" => game.board = known().map(|fen| with_letters_of_chess(&fen)),
        // Often only the year is known: that is no day.
        "event" => game.occasion.event = known(),
        "site" => game.occasion.site = known(),
        "date" => game.occasion.date = Date::strptime("%Y.%m.%d", value).ok(),
        "result" => game.result = of_token(&value).flatten(),
        _ => {}
    }
}

/// The game of the tag `Variant`, as the command line names it; a name that is unknown stays as it
/// is. Other programs write the names of variants in words, such as `King of the Hill`.
pub fn game_of(tag: &str) -> String {
    if tag.parse::<GameSpec>().is_ok() {
        return tag.to_owned();
    }
    let mut name = tag.to_ascii_lowercase();
    name.retain(|c| !matches!(c, ' ' | '-' | '_'));
    let name = if CHESS.contains(&&*name) { "chess" } else { &name };
    let found = format!("variant:{name}");
    if found.parse::<GameSpec>().is_ok() { found } else { tag.to_owned() }
}

/// A position whose castling rights are named by the files of the corners, as Chess960 does, with
/// the letters of chess: they mean the same where king and rooks stand as there.
fn with_letters_of_chess(fen: &str) -> String {
    let mut fields: Vec<&str> = fen.split_whitespace().collect();
    let is_of_files = |rights: &str| rights.chars().all(|c| "AHah".contains(c));
    let Some(rights) = fields.get_mut(2).filter(|rights| is_of_files(rights)) else {
        return fen.to_owned();
    };
    let letter = |c| match c {
        'H' => 'K',
        'A' => 'Q',
        'h' => 'k',
        _ => 'q',
    };
    let letters: String = rights.chars().map(letter).collect();
    *rights = &letters;
    fields.join(" ")
}
