//! `alesia ugi`, driven by a match runner or a chess program: one engine that speaks UGI, or UCI
//! for chess variants, whichever word comes first. `alesia uci` is the same by another name.
//!
//! The one idea: a thread that searches cannot read, so three threads share the work. One reads
//! lines and stamps them with the time; this one, the desk, parses them, keeps the position, and
//! answers at once where no search is needed. The third owns the engine and does one job after the
//! other. The only signal from the desk to a searching thread is one flag, a new one for each
//! search, so that a search may be asked for while a stopped one is still being answered.

pub mod bare;
mod building;
mod lines;
mod settings;
mod thinker;
mod uci;

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use alesia::game::{Game, GameState, MoveList, ParseError};
use alesia::games::{AnyGame, AnyState, GameSpec};
use alesia::net::urgency::Urgency;
use alesia::search::max_memory;
use alesia::ugi::{self, Command, Dialect, Limits};
use alesia::words::time_span::milliseconds_in;
use clap::Args;
use crossbeam::channel::{Receiver, Sender, unbounded};

use self::building::Configuration;
use self::lines::{complain, read_lines, say};
use self::settings::{Change, Settings};
use self::thinker::{Job, Search, Thinker};
use super::options::{BookOption, EngineArguments, GameOptions, LayoutOption, Weights};
use alesia::words::command_error::CommandError;

/// The arguments of `alesia ugi`: the defaults of the options that a runner may set.
#[derive(Args)]
pub struct Ugi {
    /// Game [default: murus; over UCI, which has chess variants alone: variant:chess].
    #[arg(long, value_name = "GAME", value_parser = GameSpec::open, help_heading = "Game")]
    game: Option<GameSpec>,
    #[command(flatten)]
    layout: LayoutOption,
    #[command(flatten)]
    engine: EngineArguments,
    /// Safety margin in ms, subtracted from each time limit; at most a quarter of a move's time.
    #[arg(long, value_name = "MS", default_value_t = 10, help_heading = "Time",
          value_parser = |text: &str| milliseconds_in(text, 0..=settings::MAX_OVERHEAD))]
    move_overhead: u64,
    #[command(flatten)]
    book: BookOption,
}

/// The game that is played over UGI unless another one is named.
const USUAL_GAME: &str = "murus";

/// The events that the desk waits for.
enum Event {
    /// A line, and when it arrived.
    Line(String, Instant),
    /// No more lines.
    EndOfInput,
    /// With the first options no engine could be built; the thinker uses the second ones.
    Kept(Box<[Configuration; 2]>),
    /// The thinker could not write an answer.
    OutputFailed(io::Error),
}

/// A position that is searched, and the moves to search; none: all legal ones.
type Searched = (Box<AnyState>, Box<MoveList>);

/// Why a session ends.
enum Next {
    /// Another game has been chosen.
    OtherGame,
    /// The first line, which is of the other protocol.
    OtherProtocol(Dialect, Event),
    Quit,
}

impl Ugi {
    /// Runs the command. `usual` is spoken with a runner whose first word chooses neither.
    pub fn run(&self, usual: Dialect) -> Result<(), CommandError> {
        // Wrong arguments are refused before the first line.
        let mut settings = self.settings(usual)?;
        let (sender, events) = unbounded();
        let lines = sender.clone();
        // Never joined, as it may wait for a line for ever.
        let reader = thread::Builder::new().name("lines".into());
        reader.spawn(move || read_lines(&lines)).map_err(|error| no_thread("reads", &error))?;
        let at_start = settings.player();
        // The engine may be built before the first word, which then may choose the other protocol.
        let (mut first, mut is_chosen) = (None, false);
        loop {
            let line = first.take();
            match session(&mut settings, &at_start, &sender, line, &mut is_chosen, &events)? {
                Next::OtherGame => {}
                Next::OtherProtocol(dialect, line) => {
                    settings = self.settings(dialect)?;
                    first = Some(line);
                }
                Next::Quit => return Ok(()),
            }
        }
    }

    /// The values that a runner may change.
    ///
    /// # Errors
    /// The arguments cannot be used in this protocol.
    fn settings(&self, dialect: Dialect) -> Result<Settings, CommandError> {
        let game = match dialect {
            Dialect::Ugi => self.game.map_or_else(|| GameSpec::open(USUAL_GAME), Ok)?,
            Dialect::Uci => uci::variant(self.game)?,
        };
        let file = match dialect {
            Dialect::Ugi => Vec::new(),
            Dialect::Uci => uci::beside(game)?,
        };
        let mut engine = self.engine.clone();
        engine.weights = engine.weights.map(|weights| Weights::read(weights.path)).transpose()?;
        let settings = Settings {
            dialect,
            game: GameOptions { game, layout: self.layout.clone() },
            file,
            awaited: None,
            wrong: Vec::new(),
            engine,
            overhead: Duration::from_millis(self.move_overhead),
            book: self.book.is_on(),
            lines: 1,
            level: None,
            ponder: false,
            max_memory: max_memory(),
        };
        settings.engine.check()?;
        settings.engine_options()?;
        Ok(settings)
    }
}

/// The protocol that a runner who begins with this word speaks.
fn dialect_of(word: &str) -> Option<Dialect> {
    match word {
        "ugi" | "uginewgame" => Some(Dialect::Ugi),
        "uci" | "ucinewgame" => Some(Dialect::Uci),
        _ => None,
    }
}

/// The error that the system starts no thread.
fn no_thread(that: &str, error: &io::Error) -> CommandError {
    CommandError::Failed(format!("no thread that {that}: {error}"))
}

/// Serves a runner until it chooses another game. `first` comes before the other events;
/// `is_chosen` is whether the runner's first word has chosen the protocol.
fn session(
    settings: &mut Settings,
    at_start: &Configuration,
    sender: &Sender<Event>,
    first: Option<Event>,
    is_chosen: &mut bool,
    events: &Receiver<Event>,
) -> Result<Next, CommandError> {
    let start = AnyGame::start(settings.spec());
    let (jobs, waiting) = unbounded();
    thread::scope(|scope| {
        let (present, at_start) = (settings.player(), at_start.clone());
        let thinker = Thinker::new(start, present, at_start, sender);
        let work = move || {
            if let Err(error) = thinker.work(&waiting) {
                // The desk outlives the thinker.
                let _ = sender.send(Event::OutputFailed(error));
            }
        };
        let builder = thread::Builder::new().name("thinker".into());
        let thinker =
            builder.spawn_scoped(scope, work).map_err(|error| no_thread("searches", &error))?;
        let desk = Desk {
            start,
            state: GameState::new(start),
            doubtful: false,
            settings,
            is_chosen,
            search: None,
            pondering: None,
            jobs,
            thinker: thinker.thread(),
        };
        desk.serve(first.into_iter().chain(events))
    })
}

/// Parses and answers lines.
struct Desk<'a> {
    start: AnyGame,
    /// The current position of the runner.
    state: AnyState,
    /// Whether the runner's last `position` could not be read.
    doubtful: bool,
    settings: &'a mut Settings,
    is_chosen: &'a mut bool,
    /// The last search asked for.
    search: Option<Arc<Search>>,
    /// What is searched in the opponent's time, if there is a move, with the moves to search, and
    /// its limits from when the opponent has moved.
    pondering: Option<(Option<Searched>, Limits)>,
    jobs: Sender<Job>,
    thinker: &'a Thread,
}

impl Drop for Desk<'_> {
    /// Only the desk can stop the thinker.
    fn drop(&mut self) {
        self.stop();
    }
}

impl Desk<'_> {
    /// Stops the search that was asked for last; all before have been stopped.
    fn stop(&self) {
        if let Some(search) = &self.search {
            // Release: with it the thinker sees whether an answer is wanted.
            search.stop.store(true, Ordering::Release);
        }
        self.thinker.unpark();
    }
}

impl Desk<'_> {
    fn serve(mut self, events: impl Iterator<Item = Event>) -> Result<Next, CommandError> {
        let _urgency = Urgency::claim();
        for event in events {
            if let Event::Line(line, _) = &event
                && let Some(word) = line.split_whitespace().next()
                && !std::mem::replace(self.is_chosen, true)
                && let Some(other) = dialect_of(word).filter(|own| *own != self.settings.dialect)
            {
                return Ok(Next::OtherProtocol(other, event));
            }
            let next = match event {
                Event::Line(line, received) => match ugi::parse(self.settings.dialect, &line) {
                    Ok(Some(command)) => self.obey(command, received)?,
                    Ok(None) => None,
                    Err(error) => {
                        self.doubtful |= line.trim_start().starts_with("position");
                        complain(error)?;
                        None
                    }
                },
                Event::Kept(change) => {
                    self.settings.keep(&change);
                    None
                }
                Event::EndOfInput => Some(Next::Quit),
                Event::OutputFailed(error) => return Err(error.into()),
            };
            if let Some(next) = next {
                return Ok(next);
            }
        }
        Ok(Next::Quit)
    }

    fn obey(&mut self, command: Command, received: Instant) -> Result<Option<Next>, CommandError> {
        match command {
            Command::Hello => {
                say(format_args!("id name Alesia {}", env!("CARGO_PKG_VERSION")))?;
                say("id author the authors of Alesia")?;
                for line in self.settings.lines()? {
                    say(line)?;
                }
                say(format_args!("{}ok", self.settings.dialect.name()))?;
            }
            // A thinker at work answers only after a stop; an idle one may have to build its
            // engine.
            Command::IsReady if self.is_searching() => say("readyok")?,
            Command::IsReady => self.give(Job::Ready),
            Command::NewGame => {
                self.state = GameState::new(self.start);
                self.doubtful = false;
                self.give(Job::NewGame);
            }
            Command::SetOption { name, value } => match self.set(name, value)? {
                Ok(Change::Clock) => {}
                Ok(Change::Seed) => self.give(Job::Seed(self.settings.engine.seed)),
                Ok(Change::Engine) => self.give(Job::Configure(self.settings.player())),
                Ok(Change::Game) => return Ok(Some(Next::OtherGame)),
                Err(error) => complain(error.within("setoption"))?,
            },
            Command::Position { board, moves } => {
                let state = self.read_position(board, moves);
                self.doubtful = state.is_err();
                match state {
                    Ok(state) => self.state = state,
                    Err(error) => complain(error.within("position"))?,
                }
            }
            Command::Go(limits) => self.go(limits, received)?,
            Command::Stop => {
                self.pondering = None;
                self.stop();
            }
            Command::PonderHit => self.ponder_hit(received)?,
            Command::Query(query) => {
                if self.doubtful {
                    complain("query: found a position that was not read; this is the one before")?;
                }
                let (side, ending) = (self.state.position.side(), self.state.ending());
                say(format_args!("response {}", ugi::response(query, side, ending)))?;
            }
            Command::Quit => return Ok(Some(Next::Quit)),
        }
        Ok(None)
    }

    /// Sets an option, and says what is wrong in a file of which some can be played.
    fn set(&mut self, name: &str, value: &str) -> io::Result<Result<Change, ParseError>> {
        let change = self.settings.set(name, value);
        let mut wrong = std::mem::take(&mut self.settings.wrong).into_iter();
        wrong.try_for_each(|error| complain(error.within("setoption")))?;
        Ok(change)
    }

    fn read_position(&self, board: Option<&str>, moves: &str) -> Result<AnyState, ParseError> {
        let position = self.start.begin(board)?;
        let mut state = GameState::new(position);
        match self.settings.dialect {
            Dialect::Ugi => state.play_text(moves)?,
            Dialect::Uci => uci::play(&self.start, &mut state, moves)?,
        }
        Ok(state)
    }

    /// The state that is searched.
    fn searched(&self) -> AnyState {
        match self.settings.dialect {
            Dialect::Ugi => self.state,
            Dialect::Uci => uci::unclaimed(&self.start, self.state),
        }
    }

    /// Starts a search of the position. Every `go` is answered by one `bestmove`, as the runner
    /// waits for it: with the null move where there is no legal move, and where the position is
    /// not known.
    fn go(&mut self, limits: Result<Limits, ParseError>, received: Instant) -> io::Result<()> {
        if self.is_searching() {
            return complain("go: ignored, as a search is running; send stop first");
        }
        let state = self.searched();
        let why = if self.doubtful {
            Some(("a position that was not read".to_owned(), "one that was"))
        } else {
            let over = state.ending();
            over.map(|ending| (ending.to_string(), "a position that is not the end of a game"))
        };
        if let Some((found, expected)) = why {
            let limits = limits.unwrap_or_else(|_| Limits::unread());
            self.answer_without_move(ParseError::new("go", found, expected).to_string(), limits);
            return Ok(());
        }
        let limits = match limits {
            Ok(limits) => limits,
            Err(error) => {
                let limits = Limits::unread();
                complain(format_args!("{error}; searching for 1000 ms"))?;
                limits
            }
        };
        let only = self.only(&state.position, &limits)?;
        if limits.ponder {
            let endless = Limits { infinite: true, ..Limits::default() };
            self.search(state, &endless, only.clone(), received)?;
            self.pondering = Some((Some((Box::new(state), only)), limits));
            return Ok(());
        }
        self.search(state, &limits, only, received)
    }

    /// The moves to search. What is no legal move is left out, with its reason.
    fn only(&self, position: &AnyGame, limits: &Limits) -> io::Result<Box<MoveList>> {
        let mut only = Box::new(MoveList::new());
        for text in &limits.root_moves {
            match position.parse_move(text) {
                Ok(m) if only.contains(&m) => {}
                Ok(m) => only.push(m),
                Err(error) => complain(error.within("go, searchmoves"))?,
            }
        }
        if only.is_empty() && !limits.root_moves.is_empty() {
            complain("go, searchmoves: no legal move among them; searching all moves")?;
        }
        Ok(only)
    }

    /// Answers where there is no move; without limits only after a stop.
    fn answer_without_move(&mut self, why: String, limits: Limits) {
        let infinite = limits.infinite || limits.ponder;
        let search = Arc::new(Search::default());
        self.pondering = None;
        if infinite {
            self.search = Some(search.clone());
        }
        if limits.ponder {
            self.pondering = Some((None, limits));
        }
        self.give(Job::NoMove { why, infinite, search });
    }

    /// Searches on with the limits of the search in the opponent's time, which began when the
    /// opponent's move was received. The engine keeps what it has found.
    fn ponder_hit(&mut self, received: Instant) -> io::Result<()> {
        let Some((state, limits)) = self.pondering.take() else {
            return complain("ponderhit: ignored, as no search ponders");
        };
        let Some((state, only)) = state else {
            if !limits.infinite {
                self.stop();
            }
            return Ok(());
        };
        if let Some(search) = &self.search {
            // Relaxed: the stop that follows publishes it.
            search.unanswered.store(true, Ordering::Relaxed);
        }
        self.stop();
        self.search(*state, &limits, only, received)
    }

    /// Gives the thinker a search of some moves, or with none of all.
    fn search(
        &mut self,
        state: AnyState,
        limits: &Limits,
        only: Box<MoveList>,
        received: Instant,
    ) -> io::Result<()> {
        let plies_to_come = state.position.ply_limit().saturating_sub(state.position.ply());
        let overhead = self.settings.overhead;
        let side = state.position.side();
        let mut budget = limits.budget(received, side, plies_to_come, overhead);
        budget.lines = self.settings.lines;
        if !limits.infinite {
            budget.nodes = budget.nodes.or(self.settings.engine.nodes);
        }
        let search = Arc::new(Search::default());
        self.search = Some(search.clone());
        self.pondering = None;
        let (infinite, reply) = (limits.infinite, self.settings.ponder);
        let state = Box::new(state);
        self.give(Job::Think { state, budget, only, infinite, reply, search });
        Ok(())
    }

    /// Whether a search is running, or will be, that nobody has stopped.
    fn is_searching(&self) -> bool {
        // Raised before the best move is printed, for which a runner waits.
        let goes_on = |search: &Search| {
            !search.answered.load(Ordering::Acquire) && !search.stop.load(Ordering::Relaxed)
        };
        self.search.as_deref().is_some_and(goes_on)
    }

    fn give(&self, job: Job) {
        // A thinker that has ended has sent the reason.
        let _ = self.jobs.send(job);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_chooses_the_protocol() {
        for (word, expected) in [
            ("ugi", Some(Dialect::Ugi)),
            ("ucinewgame", Some(Dialect::Uci)),
            ("position", None),
            ("quit", None),
        ] {
            assert_eq!(dialect_of(word), expected, "{word}");
        }
    }
}
