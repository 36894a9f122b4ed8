//! Smart Game Format for Lines of Action: `FF[4]`, `GM[9]` (A. Hollosi, 1999, and D. Dyer).
//!
//! The one idea: there Black moves first, and has the stones on the top and bottom rows. So a text
//! is a game of `loa:standard`, colour by colour. In `loa` and `loa:files` White moves first, and
//! is `B`; their texts name them (`RU`). Of variations the first is read.

use std::ops::ControlFlow;

use alesia::game::{Game, MAX_PLIES, Outcome, ParseError, Side, quoted};
use alesia::games::loa::Layout;
use alesia::games::text::side_letter;
use alesia::games::{AnyGame, GameSpec};

use super::notes::{Note, mark_of_property};
use super::{ForeignGame, Take, is_finished};
use alesia::record::end::Cause;
use alesia::record::game_record::{GameRecord, Occasion, Winner};

/// Cells in a row, and rows.
const SIZE: usize = 8;

/// The board on which no stones need to be named.
const USUAL: &str = ".bbbbbb./w......w/w......w/w......w/w......w/w......w/w......w/.bbbbbb.";

/// How deep branches may be nested.
const DEEPEST: usize = 1000;

/// Max values that are read of a game: as many moves as any game has, and each cell several times.
const MOST_VALUES: usize = MAX_PLIES + 8 * SIZE * SIZE;

/// Max letters of a property's name.
const LONGEST_NAME: usize = 20;

/// The properties that are read.
const READ: [&str; 14] =
    ["GM", "SZ", "RU", "PL", "PB", "PW", "EV", "PC", "DT", "RE", "AB", "AW", "B", "W"];

/// Those that say something of the move before them, of which as many are read as of the others.
const NOTES: [&str; 5] = ["C", "TE", "BM", "IT", "DO"];

/// The game of a text that names none.
const STANDARD: GameSpec = GameSpec::Loa(Layout::Standard);

/// Whether the format has a number for this game.
pub fn has(game: GameSpec) -> bool {
    matches!(game, GameSpec::Loa(_))
}

/// A record, `first` its position at the beginning.
///
/// # Errors
/// It is of another game.
pub fn text(record: &GameRecord, first: &AnyGame, notes: &[Note]) -> Result<String, ParseError> {
    let Some(game) = record.game.parse().ok().filter(|&game| has(game)) else {
        let game = quoted(&record.game);
        return Err(ParseError::new("format `sgf`", game, "Lines of Action, or another format"));
    };
    // The colours of the text, White's and Black's.
    let [white, black] = if game == STANDARD { ['W', 'B'] } else { ['B', 'W'] };
    let colour = |side| if side == Side::White { white } else { black };
    let mut text = "(;FF[4]CA[UTF-8]GM[9]SZ[8]".to_owned();
    if game != STANDARD {
        text += &format!("RU[{game}]");
    }
    for (colour, name) in [(white, &record.white), (black, &record.black)] {
        text += &format!("P{colour}[{}]", escaped(name));
    }
    let Occasion { event, site, date } = &record.occasion;
    let date = date.map(|date| date.to_string());
    for (property, value) in [("EV", event), ("PC", site), ("DT", &date)] {
        if let Some(value) = value {
            text += &format!("{property}[{}]", escaped(value));
        }
    }
    text += &format!("RE[{}]\n", result(record, colour));
    let stones = first.rows().to_string();
    let stones = if game == STANDARD { stones } else { exchanged(&stones) };
    if stones != USUAL {
        for (property, stone) in [("AB", 'b'), ("AW", 'w'), ("AE", '.')] {
            let points = points(&stones, stone);
            if !points.is_empty() {
                let points: String = points.iter().map(|point| format!("[{point}]")).collect();
                text += &format!("{property}{points}\n");
            }
        }
    }
    let mut side = first.side();
    if colour(side) == 'W' {
        text += "PL[W]\n";
    }
    for (ply, m) in record.line().moves.iter().enumerate() {
        text += &format!(";{}[{}]", colour(side), m.to_lowercase());
        if let Some(note) = notes.get(ply) {
            text += note.property();
            if !note.comment.is_empty() {
                text += &format!("C[{}]", escaped(&note.comment));
            }
        }
        if ply % SIZE == SIZE - 1 {
            text.push('\n');
        }
        side = !side;
    }
    Ok(text + ")\n")
}

/// The cells of a text board with this stone, such as `b1`.
fn points(stones: &str, stone: char) -> Vec<String> {
    let rows = (0..).zip(stones.split('/'));
    let cells = rows.flat_map(|(row, cells)| ('a'..).zip(cells.chars()).map(move |c| (row, c)));
    let own = cells.filter(|&(_, (_, found))| found == stone);
    own.map(|(row, (column, _))| format!("{column}{}", SIZE - row)).collect()
}

/// A text board, or its rows, with the colours exchanged.
pub fn exchanged(board: &str) -> String {
    let other = |c| match c {
        'w' => 'b',
        'b' => 'w',
        other => other,
    };
    board.chars().map(other).collect()
}

fn result(record: &GameRecord, colour: impl Fn(Side) -> char) -> String {
    let how = match record.cause {
        Cause::Rule | Cause::MoveLimit | Cause::Adjudication | Cause::Reported => "",
        Cause::Time => "T",
        Cause::IllegalMove | Cause::Disconnect | Cause::Stall => "F",
    };
    match record.result.outcome() {
        _ if !is_finished(record) => "?".to_owned(),
        Outcome::Win(side) => format!("{}+{how}", colour(side)),
        Outcome::Draw => "0".to_owned(),
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// A property with its values, and the line where it stands.
struct Property {
    line: usize,
    name: String,
    values: Vec<String>,
}

/// Hands the games of a text to `take`: for each game tree, that along the first branches. Of a
/// game that is another or has points that are none, the first thing that is wrong; wrong brackets
/// are the last.
pub fn read(text: &str, take: &mut Take) -> ControlFlow<()> {
    let wrong = |line: usize, found: &str, expected: &str| {
        Err(ParseError::new(format!("line {line}"), found.to_owned(), expected))
    };
    let mut tree = Tree::default();
    // Open brackets, and whether there was one.
    let (mut depth, mut found) = (0, false);
    let mut line = 1;
    let mut chars = text.chars().peekable();
    let mut name = String::new();
    while let Some(c) = chars.next() {
        match c {
            '\n' => line += 1,
            '(' => {
                if depth == 0 {
                    tree = Tree::default();
                    found = true;
                }
                depth += 1;
                if depth > DEEPEST {
                    return take(wrong(line, "`(`", "fewer branches within branches"));
                }
            }
            ')' => {
                if depth == 0 {
                    return take(wrong(line, "`)`", "`(` before it"));
                }
                depth -= 1;
                tree.ended = true;
                if depth == 0 {
                    take(game(&std::mem::take(&mut tree)))?;
                }
            }
            ';' => name.clear(),
            '[' => {
                let begun = line;
                let Some(value) = value(&mut chars, &mut line) else {
                    return take(wrong(begun, "a value without end", "`]`"));
                };
                if depth == 0 {
                    return take(wrong(begun, "`[`", "`(` before it"));
                }
                tree.add(begun, &mut name, value);
            }
            // Lower case letters are part of longer names in old files, and mean nothing.
            c if c.is_ascii_uppercase() && name.len() < LONGEST_NAME => name.push(c),
            _ => {}
        }
    }
    if depth > 0 {
        return take(wrong(line, "the end of the text", "`)`"));
    }
    match found {
        true => ControlFlow::Continue(()),
        false => take(Err(ParseError::new("SGF", "no game", "`(;GM[9] … )`"))),
    }
}

/// What is read of a game along its first branches.
#[derive(Default)]
struct Tree {
    properties: Vec<Property>,
    /// The values of these, but for notes.
    values: usize,
    /// Those of notes.
    notes: usize,
    /// Whether the property before was left out.
    skipped: bool,
    /// Whether a branch has ended: all that follow are others.
    ended: bool,
}

impl Tree {
    /// Adds a value to the property of that name, or to the last one if there is no name.
    fn add(&mut self, line: usize, name: &mut String, value: String) {
        let name = std::mem::take(name);
        if !name.is_empty() {
            self.skipped = !READ.contains(&&*name) && !NOTES.contains(&&*name);
        }
        if self.ended || self.skipped {
            return;
        }
        if NOTES.contains(&&*name) {
            self.notes += 1;
            if self.notes <= MOST_VALUES {
                self.properties.push(Property { line, name, values: vec![value] });
            }
            return;
        }
        self.values += 1;
        if self.values > MOST_VALUES {
            return;
        }
        match self.properties.last_mut() {
            Some(property) if name.is_empty() => property.values.push(value),
            _ => self.properties.push(Property { line, name, values: vec![value] }),
        }
    }
}

/// The rest of a value, whose end is a bracket.
fn value(chars: &mut impl Iterator<Item = char>, line: &mut usize) -> Option<String> {
    let mut value = String::new();
    while let Some(c) = chars.next() {
        match c {
            ']' => return Some(value),
            '\\' => value.push(chars.next()?),
            c => value.push(c),
        }
        *line += usize::from(c == '\n');
    }
    None
}

fn game(tree: &Tree) -> Result<ForeignGame, ParseError> {
    let Tree { properties, values, .. } = tree;
    let find = |name: &str| properties.iter().find(|property| property.name == name);
    let value = |name: &str| find(name).map(|property| property.values[0].trim());
    let line = properties.first().map_or(1, |property| property.line);
    let of_game = |what: &str, found: String, expected: &str| {
        ParseError::new(format!("line {line}, {what}"), found, expected)
    };
    match value("GM") {
        Some("9") => {}
        Some(other) => return Err(of_game("GM", quoted(other), "9, Lines of Action")),
        None => return Err(of_game("GM", "nothing".into(), "GM[9], Lines of Action")),
    }
    if *values > MOST_VALUES {
        let found = format!("{values} moves and points");
        return Err(of_game("game", found, &format!("at most {MOST_VALUES}")));
    }
    if let Some(other) = value("SZ").filter(|&size| size != "8") {
        return Err(of_game("SZ", quoted(other), "8"));
    }
    let is_move = |property: &&Property| matches!(property.name.as_str(), "B" | "W");
    let moves = properties.iter().filter(is_move);
    let first_of_moves = moves.clone().next().map(|property| property.name.as_str());
    let first =
        value("PL").map(|text| if text.to_lowercase().starts_with('w') { "W" } else { "B" });
    let first = if first.or(first_of_moves) == Some("W") { Side::White } else { Side::Black };
    let mut game = ForeignGame {
        line,
        names: ["PW", "PB"].map(|name| value(name).filter(|n| !n.is_empty()).map(str::to_owned)),
        board: board(properties, first)?,
        black_is_first: first == Side::Black,
        ..ForeignGame::default()
    };
    let known = |name| value(name).filter(|text| !text.is_empty()).map(str::to_owned);
    game.occasion = Occasion {
        event: known("EV"),
        site: known("PC"),
        date: value("DT").and_then(|text| text.parse().ok()),
    };
    game.result = value("RE").and_then(|text| match text.chars().next() {
        Some(c @ ('B' | 'W')) if text[1..].starts_with('+') => {
            Some(if c == 'W' { Winner::White } else { Winner::Black })
        }
        _ => matches!(text, "0" | "Draw").then_some(Winner::Nobody),
    });
    for property in properties {
        let text = property.values[0].trim();
        match property.name.as_str() {
            "C" => game.comment(text),
            "B" | "W" => {}
            name => game.judge(mark_of_property(name, text)),
        }
        if !is_move(&property) {
            continue;
        }
        if text.eq_ignore_ascii_case("resign") {
            let side = if property.name == "W" { Side::White } else { Side::Black };
            game.result = Some(if side == Side::White { Winner::Black } else { Winner::White });
            game.reason = Some(format!("{side} resigns"));
            break;
        }
        game.add(property.line, text.to_owned(), None);
    }
    let named = value("RU").and_then(|name| name.parse().ok()).filter(|&game| has(game));
    // A game that goes on after a repetition, as some rules have it.
    let usual = GameSpec::Loa(Layout::default());
    let fits = |spec: &GameSpec| game.record(*spec, 0).is_ok();
    let found = named.or_else(|| [STANDARD, usual].into_iter().find(fits)).unwrap_or(STANDARD);
    game.game = Some(found.to_string());
    Ok(game)
}

/// The text board of the stones that are named, or of the usual ones if Black does not move first;
/// none where it does.
fn board(properties: &[Property], first: Side) -> Result<Option<String>, ParseError> {
    let mut cells = [['.'; SIZE]; SIZE];
    let mut named = false;
    for property in properties {
        let stone = match property.name.as_str() {
            "AB" => 'b',
            "AW" => 'w',
            // Only the setup before the first move counts.
            "B" | "W" => break,
            _ => continue,
        };
        named = true;
        for point in &property.values {
            let found = || {
                let place = format!("line {}, {}", property.line, property.name);
                ParseError::new(place, quoted(point), "a point such as c3")
            };
            let bytes = point.trim().to_ascii_lowercase().into_bytes();
            let &[column @ b'a'..=b'h', row @ b'1'..=b'8'] = &bytes[..] else {
                return Err(found());
            };
            cells[SIZE - usize::from(row - b'0')][usize::from(column - b'a')] = stone;
        }
    }
    let stones = match (named, first) {
        (false, Side::Black) => return Ok(None),
        (false, Side::White) => USUAL.to_owned(),
        (true, _) => cells.map(|row| row.iter().collect::<String>()).join("/"),
    };
    Ok(Some(format!("{stones} {} 0", side_letter(first))))
}

#[cfg(test)]
mod tests {
    use super::super::tests::all;
    use super::*;
    use alesia::games::Loa;

    fn read(text: &str) -> Result<Vec<ForeignGame>, ParseError> {
        all(|take| super::read(text, take))
    }

    #[test]
    fn the_usual_board_is_that_of_the_game() {
        assert_eq!(Loa::start(Layout::Standard).to_string(), format!("{USUAL} b 0"));
    }

    #[test]
    fn the_first_branch_is_read_and_values_may_have_brackets() {
        let text = "(;FF[4]GM[9]PB[A\\]n]PW[Bob]C[(not (a) branch)]\n;B[b1-b3](;W[a2:c2];B[c1-c3+!])\n(;W[a4-c4]))";
        let games = read(text).unwrap();
        assert_eq!(games.len(), 1);
        let texts: Vec<_> = games[0].moves.iter().map(|m| (m.line, m.text.as_str())).collect();
        assert_eq!(texts, [(2, "b1-b3"), (2, "a2:c2"), (2, "c1-c3+!")]);
        assert_eq!(games[0].names, ["Bob", "A]n"].map(|name| Some(name.to_owned())));
        assert_eq!(games[0].board, None);
    }

    #[test]
    fn white_may_move_first() {
        let game = &read("(;GM[9]PB[B]PW[W]RE[W+R];W[a2-c2])").unwrap()[0];
        assert_eq!(game.names[0].as_deref(), Some("W"));
        assert_eq!(game.result, Some(Winner::White));
        assert_eq!(game.board, Some(format!("{USUAL} w 0")));
        assert!(game.record(STANDARD, 0).is_ok());
    }

    /// The players of a text that is read, by colour, its game and its result.
    fn seen(text: &str) -> (String, String, String, Winner) {
        let game = read(text).unwrap().remove(0);
        let record = game.record(game.game.as_deref().unwrap().parse().unwrap(), 0).unwrap();
        (record.game, record.white, record.black, record.result)
    }

    fn is(
        game: &str,
        white: &str,
        black: &str,
        result: Winner,
    ) -> (String, String, String, Winner) {
        (game.to_owned(), white.to_owned(), black.to_owned(), result)
    }

    const MOVES: &str = ";B[b1-b3];W[a2-c2];B[b3-b1];W[c2-a2]";

    #[test]
    fn colours_are_exchanged_only_where_white_moves_first_by_the_rules() {
        let head = "GM[9]PB[Ann]PW[Bob]RE[B+R]";
        let game = format!("(;{head};B[b1-b3])");
        assert_eq!(seen(&game), is("loa:standard", "Bob", "Ann", Winner::Black));
        let game = format!("(;RU[loa]{head};B[b1-b3])");
        assert_eq!(seen(&game), is("loa", "Ann", "Bob", Winner::White));
        // One of the game that a repetition ends, and one that goes on.
        let game = format!("(;GM[9]PB[Ann]PW[Bob]{MOVES})");
        assert_eq!(seen(&game), is("loa:standard", "Bob", "Ann", Winner::Nobody));
        let game = format!("(;{head}{MOVES};B[b1-b3])");
        assert_eq!(seen(&game), is("loa", "Ann", "Bob", Winner::White));
    }

    #[test]
    fn a_record_is_written_with_the_colours_of_its_rules() {
        for game in ["loa", "loa:files", "loa:standard"] {
            let spec: GameSpec = game.parse().unwrap();
            let start = AnyGame::start(spec);
            let m = start.notation(start.legal_moves()[0]).to_string();
            let foreign = ForeignGame {
                names: [Some("Bob".to_owned()), Some("Ann".to_owned())],
                moves: vec![crate::formats::ForeignMove { text: m, ..Default::default() }],
                result: Some(Winner::White),
                ..ForeignGame::default()
            };
            let record = foreign.record(spec, 0).unwrap();
            let text = text(&record, &start, &[]).unwrap();
            assert_eq!(text.contains("RU["), game != "loa:standard", "{text}");
            assert_eq!(text.contains("PW[Bob]"), game == "loa:standard", "{text}");
            assert_eq!(seen(&text), is(game, "Bob", "Ann", Winner::White), "{text}");
        }
    }

    #[test]
    fn stones_that_are_named_are_the_board() {
        let game = &read("(;GM[9]AB[a1][b1]AW[h8];B[resign])").unwrap()[0];
        let board = game.board.as_deref().unwrap();
        assert_eq!(
            board,
            ".......w/......../......../......../......../......../......../bb...... b 0"
        );
        assert_eq!(game.reason.as_deref(), Some("Black resigns"));
        assert_eq!(game.result, Some(Winner::White));
    }

    #[test]
    fn names_errors_with_their_line() {
        let error =
            |text: &str| read(text).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error("(;GM[1]SZ[19])").starts_with("line 1, GM: found `1`, expected 9"));
        assert!(error("(;GM[9]\nAB[z9])").starts_with("line 2, AB: found `z9`"));
        assert!(error("(;GM[9]\nC[open").starts_with("line 2: found a value without end"));
        assert!(error("(;GM[9]").starts_with("line 1: found the end of the text"));
        assert!(error("GM[9]").contains("`(` before it"));
        assert!(error(&"(".repeat(DEEPEST + 1)).contains("fewer branches"));
        assert!(error("").contains("no game"));
    }
}
