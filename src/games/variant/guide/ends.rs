//! What a page says of the end of a game, and so of its goal.

use super::Guide;
use crate::game::Score;
use crate::games::variant::PLY_LIMIT;
use crate::games::variant::read::definition::Extinction;

impl Guide<'_> {
    /// What a player tries to do.
    pub(super) fn goal(&self) -> String {
        let definition = self.definition;
        if definition.flags != 0 {
            let (pieces, region) = (self.flags(), self.regions(definition.flag_region));
            return self.say(
                format!("bring {pieces} to its region ({region})"),
                format!("portare {pieces} nella sua zona ({region})"),
            );
        }
        if definition.check_counting {
            return self
                .say("give the number of checks that wins", "dare il numero di scacchi che vince");
        }
        match definition.extinction.as_ref().map(|extinction| extinction.value) {
            Some(Score::Win) => self.say("lose your own pieces", "perdere i propri pezzi"),
            Some(Score::Loss) => {
                self.say("capture the opponent's pieces", "catturare i pezzi avversari")
            }
            Some(Score::Draw) | None => self.goal_of_moves(),
        }
    }

    /// The goal where no piece wins by its place or its loss.
    fn goal_of_moves(&self) -> String {
        let definition = self.definition;
        let mate = match self.has_check() && definition.checking {
            true => definition.checkmate,
            false => Score::Draw,
        };
        let fold = if definition.fold == 0 { Score::Draw } else { definition.fold_value };
        match (mate, definition.stalemate, fold) {
            (Score::Loss, ..) => self.say(
                "attack the opponent's king so that it cannot escape",
                "attaccare il re avversario in modo che non possa fuggire",
            ),
            (Score::Win, ..) => self.say(
                "have your own king attacked so that it cannot escape",
                "avere il proprio re attaccato in modo che non possa fuggire",
            ),
            (_, Score::Loss, _) => {
                self.say("leave the opponent without a move", "lasciare l'avversario senza mosse")
            }
            (_, Score::Win, _) => self.say("have no move left", "restare senza mosse"),
            (.., Score::Loss) => self.say(
                "make the move that repeats a position",
                "fare la mossa che ripete una posizione",
            ),
            (.., Score::Win) => self.say(
                "make the opponent repeat a position",
                "costringere l'avversario a ripetere una posizione",
            ),
            _ => self.say("none, as every end is a draw", "nessuno, perché ogni fine è patta"),
        }
    }

    /// Whether there is a piece that can be in check.
    fn has_check(&self) -> bool {
        self.definition.royal() != 0 || self.definition.pseudo_royal.is_some()
    }

    /// A result for the side that is spoken of.
    fn result(&self, value: Score) -> String {
        match value {
            Score::Win => self.say("wins", "vince"),
            Score::Loss => self.say("loses", "perde"),
            Score::Draw => self.say("has a draw", "pareggia"),
        }
    }

    pub(super) fn ends(&self) -> Vec<String> {
        let definition = self.definition;
        let [mate, stalemate] =
            [definition.checkmate, definition.stalemate].map(|value| self.result(value));
        let mut ends = Vec::new();
        if self.has_check() {
            ends.push(self.say(
                format!("Who is in check and cannot move {mate}"),
                format!("Chi è sotto scacco e non può muovere {mate}"),
            ));
        }
        let unchecked = match self.has_check() {
            false => String::new(),
            true => self.say(", and is not in check,", ", e non è sotto scacco,"),
        };
        ends.push(self.say(
            format!("Who cannot move{unchecked} {stalemate}"),
            format!("Chi non può muovere{unchecked} {stalemate}"),
        ));
        if let Some(extinction) = &definition.extinction {
            ends.push(self.extinction(extinction));
        }
        if definition.flags != 0 {
            let (pieces, region) = (self.flags(), self.regions(definition.flag_region));
            ends.push(self.say(
                format!("Who brings {pieces} to its region wins ({region})"),
                format!("Chi porta {pieces} nella sua zona vince ({region})"),
            ));
        }
        if definition.check_counting {
            let [white, black] = self.start.checks();
            ends.push(self.say(
                format!("Checks that win: {white} by White, {black} by Black"),
                format!("Scacchi che vincono: {white} del Bianco, {black} del Nero"),
            ));
        }
        if definition.pass_on_stalemate {
            ends.push(self.say(
                "Two passes, one after the other, are a draw",
                "Due passi di seguito danno la patta",
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
            let mut or_a_move = match definition.resetting {
                0 => String::new(),
                _ => {
                    self.say(format!(" or a move of {pieces}"), format!(" o una mossa di {pieces}"))
                }
            };
            if definition.resetting & !self.start.rules().only_forward != 0 {
                or_a_move += &self
                    .say(" that cannot be taken back at once", " che non si può subito disfare");
            }
            ends.push(self.say(
                format!("{moves} moves of each side without a capture{or_a_move} are a draw"),
                format!("{moves} mosse di ciascuno senza una cattura{or_a_move} danno la patta"),
            ));
        }
        let plies = PLY_LIMIT;
        ends.push(self.say(
            format!("After {plies} plies the game is a draw"),
            format!("Dopo {plies} semimosse la partita è patta"),
        ));
        ends
    }

    /// The pieces that must reach their region.
    fn flags(&self) -> String {
        let (pieces, count) = (self.letters(self.definition.flags), self.definition.flag_count);
        match count {
            1 => self.say(format!("a piece {pieces}"), format!("un pezzo {pieces}")),
            _ => self.say(format!("{count} pieces {pieces}"), format!("{count} pezzi {pieces}")),
        }
    }

    fn extinction(&self, extinction: &Extinction) -> String {
        let Extinction { value, kinds, count } = extinction;
        let result = self.result(*value);
        // More than one kind, counted together: all of them.
        let pieces = |set: u32| match (set.count_ones(), *count) {
            (2.., 0 | 1) => self.say("piece", "pezzo"),
            (2.., _) => self.say("pieces", "pezzi"),
            _ => self.letters(set),
        };
        let few = match count {
            0 => self.say("no", "nessun"),
            _ => self.say(format!("at most {count}"), format!("al massimo {count}")),
        };
        let each = kinds.iter().map(|&set| format!("{few} {}", pieces(set))).collect::<Vec<_>>();
        let each = each.join(&self.say(", or ", ", o "));
        let has = if *count == 0 { "non ha" } else { "ha" };
        self.say(
            format!(
                "Who has {each} left {result}; where that is so of both, the side that has just \
                 moved counts"
            ),
            format!("Chi {has} {each} {result}; se è così per entrambi, conta chi ha appena mosso"),
        )
    }
}
