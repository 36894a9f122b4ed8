//! The textbook player of `tools/plain` as a player of matches.
//!
//! The one idea: it knows neither the positions nor the moves of the other engines, so they talk in
//! text boards and notation.

use std::time::Instant;

use alesia::game::Game;
use alesia::games::AnyGame;
use alesia::record::thought::Thought;
use alesia_plain::alphabeta::{self, Limits};

use super::{Choice, Details, Fault, Player, Turn, internal};

/// The player, and the game as far as it has come.
pub struct Plain {
    player: Box<dyn alphabeta::Player>,
    /// Where its games begin without a text board.
    start: AnyGame,
    /// The text board at the start of this game, the moves since then, and the position after them;
    /// none before its first move.
    game: Option<(String, Vec<String>, AnyGame)>,
}

impl Plain {
    /// The player of a game that it plays ([`alphabeta::plays`]).
    pub fn new(start: AnyGame, memory: usize) -> Plain {
        let player = alphabeta::player(start.name(), memory).expect("one of its games");
        Plain { player, start, game: None }
    }

    /// Plays what it has not seen of the game; moves of people may be in another case.
    fn catch_up(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        let ended = |error: alesia::game::ParseError| Fault::Ended(error.to_string());
        let mut game = match self.game.take() {
            Some(game) => game,
            None => {
                let start = self.start.begin(turn.line.board.as_deref()).map_err(ended)?;
                (start.to_string(), Vec::new(), start)
            }
        };
        let (_, moves, position) = &mut game;
        for text in &turn.line.moves[moves.len()..] {
            let m = position.parse_move(text).map_err(ended)?;
            moves.push(position.notation(m).to_string());
            position.play(m);
        }
        self.game = Some(game);
        Ok(())
    }
}

impl Player for Plain {
    fn begin(&mut self, _seed: u64) -> Result<(), Fault> {
        self.player.new_game();
        self.game = None;
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Fault> {
        let started = Instant::now();
        let budget = internal::budget(turn, started);
        let depth = budget.depth.map(|plies| plies as u32);
        let limits = Limits { deadline: budget.deadline, nodes: budget.nodes, depth };
        self.catch_up(turn)?;
        let (board, moves, position) = self.game.as_ref().expect("it has caught up");
        let answer = self.player.think(board, moves, &limits).map_err(Fault::Ended)?;
        let best = position.parse_move(&answer.best);
        let m = best.map_err(|_| Fault::IllegalMove(answer.best.clone()))?;
        // A win is the last of its own moves, a loss the ply after.
        let mate = answer.plies_to_end.map(|plies| (plies + plies.signum().max(0)) / 2);
        let thought = Thought {
            value: None,
            cp: mate.is_none().then_some(answer.score),
            mate,
            depth: Some(answer.depth),
            nodes: Some(answer.nodes),
        };
        let details = Details::Variation(answer.best);
        Ok(Choice { m, elapsed: started.elapsed(), thought, details })
    }
}
