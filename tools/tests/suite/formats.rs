//! `alesia-lab games export` and `import`: what is written can be read again, and what is wrong is
//! named.

use std::fs;

use serde_json::Value;

use crate::lab::{fresh_file, run, texts};

/// What a command prints that succeeds.
fn printed(words: &[&str]) -> String {
    let output = run(words);
    let (text, errors) = texts(&output);
    assert_eq!((output.status.code(), &*errors), (Some(0), ""), "{words:?}");
    text
}

/// What a command says that fails.
fn refused(words: &[&str]) -> String {
    let output = run(words);
    assert!(matches!(output.status.code(), Some(1 | 2)), "{words:?}");
    texts(&output).1
}

fn text_file(name: &str, text: &str) -> String {
    let path = fresh_file(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Moves and result of each record.
fn games(lines: &str) -> Vec<(Vec<String>, String)> {
    let game = |line: &str| {
        let record: Value = serde_json::from_str(line).unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let opening = record["opening"].as_array().unwrap().iter().map(text);
        let moves = record["moves"].as_array().unwrap().iter().map(|m| text(&m["move"]));
        (opening.chain(moves).collect(), text(&record["result"]))
    };
    lines.lines().map(game).collect()
}

#[test]
fn games_of_all_kinds_come_back_from_every_form() {
    const MINE: &str =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/variants/mine.ini:drifting");
    for (game, forms) in [
        ("murus", &["pgn", "moves"][..]),
        ("hadron5", &["pgn", "moves"]),
        ("loa", &["pgn", "moves", "sgf"]),
        ("loa:standard", &["pgn", "moves", "sgf"]),
        ("voidrider", &["pgn", "moves"]),
        ("variant:gardner", &["pgn", "moves"]),
        ("variant:chess", &["pgn", "moves"]),
        (MINE, &["pgn", "moves"]),
    ] {
        let name = game.rsplit(':').next().unwrap();
        let records = fresh_file(&format!("{name}.jsonl"));
        let pgn = fresh_file(&format!("{name}.pgn"));
        let (records, pgn) = (records.to_str().unwrap(), pgn.to_str().unwrap());
        let words = format!(
            "match -game {game} -rounds 1 -engine name=A -engine name=B -each nodes=1 \
             option.engine=random -openings plies=2 -pgnout file={pgn} -jsonlout file={records}"
        );
        run(words.split(' '));
        let played = games(&fs::read_to_string(records).unwrap());
        assert_eq!(played.len(), 2);
        assert_eq!(
            printed(&["export", records, "--format", "pgn"]),
            fs::read_to_string(pgn).unwrap()
        );
        for form in forms {
            let text = printed(&["export", records, "--format", form]);
            let written = text_file(&format!("{name}.{form}.txt"), &text);
            let lines = printed(&["import", &written, "--game", game]);
            assert_eq!(games(&lines), played, "{game} {form}");
            // Lists of moves have no place for it.
            let days = lines.matches(",\"date\":\"20").count();
            assert_eq!(days, if *form == "moves" { 0 } else { 2 }, "{game} {form}");
            let again = text_file(&format!("{name}.{form}.jsonl"), &lines);
            assert!(printed(&["replay", &again]).ends_with("2 games, 0 wrong\n"));
            let stepped = printed(&["replay", &again, "--board"]);
            let is_head = |line: &&str| {
                line.split_once(" of ").is_some_and(|(ply, _)| ply.parse::<usize>().is_ok())
            };
            let boards = stepped.lines().filter(is_head).count();
            let plies: usize = played.iter().map(|(moves, _)| moves.len() + 1).sum();
            assert_eq!(boards, plies, "{game} {form}");
        }
        let rows = printed(&["export", records, "--format", "csv"]);
        let plies: usize = played.iter().map(|(moves, _)| moves.len()).sum();
        assert_eq!(rows.lines().count(), 1 + plies);
    }
}

#[test]
fn the_lines_of_a_referee_are_a_game() {
    let text = "listening on 127.0.0.1:8901\nthe game begins\n1 White A1 3 ms\n2 Black B2 4 ms\n\
                3 White A2 1 ms\n4 Black B1 1 ms\nresult: Black (no legal move)\n";
    let file = text_file("printed.txt", text);
    let lines = printed(&["import", &file, "--game", "hadron2x2"]);
    assert!(lines.contains(r#"{"move":"B2","ms":4.0}"#), "{lines}");
    assert!(lines.contains(r#""result":"0-1","cause":"rule","reason":"no legal move""#), "{lines}");
}

#[test]
fn a_game_is_known_by_its_moves_where_it_can_be() {
    let lines = printed(&["import", &text_file("loa.txt", "1. b1-d3 a2xc2")]);
    assert!(lines.contains(r#""game":"loa""#), "{lines}");
    assert!(lines.contains(r#""cause":"reported","reason":"not finished""#), "{lines}");
    let errors = refused(&["import", &text_file("hadron.txt", "1. A1 B2")]);
    assert!(errors.contains("line 1, game: found moves of hadron"), "{errors}");
    assert!(errors.contains("expected --game GAME"), "{errors}");
}

/// PGN of chess is what chess programs read, and needs no name of its game.
#[test]
fn chess_is_written_and_read_as_chess_programs_have_it() {
    let pgn = "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 e5 2. Nf3 {[%clk 0:03:00]} Nc6 3. Bc4\n\
               Nf6 4. 0-0 Bc5 5. d2-d4! exd4 *\n";
    let line = printed(&["import", &text_file("chess.in.pgn", pgn)]);
    assert!(line.contains(r#""game":"variant:chess","white":"Ann","black":"Bob""#), "{line}");
    assert!(line.contains(r#"{"move":"e1g1"}"#), "{line}");
    let records = text_file("chess.in.jsonl", &line);
    let text = printed(&["export", &records, "--format", "pgn"]);
    let moves = "\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. O-O Bc5 5. d4 exd4 {not finished} *\n\n";
    assert!(text.ends_with(moves) && !text.contains("Variant"), "{text}");
    let wrong = text_file("chess.wrong.pgn", &pgn.replace("Bc5", "Bc3"));
    let errors = refused(&["import", &wrong]);
    let expected = "chess.wrong.pgn, line 5, move 8, move: found `Bc3`, expected a legal move of Black \
                    such as Ba3";
    assert!(errors.contains(expected), "{errors}");
}

#[test]
fn a_text_without_a_game_is_refused() {
    for text in ["hello world\n", "[White \"a\"]\n\n1. e4 *\n"] {
        let errors = refused(&["import", &text_file("no-game.txt", text), "--format", "printed"]);
        assert!(errors.ends_with("no-game.txt: found no game, expected one\n"), "{errors}");
    }
}

/// A game that is wrong costs no other game.
#[test]
fn a_wrong_game_is_named_and_left_out() {
    let good = |name: &str| format!("[White \"{name}\"]\n\n1. e4 e5 1-0\n\n");
    let bad = "[White \"c\"]\n\n1. e4 d5 2. P@d4 1-0\n\n[Variant \"crazyhouse\"]\n\n1. e4 *\n\n[White x]\n\n";
    let file = text_file("one-bad.pgn", &format!("{}{bad}{}", good("a"), good("e")));
    let output = run(["import", &file]);
    let (lines, errors) = texts(&output);
    assert_eq!((output.status.code(), games(&lines).len()), (Some(1), 2), "{errors}");
    let mut errors = errors.lines();
    let mut said = |part: &str| {
        let line = errors.next().unwrap();
        assert!(line.contains(part), "{line}");
    };
    said("one-bad.pgn, line 7, move 3, move: found `P@d4`");
    said("one-bad.pgn, line 9, game: found `crazyhouse`");
    said("one-bad.pgn, line 13: found `[White x]`");
    said("one-bad.pgn: 3 of 5 games left out");
    let sgf = text_file("one-bad.sgf", "(;GM[1]SZ[19])\n(;GM[9]PB[A];B[b1-b3])");
    let output = run(["import", &sgf]);
    let (lines, errors) = texts(&output);
    assert_eq!((output.status.code(), games(&lines).len()), (Some(1), 1), "{errors}");
    // Nothing to append makes no file.
    let out = fresh_file("one-bad.jsonl");
    let file = text_file("bad.pgn", bad);
    refused(&["import", &file, "--out", out.to_str().unwrap()]);
    assert!(!out.exists());
}

/// As programs wrote them before UTF-8, and with the line ends of old machines.
#[test]
fn names_in_old_sets_of_characters_are_read() {
    let read = |name: &str, bytes: &[u8]| {
        let path = fresh_file(name);
        fs::write(&path, bytes).unwrap();
        printed(&["import", path.to_str().unwrap()])
    };
    let latin =
        read("latin.pgn", b"[Event \"Caf\xe9\"]\n[White \"Gr\xfcnfeld\"]\n\n1. e4 e5 1-0\n");
    assert!(
        latin.contains(r#""white":"Grünfeld""#) && latin.contains(r#""event":"Café""#),
        "{latin}"
    );
    let sgf = read("latin.sgf", b"(;GM[9]CA[ISO-8859-1]PB[M\xfcller];B[b1-b3])");
    assert!(sgf.contains(r#""black":"Müller""#), "{sgf}");
    let old = read("cr.pgn", b"[White \"A\"]\r[Black \"B\"]\r\r1. e4 e5 ; good\r2. Nf3 Nc6 1-0\r");
    assert_eq!(games(&old)[0].0.len(), 4, "{old}");
}

#[test]
fn a_position_that_no_game_has_is_named() {
    let fen = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1";
    let file = text_file("chess960.pgn", &format!("[FEN \"{fen}\"]\n\n1. e4 *\n"));
    let errors = refused(&["import", &file]);
    assert!(errors.contains("line 1, castling rights: found `KQkq`"), "{errors}");
}

#[test]
fn names_errors_with_their_place() {
    let file = text_file("wrong.txt", "1. A1 B2\n2. A1 *\n");
    let errors = refused(&["import", &file, "--game", "hadron3"]);
    assert!(errors.contains("wrong.txt, line 2, move 3, move: found `A1`"), "{errors}");
    let file = text_file("result.txt", "A1 B2 A2 B1 1-0\n");
    let errors = refused(&["import", &file, "--game", "hadron2x2"]);
    assert!(errors.contains("line 1, result: found White, expected Black"), "{errors}");
    let errors = refused(&["export", &file, "--format", "pgn"]);
    assert!(errors.contains("result.txt, line 1: found `A1 B2"), "{errors}");
    let errors = refused(&["export", &file, "--format", "xml"]);
    assert!(errors.contains("found `xml`, expected pgn, sgf, csv, moves"), "{errors}");
}

/// A writer that was killed leaves a piece of a record: the next one removes it.
#[test]
fn a_piece_of_a_record_costs_no_other_game() {
    let moves = text_file("piece.txt", "A1 B2 A2 B1 0-1\n");
    let words = ["import", &moves, "--game", "hadron2x2"];
    let line = printed(&words);
    let file = text_file("piece.jsonl", &format!("{line}{}", &line[..line.len() / 2]));
    printed(&[&words[..], &["--out", &file]].concat());
    assert_eq!(fs::read_to_string(&file).unwrap(), line.repeat(2));
    // One that stands there already is left out and said.
    let middle = text_file("middle.jsonl", &format!("{line}{}\n{line}", &line[..line.len() / 2]));
    let out = fresh_file("middle.txt");
    let out = out.to_str().unwrap();
    let errors = refused(&["export", &middle, "--format", "moves", "--out", out]);
    assert!(errors.contains("middle.jsonl, line 2: found `{"), "{errors}");
    assert!(errors.contains("middle.jsonl: 1 of 3 lines are left out"), "{errors}");
    assert_eq!(fs::read_to_string(out).unwrap().lines().count(), 2);
}

#[test]
fn imported_games_are_appended_to_a_file() {
    let file = text_file("append.txt", "A1 B2 A2 B1 0-1\n");
    let out = fresh_file("appended.jsonl");
    let words = ["import", &file, "--game", "hadron2x2", "--out", out.to_str().unwrap()];
    for count in 1..=2 {
        assert!(printed(&words).starts_with("1 game appended to "));
        assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), count);
    }
}

/// No command replaces a file, and only records are appended to.
#[test]
fn a_file_that_exists_stays_as_it_is() {
    let text = "A1 B2 A2 B1 0-1\n";
    let moves = text_file("kept.txt", text);
    let line = printed(&["import", &moves, "--game", "hadron2x2"]);
    let records = text_file("kept.jsonl", &line);
    for out in [&records, &moves] {
        let before = fs::read_to_string(out).unwrap();
        let errors = refused(&["export", &records, "--format", "csv", "--out", out]);
        let expected = format!("--out: found {out}, which exists, expected the name of a new file");
        assert_eq!(errors, format!("alesia-lab: {expected}\n"));
        assert_eq!(&fs::read_to_string(out).unwrap(), &before);
    }
    let errors = refused(&["import", &moves, "--game", "hadron2x2", "--out", &moves]);
    assert!(errors.contains("which is read, expected a new file or one of game"), "{errors}");
    let pgn = text_file("kept.pgn", "[Event \"?\"]\n\n*\n");
    let errors = refused(&["import", &moves, "--game", "hadron2x2", "--out", &pgn]);
    assert!(errors.contains("kept.pgn, which holds something else, expected"), "{errors}");
    assert_eq!(fs::read_to_string(&moves).unwrap(), text);
    let fresh = fresh_file("kept.csv");
    printed(&["export", &records, "--format", "csv", "--out", fresh.to_str().unwrap()]);
    assert!(fs::read_to_string(&fresh).unwrap().starts_with("seed,pair,"));
}

#[test]
fn a_file_of_another_kind_is_named_once() {
    let line = printed(&["import", &text_file("kind.txt", "A1 B2 *"), "--game", "hadron2x2"]);
    let records = text_file("kind.jsonl", &line);
    let [pgn, csv] = ["pgn", "csv"].map(|format| {
        text_file(&format!("kind.{format}"), &printed(&["export", &records, "--format", format]))
    });
    let lines = text_file("kind.printed.txt", "listening on x:1\n1 White A1 3 ms\n2 Black B2\n");
    for (words, expected) in [
        (
            ["replay", &*pgn],
            "found PGN, expected game records, which `alesia-lab games import` makes",
        ),
        (["replay", &*lines], "found the lines of a game as `play` and `referee` print them,"),
        (["replay", &*csv], "found CSV, expected game records"),
        (["import", &*records], "found game records, expected other games"),
        (["import", &*csv], "found CSV, expected pgn, sgf, moves or printed lines"),
    ] {
        let output = run(words);
        let (text, errors) = texts(&output);
        assert_eq!((output.status.code(), &*text), (Some(2), ""), "{errors}");
        assert!(errors.contains(expected) && errors.lines().count() == 1, "{errors}");
    }
}

#[test]
fn records_have_only_what_the_text_says() {
    let line = printed(&["import", &text_file("bare.txt", "A1 B2 *"), "--game", "hadron2x2"]);
    assert!(line.contains(r#""moves":[{"move":"A1"},{"move":"B2"}]"#), "{line}");
    let records = text_file("bare.jsonl", &line);
    let shown = printed(&["replay", &records, "--moves"]);
    let expected = "pair 0 leg 0: hadron2, White against Black, 2 plies, not finished\n";
    assert!(shown.starts_with(expected), "{shown}");
    assert!(!shown.contains(" ms") && !shown.contains("tie"), "{shown}");
}
