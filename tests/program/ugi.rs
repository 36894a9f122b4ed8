//! The player driven by a runner over pipes: `alesia ugi` in dialogues, whole games included.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use alesia::game::{Game, GameState, Side};
use alesia::games::{AnyGame, AnyState, Hadron, Loa, Murus, Voidrider};

/// Far longer than any step here, unless the program hangs.
const HANGS: Duration = Duration::from_secs(60);

/// The end of a game of Murus Gallicus: black cannot move.
const FINISHED: &str = "......../......../......../......../......../......../W....... b 41";

/// A player and the two ends of its pipes.
pub struct Player {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Player {
    fn start(arguments: &[&str]) -> Player {
        Player::start_in("4MiB", arguments)
    }

    fn start_in(memory: &str, arguments: &[&str]) -> Player {
        Player::speaking("ugi", memory, arguments)
    }

    /// A player that speaks a protocol, on one thread.
    pub fn speaking(protocol: &str, memory: &str, arguments: &[&str]) -> Player {
        let mut child = Command::new(env!("CARGO_BIN_EXE_alesia"))
            .args([protocol, "--memory", memory, "--threads", "1"])
            .args(arguments)
            .env_remove("RUST_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts");
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines() {
                if sender.send(line.unwrap()).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Player { child, input, lines }
    }

    pub fn say(&mut self, line: &str) {
        self.say_bytes(format!("{line}\n").as_bytes());
    }

    fn say_bytes(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    pub fn line(&mut self) -> String {
        self.lines.recv_timeout(HANGS).expect("the player answers")
    }

    /// All lines up to one that begins so, which is the last.
    pub fn until(&mut self, beginning: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while !lines.last().is_some_and(|line: &String| line.starts_with(beginning)) {
            lines.push(self.line());
        }
        lines
    }

    /// All answers to a line, up to the answer to an `isready` after it.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.say(line);
        self.say("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// The move answered to a `go`, after lines of information.
    pub fn best_move(&mut self, go: &str) -> String {
        self.say(go);
        self.await_best_move()
    }

    pub fn await_best_move(&mut self) -> String {
        let mut lines = self.until("bestmove ");
        let last = lines.pop().unwrap();
        assert!(lines.iter().all(|line| line.starts_with("info ")), "{lines:?}");
        last["bestmove ".len()..].to_string()
    }

    /// Waits until the process has ended; there must be no more lines than those passed over.
    fn end(mut self) -> (ExitStatus, Vec<String>) {
        let started = Instant::now();
        let mut rest = Vec::new();
        loop {
            match self.lines.recv_timeout(HANGS) {
                Ok(line) => rest.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the player does not end"),
            }
        }
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status, rest);
            }
            assert!(started.elapsed() < HANGS, "the player does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn quit(mut self) {
        self.say("quit");
        let (status, rest) = self.end();
        assert!(status.success() && rest.is_empty(), "{status}: {rest:?}");
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The depth that an `info` line has.
pub fn depth_of(line: &str) -> Option<usize> {
    line.strip_prefix("info depth ")?.split(' ').next()?.parse().ok()
}

#[test]
fn the_handshake_names_engine_and_options() {
    let mut player = Player::start(&["--set", "exploration=2.5"]);
    player.say("ugi");
    let lines = player.until("ugiok");
    assert!(lines[0].starts_with("id name Alesia ") && lines[1].starts_with("id author "));
    let options = &lines[2..lines.len() - 1];
    assert!(options.iter().all(|line| line.starts_with("option name ")), "{options:?}");
    for option in [
        "Threads type spin default 1 min 1 max 1024",
        "Memory type string default 4MiB",
        "Game type combo default murus var murus var hadron var hadron5 var hadron7",
        "exploration type string default 2.5",
    ] {
        let line = format!("option name {option}");
        assert!(options.iter().any(|found| found.starts_with(&line)), "{option}");
    }
    assert!(player.ask("uginewgame").is_empty());
    assert!(player.ask("").is_empty() && player.ask(" \t\r").is_empty());
    player.quit();
}

/// Plays against itself, from the start for some plies or to the end, sending the position for
/// every move; every move must be legal and every answer to a query right by the rules.
fn play(game: &str, start: AnyGame, plies: usize, limits: &[&str]) -> AnyState {
    let mut player = Player::start(&["--game", "hadron5"]);
    assert!(player.ask(&format!("setoption name game value {game}")).is_empty());
    assert!(player.ask("uginewgame").is_empty());
    let mut state = GameState::new(start);
    let mut moves = String::from("position startpos moves");
    for limit in limits.iter().cycle().take(plies) {
        let turn = state.position.side() == Side::White;
        assert!(player.ask(&moves).is_empty());
        assert_eq!(player.ask("query p1turn"), [format!("response {turn}")]);
        assert_eq!(
            player.ask("query gameover"),
            [format!("response {}", state.ending().is_some())]
        );
        if state.ending().is_some() {
            break;
        }
        assert_eq!(player.ask("query result"), ["response none"]);
        let best = player.best_move(limit);
        state.play(state.position.parse_move(&best).unwrap());
        moves += &format!(" {best}");
    }
    player.quit();
    state
}

const LIMITS: [&str; 4] = [
    "go nodes 200",
    "go movetime 10",
    "go p1time 1000 p2time 900 p1inc 5 p2inc 5",
    "go btime 900 wtime 1000 movestogo 40 nodes 300",
];

#[test]
fn murus_gallicus_is_played() {
    play("murus", AnyGame::from(Murus::start()), 24, &LIMITS);
}

#[test]
fn hadron_is_played_to_the_end() {
    let state = play("hadron4x5", AnyGame::from(Hadron::start(4, 5)), 21, &LIMITS);
    assert!(state.ending().is_some());
}

#[test]
fn lines_of_action_is_played() {
    play("loa", AnyGame::from(Loa::start(Default::default())), 24, &LIMITS);
}

#[test]
fn voidrider_chess_is_played() {
    play("Voidrider", AnyGame::from(Voidrider::start()), 24, &LIMITS);
}

#[test]
fn a_setup_is_a_part_of_the_game_s_word() {
    let mut player = Player::start(&["--game", "loa"]);
    assert!(player.ask("position startpos moves B1-B3").is_empty());
    // As before, by an option of its own that is not listed.
    assert!(player.ask("setoption name LoaLayout value files").is_empty());
    assert!(player.ask("position startpos moves A2-C2").is_empty());
    assert!(player.ask("setoption name Game value loa:rows").is_empty());
    assert!(player.ask("position startpos moves B1-B3").is_empty());
    assert!(player.ask("setoption name Game value loa:files").is_empty());
    let refused = player.ask("position startpos moves B1-B3");
    assert!(refused[0].starts_with("info string position, move 1"), "{refused:?}");
    player.quit();
}

#[test]
fn engines_can_be_chosen() {
    let mut player = Player::start(&[]);
    for engine in ["alphabeta", "RANDOM", "mcts"] {
        assert!(player.ask(&format!("setoption name Engine value {engine}")).is_empty());
        let best = player.best_move("go nodes 500");
        assert!(AnyGame::from(Murus::start()).parse_move(&best).is_ok(), "{engine}: {best}");
    }
    player.quit();
}

#[test]
fn a_search_without_end_continues_until_it_is_stopped() {
    for engine in ["mcts", "alphabeta", "random"] {
        let mut player = Player::start(&["--engine", engine]);
        for round in 0..3 {
            assert!(player.ask(&format!("setoption name Threads value {}", 1 + round)).is_empty());
            player.say("go infinite");
            // Commands are read during a search, and `info` lines may come.
            player.say("isready");
            player.until("readyok");
            player.say("query gameover");
            player.until("response false");
            player.say("go nodes 5");
            let refused = player.until("info string").pop().unwrap();
            assert!(refused.contains("a search is running"), "{refused}");
            thread::sleep(Duration::from_millis(40 * round));
            player.say("stop");
            let best = player.await_best_move();
            assert!(AnyGame::from(Murus::start()).parse_move(&best).is_ok(), "{engine}: {best}");
            // A stop too many does no harm, to the next search neither.
            player.say("stop");
            assert!(player.ask("stop").is_empty());
        }
        player.quit();
    }
}

#[test]
fn a_proven_result_is_kept_until_it_is_asked_for() {
    for engine in ["mcts", "alphabeta"] {
        let mut player = Player::start(&["--game", "hadron3", "--engine", engine]);
        player.say("go infinite");
        let mut found = String::new();
        while !found.contains(" score mate ") {
            found = player.line();
            assert!(found.starts_with("info depth "), "{found}");
        }
        // Known, but not printed for a while.
        while let Ok(line) = player.lines.recv_timeout(Duration::from_millis(100)) {
            assert!(line.starts_with("info depth "), "{line}");
        }
        player.say("stop");
        assert!(AnyGame::from(Hadron::start(3, 3)).parse_move(&player.await_best_move()).is_ok());
        // With another limit it is printed at once.
        player.best_move("go movetime 60000000");
        player.quit();
    }
}

#[test]
fn information_has_the_form_that_runners_read() {
    let mut player = Player::start(&["--game", "loa"]);
    player.say("go nodes 3000");
    let lines = player.until("bestmove ");
    let info = &lines[lines.len() - 2];
    let words: Vec<_> = info.split(' ').collect();
    let [
        "info",
        "depth",
        _,
        "nodes",
        nodes,
        "nps",
        _,
        "time",
        _,
        "score",
        "cp",
        score,
        "pv",
        first,
        ..,
    ] = words[..]
    else {
        panic!("{info}");
    };
    assert_eq!(nodes, "3000");
    assert!(score.parse::<i32>().unwrap().abs() < 20_000);
    assert_eq!(format!("bestmove {first}"), lines[lines.len() - 1]);
    player.quit();
}

#[test]
fn a_number_of_nodes_gives_the_same_move_in_every_new_game() {
    let mut player = Player::start(&["--game", "hadron", "--seed", "5"]);
    let mut answers = || {
        assert!(player.ask("uginewgame").is_empty());
        player.say("position startpos");
        player.say("go nodes 1500");
        let mut lines = player.until("bestmove ");
        let best = lines.pop().unwrap();
        let line = lines.pop().unwrap();
        let (_, found) = line.split_once(" score ").unwrap();
        (best, found.to_string())
    };
    let first = answers();
    assert_eq!(answers(), first);
    assert_eq!(answers(), first);
    player.quit();
}

#[test]
fn a_book_is_used_if_enabled() {
    let mut player = Player::start(&["--game", "loa"]);
    let mut first_move = |option: &str, go: &str| {
        assert!(player.ask(&format!("setoption name {option}")).is_empty());
        assert!(player.ask("uginewgame").is_empty());
        player.say("position startpos");
        player.say(go);
        if go == "go infinite" {
            player.say("stop");
        }
        let mut lines = player.until("bestmove ");
        let best = lines.pop().unwrap();
        (best, lines.iter().any(|line| line == "info string the move is from the book"))
    };
    let (usual, from_book) = first_move("Seed value 3", "go nodes 50");
    assert!(!from_book, "{usual}");
    // A search would need an hour.
    let hour = "go movetime 3600000";
    assert!(first_move("Book value true", hour).1);
    let mut moves: Vec<String> = (0..20)
        .map(|seed| {
            let (best, from_book) = first_move(&format!("Seed value {seed}"), hour);
            assert!(from_book && best == first_move(&format!("Seed value {seed}"), hour).0);
            best
        })
        .collect();
    moves.sort_unstable();
    moves.dedup();
    assert!(moves.len() > 1, "{moves:?}");
    assert!(!first_move("Seed value 3", "go infinite").1, "an analysis");
    assert!(!first_move("Book value false", "go nodes 1").1);
    assert_eq!(first_move("Seed value 3", "go nodes 50"), (usual, false));
    player.quit();
    let mut player = Player::start(&["--game", "loa", "--book", "on", "--nodes", "1"]);
    player.say("go depth 1");
    assert!(player.until("bestmove ").iter().any(|line| line.contains("from the book")));
    for go in ["go infinite", "go infinite nodes 1", "go"] {
        player.say(go);
        // More than the nodes of the start.
        while depth_of(&player.line()).is_none_or(|depth| depth < 6) {}
        player.say("stop");
        let lines = player.until("bestmove ");
        assert!(lines.iter().all(|line| !line.contains("from the book")), "{go}: {lines:?}");
    }
    player.quit();
}

#[test]
fn a_clock_that_has_run_out_still_gets_a_move() {
    let mut player = Player::start(&[]);
    for go in ["go p1time 0 p2time 0", "go wtime -50 btime 3", "go movetime 0", "go nodes 0"] {
        let best = player.best_move(go);
        assert!(AnyGame::from(Murus::start()).parse_move(&best).is_ok(), "{go}: {best}");
    }
    player.quit();
}

#[test]
fn the_end_of_a_game_is_known() {
    let mut player = Player::start(&[]);
    assert!(player.ask(&format!("position fen {FINISHED}")).is_empty());
    assert_eq!(player.ask("query gameover"), ["response true"]);
    assert_eq!(player.ask("query p1turn"), ["response false"]);
    assert_eq!(player.ask("query result"), ["response p1win"]);
    player.say("go movetime 10");
    let lines = player.until("bestmove ");
    assert_eq!(
        lines,
        [
            "info string go: found White (no legal move), expected a position that is not the end \
             of a game",
            "bestmove 0000"
        ]
    );
    // One move, one game: on a single cell the first wins.
    assert!(player.ask("setoption name Game value hadron1x1").is_empty());
    assert_eq!(player.ask("query result"), ["response none"]);
    assert_eq!(player.best_move("go infinite\nstop"), "A1");
    assert!(player.ask("position startpos moves A1").is_empty());
    assert_eq!(player.ask("query result"), ["response p1win"]);
    player.quit();
}

#[test]
fn answers_unreadable_lines_and_changes_nothing() {
    let mut player = Player::start(&["--game", "hadron3"]);
    assert!(player.ask("position fen .w./.../... b 1 moves B1").is_empty());
    for (line, reason) in [
        ("hello", "command: found `hello`, expected ugi"),
        ("setoption name Luck value 3", "setoption, option: found `Luck`, expected one of Game"),
        (
            "setoption name Threads value x",
            "setoption, threads: found `x`, expected a whole number",
        ),
        ("setoption name Game value go", "setoption, game: found `go`, expected murus"),
        ("query weather", "query: found `weather`, expected gameover"),
        ("position", "position: found ``, expected startpos"),
        ("position fen what", "position, text board"),
        ("position startpos moves A1 A1", "position, move 2, move: found `A1`, expected a legal"),
    ] {
        let answer = player.ask(line);
        assert_eq!(answer.len(), 1, "{line}: {answer:?}");
        assert!(answer[0].starts_with(&format!("info string {reason}")), "{answer:?}");
    }
    // A move would be one of another position than the runner's.
    let why = "info string query: found a position that was not read; this is the one before";
    assert_eq!(player.ask("query p1turn"), [why, "response true"]);
    for (go, end) in [("go nodes 50", ""), ("go infinite", "stop"), ("go movetime soon", "")] {
        player.say(go);
        player.say(end);
        let lines = player.until("bestmove ");
        let why = "info string go: found a position that was not read, expected one that was";
        assert_eq!(lines, [why, "bestmove 0000"]);
    }
    // A runner that waits for a move gets one.
    assert!(player.ask("position startpos").is_empty());
    for (go, reason) in [
        ("go movetime soon", "go, movetime: found `soon`, expected a whole number"),
        ("go mate 3", "go: found `mate 3`, expected movetime, nodes, depth, p1time"),
    ] {
        player.say(go);
        let lines = player.until("bestmove ");
        assert!(lines.iter().any(|line| line.contains(reason)), "{lines:?}");
        let best = lines.last().unwrap()["bestmove ".len()..].to_string();
        assert!(AnyGame::from(Hadron::start(3, 3)).parse_move(&best).is_ok(), "{go}: {best}");
    }
    player.say_bytes(b"\xff\xfe\0 position\n\n\0\n");
    assert!(player.line().starts_with("info string command: found"));
    assert!(player.line().starts_with("info string command: found"));
    player.say_bytes(&[b'x'; 1 << 20]);
    assert!(player.ask("").iter().all(|line| line.len() < 200));
    player.quit();
}

#[test]
fn an_engine_that_cannot_be_built_is_said_to_be() {
    let mut player = Player::start_in("1KiB", &[]);
    let answer = player.ask("");
    assert!(answer[0].starts_with("info string memory: found 1024 bytes"), "{answer:?}");
    player.say("go nodes 5");
    let lines = player.until("bestmove ");
    assert!(lines[0].contains("the engine cannot be built: the move is chosen without a search"));
    let best = &lines.last().unwrap()["bestmove ".len()..];
    assert!(AnyGame::from(Murus::start()).parse_move(best).is_ok(), "{lines:?}");
    assert!(player.ask("setoption name Hash value 4").is_empty());
    let best = player.best_move("go nodes 5");
    assert!(AnyGame::from(Murus::start()).parse_move(&best).is_ok(), "{best}");
    player.quit();
}

#[test]
fn a_refused_size_leaves_the_engine_that_was_there() {
    let mut player = Player::start(&[]);
    player.say("ugi");
    let lines = player.until("ugiok");
    let most: u64 = lines
        .iter()
        .find_map(|line| line.strip_prefix("option name Hash type spin default 4 min 1 max "))
        .and_then(|most| most.parse().ok())
        .unwrap_or_else(|| panic!("{lines:?}"));
    if let Some(free) = alesia::search::memory::available_memory() {
        assert!(most < (2 * free as u64) >> 20, "{most} MiB advertised");
    }
    let beyond = player.ask(&format!("setoption name Hash value {}", most + 1));
    assert!(beyond[0].starts_with("info string setoption, hash: found"), "{beyond:?}");
    // What can only be known when the engine is built.
    let refused = player.ask("setoption name Memory value 1KiB");
    assert!(refused[0].starts_with("info string memory: found 1024 bytes"), "{refused:?}");
    assert!(refused[0].ends_with("; keeping 4MiB"), "{refused:?}");
    player.say("go nodes 3000");
    let lines = player.until("bestmove ");
    assert!(lines.iter().any(|line| line.contains(" nodes 3000 ")), "{lines:?}");
    // Other options are heard.
    player.ask("setoption name Engine value alphabeta");
    player.say("go depth 3");
    let lines = player.until("bestmove ");
    assert!(lines[lines.len() - 2].starts_with("info depth 3 "), "{lines:?}");
    player.quit();
}

#[test]
fn a_refused_value_stands_in_the_way_of_no_other_option_and_no_other_game() {
    let weights = std::env::temp_dir().join(format!("alesia-{}.weights", std::process::id()));
    std::fs::write(&weights, "nonsense").unwrap();
    let mut player = Player::start(&[]);
    assert!(player.ask("").is_empty());
    let refused = player.ask(&format!("setoption name Weights value {}", weights.display()));
    assert!(refused[0].ends_with("; keeping the built-in weights"), "{refused:?}");
    let refused = player.ask("setoption name Memory value 10");
    assert!(refused[0].ends_with("; keeping 4MiB"), "{refused:?}");
    let listed = player.ask("ugi");
    for line in ["Weights type string default <empty>", "Memory type string default 4MiB"] {
        assert!(listed.iter().any(|found| found.ends_with(line)), "{listed:?}");
    }
    assert!(player.ask("setoption name Threads value 2").is_empty());
    assert!(player.ask("setoption name Engine value alphabeta").is_empty());
    player.say("go depth 3");
    let lines = player.until("bestmove ");
    assert!(lines[lines.len() - 2].starts_with("info depth 3 "), "{lines:?}");
    // Refused for one game after another.
    for game in ["hadron5", "loa"] {
        player.say("setoption name Memory value 10");
        assert!(player.ask(&format!("setoption name Game value {game}"))[0].ends_with(" 4MiB"));
        player.say("go nodes 300");
        let lines = player.until("bestmove ");
        assert!(lines.iter().all(|line| !line.contains("without a search")), "{lines:?}");
    }
    std::fs::remove_file(&weights).unwrap();
    player.quit();
}

#[test]
fn a_stopped_search_and_the_next_one_come_in_one_breath() {
    for engine in ["mcts", "alphabeta"] {
        let mut player = Player::start(&["--engine", engine]);
        for _ in 0..5 {
            player.say_bytes(b"position startpos\ngo infinite\nstop\ngo nodes 40\n");
            player.await_best_move();
            player.await_best_move();
            player.say_bytes(b"go infinite\nstop\nuginewgame\nisready\ngo nodes 40\n");
            player.await_best_move();
            player.until("readyok");
            player.await_best_move();
            player.say_bytes(b"go infinite\nstop\nposition startpos\ngo infinite\nstop\n");
            player.await_best_move();
            player.await_best_move();
        }
        // The end of a game is answered in its turn.
        player.say_bytes(b"go infinite\nstop\n");
        player.say_bytes(format!("position fen {FINISHED}\ngo nodes 5\n").as_bytes());
        assert_ne!(player.await_best_move(), "0000");
        assert_eq!(player.await_best_move(), "0000");
        player.quit();
    }
}

#[test]
fn a_depth_ends_a_search() {
    for engine in ["mcts", "alphabeta"] {
        let mut player = Player::start(&["--engine", engine]);
        for depth in [1, 2, 4] {
            player.say(&format!("go depth {depth}"));
            let lines = player.until("bestmove ");
            let last = &lines[lines.len() - 2];
            let found = last.strip_prefix("info depth ").and_then(|rest| rest.split(' ').next());
            let found: usize = found.and_then(|found| found.parse().ok()).expect("a depth");
            match engine {
                "alphabeta" => assert_eq!(found, depth),
                _ => assert!(found >= depth, "{last}"),
            }
        }
        player.quit();
    }
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let mut player = Player::start(&[]);
    player.say_bytes(b"\xef\xbb\xbfisready\n");
    assert_eq!(player.line(), "readyok");
    player.quit();
}

/// What the log says of memory of some MiB.
fn kibibytes(mib: u32) -> String {
    format!("memory: {} KiB allocated", mib << 10)
}

/// A player whose log says when memory is taken for an engine.
fn logging_player() -> (Child, ChildStdin, Receiver<String>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_alesia"))
        .args(["ugi", "--memory", "4MiB", "--threads", "1"])
        .env("RUST_LOG", "info")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let errors = BufReader::new(child.stderr.take().unwrap());
    let (sender, built) = channel();
    thread::spawn(move || {
        // Its tree has whole MiB; smaller tables follow.
        let of_tree = |line: &String| (4..9).any(|mib| line.contains(&kibibytes(mib)));
        for line in errors.lines().map_while(Result::ok).filter(of_tree) {
            // The test may have ended.
            let _ = sender.send(line);
        }
    });
    let input = child.stdin.take().unwrap();
    (child, input, built)
}

#[test]
fn an_engine_built_while_nothing_is_asked_is_kept_or_built_again() {
    let (mut child, mut input, built) = logging_player();
    // Without being asked for.
    built.recv_timeout(HANGS).unwrap();
    // Another game needs no other engine; another size does, also where it is not asked for.
    input.write_all(b"uginewgame\nisready\n").unwrap();
    thread::sleep(Duration::from_millis(300));
    assert_eq!(built.try_recv().ok(), None);
    for size in 5..8 {
        input.write_all(format!("setoption name Hash value {size}\n").as_bytes()).unwrap();
        assert!(built.recv_timeout(HANGS).unwrap().contains(&kibibytes(size)));
    }
    input.write_all(b"quit\n").unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_move_that_is_due_before_the_engine_is_built_is_chosen_without_a_search() {
    let mut player = Player::start(&["--game", "loa"]);
    player.say_bytes(b"position startpos\ngo movetime 1\n");
    let lines = player.until("bestmove ");
    assert!(lines[0].contains("the engine is not built yet"), "{lines:?}");
    let best = &lines.last().unwrap()["bestmove ".len()..];
    assert!(AnyGame::from(Loa::start(Default::default())).parse_move(best).is_ok(), "{lines:?}");
    assert!(player.ask("").is_empty());
    player.say("go nodes 30");
    let lines = player.until("bestmove ");
    assert!(lines.iter().any(|line| line.contains(" nodes 30 ")), "{lines:?}");
    player.quit();
}

#[test]
#[cfg(unix)]
fn after_two_pauses_the_runner_is_told_once() {
    let mut player = Player::start(&[]);
    let id = player.child.id().to_string();
    let signal = |name: &str| {
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    };
    assert!(player.ask("").is_empty());
    let mut said = Vec::new();
    for pause in [true, true, false, false] {
        player.say("go movetime 400");
        if pause {
            thread::sleep(Duration::from_millis(100));
            signal("-STOP");
            thread::sleep(Duration::from_millis(600));
            signal("-CONT");
        }
        let lines = player.until("bestmove ");
        said.push(lines.iter().filter(|line| line.contains(" wakes the player up to ")).count());
        assert!(player.ask("").is_empty());
    }
    // By the second at the latest: a busy machine may have been late before.
    assert_eq!(said.iter().sum::<usize>(), 1, "{said:?}");
    player.quit();
}

#[test]
fn quitting_and_the_end_of_input_end_a_search() {
    for (engine, last_words) in
        [("mcts", Some("quit")), ("alphabeta", Some("quit")), ("mcts", None)]
    {
        let mut player = Player::start(&["--engine", engine]);
        player.say("go infinite");
        player.say("isready");
        player.until("readyok");
        match last_words {
            Some(words) => player.say(words),
            None => player.input = None,
        }
        let (status, rest) = player.end();
        assert!(status.success());
        let answers = rest.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(answers, 1, "{rest:?}");
    }
}

#[test]
fn another_game_ends_a_search() {
    let mut player = Player::start(&[]);
    player.say("go infinite");
    player.say("setoption name Game value hadron3");
    assert!(AnyGame::from(Murus::start()).parse_move(&player.await_best_move()).is_ok());
    assert!(player.ask("position startpos moves A1").is_empty());
    player.quit();
}

#[test]
fn a_lost_reader_ends_the_program_quietly() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_alesia"))
        .args(["ugi", "--memory", "4MiB", "--threads", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // A failed write ends it too, though the input stays open.
    input.write_all(b"go infinite\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    drop(input);
}

#[test]
fn arguments_that_cannot_be_are_refused_at_once() {
    let cases: &[&[&str]] = &[
        &["ugi", "--set", "luck=1"],
        &["ugi", "--game", "go"],
        &["ugi", "--move-overhead", "10001"],
        // What would do nothing.
        &["ugi", "--threads", "1", "--trees", "4"],
        &["ugi", "--engine", "alphabeta", "--threads", "4", "--trees", "3"],
        &["ugi", "--engine", "alphabeta", "--set", "exploration=3"],
        &["uci", "--threads", "1", "--trees", "4"],
    ];
    for arguments in cases {
        let output = Command::new(env!("CARGO_BIN_EXE_alesia"))
            .args(*arguments)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty());
    }
}
