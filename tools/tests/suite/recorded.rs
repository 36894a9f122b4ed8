//! `--record FILE` of the player's commands: games that `replay` finds right, and the page reads.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::lab::{fresh_file, player, run, texts};

fn alesia(words: &str, record: &Path) -> Child {
    let mut command = Command::new(player());
    command.args(words.split(' ')).arg("--record").arg(record).env_remove("RUST_LOG");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command.spawn().unwrap()
}

/// The port on which a command says that it listens.
fn port_of(child: &mut Child) -> u16 {
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    line.trim_end().rsplit(':').next().unwrap().parse().unwrap()
}

/// The games of a file, of which replay finds none wrong.
fn games(file: &Path, count: usize) -> Vec<Value> {
    let output = run(["replay", file.to_str().unwrap()]);
    let (text, errors) = texts(&output);
    let games = if count == 1 { "game" } else { "games" };
    assert!(text.ends_with(&format!("{count} {games}, 0 wrong\n")), "{text}{errors}");
    let text = fs::read_to_string(file).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn moves(game: &Value) -> Vec<&str> {
    game["moves"].as_array().unwrap().iter().map(|m| m["move"].as_str().unwrap()).collect()
}

#[test]
fn a_referee_and_both_players_keep_the_same_game() {
    let [kept, white, black] =
        ["kept", "white", "black"].map(|name| fresh_file(&format!("recorded-{name}.jsonl")));
    let mut referee = alesia("referee --game hadron4 -p 0 --bind 127.0.0.1 -wt 0 -tt 20000", &kept);
    let port = port_of(&mut referee);
    let play = format!(
        "play 127.0.0.1 {port} --game hadron4 --nodes 50 --threads 1 --memory 1MiB --ponder off"
    );
    let players = [&white, &black].map(|file| alesia(&play, file));
    for child in players.into_iter().chain([referee]) {
        assert!(child.wait_with_output().unwrap().status.success());
    }
    let all = [&kept, &white, &black].map(|file| games(file, 1).remove(0));
    for game in &all {
        assert_eq!((moves(game), &game["result"]), (moves(&all[0]), &all[0]["result"]));
        assert_eq!((&game["game"], &game["cause"]), (&"hadron4".into(), &"rule".into()));
    }
    let names = |game: &Value| [game["white"].clone(), game["black"].clone()];
    assert!(names(&all[1]).contains(&"Alesia".into()), "{}", all[1]);
    assert!(names(&all[1]).contains(&format!("127.0.0.1:{port}").into()), "{}", all[1]);
    assert!(all[0]["white"].as_str().unwrap().starts_with("127.0.0.1:"), "{}", all[0]);
    // Each player keeps what it thought of its own moves, and knows nothing of the others.
    for game in &all[1..] {
        for (number, played) in (0..).zip(game["moves"].as_array().unwrap()) {
            let ours = game[if number % 2 == 0 { "white" } else { "black" }] == "Alesia";
            let value = played["value"].as_f64();
            assert_eq!(value.is_some_and(|value| (0.0..=1.0).contains(&value)), ours, "{played}");
            assert_eq!(played["nodes"].as_u64().is_some_and(|nodes| nodes <= 50), ours, "{played}");
        }
    }
}

#[test]
fn a_file_that_holds_something_else_gets_no_record() {
    let file = fresh_file("recorded.pgn");
    fs::write(&file, "[Event \"?\"]\n").unwrap();
    let child = alesia("manual --game hadron2x2 --side none --nodes 1 --memory 1MiB", &file);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(1));
    assert_eq!(fs::read_to_string(&file).unwrap(), "[Event \"?\"]\n");
}

#[test]
fn a_lost_player_is_kept_in_the_words_of_a_match() {
    let kept = fresh_file("recorded-lost.jsonl");
    let mut referee =
        alesia("referee --game hadron3 --games 2 -p 0 --bind 127.0.0.1 -wt 0 -tt 20000", &kept);
    let port = port_of(&mut referee);
    for _ in 0..2 {
        let mut peers = Vec::new();
        for _ in 0..2 {
            let mut lines =
                BufReader::new(std::net::TcpStream::connect(("127.0.0.1", port)).unwrap());
            lines.read_line(&mut String::new()).unwrap();
            peers.push(lines);
        }
        let mut white = peers.remove(0);
        let mut line = String::new();
        while !line.starts_with("YOUR_TURN") {
            line.clear();
            white.read_line(&mut line).unwrap();
        }
        writeln!(white.get_mut(), "MOVE Z9").unwrap();
        // Both stay until the game is over: who leaves before would be the one that lost it.
        let _ = std::io::copy(&mut white, &mut std::io::sink());
    }
    assert!(referee.wait_with_output().unwrap().status.success());
    for game in games(&kept, 2) {
        assert_eq!(game["reason"], "White makes an illegal move: `Z9`");
        assert_eq!((&game["cause"], &game["result"]), (&"illegal-move".into(), &"0-1".into()));
    }
}

#[test]
fn a_game_by_hand_is_kept_when_it_is_over() {
    let kept = fresh_file("recorded-by-hand.jsonl");
    let by_hand = |side: &str, lines: &str| {
        let words =
            format!("manual --game hadron2x2 --side {side} --threads 1 --memory 1MiB --nodes 9");
        let mut child = alesia(&words, &kept);
        child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
        assert!(child.wait_with_output().unwrap().status.success());
    };
    by_hand("both", "A1\nB2\nundo 1\nB2\nA2\nB1\nquit\n");
    by_hand("both", "A1\nresign\n");
    // A game that is not over is not kept.
    by_hand("both", "A1\nquit\n");
    // A hint is not what the person thought.
    by_hand("white", "hint\nA1\nresign\n");
    let found = games(&kept, 3);
    assert_eq!(moves(&found[0]), ["A1", "B2", "A2", "B1"]);
    assert_eq!((&found[0]["cause"], &found[0]["white"]), (&"rule".into(), &"person".into()));
    assert_eq!((&found[1]["cause"], &found[1]["result"]), (&"reported".into(), &"1-0".into()));
    assert_eq!(found[1]["reason"], "Black resigns");
    let known = |number: usize| found[2]["moves"][number].get("value").is_some();
    assert_eq!([known(0), known(1)], [false, true], "{}", found[2]);
}

#[test]
fn a_file_that_cannot_be_written_is_refused_before_the_game() {
    let folder = fresh_file("recorded-nowhere").join("games.jsonl");
    let child = Command::new(player())
        .args(["manual", "--record"])
        .arg(&folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(child.status.code(), Some(1));
    let errors = String::from_utf8(child.stderr).unwrap();
    assert!(
        errors.starts_with("alesia: --record ") && errors.contains("games.jsonl: "),
        "{errors}"
    );
}

#[test]
fn the_three_of_a_relayed_game_keep_it_alike() {
    let [white, relay, black] =
        ["w", "relay", "b"].map(|name| fresh_file(&format!("recorded-loa-{name}.jsonl")));
    let listen = "--bind 127.0.0.1 --listen 0 --any-port";
    let engine = "--engine random --ponder off --threads 1 --memory 1MiB --any-port";
    let mut first = alesia(&format!("loa-white --bind 127.0.0.1 --listen 0 {engine}"), &white);
    let port = port_of(&mut first);
    let times = "--move-time 20s --first-move-time 20s";
    let mut between = alesia(&format!("relay --white 127.0.0.1:{port} {listen} {times}"), &relay);
    let port = port_of(&mut between);
    let second = alesia(&format!("loa-black 127.0.0.1 {port} {engine} --seed 2"), &black);
    for child in [first, between, second] {
        assert!(child.wait_with_output().unwrap().status.success());
    }
    let all = [&white, &relay, &black].map(|file| games(file, 1).remove(0));
    for game in &all {
        assert_eq!((moves(game), &game["result"]), (moves(&all[0]), &all[0]["result"]));
        assert_eq!((&game["game"], &game["cause"]), (&"loa".into(), &"rule".into()));
    }
}
