//! Games of an engine against itself, from which an evaluation learns, and their file.
//!
//! The one idea: a game depends only on its number, as each has its own seed and a fixed number of
//! nodes per move; so the games depend neither on the number of threads nor on interruptions. The
//! first line of the file has the settings; then follows a line for each game, written at once;
//! only missing games are played.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write, stderr};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use alesia::chance::Chance;
use alesia::duel::random_opening;
use alesia::eval::Evaluate;
use alesia::eval::network::SCORE_ONE;
use alesia::eval::weights_file::WeightsFile;
use alesia::game::{ParseError, quoted, without_bom};
use alesia::search::clock::Budget;
use alesia::search::{Engine, EngineError, EngineKind, EngineOptions};
use alesia_match::disk::{self, MAX_GAMES};
use alesia_match::error::CommandError;
use alesia_match::progress::Progress;
use alesia_match::seeds::seed_of;

use super::record::{Ply, SelfPlayRecord};

/// Random plies before a game: the fewest and the most.
const OPENING_PLIES: (usize, usize) = (2, 12);

/// Openings that are evaluated at this score (three quarters of a point) or more for either side
/// are drawn again: a game that is decided before it begins teaches little.
const DECIDED_SCORE: i32 = SCORE_ONE;

/// How often an opening is drawn again before any is accepted, as untrained weights may evaluate
/// all of them as decided.
const OPENING_TRIES: usize = 1000;

/// Bytes for the tree or the transposition table of an engine.
const MEMORY: usize = 8 << 20;

/// Games that may wait for one that is played longer, for each thread.
const WAITING_GAMES: usize = 16;

#[derive(Clone, Copy, Debug)]
pub struct Play {
    pub engine: EngineKind,
    /// Iterations or positions a move.
    pub nodes: u64,
    pub games: usize,
    pub threads: usize,
    pub seed: u64,
    /// The weights that play, where they are not compiled in.
    pub weights: Option<&'static WeightsFile>,
}

/// The games of a file; missing ones are played and appended to it. `header` is its first line.
///
/// # Errors
/// Reading or writing fails; or the file has other games or other content, and is not changed.
pub fn read_and_play<G: Evaluate>(
    start: G,
    path: &Path,
    header: &str,
    play: Play,
) -> Result<Vec<SelfPlayRecord>, CommandError> {
    let failed = |error| CommandError::Failed(format!("{}: {error}", path.display()));
    let mut records = read(start, path, header)?;
    if records.len() < play.games {
        let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
        if file.metadata().map_err(failed)?.len() == 0 {
            file.write_all(format!("{header}\n").as_bytes()).map_err(failed)?;
        }
        // In one write, so that only the last line can be cut short.
        let mut write = |record: &SelfPlayRecord| {
            file.write_all(format!("{}\n", record.line(start)).as_bytes()).map_err(failed)
        };
        add(start, play, &mut records, &mut write)?;
    }
    records.truncate(play.games);
    Ok(records)
}

/// The games of a file, none if there is no file. A last line that is cut short is taken away.
fn read<G: Evaluate>(
    start: G,
    path: &Path,
    header: &str,
) -> Result<Vec<SelfPlayRecord>, CommandError> {
    let failed = |error| CommandError::Failed(format!("{}: {error}", path.display()));
    let bytes = match disk::read(path, MAX_GAMES) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
    };
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    // A line that is cut may end within a character.
    let (lines, cut) = (String::from_utf8_lossy(&bytes[..whole]), &bytes[whole..]);
    let place = |number| format!("{}, line {number}", path.display());
    let mut numbered = (1..).zip(without_bom(&lines).lines());
    let found = numbered.next().map(|(_, line)| line);
    let is_begun = found.is_none() && header.as_bytes().starts_with(cut);
    if found != Some(header) && !is_begun {
        let cut = String::from_utf8_lossy(cut);
        let expected = format!("`{header}`, or another --data FILE");
        return Err(ParseError::new(place(1), quoted(found.unwrap_or(&cut)), expected).into());
    }
    let record =
        |(number, line)| SelfPlayRecord::read(start, line).map_err(|e| e.within(place(number)));
    let records = numbered.map(record).collect::<Result<Vec<SelfPlayRecord>, ParseError>>()?;
    if !cut.is_empty() {
        let file = OpenOptions::new().write(true).open(path).map_err(failed)?;
        file.set_len(whole as u64).map_err(failed)?;
        let number = lines.lines().count() + 1;
        // If standard error is gone, nothing is lost.
        let _ = writeln!(stderr(), "{} is incomplete; it is written again", place(number));
    }
    Ok(records)
}

/// Plays the games that are missing, and hands them on in their order.
fn add<G: Evaluate>(
    start: G,
    play: Play,
    records: &mut Vec<SelfPlayRecord>,
    write: &mut impl FnMut(&SelfPlayRecord) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let options =
        EngineOptions { memory: MEMORY, weights: play.weights, ..EngineOptions::default() };
    let threads = play.threads.min(play.games - records.len());
    let engines = (0..threads)
        .map(|_| play.engine.build(start, &options))
        .collect::<Result<Vec<Box<dyn Engine<G>>>, EngineError>>()
        .map_err(|error| CommandError::Failed(error.to_string()))?;
    let mut progress = Progress::new("games", play.games as u64);
    let next = AtomicUsize::new(records.len());
    thread::scope(|scope| {
        let (sender, played) = mpsc::sync_channel(WAITING_GAMES * threads);
        for mut engine in engines {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                loop {
                    // Relaxed: only the number is shared.
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= play.games {
                        return;
                    }
                    let record = one_game(start, &mut *engine, play, number);
                    // There is no receiver any more if the file cannot be written.
                    if sender.send((number, record)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut plies = 0;
        for (number, record) in played {
            waiting.insert(number, record);
            while let Some(record) = waiting.remove(&records.len()) {
                write(&record)?;
                plies += record.plies.len();
                records.push(record);
                progress.show(records.len() as u64, || format!("{plies} moves played"));
            }
        }
        progress.end();
        Ok(())
    })
}

/// Plays the game of this number.
fn one_game<G: Evaluate>(
    start: G,
    engine: &mut dyn Engine<G>,
    play: Play,
    number: usize,
) -> SelfPlayRecord {
    let seed = seed_of(play.seed, number as u64);
    let mut rng = fastrand::Rng::with_seed(seed);
    engine.new_game(seed);
    let mut tries = 0..OPENING_TRIES;
    let opening = loop {
        let plies = rng.index(OPENING_PLIES.0..=OPENING_PLIES.1);
        let Some(opening) = random_opening(start, plies, &mut rng) else { continue };
        let score = opening.state.position.evaluate();
        if score.abs() < DECIDED_SCORE || tries.next().is_none() {
            break opening;
        }
    };
    let mut state = opening.state;
    let mut plies = Vec::new();
    loop {
        if let Some(ending) = state.ending() {
            return SelfPlayRecord { opening: opening.moves, plies, outcome: ending.outcome };
        }
        let report = engine.think(&state, &Budget::nodes(play.nodes), &mut |_| {});
        plies.push(Ply::of(&report));
        state.play(report.best);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use alesia::game::GameState;
    use alesia::games::Murus;
    use tempfile::{TempDir, tempdir};

    use super::*;

    const HEADER: &str = "murus, some engine";

    fn file() -> (TempDir, PathBuf) {
        let folder = tempdir().unwrap();
        let path = folder.path().join("some.games");
        (folder, path)
    }

    fn play(engine: EngineKind, games: usize, threads: usize) -> Play {
        Play { engine, nodes: 30, games, threads, seed: 1, weights: None }
    }

    #[test]
    fn games_are_the_same_whatever_the_threads_and_wherever_interrupted() {
        for engine in [EngineKind::MonteCarlo, EngineKind::AlphaBeta] {
            let (_folder, whole) = file();
            let start = Murus::start();
            let records = read_and_play(start, &whole, HEADER, play(engine, 6, 1)).unwrap();
            assert_eq!(records.len(), 6);
            let text = fs::read_to_string(&whole).unwrap();
            assert_eq!(text.lines().count(), 7);
            let (_folder, parts) = file();
            for games in [1, 4, 6] {
                let some = read_and_play(start, &parts, HEADER, play(engine, games, 3)).unwrap();
                assert_eq!(some, records[..games]);
            }
            assert_eq!(fs::read_to_string(&parts).unwrap(), text);
            // Existing games are neither played again nor removed.
            let some = read_and_play(start, &parts, HEADER, play(engine, 2, 3)).unwrap();
            assert_eq!((some.len(), fs::read_to_string(&parts).unwrap()), (2, text.clone()));
            // Wherever the writing ended.
            for end in [0, 1, HEADER.len(), HEADER.len() + 1, text.len() - 1] {
                fs::write(&parts, &text[..end]).unwrap();
                read_and_play(start, &parts, HEADER, play(engine, 6, 2)).unwrap();
                assert_eq!(fs::read_to_string(&parts).unwrap(), text);
            }
        }
    }

    #[test]
    fn no_game_is_decided_before_it_begins() {
        let (_folder, path) = file();
        let start = Murus::start();
        let records = read_and_play(start, &path, HEADER, play(EngineKind::MonteCarlo, 40, 2));
        for SelfPlayRecord { opening, .. } in records.unwrap() {
            let mut state = GameState::new(start);
            opening.iter().for_each(|&m| state.play(m));
            let score = state.position.evaluate();
            assert!(score.abs() < DECIDED_SCORE, "{score} after {opening:?}");
        }
    }

    #[test]
    fn another_seed_gives_other_games() {
        let games = |seed| {
            let (_folder, path) = file();
            let play = Play { seed, ..play(EngineKind::AlphaBeta, 2, 1) };
            read_and_play(Murus::start(), &path, HEADER, play).unwrap()
        };
        assert_ne!(games(1), games(2));
    }

    #[test]
    fn a_file_with_other_content_is_reported_and_not_changed() {
        let (_folder, path) = file();
        let place = path.display().to_string();
        let cases = [
            ("loa\n", "line 1: found `loa`, expected `murus, some engine`, or another --data FILE"),
            ("loa", "line 1: found `loa`, expected `murus, some engine`, or another --data FILE"),
            ("\n", "line 1: found ``, expected `murus, some engine`, or another --data FILE"),
            ("murus, some engine\nx y\nw", "line 2, result: found `x`, expected `w`, `b` or `d`"),
        ];
        for (text, expected) in cases {
            fs::write(&path, text).unwrap();
            let play = play(EngineKind::AlphaBeta, 2, 1);
            let error = read_and_play(Murus::start(), &path, HEADER, play).unwrap_err();
            assert_eq!(error.to_string(), format!("{place}, {expected}"));
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }
}
