//! Pauses of the player's own process: a turn's time runs since the line has come, not since it
//! was read, where the system stamps what comes.

use std::thread;
use std::time::{Duration, Instant};

use alesia::game::Side;
use alesia::games::{AnyGame, AnyState, Hadron, Loa};
use alesia::net::client::{Answer, ClientEvent, Player};
use alesia::net::relay::side::play_side;

use crate::dialogue::client::meet_player;
use crate::dialogue::{Background, Peer, Script, listener};

/// How long the player reads nothing.
const PAUSE: Duration = Duration::from_millis(300);

/// A player that reads nothing for a while before each turn, and notes how old turns are.
struct Paused<'a> {
    script: Script<'a>,
    ages: Vec<Duration>,
}

impl Paused<'_> {
    fn new(moves: &str) -> Paused<'_> {
        Paused { script: Script::new(moves), ages: Vec::new() }
    }

    /// The system may begin to stamp some time after it was asked to.
    #[track_caller]
    fn has_noticed(&self) {
        let noticed = self.ages.iter().filter(|&&age| age >= PAUSE / 2).count();
        assert!(noticed > 0 || !cfg!(target_os = "linux"), "{:?}", self.ages);
        // Another clock is converted.
        let bound = PAUSE + Duration::from_secs(5);
        assert!(self.ages.iter().all(|&age| age < bound), "{:?}", self.ages);
    }
}

impl Player for Paused<'_> {
    fn choose(&mut self, state: &AnyState, received: Instant) -> Answer {
        self.ages.push(received.elapsed());
        self.script.choose(state, received)
    }

    fn event(&mut self, event: &ClientEvent<'_>) {
        match event {
            ClientEvent::Message(_) | ClientEvent::Moved { thinking: Some(_), .. } => {
                thread::sleep(PAUSE);
            }
            _ => {}
        }
    }
}

#[test]
fn a_client_knows_when_its_turn_came() {
    let mut player = Paused::new("A1 B1 C1 A2");
    meet_player(AnyGame::from(Hadron::start(5, 5)), &mut player, |mut server| {
        server.says(["WELCOME White"]);
        for refused in ["MOVE A1", "MOVE B1", "MOVE C1", "MOVE A2"] {
            server.says(["MESSAGE now the player pauses"]);
            thread::sleep(PAUSE / 6);
            server.says(["YOUR_TURN"]);
            server.hears([refused]);
            server.says(["ILLEGAL_MOVE"]);
        }
        server.says(["DEFEAT"]);
    })
    .report();
    player.has_noticed();
}

#[test]
fn a_side_of_the_relay_knows_when_its_turn_came() {
    let (listener, address) = listener();
    let own = std::net::TcpStream::connect(address).unwrap();
    let playing = Background::new(move || {
        let mut player = Paused::new("B1-B3 B3-B1 B1-B3 B3-B1");
        let start = AnyGame::from(Loa::start(Default::default()));
        let _ = play_side(own, start, Side::White, Instant::now(), &mut player, &mut |_| {});
        player
    });
    let mut relay = Peer::new(listener.accept().unwrap().0);
    for (ours, theirs) in [("B1-B3", "A2-C2"), ("B3-B1", "C2-A2"), ("B1-B3", "A2-C2")] {
        relay.hears([ours]);
        relay.says([theirs]);
    }
    relay.hears(["B3-B1"]);
    relay.leaves();
    playing.wait().has_noticed();
}
