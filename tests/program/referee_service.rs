//! What the referee bears: thousands of games, limits of the system, pauses of its own, and
//! connections of others than players.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use alesia::games::{AnyGame, Hadron};
use alesia::net::referee::{Guests, RefereeOptions, Reports, Service, serve_all};
use socket2::SockRef;

use crate::dialogue::process::Process;
use crate::dialogue::{Background, Peer, listener, wait_until};

/// No warm-up, and no player is late.
const TERMS: RefereeOptions = RefereeOptions {
    move_time: Duration::from_secs(600),
    tolerance: [Duration::ZERO; 2],
    warm_up: Duration::ZERO,
    moves_per_player: None,
};

/// A referee of games on one cell, which White wins by its first move; returns the results in the
/// order in which the games end.
fn referee(games: usize, guests: Option<Guests>) -> (SocketAddr, Background<Vec<String>>) {
    let (listener, address) = listener();
    let referee = Background::new(move || {
        let results = Mutex::new(Vec::new());
        let note = |_, result: alesia::net::referee::GameResult| {
            results.lock().unwrap().push(result.to_string());
        };
        let reports = Reports { event: &|_, _| {}, result: &note };
        let service = Service { games, guests };
        serve_all(listener, AnyGame::from(Hadron::start(1, 1)), &service, &TERMS, &reports)
            .unwrap();
        results.into_inner().unwrap()
    });
    (address, referee)
}

/// Plays one game on one cell to its end, whatever side it gets; waits before a move.
fn play_on_one_cell(mut stream: TcpStream, wait: Duration) {
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    let mut won = None;
    while let Some(Ok(line)) = lines.next() {
        match line.as_str() {
            "YOUR_TURN" => {
                thread::sleep(wait);
                stream.write_all(b"MOVE A1\n").unwrap();
            }
            "VICTORY" | "DEFEAT" => won = Some(line == "VICTORY"),
            _ => {}
        }
    }
    assert!(won.is_some(), "no result");
    // No port is kept for a minute by a connection that has ended.
    SockRef::from(&stream).set_linger(Some(Duration::ZERO)).unwrap();
}

// Many games.

/// Set for the process in which nothing but this test runs, as it measures memory.
const ALONE: &str = "ALESIA_TEST_ALONE";

/// How many games are played, if not the usual number.
const GAMES: &str = "ALESIA_SHORT_GAMES";

/// Numbers of `/proc/self/status`: resident and reserved memory in KiB, and threads.
fn held() -> [i64; 3] {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    ["RssAnon:", "VmSize:", "Threads:"].map(|name| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    })
}

#[test]
fn short_games_by_the_thousand_take_no_more_memory_than_some() {
    if std::env::var_os(ALONE).is_none() {
        let name = "short_games_by_the_thousand_take_no_more_memory_than_some";
        let mut alone = Command::new(std::env::current_exe().unwrap());
        alone.args(["--exact", &format!("referee_service::{name}"), "--nocapture"]);
        let output = alone.env(ALONE, "yes").output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        println!("{text}{}", String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && text.contains("1 passed"));
        return;
    }
    let games = std::env::var(GAMES).map_or(1_200, |games| games.parse().unwrap());
    let (listener, address) = listener();
    let ended = &AtomicUsize::new(0);
    let joined = &AtomicUsize::new(0);
    let samples = Mutex::new(Vec::new());
    let note = |_, _| {
        let ended = ended.fetch_add(1, Ordering::Relaxed) + 1;
        if ended.is_multiple_of(games / 6) {
            samples.lock().unwrap().push(held());
        }
    };
    thread::scope(|scope| {
        for _ in 0..64 {
            scope.spawn(move || {
                while joined.fetch_add(1, Ordering::Relaxed) < 2 * games {
                    play_on_one_cell(TcpStream::connect(address).unwrap(), Duration::ZERO);
                }
            });
        }
        let service = Service { games, guests: None };
        let reports = Reports { event: &|_, _| {}, result: &note };
        serve_all(listener, AnyGame::from(Hadron::start(1, 1)), &service, &TERMS, &reports)
            .unwrap();
    });
    assert_eq!(ended.load(Ordering::Relaxed), games);
    let samples = samples.into_inner().unwrap();
    println!("{games} games; resident KiB, reserved KiB, threads: {samples:?}");
    // A thread that is not given back keeps 16 KiB resident and 2 MiB reserved.
    let (first, last) = (samples[0], samples[samples.len() - 1]);
    assert!(last[0] - first[0] < 6 << 10, "resident memory grows: {samples:?}");
    assert!(last[1] - first[1] < 1 << 20, "reserved memory grows: {samples:?}");
    assert!(last[2] < 300, "threads are left: {samples:?}");
}

// Limits of the system.

/// Serves games with long turns under a limit of the shell; returns what it says on standard error.
fn serve_under(limit: &str, games: usize) -> String {
    let serving = format!(
        "{limit} && exec {} referee --game hadron1x1 --bind 127.0.0.1 -p 0 -wt 0 -tt 60000 \
         --games {games}",
        env!("CARGO_BIN_EXE_alesia")
    );
    let mut shell = Command::new("sh");
    shell.args(["-c", &serving]).env_remove("RUST_LOG");
    // Otherwise glibc reserves 64 MiB for the second thread that asks, or for none, by luck.
    shell.env("MALLOC_ARENA_MAX", "1");
    let mut referee = Process(shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    let mut lines = BufReader::new(referee.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut stderr = referee.0.stderr.take().unwrap();
    let errors = Background::new(move || {
        let mut errors = String::new();
        stderr.read_to_string(&mut errors).unwrap();
        errors
    });
    let listening = lines.next().unwrap();
    let port: u16 = listening.rsplit(':').next().unwrap().parse().unwrap();
    thread::scope(|scope| {
        for _ in 0..2 * games {
            scope.spawn(move || {
                let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
                play_on_one_cell(stream, Duration::from_secs(1));
            });
        }
    });
    let results = lines.filter(|line| line.ends_with("result: White (no legal move)")).count();
    assert_eq!(results, games);
    assert!(referee.0.wait().unwrap().success());
    errors.wait()
}

#[test]
fn a_want_of_sockets_costs_no_game() {
    let errors = serve_under("ulimit -n 40", 30);
    assert!(errors.contains("--games 30: at most "), "{errors}");
    assert!(errors.contains("(open files: ulimit -n 40)"), "{errors}");
    assert!(errors.contains("accepting a player: Too many open files"), "{errors}");
    assert_eq!(errors.lines().count(), 2, "{errors}");
}

#[test]
fn the_limit_of_open_files_is_raised_where_it_may_be() {
    let errors = serve_under("ulimit -S -n 24 && ulimit -H -n 200", 30);
    assert_eq!(errors, "");
}

/// The stacks of threads need memory, which this limits.
#[test]
fn a_want_of_threads_costs_no_game() {
    let errors = serve_under("ulimit -v 100000", 25);
    assert!(errors.contains("trying again until there is room"), "{errors}");
}

// A pause of the referee's process.

#[test]
fn a_pause_of_the_referee_costs_no_player_its_time() {
    let (referee, mut lines) =
        Process::start("referee --game hadron2x2 --bind 127.0.0.1 -p 0 -wt 0 -tt 5000");
    let listening = lines.next().unwrap();
    let port: u16 = listening.rsplit(':').next().unwrap().parse().unwrap();
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let signal = |signal| {
        // SAFETY: plain numbers; the process is ours and has not been waited for.
        assert_eq!(unsafe { libc::kill(referee.0.id() as libc::pid_t, signal) }, 0);
    };
    let mut white = Peer::connect(address);
    white.hears(["WELCOME White", "MESSAGE waiting for the opponent"]);
    let mut black = Peer::connect(address);
    black.hears(["WELCOME Black", "MESSAGE waiting for the opponent"]);
    black.hears(["MESSAGE all players connected"]);
    white.hears(["MESSAGE all players connected", "YOUR_TURN"]);
    // A move in time is in time, however late the referee reads it.
    signal(libc::SIGSTOP);
    white.says(["MOVE A2"]);
    thread::sleep(Duration::from_secs(6));
    signal(libc::SIGCONT);
    white.hears(["VALID_MOVE"]);
    black.hears(["OPPONENT_MOVE A2", "YOUR_TURN"]);
    // A late one is late, though the referee reads it in the same moment. (The turn begins once its
    // line is written, which the referee has yet to notice.)
    thread::sleep(Duration::from_millis(500));
    signal(libc::SIGSTOP);
    thread::sleep(Duration::from_secs(6));
    black.says(["MOVE B1"]);
    signal(libc::SIGCONT);
    black.hears(["TIMEOUT", "DEFEAT"]);
    let reason = white.hears_a_line();
    // Its clock may have rung before it reads the move.
    assert!(reason.starts_with("MESSAGE Black exceeded the move time ("), "{reason}");
    let result = lines.last().unwrap();
    assert!(result.starts_with("result: White (Black exceeded the move time ("), "{result}");
}

// Others than players.

#[test]
fn a_connection_that_is_closed_at_once_costs_nobody_a_game() {
    let (address, referee) = referee(1, None);
    let come_and_go = || {
        for number in 0..10 {
            let stream = TcpStream::connect(address).unwrap();
            if number % 2 == 0 {
                // As a crash does, or a scan of ports.
                SockRef::from(&stream).set_linger(Some(Duration::ZERO)).unwrap();
            }
        }
    };
    come_and_go();
    let mut white = Peer::connect(address);
    white.hears(["WELCOME White", "MESSAGE waiting for the opponent"]);
    come_and_go();
    let mut black = Peer::connect(address);
    black.hears(["WELCOME Black", "MESSAGE waiting for the opponent"]);
    white.hears(["MESSAGE all players connected", "YOUR_TURN"]);
    white.says(["MOVE A1"]);
    white.hears(["VALID_MOVE", "VICTORY"]);
    assert_eq!(referee.wait(), ["White (no legal move)"]);
}

/// Connects from an address of this machine.
fn connect_from(last: u8, address: SocketAddr) -> TcpStream {
    use socket2::{Domain, Socket, Type};
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    let own = SocketAddr::from(([127, 0, 0, last], 0));
    socket.bind(&own.into()).unwrap();
    socket.connect(&address.into()).unwrap();
    socket.into()
}

#[test]
fn a_silent_connection_takes_no_seat_of_a_named_player() {
    let named = [2, 3].map(|last| vec![IpAddr::from([127, 0, 0, last])]);
    let (address, referee) = referee(1, Some(Guests::new(named)));
    let join = |last| Peer::new(connect_from(last, address));
    // A stranger is sent away.
    let mut stranger = join(1);
    stranger.hears(["MESSAGE these games are for other players"]);
    stranger.hears_the_end();
    let mut white = join(3);
    white.hears(["WELCOME White", "MESSAGE waiting for the opponent"]);
    // The same machine does not get both seats.
    let twice = join(3);
    let mut black = join(2);
    black.hears(["WELCOME Black", "MESSAGE waiting for the opponent"]);
    white.hears(["MESSAGE all players connected", "YOUR_TURN"]);
    white.says(["MOVE A1"]);
    white.hears(["VALID_MOVE", "VICTORY"]);
    assert_eq!(twice.hears_all(), Vec::<String>::new());
    assert_eq!(referee.wait(), ["White (no legal move)"]);
}

#[test]
fn a_machine_that_is_named_twice_has_both_seats() {
    let (mut referee, mut lines) = Process::start(
        "referee --game hadron1x1 --bind 127.0.0.1 -p 0 -wt 0 --players [::1],localhost,127.0.0.1",
    );
    let listening = lines.next().unwrap();
    let port: u16 = listening.rsplit(':').next().unwrap().parse().unwrap();
    thread::scope(|scope| {
        for _ in 0..2 {
            let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
            scope.spawn(move || play_on_one_cell(stream, Duration::ZERO));
        }
    });
    assert_eq!(lines.last().unwrap(), "result: White (no legal move)");
    assert!(referee.0.wait().unwrap().success());
}

#[test]
fn a_player_that_floods_is_cut_off_at_once() {
    let (address, referee) = referee(1, None);
    // Its bytes are read and thrown away up to a limit; then the connection is reset.
    let mut flood = TcpStream::connect(address).unwrap();
    let (mut written, bytes) = (0, [b'x'; 10_000]);
    while flood.write_all(&bytes).is_ok() {
        written += bytes.len();
    }
    assert!(written > 2 << 20, "{written}");
    let players = [(); 2].map(|()| TcpStream::connect(address).unwrap());
    for player in players.map(|stream| Background::new(|| play_on_one_cell(stream, Duration::ZERO)))
    {
        player.wait();
    }
    assert_eq!(referee.wait(), ["White (no legal move)"]);
    wait_until(|| TcpStream::connect(address).is_err());
}
