//! `alesia-lab replay`: replays recorded games by the rules and checks their results.

use std::io::{IsTerminal, Write, stdin, stdout};
use std::path::PathBuf;

use alesia::game::{ParseError, counted};
use alesia::games::GameSpec;
use alesia::with_game;
use alesia_match::error::CommandError;
use alesia_match::record::GameRecord;
use clap::Args;

use crate::{records, stepping};

/// The arguments of `alesia-lab replay`.
#[derive(Args)]
pub struct Replay {
    /// Game records of a match (`-pgnout`, `-config` or `-jsonl`); `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Also prints the moves of every game, with their times and values.
    #[arg(long, help_heading = "Output")]
    moves: bool,
    /// Also shows the board after every move; in a terminal step by step.
    #[arg(long, help_heading = "Output")]
    board: bool,
}

impl Replay {
    pub fn run(&self) -> Result<(), CommandError> {
        let mut out = stdout().lock();
        let (mut games, mut wrong) = (0, 0);
        let mut boards = if self.board { self.boards() } else { Boards::None };
        records::for_each(&self.file, |place, record| {
            games += 1;
            let record = record.and_then(|record| {
                check(&record).map_err(|error| error.within(place))?;
                Ok(record)
            });
            match record {
                Ok(record) => {
                    if boards != Boards::Left {
                        self.print(&record, &mut out)?;
                    }
                    boards = boards.show(&record, &mut out)?;
                    Ok(())
                }
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

    /// How boards are shown. Records that come in the place of keys leave nobody to step.
    fn boards(&self) -> Boards {
        let is_person = self.file.as_os_str() != "-" && stdin().is_terminal();
        if is_person && stdout().is_terminal() { Boards::Stepped } else { Boards::All }
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

/// Whether and how the boards of a game are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Boards {
    None,
    /// All, one after the other.
    All,
    /// Those that a person asks for.
    Stepped,
    /// None any more: the person has had enough. The games that follow are only checked.
    Left,
}

impl Boards {
    /// Shows a game that is right; returns how to go on.
    fn show(self, record: &GameRecord, out: &mut impl Write) -> Result<Boards, CommandError> {
        if matches!(self, Boards::None | Boards::Left) {
            return Ok(self);
        }
        let game = GameSpec::open(&record.game)?;
        let frames = with_game!(game, start => stepping::frames(start, record))?;
        if self == Boards::All {
            write!(out, "{}", frames.concat())?;
            return Ok(self);
        }
        let flow = stepping::step(&frames, &mut stdin().lock(), out)?;
        Ok(if flow.is_break() { Boards::Left } else { self })
    }
}

/// Plays a game again.
fn check(record: &GameRecord) -> Result<(), ParseError> {
    let game = GameSpec::open(&record.game)?;
    with_game!(game, start => record.check(start))
}
