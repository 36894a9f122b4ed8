//! `alesia play`: one game on a tournament server.

use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

use alesia::game::{Game, ParseError, quoted};
use alesia::games::AnyGame;
use alesia::net::address::{Address, Endpoint};
use alesia::net::client::{ClientEvent, JoinError, join_game};
use alesia::net::stand_in::Second;
use alesia::player::EnginePlayer;
use alesia::player::commentary::{self, Terms};
use alesia::player::latest::Latest;
use alesia::player::printer::Printer;
use alesia::player::thought_sender::Thoughts;
use clap::Args;

use super::by_hand::ByHand;
use super::moves_so_far::{LiveRecord, Recorded};
use super::options::{BookOption, EngineArguments, GameOptions, PonderOption, TimeArguments};
use super::record_option::{ClientRecorder, RecordOption};
use super::recovery::print_on_ctrl_c;
use super::terminal::progress::{Progress, waiting_for};
use super::terminal::view::{Names, Notes, View};
use alesia::words::command_error::CommandError;

/// How long to retry while the server does not answer yet.
const PATIENCE: Duration = Duration::from_secs(30);

/// The arguments of `alesia play`.
#[derive(Args)]
pub struct Play {
    /// Name or address of the server; may include the port (lab1:8901, [::1]:8901).
    host: Address,
    /// Port of the server.
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
}

impl Play {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        self.game.layout.check(self.game.game)?;
        self.play(AnyGame::start(self.game.game()))
    }

    fn play(&self, start: AnyGame) -> Result<(), CommandError> {
        let failed = |error: &dyn std::fmt::Display| CommandError::Failed(error.to_string());
        self.engine.check()?;
        let server = self.host.at(self.port)?;
        let Endpoint { host, port } = &server;
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
        let names = [format!("Alesia ({})", self.engine.engine), format!("opponent on {shown}")];
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
