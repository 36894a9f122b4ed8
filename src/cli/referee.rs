//! `alesia referee`: serves games of the tournament protocol, or relays one.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs};
use std::num::NonZeroUsize;
use std::time::Duration;

use alesia::game::{Game, ParseError, Side, quoted};
use alesia::games::{AnyGame, GameSpec};
use alesia::net::address::{Address, parse_ip};
use alesia::net::referee::limits::{Limit, make_room};
use alesia::net::referee::{
    GameEvent, GameResult, Guests, RefereeOptions, Reports, Service, serve_all,
};
use alesia::player::printer::Printer;
use alesia::record::end::End;
use alesia::record::noted_game::NotedGame;
use alesia::words::command_error::CommandError;
use alesia::words::time_span::{milliseconds, seconds, some_milliseconds};
use clap::Args;
use parking_lot::Mutex;

use super::listen_on;
use super::loa::{self, ProtocolOption};
use super::options::GameOptions;
use super::page::RefereePage;
use super::record_option::{self, RecordOption, Recording};
use super::terminal::view::{Names, Notes, View};

/// The arguments of `alesia referee`; their names are those of the courses' own servers.
#[derive(Args)]
#[command(mut_args = loa::game_of_the_relay)]
pub struct Referee {
    #[command(flatten)]
    game: GameOptions,
    /// Port to listen on, over the relay for Black [default there: 40102]; 0: any free port.
    #[arg(
        short,
        value_name = "PORT",
        default_value_t = 8901,
        help_heading = "Network",
        default_value_if("protocol", "relay", "40102")
    )]
    port: u16,
    /// Time per move in ms.
    #[arg(long = "tt", value_name = "MS", default_value_t = 1000, help_heading = "Time",
          value_parser = some_milliseconds)]
    move_time: u64,
    /// The game is a tie after this many moves per player, at most the limit of the game, which is
    /// the default; Hadron has no tie.
    #[arg(long = "tm", value_name = "N", value_parser = clap::value_parser!(u32).range(1..),
          help_heading = "Time")]
    moves: Option<u32>,
    /// Warm-up before White's first turn in seconds [default: 30].
    #[arg(long = "wt", value_name = "S", help_heading = "Time", value_parser = seconds)]
    warm_up: Option<Duration>,
    /// Extra milliseconds before a move counts as late.
    #[arg(long, value_name = "MS", default_value_t = 0, help_heading = "Time",
          value_parser = milliseconds)]
    tolerance: u64,
    /// Shows the games in the browser (needs alesia-lab in the folder of alesia or in PATH).
    #[arg(long, help_heading = "Output")]
    gui: bool,
    /// Games played at once; players are paired in order of arrival.
    #[arg(long, value_name = "N", default_value = "1", help_heading = "Network")]
    games: NonZeroUsize,
    /// Seats only these machines, each as often as it is named (names or IP addresses).
    #[arg(long, value_name = "ADDR,ADDR", value_delimiter = ',', help_heading = "Network")]
    players: Option<Vec<String>>,
    /// Address to listen on [default: 0.0.0.0, all interfaces].
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::UNSPECIFIED),
          hide_default_value = true, value_parser = parse_ip, help_heading = "Network")]
    bind: IpAddr,
    #[command(flatten)]
    record: RecordOption,
    #[command(flatten)]
    protocol: ProtocolOption,
    /// Address on which White listens, for the relay.
    #[arg(long, value_name = "HOST:PORT", hide_short_help = true, help_heading = "Network")]
    white: Option<Address>,
}

/// The time before White's first turn, unless an option says otherwise.
const WARM_UP: Duration = Duration::from_secs(30);

/// Lines that may wait to be printed, for all games together.
const WAITING_LINES: usize = 4096;

impl Referee {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        self.game.layout.check(self.game.game)?;
        let of_tournaments = [
            ("-tm", self.moves.is_some()),
            ("-wt", self.warm_up.is_some()),
            ("--tolerance", self.tolerance > 0),
            ("-gui", self.gui),
            ("--games", self.games.get() > 1),
            ("--players", self.players.is_some()),
        ];
        self.protocol.check(&of_tournaments, &[("--white", self.white.is_some())])?;
        match self.protocol.is_relay() {
            true => self.relay(),
            false => self.serve(AnyGame::start(self.game.game())),
        }
    }

    /// Relays a game of Lines of Action.
    fn relay(&self) -> Result<(), CommandError> {
        let none = || ParseError::new("--white", "none", "HOST:PORT, where White listens");
        let relay = loa::Relay {
            white: self.white.clone().ok_or_else(none)?,
            listen: self.port,
            listening: loa::ListenOptions { bind: self.bind, ports: self.protocol.ports.clone() },
            game: loa::LoaOption::of(&self.game)?,
            first_move_time: self.protocol.first_move_time(),
            move_time: self.move_time,
            record: self.record.clone(),
        };
        relay.serve("-p")
    }

    /// Checks that the game can last as long as `-tm` says, and says what it does not do.
    fn check_moves(&self, start: &AnyGame) -> Result<(), ParseError> {
        let Some(moves) = self.moves else { return Ok(()) };
        let (game, own) = (self.game.game(), start.ply_limit() / 2);
        if !start.has_draws() {
            let ends = "there is no tie, and each game ends when a player has no legal move";
            log::warn!("-tm {moves} changes nothing in {game}: {ends}");
            return Ok(());
        }
        if moves as usize <= own {
            return Ok(());
        }
        let limit = |game: &GameSpec| AnyGame::start(*game).ply_limit() / 2;
        let longer = game.alternatives().into_iter().filter(|other| limit(other) > own);
        let longer = longer
            .max_by_key(limit)
            .map(|longer| format!(" ({longer} makes games of up to {})", limit(&longer)));
        let longer = longer.unwrap_or_default();
        let expected = format!("at most {own} moves of each player, the limit of {game}{longer}");
        Err(ParseError::new("-tm", moves.to_string(), expected))
    }

    fn serve(&self, start: AnyGame) -> Result<(), CommandError> {
        self.check_moves(&start)?;
        let guests = self.players.as_deref().map(guests).transpose()?;
        let recordings = self.record.open()?.map(|file| Recordings::new(file, &start, self));
        let options = RefereeOptions {
            move_time: Duration::from_millis(self.move_time),
            tolerance: [Duration::from_millis(self.tolerance); 2],
            warm_up: self.warm_up.unwrap_or(WARM_UP),
            moves_per_player: self.moves,
        };
        let failed = |what: String| {
            move |error: std::io::Error| CommandError::Failed(format!("{what}: {error}"))
        };
        let address = SocketAddr::from((self.bind, self.port));
        let listener = listen_on(address, "-p")?;
        let local = listener.local_addr().map_err(failed(address.to_string()))?;
        let games = self.games.get();
        let service = Service { games, guests };
        if let Some(Limit { games: max, by }) = make_room(games) {
            log::warn!(
                "--games {games}: at most {max} at a time ({by}); the players of others wait \
                 until games have ended"
            );
        }
        let page = match self.gui {
            true => {
                Some(RefereePage::open(&self.game.game().to_string(), &start, games, &options)?)
            }
            false => None,
        };
        // Another thread prints, so that no game waits for a reader.
        let view = match games {
            1 => View::start(start, Names::BySide(Default::default()), &[]),
            _ => None,
        };
        let (view, notes) = view.unzip();
        let printer = Printer::with_room(WAITING_LINES, view.map(View::boxed))?;
        printer.line(format_args!("listening on {local}"));
        let audience = Audience {
            printer: &printer,
            notes: notes.as_deref(),
            watched: Mutex::new(start),
            recordings: recordings.as_ref(),
            page: page.as_ref(),
            counts: MoveCounts::default(),
            games,
        };
        let show = |game: usize, event: GameEvent| audience.show(game, event);
        let keep = |game: usize, result: GameResult| audience.keep(game, &result);
        let reports = Reports { event: &show, result: &keep };
        let served = serve_all(listener, start, &service, &options, &reports);
        if let Some(page) = page {
            page.finish();
        }
        let printed = printer.finish(String::new());
        served.map_err(failed(format!("serving on {local}")))?;
        if let Some(error) = recordings.and_then(|recordings| recordings.failed.into_inner()) {
            return Err(error);
        }
        Ok(printed?)
    }
}

/// Who hears what happens in the games.
struct Audience<'a> {
    printer: &'a Printer,
    /// Of the board on a terminal, and the position that it shows.
    notes: Option<&'a Notes>,
    watched: Mutex<AnyGame>,
    recordings: Option<&'a Recordings>,
    page: Option<&'a RefereePage>,
    counts: MoveCounts,
    /// Games played at once.
    games: usize,
}

impl Audience<'_> {
    /// Hears an event of a game.
    fn show(&self, game: usize, event: GameEvent) {
        if let Some(notes) = self.notes {
            let mut position = self.watched.lock();
            follow(&mut position, &event);
            notes.watch(&event, &position);
        }
        if let Some(recordings) = self.recordings {
            recordings.hear(game, &event);
        }
        let line = line(&event, self.counts.after(game, &event));
        let name = if self.games > 1 { format!("game {}: ", game + 1) } else { String::new() };
        if matches!(event, GameEvent::Ended { .. }) {
            self.printer.result(format_args!("{name}{line}"));
        } else {
            self.printer.line(format_args!("{name}{line}"));
        }
        if let Some(page) = self.page {
            page.show(game, event);
        }
    }

    /// Keeps a game that is over.
    fn keep(&self, game: usize, result: &GameResult) {
        if let Some(recordings) = self.recordings {
            recordings.ended(game, result);
        }
    }
}

/// The records of all games.
struct Recordings {
    /// What each begins with.
    empty: NotedGame,
    playing: Mutex<HashMap<usize, NotedGame>>,
    file: Mutex<Recording>,
    /// Why a game could not be written; the games are played to their end.
    failed: Mutex<Option<CommandError>>,
    move_time: Duration,
    /// Whether there is a limit of moves below that of the game.
    is_limited: bool,
}

impl Recordings {
    fn new(file: Recording, start: &AnyGame, referee: &Referee) -> Recordings {
        let names = [Side::White, Side::Black].map(|side| side.to_string());
        let own = (start.ply_limit() / 2) as u64;
        Recordings {
            empty: record_option::begin(referee.game.game(), start, start, names),
            playing: Mutex::default(),
            file: Mutex::new(file),
            failed: Mutex::default(),
            move_time: Duration::from_millis(referee.move_time),
            is_limited: referee.moves.is_some_and(|moves| u64::from(moves) < own),
        }
    }

    /// Notes names and moves.
    fn hear(&self, game: usize, event: &GameEvent) {
        let mut playing = self.playing.lock();
        let record = playing.entry(game).or_insert_with(|| self.empty.clone());
        match event {
            GameEvent::Seated { side, peer: Some(peer) } => record.name(*side, peer.clone()),
            GameEvent::Moved { text, elapsed, .. } => record.moved(*text, Some(*elapsed), None),
            _ => {}
        }
    }

    /// Writes a game that is over, and forgets it.
    fn ended(&self, game: usize, result: &GameResult) {
        let Some(record) = self.playing.lock().remove(&game) else { return };
        let end = End::of_referee(result, self.move_time, self.is_limited);
        if let Err(error) = self.file.lock().add(&record, &end) {
            self.failed.lock().get_or_insert(error);
        }
    }
}

/// Plays the move of an event.
fn follow(position: &mut AnyGame, event: &GameEvent) {
    if let GameEvent::Moved { text, .. } = event
        && let Ok(m) = position.parse_move(text)
    {
        position.play(m);
    }
}

/// The machines of `--players`.
fn guests(names: &[String]) -> Result<Guests, ParseError> {
    let wrong = |found: String, expected: &str| ParseError::new("--players", found, expected);
    if names.len() < 2 {
        let expected =
            "two or more, with commas between them (one machine for both players: twice)";
        return Err(wrong(format!("{} address", names.len()), expected));
    }
    let addresses = |name: &String| {
        if let Ok(ip) = parse_ip(name) {
            return Ok(vec![ip]);
        }
        // The port is not used.
        let found = (name.as_str(), 0).to_socket_addrs().ok();
        let found: Vec<IpAddr> = found.into_iter().flatten().map(|address| address.ip()).collect();
        match found.is_empty() {
            true => Err(wrong(quoted(name), "the name or IP address of a machine")),
            false => Ok(found),
        }
    };
    Ok(Guests::new(names.iter().map(addresses).collect::<Result<Vec<_>, _>>()?))
}

/// The number of moves in each game that is played.
#[derive(Default)]
struct MoveCounts(Mutex<HashMap<usize, usize>>);

impl MoveCounts {
    /// The moves of a game after an event. A game that has ended is forgotten.
    fn after(&self, game: usize, event: &GameEvent) -> usize {
        let mut counts = self.0.lock();
        match event {
            GameEvent::Moved { .. } => {
                let count = counts.entry(game).or_default();
                *count += 1;
                *count
            }
            GameEvent::Ended { .. } => counts.remove(&game).unwrap_or_default(),
            _ => 0,
        }
    }
}

/// The line for an event after `moves` moves: `NUMBER SIDE MOVE MS ms` for a move, `result: …` at
/// the end.
pub fn line(event: &GameEvent, moves: usize) -> String {
    match event {
        GameEvent::Opened { game, .. } => format!("a game of {game}"),
        GameEvent::Seated { side, peer: Some(peer) } => format!("{side} is {peer}"),
        GameEvent::Seated { side, peer: None } => format!("{side} has joined"),
        GameEvent::Left => format!("{} has left before the game", Side::White),
        GameEvent::Started { .. } => "the game begins".into(),
        GameEvent::Thought { info, .. } => info.clone(),
        GameEvent::Moved { side, text, elapsed } => {
            format!("{moves} {side} {text} {} ms", elapsed.as_millis())
        }
        GameEvent::Ended { outcome, reason } => format!("result: {outcome} ({reason})"),
    }
}
