//! `alesia referee`: serves games of the tournament protocol.

use std::ffi::OsString;
use std::io::{Write, stdout};
use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use alesia::game::{Game, Side};
use alesia::net::referee::{GameEvent, RefereeOptions, serve};
use alesia::with_game;
use clap::Args;

use super::CommandError;
use super::options::GameOptions;
use super::page::RefereePage;

/// The arguments of `alesia referee`. The options of the courses' own servers (-gui, -tt, -tm,
/// -wt, -p) may have one dash or two.
#[derive(Args)]
#[command(after_help = "-gui, -tt, -tm and -wt may have one dash, as on the courses' servers.")]
pub struct Referee {
    #[command(flatten)]
    game: GameOptions,
    /// Port to listen on; 0: any free port.
    #[arg(short, value_name = "PORT", default_value_t = 8901, help_heading = "Network")]
    port: u16,
    /// Time per move in ms.
    #[arg(long = "tt", value_name = "MS", default_value_t = 1000, help_heading = "Time",
          value_parser = clap::value_parser!(u64).range(1..))]
    move_time: u64,
    /// The game is a tie after this many moves per player [default: the limit of the game].
    #[arg(long = "tm", value_name = "N", value_parser = clap::value_parser!(u32).range(1..),
          help_heading = "Time")]
    moves: Option<u32>,
    /// Warm-up before White's first turn in seconds.
    #[arg(long = "wt", value_name = "S", default_value_t = 30, help_heading = "Time")]
    warm_up: u64,
    /// Extra milliseconds before a move counts as late.
    #[arg(long, value_name = "MS", default_value_t = 0, help_heading = "Time")]
    tolerance: u64,
    /// Shows the games in the browser (needs alesia-lab in the folder of alesia or in PATH).
    #[arg(long, help_heading = "Output")]
    gui: bool,
    /// Games played at once; players are paired in order of arrival.
    #[arg(long, value_name = "N", default_value = "1", help_heading = "Network")]
    games: NonZeroUsize,
    /// Address to listen on [default: 0.0.0.0, all interfaces].
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::UNSPECIFIED),
          hide_default_value = true, help_heading = "Network")]
    bind: IpAddr,
}

/// Gives the options of the courses' servers two dashes where they have one, and turns `--p` into
/// `-p`.
pub fn two_dashes(argument: OsString) -> OsString {
    let Some(text) = argument.to_str() else { return argument };
    let (name, value) = match text.split_once('=') {
        Some((name, _)) => (name, &text[name.len()..]),
        None => (text, ""),
    };
    match name {
        "-gui" | "-tt" | "-tm" | "-wt" => format!("-{name}{value}").into(),
        "--p" => format!("-p{value}").into(),
        _ => argument,
    }
}

impl Referee {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        with_game!(self.game.game(), start => self.serve(start))
    }

    fn serve<G: Game>(&self, start: G) -> Result<(), CommandError> {
        let most = start_limit(&start);
        if let Some(moves) = self.moves.filter(|&moves| moves as usize > most) {
            return Err(CommandError::Usage(format!(
                "-tm: found {moves}, expected at most {most} (no game lasts longer)"
            )));
        }
        let options = RefereeOptions {
            move_time: Duration::from_millis(self.move_time),
            tolerance: Duration::from_millis(self.tolerance),
            warm_up: Duration::from_secs(self.warm_up),
            moves_per_player: self.moves,
        };
        let failed = |what: String| {
            move |error: std::io::Error| CommandError::Failed(format!("{what}: {error}"))
        };
        let address = format!("{}:{}", self.bind, self.port);
        let listener =
            TcpListener::bind((self.bind, self.port)).map_err(failed(address.clone()))?;
        let local = listener.local_addr().map_err(failed(address))?;
        let games = self.games.get();
        let page = match self.gui {
            true => {
                Some(RefereePage::open(&self.game.game().to_string(), &start, games, &options)?)
            }
            false => None,
        };
        writeln!(stdout(), "listening on {local}")?;
        let several = games > 1;
        let moves: Vec<AtomicUsize> = (0..games).map(|_| AtomicUsize::new(0)).collect();
        // The game continues without a reader: write errors are ignored.
        let show = |game: usize, event: GameEvent| {
            if let GameEvent::Moved { .. } = event {
                // Relaxed: the events of a game come one after the other.
                moves[game].fetch_add(1, Ordering::Relaxed);
            }
            let line = line(&event, moves[game].load(Ordering::Relaxed));
            let _ = match several {
                true => writeln!(stdout(), "game {}: {line}", game + 1),
                false => writeln!(stdout(), "{line}"),
            };
            if let Some(page) = &page {
                page.show(game, event);
            }
        };
        let served = serve(listener, start, games, &options, &show);
        if let Some(page) = page {
            page.finish();
        }
        served.map_err(failed(format!("serving on {local}")))?;
        Ok(())
    }
}

/// The moves of each player after which the game is over by its own limit.
fn start_limit<G: Game>(_: &G) -> usize {
    G::PLY_LIMIT.div_ceil(2)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_the_courses_servers_have_one_dash_or_two() {
        let turned = |argument: &str| two_dashes(argument.into()).into_string().unwrap();
        assert_eq!(turned("-tt"), "--tt");
        assert_eq!(turned("-tt=500"), "--tt=500");
        assert_eq!(turned("--wt"), "--wt");
        assert_eq!(turned("--p"), "-p");
        assert_eq!(turned("-p"), "-p");
        assert_eq!(turned("-ttt"), "-ttt");
    }
}
