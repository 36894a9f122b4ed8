//! Boards drawn with text, one or several beside each other, as in the pages of rules.
//!
//! The one idea: the line of column names at the bottom says where each board stands; the rows and
//! the caption above it follow from that.

use crate::games::language::Language;

/// The character of a cell that is marked, and empty.
pub const MARK: char = '*';

/// A board of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// The words above it; may be empty.
    pub caption: String,
    /// The names of the rows, from top to bottom.
    pub row_names: Vec<String>,
    /// The names of the columns, from left to right.
    pub column_names: Vec<String>,
    /// The characters of the cells, row by row. [`MARK`] is an empty cell that is marked.
    pub cells: Vec<Vec<char>>,
    /// Which game leads here.
    pub origin: Origin,
}

/// Where the position of a diagram comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Its text board has these words after the rows.
    Given(String),
    /// Nothing is said: the board only illustrates.
    Open,
    /// These moves were played in the first position of the block, or from the start of the game
    /// if this is the first.
    First(Vec<String>),
    /// These moves were played in the position of the diagram before.
    Before(Vec<String>),
}

impl Origin {
    /// The moves that lead here from another diagram.
    pub fn moves(&self) -> &[String] {
        match self {
            Origin::Given(_) | Origin::Open => &[],
            Origin::First(moves) | Origin::Before(moves) => moves,
        }
    }
}

impl Diagram {
    /// Reads the diagrams of a block, from left to right. `fields` are the words after the rows in
    /// the text board of the first. Lines that are no board give no diagram.
    pub(super) fn parse_all(
        lines: &[&str],
        fields: Option<&str>,
        language: Language,
    ) -> Vec<Diagram> {
        let Some((names, rows)) = lines.split_last() else { return Vec::new() };
        let (names, rows): (Vec<char>, Vec<Vec<char>>) =
            (names.chars().collect(), rows.iter().map(|row| row.chars().collect()).collect());
        let places = places(&names);
        let ends = places.iter().skip(1).map(|&(start, _)| start - 2).chain([usize::MAX]);
        let mut diagrams: Vec<Diagram> = Vec::new();
        for (&(start, columns), end) in places.iter().zip(ends) {
            let mut diagram = Diagram {
                caption: String::new(),
                row_names: Vec::new(),
                column_names: (0..columns).map(|i| names[start + 2 * i].to_string()).collect(),
                cells: Vec::new(),
                origin: Origin::Open,
            };
            for row in &rows {
                match cells(row, start, columns) {
                    Some((name, cells)) => {
                        diagram.row_names.push(name);
                        diagram.cells.push(cells);
                    }
                    None => diagram.caption += &words(row, start - 2, end),
                }
            }
            let fields = fields.filter(|_| diagrams.is_empty());
            diagram.origin = origin(&diagram.caption, fields, language);
            diagrams.push(diagram);
        }
        diagrams
    }

    /// The rows of the text board, joined by `/`; marked cells are empty.
    pub fn rows(&self) -> String {
        let row = |cells: &Vec<char>| -> String {
            cells.iter().map(|&cell| if cell == MARK { '.' } else { cell }).collect()
        };
        self.cells.iter().map(row).collect::<Vec<String>>().join("/")
    }
}

/// Where column names begin, and how many there are: boards are separated by two blanks or more.
fn places(names: &[char]) -> Vec<(usize, usize)> {
    let mut places: Vec<(usize, usize)> = Vec::new();
    for (at, _) in names.iter().enumerate().filter(|(_, name)| **name != ' ') {
        match places.last_mut() {
            Some((start, columns)) if at == *start + 2 * *columns => *columns += 1,
            // A row's name and a blank stand before the first column.
            _ if at >= 2 => places.push((at, 1)),
            _ => {}
        }
    }
    places
}

/// The name and the cells of a row of a board.
fn cells(row: &[char], start: usize, columns: usize) -> Option<(String, Vec<char>)> {
    let before = row.get(..start - 1)?;
    let begin = before.iter().rposition(|c| *c == ' ').map_or(0, |blank| blank + 1);
    let name: String = before[begin..].iter().collect();
    if name.is_empty() {
        return None;
    }
    let blank = |at: usize| row.get(at) == Some(&' ');
    let cell = |i: usize| row.get(start + 2 * i).copied().filter(|cell| *cell != ' ');
    let cells = (0..columns).map(cell).collect::<Option<Vec<char>>>()?;
    (0..columns).all(|i| blank(start + 2 * i - 1)).then_some((name, cells))
}

/// The words between two columns.
fn words(row: &[char], start: usize, end: usize) -> String {
    let text: String = row.iter().take(end).skip(start).collect();
    text.trim().to_owned()
}

fn origin(caption: &str, fields: Option<&str>, language: Language) -> Origin {
    let mut words = caption.split_whitespace();
    let first = words.next().unwrap_or_default();
    let moves = words.map(str::to_owned).collect();
    let [after, then] = language.captions();
    match fields {
        _ if first == after => Origin::First(moves),
        _ if first == then => Origin::Before(moves),
        Some(fields) => Origin::Given(fields.to_owned()),
        None => Origin::Open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: [&str; 4] = [
        "  before       after A1 B2",
        "  A . *        A w .",
        "  B . .        B . b",
        "    1 2          1 2",
    ];

    #[test]
    fn boards_beside_each_other_are_told_apart() {
        let [first, second] = &Diagram::parse_all(&TWO, Some("w 0"), Language::English)[..] else {
            panic!()
        };
        assert_eq!((first.caption.as_str(), second.caption.as_str()), ("before", "after A1 B2"));
        assert_eq!((first.rows(), second.rows()), ("../..".into(), "w./.b".into()));
        assert_eq!(first.cells[0], ['.', MARK]);
        assert_eq!(second.row_names, ["A", "B"]);
        assert_eq!(second.column_names, ["1", "2"]);
        assert_eq!(first.origin, Origin::Given("w 0".into()));
        assert_eq!(second.origin, Origin::First(vec!["A1".into(), "B2".into()]));
    }

    #[test]
    fn the_name_of_a_row_may_have_two_characters() {
        let lines = ["  10 . w  10 w .", "   9 b .   9 . b", "     a b     a b"];
        let diagrams = Diagram::parse_all(&lines, None, Language::English);
        assert_eq!(diagrams.len(), 2);
        for diagram in &diagrams {
            assert_eq!(diagram.row_names, ["10", "9"]);
        }
        assert_eq!(diagrams[1].rows(), "w./.b");
    }

    #[test]
    fn captions_are_read_in_the_language_of_the_page() {
        let [_, second] = &Diagram::parse_all(&TWO, None, Language::Italian)[..] else { panic!() };
        assert_eq!(second.origin, Origin::Open);
        let lines = TWO.map(|line| line.replace("after", "poi"));
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let diagrams = Diagram::parse_all(&lines, None, Language::Italian);
        assert_eq!(diagrams[1].origin, Origin::Before(vec!["A1".into(), "B2".into()]));
    }

    #[test]
    fn lines_that_are_no_board_give_none() {
        for lines in [&[][..], &["words"], &["  A . .", ""]] {
            let diagrams = Diagram::parse_all(lines, Some("w 0"), Language::English);
            assert!(diagrams.iter().all(|diagram| diagram.cells.is_empty()), "{lines:?}");
        }
    }
}
