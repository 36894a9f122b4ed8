//! Games that are watched while they are played elsewhere: on a referee, in a match, in a
//! tournament.

use std::fs;
use std::io::{BufRead, BufReader, Lines, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::board::{Events, Server};
use crate::lab;
use serde_json::{Value, json};

/// A process that ends with its test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Process {
    fn start(command: &mut Command) -> Process {
        Process(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
    }

    fn lines(&mut self) -> Lines<BufReader<ChildStdout>> {
        BufReader::new(self.0.stdout.take().unwrap()).lines()
    }

    fn errors(&mut self) -> Lines<BufReader<ChildStderr>> {
        BufReader::new(self.0.stderr.take().unwrap()).lines()
    }
}

/// A referee with a page.
struct Referee {
    process: Process,
    lines: Lines<BufReader<ChildStdout>>,
    errors: Lines<BufReader<ChildStderr>>,
    port: String,
    page: Server,
}

impl Referee {
    fn start(arguments: &[&str]) -> Referee {
        let mut command = Command::new(lab::player());
        command.args(["referee", "-gui", "-p", "0", "-wt", "0", "--bind", "127.0.0.1"]);
        let mut process = Process::start(command.args(arguments));
        let (mut lines, mut errors) = (process.lines(), process.errors());
        let first = lines.next().unwrap().unwrap();
        let port = first.rsplit(':').next().unwrap().to_owned();
        let page = Server::in_line(&errors.next().unwrap().unwrap());
        Referee { process, lines, errors, port, page }
    }

    fn player(&self, arguments: &[&str]) -> Process {
        let mut command = Command::new(lab::player());
        command.args(["play", "127.0.0.1", &self.port, "--memory", "1MiB", "--threads", "1"]);
        Process::start(command.args(arguments))
    }

    /// The event stream of the only game in the lobby.
    fn game(&self) -> Events {
        self.page.events(&format!("/api/games/{}/events", game(&self.page, &|_| true)))
    }

    fn rest(&mut self) -> Vec<String> {
        self.lines.by_ref().map(Result::unwrap).collect()
    }
}

/// Waits for a game in the lobby that fits, and returns its name.
fn game(page: &Server, fits: &dyn Fn(&Value) -> bool) -> String {
    let found = |lobby: &Value| lobby["games"].as_array()?.iter().find(|game| fits(game)).cloned();
    let mut events = page.events("/api/lobby/events");
    let lobby = events.until("lobby", |lobby| found(lobby).is_some());
    found(&lobby).unwrap()["id"].as_str().unwrap().to_owned()
}

/// A game on a page after some event.
#[derive(Default)]
struct Seen {
    whole: Value,
    moves: Vec<Value>,
    last: Value,
}

impl Seen {
    /// Follows a game until something holds.
    fn until(&mut self, events: &mut Events, holds: &dyn Fn(&Seen) -> bool) {
        while !holds(self) {
            let (name, content) = events.next().expect("more events");
            let moves = content["moves"].as_array().cloned().unwrap_or_default();
            match name.as_str() {
                "game" => (self.whole, self.moves) = (content.clone(), moves),
                "change" => {
                    self.moves.truncate(content["from"].as_u64().unwrap() as usize);
                    self.moves.extend(moves);
                }
                other => panic!("{other}"),
            }
            self.last = content;
        }
    }

    fn until_the_end(&mut self, events: &mut Events) {
        self.until(events, &|seen| !seen.last["result"].is_null());
    }

    fn texts(&self) -> Vec<&str> {
        self.moves.iter().map(|m| m["move"].as_str().unwrap()).collect()
    }
}

#[test]
fn a_referees_game_from_its_first_player_to_its_result() {
    let mut referee = Referee::start(&["--game", "hadron7"]);
    let board = referee.page.host.clone();
    let options = ["--game", "hadron7", "--nodes", "20000"];
    let mut white = referee.player(&[&options[..], &["--board", &board]].concat());
    let mut events = referee.game();
    let mut seen = Seen::default();
    seen.until(&mut events, &|seen| !seen.last.is_null());
    assert_eq!(
        (&seen.last["source"], &seen.last["seats"]["black"]["name"]),
        (&json!("referee"), &json!("no player yet"))
    );
    let mut black = referee.player(&["--game", "hadron7", "--engine", "random", "--board", &board]);
    seen.until_the_end(&mut events);
    // White's last thought may come after the end.
    let explained = |seen: &Seen| seen.moves.iter().all(|m| !m["report"].is_null());
    seen.until(&mut events, &explained);

    let lines = referee.rest();
    let result = lines.last().unwrap().strip_prefix("result: ").unwrap();
    assert_eq!(seen.last["result"]["text"], result);
    assert!(seen.last["clock"]["running"].is_null());
    let is_move = |line: &&String| line.ends_with(" ms");
    let played: Vec<&str> =
        lines.iter().filter(is_move).map(|line| line.split(' ').nth(2).unwrap()).collect();
    assert_eq!(seen.texts(), played);
    assert_eq!(
        lines[0],
        format!("White is {}", seen.last["seats"]["white"]["name"].as_str().unwrap())
    );
    for (index, m) in seen.moves.iter().enumerate() {
        let report = &m["report"];
        assert_eq!(report["pv"][0], m["move"], "{m}");
        // There is nothing to say of the only legal move.
        if index % 2 == 0
            && let Some(nodes) = report["nodes"].as_u64()
        {
            assert!(nodes <= 20000, "{m}");
            assert!((0.0..=1.0).contains(&report["value"].as_f64().unwrap()));
        }
    }
    assert!(seen.moves[0]["report"]["nodes"].is_u64(), "the first move is searched");
    assert!(white.0.wait().unwrap().success() && black.0.wait().unwrap().success());
    assert!(referee.process.0.wait().unwrap().success());
    // The page outlives the referee, but the referee's outputs have ended.
    let last = referee.errors.last().unwrap().unwrap();
    assert_eq!(last, "the page closes once it has not been open for 60 s");
    assert_eq!(referee.page.get("/api/rules").status, 200);

    // No other program can send an analysis for a player.
    let player = seen.last["seats"]["white"]["name"].clone();
    let post = |player: &Value, ply: u64, report: &str| {
        let line = format!("thought 0 White {ply} {report}");
        let content = json!({ "player": player, "line": line });
        referee.page.post("/api/thoughts", &content).status
    };
    let report = "info depth 1 value 0.5 pv A1";
    assert_eq!(post(&json!("127.0.0.1:1"), 0, report), 403);
    assert_eq!(post(&player, 1, report), 403);
    assert_eq!(post(&player, 200, report), 409);
    assert_eq!(post(&player, 0, "nothing"), 400);
    assert_eq!(post(&player, 0, report), 200);
}

#[cfg(target_os = "linux")]
#[test]
fn a_page_that_ends_or_stops_disturbs_no_game() {
    for signal in ["-KILL", "-STOP"] {
        let mut referee = Referee::start(&["--game", "hadron5", "-tt", "60000"]);
        let board = referee.page.host.clone();
        let options =
            ["--game", "hadron5", "--move-time", "200", "--margin", "20", "--board", &board];
        let (white, black) = (referee.player(&options), referee.player(&options));
        let mut seen = Seen::default();
        seen.until(&mut referee.game(), &|seen| seen.moves.len() >= 2);
        let children = format!("/proc/{0}/task/{0}/children", referee.process.0.id());
        let page = fs::read_to_string(children).unwrap().trim().to_owned();
        assert!(Command::new("kill").args([signal, &page]).status().unwrap().success());
        let lines = referee.rest();
        assert!(lines.last().unwrap().contains("(no legal move)"), "{lines:?}");
        for mut player in [white, black] {
            let result = player.lines().map(Result::unwrap).last().unwrap();
            assert_eq!(&result, lines.last().unwrap());
        }
        let times = lines
            .iter()
            .filter_map(|line| line.strip_suffix(" ms")?.rsplit(' ').next()?.parse::<u64>().ok());
        let mut times: Vec<u64> = times.collect();
        times.sort_unstable();
        // A busy machine may keep a single move waiting.
        assert!(times[times.len() / 2] < 1000, "{lines:?}");
        assert!(referee.process.0.wait().unwrap().success());
        let _ = Command::new("kill").args(["-KILL", &page]).stderr(Stdio::null()).status();
    }
}

#[test]
fn a_missing_page_is_a_clear_error() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("alone");
    fs::create_dir_all(&folder).unwrap();
    let alone = folder.join(format!("alesia{}", std::env::consts::EXE_SUFFIX));
    fs::copy(lab::player(), &alone).unwrap();
    let mut command = Command::new(&alone);
    command.args(["referee", "-gui", "-p", "0"]).env("PATH", &folder);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let (text, errors) = lab::texts(&output);
    assert!(text.is_empty(), "{text}");
    assert!(errors.contains("build both with `cargo build --release --workspace`"), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
}

#[test]
fn a_page_without_a_feed_or_visitors_ends() {
    let mut command = lab::command();
    command.args(["board", "--port", "0", "--feed", "--linger", "1"]).stdin(Stdio::piped());
    let mut process = Process::start(&mut command);
    let page = Server::in_line(&process.errors().next().unwrap().unwrap());
    let mut input = process.0.stdin.take().unwrap();
    writeln!(input, "game 1 1 hadron3 1000 .../.../... w 0\nmoved 1 White B1 3").unwrap();
    let id = game(&page, &|game| game["plies"] == 1);
    let mut events = page.events(&format!("/api/games/{id}/events"));
    drop(input);
    let mut seen = Seen::default();
    seen.until_the_end(&mut events);
    assert_eq!(seen.last["result"]["text"], "no result (the referee has ended)");
    // It stays while it is open.
    thread::sleep(Duration::from_millis(1500));
    assert!(process.0.try_wait().unwrap().is_none());
    drop(events);
    assert!(process.0.wait().unwrap().success());
}

/// A lab with a page, which is opened at once.
fn start_lab(arguments: &[&str]) -> (Process, Server) {
    let mut process = Process::start(lab::command().args(arguments));
    let mut errors = process.errors();
    let page = Server::in_line(&errors.next().unwrap().unwrap());
    // What else it says must not block it.
    thread::spawn(move || errors.for_each(drop));
    (process, page)
}

#[test]
fn a_page_that_a_browser_loads_is_waited_for() {
    let words = "match -game hadron3x3 -each nodes=1 -engine name=A -engine name=B -rounds 40 \
                 -openings plies=0 -board port=0";
    let words: Vec<&str> = words.split_whitespace().collect();
    let (mut process, page) = start_lab(&words);
    assert_eq!(page.get("/").status, 200);
    let mut output = process.0.stdout.take().unwrap();
    let mut text = [0; 1];
    // The result: the match is over, and nothing listens yet.
    output.read_exact(&mut text).unwrap();
    thread::sleep(Duration::from_millis(1500));
    page.events("/api/lobby/events").wait("lobby");
    thread::spawn(move || output.read_to_end(&mut Vec::new()));
    process.0.kill().unwrap();
}

/// An engine of the lab against one that is spoken to over pipes.
fn match_words() -> Vec<String> {
    let words = "match -game hadron5 -engine name=A -engine name=B args=ugi cmd=PLAYER \
                 option.Threads=1 -each nodes=20000 -rounds 2 -concurrency 2 -srand 3";
    let program = format!("cmd={}", lab::player());
    words.split_whitespace().map(|word| word.replace("cmd=PLAYER", &program)).collect()
}

#[test]
fn a_matchs_games_are_shown_and_its_result_is_the_same() {
    let words = match_words();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (mut process, page) = start_lab(&[&words[..], &["-board", "port=0"]].concat());
    let id = game(&page, &|game| game["title"] == "match, pair 1, game 1");
    let mut events = page.events(&format!("/api/games/{id}/events"));
    let mut seen = Seen::default();
    seen.until_the_end(&mut events);
    assert_eq!(
        (&seen.whole["source"], &seen.whole["seats"]["white"]["kind"]),
        (&json!("match"), &json!("engine"))
    );
    // The opening's four plies belong to no player.
    assert!(seen.moves.len() > 4);
    for m in &seen.moves[4..] {
        assert_eq!(m["report"]["pv"][0], m["move"], "{m}");
        assert!(m["ms"].is_number(), "{m}");
    }
    let mut lobby = page.events("/api/lobby/events");
    lobby.until("lobby", |lobby| {
        assert_eq!(lobby["standings"], true);
        let games = lobby["games"].as_array().unwrap();
        games.len() == 4 && games.iter().all(|game| !game["result"].is_null())
    });
    let mut standings = page.events("/api/standings/events");
    let content = standings.until("standings", |content| content["played"] == 4);
    assert_eq!(content["games"].as_array().unwrap().len(), 4, "{content}");
    // It stays while it is open, with its result already on standard output.
    let mut output = process.0.stdout.take().unwrap();
    drop((events, lobby, standings));
    let mut text = String::new();
    output.read_to_string(&mut text).unwrap();
    assert!(process.0.wait().unwrap().success());
    let (without, errors) = lab::texts(&lab::run(&words));
    let counts = |text: &str| {
        text.lines()
            .filter(|line| line.starts_with("Games: "))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(counts(&text), counts(&without), "{errors}");
    assert_eq!(counts(&text).len(), 1, "{text}");
}

fn tournament(folder: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("cup.toml");
    let player = lab::player();
    let text = format!(
        "title = \"Cup\"\ngame = \"hadron5\"\ndraw = 3\nconcurrency = 2\n[each]\nst = 0.5\n\
         [[player]]\nname = \"Tree\"\nnodes = 500\noption.memory = \"1MiB\"\n\
         [[player]]\nname = \"Chance\"\noption.engine = \"random\"\n\
         [[player]]\nname = \"Client\"\nproto = \"tcp\"\ncmd = '{player}'\n\
         args = \"play --game {{game}} --engine random {{host}} {{port}}\"\n"
    );
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn a_tournaments_games_and_standings_are_shown() {
    let path = tournament("watched");
    let (mut process, page) = start_lab(&["tournament", path.to_str().unwrap(), "--board", "0"]);
    let mut lobby = page.events("/api/lobby/events");
    lobby.until("lobby", |lobby| lobby["standings"] == true);
    let mut standings = page.events("/api/standings/events");
    let mut played = Vec::new();
    let last = loop {
        let (name, content) = standings.next().unwrap();
        assert_eq!((name.as_str(), &content["title"]), ("standings", &json!("Cup")));
        assert_eq!(content["of"], 6);
        played.push(content["played"].as_u64().unwrap());
        if content["played"] == 6 {
            break content;
        }
    };
    assert!(played.is_sorted() && played.len() > 1, "{played:?}");
    let rows = last["groups"][0]["rows"].as_array().unwrap();
    let points = |row: &Value| row["points"].as_u64().unwrap();
    assert_eq!((rows.len(), &rows[0]["rank"]), (3, &json!(1)));
    assert!(points(&rows[0]) >= points(&rows[1]) && points(&rows[1]) >= points(&rows[2]));
    assert!(rows.iter().all(|row| row["played"] == 4 && row["crashed"] == 0), "{last}");
    // Each of the games can be looked at, those through the referee too.
    for entry in last["games"].as_array().unwrap() {
        let id = entry["id"].as_str().unwrap();
        let mut seen = Seen::default();
        seen.until_the_end(&mut page.events(&format!("/api/games/{id}/events")));
        assert_eq!(
            (&seen.last["source"], &seen.last["result"]["reason"]),
            (&json!("tournament"), &entry["reason"])
        );
        assert_eq!(json!(seen.moves.len()), entry["plies"]);
        for m in &seen.moves {
            let side = m["side"].as_str().unwrap();
            let explained = seen.last["seats"][side]["name"] == "Tree";
            assert!(!explained || m["report"]["pv"][0] == m["move"], "{m}");
        }
    }
    drop((lobby, standings));
    let text: Vec<String> = process.lines().map(Result::unwrap).collect();
    assert_eq!(text[0], "Cup");
    assert!(process.0.wait().unwrap().success());
}
