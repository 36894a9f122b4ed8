//! `alesia-lab replay`: replays recorded games by the rules and checks their results.

use std::io::{BufRead, BufReader, Write, stdin, stdout};
use std::path::PathBuf;

use alesia::game::ParseError;
use alesia::games::GameSpec;
use alesia::with_game;
use alesia_match::disk::{self, next_line};
use alesia_match::error::CommandError;
use alesia_match::record::{GameRecord, read};
use clap::Args;

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
        let name = self.file.display();
        let failed = |error| CommandError::Failed(format!("{name}: {error}"));
        let mut stream: Box<dyn BufRead> = if self.file.as_os_str() == "-" {
            Box::new(stdin().lock())
        } else {
            Box::new(BufReader::new(disk::open(&self.file).map_err(failed)?))
        };
        let mut out = stdout().lock();
        let (mut games, mut wrong) = (0, 0);
        let (mut number, mut line) = (0, Vec::new());
        while next_line(&mut stream, &mut line).map_err(failed)? {
            number += 1;
            // A line that is cut short may end within a character.
            let line = String::from_utf8_lossy(&line);
            // The first line of a match that can be resumed.
            if line.trim().is_empty() || line.starts_with(r#"{"match":"#) {
                continue;
            }
            games += 1;
            let place = format!("{name}, line {number}");
            match read::<GameRecord>(&place, &line).and_then(|record| {
                check(&record).map_err(|error| error.within(&place))?;
                Ok(record)
            }) {
                Ok(record) => self.print(&record, &mut out)?,
                Err(error) => {
                    wrong += 1;
                    writeln!(out, "{error}")?;
                }
            }
        }
        writeln!(out, "{games} games, {wrong} wrong")?;
        drop(out);
        match wrong {
            0 => Ok(()),
            _ => Err(CommandError::Failed(format!("{name}: {wrong} of {games} games are wrong"))),
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
