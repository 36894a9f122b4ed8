//! `alesia-lab match`: a match of two or more players under fastchess's grammar, progress on
//! standard error, and fastchess's result block on standard output.
//!
//! The one idea: games are numbered, and each follows from its number and the seed; the results
//! count in the order of the numbers. So with a node limit and one thread per player, the output
//! does not depend on `-concurrency`, interruptions or the machine.

mod game_lines;
mod live_results;
mod opening_book;
mod opening_options;
pub mod options;
mod output_options;
mod quick;
mod record_files;
mod result_block;
#[cfg(test)]
pub(crate) mod simulation;

use std::collections::BTreeMap;
use std::io::{self, Write, stderr, stdout};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::Args;

use self::live_results::MatchPage;
use self::options::Options;
use self::output_options::GameLines;
use self::record_files::{Output, outputs};
use crate::files::match_file::{Header, MatchFile, Saved};
use crate::run::results::Standings;
use crate::run::schedule::Task;
use crate::run::{audience, resume, stop_requests, work};
use crate::statistics::{Tally, Verdict};
use crate::words::progress::Progress;
use crate::words::{grammar, logging};
use alesia::record::checked_line::json_line;
use alesia::record::game_record::GameRecord;
use alesia::words::command_error::CommandError;

const GRAMMAR: &str = "\
Options, with one dash or two, in any order:
  -game GAME         game, such as murus or hadron4x5
  -variant NAME      the chess variant of that name, in place of -game
                     [default: that of option.UCI_Variant and option.VariantPath of the players,
                     else the game that FILE of -openings begins with, as loa.epd does]
  -quick cmd=PROGRAM cmd=PROGRAM [book=FILE]
                     two programs over UGI, tc=10+0.1, 25000 rounds and all processors, where no
                     other option says otherwise
  -engine KEY=VALUE …
                     a player; give two or more
  -each KEY=VALUE …  settings of all players, unless -engine sets them
  -rounds N          game pairs for every two players; a pair is one opening with both colours
                     [default: 1 where -games is given]
  -games 2, -repeat  the two games of a pair share their opening; the default
  -games 1           a round has one game for every two players, with an opening of its own; the
                     sides change from round to round, and two rounds are counted as a pair
  -tournament roundrobin|gauntlet
                     all against all, or the first against the others [default: roundrobin]
  -seeds N           the first N players of a gauntlet play against the others [default: 1]
  -openings plies=N | file=FILE [order=sequential|random] [start=N] [format=epd|pgn] [plies=N]
                     N random moves after which no side wins at once [default: 4]; or a file with a
                     text board, moves, or `BOARD moves MOVES` on each line (epd), or of games in
                     PGN [default: what FILE ends in], from its Nth on, plies moves of each
  -srand N, -seed N  seed of the openings [default: 0]
  -maxmoves N        the game is a tie after N moves of each player
  -resign movecount=N score=CP [twosided=true|false]
                     a player loses whose score was CP or more below 0 in N moves in a row (twosided:
                     and its opponent's as high), but never against a proof [default: 3, false]
  -draw score=CP [movenumber=N] [movecount=N]
                     a draw where both scores were within CP of 0 in movecount moves of each in a
                     row, from move movenumber on, but never against a proof [default: 0, 8]
  -concurrency N     games played at once, each with its own players [default: 1]
  -sprt elo0=ELO elo1=ELO [alpha=P] [beta=P] [model=normalized|logistic]
                     ends the match when the sequential test decides [default: 0.05, normalized]
  -recover           a program that cannot be started loses its games [default: the match ends]
  -ratinginterval N  also prints the result after every N pairs
  -testEnv, -output format=fastchess|cutechess
                     also prints a line when a game begins and when it ends (cutechess: and the
                     score), as servers such as OpenBench read them
  -scoreinterval N   the score of cutechess after every N games [default: 1]
  -pgnout file=FILE, -pgnout FILE
                     appends each game as it ends: PGN where FILE ends in .pgn, else a JSON line; see
                     `alesia-lab games show` and `export`
  -jsonlout file=FILE  the same, always JSON lines
  -event NAME, -site PLACE
                     of the match, for the records of its games
  -config file=FILE  saves the match in a file; continues it if the file exists already
  -log file=FILE [level=error|warn|info|debug|trace]
                     logs the lines to and from players, and more [default: debug]
  -pairs A..B        plays only the game pairs from A to B - 1, counted from 0
  -jsonl             prints a JSON line for each game, in order, instead of a result
  -board [port=PORT] shows the games on a page [default: 8910, else any free port]; it closes after
                     the match, once no browser has it open

Keys of -engine and -each:
  name=NAME          name in the result; -engine only  [default: that of the program's file]
  cmd=PROGRAM  args=\"…\"  dir=FOLDER       external program [default: a built-in engine]
  proto=internal|ugi|uci|tcp|relay         ugi, uci: over pipes; tcp: client of a tournament server;
                     its last arguments are HOST PORT, unless args has {host} and {port} (also
                     {game}, {seed})  [default: with cmd what it answers, ugi or uci, else internal]
  white=\"…\"  black=\"…\"  with proto=relay (Lines of Action): the program's arguments as White, which
                     listens on {port}, and as Black, which connects to {host} {port}; first moves
                     have 2 s  [default: args]
  st=SECONDS | tc=[MOVES/][MINUTES:]SECONDS[+INCREMENT] | nodes=N | depth=N
                     time per move, time per game (or for MOVES again and again), iterations
                     (alpha-beta: positions) per move, or plies searched
  timemargin=MS      extra ms before a move of this player counts as late [default: 100; for a
                     player with proto=tcp or relay: 0]
  restart=on|off     starts the program again for each game [default: off]
  option.NAME=VALUE  option of a program, by its own name; of a built-in engine:
    option.engine=mcts|alphabeta|random|plain
                     plain: a textbook alpha-beta of the four games that shares nothing with the
                     other engines; it has one thread, and option.memory alone  [default: mcts]
    option.threads=N  option.trees=R       [default: 1, 1]
    option.memory=SIZE                     [default: 64MiB]
    option.weights=FILE                    of a chess variant  [default: those compiled in]
    option.seed=N                          [default: 0]
    option.PARAMETER=VALUE                 of the tree search, such as option.exploration=1.3

A late or illegal move, a crash or a stall loses the game, but does not end the match. If more than
2 % of the games end by a crash, a stall or the clock, the result is void for strength, and -sprt
does not decide. A program that cannot be started ends the match, unless -recover is set. A program
is sent `stop` one second after its time; it stalls if it has not answered one second later. With
nodes=N, it stalls if it prints nothing for 30 s or searches for 10 min. With nodes=N and one thread
per player, the same command prints the same result on every machine. Ctrl-C prints the result so
far.";

/// The arguments of `alesia-lab match`.
#[derive(Args)]
#[command(after_help = GRAMMAR)]
pub struct Match {
    /// Options, written as for fastchess; see below.
    #[arg(value_name = "-OPTION VALUE …", allow_hyphen_values = true, trailing_var_arg = true)]
    words: Vec<String>,
}

impl Match {
    /// Whether help is requested anywhere among the words.
    pub fn asks_for_help(&self) -> bool {
        self.words.iter().any(|word| matches!(word.as_str(), "-h" | "-help" | "--help"))
    }

    /// Runs the command; for `-board` it opens a page.
    pub fn run(&self, open_page: audience::Open) -> Result<(), CommandError> {
        let (words, config) = split_off_config(&self.words)?;
        let place = |path: &Path| format!("-config, file={}", path.display());
        let opened = match &config {
            Some(path) => MatchFile::open(path, &place(path))?,
            None => None,
        };
        let words = words_of(words, opened.as_ref().and_then(|opened| opened.saved.as_ref()))?;
        let options = Options::read(&words)?;
        logging::start(options.log.as_ref())?;
        stop_requests::end_with_us()?;
        let head = Header { words, draw: None };
        let begin = |path: &PathBuf| MatchFile::begin(opened, path, &place(path), &head);
        let (file, saved) = config.as_ref().map(begin).transpose()?.unzip();
        let done = match saved.flatten() {
            Some(saved) => resume::games(saved, &options.terms, logging::warn)?,
            None => BTreeMap::new(),
        };
        let game = options.terms.game;
        let records = outputs(&options.records, game, &done)?;
        let kept = file.map(|file| Output { file, game, is_pgn: false });
        let audience = options.board.map(open_page).transpose()?;
        let mut table = MatchObserver {
            standings: Standings::new(options.terms.entrants.len()),
            progress: Progress::new(
                options.terms.schedule.unit(),
                u64::from(options.terms.schedule.pairs()),
            ),
            pairs: 0,
            games: done.len() as u64,
            score: Tally::default(),
            said: String::new(),
            outputs: kept.into_iter().chain(records).collect(),
            config: config.as_deref(),
            options: &options,
            page: audience.as_deref().map(MatchPage::new),
        };
        table.publish();
        let played = work::play(&options.terms, done, &mut table, audience.as_deref());
        table.progress.end();
        // A match that cannot go on has its games all the same.
        if !options.json_lines && (played.is_ok() || table.games > 0) {
            stdout().lock().write_all(table.result().as_bytes())?;
        }
        played?;
        if let Some(audience) = audience {
            audience.stay();
        }
        Ok(())
    }
}

/// The words of a match: those of its file where none are typed, else those typed.
fn words_of(typed: Vec<String>, saved: Option<&Saved>) -> Result<Vec<String>, CommandError> {
    match saved {
        Some(saved) if typed.is_empty() => return Ok(saved.header.words.clone()),
        Some(saved) => saved.check(&typed, "match, word", "-config alone")?,
        None => {}
    }
    Ok(typed)
}

/// Removes `-config file=FILE` from the words of a match.
fn split_off_config(words: &[String]) -> Result<(Vec<String>, Option<PathBuf>), CommandError> {
    let all = grammar::groups(words)?;
    let Some(group) = all.iter().find(|group| group.place == "-config") else {
        return Ok((words.to_vec(), None));
    };
    let path = output_options::file(group)?;
    let is_config = |word: &String| {
        let name = word.strip_prefix("--").or(word.strip_prefix('-'));
        name.is_some_and(|name| name == "config" || name.starts_with("config="))
    };
    let at = words.iter().position(is_config).expect("there is such a group");
    // `-config file=FILE` or `-config=file=FILE`.
    let length = if words[at].contains('=') { 1 } else { 2 };
    let others = words[..at].iter().chain(&words[at + length..]).cloned().collect();
    Ok((others, Some(path)))
}

/// Prints lines that a server waits for.
fn print_at_once(lines: &str) -> io::Result<()> {
    let mut out = stdout().lock();
    out.write_all(lines.as_bytes())?;
    out.flush()
}

struct MatchObserver<'a> {
    options: &'a Options,
    standings: Standings,
    progress: Progress,
    pairs: u64,
    /// Games that have ended, whether they count or not.
    games: u64,
    /// The first player's games that count, for the score of cutechess.
    score: Tally,
    /// Lines about games that have ended, until these are safe.
    said: String,
    outputs: Vec<Output>,
    /// Where the match is kept.
    config: Option<&'a Path>,
    page: Option<MatchPage<'a>>,
}

impl MatchObserver<'_> {
    fn result(&self) -> String {
        let MatchObserver { standings, options, .. } = self;
        result_block::block(standings, options) + &result_block::ending(standings, options)
    }

    /// Shows on the page how the match stands.
    fn publish(&self) {
        if let Some(page) = &self.page {
            page.publish(&self.standings, self.options);
        }
    }

    /// How a match continues that was interrupted.
    fn how_to_continue(&self) -> String {
        let Some(path) = self.config else {
            return "a match continues only with -config file=FILE".to_owned();
        };
        let word = format!("file={}", path.display());
        let word = shlex::try_quote(&word).unwrap_or(std::borrow::Cow::Borrowed(&word));
        format!("continue with: alesia-lab match -config {word}")
    }
}

impl work::Observer for MatchObserver<'_> {
    fn begins(&mut self, number: u64) -> Result<(), CommandError> {
        if self.options.game_lines == GameLines::None {
            return Ok(());
        }
        let line = game_lines::begins(&self.options.terms, number);
        self.progress.suspend(|| print_at_once(&line))?;
        Ok(())
    }

    fn ended(&mut self, record: &GameRecord) {
        self.games += 1;
        if self.options.game_lines != GameLines::None {
            self.said += &game_lines::ended(&self.options.terms, record);
        }
        self.outputs.iter_mut().for_each(|output| output.add(record));
    }

    fn save(&mut self) -> Result<(), CommandError> {
        let failed = |error| CommandError::Failed(format!("game records: {error}"));
        // First where the match is kept: what others miss then is added when it continues.
        self.outputs.iter_mut().try_for_each(|output| output.file.commit()).map_err(failed)?;
        let said = std::mem::take(&mut self.said);
        if !said.is_empty() {
            self.progress.suspend(|| print_at_once(&said))?;
        }
        Ok(())
    }

    fn interrupted(&mut self) {
        self.progress.end();
        // There may be no readers any more.
        if !self.options.json_lines {
            let _ = stdout().lock().write_all(self.result().as_bytes());
        }
        let (games, all) = (self.games, self.options.terms.schedule.games());
        let how = self.how_to_continue();
        let _ = writeln!(stderr(), "alesia-lab: interrupted after {games} of {all} games; {how}");
    }

    fn counts(
        &mut self,
        task: &Task,
        record: &GameRecord,
    ) -> Result<ControlFlow<()>, CommandError> {
        if self.options.json_lines {
            stdout().lock().write_all(json_line(record).as_bytes())?;
        }
        let completes = self.standings.add(&self.options.terms.schedule, task, record);
        if let GameLines::WithScore(interval) = self.options.game_lines
            && let [first, second] = &self.options.terms.entrants[..]
        {
            self.score.add_single(record.score_of_first());
            if self.score.games().is_multiple_of(interval) {
                let line = game_lines::score([first, second], &self.score);
                self.progress.suspend(|| print_at_once(&line))?;
            }
        }
        if let Some(page) = &mut self.page {
            page.add(task, record);
            if completes {
                page.add_pairs(&self.standings, self.options);
            }
        }
        self.publish();
        if !completes {
            return Ok(ControlFlow::Continue(()));
        }
        let MatchObserver { options, standings, .. } = self;
        self.pairs += 1;
        // A stream of games is progress enough.
        if !options.json_lines {
            self.progress.show(self.pairs, || result_block::progress(standings, options));
        }
        let interval =
            options.rating_interval.filter(|interval| self.pairs.is_multiple_of(*interval));
        if interval.is_some() && self.pairs < u64::from(options.terms.schedule.pairs()) {
            self.progress.suspend(|| {
                stdout().lock().write_all(result_block::block(standings, options).as_bytes())
            })?;
        }
        let verdict = options
            .test
            .filter(|_| !standings.irregular.is_void())
            .map(|test| test.verdict(standings.tally.pairs.log_likelihood_ratio(&test)));
        Ok(match verdict {
            Some(Verdict::H0 | Verdict::H1) => ControlFlow::Break(()),
            Some(Verdict::Undecided) | None => ControlFlow::Continue(()),
        })
    }
}
