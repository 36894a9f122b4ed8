//! Boards that may be turned or mirrored without changing the value of a position.
//!
//! The one idea: the inputs of the turned board are those of the board, renumbered; so each sample
//! can be used on any of the turned boards. In Lines of Action this is inexact where a centre of
//! mass lies between two cells, as it is rounded to one of them.

use alesia::games::{Hadron, Loa, Murus, Variant, Voidrider};

/// The symmetries of a game, as they change what its network sees. The first changes nothing.
pub trait Symmetry {
    /// How many there are.
    fn symmetries(&self) -> usize;
    /// What an input becomes.
    fn input(&self, input: usize, symmetry: usize) -> usize;
    /// What a row of a move becomes.
    fn row(&self, row: usize, symmetry: usize) -> usize;
}

/// Left and right exchanged.
impl Symmetry for Murus {
    fn symmetries(&self) -> usize {
        2
    }

    fn input(&self, input: usize, symmetry: usize) -> usize {
        // Kinds of walls and towers on 56 cells in rows of eight, kinds of paths forward to the
        // left and to the right alternately, then inputs without a place.
        const DIAGONALS: usize = 14 * 56;
        const PLACELESS: usize = 30 * 56;
        match input {
            _ if symmetry == 0 || input >= PLACELESS => input,
            0..DIAGONALS => input ^ 7,
            _ => {
                let (kind, cell) = (input / 56, input % 56);
                (kind ^ 1) * 56 + (cell ^ 7)
            }
        }
    }

    fn row(&self, row: usize, symmetry: usize) -> usize {
        // Eight directions of each cell, five kinds of landings from each cell, then what has no
        // column.
        const LANDING: usize = 8 * 56;
        const PLACELESS: usize = LANDING + 5 * 56;
        match row {
            _ if symmetry == 0 => row,
            0..LANDING => {
                let (cell, direction) = (row / 8, row % 8);
                (cell ^ 7) * 8 + (8 - direction) % 8
            }
            LANDING..PLACELESS => LANDING + ((row - LANDING) ^ 7),
            _ => row,
        }
    }
}

/// What the network sees has no place, and is the same for all eight: one that changes nothing.
impl Symmetry for Hadron {
    fn symmetries(&self) -> usize {
        1
    }

    fn input(&self, input: usize, _: usize) -> usize {
        input
    }

    fn row(&self, row: usize, _: usize) -> usize {
        row
    }
}

/// Top and bottom exchanged, left and right exchanged, rows and columns exchanged, or several of
/// these: a bit each.
impl Symmetry for Loa {
    fn symmetries(&self) -> usize {
        8
    }

    fn input(&self, input: usize, symmetry: usize) -> usize {
        // Two sides' stones on 64 cells, those that may be taken, what has no place, then squares
        // of four cells by what stands on them.
        const PLACELESS: usize = 4 * 64;
        const SQUARES: usize = PLACELESS + 84;
        match input {
            0..PLACELESS => on_boards(input, symmetry),
            PLACELESS..SQUARES => input,
            _ => SQUARES + turned_square(input - SQUARES, symmetry),
        }
    }

    fn row(&self, row: usize, symmetry: usize) -> usize {
        // The cells left and reached, then what has no place.
        if row >= 2 * 64 { row } else { on_boards(row, symmetry) }
    }
}

/// A cell of one of several boards of eight rows and columns.
fn on_boards(cell: usize, symmetry: usize) -> usize {
    cell & !63 | turned(cell & 63, symmetry)
}

/// A square of four cells and what stands on it, a digit of base three for each of its cells.
fn turned_square(square: usize, symmetry: usize) -> usize {
    const PATTERNS: usize = 81;
    let (square, pattern) = (square / PATTERNS, square % PATTERNS);
    let first = square + square / 7;
    // The cells of a square, and what counts for one of them.
    const CELLS: [(usize, usize); 4] = [(0, 1), (1, 3), (8, 9), (9, 27)];
    let cells = CELLS.map(|(step, one)| (turned(first + step, symmetry), pattern / one % 3));
    let first = cells.iter().map(|&(cell, _)| cell).min().expect("there are four");
    let digit = |(step, one)| {
        let (_, digit) = cells.iter().find(|&&(cell, _)| cell == first + step).expect("a square");
        digit * one
    };
    (first - first / 8) * PATTERNS + CELLS.map(digit).iter().sum::<usize>()
}

/// A cell of eight rows and columns.
fn turned(cell: usize, symmetry: usize) -> usize {
    let (mut row, mut column) = (cell / 8, cell % 8);
    if symmetry & 1 != 0 {
        row = 7 - row;
    }
    if symmetry & 2 != 0 {
        column = 7 - column;
    }
    if symmetry & 4 != 0 {
        (row, column) = (column, row);
    }
    row * 8 + column
}

/// Left and right exchanged.
impl Symmetry for Voidrider {
    fn symmetries(&self) -> usize {
        2
    }

    fn input(&self, input: usize, symmetry: usize) -> usize {
        // Twelve kinds of pieces and the void on 63 cells, rights to castle to the left and to the
        // right of each side, then what has no place.
        const RIGHTS: usize = 13 * 63;
        const PLACELESS: usize = RIGHTS + 4;
        match input {
            _ if symmetry == 0 => input,
            0..RIGHTS => mirrored(input),
            RIGHTS..PLACELESS => RIGHTS + ((input - RIGHTS) ^ 1),
            _ => input,
        }
    }

    fn row(&self, row: usize, symmetry: usize) -> usize {
        // The cells reached and the cells left by six kinds of pieces, then what has no place.
        if symmetry == 0 || row >= 12 * 63 { row } else { mirrored(row) }
    }
}

/// Left and right exchanged, where the definition allows it.
impl Symmetry for Variant {
    fn symmetries(&self) -> usize {
        self.rules().learned.as_ref().map_or(1, |learned| learned.layout.symmetries())
    }

    fn input(&self, input: usize, symmetry: usize) -> usize {
        let learned = self.rules().learned.as_ref().filter(|_| symmetry == 1);
        learned.map_or(input, |learned| learned.layout.mirrored_input(input))
    }

    fn row(&self, row: usize, symmetry: usize) -> usize {
        let learned = self.rules().learned.as_ref().filter(|_| symmetry == 1);
        learned.map_or(row, |learned| learned.layout.mirrored_row(row))
    }
}

/// A cell of seven columns; as many rows as there are.
fn mirrored(cell: usize) -> usize {
    cell / 7 * 7 + 6 - cell % 7
}

#[cfg(test)]
mod tests {
    use alesia::eval::network::NetworkGame;
    use alesia::game::Game;
    use alesia::games::AnyGame;

    use super::*;
    use crate::tune::data::Data;
    use crate::tune::subject::Subject;

    /// The rows of a board turned or mirrored as text.
    fn turned_rows(rows: &str, symmetry: usize) -> String {
        let mut rows: Vec<Vec<char>> = rows.split('/').map(|row| row.chars().collect()).collect();
        if symmetry & 1 != 0 {
            rows.reverse();
        }
        if symmetry & 2 != 0 {
            rows.iter_mut().for_each(|row| row.reverse());
        }
        if symmetry & 4 != 0 {
            let column = |column: usize| rows.iter().map(|row| row[column]).collect();
            rows = (0..rows[0].len()).map(column).collect();
        }
        let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
        rows.join("/")
    }

    /// A letter or digit among those from `first`, counted from the other end.
    fn from_end(character: char, first: char, count: u8) -> char {
        let index = character as u8 - first as u8;
        char::from(first as u8 + count - 1 - index)
    }

    fn exchanged(text: &str, pairs: &[(char, char)]) -> String {
        let exchange = |character| {
            pairs.iter().find_map(|&(a, b)| match character {
                _ if character == a => Some(b),
                _ if character == b => Some(a),
                _ => None,
            })
        };
        text.chars().map(|character| exchange(character).unwrap_or(character)).collect()
    }

    /// Checks positions of random games: what the network sees of the board turned as text, and of
    /// its moves turned as text, is what it sees of the board, renumbered. Returns how many
    /// positions `is_exact` lets through.
    fn check<G: Game + NetworkGame + Symmetry>(
        start: G,
        is_exact: impl Fn(&str) -> bool,
        board: impl Fn(&str, usize) -> String,
        notation: impl Fn(&str, usize) -> String,
    ) -> usize {
        let mut rng = fastrand::Rng::with_seed(1);
        let mut checked = 0;
        for _ in 0..20 {
            let mut position = start;
            while position.won().is_none() {
                let moves = position.legal_moves();
                let text = position.to_string();
                for symmetry in (0..start.symmetries()).filter(|_| is_exact(&text)) {
                    checked += 1;
                    let other = position.parse_board(&board(&text, symmetry)).unwrap();
                    let inputs = |position: &G, symmetry| {
                        let mut inputs = Vec::new();
                        position.for_each_input(|input| inputs.push(start.input(input, symmetry)));
                        inputs.sort_unstable();
                        inputs
                    };
                    assert_eq!(inputs(&position, symmetry), inputs(&other, 0), "{text} {symmetry}");
                    for &m in &moves {
                        let text = notation(&position.notation(m).to_string(), symmetry);
                        let rows = |position: &G, m, symmetry| {
                            let mut rows = Vec::new();
                            let context = position.move_context();
                            position.for_each_move_row(&context, m, |row| {
                                rows.push(start.row(row, symmetry))
                            });
                            rows.sort_unstable();
                            rows
                        };
                        let expected = rows(&other, other.parse_move(&text).unwrap(), 0);
                        assert_eq!(rows(&position, m, symmetry), expected, "{position} {text}");
                    }
                }
                if position.ply() >= position.ply_limit() {
                    break;
                }
                let Some(m) = position.random_move(&mut rng) else { break };
                position.play(m);
            }
        }
        checked
    }

    #[test]
    fn murus_looks_the_same_in_the_mirror() {
        let board = |text: &str, symmetry| match text.split_once(' ') {
            Some((rows, rest)) if symmetry == 1 => format!("{} {rest}", turned_rows(rows, 2)),
            _ => text.to_owned(),
        };
        let notation = |text: &str, symmetry| {
            if symmetry == 0 {
                return text.to_owned();
            }
            let (cell, direction) = text.split_once(',').unwrap();
            let (row, column) = cell.split_at(1);
            let column = from_end(column.parse().unwrap(), '1', 8);
            format!("{row}{column},{}", exchanged(direction, &[('E', 'W')]))
        };
        assert!(check(Murus::start(), |_| true, board, notation) > 500);
    }

    /// Whether no centre of mass lies between two cells.
    fn centres_are_clear(text: &str) -> bool {
        let rows = text.split(' ').next().unwrap();
        ['w', 'b'].iter().all(|&stone| {
            let cells = rows.split('/').enumerate().flat_map(|(row, line)| {
                let columns = line.chars().enumerate().filter(|&(_, cell)| cell == stone);
                columns.map(move |(column, _)| [row, column])
            });
            let cells: Vec<[usize; 2]> = cells.collect();
            (0..2).all(|axis| {
                let sum: usize = cells.iter().map(|cell| cell[axis]).sum();
                2 * sum % (2 * cells.len()) != cells.len()
            })
        })
    }

    #[test]
    fn lines_of_action_looks_the_same_turned_and_mirrored() {
        let board = |text: &str, symmetry| {
            let (rows, rest) = text.split_once(' ').unwrap();
            format!("{} {rest}", turned_rows(rows, symmetry))
        };
        let notation = |text: &str, symmetry| {
            let cell = |text: &str| {
                let (mut column, mut row) = (text.as_bytes()[0] - b'A', b'8' - text.as_bytes()[1]);
                if symmetry & 1 != 0 {
                    row = 7 - row;
                }
                if symmetry & 2 != 0 {
                    column = 7 - column;
                }
                if symmetry & 4 != 0 {
                    (row, column) = (column, row);
                }
                format!("{}{}", char::from(b'A' + column), char::from(b'8' - row))
            };
            let (from, to) = text.split_once('-').unwrap();
            format!("{}-{}", cell(from), cell(to))
        };
        let start = Loa::start(Default::default());
        assert!(check(start, centres_are_clear, board, notation) > 2000);
    }

    /// A variant with a network of zeros, so that it sees something.
    fn variant(name: &str) -> Variant {
        let AnyGame::Variant(start) = AnyGame::named(name).unwrap() else { panic!("{name}") };
        start.beginning(&Data::open(start, "", &[], None).unwrap(), 0.5).unwrap()
    }

    #[test]
    fn variants_look_the_same_in_the_mirror() {
        for (name, files) in [("variant:losalamos", 6), ("variant:breakthrough", 8)] {
            let board = |text: &str, symmetry| {
                if symmetry == 0 {
                    return text.to_owned();
                }
                let (rows, rest) = text.split_once(' ').unwrap();
                let rows: Vec<String> =
                    rows.split('/').map(|row| row.chars().rev().collect()).collect();
                format!("{} {rest}", rows.join("/"))
            };
            let notation = |text: &str, symmetry| {
                let (squares, promotion) = text.split_at(4);
                let file =
                    |c: char| if c.is_ascii_lowercase() { from_end(c, 'a', files) } else { c };
                let squares: String = squares.chars().map(file).collect();
                if symmetry == 0 { text.to_owned() } else { squares + promotion }
            };
            let start = variant(name);
            assert_eq!(start.symmetries(), 2);
            assert!(check(start, |_| true, board, notation) > 500);
        }
        assert_eq!(variant("variant:chess").symmetries(), 1);
    }

    #[test]
    fn voidrider_chess_looks_the_same_in_the_mirror() {
        let board = |text: &str, symmetry| {
            if symmetry == 0 {
                return text.to_owned();
            }
            let fields: Vec<&str> = text.split(' ').collect();
            let rights = exchanged(fields[3], &[('D', 'U'), ('d', 'u')]);
            let rows = turned_rows(fields[0], 2);
            format!("{rows} {} {} {rights} {}", fields[1], fields[2], fields[4])
        };
        let notation = |text: &str, symmetry| {
            let files = |c: char| if c.is_ascii_lowercase() { from_end(c, 'a', 7) } else { c };
            if symmetry == 0 { text.to_owned() } else { text.chars().map(files).collect() }
        };
        assert!(check(Voidrider::start(), |_| true, board, notation) > 500);
    }
}
