//! Games of an engine against itself, from which an evaluation learns.
//!
//! The one idea: a game depends on its number alone, as each has a seed of its own and so many
//! nodes a move; so whatever the number of threads, and wherever the work was interrupted, the same
//! games come about. They are kept in a file, one line each, and only those that it lacks are
//! played.

use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use alesia::duel::random_opening;
use alesia::eval::Evaluate;
use alesia::game::{Game, GameState, Move, Outcome, ParseError, Side, quoted};
use alesia::search::clock::Budget;
use alesia::search::{EngineKind, EngineOptions};

use crate::CommandError;
use crate::progress::Progress;

/// Random plies before a game: the fewest and the most.
const OPENING_PLIES: (usize, usize) = (2, 12);

/// Memory of an engine.
const MEMORY: usize = 8 << 20;

/// A move and what the engine expected of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ply {
    /// The move.
    pub m: Move,
    /// The result expected for the side that moved, 0 to 1.
    pub value: f32,
}

/// A game from the start position.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Random plies.
    pub opening: Vec<Move>,
    /// What the engine played after them.
    pub plies: Vec<Ply>,
    /// How it ended.
    pub outcome: Outcome,
}

/// How games are played.
#[derive(Clone, Copy, Debug)]
pub struct Play {
    /// By which engine.
    pub engine: EngineKind,
    /// Iterations or positions a move.
    pub nodes: u64,
    /// How many games.
    pub games: usize,
    /// At a time.
    pub threads: usize,
}

/// The games of a file, and if there are too few, more of them, which are added to it.
pub fn read_and_play<G: Evaluate>(
    start: G,
    file: &Path,
    play: Play,
) -> Result<Vec<Record>, CommandError> {
    let failed = |error| CommandError::Failed(format!("{}: {error}", file.display()));
    let mut records = match fs::File::open(file) {
        Ok(opened) => read(start, BufReader::new(opened))
            .map_err(|error| CommandError::Failed(error.within(file.display()).to_string()))?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(failed(error)),
    };
    if records.len() < play.games {
        let opened = OpenOptions::new().create(true).append(true).open(file).map_err(failed)?;
        let mut out = BufWriter::new(opened);
        let mut write = |record: &Record| writeln!(out, "{}", line_of(start, record));
        add(start, play, &mut records, &mut write).map_err(failed)?;
        out.flush().map_err(failed)?;
    }
    records.truncate(play.games);
    Ok(records)
}

/// Plays the games that are missing, in their order.
fn add<G: Evaluate>(
    start: G,
    play: Play,
    records: &mut Vec<Record>,
    write: &mut impl FnMut(&Record) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let mut progress = Progress::new("games", play.games as u64);
    let next = AtomicU64::new(records.len() as u64);
    thread::scope(|scope| {
        let (sender, played) = mpsc::sync_channel(64);
        for _ in 0..play.threads {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                loop {
                    // Relaxed: only the number is shared.
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= play.games as u64
                        || sender.send((number, one_game(start, play, number))).is_err()
                    {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = std::collections::BTreeMap::new();
        for (number, record) in played {
            waiting.insert(number, record);
            while let Some(record) = waiting.remove(&(records.len() as u64)) {
                write(&record)?;
                records.push(record);
                progress.show(records.len() as u64, String::new);
            }
        }
        Ok(())
    })
}

/// Plays the game of this number.
fn one_game<G: Evaluate>(start: G, play: Play, number: u64) -> Record {
    let mut rng = fastrand::Rng::with_seed(number);
    let options = EngineOptions { memory: MEMORY, seed: number, ..EngineOptions::default() };
    let mut engine = play.engine.build(start, &options).expect("little memory and one thread");
    let opening = loop {
        let plies = rng.usize(OPENING_PLIES.0..=OPENING_PLIES.1);
        if let Some(opening) = random_opening(start, plies, &mut rng) {
            break opening;
        }
    };
    let mut state = opening.state;
    let mut plies = Vec::new();
    loop {
        if let Some(ending) = state.ending() {
            return Record { opening: opening.moves, plies, outcome: ending.outcome };
        }
        let report = engine.think(&state, &Budget::nodes(play.nodes), &mut |_| {});
        plies.push(Ply { m: report.best, value: report.value });
        state.play(report.best);
    }
}

/// A game on one line: its result, the random moves, a bar, and each move with the value in
/// thousandths.
fn line_of<G: Game>(start: G, record: &Record) -> String {
    let mut position = start;
    let mut line = String::from(match record.outcome {
        Outcome::Win(Side::White) => "w",
        Outcome::Win(Side::Black) => "b",
        Outcome::Draw => "d",
    });
    for &m in &record.opening {
        line += &format!(" {}", position.notation(m));
        position.play(m);
    }
    line += " |";
    for ply in &record.plies {
        line += &format!(" {}:{:.0}", position.notation(ply.m), ply.value * 1000.0);
        position.play(ply.m);
    }
    line
}

/// Reads games as [`line_of`] writes them.
fn read<G: Game>(start: G, lines: impl BufRead) -> Result<Vec<Record>, ParseError> {
    let mut records = Vec::new();
    for (number, line) in lines.lines().enumerate() {
        let place = format!("line {}", number + 1);
        let line = line.map_err(|e| ParseError::new(&place, e.to_string(), "text"))?;
        records.push(record_of(start, &line).map_err(|error| error.within(place))?);
    }
    Ok(records)
}

fn record_of<G: Game>(start: G, line: &str) -> Result<Record, ParseError> {
    let mut words = line.split(' ');
    let outcome = match words.next() {
        Some("w") => Outcome::Win(Side::White),
        Some("b") => Outcome::Win(Side::Black),
        Some("d") => Outcome::Draw,
        other => {
            return Err(ParseError::new("result", quoted(other.unwrap_or("")), "w, b or d"));
        }
    };
    let mut state = GameState::new(start);
    let mut record = Record { opening: Vec::new(), plies: Vec::new(), outcome };
    let mut play = |text: &str| {
        let m = state.position.parse_move(text)?;
        state.play(m);
        Ok(m)
    };
    for word in words.by_ref().take_while(|&word| word != "|") {
        record.opening.push(play(word)?);
    }
    for word in words {
        let error = || ParseError::new("move", quoted(word), "a move and thousandths: `MOVE:500`");
        let (text, value) = word.rsplit_once(':').ok_or_else(error)?;
        let value = value.parse::<u16>().ok().filter(|&value| value <= 1000).ok_or_else(error)?;
        record.plies.push(Ply { m: play(text)?, value: f32::from(value) / 1000.0 });
    }
    match state.ending() {
        Some(ending) if ending.outcome == outcome => Ok(record),
        found => {
            let found = found.map_or("a game that goes on".to_string(), |end| end.to_string());
            Err(ParseError::new("end", found, "the result at the head of the line"))
        }
    }
}
