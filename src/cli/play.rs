//! `alesia play`: one game on a tournament server, or over the relay.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

use alesia::game::{Game, ParseError, quoted};
use alesia::games::AnyGame;
use alesia::net::address::{Address, Endpoint, parse_ip};
use alesia::net::client::{ClientEvent, JoinError, join_game};
use alesia::net::stand_in::Second;
use alesia::player::EnginePlayer;
use alesia::player::commentary::{self, Terms};
use alesia::player::latest::Latest;
use alesia::player::printer::Printer;
use alesia::player::thought_sender::Thoughts;
use clap::{Arg, Args};

use super::by_hand::ByHand;
use super::loa::{self, ProtocolOption};
use super::moves_so_far::{LiveRecord, Recorded};
use super::options::{BookOption, EngineArguments, GameOptions, PonderOption, TimeArguments};
use super::record_option::{ClientRecorder, RecordOption};
use super::recovery::print_on_ctrl_c;
use super::rules::system_language;
use super::terminal::phrases::{Phrases, filled};
use super::terminal::progress::{Progress, waiting_for};
use super::terminal::view::{Names, Notes, View};
use alesia::words::command_error::CommandError;

/// How long to retry while the server does not answer yet.
const PATIENCE: Duration = Duration::from_secs(30);

/// Options that `-h` leaves to `--help`: a player of a tournament has no need of them.
const RARELY_NEEDED: [&str; 8] =
    ["engine", "trees", "seed", "nodes", "parameters", "weights", "book", "board"];

/// An option as the first help has it.
fn for_a_tournament(option: Arg) -> Arg {
    match RARELY_NEEDED.contains(&option.get_id().as_str()) {
        true => option.hide_short_help(true),
        false => loa::game_of_the_relay(option),
    }
}

/// How the command is typed.
const USAGE: &str = "alesia play [OPTIONS] <HOST> [PORT]
       alesia play --protocol relay [OPTIONS] <HOST> [PORT]
       alesia play --protocol relay --listen <PORT> [OPTIONS]";

/// The arguments of `alesia play`.
#[derive(Args)]
#[command(mut_args = for_a_tournament, override_usage = USAGE,
          after_help = "All options: alesia play --help",
          after_long_help = "Parameters of --set: alesia play --help set")]
pub struct Play {
    /// Name or address of the server or the relay; may include the port (lab1:8901, [::1]:8901).
    #[arg(required_unless_present = "protocol")]
    host: Option<Address>,
    /// Port of the server or the relay.
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    port: Option<u16>,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    engine: EngineArguments,
    #[command(flatten)]
    time: TimeArguments,
    #[command(flatten)]
    ponder: PonderOption,
    #[command(flatten)]
    book: BookOption,
    /// Sends the engine's analysis of each move to the page of `alesia referee -gui`.
    #[arg(long, value_name = "HOST:PORT", help_heading = "Output")]
    board: Option<String>,
    #[command(flatten)]
    record: RecordOption,
    #[command(flatten)]
    protocol: ProtocolOption,
    /// Port on which White waits for the relay; Black connects to HOST instead.
    #[arg(
        long,
        value_name = "PORT",
        conflicts_with = "host",
        hide_short_help = true,
        help_heading = "Network"
    )]
    listen: Option<u16>,
    /// Address to listen on, with --listen [default: 0.0.0.0, all interfaces].
    #[arg(long, value_name = "ADDR", value_parser = parse_ip, requires = "listen",
          hide_short_help = true, help_heading = "Network")]
    bind: Option<IpAddr>,
}

impl Play {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        self.game.layout.check(self.game.game)?;
        let of_tournaments = [("--board", self.board.is_some())];
        self.protocol.check(&of_tournaments, &[("--listen", self.listen.is_some())])?;
        let none = |expected| ParseError::new("HOST", "none", expected);
        match (&self.host, self.listen) {
            (Some(host), _) if self.protocol.is_relay() => self.black(host.clone()),
            (_, Some(port)) => self.white(port),
            (Some(host), None) => self.play(&host.at(self.port)?),
            (None, None) if self.protocol.is_relay() => {
                Err(none("HOST PORT of the relay (Black), or --listen PORT (White)").into())
            }
            (None, None) => Err(none("the name or address of the server").into()),
        }
    }

    /// Plays White over the relay protocol.
    fn white(&self, listen: u16) -> Result<(), CommandError> {
        let bind = self.bind.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        let listening = loa::ListenOptions { bind, ports: self.protocol.ports.clone() };
        loa::White { listen, listening, side: self.side()? }.run()
    }

    /// Plays Black over the relay protocol.
    fn black(&self, host: Address) -> Result<(), CommandError> {
        let ports = self.protocol.ports.clone();
        loa::Black { host, port: self.port, ports, side: self.side()? }.run()
    }

    /// The options of a side over the relay protocol.
    fn side(&self) -> Result<loa::SideOptions, ParseError> {
        Ok(loa::SideOptions {
            game: loa::LoaOption::of(&self.game)?,
            engine: self.engine.clone(),
            time: self.time.clone(),
            first_move_time: self.protocol.first_move_time(),
            ponder: self.ponder.clone(),
            book: self.book.clone(),
            record: self.record.clone(),
        })
    }

    fn play(&self, server: &Endpoint) -> Result<(), CommandError> {
        let start = AnyGame::start(self.game.game());
        let failed = |error: &dyn std::fmt::Display| CommandError::Failed(error.to_string());
        self.engine.check()?;
        let Endpoint { host, port } = server;
        let command =
            ByHand::instead_of(&self.game, &self.engine, &self.time, &self.ponder, &self.book)
                .with_record(&self.record);
        let recording = self.record.open()?;
        let record = Arc::new(LiveRecord::new(start, command));
        print_on_ctrl_c(&record);
        let page = self.board.as_deref().map(page_address).transpose()?;
        // All memory is allocated and all threads started before the server's clock can run.
        let engine = self.engine.build_with_book(start, self.book.is_on())?;
        let time = self.time.move_time();
        let shown = server.to_string();
        let latest = Arc::new(Latest::default());
        let theirs = filled(Phrases::of(system_language()).their_name, &shown);
        let names = [format!("Alesia ({})", self.engine.engine), theirs];
        let (view, notes) = View::start(start, Names::OursAndTheirs(names), &[&latest]).unzip();
        let values = log::log_enabled!(log::Level::Info).then_some(&*latest);
        let (title, threads) = (start.title(), self.engine.threads());
        let terms = Terms { title: &title, server: &shown, time, threads, values };
        let thoughts = page.map(Thoughts::start).transpose();
        let thoughts = thoughts.map_err(|error| {
            CommandError::Failed(format!("--board: no thread that writes: {error}"))
        })?;
        let thoughts = thoughts.map(Arc::new);
        let is_looked_at = notes.is_some() || values.is_some() || recording.is_some();
        let player = EnginePlayer::new(engine, time, self.engine.nodes, self.ponder.is_on())
            .with_thoughts(thoughts.as_ref())
            .with_latest(is_looked_at.then_some(&latest));
        let mut player = Recorded::new(player, &record);
        // Another thread prints, as this one has a clock to watch.
        let printer = Printer::with_panel(view.map(View::boxed))?;
        let game = self.game.game();
        let recorder = recording
            .map(|recording| ClientRecorder::new(recording, game, &start, shown.clone(), &latest));
        let mut followers = Followers::start(notes, recorder, &printer, terms);
        let mut observer = |event: &ClientEvent<'_>| followers.hear(event);
        // It is this program, which is there.
        let own = std::env::current_exe().ok();
        let second = own.as_deref().map(|program| Second {
            program,
            game: game.to_string(),
            within: time.until_stand_in(),
        });
        let second = second.as_ref();
        let result = join_game(host, *port, PATIENCE, start, &mut player, &mut observer, second);
        let Followers { recorder, .. } = followers;
        // Stops pondering, so that the result is printed at once on a busy machine too.
        drop(player);
        let printed = printer.finish(match &result {
            Ok(report) => format!("result: {report}\n"),
            Err(JoinError::Play(_)) => record.lines(),
            Err(_) => String::new(),
        });
        // Before the page too.
        let kept = match (recorder, &result) {
            (Some(recorder), Ok(report)) => {
                recorder.finish(report.plies, report.outcome, &report.reason)
            }
            _ => Ok(()),
        };
        // After the result, as the page may be slow.
        if let Some(thoughts) = thoughts.and_then(Arc::into_inner) {
            thoughts.finish();
        }
        let report = result.map_err(|error| failed(&error))?;
        kept?;
        printed?;
        if report.our_fault {
            return Err(CommandError::Failed(report.reason));
        }
        Ok(())
    }
}

/// What hears of each event of the game.
struct Followers<'a> {
    /// Shown until the server is there.
    waiting: Option<Progress>,
    notes: Option<Arc<Notes>>,
    recorder: Option<ClientRecorder>,
    printer: &'a Printer,
    terms: Terms<'a>,
}

impl<'a> Followers<'a> {
    /// Shows that we wait for the server.
    fn start(
        notes: Option<Arc<Notes>>,
        recorder: Option<ClientRecorder>,
        printer: &'a Printer,
        terms: Terms<'a>,
    ) -> Self {
        if let Some(notes) = &notes {
            notes.connecting(PATIENCE);
        }
        let line = || Progress::start(waiting_for(terms.server, PATIENCE));
        let waiting = notes.is_none().then(line);
        Followers { waiting, notes, recorder, printer, terms }
    }

    fn hear(&mut self, event: &ClientEvent<'_>) {
        self.waiting = None;
        if let Some(notes) = &self.notes {
            notes.follow(event);
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.hear(event);
        }
        commentary::print(self.printer, &self.terms, event);
    }
}

/// The address of the page.
fn page_address(text: &str) -> Result<SocketAddr, CommandError> {
    let within = |error: ParseError| error.within("--board");
    // As `referee -gui` and the page print it.
    let address = text.strip_prefix("http://").map_or(text, |address| {
        address.split_once(['/', '?']).map_or(address, |(address, _)| address)
    });
    let Endpoint { host, port } =
        address.parse::<Address>().and_then(|a| a.at(None)).map_err(within)?;
    let found = (host.as_str(), port).to_socket_addrs();
    found.ok().and_then(|mut addresses| addresses.next()).ok_or_else(|| {
        let expected = "the page's HOST:PORT, such as 127.0.0.1:8910";
        ParseError::new("--board", quoted(text), expected).into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_the_page_may_be_as_it_is_printed() {
        let address = SocketAddr::from(([127, 0, 0, 1], 8910));
        for text in [
            "127.0.0.1:8910",
            "http://127.0.0.1:8910",
            "http://127.0.0.1:8910/",
            "http://127.0.0.1:8910/?token=a/b",
            "http://127.0.0.1:8910/alesia/",
        ] {
            assert_eq!(page_address(text).unwrap(), address, "{text}");
        }
        for text in ["https://127.0.0.1:8910/", "127.0.0.1:8910/", "http://", "http:///"] {
            assert!(page_address(text).is_err(), "{text}");
        }
    }
}
