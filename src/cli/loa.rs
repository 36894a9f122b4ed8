//! `alesia play --protocol relay` and `alesia referee --protocol relay`: Lines of Action over the
//! relay protocol, each on its own machine. `alesia loa-white`, `alesia loa-black` and
//! `alesia relay` are the same by their old names.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use alesia::game::{Game, GameState, ParseError, Side};
use alesia::games::{AnyGame, GameSpec, loa};
use alesia::net::address::{Address, Endpoint, parse_ip};
use alesia::net::client::{ClientEvent, Player};
use alesia::net::relay::forward::{RelayTimes, Relayed, relay};
use alesia::net::relay::side::play_side;
use alesia::net::relay::{FIRST_MOVE_TIME, HIGHEST_FILTERED_PORT};
use alesia::net::socket::{accept_one, connect};
use alesia::player::EnginePlayer;
use alesia::player::commentary::{self, Terms};
use alesia::player::latest::Latest;
use alesia::player::printer::Printer;
use alesia::record::end::End;
use alesia::search::clock::MoveTime;
use alesia::words::command_error::CommandError;
use alesia::words::time_span::some_milliseconds;
use clap::{Arg, Args, ValueEnum};

use super::by_hand::ByHand;
use super::listen_on;
use super::moves_so_far::{LiveRecord, Recorded};
use super::options::{
    BookOption, EngineArguments, GameOptions, LayoutOption, PonderOption, TimeArguments,
};
use super::record_option::{self, ClientRecorder, RecordOption};
use super::recovery::print_on_ctrl_c;
use super::rules::system_language;
use super::terminal::phrases::Phrases;
use super::terminal::view::{Names, Notes, View};

/// How long to retry while a machine does not answer yet.
const PATIENCE: Duration = Duration::from_secs(30);

/// How the programs of a game speak to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Protocol {
    /// A server and its two players.
    Tournament,
    /// Lines of Action: White listens, Black connects to the relay, the relay to White.
    Relay,
}

/// The protocol, where a game is played or served.
#[derive(Args)]
pub struct ProtocolOption {
    /// Protocol: the courses' tournament, or `relay`, of Lines of Action alone.
    #[arg(
        long,
        value_enum,
        default_value = "tournament",
        value_name = "PROTOCOL",
        hide_possible_values = true,
        help_heading = "Network"
    )]
    protocol: Protocol,
    #[command(flatten)]
    pub ports: PortOption,
    /// Time for the first move of a side in ms, over the relay [default: 2000].
    #[arg(long, value_name = "MS", value_parser = some_milliseconds, hide_short_help = true,
          help_heading = "Time")]
    first_move_time: Option<u64>,
}

impl ProtocolOption {
    /// Whether the relay's protocol is spoken.
    pub fn is_relay(&self) -> bool {
        self.protocol == Protocol::Relay
    }

    /// The time for a first move in ms.
    pub fn first_move_time(&self) -> u64 {
        self.first_move_time.unwrap_or(FIRST_MOVE_TIME.as_millis() as u64)
    }

    /// Refuses options that mean something in the other protocol alone.
    pub fn check(
        &self,
        of_tournaments: &[(&str, bool)],
        of_relays: &[(&str, bool)],
    ) -> Result<(), ParseError> {
        let (unusable, other) = match self.protocol {
            Protocol::Tournament => (of_relays, "relay"),
            Protocol::Relay => (of_tournaments, "tournament"),
        };
        let own = [
            ("--any-port", self.ports.any_port && !self.is_relay()),
            ("--first-move-time", self.first_move_time.is_some() && !self.is_relay()),
        ];
        let mut options = unusable.iter().chain(&own);
        match options.find(|(_, is_set)| *is_set) {
            None => Ok(()),
            Some((option, _)) => {
                let named = if self.is_relay() { "relay" } else { "tournament" };
                let found = format!("--protocol {named}");
                Err(ParseError::new(*option, found, format!("--protocol {other}")))
            }
        }
    }
}

/// The default of `--game` with this protocol.
pub fn game_of_the_relay(game: Arg) -> Arg {
    match game.get_id() == "game" {
        true => game.default_value_if("protocol", "relay", "loa"),
        false => game,
    }
}

/// Which ports are allowed: the laboratory's routers may filter the low ones.
#[derive(Clone, Args)]
pub struct PortOption {
    /// Also allows ports up to 40000, which the laboratory's routers may filter.
    #[arg(long, hide_short_help = true, help_heading = "Network")]
    any_port: bool,
}

impl PortOption {
    /// Refuses a port that the routers may filter.
    fn check(&self, place: &str, port: u16) -> Result<u16, ParseError> {
        if self.any_port || port > HIGHEST_FILTERED_PORT {
            return Ok(port);
        }
        let expected = format!(
            "a port above {HIGHEST_FILTERED_PORT}: routers may filter lower ones (--any-port allows them)"
        );
        Err(ParseError::new(place, port.to_string(), expected))
    }
}

/// Where a side or the relay waits for a connection.
#[derive(Args)]
#[command(next_help_heading = "Network")]
pub struct ListenOptions {
    /// Address to listen on [default: 0.0.0.0, all interfaces].
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::UNSPECIFIED),
          hide_default_value = true, value_parser = parse_ip)]
    pub bind: IpAddr,
    #[command(flatten)]
    pub ports: PortOption,
}

impl ListenOptions {
    /// Listens on the port of an option, and prints the address.
    fn listen(
        &self,
        port: u16,
        option: &str,
        printer: &Printer,
    ) -> Result<TcpListener, CommandError> {
        let port = self.ports.check(option, port)?;
        let address = SocketAddr::from((self.bind, port));
        let listener = listen_on(address, option)?;
        let failed = |error| CommandError::Failed(format!("{address}: {error}"));
        let local = listener.local_addr().map_err(failed)?;
        printer.line(format_args!("listening on {local}"));
        Ok(listener)
    }
}

/// Waits for a connection; returns it and when it was accepted.
fn accept(listener: TcpListener) -> Result<(TcpStream, Instant), CommandError> {
    accept_one(&listener).map_err(|error| CommandError::Failed(format!("listening: {error}")))
}

/// The game, which the protocol has been made for.
#[derive(Clone, Args)]
pub struct LoaOption {
    /// Setup of Lines of Action: loa or loa:files.
    #[arg(long, value_name = "GAME", default_value = "loa", value_parser = lines_of_action,
          help_heading = "Game")]
    game: GameSpec,
    #[command(flatten)]
    layout: LayoutOption,
}

/// Reads the name of Lines of Action.
fn lines_of_action(name: &str) -> Result<GameSpec, ParseError> {
    known(name.parse()?)
}

/// Refuses a game for which the protocol has not been made.
fn known(game: GameSpec) -> Result<GameSpec, ParseError> {
    // The protocol's first message is White's.
    let known = [loa::Layout::Rows, loa::Layout::Files].map(GameSpec::Loa);
    match known.contains(&game) {
        true => Ok(game),
        false => Err(ParseError::new("game", game.to_string(), GameSpec::names_of(&known))),
    }
}

impl LoaOption {
    /// The game of a command that plays others too.
    ///
    /// # Errors
    /// It is none of this protocol.
    pub fn of(options: &GameOptions) -> Result<LoaOption, ParseError> {
        Ok(LoaOption { game: known(options.game)?, layout: options.layout.clone() })
    }

    fn options(&self) -> GameOptions {
        GameOptions { game: self.game, layout: self.layout.clone() }
    }
}

/// The options of a side.
#[derive(Args)]
pub struct SideOptions {
    #[command(flatten)]
    pub game: LoaOption,
    #[command(flatten)]
    pub engine: EngineArguments,
    #[command(flatten)]
    pub time: TimeArguments,
    /// Time for our first move in ms.
    #[arg(long, value_name = "MS", default_value_t = FIRST_MOVE_TIME.as_millis() as u64,
          value_parser = some_milliseconds, help_heading = "Time")]
    pub first_move_time: u64,
    #[command(flatten)]
    pub ponder: PonderOption,
    #[command(flatten)]
    pub book: BookOption,
    #[command(flatten)]
    pub record: RecordOption,
}

impl SideOptions {
    /// Allocates memory and starts threads, before any clock runs.
    fn prepare(&self, side: Side) -> Result<ReadySide, CommandError> {
        self.engine.check()?;
        let game = self.game.options();
        let start = AnyGame::start(game.game());
        let command = ByHand::instead_of(&game, &self.engine, &self.time, &self.ponder, &self.book)
            .with_record(&self.record);
        let latest = Arc::new(Latest::default());
        let recorder = self.record.open()?.map(|recording| {
            let mut recorder =
                ClientRecorder::new(recording, game.game(), &start, "opponent".into(), &latest);
            recorder.we_are(side);
            recorder
        });
        let record = Arc::new(LiveRecord::new(start, command));
        record.we_are(side);
        print_on_ctrl_c(&record);
        let time = self.time.move_time();
        let first = self.time.of_total(self.first_move_time);
        let engine = self.engine.build_with_book(start, self.book.is_on())?;
        let theirs = Phrases::of(system_language()).nameless;
        let names = [format!("Alesia ({})", self.engine.engine), theirs.to_owned()];
        let (view, notes) = View::start(start, Names::OursAndTheirs(names), &[&latest]).unzip();
        let player = EnginePlayer::new(engine, time, self.engine.nodes, self.ponder.is_on())
            .with_first(first)
            .with_latest(Some(&latest));
        let player = Recorded::new(player, &record);
        // Another thread prints, as this one has a clock to watch.
        let printer = Printer::with_panel(view.map(View::boxed))?;
        let threads = self.engine.threads();
        Ok(ReadySide {
            start,
            side,
            time,
            threads,
            record,
            recorder,
            player,
            latest,
            notes,
            printer,
        })
    }
}

/// A side that is ready to play.
struct ReadySide {
    start: AnyGame,
    side: Side,
    time: MoveTime,
    threads: usize,
    record: Arc<LiveRecord>,
    recorder: Option<ClientRecorder>,
    player: Recorded<EnginePlayer>,
    latest: Arc<Latest>,
    notes: Option<Arc<Notes>>,
    printer: Printer,
}

impl ReadySide {
    /// Plays the side to its end and prints the moves and the result.
    fn play(self, stream: TcpStream, connected: Instant) -> Result<(), CommandError> {
        let ReadySide { start, side, time, threads, record, mut player, notes, printer, .. } = self;
        let (latest, mut recorder) = (self.latest, self.recorder);
        let server = stream.peer_addr().map_or_else(|_| "a relay".into(), |peer| peer.to_string());
        let values = log::log_enabled!(log::Level::Info).then_some(&*latest);
        let terms = Terms { title: &start.title(), server: &server, time, threads, values };
        let result = play_side(stream, start, side, connected, &mut player, &mut |event| {
            if let Some(notes) = &notes {
                notes.follow(event);
            }
            if let Some(recorder) = &mut recorder {
                recorder.hear(event);
            }
            commentary::print(&printer, &terms, event);
        });
        // Stops pondering, so that the result is printed at once on a busy machine too.
        drop(player);
        let printed = printer.finish(match &result {
            Ok(report) => format!("result: {report}\n"),
            Err(_) => record.lines(),
        });
        let report = result.map_err(|cut_off| CommandError::Failed(cut_off.to_string()))?;
        if let Some(recorder) = recorder {
            recorder.finish(report.plies, report.outcome, &report.reason)?;
        }
        Ok(printed?)
    }
}

/// The arguments of `alesia loa-white`.
#[derive(Args)]
pub struct White {
    /// Port to listen on, for the relay.
    #[arg(long, value_name = "PORT", default_value_t = 40_101, help_heading = "Network")]
    pub listen: u16,
    #[command(flatten)]
    pub listening: ListenOptions,
    #[command(flatten)]
    pub side: SideOptions,
}

impl White {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        // Before the memory is taken.
        self.listening.ports.check("--listen", self.listen)?;
        let mut side = self.side.prepare(Side::White)?;
        let listener = self.listening.listen(self.listen, "--listen", &side.printer)?;
        // Pondering our first move starts here.
        let state = GameState::new(side.start);
        let welcome = ClientEvent::Welcome { side: Side::White, state: &state };
        side.player.event(&welcome);
        if let Some(notes) = &side.notes {
            notes.follow(&welcome);
        }
        let (stream, connected) = accept(listener)?;
        side.play(stream, connected)
    }
}

/// The arguments of `alesia loa-black`.
#[derive(Args)]
pub struct Black {
    /// Name or address of the relay; may include the port (lab2:40102, [::1]:40102).
    pub host: Address,
    /// Port of the relay.
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    pub port: Option<u16>,
    #[command(flatten)]
    pub ports: PortOption,
    #[command(flatten)]
    pub side: SideOptions,
}

impl Black {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        let relay = self.host.at(self.port)?;
        self.ports.check("PORT", relay.port)?;
        let side = self.side.prepare(Side::Black)?;
        if let Some(notes) = &side.notes {
            notes.connecting(PATIENCE);
        }
        let stream = connected_to(&relay)?;
        if let Some(notes) = &side.notes {
            let state = GameState::new(side.start);
            notes.follow(&ClientEvent::Welcome { side: Side::Black, state: &state });
        }
        side.play(stream, Instant::now())
    }
}

fn connected_to(relay: &Endpoint) -> Result<TcpStream, CommandError> {
    let Endpoint { host, port } = relay;
    connect(host, *port, PATIENCE).map_err(|error| CommandError::Failed(error.to_string()))
}

/// The arguments of `alesia relay`.
#[derive(Args)]
pub struct Relay {
    /// Address on which White listens.
    #[arg(long, value_name = "HOST:PORT", help_heading = "Network")]
    pub white: Address,
    /// Port to listen on, for Black.
    #[arg(long, value_name = "PORT", default_value_t = 40_102, help_heading = "Network")]
    pub listen: u16,
    #[command(flatten)]
    pub listening: ListenOptions,
    #[command(flatten)]
    pub game: LoaOption,
    /// Time for the first move of each side in ms.
    #[arg(long, value_name = "MS", default_value_t = FIRST_MOVE_TIME.as_millis() as u64,
          value_parser = some_milliseconds, help_heading = "Time")]
    pub first_move_time: u64,
    /// Time for each later move in ms.
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = some_milliseconds,
          help_heading = "Time")]
    pub move_time: u64,
    #[command(flatten)]
    pub record: RecordOption,
}

impl Relay {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        self.serve("--listen")
    }

    /// Relays a game; `option` names the port on which Black is awaited.
    pub fn serve(&self, option: &str) -> Result<(), CommandError> {
        let at_white = self.white.at(None).map_err(|error| error.within("--white"))?;
        self.listening.ports.check("--white", at_white.port)?;
        let mut file = self.record.open()?;
        let times = RelayTimes {
            first: Duration::from_millis(self.first_move_time),
            other: Duration::from_millis(self.move_time),
        };
        let game = self.game.options().game();
        let start = AnyGame::start(game);
        let (view, notes) = View::start(start, Names::BySide(Default::default()), &[]).unzip();
        // Another thread prints, as this one keeps the players' time.
        let printer = Printer::with_panel(view.map(View::boxed))?;
        let (black, _) = accept(self.listening.listen(self.listen, option, &printer)?)?;
        let white = connected_to(&at_white)?;
        let connected = Instant::now();
        if let Some(notes) = &notes {
            notes.begin([&white, &black].map(|stream| stream.peer_addr().ok()));
        }
        let names = [Side::White, Side::Black].map(|side| side.to_string());
        let mut record = record_option::begin(game, &start, &start, names);
        let mut state = GameState::new(start);
        let mut show = |relayed: Relayed| {
            let Relayed { number, side, text, elapsed } = relayed;
            record.moved(text, Some(elapsed), None);
            if let Ok(m) = state.position.parse_move(&text) {
                state.play(m);
            }
            if let Some(notes) = &notes {
                notes.moved(&state.position, Some(elapsed));
            }
            printer.line(format_args!("{number} {side} {text} {} ms", elapsed.as_millis()));
        };
        let result = relay(white, black, connected, start, times, &mut show)
            .map_err(|error| CommandError::Failed(format!("relaying: {error}")))?;
        if let Some(notes) = &notes {
            notes.end();
        }
        if let Some(recording) = &mut file {
            let end = End::as_said(result.outcome, result.reason.clone(), state.ending());
            recording.add(&record, &end)?;
        }
        Ok(printer.finish(format!("result: {result}\n"))?)
    }
}
