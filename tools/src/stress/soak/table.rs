//! Two players that stay, and one game after the other between them through a referee over TCP.

use std::io;
use std::marker::PhantomData;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use alesia::game::{Game, GameState, Outcome, Side};
use alesia::games::AnyGame;
use alesia::net::client::play_game;
use alesia::net::referee::{Cause, GameEvent, GameResult, RefereeOptions, serve_game};
use alesia::player::EnginePlayer;
use alesia::search::clock::MoveTime;
use alesia::search::{EngineError, EngineKind, EngineOptions};
use alesia::words::command_error::CommandError;
use alesia_plain::{PlainGame, PlainResult};

/// The engines at a table.
const ENGINES: [EngineKind; 2] = [EngineKind::MonteCarlo, EngineKind::AlphaBeta];

pub struct Played {
    /// Moves in time.
    pub moves: usize,
    /// The median of their times at the referee, and the slowest.
    pub median: Duration,
    pub slowest: Duration,
    /// The player that was late, and so lost, if one was.
    pub late: Option<String>,
    /// Which engine won; none for a draw.
    pub winner: Option<EngineKind>,
}

/// A move with the position after it, and its time at the referee.
struct PlayedMove {
    text: String,
    after: AnyGame,
    elapsed: Duration,
}

/// How long a player may think.
#[derive(Clone, Copy)]
pub struct Terms {
    pub time: MoveTime,
    /// Iterations or positions for a move, where these are limited too.
    pub nodes: Option<u64>,
}

/// A table at which one kind of game is played.
pub trait Games {
    fn name(&self) -> &'static str;

    /// Plays the next game; Monte Carlo is White in those of even number.
    ///
    /// # Errors
    /// Anything but a game that ends by the rules or by a late move, each ply as the plain rules
    /// have it.
    fn play(&mut self, number: u64, seed: u64) -> Result<Played, CommandError>;
}

/// A table for a game, with its plain rules `P`.
pub struct SoakTable<P> {
    start: AnyGame,
    move_time: Duration,
    players: [EnginePlayer; 2],
    plain: PhantomData<P>,
}

impl<P: PlainGame> SoakTable<P> {
    /// Builds both players, for each of which the options hold.
    ///
    /// # Errors
    /// There is not so much memory, or the system has no threads to give.
    pub fn new(start: AnyGame, terms: Terms, options: &EngineOptions) -> Result<Self, EngineError> {
        let player = |kind: EngineKind| {
            Ok::<_, EngineError>(EnginePlayer::new(
                kind.build(start, options)?,
                terms.time,
                terms.nodes,
                true,
            ))
        };
        let players = [player(ENGINES[0])?, player(ENGINES[1])?];
        Ok(SoakTable { start, move_time: terms.time.total(), players, plain: PhantomData })
    }

    /// The game over TCP: its moves, and how it ended at the referee.
    fn play_over_tcp(&mut self, number: u64) -> io::Result<(Vec<PlayedMove>, GameResult)> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let mut streams = Vec::new();
        for _ in &self.players {
            let own = TcpStream::connect(address)?;
            streams.push((own, listener.accept()?.0));
        }
        let [white, black] = <[_; 2]>::try_from(streams).expect("a stream for each player");
        let (owns, seats) = ([white.0, black.0], [white.1, black.1]);
        let terms = RefereeOptions {
            move_time: self.move_time,
            warm_up: Duration::ZERO,
            ..RefereeOptions::default()
        };
        let start = self.start;
        let mut moves = Vec::new();
        let mut state = GameState::new(start);
        let mut players: Vec<_> = self.players.iter_mut().collect();
        players.rotate_left(number as usize % ENGINES.len());
        let result = thread::scope(|scope| {
            for (player, own) in players.into_iter().zip(owns) {
                let playing = move || {
                    // The referee reports the error.
                    let _ = play_game(own, start, player, &mut |_| {});
                };
                thread::Builder::new().spawn_scoped(scope, playing)?;
            }
            let [white, black] = seats;
            serve_game(white, black, start, &terms, &mut |event| {
                if let GameEvent::Moved { text, elapsed, .. } = event
                    && let Ok(m) = state.position.parse_move(&text)
                {
                    state.play(m);
                    moves.push(PlayedMove {
                        text: text.to_string(),
                        after: state.position,
                        elapsed,
                    });
                }
            })
        })?;
        Ok((moves, result))
    }
}

impl<P: PlainGame> Games for SoakTable<P> {
    fn name(&self) -> &'static str {
        self.start.name()
    }

    fn play(&mut self, number: u64, seed: u64) -> Result<Played, CommandError> {
        self.players.iter_mut().for_each(|player| player.new_game(seed));
        let name = self.start.name();
        let (moves, result) = self
            .play_over_tcp(number)
            .map_err(|error| CommandError::Failed(format!("{name}: loopback: {error}")))?;
        let failed =
            |what: String| CommandError::Failed(format!("{name}, game {}: {what}", number + 1));
        // No engine ponders while others play.
        self.players.iter_mut().for_each(|player| player.new_game(seed));
        let line = moves.iter().map(|m| (m.text.as_str(), &m.after));
        let by_rules = replay::<P>(&self.start, line).map_err(&failed)?;
        let late = match result.cause {
            Cause::Rule(_) if by_rules == Some(result.outcome) => None,
            Cause::Timeout(_) if by_rules.is_none() => Some(format!("{name}: {}", result.reason)),
            _ => {
                let plain = by_rules.map_or("not over".to_owned(), |outcome| outcome.to_string());
                return Err(failed(format!("ends {result}, by the plain rules: {plain}")));
            }
        };
        let white = number as usize % ENGINES.len();
        let winner = match result.outcome {
            Outcome::Win(Side::White) => Some(ENGINES[white]),
            Outcome::Win(Side::Black) => Some(ENGINES[1 - white]),
            Outcome::Draw => None,
        };
        let slowest = result.slowest.into_iter().max().unwrap_or_default();
        let mut times: Vec<Duration> = moves.iter().map(|m| m.elapsed).collect();
        times.sort_unstable();
        let median = times.get(times.len() / 2).copied().unwrap_or_default();
        Ok(Played { moves: moves.len(), median, slowest, late, winner })
    }
}

/// Plays a game again by the plain rules: at each ply the same legal moves as many, the move among
/// them, and after it the same board. Returns the result by the plain rules.
///
/// # Errors
/// Says where the two first differ.
fn replay<'a, P: PlainGame>(
    start: &AnyGame,
    moves: impl Iterator<Item = (&'a str, &'a AnyGame)>,
) -> Result<Option<Outcome>, String> {
    let mut plain = P::from_text(&start.to_string());
    let mut before = *start;
    for (ply, (text, after)) in moves.enumerate() {
        let ply = ply + 1;
        if plain.result().is_some() {
            return Err(format!("ply {ply}: continued after the end by the plain rules"));
        }
        let legal = plain.moves();
        if legal.len() != before.count_moves() {
            let (found, expected) = (before.count_moves(), legal.len());
            return Err(format!("ply {ply}: {found} legal moves, by the plain rules {expected}"));
        }
        let Some(&m) = legal.iter().find(|&&m| plain.notation(m) == text) else {
            return Err(format!("ply {ply}: {text} is not legal by the plain rules"));
        };
        plain.play(m);
        if plain.text() != after.to_string() {
            let expected = plain.text();
            return Err(format!("ply {ply}: after {text} {after}, by the plain rules {expected}"));
        }
        before = *after;
    }
    Ok(plain.result().map(|result| match result {
        PlainResult::White => Outcome::Win(Side::White),
        PlainResult::Black => Outcome::Win(Side::Black),
        PlainResult::Draw => Outcome::Draw,
    }))
}
