//! `alesia-lab replay`: replays recorded games by the rules and checks their results.

use std::io::{Write, stdout};
use std::path::PathBuf;

use alesia::game::{ParseError, counted};
use alesia::games::GameSpec;
use alesia::with_game;
use alesia_match::error::CommandError;
use alesia_match::record::GameRecord;
use clap::Args;

use crate::records;

/// The arguments of `alesia-lab replay`.
#[derive(Args)]
pub struct Replay {
    /// Game records of a match (`-pgnout`, `-config` or `-jsonl`); `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Also prints the moves of every game, with their times and values.
    #[arg(long, help_heading = "Output")]
    moves: bool,
}

impl Replay {
    pub fn run(&self) -> Result<(), CommandError> {
        let mut out = stdout().lock();
        let (mut games, mut wrong) = (0, 0);
        records::for_each(&self.file, |place, record| {
            games += 1;
            let record = record.and_then(|record| {
                check(&record).map_err(|error| error.within(place))?;
                Ok(record)
            });
            match record {
                Ok(record) => self.print(&record, &mut out),
                Err(error) => {
                    wrong += 1;
                    Ok(writeln!(out, "{error}")?)
                }
            }
        })?;
        writeln!(out, "{}, {wrong} wrong", counted(games, "game"))?;
        drop(out);
        match wrong {
            0 => Ok(()),
            _ => Err(CommandError::Failed(format!(
                "{}: {wrong} of {games} games are wrong",
                self.file.display()
            ))),
        }
    }

    fn print(&self, record: &GameRecord, out: &mut impl Write) -> Result<(), CommandError> {
        let GameRecord { key, game, white, black, reason, .. } = record;
        let plies = record.opening.len() + record.moves.len();
        writeln!(
            out,
            "pair {} leg {}: {game}, {white} against {black}, {plies} plies, {} ({reason})",
            key.pair,
            key.leg,
            record.result.outcome(),
        )?;
        if self.moves {
            for (number, m) in (record.opening.len() + 1..).zip(&record.moves) {
                let value = m.thought.value.map_or(String::new(), |v| format!(" value {v:.3}"));
                let cp = m.thought.cp.map_or(String::new(), |cp| format!(" cp {cp}"));
                let nodes = m.thought.nodes.map_or(String::new(), |n| format!(" nodes {n}"));
                let depth = m.thought.depth.map_or(String::new(), |d| format!(" depth {d}"));
                writeln!(out, "{number:>4} {:<8} {:.1} ms{value}{cp}{depth}{nodes}", m.text, m.ms)?;
            }
        }
        Ok(())
    }
}

/// Plays a game again.
fn check(record: &GameRecord) -> Result<(), ParseError> {
    let game: GameSpec = record.game.parse()?;
    with_game!(game, start => record.check(start))
}
