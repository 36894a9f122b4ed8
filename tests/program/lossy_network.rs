//! Games between programs over a network that loses packets (`tools/checks/lossy_net.sh`): no move
//! is late, as the safe setting leaves the time in which a lost packet is sent again. Connections
//! are made without loss; the script says why.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tools/checks/lossy_net.sh");

/// From this many ms on, an answer of a player without a search has waited for a packet to be sent
/// again: that needs 200 ms, everything else hardly any time.
const SENT_AGAIN: u64 = 150;

/// A lossy network, removed with its owner.
struct Network;

impl Network {
    /// None where the machine does not permit it.
    fn new(loss: [&str; 2]) -> Option<Network> {
        let made = Command::new(SCRIPT).arg("up").args(loss).output().unwrap();
        if made.status.code() == Some(77) {
            println!("skipped: {}", String::from_utf8_lossy(&made.stderr).trim());
            return None;
        }
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        Some(Network)
    }

    /// Starts the program on one side.
    fn start(&self, side: &str, arguments: &str) -> Child {
        Command::new(SCRIPT)
            .args([side, env!("CARGO_BIN_EXE_alesia")])
            .args(arguments.split_whitespace())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// Packets lost towards the server and towards the players, and all packets.
    fn drops(&self) -> [u64; 3] {
        let output = Command::new(SCRIPT).arg("drops").output().unwrap().stdout;
        let text = String::from_utf8(output).unwrap();
        let numbers: Vec<u64> =
            text.lines().map(|line| line.rsplit(' ').next().unwrap().parse().unwrap()).collect();
        numbers.try_into().unwrap()
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        // Ends the programs too.
        let _ = Command::new(SCRIPT).arg("down").status();
    }
}

/// Plays games at once at 1 s a move with the safe setting; returns the times of all moves. All
/// games must end by their rules.
fn play(network: &Network, games: usize, game: &str, engine: &str) -> Vec<u64> {
    let serving =
        format!("referee --game {game} --games {games} --bind 10.77.0.1 -p 8901 -tt 1000 -wt 0");
    let mut referee = network.start("server", &serving);
    let mut lines = BufReader::new(referee.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.next().unwrap().starts_with("listening on "));
    let players: Vec<Child> = (0..2 * games)
        .map(|seed| {
            let playing = format!(
                "play 10.77.0.1 8901 --game {game} --margin safe --memory 16MiB --threads 1 \
                 --ponder off --seed {seed} {engine}"
            );
            network.start("player", &playing)
        })
        .collect();
    let (mut times, mut ended) = (Vec::new(), 0);
    for line in lines {
        if let Some(time) = line.strip_suffix(" ms") {
            times.push(time.rsplit(' ').next().unwrap().parse().unwrap());
        } else if let Some((_, result)) = line.split_once("result: ") {
            let rules = ["no legal move", "all stones connected", "move limit"];
            assert!(rules.iter().any(|rule| result.contains(rule)), "{result}");
            ended += 1;
        }
    }
    assert_eq!(ended, games);
    assert!(referee.wait().unwrap().success());
    for player in players {
        // Read to its end: the last message may come late, and is printed then.
        assert!(player.wait_with_output().unwrap().status.success());
    }
    times
}

/// Says what was lost, and that nothing was late.
fn report(what: &str, times: &[u64], [to_server, to_players, all]: [u64; 3]) {
    let (moves, slowest) = (times.len(), times.iter().max().unwrap());
    println!(
        "{what}: {to_server} packets lost on the way to the server and {to_players} to the \
         players, of {all}; {moves} moves, the slowest {slowest} ms"
    );
    assert!(to_server > 0 && to_players > 0);
    assert!(*slowest <= 1000);
}

// One after the other, as there is only one such network.
#[test]
#[ignore = "takes a minute, root, ip and nft"]
fn no_move_is_late_where_packets_are_lost() {
    let Some(network) = Network::new(["random", "1"]) else { return };
    let times = play(&network, 30, "hadron", "--engine random");
    report("1 % lost by chance", &times, network.drops());
    let waited = times.iter().filter(|&&time| time >= SENT_AGAIN).count();
    println!("{waited} of these moves waited for a packet");
    assert!(waited > 0);
    drop(network);

    // A player that thinks has time for one packet to be lost, not for two: so no two close to
    // each other are.
    let network = Network::new(["every", "11"]).unwrap();
    let times = play(&network, 1, "hadron7", "--engine mcts");
    report("every 11th lost", &times, network.drops());
}
