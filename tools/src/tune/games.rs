//! Games of an engine against itself, from which an evaluation learns.
//!
//! The one idea: a game depends only on its number, as each has its own seed and a fixed number of
//! nodes per move. So the games depend neither on the number of threads nor on interruptions nor on
//! the machine. Only games that their file lacks are played.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{self, ErrorKind, Write, stderr};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use alesia::eval::Evaluate;
use alesia::eval::network::SCORE_ONE;
use alesia::eval::weights_file::WeightsFile;
use alesia::game::ParseError;
use alesia::game::chance::Chance;
use alesia::record::lock::Lock;
use alesia::search::clock::Budget;
use alesia::search::duel::random_opening;
use alesia::search::{Engine, EngineError, EngineKind, EngineOptions};
use alesia::words::command_error::CommandError;
use alesia_match::run::seeds::seed_of;
use alesia_match::words::progress::Progress;

use super::games_file::{Games, Lines, failed, shown};
use super::record::{Ply, SelfPlayRecord};
use super::shard::Shard;

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
    /// How many games there are in all shards.
    pub games: usize,
    /// The shard that is played, if not all of them.
    pub shard: Option<Shard>,
    pub threads: usize,
    pub seed: u64,
    /// The weights that play, where they are not compiled in.
    pub weights: Option<&'static WeightsFile>,
}

impl Play {
    /// How many games the file will have.
    pub fn wanted(&self) -> usize {
        self.shard.unwrap_or(Shard::WHOLE).games(self.games)
    }
}

/// Plays the games that a file lacks, and appends them. `head` is its first line.
///
/// # Errors
/// Reading or writing fails; another process writes the file; or it has other games, games of
/// another network, or other content, and is not changed.
pub fn play_missing<G: Evaluate>(
    start: G,
    path: &Path,
    head: &str,
    play: Play,
) -> Result<(), CommandError> {
    let known = Known::of(start, path, head)?;
    let is_own = match &known.first {
        Some(first) => *first == first_game(start, play)?,
        None => true,
    };
    if known.length > 0 && known.cut.is_none() && known.games >= play.wanted() {
        if !is_own {
            let name = path.display();
            let _ = writeln!(stderr(), "{name}: another network or program played these games");
        }
        return Ok(());
    }
    if !is_own {
        let place = format!("{}, first game", path.display());
        let found = "one of another network or program";
        return Err(ParseError::new(place, found, "the present one's; another --data FILE").into());
    }
    let failed = |error| failed(path, &error);
    let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
    let _lock = Lock::take(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.len() != known.length + known.cut_bytes {
        let what = "found another length than before, expected one writer";
        return Err(failed(io::Error::other(what)));
    }
    if let Some(place) = &known.cut {
        let cut = OpenOptions::new().write(true).open(path).map_err(failed)?;
        cut.set_len(known.length).map_err(failed)?;
        // If standard error is gone, nothing is lost.
        let _ = writeln!(stderr(), "{place} is incomplete; it is written again");
    }
    if known.length == 0 {
        file.write_all(format!("{head}\n").as_bytes()).map_err(failed)?;
    }
    // In one write, so that only the last line can be cut short.
    let mut write = |record: &SelfPlayRecord| {
        file.write_all(format!("{}\n", record.line(start)).as_bytes()).map_err(failed)
    };
    add(start, play, known.games, &mut write)
}

/// What a file has.
#[derive(Default)]
struct Known {
    games: usize,
    first: Option<SelfPlayRecord>,
    /// Bytes of its whole lines.
    length: u64,
    /// Where a line is that was cut short, and its bytes.
    cut: Option<String>,
    cut_bytes: u64,
}

impl Known {
    /// Checks what is in a file; nothing is in one that is not there.
    fn of<G: Evaluate>(start: G, path: &Path, head: &str) -> Result<Known, CommandError> {
        let mut lines = match Lines::open(path) {
            Ok(lines) => lines,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Known::default()),
            Err(error) => return Err(failed(path, &error)),
        };
        let place = lines.place();
        let found = lines.next_whole()?.map(str::to_owned);
        let is_begun = found.is_none() && head.as_bytes().starts_with(lines.cut());
        if found.as_deref() != Some(head) && !is_begun {
            let found = found.unwrap_or_else(|| String::from_utf8_lossy(lines.cut()).into_owned());
            let expected = format!("`{head}`, or another --data FILE");
            return Err(ParseError::new(place, shown(&found), expected).into());
        }
        let mut games = Games::new(start, lines, Shard::WHOLE);
        let first = if found.is_some() { games.next_game()? } else { None };
        while first.is_some() && games.next_game()?.is_some() {}
        let (count, lines) = (games.count(), &games.lines);
        Ok(Known {
            games: count,
            first,
            length: lines.length(),
            cut: Some(lines.place()).filter(|_| !lines.cut().is_empty()),
            cut_bytes: lines.cut().len() as u64,
        })
    }
}

/// Plays the games behind the first `known` ones, and hands them on in their order.
fn add<G: Evaluate>(
    start: G,
    play: Play,
    known: usize,
    write: &mut impl FnMut(&SelfPlayRecord) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let (shard, wanted) = (play.shard.unwrap_or(Shard::WHOLE), play.wanted());
    let threads = play.threads.min(wanted - known);
    let engines = (0..threads).map(|_| engine(start, play)).collect::<Result<Vec<_>, _>>()?;
    let mut progress = Progress::new("games", wanted as u64);
    let next = AtomicUsize::new(known);
    thread::scope(|scope| {
        let (sender, played) = mpsc::sync_channel(WAITING_GAMES * threads);
        for mut engine in engines {
            let (sender, next) = (sender.clone(), &next);
            let playing = move || {
                loop {
                    // Relaxed: only the number is shared.
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    if place >= wanted {
                        return;
                    }
                    let record = one_game(start, &mut *engine, play, shard.number(place));
                    // There is no receiver any more if the file cannot be written.
                    if sender.send((place, record)).is_err() {
                        return;
                    }
                }
            };
            let started = thread::Builder::new().spawn_scoped(scope, playing);
            started.map_err(|error| CommandError::Failed(format!("no thread: {error}")))?;
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let (mut written, mut plies) = (known, 0);
        for (place, record) in played {
            waiting.insert(place, record);
            while let Some(record) = waiting.remove(&written) {
                write(&record)?;
                plies += record.plies.len();
                written += 1;
                progress.show(written as u64, || format!("{plies} moves played"));
            }
        }
        progress.end();
        Ok(())
    })
}

/// A player.
fn engine<G: Evaluate>(start: G, play: Play) -> Result<Box<dyn Engine<G>>, CommandError> {
    let options =
        EngineOptions { memory: MEMORY, weights: play.weights, ..EngineOptions::default() };
    let built: Result<_, EngineError> = play.engine.build_for(start, &options);
    built.map_err(|error| CommandError::Failed(error.to_string()))
}

/// The first game of a file, as it is played now.
fn first_game<G: Evaluate>(start: G, play: Play) -> Result<SelfPlayRecord, CommandError> {
    let number = play.shard.unwrap_or(Shard::WHOLE).number(0);
    Ok(one_game(start, &mut *engine(start, play)?, play, number))
}

/// Plays the game of this number.
fn one_game<G: Evaluate>(
    start: G,
    engine: &mut dyn Engine<G>,
    play: Play,
    number: u64,
) -> SelfPlayRecord {
    let seed = seed_of(play.seed, number);
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
        plies.push(Ply::of(&report, &engine.root_moves(&state)));
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
        Play { engine, nodes: 30, games, shard: None, threads, seed: 1, weights: None }
    }

    /// Plays what a file lacks: the games that it then has.
    fn read_and_play(
        start: Murus,
        path: &Path,
        head: &str,
        play: Play,
    ) -> Result<Vec<SelfPlayRecord>, CommandError> {
        play_missing(start, path, head, play)?;
        let mut lines = Lines::open(path).unwrap();
        assert_eq!(lines.next_whole().unwrap(), Some(head));
        let mut games = Games::new(start, lines, Shard::WHOLE);
        let mut records = Vec::new();
        while let Some(record) = games.next_game()? {
            records.push(record);
        }
        assert!(!path.with_extension("games.lock").exists());
        Ok(records)
    }

    #[test]
    fn games_of_another_network_are_not_continued() {
        let (_folder, path) = file();
        let (start, engine) = (Murus::start(), EngineKind::MonteCarlo);
        // With other nodes the same games are played otherwise, as by another network.
        let other = Play { nodes: 60, ..play(engine, 2, 1) };
        read_and_play(start, &path, HEADER, other).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let error = read_and_play(start, &path, HEADER, play(engine, 3, 1)).unwrap_err();
        let expected = "first game: found one of another network or program, expected the present \
                        one's; another --data FILE";
        assert!(error.to_string().ends_with(expected), "{error}");
        assert!(read_and_play(start, &path, HEADER, play(engine, 2, 1)).is_ok(), "to be learned");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
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
            read_and_play(start, &parts, HEADER, play(engine, 2, 3)).unwrap();
            assert_eq!(fs::read_to_string(&parts).unwrap(), text);
            // Wherever the writing ended.
            for end in [0, 1, HEADER.len(), HEADER.len() + 1, text.len() - 1] {
                fs::write(&parts, &text[..end]).unwrap();
                read_and_play(start, &parts, HEADER, play(engine, 6, 2)).unwrap();
                assert_eq!(fs::read_to_string(&parts).unwrap(), text);
            }
        }
    }

    #[test]
    fn shards_have_the_games_of_one_run() {
        let start = Murus::start();
        let all = |shard: Option<&str>| {
            let (_folder, path) = file();
            let shard = shard.map(|text| text.parse().unwrap());
            let play = Play { shard, ..play(EngineKind::AlphaBeta, 7, 2) };
            read_and_play(start, &path, HEADER, play).unwrap()
        };
        let (whole, shards) = (all(None), ["0/3", "1/3", "2/3"].map(|shard| all(Some(shard))));
        assert_eq!(shards.each_ref().map(Vec::len), [3, 2, 2]);
        for (number, game) in whole.iter().enumerate() {
            assert_eq!(&shards[number % 3][number / 3], game);
        }
    }

    #[test]
    fn one_process_writes_a_file() {
        let (_folder, path) = file();
        let play = |games| {
            let play = play(EngineKind::AlphaBeta, games, 1);
            read_and_play(Murus::start(), &path, HEADER, play)
        };
        play(1).unwrap();
        let lock = Lock::take(&path).unwrap();
        let error = play(2).unwrap_err().to_string();
        assert!(error.contains(": found in use "), "{error}");
        // Nothing is written where nothing is missing.
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 2);
        play_missing(Murus::start(), &path, HEADER, self::play(EngineKind::AlphaBeta, 1, 1))
            .unwrap();
        drop(lock);
        assert_eq!(play(2).unwrap().len(), 2);
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
