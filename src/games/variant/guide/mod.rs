//! The page of rules of a variant, written from its definition.
//!
//! The one idea: a page in the Markdown of `docs/games/`, so that whatever shows the pages of the
//! other games shows this one too. It says what the compiled rules do, not what the file says.

mod ends;
mod moves;
mod spoken;

use std::fmt::Write;

use super::play::position::Variant;
use super::play::rules::Rules;
use super::read::betza::{Part, Reach, Step};
use super::read::definition::{Definition, Kind};
use super::read::values::Area;
use crate::game::Side;
use crate::game::bitboard::cells;
use crate::games::language::Language;

/// The page of a variant in a language.
pub fn page(rules: &'static Rules, language: Language) -> String {
    let definition = &rules.definition;
    let start = rules.start();
    let Definition { title, name, rows, columns, .. } = definition;
    let guide = Guide { definition, start: &start, language };
    let goal = guide.goal();
    let mut page = guide.say(
        format!(
            "# {title}\n\n**Goal:** {goal}. Its name is `{name}`. What is not \
             said here is as in chess.\n\n## The board\n\n{rows} ranks and {columns} files. White \
             begins. A piece is written with its letter, in upper case for White; `#` is a cell \
             that is no square.\n\n"
        ),
        format!(
            "# {title}\n\n**Scopo:** {goal}. Il suo nome è `{name}`. Il resto è \
             come negli scacchi.\n\n## La scacchiera\n\n{rows} traverse e {columns} colonne. \
             Comincia il Bianco. Un pezzo si scrive con la sua lettera, maiuscola per il Bianco; \
             `#` è una cella che non è una casa.\n\n"
        ),
    );
    let text = start.to_string();
    let fields = text.split_once(' ').map_or("", |(_, fields)| fields);
    let board = crate::game::screen::board(&start).replace('*', "#");
    // Writing to a string cannot fail.
    let _ = write!(page, "```board {fields}\n{board}```\n\n");
    page += &guide.pieces();
    for (heading, points) in [
        (guide.say("The moves", "Le mosse"), guide.rules()),
        (guide.say("The end", "La fine"), guide.ends()),
    ] {
        let points: String = points.iter().map(|point| format!("- {point}.\n")).collect();
        let _ = write!(page, "## {heading}\n\n{points}\n");
    }
    page
}

struct Guide<'a> {
    definition: &'a Definition,
    start: &'a Variant,
    language: Language,
}

impl Guide<'_> {
    /// The text of the language.
    fn say(&self, english: impl Into<String>, italian: impl Into<String>) -> String {
        match self.language {
            Language::English => english.into(),
            Language::Italian => italian.into(),
        }
    }

    fn side(&self, side: Side) -> String {
        match side {
            Side::White => self.say("White", "Bianco"),
            Side::Black => self.say("Black", "Nero"),
        }
    }

    /// The letters of a set of pieces.
    fn letters(&self, set: u32) -> String {
        let kinds = cells(set.into()).map(|kind| self.definition.kinds[kind].letter);
        let letters: Vec<String> = kinds.map(|letter| format!("`{letter}`")).collect();
        letters.join(" ")
    }

    /// The cells of a region: whole ranks, then cells.
    fn region(&self, region: u64) -> String {
        let Area { rows, columns } =
            Area { rows: self.definition.rows, columns: self.definition.columns };
        let mut left = region;
        let mut names = Vec::new();
        for row in (0..rows).rev() {
            let rank = (0..columns).fold(0u64, |set, column| set | 1 << (row * columns + column));
            if left & rank == rank {
                left &= !rank;
                let number = rows - row;
                names.push(self.say(format!("rank {number}"), format!("traversa {number}")));
            }
        }
        names.extend(cells(left).map(|cell| self.definition.cell_name(cell)));
        names.join(", ")
    }

    /// A region of each side, said once where both are the same.
    fn regions(&self, regions: [u64; 2]) -> String {
        if regions[0] == regions[1] {
            return self.region(regions[0]);
        }
        let of =
            |side: Side| format!("{}: {}", self.side(side), self.region(regions[side as usize]));
        let named = [Side::White, Side::Black].into_iter().filter(|&s| regions[s as usize] != 0);
        named.map(of).collect::<Vec<_>>().join("; ")
    }

    fn pieces(&self) -> String {
        let mut table = self.say(
            "## The pieces\n\nA number counts squares along ranks and files.\n\n\
             | letter | name | how it moves | in Betza's notation |\n|---|---|---|---|\n",
            "## I pezzi\n\nUn numero conta le case lungo traverse e colonne.\n\n\
             | lettera | nome | come muove | nella notazione di Betza |\n|---|---|---|---|\n",
        );
        for kind in &self.definition.kinds {
            let moves = match &self.parts(kind)[..] {
                [] => self.say("does not move", "non muove"),
                parts => spoken::moves(parts, self.language),
            };
            let (letter, name, notation) = (kind.letter, &kind.name, &kind.notation);
            let notation = if notation.is_empty() { "" } else { &format!("`{notation}`") };
            let _ = writeln!(table, "| `{letter}` | {name} | {moves} | {notation} |");
        }
        table + "\n"
    }

    /// The parts of a piece that have an effect: those of first moves from a region of them, and
    /// captures en passant where a first move can pass a cell.
    fn parts(&self, kind: &Kind) -> Vec<Part> {
        let has_first_moves = self.definition.initial_region != [0, 0];
        let has_en_passant = self.has_en_passant();
        let parts = kind.parts.iter().filter(|part| has_first_moves || !part.initial).cloned();
        parts.map(|part| Part { en_passant: part.en_passant && has_en_passant, ..part }).collect()
    }

    /// Whether a piece has a first move that passes a cell on which it can be captured.
    fn has_en_passant(&self) -> bool {
        let definition = self.definition;
        let is_long = |&(rows, columns): &Step| {
            let is_line = rows == 0 || columns == 0 || rows.abs() == columns.abs();
            is_line && rows.abs().max(columns.abs()) > 1
        };
        let passes = |part: &Part| {
            let rides = !matches!(part.reach, Reach::Leap | Reach::Lame | Reach::Ride(1));
            part.initial && part.quiet && (rides || part.steps.iter().any(is_long))
        };
        definition.initial_region != [0, 0]
            && definition.en_passant_region != 0
            && definition.kinds.iter().any(|kind| !kind.royal && kind.parts.iter().any(passes))
    }
}

#[cfg(test)]
mod tests;
