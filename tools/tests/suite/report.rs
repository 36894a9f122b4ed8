//! `alesia-lab games report` and the files of `--json`: what commands measure becomes a page.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::lab::{fresh_file, player, run, texts};

/// The lines of a file of measurements.
pub fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn measurements_of_both_programs_and_games_are_sections_of_one_page() {
    let [json, games, page] = ["report-runs.jsonl", "report-games.jsonl", "report-page.html"]
        .map(|name| fresh_file(name).to_str().unwrap().to_owned());
    for words in [
        format!("stress trees --seconds 0 --json {json}"),
        format!("stress scale --game hadron3 --threads 2 --time 5 --memory 1MiB --json {json}"),
        format!(
            "match -game hadron3 -rounds 1 -engine name=<b>&c -engine name=d -each nodes=1 \
             option.engine=random -pgnout file={games}"
        ),
    ] {
        let output = run(words.split_whitespace());
        assert_eq!(output.status.code(), Some(0), "{}", texts(&output).1);
    }
    let words = format!("scale --game hadron2 --threads 1 --memory 1MiB --json {json}");
    let scaled = Command::new(player()).args(words.split(' ')).output().unwrap();
    assert_eq!(scaled.status.code(), Some(0), "{}", texts(&scaled).1);

    let written = rows(&fs::read_to_string(&json).unwrap());
    let runs: Vec<&str> = written.iter().filter_map(|row| row["run"].as_str()).collect();
    assert_eq!(runs, ["stress trees", "stress scale", "scale"]);
    for head in written.iter().filter(|row| row["run"].is_string()) {
        assert!(head["cores"].as_u64().unwrap() > 0 && head["kernel"].is_string(), "{head}");
        assert!(head["date"].as_str().unwrap().ends_with('Z'), "{head}");
        let words = head["command"].as_array().unwrap();
        assert!(words.iter().any(|word| word == "--json"), "{head}");
    }

    for _ in 0..2 {
        let output = run(["report", &json, &games, "--out", &page]);
        let (text, errors) = texts(&output);
        assert_eq!((&*text, &*errors), (&*format!("{page} written\n"), ""));
    }
    let html = fs::read_to_string(&page).unwrap();
    for title in [
        "Trees with more threads than cores",
        "Scale by threads: hadron3",
        "Scale by trees: hadron2",
        "&lt;b&gt;&amp;c against d: hadron3",
    ] {
        assert!(html.contains(&format!("<h2>{title}</h2>")), "{title}");
    }
    assert!(!html.contains("<script"));
}

#[test]
fn the_table_of_experiments_is_a_picture() {
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/experiments.csv");
    let picture = fresh_file("report-strength.svg");
    for _ in 0..2 {
        let output = run(["report", table, "--out", picture.to_str().unwrap()]);
        assert_eq!(texts(&output).1, "");
    }
    let drawn = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/strength.svg"));
    assert!(fs::read_to_string(picture).unwrap() == drawn.unwrap());
}

#[test]
fn refuses_other_reports_in_one_line() {
    let notes = fresh_file("report-notes.txt");
    fs::write(&notes, "buy milk\n").unwrap();
    let notes = notes.to_str().unwrap();
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/reports/match.jsonl");
    let missing = fresh_file("report-missing.jsonl");
    let page = fresh_file("report-refused.html");
    let picture = fresh_file("report-refused.svg");
    let [missing, page, picture] = [&missing, &page, &picture].map(|file| file.to_str().unwrap());
    for (words, status, expected) in [
        (["report", notes, "--out", page], 2, ": found `buy milk`, expected game records, "),
        (["report", missing, "--out", page], 1, "No such file"),
        (["report", games, "--out", notes], 2, "which holds something else, expected the name"),
        (["report", games, "--out", picture], 2, ".svg, expected the name of a page; the table of"),
        (["report", games, "--out", "none/x.html"], 2, "expected a file in an existing folder"),
    ] {
        let output = run(words);
        let (_, errors) = texts(&output);
        assert_eq!(output.status.code(), Some(status), "{errors}");
        assert!(errors.contains(expected) || (status == 1 && !cfg!(unix)), "{errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
    }
    assert!(!std::path::Path::new(page).exists());
    let words = format!("stress trees --seconds 0 --json {notes}");
    let output = run(words.split(' '));
    let (_, errors) = texts(&output);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(
        errors.contains("found something else in it, expected a new file or one of"),
        "{errors}"
    );
    assert_eq!(fs::read_to_string(notes).unwrap(), "buy milk\n");
}
