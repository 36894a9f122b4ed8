//! `alesia manual`: a person at the keyboard, who plays against the engine or enters the moves of a
//! board elsewhere when the network has failed.
//!
//! The one idea: some sides' moves are entered by hand, the engine plays the others.

mod clocks;
mod game;
mod input;
mod lines;
mod sheet;

use std::io::{Write, stderr};
use std::sync::Arc;

use alesia::game::{Game, Side};
use alesia::games::AnyGame;
use alesia::net::tournament::move_text;
use alesia::player::EnginePlayer;
use alesia::record::end::End;

use self::game::ManualGame;
use self::lines::Lines;
use super::by_hand::ByHand;
use super::moves_so_far::LiveRecord;
use super::record_option::{self, Kept};
use super::recovery::{self, keep_on_ctrl_c};
use alesia::words::command_error::CommandError;

impl ByHand {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        self.game.layout.check(self.game.game)?;
        self.play(AnyGame::start(self.game.game()))
    }

    fn play(&self, start: AnyGame) -> Result<(), CommandError> {
        self.engine.check()?;
        self.position.state(start)?;
        let mut position = self.position.start(start)?;
        let record = Arc::new(LiveRecord::new(position, self.clone()).played_here());
        record.by_hand(self.side);
        // Legal, as the state has been reached.
        for text in self.position.moves.split_whitespace() {
            let m = position.parse_move(text)?;
            record.moved(move_text(&position, m));
            position.play(m);
        }
        let file = self.record.open()?;
        let engine = match self.level {
            Some(level) => self.engine.build_at_level(start, level)?,
            None => self.engine.build_with_book(start, self.book.is_on())?,
        };
        let ponder = self.ponder.is_on() && self.side.engine_side().is_some();
        let player = EnginePlayer::new(engine, self.time.move_time(), self.engine.nodes, ponder);
        let seed = self.engine.seed_of_game(self.book.is_on());
        let names = [Side::White, Side::Black].map(|side| match self.side.has(side) {
            true => "person".to_owned(),
            false => {
                self.level.map_or("Alesia".to_owned(), |level| format!("Alesia, {}", level.title))
            }
        });
        let first = self.position.start(start)?;
        let kept = record_option::begin(self.game.game(), &start, &first, names);
        let kept = Arc::new(Kept::new(kept, file));
        let interrupted = record.clone();
        let file = kept.clone();
        let keep = move || {
            let end = interrupted.state().ending().map(End::by_rule);
            if let Some(Err(error)) = end.map(|end| file.keep(&end)) {
                // There may be no terminal any more.
                let _ = writeln!(stderr(), "alesia: {error}");
            }
        };
        keep_on_ctrl_c(&record, keep.clone());
        let game = ManualGame::new(self.side, player, seed, &record);
        let game = game.at_level(self.level).with_record(kept);
        let interrupted = record.clone();
        game.serve(Lines::of_input(move || {
            keep();
            recovery::end(&interrupted)
        }))
    }
}
