//! The rules of a variant for people, written from its definition.
//!
//! The one idea: each sentence follows from a key, so that the page of a variant says what the file
//! says, in the Markdown of the other games' pages and in their languages.

use std::fmt::Write;

use super::definition::{Definition, Kind};
use super::library::Chosen;
use super::pieces;
use super::values::Area;
use crate::bitboard::cells;
use crate::game::{Score, Side};
use crate::games::rulebook::Language;

/// The rules of a variant as the text of a page (see [`rulebook`](crate::games::rulebook)).
pub fn guide(variant: Chosen, language: Language) -> String {
    let definition = &variant.rules().definition;
    let writer = Writer { definition, language };
    let mut text = format!("# {}\n\n", definition.title);
    text += &writer.board();
    text += &writer.heading("Pieces", "Pezzi");
    text += &writer.pieces();
    text += &writer.items(writer.moves());
    text += &writer.heading("The end of the game", "Fine della partita");
    text += &writer.items(writer.ends());
    text += &writer.heading("The definition", "La definizione");
    let _ = writeln!(text, "```text\n{}\n```", variant.source().trim_end());
    text
}

struct Writer<'a> {
    definition: &'a Definition,
    language: Language,
}

impl Writer<'_> {
    /// The text in the language.
    fn say<'a>(&self, english: &'a str, italian: &'a str) -> &'a str {
        match self.language {
            Language::English => english,
            Language::Italian => italian,
        }
    }

    fn heading(&self, english: &str, italian: &str) -> String {
        format!("\n## {}\n\n", self.say(english, italian))
    }

    fn items(&self, items: Vec<String>) -> String {
        let mut text = String::new();
        for item in items {
            let _ = writeln!(text, "- {item}");
        }
        text
    }

    fn side(&self, side: Side) -> &'static str {
        match side {
            Side::White => self.say("White", "Bianco"),
            Side::Black => self.say("Black", "Nero"),
        }
    }

    fn board(&self) -> String {
        let Definition { rows, columns, .. } = *self.definition;
        let mut text = match self.language {
            Language::English => format!("The board has {rows} ranks and {columns} files."),
            Language::Italian => format!("La scacchiera ha {rows} traverse e {columns} colonne."),
        };
        let rows = self.definition.start.value.split(' ').next().unwrap_or_default();
        if rows.contains('*') {
            text +=
                self.say(" The dark cells are no squares.", " Le celle scure non sono caselle.");
        }
        text + "\n"
    }

    /// The table of the pieces.
    fn pieces(&self) -> String {
        let mut text = format!(
            "| {} | {} | {} | Betza |\n|---|---|---|---|\n",
            self.say("letter", "lettera"),
            self.say("piece", "pezzo"),
            self.say("how it moves", "come muove")
        );
        for kind in &self.definition.kinds {
            let named = pieces::named(&kind.name, self.language);
            let (name, how) = named.unwrap_or((self.say("special piece", "pezzo speciale"), "–"));
            // A king may be said to move otherwise.
            let is_usual = Some(&*kind.notation) == pieces::notation(&kind.name);
            let how = if is_usual { how } else { "–" };
            let _ = writeln!(text, "| `{}` | {name} | {how} | `{}` |", kind.letter, kind.notation);
        }
        text + "\n"
    }

    /// The letters of some kinds.
    fn letters(&self, kinds: impl Iterator<Item = usize>) -> String {
        let letter = |kind: usize| format!("`{}`", self.definition.kinds[kind].letter);
        kinds.map(letter).collect::<Vec<_>>().join(", ")
    }

    fn set(&self, kinds: u32) -> String {
        self.letters(cells(kinds.into()))
    }

    /// Cells in words: whole ranks by their numbers.
    fn region(&self, region: u64) -> String {
        let area = self.area();
        let mut parts = Vec::new();
        let mut rest = region;
        for rank in 1..=area.rows {
            let bits = area.cells(&format!("*{rank}")).unwrap_or_default();
            if bits != 0 && region & bits == bits {
                rest &= !bits;
                parts.push(format!("{} {rank}", self.say("rank", "traversa")));
            }
        }
        parts.extend(cells(rest).map(|cell| area.name(cell)));
        parts.join(", ")
    }

    fn area(&self) -> Area {
        Area { rows: self.definition.rows, columns: self.definition.columns }
    }

    /// What is special about moves.
    fn moves(&self) -> Vec<String> {
        let definition = self.definition;
        let mut items = self.promotion();
        items.extend(self.first_moves());
        items.extend(self.castling());
        let mut add = |holds: bool, english: &str, italian: &str| {
            if holds {
                items.push(self.say(english, italian).to_owned());
            }
        };
        add(
            definition.royal() != 0,
            "A move may not leave one’s own king attacked.",
            "Nessuna mossa può lasciare sotto attacco il proprio re.",
        );
        add(!definition.checking, "No move may give check.", "Nessuna mossa può dare scacco.");
        add(
            definition.must_capture,
            "A side that can capture must capture.",
            "Chi può catturare deve catturare.",
        );
        items.extend(self.void_moves());
        items
    }

    fn promotion(&self) -> Vec<String> {
        let definition = self.definition;
        let mut items = Vec::new();
        for side in [Side::White, Side::Black] {
            let into = &definition.promotions[side as usize];
            let region = definition.promotion_region[side as usize];
            if definition.promoting == 0 || into.is_empty() || region == 0 {
                continue;
            }
            let (who, into) = (self.side(side), self.letters(into.iter().copied()));
            let (pawns, region) = (self.set(definition.promoting), self.region(region));
            let duty = definition.mandatory_promotion;
            items.push(match self.language {
                Language::English => {
                    let verb = if duty { "becomes" } else { "may become" };
                    format!("{who}: {pawns} {verb} one of {into} on {region}.")
                }
                Language::Italian => {
                    let verb = if duty { "diventa" } else { "può diventare" };
                    format!("{who}: {pawns} {verb} uno tra {into} su {region}.")
                }
            });
        }
        items
    }

    fn first_moves(&self) -> Option<String> {
        let definition = self.definition;
        let [white, black] = definition.initial_region;
        let first = |kind: &Kind| kind.parts.iter().any(|part| part.initial);
        let kinds = (0..definition.kinds.len()).filter(|&kind| first(&definition.kinds[kind]));
        let letters = self.letters(kinds);
        if white | black == 0 || letters.is_empty() {
            return None;
        }
        let (white, black) = (self.region(white), self.region(black));
        Some(match self.language {
            Language::English => format!(
                "The first move of {letters} (the `i` in its notation) is from {white} for White, \
                 and from {black} for Black."
            ),
            Language::Italian => format!(
                "La prima mossa di {letters} (la `i` nella notazione) parte da {white} per il \
                 Bianco, da {black} per il Nero."
            ),
        })
    }

    fn castling(&self) -> Option<String> {
        let area = self.area();
        let way = |castling: &super::castling::Castling| {
            let [a, b, c, d] =
                [castling.king_from, castling.king_to, castling.rook_from, castling.rook_to]
                    .map(|cell| area.name(cell));
            format!("{a}–{b} ({c}–{d})")
        };
        let ways: Vec<String> = self.definition.castlings.iter().map(way).collect();
        let intro =
            self.say("Castling, of the king and (the rook):", "Arrocco, del re e (della torre):");
        (!ways.is_empty()).then(|| format!("{intro} {}.", ways.join(", ")))
    }

    fn void_moves(&self) -> Vec<String> {
        let definition = self.definition;
        let mut items = Vec::new();
        if definition.void_moves {
            items.push(
                self.say(
                    "A piece beside a cell without a square may go there and take its square \
                     along. The new square must share a side with another square.",
                    "Un pezzo accanto a una cella senza casella può andarci portando con sé la \
                     propria casella. La nuova casella deve avere un lato in comune con un’altra.",
                )
                .to_owned(),
            );
        }
        if definition.void_riders != 0 {
            let letters = self.set(definition.void_riders);
            items.push(match self.language {
                Language::English => {
                    format!("{letters} crosses any number of cells without a square.")
                }
                Language::Italian => {
                    format!("{letters} attraversa quante celle senza casella vuole.")
                }
            });
        }
        items
    }

    /// What a result means for a side, after the words that name it.
    fn result(&self, value: Score) -> &'static str {
        match value {
            Score::Win => self.say("wins", "vince"),
            Score::Draw => self.say("has a draw", "pareggia"),
            Score::Loss => self.say("loses", "perde"),
        }
    }

    fn ends(&self) -> Vec<String> {
        let definition = self.definition;
        let mut items = Vec::new();
        if definition.royal() != 0 {
            let who = self.say("Who is checkmated", "Chi riceve scacco matto");
            items.push(format!("{who} {}.", self.result(definition.checkmate)));
        }
        let who = match definition.royal() {
            0 => self.say("Who has no move", "Chi non ha mosse"),
            _ => self.say(
                "Who has no move and is not in check",
                "Chi non ha mosse e non è sotto scacco",
            ),
        };
        items.push(format!("{who} {}.", self.result(definition.stalemate)));
        items.extend(self.flags());
        items.extend(self.extinction());
        items.extend(self.draws());
        items
    }

    fn flags(&self) -> Vec<String> {
        let definition = self.definition;
        let flags = self.set(definition.flags);
        let of = |side: Side| {
            let region = definition.flag_region[side as usize];
            (definition.flags != 0 && region != 0).then(|| {
                let (who, region) = (self.side(side), self.region(region));
                match self.language {
                    Language::English => format!("{who} wins with {flags} on {region}."),
                    Language::Italian => format!("Il {who} vince con {flags} su {region}."),
                }
            })
        };
        [Side::White, Side::Black].into_iter().filter_map(of).collect()
    }

    fn extinction(&self) -> Option<String> {
        let extinction = self.definition.extinction.as_ref()?;
        let (count, value) = (extinction.count, self.result(extinction.value));
        let all = self.set(extinction.kinds.iter().fold(0, |all, kinds| all | kinds));
        let together = matches!(extinction.kinds[..], [one] if one.count_ones() > 1);
        let few = match (self.language, count) {
            (Language::English, 0) => "A side without a piece".to_owned(),
            (Language::English, _) => format!("A side with at most {count} pieces"),
            (Language::Italian, 0) => "Chi resta senza pezzi".to_owned(),
            (Language::Italian, _) => format!("Chi ha al massimo {count} pezzi"),
        };
        let of = match together {
            true => String::new(),
            false => format!(" {} {all}", self.say("of any one kind of", "di un solo tipo tra")),
        };
        Some(format!("{few}{of} {value}."))
    }

    fn draws(&self) -> Vec<String> {
        let definition = self.definition;
        let mut items = Vec::new();
        if definition.fold > 0 {
            let (fold, value) = (definition.fold, self.result(definition.fold_value));
            items.push(match self.language {
                Language::English => {
                    format!("When a position occurs {fold} times, the side to move {value}.")
                }
                Language::Italian => {
                    format!("Quando una posizione si presenta {fold} volte, chi muove {value}.")
                }
            });
        }
        if let Some(plies) = definition.quiet_limit {
            let (moves, pieces) = (plies / 2, self.set(definition.resetting));
            items.push(match (self.language, pieces.is_empty()) {
                (Language::English, true) => {
                    format!("{moves} moves of each side without a capture are a draw.")
                }
                (Language::English, false) => format!(
                    "{moves} moves of each side without a capture or a move of {pieces} are a draw."
                ),
                (Language::Italian, true) => {
                    format!("{moves} mosse di ciascuno senza catture danno patta.")
                }
                (Language::Italian, false) => format!(
                    "{moves} mosse di ciascuno senza catture né mosse di {pieces} danno patta."
                ),
            });
        }
        let limit = super::PLY_LIMIT;
        items.push(match self.language {
            Language::English => format!("After {limit} plies the game is a draw."),
            Language::Italian => format!("Dopo {limit} semimosse la partita è patta."),
        });
        items
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Setup;
    use crate::games::rulebook::{Block, Page};

    fn of(name: &str, language: Language) -> String {
        guide(Chosen::of_name(name).unwrap(), language)
    }

    #[test]
    fn every_built_in_variant_has_its_rules_in_both_languages() {
        for &variant in Chosen::LISTED {
            let texts = Language::ALL.map(|language| guide(variant, language));
            let pages = [0, 1].map(|k| Page::parse(&texts[k], Language::ALL[k]));
            let shape = |page: &Page| page.blocks.iter().map(std::mem::discriminant).collect();
            let shapes: [Vec<_>; 2] = pages.each_ref().map(shape);
            assert_eq!(shapes[0], shapes[1], "{}", variant.name());
            assert_ne!(texts[0], texts[1]);
            let tables = pages[0].blocks.iter().filter_map(|block| match block {
                Block::Table(rows) => Some(rows.len() - 1),
                _ => None,
            });
            let kinds = variant.rules().definition.kinds.len();
            assert_eq!(tables.collect::<Vec<_>>(), [kinds]);
        }
    }

    #[test]
    fn what_the_definition_says_is_said() {
        let said = [
            ("losalamos", "one of `n`, `q`, `r` on rank 6."),
            ("losalamos", "| `n` | knight | leaps two squares one way and one across | `N` |"),
            ("chess", "e1–g1 (h1–f1)"),
            ("chess", "`p` (the `i` in its notation) is from rank 2 for White"),
            ("chess", "Who is checkmated loses."),
            ("chess", "50 moves of each side without a capture or a move of `p` are a draw."),
            ("shatranj", "Who has no move and is not in check loses."),
            ("breakthrough", "White wins with `p` on rank 8."),
            ("kingofthehill", "White wins with `k` on d5, e5, d4, e4."),
            (
                "extinction",
                "without a piece of any one kind of `b`, `k`, `n`, `p`, `q`, `r` loses.",
            ),
            ("racingkings", "No move may give check."),
            ("voidrider", "`v` crosses any number of cells without a square."),
            ("voidrider", "The dark cells are no squares."),
            ("knightmate", "| `k` | king | – | `N` |"),
        ];
        for (name, words) in said {
            let text = of(&format!("variant:{name}"), Language::English);
            assert!(text.contains(words), "{name}: {words}\n{text}");
        }
        let text = of("variant:chess", Language::Italian);
        assert!(text.contains("Chi riceve scacco matto perde."), "{text}");
    }

    #[test]
    fn the_definition_is_shown_with_those_it_builds_on() {
        let page = Page::parse(&of("variant:losalamos", Language::English), Language::English);
        let Some(Block::Lines { lines, .. }) = page.blocks.last() else { panic!("a definition") };
        let own = lines.iter().position(|line| line == "[losalamos:chess]").unwrap();
        let base = lines.iter().position(|line| line == "[chess]").unwrap();
        assert!(own < base && lines[own + 1] == "maxRank = 6", "{lines:?}");
        assert!(!lines.iter().any(|line| line.starts_with("[gardner")), "{lines:?}");
    }
}
