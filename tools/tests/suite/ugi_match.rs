//! The player itself behind the lab's match runner: over pipes it plays the very moves that it
//! plays inside, and over TCP whole games on time.

use std::fs;
use std::process::Command;

use crate::lab::{fresh_file, player, run, texts};

/// The games of a match without the players' own words and times: openings, moves, results.
fn games(words: &str) -> Vec<String> {
    let output = run(words.split_whitespace());
    let (text, errors) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    let game = |line: &str| {
        let game: serde_json::Value = serde_json::from_str(line).unwrap();
        let moves = game["moves"].as_array().unwrap().iter();
        let moves: Vec<&str> = moves.map(|m| m["move"].as_str().unwrap()).collect();
        format!("{} {} {} {}", game["opening"], moves.join(" "), game["result"], game["reason"])
    };
    text.lines().map(game).collect()
}

/// Neither of two players was late, broke a rule or crashed.
fn no_player_failed(text: &str) {
    let none = "   Timeouts: 0\n   Illegal moves: 0\n   Crashed: 0\n";
    assert_eq!(text.matches(none).count(), 2, "{text}");
}

#[test]
fn over_pipes_the_same_moves_as_inside() {
    let player = player();
    for game in ["murus", "hadron7", "loa", "voidrider"] {
        let both =
            format!("match -game {game} -rounds 1 -maxmoves 12 -srand 3 -jsonl -each nodes=150");
        let inside = games(&format!(
            "{both} option.memory=1MiB -engine name=A -engine name=B option.engine=alphabeta"
        ));
        let outside = games(&format!(
            "{both} cmd={player} args=ugi option.threads=1 option.memory=1MiB -engine name=A \
             -engine name=B option.engine=alphabeta"
        ));
        assert_eq!(inside, outside, "{game}");
    }
}

#[test]
fn options_that_the_player_refuses_are_reported() {
    let player = player();
    let output = run([
        "match",
        "-game",
        "murus",
        "-rounds",
        "1",
        "-each",
        "nodes=1",
        "-engine",
        "name=A",
        &format!("cmd={player}"),
        "args=ugi",
        "option.Threads=banana",
        "-engine",
        "name=B",
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        texts(&output).1,
        "alesia-lab: -engine A, option, threads: found `banana`, expected a whole number from 1 to 1024\n"
    );
}

#[test]
fn the_player_against_itself_under_a_clock() {
    let player = player();
    let records = fresh_file("clock.jsonl");
    let output = run([
        "match",
        "-game",
        "voidrider",
        "-rounds",
        "1",
        "-each",
        "tc=1.5+0.02",
        "timemargin=5000",
        &format!("cmd={player}"),
        "args=ugi",
        "option.Threads=1",
        "option.Memory=1MiB",
        "-engine",
        "name=A",
        "-engine",
        "name=B",
        "-maxmoves",
        "15",
        "-concurrency",
        "2",
        "-pgnout",
        &format!("file={}", records.display()),
    ]);
    let (text, errors) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    no_player_failed(&text);
    assert!(text.contains("(1.5+0.02, 1t, 1MiB, opening: plies=4):"), "{text}");
    for line in fs::read_to_string(records).unwrap().lines() {
        let game: serde_json::Value = serde_json::from_str(line).unwrap();
        let moves = game["moves"].as_array().unwrap();
        assert!(moves.iter().all(|m| m["depth"].is_u64() && m["nodes"].is_u64()), "{line}");
        // Time is shared out, not spent on the first moves.
        let first: f64 = moves.iter().take(4).map(|m| m["ms"].as_f64().unwrap()).sum();
        assert!(first < 2_000.0, "{line}");
    }
}

#[test]
fn the_player_as_a_client_against_an_engine_inside() {
    let player = player();
    let output = run([
        "match",
        "-game",
        "murus",
        "-rounds",
        "1",
        "-each",
        "st=20",
        "timemargin=500",
        "-engine",
        "name=Client",
        &format!("cmd={player}"),
        "proto=tcp",
        "args=play --game {game} --threads 1 --memory 1MiB --ponder off --nodes 200 {host} {port}",
        "-engine",
        "name=Inside",
        "nodes=200",
        "option.memory=1MiB",
        "-maxmoves",
        "10",
    ]);
    let (text, errors) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    no_player_failed(&text);
}

/// A chess variant by UCI: the very moves that are played inside, whether the interface is named or
/// found, and also where the rules are a file of the user's own.
#[test]
fn over_uci_the_same_moves_as_inside() {
    let player = player();
    let file = fresh_file("own.ini");
    fs::write(&file, "[own:losalamos]\nstalemateValue = win\n[other:chess]\n").unwrap();
    let own = format!("{}:own", file.display());
    for (game, proto) in
        [("variant:losalamos", "proto=uci"), ("variant:losalamos", ""), (&*own, "proto=uci")]
    {
        let both =
            format!("match -game {game} -rounds 1 -maxmoves 12 -srand 3 -jsonl -each nodes=150");
        let inside = games(&format!(
            "{both} option.memory=1MiB -engine name=A -engine name=B option.engine=alphabeta"
        ));
        let outside = games(&format!(
            "{both} cmd={player} args=uci {proto} option.threads=1 option.hash=1 -engine name=A \
             -engine name=B option.engine=alphabeta"
        ));
        assert_eq!(inside, outside, "{game} {proto}");
    }
}

/// The command line that cutechess's users expect for a variant of their own (its issue 750).
#[test]
fn options_of_uci_alone_say_the_variant_and_its_file() {
    let file = fresh_file("mine.ini");
    fs::write(&file, "[MyVariant:losalamos]\n").unwrap();
    let (engine, pgn) = (fresh_file("alesia-uci"), fresh_file("out.pgn"));
    fs::hard_link(player(), &engine).or_else(|_| fs::copy(player(), &engine).map(drop)).unwrap();
    let words = format!(
        "match -each tc=1+0.02 proto=uci option.VariantPath={} option.UCI_Variant=MyVariant \
         option.Hash=1 -engine cmd={engine} -engine cmd={engine} -games 1 -maxmoves 2 -pgnout {}",
        file.display(),
        pgn.display(),
        engine = engine.display(),
    );
    let output = run(words.split(' '));
    let (text, errors) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    no_player_failed(&text);
    assert!(text.contains("Player: alesia-uci\n") && text.contains("Player: alesia-uci 2\n"));
    let game = fs::read_to_string(&pgn).unwrap();
    assert!(game.contains("[Variant ") && game.contains("MyVariant"), "{game}");
}

/// Servers name UCI for every program; what has no words in it is played over UGI.
#[test]
fn a_game_without_words_in_uci_is_played_over_ugi() {
    let cmd = format!("cmd={}", player());
    let words = "match -game hadron7 -rounds 1 -each nodes=1 proto=uci args=uci";
    let mut words: Vec<&str> = words.split(' ').collect();
    words.extend([&*cmd, "-engine", "name=A", "-engine", "name=B"]);
    let output = run(words);
    let (text, errors) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    no_player_failed(&text);
}

#[test]
fn the_player_runs_the_labs_commands() {
    let own = run(["match", "-x"]);
    let by_player = Command::new(player()).args(["match", "-x"]).output().unwrap();
    assert_eq!(texts(&own), texts(&by_player));
    assert_eq!((own.status.code(), by_player.status.code()), (Some(2), Some(2)));
}
