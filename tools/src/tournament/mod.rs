//! `alesia-lab tournament`: a whole tournament in the course's format, from a file.
//!
//! The one idea: a double round robin in which both games of two players come one after the other,
//! in groups by a draw of lots. It is a match whose pairings and order follow from the file and the
//! seed of the draw, so it is played, recorded and resumed as one.

mod host;
mod league;
mod pages;
pub mod plan;
mod rehearsal;

use std::env::temp_dir;
use std::fs;
use std::io::{Write, stderr, stdout};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use alesia::game::without_bom;
use alesia::record::append_only::AppendOnlyFile;
use alesia::record::game_record::{GameRecord, Occasion};
use alesia::words::command_error::CommandError;
use alesia_board::games::match_games::{MatchGames, Source};
use alesia_board::server::beside_a_match;
use alesia_match::files::disk;
use alesia_match::files::match_file::{Header, MatchFile};
use alesia_match::players::guest::Reception;
use alesia_match::run::adjudication::Adjudication;
use alesia_match::run::audience::Audience;
use alesia_match::run::opening::Openings;
use alesia_match::run::results::Irregular;
use alesia_match::run::schedule::{Schedule, Task};
use alesia_match::run::terms::Terms;
use alesia_match::run::work::{self, Observer};
use alesia_match::run::{resume, stop_requests};
use alesia_match::words::logging;
use alesia_match::words::progress::Progress;
use clap::Args;

use plan::{Plan, Returns};

const FILE: &str = "\
The file, in TOML:
  title = \"Spring cup\"       # title of the pages
  game = \"murus\"             # any game of `match -game`
  groups = 2                 # separate groups, drawn by lot [default: 1]
  draw = 2026                # seed of the draw [default: random, and recorded]
  max_moves = 60             # a tie after this many moves of each player
  concurrency = 1            # games played at once

  [each]                     # settings of all players, keys as in `match -each`
  st = 1.0

  [[player]]                 # one player, keys as in `match -engine`
  name = \"Alesia\"
  proto = \"tcp\"
  cmd = \"target/release/alesia\"
  args = \"play --game {game} {host} {port}\"

  [[player]]
  name = \"Here\"
  option = { engine = \"alphabeta\", threads = 2 }

In each group every two players meet twice, once with each colour, one game after the other (or with
returns = \"last\", when all have met all). A win gives three points, a draw one; players with equal
points are ranked by the games between them, then by wins, then by lot.

With --host, a player may have, instead of cmd, where it comes from; any client that connects there
is that player:
  [host]                     # optional
  bind = \"0.0.0.0\"           # where the server listens [default: all interfaces]
  port = 8901                # of the players with from

  [[player]]
  name = \"Anna\"
  port = 9001                # a port of its own
  wait = 120                 # seconds until it has lost a game to which it does not come
  warmup = 0                 # seconds before White's first turn

  [[player]]
  name = \"Bruno\"
  from = \"lab7\"              # or its machine

  [[player]]                 # Lines of Action over the relay, first moves in 2 s
  name = \"Carla\"
  proto = \"relay\"
  port = 40001               # as Black it connects there
  listens = \"lab8:40101\"     # as White it listens there

The results folder contains games.jsonl (see `alesia-lab games show`), draw.txt,
standings.txt, standings.csv and standings.html, all updated after every game. The same command
continues an interrupted tournament.";

/// The arguments of `alesia-lab tournament`.
#[derive(Args)]
#[command(after_help = FILE)]
pub struct Tournament {
    /// File of the tournament (TOML; see below).
    #[arg(required_unless_present = "rehearse", conflicts_with = "rehearse")]
    file: Option<PathBuf>,
    /// Lets players come by themselves: any client that connects (see below).
    #[arg(long)]
    host: bool,
    /// Plays both courses' tournaments on this machine, with good, late, illegal, crashing, silent
    /// and absent players, and shows what an organiser will see; takes a minute.
    #[arg(long, conflicts_with_all = ["host", "board"])]
    rehearse: bool,
    /// Folder of the results [default: the name of the file without its extension].
    #[arg(long, value_name = "FOLDER", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Shows games and standings on a page [default port: 8910, else any free port].
    ///
    /// The page closes after the tournament, once no browser has it open.
    #[arg(long, value_name = "PORT", num_args = 0..=1, help_heading = "Output")]
    board: Option<Option<u16>>,
}

impl Tournament {
    pub fn run(&self) -> Result<(), CommandError> {
        logging::start(None)?;
        stop_requests::end_with_us()?;
        if self.rehearse {
            let own = format!("alesia-rehearsal-{}", std::process::id());
            return rehearsal::run(&self.output.clone().unwrap_or_else(|| temp_dir().join(own)));
        }
        self.hold().map(drop)
    }

    /// Holds the tournament of the file; returns its games.
    fn hold(&self) -> Result<Vec<GameRecord>, CommandError> {
        let file = self.file.as_deref().unwrap_or(Path::new(""));
        let place = file.display().to_string();
        let failed = |error| CommandError::Failed(format!("{place}: {error}"));
        let text = disk::read_text(file).map_err(failed)?;
        let text = without_bom(&text);
        let folder = self.folder(file)?;
        let path = folder.file("games.jsonl");
        let place_of_games = path.display().to_string();
        // Nothing is written before all players are there.
        work::check_programs(&Plan::read(text, &place, 0, self.host)?.players)?;
        let opened = MatchFile::open(&path, &place_of_games)?;
        let saved = opened.as_ref().and_then(|opened| opened.saved.as_ref());
        let drawn = saved.and_then(|saved| saved.header.draw);
        let plan = Plan::read(text, &place, drawn.unwrap_or_else(draw_seed), self.host)?;
        let header =
            Header { words: text.lines().map(str::to_owned).collect(), draw: Some(plan.draw) };
        if let Some(saved) = saved {
            saved.check(&header.words, &format!("{place}, line"), "another --output FOLDER")?;
        }
        // Before anything is written too: a port may not be free.
        let reception = self
            .host
            .then(|| Reception::open(&plan.players, plan.host.bind, plan.host.port))
            .transpose()?;
        folder.make()?;
        let (file, saved) = MatchFile::begin(opened, &path, &place_of_games, &header)?;
        let terms = terms_of(&plan);
        let done = match saved {
            Some(saved) => resume::games(saved, &terms, logging::warn)?,
            None => Default::default(),
        };
        folder.write("draw.txt", plan.describe().as_bytes())?;
        let progress = Progress::new("Games", terms.schedule.games());
        let live = self
            .board
            .map(|port| beside_a_match::open(port, Source::Tournament, plan.title.clone()));
        let live = live.transpose()?;
        let live = live.as_ref();
        let is_new = done.is_empty();
        let finished = done.len() as u64 == terms.schedule.games();
        if let Some(live) = live {
            done.values().for_each(|record| live.show(plan.game, record));
        }
        let audience = live.map(|live| live as &dyn Audience);
        let mut desk = TournamentObserver {
            plan: &plan,
            folder: &folder,
            file,
            schedule: &terms.schedule,
            ended: Vec::new(),
            records: Vec::new(),
            progress,
            live,
        };
        desk.publish()?;
        if reception.is_some() && is_new {
            host::await_players(&plan, !self.rehearse);
        }
        let played = work::play(&terms, done, &mut desk, audience);
        desk.progress.end();
        // A tournament that cannot go on has its games all the same.
        if played.is_ok() || !desk.records.is_empty() {
            let standings = pages::text(&plan, &desk.groups(), desk.irregular());
            write!(stdout().lock(), "{standings}")?;
        }
        drop(reception);
        played?;
        match live {
            Some(live) if finished => live.await_visitors(),
            Some(live) => live.stay(),
            None => {}
        }
        Ok(desk.records)
    }

    /// The folder of the results.
    fn folder(&self, file: &Path) -> Result<Folder, CommandError> {
        let path = self.output.clone().unwrap_or_else(|| file.with_extension(""));
        if path == file {
            return Err(CommandError::Usage(format!(
                "{}: found no extension in the name of the file, expected one or --output FOLDER",
                file.display()
            )));
        }
        Ok(Folder { path })
    }
}

/// The settings of the games of a tournament.
fn terms_of(plan: &Plan) -> Terms {
    let pairings = plan.rounds.concat();
    let pairs = 0..pairings.len() as u32;
    let schedule = Schedule::new(plan.draw, pairings, pairs);
    Terms {
        game: plan.game,
        entrants: plan.players.clone(),
        schedule: match plan.returns {
            Returns::Next => schedule,
            Returns::Last => schedule.with_returns_last(),
        },
        openings: Openings::Plies(0),
        adjudication: Adjudication { moves_per_player: plan.max_moves, ..Default::default() },
        occasion: Occasion::default(),
        recover: true,
        concurrency: plan.concurrency,
    }
}

/// A random seed.
fn draw_seed() -> u64 {
    // Short enough to be read out at the draw.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_nanos() as u64 % 1_000_000
}

/// Where the results go.
struct Folder {
    path: PathBuf,
}

impl Folder {
    fn make(&self) -> Result<(), CommandError> {
        fs::create_dir_all(&self.path).map_err(|error| self.failed("", error))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    fn failed(&self, name: &str, error: std::io::Error) -> CommandError {
        CommandError::Failed(format!("{}: {error}", self.file(name).display()))
    }

    /// Writes a file so that a reader sees the old or the new one, never a part.
    fn write(&self, name: &str, content: &[u8]) -> Result<(), CommandError> {
        let (path, new) = (self.file(name), self.file(&format!("{name}.new")));
        let replace = |from: &Path, to: &Path| fs::rename(from, to);
        // The pages are made anew when the tournament continues: they need not survive more.
        fs::write(&new, content)
            .and_then(|()| replace(&new, &path))
            .map_err(|error| self.failed(name, error))
    }
}

/// Where the results come together.
struct TournamentObserver<'a> {
    plan: &'a Plan,
    folder: &'a Folder,
    file: AppendOnlyFile,
    schedule: &'a Schedule,
    /// Games that are not safe yet.
    ended: Vec<GameRecord>,
    /// Games that count, in the order of the calendar.
    records: Vec<GameRecord>,
    progress: Progress,
    live: Option<&'a MatchGames>,
}

impl TournamentObserver<'_> {
    fn groups(&self) -> Vec<pages::Group> {
        let groups = (1..).zip(&self.plan.groups);
        groups
            .map(|(number, group)| (number, league::standings(self.plan, group, &self.records)))
            .collect()
    }

    /// A game counts.
    fn take(&mut self, record: &GameRecord) {
        let place = |record: &GameRecord| self.schedule.number(record.key);
        let at = self.records.partition_point(|own| place(own) < place(record));
        self.records.insert(at, record.clone());
        let line = || {
            let GameRecord { white, black, reason, .. } = record;
            format!("{white} against {black}: {} ({reason})", record.result.outcome())
        };
        self.progress.each(self.records.len() as u64, line);
    }

    /// Games that say nothing about strength.
    fn irregular(&self) -> Irregular {
        let mut irregular = Irregular::default();
        self.records.iter().for_each(|record| irregular.count(record.cause));
        irregular
    }

    /// Writes the standings.
    fn publish(&self) -> Result<(), CommandError> {
        let (plan, groups) = (self.plan, self.groups());
        if let Some(live) = self.live {
            live.publish_standings(&pages::json(plan, &groups, &self.records, |key| live.id(key)));
        }
        let csv = pages::csv(plan, &groups)
            .map_err(|error| CommandError::Failed(format!("standings.csv: {error}")))?;
        self.folder.write("standings.csv", &csv)?;
        let irregular = self.irregular();
        self.folder.write("standings.txt", pages::text(plan, &groups, irregular).as_bytes())?;
        let page = pages::page(plan, &groups, &self.records, irregular);
        self.folder.write("standings.html", page.as_bytes())
    }
}

impl Observer for TournamentObserver<'_> {
    fn ended(&mut self, record: &GameRecord) {
        self.file.add(record);
        self.ended.push(record.clone());
    }

    fn save(&mut self) -> Result<(), CommandError> {
        self.file.commit().map_err(|error| self.folder.failed("games.jsonl", error))?;
        // Now, as a game before them in the calendar may wait for its players.
        for record in std::mem::take(&mut self.ended) {
            self.take(&record);
        }
        self.publish()
    }

    fn interrupted(&mut self) {
        self.progress.end();
        // There may be no readers any more.
        let text = pages::text(self.plan, &self.groups(), self.irregular());
        let _ = stdout().lock().write_all(text.as_bytes());
        let (games, all) = (self.records.len(), self.plan.games());
        let how = "the same command continues the tournament";
        let _ = writeln!(stderr(), "alesia-lab: interrupted after {games} of {all} games; {how}");
    }

    fn counts(&mut self, _: &Task, record: &GameRecord) -> Result<ControlFlow<()>, CommandError> {
        // Those that were played before are new here.
        if !self.records.iter().any(|own| own.key == record.key) {
            self.take(record);
            self.publish()?;
        }
        Ok(ControlFlow::Continue(()))
    }
}
