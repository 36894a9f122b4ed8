//! Recorded games as `-resign` and `-draw` would have ended them: what an early end changes in the
//! result of a match, and what it saves.

use alesia::game::{Game, ParseError};
use alesia::games::AnyGame;
use alesia::record::end::Cause;
use alesia::record::game_record::GameRecord;
use alesia_match::run::adjudication::{Adjudication, Draw, Resign};
use alesia_match::words::grammar::Group;

/// The terms, and what they have done to the games so far.
#[derive(Default)]
pub struct Early {
    terms: Adjudication,
    games: u64,
    ended: u64,
    /// Of those that were ended, with another result than their own.
    other: u64,
    moves: u64,
    saved: u64,
}

impl Early {
    /// The terms as `match` takes them, such as `score=600 movecount=3`.
    ///
    /// # Errors
    /// A key or a value that cannot be.
    pub fn new(resign: Option<&str>, draw: Option<&str>) -> Result<Early, ParseError> {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let [resign, draw] = [resign, draw].map(|text| text.map(words));
        let resign = resign.map(|words| Resign::read(&Group::of("--resign".into(), &words)));
        let draw = draw.map(|words| Draw::read(&Group::of("--draw".into(), &words)));
        let (resign, draw) = (resign.transpose()?, draw.transpose()?);
        Ok(Early {
            terms: Adjudication { resign, draw, ..Adjudication::default() },
            ..Early::default()
        })
    }

    /// Gives a game the result that it would have had.
    ///
    /// # Errors
    /// A game or a board that there is not.
    pub fn end(&mut self, record: &mut GameRecord) -> Result<(), ParseError> {
        if !self.terms.needs_scores() {
            return Ok(());
        }
        let spec = record.spec()?;
        let board = record.board.as_deref();
        let start = AnyGame::start(spec);
        let begins = start.begin(board)?.side();
        let first = if record.opening.len().is_multiple_of(2) { begins } else { !begins };
        self.games += 1;
        self.moves += record.moves.len() as u64;
        if let Some((ruling, plies)) =
            self.terms.of_record(first, &record.moves, record.cause == Cause::Rule)
        {
            self.ended += 1;
            self.other += u64::from(ruling.result != record.result);
            self.saved += (record.moves.len() - plies) as u64;
            (record.result, record.cause) = (ruling.result, ruling.cause);
        }
        Ok(())
    }

    /// The line about it; empty without terms.
    pub fn line(&self) -> String {
        let Early { games, ended, other, moves, saved, .. } = *self;
        if !self.terms.needs_scores() {
            return String::new();
        }
        let share = 100.0 * saved as f64 / moves.max(1) as f64;
        format!(
            "Ended early: {ended} of {games} games, {other} with another result, \
             {share:.1} % of the moves saved\n"
        )
    }
}
