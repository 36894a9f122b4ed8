//! The report of a soak: games, late moves, resources.

use std::fmt::Write;
use std::time::Duration;

use alesia::game::counted;
use alesia::search::EngineKind;

use super::resources::Resources;
use super::table::Played;

/// Max growth of resident memory after the first games: the allocator itself keeps some hundred
/// KiB.
const TOLERATED_GROWTH: u64 = 8 << 20;

/// What one kind of game came to.
#[derive(Default)]
struct Row {
    name: &'static str,
    games: usize,
    moves: usize,
    slowest: Duration,
    late: usize,
    /// Wins of the tree search, draws, wins of alpha-beta.
    results: [usize; 3],
}

pub struct SoakPage {
    terms: String,
    rows: Vec<Row>,
    late: Vec<String>,
    /// After the first games, and at the last look.
    held: Option<[Resources; 2]>,
}

impl SoakPage {
    pub fn new(move_time: u64, threads: usize, cores: usize) -> SoakPage {
        let (threads, cores) = (counted(threads, "thread"), counted(cores, "core"));
        let terms = format!("{move_time} ms a move, {threads} a player, {cores}");
        SoakPage { terms, rows: Vec::new(), late: Vec::new(), held: None }
    }

    pub fn add(&mut self, name: &'static str, game: Played) {
        let known = self.rows.iter().position(|row| row.name == name);
        let index = known.unwrap_or_else(|| {
            self.rows.push(Row { name, ..Row::default() });
            self.rows.len() - 1
        });
        let row = &mut self.rows[index];
        row.games += 1;
        row.moves += game.moves;
        row.slowest = row.slowest.max(game.slowest);
        row.late += usize::from(game.late.is_some());
        row.results[match game.winner {
            Some(EngineKind::MonteCarlo) => 0,
            None => 1,
            Some(_) => 2,
        }] += 1;
        self.late.extend(game.late);
    }

    /// Records the resources in use now.
    pub fn hold(&mut self, now: Resources) {
        self.held.get_or_insert([now; 2])[1] = now;
    }

    fn sum(&self, part: impl Fn(&Row) -> usize) -> usize {
        self.rows.iter().map(part).sum()
    }

    /// How it stands, for the progress.
    pub fn in_short(&self) -> String {
        let (games, moves) = (self.sum(|row| row.games), self.sum(|row| row.moves));
        let (games, moves) = (counted(games, "game"), counted(moves, "move"));
        format!("{games}, {moves}, {} late", self.late.len())
    }

    pub fn text(&self, elapsed: Duration) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text, elapsed);
        text
    }

    fn write(&self, text: &mut String, elapsed: Duration) -> std::fmt::Result {
        writeln!(text, "{:.1} minutes, {}", elapsed.as_secs_f64() / 60.0, self.terms)?;
        writeln!(
            text,
            "{:10} {:>6} {:>7} {:>10} {:>5}  tree search won, drawn, lost",
            "game", "games", "moves", "slowest ms", "late"
        )?;
        for row in &self.rows {
            let Row { name, games, moves, late, results: [won, drawn, lost], .. } = row;
            let slowest = row.slowest.as_millis();
            writeln!(
                text,
                "{name:10} {games:>6} {moves:>7} {slowest:>10} {late:>5}  {won}, {drawn}, {lost}"
            )?;
        }
        let moves = self.sum(|row| row.moves);
        writeln!(text, "{moves} moves and all results agree with the plain rules")?;
        for late in &self.late {
            writeln!(text, "late: {late}")?;
        }
        if let Some([first, last]) = self.held {
            let mebibytes = |held: Resources| held.memory.map(|bytes| bytes >> 20);
            writeln!(text, "memory MiB   {}", change(mebibytes(first), mebibytes(last)))?;
            writeln!(text, "descriptors  {}", change(first.descriptors, last.descriptors))?;
            writeln!(text, "threads      {}", change(first.threads, last.threads))?;
        }
        Ok(())
    }

    /// Whether nothing grew.
    ///
    /// # Errors
    /// Says what did.
    pub fn verdict(&self) -> Result<(), String> {
        let Some([first, last]) = self.held else { return Ok(()) };
        let grown = [
            (last.memory > first.memory.map(|bytes| bytes + TOLERATED_GROWTH), "memory"),
            (last.descriptors > first.descriptors, "descriptors"),
            (last.threads > first.threads, "threads"),
        ];
        match grown.into_iter().find(|(grown, _)| *grown) {
            Some((_, what)) => Err(format!("{what}: grew between the first games and the end")),
            None => Ok(()),
        }
    }
}

/// A number after the first games and at the end.
fn change<T: std::fmt::Display>(first: Option<T>, last: Option<T>) -> String {
    match (first, last) {
        (Some(first), Some(last)) => format!("{first} after the first games, {last} at the end"),
        _ => "unknown on this system".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_reported() {
        let held = |memory, descriptors, threads| Resources {
            memory: Some(memory),
            descriptors: Some(descriptors),
            threads: Some(threads),
        };
        let verdict = |last| {
            let mut page = SoakPage::new(100, 2, 2);
            page.hold(held(1 << 30, 10, 20));
            page.hold(held(2 << 30, 99, 99));
            page.hold(last);
            page.verdict().map_err(|what| what.split(':').next().unwrap().to_owned())
        };
        assert_eq!(verdict(held((1 << 30) + TOLERATED_GROWTH, 10, 20)), Ok(()));
        assert_eq!(verdict(held((1 << 30) + TOLERATED_GROWTH + 1, 10, 20)), Err("memory".into()));
        assert_eq!(verdict(held(1 << 30, 11, 20)), Err("descriptors".into()));
        assert_eq!(verdict(held(1 << 30, 10, 21)), Err("threads".into()));
        let unknown = Resources { memory: None, descriptors: None, threads: None };
        assert_eq!(verdict(unknown), Ok(()));
    }
}
