//! `alesia loa-white`, `alesia loa-black` and `alesia relay`: Lines of Action over the relay
//! protocol, each on a machine of its own.

use std::io::{Write, stdout};
use std::net::{IpAddr, Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use alesia::game::{GameState, ParseError, Side, quoted};
use alesia::games::{GameSpec, Loa, loa};
use alesia::net::client::{ClientEvent, Player};
use alesia::net::relay::forward::{RelayTimes, Relayed, relay};
use alesia::net::relay::side::play_side;
use alesia::net::relay::{FIRST_MOVE_TIME, HIGHEST_FILTERED_PORT};
use alesia::net::socket::connect;
use alesia::player::EnginePlayer;
use alesia::player::commentary;
use alesia::player::printer::Printer;
use alesia::search::clock::MoveTime;
use clap::Args;

use super::CommandError;
use super::by_hand::ByHand;
use super::interrupt::print_on_ctrl_c;
use super::options::{
    BookOption, EngineArguments, GameOptions, LayoutOption, PonderOption, TimeArguments,
};
use super::record::{LiveRecord, Recorded};

/// How long a machine that does not answer yet is tried.
const PATIENCE: Duration = Duration::from_secs(30);

/// Ports, and those that the laboratory's routers may filter.
#[derive(Args)]
struct PortOption {
    /// Takes ports up to 40000 too, which the laboratory's routers may filter.
    #[arg(long)]
    any_port: bool,
}

impl PortOption {
    /// Refuses a port that messages may not get through to.
    fn check(&self, place: &str, port: u16) -> Result<u16, ParseError> {
        if self.any_port || port > HIGHEST_FILTERED_PORT {
            return Ok(port);
        }
        let expected = format!(
            "one above {HIGHEST_FILTERED_PORT}, as routers may filter the others (--any-port takes it)"
        );
        Err(ParseError::new(place, port.to_string(), expected))
    }
}

/// Where a side or the relay waits for the other.
#[derive(Args)]
struct ListenOptions {
    /// The address to listen on: all interfaces, as the others are on other machines.
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::UNSPECIFIED))]
    bind: IpAddr,
    #[command(flatten)]
    ports: PortOption,
}

impl ListenOptions {
    /// Listens, and says so.
    fn listen(&self, port: u16) -> Result<TcpListener, CommandError> {
        let port = self.ports.check("--listen", port)?;
        let failed = |error| CommandError::Failed(format!("{}:{port}: {error}", self.bind));
        let listener = TcpListener::bind((self.bind, port)).map_err(failed)?;
        writeln!(stdout(), "listening on {}", listener.local_addr().map_err(failed)?)?;
        Ok(listener)
    }
}

/// Waits for a connection.
fn accept(listener: TcpListener) -> Result<TcpStream, CommandError> {
    let failed = |error| CommandError::Failed(format!("listening: {error}"));
    listener.accept().map(|(stream, _)| stream).map_err(failed)
}

/// What a side plays with.
#[derive(Args)]
struct SideOptions {
    #[command(flatten)]
    layout: LayoutOption,
    #[command(flatten)]
    engine: EngineArguments,
    #[command(flatten)]
    time: TimeArguments,
    /// Milliseconds for our first move, which may take longer.
    #[arg(long, value_name = "MS", default_value_t = FIRST_MOVE_TIME.as_millis() as u64)]
    first_move_time: u64,
    #[command(flatten)]
    ponder: PonderOption,
    #[command(flatten)]
    book: BookOption,
}

impl SideOptions {
    /// Takes memory and threads, before any clock runs.
    fn prepare(&self, side: Side) -> Result<ReadySide, CommandError> {
        let start = start(&self.layout);
        let game = GameSpec::Loa(loa::Layout::default());
        let game = GameOptions { game, layout: self.layout.clone() };
        let command = ByHand::instead_of(&game, &self.engine, &self.time, &self.ponder, &self.book);
        let record = Arc::new(LiveRecord::new(start, command));
        record.we_are(side);
        print_on_ctrl_c(&record);
        let time = self.time.move_time();
        let first = self.time.of_total(self.first_move_time);
        let engine = self.engine.build_with_book(start, self.book.is_on())?;
        let player = EnginePlayer::new(engine, time, self.engine.nodes, self.ponder.is_on());
        let player = Recorded::new(player.with_first(first), &record);
        // Shown by another thread, as this one has a clock to watch.
        Ok(ReadySide { start, side, time, record, player, printer: Printer::start() })
    }
}

/// A side that is ready to play.
struct ReadySide {
    start: Loa,
    side: Side,
    time: MoveTime,
    record: Arc<LiveRecord<Loa>>,
    player: Recorded<Loa, EnginePlayer<Loa>>,
    printer: Printer,
}

impl ReadySide {
    /// Plays the side to its end and prints the moves and the result.
    fn play(self, stream: TcpStream, connected: Instant) -> Result<(), CommandError> {
        let ReadySide { start, side, time, record, mut player, printer } = self;
        let result = play_side(stream, start, side, connected, &mut player, &mut |event| {
            commentary::print(&printer, time, event);
        });
        // Stops pondering, so that the result is shown at once on a busy machine too.
        drop(player);
        printer.finish();
        match result {
            Ok(report) => writeln!(stdout(), "result: {report}")?,
            Err(cut_off) => {
                write!(stdout(), "{}", record.lines())?;
                return Err(CommandError::Failed(cut_off.to_string()));
            }
        }
        Ok(())
    }
}

fn start(layout: &LayoutOption) -> Loa {
    match layout.apply(GameSpec::Loa(loa::Layout::default())) {
        GameSpec::Loa(layout) => Loa::start(layout),
        _ => unreachable!("a layout changes nothing else of a game"),
    }
}

/// The arguments of `alesia loa-white`.
#[derive(Args)]
pub struct White {
    /// The port on which the relay finds us.
    #[arg(long, value_name = "PORT", default_value_t = 40_101)]
    listen: u16,
    #[command(flatten)]
    listening: ListenOptions,
    #[command(flatten)]
    side: SideOptions,
}

impl White {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        let mut side = self.side.prepare(Side::White)?;
        let listener = self.listening.listen(self.listen)?;
        // Our first move is thought about from here on.
        let state = GameState::new(side.start);
        side.player.event(&ClientEvent::Welcome { side: Side::White, state: &state });
        let stream = accept(listener)?;
        side.play(stream, Instant::now())
    }
}

/// The arguments of `alesia loa-black`.
#[derive(Args)]
pub struct Black {
    /// The relay's name or address.
    host: String,
    /// The relay's port.
    port: u16,
    #[command(flatten)]
    ports: PortOption,
    #[command(flatten)]
    side: SideOptions,
}

impl Black {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        let port = self.ports.check("PORT", self.port)?;
        let side = self.side.prepare(Side::Black)?;
        let stream = connected_to(&self.host, port)?;
        side.play(stream, Instant::now())
    }
}

fn connected_to(host: &str, port: u16) -> Result<TcpStream, CommandError> {
    connect(host, port, PATIENCE).map_err(|error| CommandError::Failed(error.to_string()))
}

/// The arguments of `alesia relay`.
#[derive(Args)]
pub struct Relay {
    /// Where White listens.
    #[arg(long, value_name = "HOST:PORT")]
    white: String,
    /// The port on which Black finds us.
    #[arg(long, value_name = "PORT", default_value_t = 40_102)]
    listen: u16,
    #[command(flatten)]
    listening: ListenOptions,
    #[command(flatten)]
    layout: LayoutOption,
    /// Milliseconds for the first move of each side.
    #[arg(long, value_name = "MS", default_value_t = FIRST_MOVE_TIME.as_millis() as u64)]
    first_move_time: u64,
    /// Milliseconds for every other move.
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    move_time: u64,
}

impl Relay {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        let (host, port) = self.white_address()?;
        let times = RelayTimes {
            first: Duration::from_millis(self.first_move_time),
            other: Duration::from_millis(self.move_time),
        };
        let black = accept(self.listening.listen(self.listen)?)?;
        let white = connected_to(host, port)?;
        let connected = Instant::now();
        let start = start(&self.layout);
        let mut show = |relayed: Relayed| {
            let Relayed { number, side, text, elapsed } = relayed;
            // A game is not ended because nobody reads along.
            let _ = writeln!(stdout(), "{number} {side} {text} {} ms", elapsed.as_millis());
        };
        let result = relay(white, black, connected, start, times, &mut show)
            .map_err(|error| CommandError::Failed(format!("relaying: {error}")))?;
        writeln!(stdout(), "result: {result}")?;
        Ok(())
    }

    /// The host and port of `--white`.
    fn white_address(&self) -> Result<(&str, u16), ParseError> {
        let address = self.white.rsplit_once(':');
        let address = address.and_then(|(host, port)| Some((host, port.parse().ok()?)));
        let (host, port) = address.filter(|(host, _)| !host.is_empty()).ok_or_else(|| {
            ParseError::new("--white", quoted(&self.white), "HOST:PORT, such as lab3:40101")
        })?;
        Ok((host, self.listening.ports.check("--white", port)?))
    }
}
