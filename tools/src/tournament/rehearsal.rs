//! `alesia-lab tournament --rehearse`: both courses' tournaments on loopback, before the day.
//!
//! The one idea: the very server of the day, with players that fail as students' programs do. Good
//! players must lose no game but by the rules, and each bad one must lose by its own fault.

use std::fs;
use std::io::{Write, stdout};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use alesia::game::{Game, Side};
use alesia::games::{AnyGame, AnyState, GameSpec};
use alesia::net::client::{Answer, Player, play_game};
use alesia::net::referee::Wire;
use alesia::net::relay::side::play_side;
use alesia::record::end::Cause;
use alesia::record::game_record::{GameRecord, Winner};
use alesia::words::command_error::CommandError;
use alesia_match::words::logging;
use fastrand::Rng;

use super::Tournament;

/// The time for a move, as in the courses.
const MOVE_TIME: Duration = Duration::from_secs(1);

/// More than that, and than the referee's own delay.
const TOO_LONG: Duration = Duration::from_millis(1200);

/// Above the ports that routers may filter, and that Linux gives to outgoing connections.
const FIRST_PORT: u16 = 61_001;

/// The pause before a program is started again.
const RESTART_TIME: Duration = Duration::from_millis(100);

/// The tournaments: title, game, the players' protocol, and when the return games come.
const COURSES: [(&str, &str, Wire, &str); 2] = [
    ("Murus Gallicus, tournament protocol", "murus", Wire::Tournament, "last"),
    ("Lines of Action, relay protocol", "loa", Wire::Relay, "next"),
];

/// How a player behaves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Habit {
    Good,
    Late,
    Illegal,
    Crashing,
    Silent,
    Gone,
}

impl Habit {
    const ALL: [(&str, Habit); 7] = [
        ("Good", Habit::Good),
        ("Good too", Habit::Good),
        ("Late", Habit::Late),
        ("Illegal", Habit::Illegal),
        ("Crashing", Habit::Crashing),
        ("Silent", Habit::Silent),
        ("Gone", Habit::Gone),
    ];

    /// How it loses where it is to blame; none: never so.
    fn loses_by(self) -> Option<(Cause, &'static str)> {
        match self {
            Habit::Good => None,
            Habit::Late | Habit::Silent => Some((Cause::Time, "loses on time")),
            Habit::Illegal => Some((Cause::IllegalMove, "makes an illegal move")),
            Habit::Crashing | Habit::Gone => Some((Cause::Disconnect, "disconnects")),
        }
    }
}

/// Plays both tournaments, with their files and pages in `folder`.
///
/// # Errors
/// A port or a file cannot be had, or a game did not end as it must.
pub fn run(folder: &Path) -> Result<(), CommandError> {
    let failed = |error| CommandError::Failed(format!("{}: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(failed)?;
    // What the players' own programs would say is not the organiser's.
    logging::silence();
    for (number, course) in (1..).zip(COURSES) {
        let (title, game, wire, returns) = course;
        let file = folder.join(format!("{game}.toml"));
        let ports = free_ports(2 * Habit::ALL.len()).map_err(failed)?;
        let text = text_of(course, &ports);
        fs::write(&file, &text).map_err(failed)?;
        writeln!(stdout(), "{number}. {title}\n\nThe file {}:\n\n{text}", file.display())?;
        let off = Arc::new(AtomicBool::new(false));
        let start = AnyGame::start(game.parse::<GameSpec>()?);
        for ((_, habit), ports) in Habit::ALL.into_iter().zip(ports.as_chunks().0) {
            Machine { habit, wire, start, off: Arc::clone(&off) }
                .switch_on(*ports)
                .map_err(failed)?;
        }
        let of_course = Tournament {
            file: Some(file.clone()),
            host: true,
            rehearse: true,
            output: None,
            board: None,
        };
        let records = of_course.hold()?;
        // Relaxed: a flag alone.
        off.store(true, Ordering::Relaxed);
        let games = Habit::ALL.len() * (Habit::ALL.len() - 1);
        check(&records, games).map_err(|why| CommandError::Failed(format!("{game}: {why}")))?;
        let (pages, when) = (
            file.with_extension(""),
            match returns {
                "last" => "return games last",
                _ => "return games at once",
            },
        );
        writeln!(
            stdout(),
            "\nAs it must be: {games} games, {when}; good players lost by the rules alone, bad ones \
             by their own faults.\nStandings, cross-table, games and draw: {}\n",
            pages.join("standings.html").display()
        )?;
    }
    writeln!(stdout(), "The rehearsal has gone well.")?;
    Ok(())
}

/// The file of a tournament.
fn text_of((title, game, wire, returns): (&str, &str, Wire, &str), ports: &[u16]) -> String {
    let mut text = format!(
        "title = \"{title}\"\ngame = \"{game}\"\nreturns = \"{returns}\"\ndraw = 1\n\n\
         [each]\nst = {}\nwait = 2\n\n[host]\nbind = \"127.0.0.1\"\n",
        MOVE_TIME.as_secs_f64()
    );
    for ((name, _), [port, listens]) in Habit::ALL.into_iter().zip(ports.as_chunks().0) {
        text += &format!("\n[[player]]\nname = \"{name}\"\nport = {port}\n");
        if wire == Wire::Relay {
            text += &format!("proto = \"relay\"\nlistens = \"127.0.0.1:{listens}\"\n");
        }
    }
    text
}

/// Free ports.
fn free_ports(count: usize) -> std::io::Result<Vec<u16>> {
    let mut held = Vec::new();
    for port in FIRST_PORT..u16::MAX {
        if held.len() == count {
            break;
        }
        held.extend(TcpListener::bind((Ipv4Addr::LOCALHOST, port)));
    }
    held.iter().map(|held| Ok(held.local_addr()?.port())).collect()
}

/// Whether all games ended as the players' habits have it; else what did not.
fn check(records: &[GameRecord], games: usize) -> Result<(), String> {
    if records.len() != games {
        return Err(format!("found {} games, expected {games}", records.len()));
    }
    let habit = |name: &str| Habit::ALL.into_iter().find(|(own, _)| *own == name).map(|(_, h)| h);
    let mut seen = Vec::new();
    for record in
        records.iter().filter(|record| !matches!(record.cause, Cause::Rule | Cause::MoveLimit))
    {
        let loser = match record.result {
            Winner::White => &record.black,
            Winner::Black | Winner::Nobody => &record.white,
        };
        let by = habit(loser).and_then(Habit::loses_by);
        if !by.is_some_and(|(cause, how)| record.cause == cause && record.reason.contains(how)) {
            let GameRecord { white, black, reason, .. } = record;
            return Err(format!("{white} against {black} ended by: {reason}"));
        }
        seen.push(loser.as_str());
    }
    let blameless = Habit::ALL
        .into_iter()
        .find(|(name, habit)| habit.loses_by().is_some() && !seen.contains(name));
    match blameless {
        Some((name, _)) => Err(format!("{name} has lost no game by its fault")),
        None => Ok(()),
    }
}

/// A machine with a player's program, which is started again after each game.
#[derive(Clone)]
struct Machine {
    habit: Habit,
    wire: Wire,
    start: AnyGame,
    off: Arc<AtomicBool>,
}

impl Machine {
    /// Connects to the first of the ports, and as White of the relay protocol listens on the other.
    fn switch_on(self, [port, listens]: [u16; 2]) -> std::io::Result<()> {
        let comes = self.clone();
        let as_client = move || comes.play_on(port);
        thread::Builder::new().spawn(as_client)?;
        if self.wire == Wire::Relay && self.habit != Habit::Gone {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, listens))?;
            let as_white = move || {
                while !self.off.load(Ordering::Relaxed)
                    && let Ok((stream, _)) = listener.accept()
                {
                    self.play(stream, Side::White);
                }
            };
            thread::Builder::new().spawn(as_white)?;
        }
        Ok(())
    }

    fn play_on(&self, port: u16) {
        while !self.off.load(Ordering::Relaxed) {
            if let Ok(stream) = TcpStream::connect((Ipv4Addr::LOCALHOST, port)) {
                if self.habit == Habit::Gone {
                    // It was there before the tournament.
                    thread::sleep(3 * RESTART_TIME);
                    return;
                }
                self.play(stream, Side::Black);
            }
            thread::sleep(RESTART_TIME);
        }
    }

    /// Plays a game; `side` counts where the protocol does not say it.
    fn play(&self, stream: TcpStream, side: Side) {
        let Ok(own) = stream.try_clone() else { return };
        let mut player = Rehearsed { habit: self.habit, wire: self.wire, stream: own, moves: 0 };
        // How the game ends shows at the server.
        match self.wire {
            Wire::Tournament => drop(play_game(stream, self.start, &mut player, &mut |_| {})),
            Wire::Relay => {
                let now = Instant::now();
                drop(play_side(stream, self.start, side, now, &mut player, &mut |_| {}));
            }
        }
    }
}

/// Plays at random, and fails at its second move.
struct Rehearsed {
    habit: Habit,
    wire: Wire,
    stream: TcpStream,
    moves: usize,
}

impl Player for Rehearsed {
    fn choose(&mut self, state: &AnyState, _: Instant) -> Answer {
        self.moves += 1;
        if self.moves > 1 {
            match self.habit {
                Habit::Good | Habit::Gone => {}
                Habit::Late => thread::sleep(TOO_LONG),
                Habit::Illegal => {
                    let line: &[u8] = match self.wire {
                        Wire::Tournament => b"MOVE Z9,Q\n",
                        Wire::Relay => b"Z9-Q9\n",
                    };
                    // Where it fails, the server is gone.
                    let _ = self.stream.write_all(line);
                }
                Habit::Silent => {
                    thread::sleep(TOO_LONG);
                    let _ = self.stream.shutdown(Shutdown::Both);
                }
                Habit::Crashing => {
                    let _ = self.stream.shutdown(Shutdown::Both);
                }
            }
        }
        let m = state.position.random_move(&mut Rng::new());
        m.expect("the game is not over").into()
    }
}
