//! The client's end of a dialogue: what came of a game against a scripted server.

use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use alesia::games::AnyGame;
use alesia::net::client::{self, ClientError, ClientEvent, ClientReport, Player};
use alesia::net::tournament::readable;

use super::{Peer, Script, listener};

/// What came of a game, and what was to be seen of it.
pub struct Played {
    /// What the client returned.
    pub result: Result<ClientReport, ClientError>,
    /// What the observer saw.
    pub seen: Vec<String>,
}

impl Played {
    /// The result line or the error.
    pub fn said(&self) -> String {
        match &self.result {
            Ok(report) => report.to_string(),
            Err(error) => error.to_string(),
        }
    }

    /// The report of a game that has one.
    pub fn report(&self) -> &ClientReport {
        self.result.as_ref().unwrap()
    }
}

/// Lets a player meet a scripted server.
pub fn meet_player(
    start: AnyGame,
    player: &mut impl Player,
    server: impl FnOnce(Peer) + Send,
) -> Played {
    meet_player_within(start, player, client::MAX_SILENCE, Box::new(server))
}

/// What a scripted server does. In a box, so that what follows is compiled once for all scripts.
type Server<'a> = Box<dyn FnOnce(Peer) + Send + 'a>;

fn meet_player_within(
    start: AnyGame,
    player: &mut impl Player,
    silence: Duration,
    server: Server<'_>,
) -> Played {
    let (listener, address) = listener();
    let mut seen = Vec::new();
    let result = thread::scope(|scope| {
        scope.spawn(move || server(Peer::new(listener.accept().unwrap().0)));
        let stream = TcpStream::connect(address).unwrap();
        let observer = &mut |event: &ClientEvent<'_>| {
            seen.push(match event {
                ClientEvent::Connected(_) => return,
                ClientEvent::Welcome { side, .. } => format!("we are {side}"),
                ClientEvent::Message(text) => format!("message {}", readable(text)),
                ClientEvent::Moved { side, text, thinking, .. } => {
                    let whose = if thinking.is_some() { "we" } else { "they" };
                    format!("{whose} as {side}: {text}")
                }
                ClientEvent::Ended(report) => format!("ended: {report}"),
            });
        };
        client::play_game_within(stream, start, player, observer, silence)
    });
    Played { result, seen }
}

/// Lets a player with prepared moves meet a scripted server.
pub fn meet(start: AnyGame, moves: &str, server: impl FnOnce(Peer) + Send) -> Played {
    meet_player(start, &mut Script::new(moves), server)
}

/// The same where the server may not be silent for longer once the game has begun.
pub fn meet_within(
    start: AnyGame,
    moves: &str,
    silence: Duration,
    server: impl FnOnce(Peer) + Send,
) -> Played {
    meet_player_within(start, &mut Script::new(moves), silence, Box::new(server))
}
