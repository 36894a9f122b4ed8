//! `alesia-lab games check` and `games show`: replay recorded games by the rules and check their
//! results.

use std::io::{IsTerminal, Write, stdin, stdout};
use std::path::PathBuf;

use alesia::game::{ParseError, counted};
use alesia::games::{AnyGame, GameSpec};
use alesia::record::game_record::GameRecord;
use alesia::words::command_error::CommandError;
use alesia_match::files::record_reader;
use clap::Args;

use crate::stepping;

/// The arguments of `alesia-lab games check`.
#[derive(Args)]
pub struct Check {
    /// Game records of a match (`-pgnout`, `-config` or `-jsonl`); `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl Check {
    pub fn run(self) -> Result<(), CommandError> {
        Replay { file: self.file, moves: false, board: false }.replay(false)
    }
}

/// The arguments of `alesia-lab games show`.
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
        self.replay(true)
    }

    /// Checks the games; those that are right are only printed if they are `shown`.
    fn replay(&self, shown: bool) -> Result<(), CommandError> {
        let mut out = stdout().lock();
        let (mut games, mut wrong, mut unknown) = (0, 0, 0);
        let mut said = Vec::new();
        let mut boards = if self.board { self.boards() } else { Boards::None };
        record_reader::for_each(&self.file, |place, record| {
            games += 1;
            // Without its rules a game is neither right nor wrong; that is said once.
            let game = match record.as_ref().map(GameRecord::spec) {
                Ok(Err(error)) if record.as_ref().is_ok_and(|r| r.definition.is_some()) => {
                    unknown += 1;
                    let line = error.to_string();
                    if !said.contains(&line) {
                        writeln!(out, "{line}")?;
                        said.push(line);
                    }
                    return Ok(());
                }
                Ok(game) => Some(game),
                Err(_) => None,
            };
            let record = record.and_then(|record| {
                let game = game.expect("the record can be read");
                game.and_then(|game| check(game, &record)).map_err(|error| error.within(place))?;
                Ok(record)
            });
            match record {
                Ok(record) => {
                    if shown && boards != Boards::Left {
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
        let unchecked = match unknown {
            0 => String::new(),
            _ => format!(", {unknown} not checked"),
        };
        writeln!(out, "{}, {wrong} wrong{unchecked}", counted(games, "game"))?;
        drop(out);
        match wrong {
            0 if unknown == 0 => Ok(()),
            0 => Err(CommandError::Failed(format!(
                "{}: {unknown} of {games} games are of a definition that is not there",
                self.file.display()
            ))),
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
        let GameRecord { key, game, white, black, .. } = record;
        let plies = record.opening.len() + record.moves.len();
        writeln!(
            out,
            "pair {} leg {}: {game}, {white} against {black}, {plies} plies, {}",
            key.pair,
            key.leg,
            record_reader::result_of(record),
        )?;
        if self.moves {
            for (number, m) in (record.opening.len() + 1..).zip(&record.moves) {
                let value = m.thought.value.map_or(String::new(), |v| format!(" value {v:.3}"));
                let cp = m.thought.cp.map_or(String::new(), |cp| format!(" cp {cp}"));
                let nodes = m.thought.nodes.map_or(String::new(), |n| format!(" nodes {n}"));
                let depth = m.thought.depth.map_or(String::new(), |d| format!(" depth {d}"));
                let time = m.ms.map_or(String::new(), |ms| format!(" {ms:.1} ms"));
                let said = format!("{number:>4} {:<8}{time}{value}{cp}{depth}{nodes}", m.text);
                writeln!(out, "{}", said.trim_end())?;
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
        let game = record.spec()?;
        let frames = stepping::frames(AnyGame::start(game), record)?;
        if self == Boards::All {
            write!(out, "{}", frames.concat())?;
            return Ok(self);
        }
        let flow = stepping::step(&frames, stepping::pressed, out)?;
        Ok(if flow.is_break() { Boards::Left } else { self })
    }
}

/// Plays a game again, by rules that are known.
fn check(game: GameSpec, record: &GameRecord) -> Result<(), ParseError> {
    record.check(AnyGame::start(game))
}
