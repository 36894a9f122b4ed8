//! What a page says of the moves of a variant, beyond how each piece moves.

use super::Guide;
use crate::game::Side;
use crate::games::variant::read::definition::{Kind, PseudoRoyal};

impl Guide<'_> {
    /// What is particular about the moves.
    pub(super) fn rules(&self) -> Vec<String> {
        let definition = self.definition;
        let mut rules = Vec::new();
        if definition.royal() != 0 {
            rules.push(self.say(
                "After a move the king of the side that has moved must not be attacked",
                "Dopo una mossa il proprio re non deve essere attaccato",
            ));
        } else if definition.pseudo_royal.is_none() {
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
        if let Some(royal) = &definition.pseudo_royal {
            rules.push(self.pseudo_royal(royal));
        }
        if definition.blast_on_capture {
            let proof = match definition.blast_proof {
                0 => String::new(),
                proof => {
                    let pieces = self.letters(proof);
                    self.say(format!(" but {pieces}"), format!(" tranne {pieces}"))
                }
            };
            rules.push(self.say(
                format!(
                    "A capture takes away the piece that captures, and every piece{proof} on the \
                     squares around it, of both sides"
                ),
                format!(
                    "Una cattura elimina il pezzo che cattura e ogni pezzo{proof} sulle case \
                     intorno, di entrambi"
                ),
            ));
        }
        if definition.pass_on_stalemate {
            rules.push(self.say(
                "Who cannot move, and is not in check, passes: a move from the king's square, or \
                 else that of the first piece from the lowest rank on, to itself",
                "Chi non può muovere, e non è sotto scacco, passa: una mossa dalla casa del re, o \
                 altrimenti del primo pezzo dalla traversa più bassa in su, alla stessa casa",
            ));
        }
        self.promotions(&mut rules);
        self.first_moves(&mut rules);
        self.castlings(&mut rules);
        self.void_moves(&mut rules);
        rules
    }

    fn pseudo_royal(&self, royal: &PseudoRoyal) -> String {
        let kinds = royal.kinds.iter().map(|&set| self.letters(set)).collect::<Vec<_>>();
        let pieces = kinds.join(&self.say(", or ", ", o "));
        let few = match royal.count {
            1 => self.say(format!("the last {pieces}"), format!("l'ultimo {pieces}")),
            count => self.say(
                format!("a piece {pieces} while a side has at most {count}"),
                format!("un pezzo {pieces} finché una parte ne ha al massimo {count}"),
            ),
        };
        let touching = match self.definition.blast_on_capture {
            true => self.say(
                ", but beside such a piece of the other side, or where the move blows that up",
                ", tranne accanto a un tale pezzo avversario, o se la mossa lo fa esplodere",
            ),
            false => String::new(),
        };
        self.say(
            format!("After a move {few} of the side that has moved must not be attacked{touching}"),
            format!("Dopo una mossa {few} di chi ha mosso non deve essere attaccato{touching}"),
        )
    }

    fn promotions(&self, rules: &mut Vec<String>) {
        let definition = self.definition;
        if definition.promoting == 0 {
            return;
        }
        let pieces = self.letters(definition.promoting);
        let region = |side: usize, promotes: bool| {
            let has = !definition.promotions[side].is_empty();
            if has == promotes { definition.promotion_region[side] } else { 0 }
        };
        let [promoted, closed] = [true, false].map(|promotes| [0, 1].map(|s| region(s, promotes)));
        let is_closed = definition.mandatory_promotion && closed != [0, 0];
        if promoted != [0, 0] {
            rules.push(self.promotion(&pieces, promoted));
        } else if !is_closed {
            rules.push(self.say(
                format!("{pieces} is never promoted"),
                format!("{pieces} non è mai promosso"),
            ));
        }
        if is_closed {
            let region = self.regions(closed);
            rules.push(self.say(
                format!("{pieces} may not enter: {region}"),
                format!("{pieces} non può entrare in: {region}"),
            ));
        }
    }

    /// What pieces become in the promotion regions; none for a side where nothing is promoted.
    fn promotion(&self, pieces: &str, regions: [u64; 2]) -> String {
        let definition = self.definition;
        let becomes = |side: Side| {
            let kinds = &definition.promotions[side as usize];
            self.letters(kinds.iter().fold(0, |set, kind| set | 1 << kind))
        };
        let sides = [Side::White, Side::Black].into_iter();
        let named: Vec<(Side, String)> = sides
            .filter(|&side| regions[side as usize] != 0)
            .map(|side| (side, becomes(side)))
            .collect();
        let becomes = match &named[..] {
            [(_, white), (_, black)] if white == black => white.clone(),
            _ => {
                let of = |(side, kinds): &(Side, String)| format!("{}: {kinds}", self.side(*side));
                named.iter().map(of).collect::<Vec<_>>().join("; ")
            }
        };
        let region = self.regions(regions);
        let optional = match definition.mandatory_promotion {
            true => String::new(),
            false => self.say(", if its side wants to", ", se il suo giocatore vuole"),
        };
        self.say(
            format!(
                "{pieces} is promoted where it arrives ({region}), to one of {becomes}{optional}"
            ),
            format!("{pieces} è promosso dove arriva ({region}), a uno di {becomes}{optional}"),
        )
    }

    fn first_moves(&self, rules: &mut Vec<String>) {
        let definition = self.definition;
        let regions = definition.initial_region;
        let has_initial = |kind: &Kind| kind.parts.iter().any(|part| part.initial);
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
            let [king, rook] = [castling.king, self.start.kind_at(castling.rook_from)]
                .map(|kind| self.castling_piece(kind));
            let (king, rook) = (
                format!("{king} {}-{}", name(castling.king_from), name(castling.king_to)),
                format!("{rook} {}-{}", name(castling.rook_from), name(castling.rook_to)),
            );
            let side = self.side(castling.side);
            rules.push(self.say(
                format!("{side} castles with {king} and {rook}"),
                format!("{side} arrocca con {king} e {rook}"),
            ));
        }
    }

    /// A piece that castles: by its name where it is the king or a rook, or by its letter.
    fn castling_piece(&self, kind: usize) -> String {
        match self.definition.kinds[kind].name.as_str() {
            "king" => self.say("the king", "il re"),
            "rook" => self.say("the rook", "la torre"),
            _ => self.letters(1 << kind),
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
                rules.push(match ways.is_empty() {
                    true => {
                        self.say(format!("{pieces} does not do so"), format!("{pieces} non lo fa"))
                    }
                    false => self.say(
                        format!("{pieces} does so only: {ways}"),
                        format!("{pieces} lo fa soltanto: {ways}"),
                    ),
                });
            }
        }
        if definition.void_riders != 0 {
            let pieces = self.letters(definition.void_riders);
            let with_square = match definition.void_moves {
                true => self.say(
                    "; along a rank or file also with its own square",
                    "; lungo una traversa o una colonna anche con la propria casa",
                ),
                false => String::new(),
            };
            rules.push(self.say(
                format!("{pieces} crosses any number of cells that are no squares{with_square}"),
                format!("{pieces} attraversa quante celle vuole che non sono case{with_square}"),
            ));
        }
    }
}
