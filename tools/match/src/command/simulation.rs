//! Matches on disks that fail, in one thread from one seed.
//!
//! The one idea: the files of a match are the real ones ([`MatchFile`], [`AppendOnlyFile`]) on a
//! medium whose faults a random generator draws. These are short writes, a full disk, refused
//! syncs, processes that are killed, lost power. The match continues until it ends. Then each game
//! that was said to be written was there ever since, and each file has all games once, as they were
//! played.
//!
//! `ALESIA_DISK=SEED cargo test -p alesia-match simulation` runs one seed again.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, ErrorKind};
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::OnceLock;

use alesia::game::chance::Chance;
use alesia_documents::failed_seeds;
use fastrand::Rng;

use super::options::Options;
use crate::files::disk::LOST;
use crate::files::match_file::{Header, MatchFile};
use crate::run::schedule::Task;
use crate::run::terms::Terms;
use crate::run::work::{Count, Observer};
use crate::run::{resume, work};
use alesia::record::append_only::AppendOnlyFile;
use alesia::record::checked_line::json_line;
use alesia::record::game_record::{GameRecord, read};
use alesia::record::system_file::Medium;
use alesia::words::command_error::CommandError;

const WORDS: &str = "-game hadron2x3 -engine name=A -engine name=B option.seed=1 -each nodes=1 \
                     option.engine=random -openings plies=1 -rounds 6 -srand 3";

/// Runs with faults; after them a match comes to its end.
const FAULTY_RUNS: u32 = 12;

/// Bytes that a disk keeps or loses together.
const SECTOR: usize = 64;

/// What a disk does; others are drawn from the seed.
struct Disk {
    /// What would be there after a loss of power.
    safe: Vec<u8>,
    /// What is read.
    seen: Vec<u8>,
    /// Bytes of it that a refused sync has left behind: no later one makes them safe.
    doomed: Vec<bool>,
    /// Bytes that have not changed since the last sync.
    stable: usize,
    /// Whether the process runs: it is killed, or the power is lost.
    on: bool,
    /// Faults in a thousand operations.
    faults: u32,
    rng: Rng,
}

impl Disk {
    fn new(seed: u64) -> Disk {
        let (safe, seen, doomed) = (Vec::new(), Vec::new(), Vec::new());
        Disk { safe, seen, doomed, stable: 0, on: true, faults: 0, rng: Rng::with_seed(seed) }
    }

    fn fault(&mut self) -> bool {
        self.rng.u32(..1000) < self.faults
    }

    /// An error where the process runs no more.
    fn running(&mut self) -> io::Result<()> {
        if self.fault() && self.rng.bool() {
            self.on = false;
        }
        if self.on { Ok(()) } else { Err(ErrorKind::BrokenPipe.into()) }
    }

    /// What is there after a loss of power: the file as it was at the last sync, or what was
    /// written since up to a point, with sectors that were not.
    fn lose_power(&mut self) {
        if self.rng.bool() {
            let end = self.rng.index(self.stable..=self.seen.len());
            let mut bytes = self.seen[..end].to_vec();
            for sector in (self.stable..end).step_by(SECTOR) {
                if self.rng.u32(..4) == 0 {
                    bytes[sector..end.min(sector + SECTOR)].fill(0);
                }
            }
            // What a refused sync left behind is lost in any case.
            let lost = self.doomed.iter().zip(&mut bytes).filter(|(doomed, _)| **doomed);
            lost.for_each(|(_, byte)| *byte = 0);
            self.safe = bytes;
        }
        self.seen = self.safe.clone();
        self.doomed = vec![false; self.seen.len()];
        self.stable = self.seen.len();
    }
}

/// A file on such a disk.
#[derive(Clone)]
struct Handle(Rc<RefCell<Disk>>);

impl Medium for Handle {
    fn read(&mut self, from: u64) -> io::Result<Vec<u8>> {
        let mut disk = self.0.borrow_mut();
        disk.running()?;
        Ok(disk.seen[from as usize..].to_vec())
    }

    fn length(&mut self) -> io::Result<u64> {
        Ok(self.0.borrow().seen.len() as u64)
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let disk = &mut *self.0.borrow_mut();
        let end = disk.running();
        let (short, full) = (disk.fault(), disk.fault());
        let count = match short || full || end.is_err() {
            true => disk.rng.index(..=bytes.len()),
            false => bytes.len(),
        };
        disk.seen.extend(&bytes[..count]);
        disk.doomed.resize(disk.seen.len(), false);
        end?;
        if full { Err(ErrorKind::StorageFull.into()) } else { Ok(count) }
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        let disk = &mut *self.0.borrow_mut();
        disk.running()?;
        let length = length as usize;
        assert!(length <= disk.seen.len(), "nothing is made longer");
        disk.seen.truncate(length);
        disk.doomed.truncate(length);
        disk.stable = disk.stable.min(length);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        let disk = &mut *self.0.borrow_mut();
        disk.running()?;
        if disk.fault() {
            disk.doomed[disk.stable..].fill(true);
            return Err(ErrorKind::Other.into());
        }
        disk.safe = disk.seen.clone();
        let lost = disk.doomed.iter().zip(&mut disk.safe).filter(|(doomed, _)| **doomed);
        lost.for_each(|(_, byte)| *byte = 0);
        disk.stable = disk.seen.len();
        Ok(())
    }
}

/// The match, and its games as they are when nothing fails.
pub fn reference() -> &'static (Terms, Vec<GameRecord>) {
    static GAMES: OnceLock<(Terms, Vec<GameRecord>)> = OnceLock::new();
    GAMES.get_or_init(|| {
        struct Listed(Vec<GameRecord>);
        impl Observer for Listed {
            fn ended(&mut self, _: &GameRecord) {}
            fn save(&mut self) -> Result<(), CommandError> {
                Ok(())
            }
            fn counts(
                &mut self,
                _: &Task,
                record: &GameRecord,
            ) -> Result<ControlFlow<()>, CommandError> {
                self.0.push(record.clone());
                Ok(ControlFlow::Continue(()))
            }
            fn interrupted(&mut self) {}
        }
        let terms = Options::read(&header().words).unwrap().terms;
        let mut listed = Listed(Vec::new());
        let none = BTreeMap::new();
        work::play(&terms, none, &mut listed, None).unwrap();
        assert_eq!(listed.0.len(), 12);
        (terms, listed.0)
    })
}

fn header() -> Header {
    Header { words: WORDS.split_whitespace().map(str::to_owned).collect(), draw: None }
}

/// As a match keeps its games: in its own file, and in one of records.
struct Keeper<'a> {
    files: [AppendOnlyFile<Handle>; 2],
    /// Games that end now, then those that are safe.
    ended: Vec<u64>,
    safe: &'a mut BTreeSet<u64>,
    counted: u64,
}

impl Observer for Keeper<'_> {
    fn ended(&mut self, record: &GameRecord) {
        self.files.iter_mut().for_each(|file| file.add(record));
    }

    fn save(&mut self) -> Result<(), CommandError> {
        self.files.iter_mut().try_for_each(AppendOnlyFile::commit)?;
        self.safe.extend(self.ended.drain(..));
        Ok(())
    }

    fn counts(&mut self, _: &Task, record: &GameRecord) -> Result<ControlFlow<()>, CommandError> {
        assert!(self.safe.contains(&self.counted), "what counts is safe");
        assert_eq!(*record, reference().1[self.counted as usize], "and as it was played");
        self.counted += 1;
        Ok(ControlFlow::Continue(()))
    }

    fn interrupted(&mut self) {}
}

/// What is known of a match between its runs.
struct Match {
    disks: [Rc<RefCell<Disk>>; 2],
    rng: Rng,
    /// Whether the head of its file is safe.
    begun: bool,
    /// Games that were said to be written.
    safe: BTreeSet<u64>,
}

impl Match {
    /// Runs the match until it ends (true) or is interrupted.
    fn run(&mut self) -> Result<bool, CommandError> {
        let (terms, games) = reference();
        let [config, records] = [0, 1].map(|file| Handle(self.disks[file].clone()));
        let MatchFile { mut file, saved } = MatchFile::restore(config, None, "config")?;
        let done = match saved {
            Some(saved) => {
                saved.check(&header().words, "word", "nothing").expect("it is the same match");
                self.begun = true;
                resume::games(saved, terms, |_| {})?
            }
            None => {
                assert!(!self.begun, "the head is lost");
                file.add(&header());
                file.commit()?;
                self.begun = true;
                BTreeMap::new()
            }
        };
        for number in &self.safe {
            assert!(done.contains_key(number), "game {number} is lost");
        }
        let mut records = AppendOnlyFile::at_end(records, None)?;
        records.add_missing(done.values())?;
        self.safe.extend(done.keys());
        let mut left: Vec<u64> =
            (0..terms.schedule.games()).filter(|number| !done.contains_key(number)).collect();
        let (files, ended) = ([file, records], Vec::new());
        let mut keeper = Keeper { files, ended, safe: &mut self.safe, counted: 0 };
        let mut count = Count { terms, done, counted: 0, observer: &mut keeper };
        let _ = count.go_on()?;
        let together = self.rng.index(1..=3);
        while !left.is_empty() {
            for _ in 0..self.rng.index(1..=3).min(left.len()) {
                let number = left.remove(self.rng.index(..together.min(left.len())));
                count.observer.ended.push(number);
                count.ended(number, games[number as usize].clone());
            }
            if self.disks[0].borrow_mut().fault() {
                // Killed.
                return Ok(false);
            }
            count.observer.save()?;
            let _ = count.go_on()?;
        }
        assert_eq!(count.observer.counted, terms.schedule.games());
        Ok(true)
    }

    /// After an interruption, with power or without.
    fn recover(&mut self, error: Option<CommandError>) {
        // What a refused sync left behind and no cut could remove is known only to a disk.
        let in_vain = self.disks.iter().any(|disk| disk.borrow().doomed.contains(&true));
        let power_is_lost = in_vain || self.rng.bool();
        for disk in &self.disks {
            let disk = &mut *disk.borrow_mut();
            if power_is_lost {
                disk.lose_power();
            }
            disk.on = true;
        }
        // A head that was not written whole may be no match to anyone; there is no game yet.
        if let Some(CommandError::Usage(text)) = error {
            assert!(!self.begun && self.safe.is_empty(), "{text}");
            let mut disk = self.disks[0].borrow_mut();
            (disk.safe, disk.seen, disk.doomed, disk.stable) = Default::default();
        }
    }
}

/// Plays one match; panics if anything is not as it must be. Returns its runs.
fn play(seed: u64) -> u32 {
    let mut rng = Rng::with_seed(seed);
    let faults = [5, 20, 60, 150][rng.index(..4)];
    let disks = [0; 2].map(|_| Rc::new(RefCell::new(Disk::new(rng.u64(..)))));
    let mut played = Match { disks, rng, begun: false, safe: BTreeSet::new() };
    for run in 1.. {
        assert!(run < FAULTY_RUNS + 5, "it does not come to its end");
        for disk in &played.disks {
            disk.borrow_mut().faults = if run > FAULTY_RUNS { 0 } else { faults };
        }
        match played.run() {
            Ok(true) => {
                // What was said is true without power too.
                played.disks.iter().for_each(|disk| disk.borrow_mut().lose_power());
                check(&played);
                return run;
            }
            Ok(false) => played.recover(None),
            Err(error) => played.recover(Some(error)),
        }
    }
    unreachable!("it ends or fails")
}

/// Each file has each game once, and as it was played.
fn check(played: &Match) {
    let expected: BTreeSet<String> = reference().1.iter().map(json_line).collect();
    for disk in &played.disks {
        let disk = disk.borrow();
        let text = String::from_utf8_lossy(&disk.seen);
        let games: Vec<String> = text
            .lines()
            .filter(|line| !line.contains(LOST) && !line.starts_with("{\"match\":"))
            .map(|line| read::<GameRecord>("file", line).expect("no piece of a record is left"))
            .map(|game| json_line(&game))
            .collect();
        assert_eq!(games.len(), expected.len(), "nothing is lost or doubled: {text}");
        assert_eq!(games.into_iter().collect::<BTreeSet<String>>(), expected, "or changed");
    }
}

fn play_all(first: u64, seeds: u64) {
    let mut runs = 0;
    let others = failed_seeds("disk");
    let count = seeds + others.len() as u64;
    for seed in others.into_iter().chain(first..first + seeds) {
        let result = std::panic::catch_unwind(|| play(seed));
        runs += u64::from(result.unwrap_or_else(|_| panic!("ALESIA_DISK={seed}")));
    }
    println!("{count} matches, {} interruptions", runs - count);
    assert!(runs > 2 * count, "there are interruptions");
}

#[test]
fn interruptions() {
    match std::env::var("ALESIA_DISK") {
        Ok(seed) => drop(play(seed.parse().unwrap())),
        Err(_) => play_all(0, 300),
    }
}

#[test]
#[ignore = "a minute in the release build"]
fn a_hundred_thousand_matches() {
    let first = std::env::var("ALESIA_FIRST_SEED").map_or(0, |seed| seed.parse().unwrap());
    play_all(first, 100_000);
}
