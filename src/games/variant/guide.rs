//! The page of rules of a variant, written from its definition.
//!
//! The one idea: a page in the Markdown of `docs/games/`, so that whatever shows the pages of the
//! other games shows this one too. It says what the compiled rules do, not what the file says.

use std::fmt::Write;

use super::definition::{Definition, Extinction};
use super::rules::Rules;
use super::spoken;
use super::values::Area;
use crate::bitboard::cells;
use crate::game::{Score, Side};
use crate::games::language::Language;

/// The page of a variant in a language.
pub fn page(rules: &'static Rules, language: Language) -> String {
    let definition = &rules.definition;
    let start = rules.position(&definition.start.value).expect("checked when the rules were read");
    let Definition { title, name, rows, columns, .. } = definition;
    let guide = Guide { definition, language };
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
    let board = crate::screen::board(&start).replace('*', "#");
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

    fn goal(&self) -> String {
        let definition = self.definition;
        if definition.flags != 0 {
            let (pieces, region) =
                (self.letters(definition.flags), self.regions(definition.flag_region));
            return self.say(
                format!("bring a piece {pieces} to its region ({region})"),
                format!("portare un pezzo {pieces} nella sua zona ({region})"),
            );
        }
        match (&definition.extinction, definition.royal() != 0) {
            (Some(Extinction { value: Score::Win, .. }), _) => {
                self.say("lose your own pieces", "perdere i propri pezzi")
            }
            (Some(_), _) => {
                self.say("capture the opponent's pieces", "catturare i pezzi avversari")
            }
            (None, true) => self.say(
                "attack the opponent's king so that it cannot escape",
                "attaccare il re avversario in modo che non possa fuggire",
            ),
            (None, false) => self.say("leave no move", "non lasciare mosse all'avversario"),
        }
    }

    fn pieces(&self) -> String {
        let mut table = self.say(
            "## The pieces\n\nA number counts squares along ranks and files.\n\n\
             | letter | name | how it moves | in Betza's notation |\n|---|---|---|---|\n",
            "## I pezzi\n\nUn numero conta le case lungo traverse e colonne.\n\n\
             | lettera | nome | come muove | nella notazione di Betza |\n|---|---|---|---|\n",
        );
        for kind in &self.definition.kinds {
            let moves = spoken::moves(&kind.parts, self.language);
            let (letter, name, notation) = (kind.letter, &kind.name, &kind.notation);
            let _ = writeln!(table, "| `{letter}` | {name} | {moves} | `{notation}` |");
        }
        table + "\n"
    }

    /// What is particular about the moves.
    fn rules(&self) -> Vec<String> {
        let definition = self.definition;
        let mut rules = Vec::new();
        if definition.royal() != 0 {
            rules.push(self.say(
                "After a move the king of the side that has moved must not be attacked",
                "Dopo una mossa il proprio re non deve essere attaccato",
            ));
        } else {
            rules.push(self.say(
                "There is no king, and so no check",
                "Non c'è un re, e perciò non c'è scacco",
            ));
        }
        if !definition.checking {
            rules.push(self.say("No move may give check", "Nessuna mossa può dare scacco"));
        }
        if definition.must_capture {
            rules.push(self.say("Who can capture must", "Chi può catturare deve farlo"));
        }
        self.promotions(&mut rules);
        self.first_moves(&mut rules);
        self.castlings(&mut rules);
        self.void_moves(&mut rules);
        rules
    }

    fn promotions(&self, rules: &mut Vec<String>) {
        let definition = self.definition;
        if definition.promoting == 0 {
            return;
        }
        let pieces = self.letters(definition.promoting);
        let region = self.regions(definition.promotion_region);
        let [white, black] = [0, 1].map(|side: usize| {
            let set = definition.promotions[side].iter().fold(0, |set, kind| set | 1 << kind);
            self.letters(set)
        });
        if white.is_empty() && black.is_empty() {
            if definition.mandatory_promotion {
                rules.push(self.say(
                    format!("{pieces} may not enter: {region}"),
                    format!("{pieces} non può entrare in: {region}"),
                ));
            }
            return;
        }
        let becomes = if white == black {
            white
        } else {
            format!("{}: {white}; {}: {black}", self.side(Side::White), self.side(Side::Black))
        };
        let optional = match definition.mandatory_promotion {
            true => String::new(),
            false => self.say(", if its side wants to", ", se il suo giocatore vuole"),
        };
        rules.push(self.say(
            format!(
                "{pieces} is promoted where it arrives ({region}), to one of {becomes}{optional}"
            ),
            format!("{pieces} è promosso dove arriva ({region}), a uno di {becomes}{optional}"),
        ));
    }

    fn first_moves(&self, rules: &mut Vec<String>) {
        let definition = self.definition;
        let regions = definition.initial_region;
        let has_initial =
            |kind: &super::definition::Kind| kind.parts.iter().any(|part| part.initial);
        let with = definition.kinds.iter().enumerate().filter(|(_, kind)| has_initial(kind));
        let set = with.fold(0, |set, (index, _)| set | 1 << index);
        if set == 0 {
            return;
        }
        let pieces = self.letters(set);
        if regions == [0, 0] {
            return rules.push(self.say(
                format!("{pieces} has no double step"),
                format!("{pieces} non ha il passo doppio"),
            ));
        }
        let region = self.regions(regions);
        rules.push(self.say(
            format!("The double step region of {pieces} is: {region}"),
            format!("La zona del passo doppio di {pieces} è: {region}"),
        ));
    }

    fn castlings(&self, rules: &mut Vec<String>) {
        for castling in &self.definition.castlings {
            let name = |cell: usize| self.definition.cell_name(cell);
            let (king, rook) = (
                format!("{}-{}", name(castling.king_from), name(castling.king_to)),
                format!("{}-{}", name(castling.rook_from), name(castling.rook_to)),
            );
            let side = self.side(castling.side);
            rules.push(self.say(
                format!("{side} castles with the king {king} and the rook {rook}"),
                format!("{side} arrocca con il re {king} e la torre {rook}"),
            ));
        }
    }

    fn void_moves(&self, rules: &mut Vec<String>) {
        let definition = self.definition;
        if definition.void_moves {
            rules.push(self.say(
                "A piece beside a cell that is no square may go there with its own square, if the \
                 new square then has a side in common with another",
                "Un pezzo accanto a una cella che non è una casa può andarvi con la propria casa, \
                 se questa ha poi un lato in comune con un'altra",
            ));
            let pawn = definition.pawn_void_moves;
            let ways = [
                (pawn.forward, self.say("forward", "in avanti")),
                (pawn.sideways, self.say("sideways", "di lato")),
                (pawn.backward, self.say("backward", "indietro")),
            ];
            if definition.pawns != 0 && ways.iter().any(|(may, _)| !may) {
                let ways: Vec<String> =
                    ways.into_iter().filter_map(|(may, way)| may.then_some(way)).collect();
                let (pieces, ways) = (self.letters(definition.pawns), ways.join(", "));
                rules.push(self.say(
                    format!("{pieces} does so only: {ways}"),
                    format!("{pieces} lo fa soltanto: {ways}"),
                ));
            }
        }
        if definition.void_riders != 0 {
            let pieces = self.letters(definition.void_riders);
            rules.push(self.say(
                format!("{pieces} crosses any number of cells that are no squares"),
                format!("{pieces} attraversa quante celle vuole che non sono case"),
            ));
        }
    }

    /// A result for the side that is spoken of.
    fn result(&self, value: Score) -> String {
        match value {
            Score::Win => self.say("wins", "vince"),
            Score::Loss => self.say("loses", "perde"),
            Score::Draw => self.say("has a draw", "pareggia"),
        }
    }

    fn ends(&self) -> Vec<String> {
        let definition = self.definition;
        let [mate, stalemate] =
            [definition.checkmate, definition.stalemate].map(|value| self.result(value));
        let mut ends = Vec::new();
        if definition.royal() != 0 {
            ends.push(self.say(
                format!("Who is in check and cannot move {mate}"),
                format!("Chi è sotto scacco e non può muovere {mate}"),
            ));
        }
        ends.push(self.say(
            format!("Who cannot move, and is not in check, {stalemate}"),
            format!("Chi non può muovere, e non è sotto scacco, {stalemate}"),
        ));
        if let Some(extinction) = &definition.extinction {
            ends.push(self.extinction(extinction));
        }
        if definition.flags != 0 {
            let (pieces, region) =
                (self.letters(definition.flags), self.regions(definition.flag_region));
            ends.push(self.say(
                format!("Who brings a piece {pieces} to its region wins ({region})"),
                format!("Chi porta un pezzo {pieces} nella sua zona vince ({region})"),
            ));
        }
        if definition.fold > 0 {
            let (fold, result) = (definition.fold, self.result(definition.fold_value));
            ends.push(self.say(
                format!("When a position has occurred {fold} times, the side to move {result}"),
                format!("Quando una posizione è comparsa {fold} volte, chi muove {result}"),
            ));
        }
        if let Some(plies) = definition.quiet_limit {
            let (moves, pieces) = (plies / 2, self.letters(definition.resetting));
            ends.push(self.say(
                format!("{moves} moves of each side without a capture or a move of {pieces} are a draw"),
                format!("{moves} mosse di ciascuno senza una cattura o una mossa di {pieces} danno la patta"),
            ));
        }
        let plies = super::PLY_LIMIT;
        ends.push(self.say(
            format!("After {plies} plies the game is a draw"),
            format!("Dopo {plies} semimosse la partita è patta"),
        ));
        ends
    }

    fn extinction(&self, extinction: &Extinction) -> String {
        let Extinction { value, kinds, count } = extinction;
        let result = self.result(*value);
        let each = kinds.iter().map(|&kinds| self.letters(kinds)).collect::<Vec<_>>();
        let pieces = each.join(self.say(", or of ", ", o di ").as_str());
        let few = match count {
            0 => self.say("no", "nessun"),
            _ => self.say(format!("at most {count}"), format!("al massimo {count}")),
        };
        self.say(
            format!(
                "Who has {few} {pieces} left {result}; where that is so of both, the side that has \
                 just moved counts"
            ),
            format!(
                "Chi ha {few} {pieces} {result}; se è così per entrambi, conta chi ha appena mosso"
            ),
        )
    }
}
