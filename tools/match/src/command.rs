//! `alesia-lab match`: a match of two or more players under fastchess's grammar, progress on
//! standard error, and fastchess's result block on standard output.
//!
//! The one idea: games are numbered, and each follows from its number and the seed; the results
//! count in the order of the numbers. So where the players are limited by nodes on one thread
//! each, neither `-concurrency`, nor an interruption, nor the machine changes what is printed.

use std::collections::BTreeMap;
use std::io::{Write, stdout};
use std::ops::ControlFlow;
use std::path::PathBuf;

use alesia::with_game;
use clap::Args;

use crate::error::CommandError;
use crate::options::Options;
use crate::progress::Progress;
use crate::record::{GameRecord, RecordFile, json_line};
use crate::resume::{Header, Saved};
use crate::schedule::Task;
use crate::standings::Standings;
use crate::statistics::Verdict;
use crate::{audience, grammar, logging, options, players, result, work};

const GRAMMAR: &str = "\
Options, with one dash or two, in any order:
  -game GAME         the game, such as murus or hadron4x5
  -engine KEY=VALUE …
                     a player; two or more of them
  -each KEY=VALUE …  the same for all, where a player does not say otherwise
  -rounds N          pairs of games of each two players: an opening with both colours
  -games 2, -repeat  the two games of a round share their opening: always so
  -tournament roundrobin|gauntlet
                     everyone meets everyone, or the first all others [default: roundrobin]
  -openings plies=N | file=FILE [order=sequential|random]
                     random legal moves, after which the game is not lost in one [default: 4]; or
                     a text board, moves, or `BOARD moves MOVES` on each line of a file
  -srand S, -seed S  seed of the openings [default: 0]
  -maxmoves N        a tie after N moves of each player
  -concurrency C     games played at once, each with players of its own [default: 1]
  -sprt elo0=E elo1=E [alpha=P] [beta=P] [model=normalized|logistic]
                     ends the match when the sequential test decides [default: 0.05, normalized]
  -recover           a program that cannot be started loses its games; otherwise the match ends
  -ratinginterval N  prints the result after every N pairs too
  -pgnout file=FILE  adds a JSON line for each game, as it ends; see `alesia-lab replay`
  -config file=FILE  keeps the match in a file; where there is one, goes on with it
  -log file=FILE [level=error|warn|info|debug|trace]
                     what is said to players and by them, and more [default: debug]
  -pairs A..B        plays only the pairs of games from A, before B, counted from 0
  -jsonl             prints a JSON line for each game, in their order, instead of a result
  -board [port=P]    shows the games on a page [default: 8910, or any free one where that is taken];
                     it ends with the match, or when nobody has it open any more

Keys of -engine and -each:
  name=NAME          in the result; -engine only
  cmd=PROGRAM  args=\"…\"  dir=FOLDER       an external program [default: an engine of this one]
  proto=internal|ugi|tcp                   ugi: over pipes; tcp: a client of a tournament server,
                     which gets HOST PORT as its last arguments, or where they say {host}, {port}
                     (and {game}, {seed})  [default: ugi where there is a program]
  st=SECONDS | tc=SECONDS[+INCREMENT] | nodes=N
                     time a move, for the whole game, or iterations or positions a move
  timemargin=MS      what is not yet late [default: 100; where there is proto=tcp 0, one for all]
  restart=on|off     starts a program anew for each game [default: off]
  option.NAME=VALUE  of a program, by its own names; of an engine of this one:
    option.engine=mcts|alphabeta|random    [default: mcts]
    option.threads=N  option.trees=R       [default: 1, 1]
    option.memory=SIZE                     [default: 64MiB]
    option.seed=N                          [default: 0]
    option.PARAMETER=VALUE                 of the tree search, such as option.exploration=1.3

A late or illegal move, a crash or a stall loses the game, and never the match. A program stalls when
it does not answer a second after its time and another after `stop`; with nodes=N, when it says nothing
for 30 s or thinks for 10 min. With nodes and one thread to a player, the same command prints the same
result everywhere.";

/// The arguments of `alesia-lab match`.
#[derive(Args)]
#[command(after_help = GRAMMAR)]
pub struct Match {
    /// In the grammar of fastchess, see below.
    #[arg(value_name = "-OPTION VALUE …", allow_hyphen_values = true, trailing_var_arg = true)]
    words: Vec<String>,
}

impl Match {
    /// Whether help is asked for anywhere among the words.
    pub fn asks_for_help(&self) -> bool {
        self.words.iter().any(|word| matches!(word.as_str(), "-h" | "-help" | "--help"))
    }

    /// Runs the command; for `-board` it opens a page.
    pub fn run(&self, open_page: audience::Open) -> Result<(), CommandError> {
        let (words, config) = split_off_config(&self.words)?;
        let saved = match &config {
            Some(path) => Saved::read(path, format!("-config, file={}", path.display()))?,
            None => None,
        };
        let words = match &saved {
            Some(saved) if words.is_empty() => saved.header.words.clone(),
            Some(saved) => {
                saved.check(&words, "match, word", "-config alone")?;
                words
            }
            None => words,
        };
        let options = Options::read(&words)?;
        logging::start(options.log.as_ref())?;
        players::process::end_with_us()?;
        // Written with the first game, as a match whose players do not start is none.
        let header = saved.is_none().then_some(Header { words, draw: None });
        let done = match saved {
            Some(saved) => saved.games(&options.terms.schedule)?,
            None => BTreeMap::new(),
        };
        let open = |path: &PathBuf, option: &str| {
            RecordFile::append(path).map_err(|error| {
                CommandError::Failed(format!("{option}, file={}: {error}", path.display()))
            })
        };
        let config = config.map(|path| open(&path, "-config")).transpose()?;
        let records = options.records.as_ref().map(|path| open(path, "-pgnout")).transpose()?;
        let mut table = MatchObserver {
            standings: Standings::new(options.terms.entrants.len()),
            progress: Progress::new("Rounds", u64::from(options.terms.schedule.pairs())),
            pairs: 0,
            header: header.filter(|_| config.is_some()),
            files: config.into_iter().chain(records).collect(),
            options: &options,
        };
        let audience = options.board.map(open_page).transpose()?;
        with_game!(options.terms.game, start => {
            work::play(start, &options.terms, done, &mut table, audience.as_deref())
        })?;
        table.progress.end();
        if !options.json_lines {
            let MatchObserver { standings, .. } = &table;
            let (block, ending) =
                (result::block(standings, &options), result::ending(standings, &options));
            write!(stdout().lock(), "{block}{ending}")?;
        }
        if let Some(audience) = audience {
            audience.stay();
        }
        Ok(())
    }
}

/// Takes `-config file=FILE` from the words of a match.
fn split_off_config(words: &[String]) -> Result<(Vec<String>, Option<PathBuf>), CommandError> {
    let all = grammar::groups(words)?;
    let Some(group) = all.iter().find(|group| group.place == "-config") else {
        return Ok((words.to_vec(), None));
    };
    let path = options::file(group)?;
    let is_config = |word: &String| word.trim_start_matches('-').starts_with("config");
    let at = words.iter().position(is_config).expect("there is such a group");
    // `-config file=FILE` or `-config=file=FILE`.
    let length = if words[at].contains('=') { 1 } else { 2 };
    let others = words[..at].iter().chain(&words[at + length..]).cloned().collect();
    Ok((others, Some(path)))
}

struct MatchObserver<'a> {
    options: &'a Options,
    standings: Standings,
    progress: Progress,
    pairs: u64,
    /// What is still to be written to the first of the files.
    header: Option<Header>,
    files: Vec<RecordFile>,
}

impl work::Observer for MatchObserver<'_> {
    fn ended(&mut self, record: &GameRecord) -> Result<(), CommandError> {
        let failed = |error| CommandError::Failed(format!("game records: {error}"));
        if let (Some(header), Some(file)) = (self.header.take(), self.files.first_mut()) {
            file.add(&header).map_err(failed)?;
        }
        self.files.iter_mut().try_for_each(|file| file.add(record)).map_err(failed)
    }

    fn counts(
        &mut self,
        task: &Task,
        record: &GameRecord,
    ) -> Result<ControlFlow<()>, CommandError> {
        let MatchObserver { options, standings, .. } = self;
        if options.json_lines {
            stdout().lock().write_all(json_line(record).as_bytes())?;
        }
        if !standings.add(&options.terms.schedule, task, record) {
            return Ok(ControlFlow::Continue(()));
        }
        self.pairs += 1;
        // A stream of games is progress enough.
        if !options.json_lines {
            self.progress.show(self.pairs, || result::progress(standings, options));
        }
        let interval =
            options.rating_interval.filter(|interval| self.pairs.is_multiple_of(*interval));
        if interval.is_some() && self.pairs < u64::from(options.terms.schedule.pairs()) {
            self.progress.suspend(|| {
                stdout().lock().write_all(result::block(standings, options).as_bytes())
            })?;
        }
        let verdict = options
            .test
            .map(|test| test.verdict(standings.tally.pairs.log_likelihood_ratio(&test)));
        Ok(match verdict {
            Some(Verdict::H0 | Verdict::H1) => ControlFlow::Break(()),
            Some(Verdict::Undecided) | None => ControlFlow::Continue(()),
        })
    }
}
