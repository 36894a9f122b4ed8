//! `alesia-lab tournament`: a whole tournament from its file to its pages.

use std::fs;
use std::path::{Path, PathBuf};

use crate::lab::{run, texts};

/// Five players of two kinds in two groups; the last crashes in every game.
fn file(folder: &str) -> PathBuf {
    let lab = env!("CARGO_BIN_EXE_alesia-lab");
    let text = format!(
        "title = \"Cup <1>\"\ngame = \"hadron5\"\ngroups = 2\ndraw = 3\n\n[each]\nnodes = 50\n\
         option = {{ memory = \"1MiB\" }}\n\
         [[player]]\nname = \"Tree\"\n\
         [[player]]\nname = \"Alpha\"\noption.engine = \"alphabeta\"\n\
         [[player]]\nname = \"Chance\"\noption.engine = \"random\"\n\
         [[player]]\nname = \"Weak & small\"\nnodes = 2\n\
         [[player]]\nname = \"Broken\"\ncmd = '{lab}'\n\
         args = \"stress player ugi hadron5 crash 2\"\n"
    );
    // A program does not accept the options of built-in engines.
    let text = text.replace("option = { memory = \"1MiB\" }\n", "");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("cup.toml");
    fs::write(&path, text).unwrap();
    path
}

fn play(path: &Path) -> String {
    let output = run(["tournament", path.to_str().unwrap()]);
    let (text, errors) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    text
}

#[test]
fn a_tournament_from_its_file_to_its_pages() {
    let path = file("whole");
    let text = play(&path);
    let folder = path.with_extension("");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(text, read("standings.txt"));
    let void = "Void for strength: these are more than 2 % of the games";
    assert!(
        text.ends_with(&format!("{void}\n")) && read("standings.html").contains(void),
        "{text}"
    );
    assert!(text.starts_with("Cup <1>\n\nGroup 1\nRank Name "), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");

    // Groups of three and of two: 2 × 3 + 2 games, each pair's one after the other.
    let records: Vec<serde_json::Value> = read("games.jsonl")
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(records.len(), 8);
    for pair in records.chunks(2) {
        assert_eq!((&pair[0]["white"], &pair[0]["black"]), (&pair[1]["black"], &pair[1]["white"]));
        assert_eq!(pair[0]["opening"], serde_json::json!([]));
    }
    let replayed = run(["replay", folder.join("games.jsonl").to_str().unwrap()]);
    assert!(texts(&replayed).0.ends_with("8 games, 0 wrong\n"));

    // The table adds up: Hadron has no draws.
    let csv = read("standings.csv");
    let heads = "Group,Rank,Name,Played,Won,Drawn,Lost,Points,Home,Away,Late,Illegal,Crashed";
    assert_eq!(csv.lines().next(), Some(heads));
    let rows: Vec<Vec<&str>> = csv.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 5);
    let number = |row: &Vec<&str>, column: usize| row[column].parse::<u32>().unwrap();
    for row in &rows {
        assert_eq!(number(row, 3), number(row, 4) + number(row, 5) + number(row, 6));
        assert_eq!(number(row, 7), 3 * number(row, 4) + number(row, 5));
        assert_eq!(number(row, 7), number(row, 8) + number(row, 9));
    }
    assert_eq!(rows.iter().map(|row| number(row, 7)).sum::<u32>(), 24);
    let broken = rows.iter().find(|row| row[2] == "Broken").unwrap();
    assert_eq!((number(broken, 4), number(broken, 12)), (0, number(broken, 3)));

    let page = read("standings.html");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("8 of 8 games"), "{page}");
    assert!(page.contains("Cup &lt;1&gt;") && page.contains("Weak &amp; small"), "{page}");
    assert_eq!(page.matches("<h2>Group ").count(), 2);
    let draw = read("draw.txt");
    assert!(draw.starts_with("draw of lots, seed 3\ngroup 1: "), "{draw}");
    assert_eq!(draw.matches(" - ").count(), 8, "{draw}");
}

#[test]
fn an_interrupted_tournament_continues() {
    let path = file("interrupted");
    let games = path.with_extension("").join("games.jsonl");
    let text = play(&path);
    let whole = fs::read_to_string(&games).unwrap();
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    fs::write(&games, lines[..4].concat() + &lines[4][..30]).unwrap();
    assert_eq!(play(&path), text);
    let resumed = fs::read_to_string(&games).unwrap();
    assert_eq!(
        resumed.lines().take(4).collect::<Vec<_>>(),
        whole.lines().take(4).collect::<Vec<_>>()
    );
    assert_eq!(resumed.lines().count(), 9);

    let other = fs::read_to_string(&path).unwrap().replace("nodes = 50", "nodes = 51");
    fs::write(&path, other).unwrap();
    let output = run(["tournament", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    let (_, errors) = texts(&output);
    assert!(errors.contains("found `nodes = 51`, expected `nodes = 50`, as in "), "{errors}");
}

/// A program that is not there is no player that loses: nothing is played or written.
#[test]
fn a_tournament_begins_only_when_all_programs_are_there() {
    for (keys, reason) in [
        ("cmd = 'nowhere/alesia'\n", "-engine Broken, cmd=nowhere/alesia: "),
        (
            "cmd = 'nowhere/alesia'\nproto = 'tcp'\nst = 1\n",
            "found no such file, expected a program",
        ),
        ("cmd = 'no-such-program'\nproto = 'tcp'\nst = 1\n", "found no such program in PATH"),
    ] {
        let path = file("missing");
        let text = fs::read_to_string(&path).unwrap();
        let (before, _) = text.split_once("cmd = ").unwrap();
        let text = format!("{before}{keys}");
        fs::write(&path, text.replace("[each]\nnodes = 50", "[each]\nst = 1")).unwrap();
        let output = run(["tournament", path.to_str().unwrap()]);
        let (text, errors) = texts(&output);
        assert_eq!((output.status.code(), text.as_str()), (Some(1), ""), "{errors}");
        assert!(errors.contains(reason) && errors.lines().count() == 1, "{errors}");
        assert!(!path.with_extension("").exists());
    }
}

/// Without a seed in the file, lots are drawn once and for all.
#[test]
fn a_draw_is_recorded() {
    let path = file("drawn");
    let text = fs::read_to_string(&path).unwrap().replace("draw = 3\n", "");
    fs::write(&path, text).unwrap();
    play(&path);
    let read = || fs::read_to_string(path.with_extension("").join("draw.txt")).unwrap();
    let first = read();
    assert!(first.starts_with("draw of lots, seed "), "{first}");
    play(&path);
    assert_eq!(read(), first);
}

#[test]
fn unusable_files_are_reported_in_one_line() {
    let refused = |text: &str| {
        let path = file("refused");
        fs::write(&path, text).unwrap();
        let output = run(["tournament", path.to_str().unwrap()]);
        let (text, errors) = texts(&output);
        assert_eq!((output.status.code(), text.as_str()), (Some(2), ""));
        assert_eq!(errors.lines().count(), 1, "{errors}");
        errors
    };
    assert!(
        refused("")
            .contains("cup.toml, line 1: found ``, expected a tournament (missing field `game`)")
    );
    assert!(refused("game = \"hadron5\"\n").contains("cup.toml: found 0 players in 1 groups"));
    assert!(refused("game = 5\n").contains("line 1: found `game = 5`, expected a tournament"));
    let output = run(["tournament", "no-such-file.toml"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(texts(&output).1.starts_with("alesia-lab: no-such-file.toml: "));
}
