//! `alesia-lab stress` as users and scripts see it.

use crate::lab::{fresh_file, player, run, texts};
use crate::report::rows;
use alesia::games::GameSpec;

#[test]
fn a_second_of_stress_has_no_illegal_move() {
    let output = run("stress trees --seconds 1 --threads 4".split(' '));
    let (text, errors) = texts(&output);
    assert_eq!((output.status.code(), &*errors), (Some(0), ""));
    let searches = text.strip_suffix(" searches, no illegal move\n").unwrap();
    assert!(searches.parse::<u64>().unwrap() > 0);
}

/// The lines and errors of `alesia-lab stress deadline` in a small game.
fn deadline(arguments: &str) -> (Option<i32>, String, String) {
    let words = format!(
        "stress deadline --game hadron3 --load cpu --busy 1 --moves 4 {arguments} --player {} -- \
         --threads 1 --memory 1MiB",
        player()
    );
    let output = run(words.split(' '));
    let (text, errors) = texts(&output);
    (output.status.code(), text, errors)
}

#[test]
fn the_deadline_is_measured_at_the_referee_and_at_the_player() {
    let json = fresh_file("deadline.jsonl");
    let (status, text, errors) = deadline(&format!("--move-time 60000 --json {}", json.display()));
    assert_eq!(status, Some(0), "{errors}");
    let firsts: Vec<&str> = text.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(firsts[..4], ["answer", "overshoot", "probe", "ready"], "{text}");
    assert!(text.contains(" of 60000 ms, at the referee\n"), "{text}");
    assert!(text.ends_with(" games, 0 late\n"), "{text}");
    let rows = rows(&std::fs::read_to_string(json).unwrap());
    let [head, games @ .., probe] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!(head["run"], "stress deadline");
    let answers = games.iter().map(|game| game["answers"].as_array().unwrap().len());
    assert!(answers.sum::<usize>() >= 4 && games[0]["limit"] == 60_000.0, "{games:?}");
    assert!(!probe["beats"].as_array().unwrap().is_empty(), "{probe}");
}

#[test]
fn the_deadline_is_measured_in_ugi_too() {
    let (status, text, errors) = deadline("--ugi --move-time 60000");
    assert_eq!(status, Some(0), "{errors}");
    assert!(text.contains(" of 60000 ms, at the runner\n"), "{text}");
    assert!(text.ends_with(" games, 0 late\n"), "{text}");
    let (status, _, errors) = deadline("--ugi --margin safe");
    let expected = "--margin: found `safe`, expected a number of milliseconds with --ugi";
    assert_eq!((status, errors.contains(expected)), (Some(2), true), "{errors}");
}

/// A player that answers 1500 ms after each question, in place of `alesia`.
#[cfg(unix)]
fn late_player(name: &str, protocol: &str, address: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let path = fresh_file(name);
    let words = format!("{} stress player {protocol}", env!("CARGO_BIN_EXE_alesia-lab"));
    let script = format!("#!/bin/sh\nexec {words} hadron3 late 0 {address}\n");
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[cfg(unix)]
#[test]
fn a_late_move_is_reported_and_fails_the_run() {
    for (protocol, address, options, fault) in [
        ("tcp", "$2 $3", "", "White exceeded the move time ("),
        ("ugi", "", " --ugi", "White loses on time ("),
    ] {
        let player = late_player(&format!("late-{protocol}.sh"), protocol, address);
        let words = format!(
            "stress deadline --game hadron3 --load none --moves 1 --move-time 700{options} \
             --player {player}"
        );
        let output = run(words.split(' '));
        let (text, errors) = texts(&output);
        assert_eq!(output.status.code(), Some(1), "{text}{errors}");
        assert!(text.contains(&format!("late: hadron3: {fault}")), "{text}");
        assert!(text.ends_with("1 move in 1 game, 1 late\n"), "{text}");
        assert!(errors.contains("alesia-lab: 1 of 1 moves late"), "{errors}");
    }
}

#[test]
fn speeds_and_sound_trees_for_every_number_of_threads() {
    let output = run("stress scale --game loa --threads 3 --time 30 --memory 4MiB".split(' '));
    let (text, errors) = texts(&output);
    assert_eq!((output.status.code(), &*errors), (Some(0), ""));
    let rows: Vec<Vec<&str>> = text.lines().map(|l| l.split_whitespace().collect()).collect();
    for (row, threads) in rows[2..5].iter().zip(["1", "2", "3"]) {
        assert_eq!(row[..3], ["loa", threads, "1"], "{text}");
        assert!(row[3].parse::<u64>().unwrap() > 0, "{text}");
    }
    assert!(text.ends_with("all trees valid\n"), "{text}");
}

#[test]
fn a_soak_of_two_rounds_is_as_by_the_plain_rules_and_leaves_its_page() {
    let page = fresh_file("soak.txt");
    let json = fresh_file("soak.jsonl");
    let words =
        "stress soak --minutes 0 --move-time 60000 --nodes 50 --threads 1 --memory 1MiB --out";
    let files = [page.to_str().unwrap(), "--json", json.to_str().unwrap()];
    let output = run(words.split(' ').chain(files));
    let (text, errors) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert_eq!(std::fs::read_to_string(page).unwrap(), text);
    // Two rounds, and the first game once more.
    let all = 2 * GameSpec::all().len() + 1;
    for (index, game) in GameSpec::all().iter().enumerate() {
        let row = text.lines().find(|line| line.starts_with(&game.to_string())).unwrap();
        let games = if index == 0 { "3" } else { "2" };
        assert_eq!(row.split_whitespace().nth(1), Some(games), "{text}");
    }
    assert!(text.contains(" moves and all results agree with the plain rules\n"), "{text}");
    let rows = rows(&std::fs::read_to_string(json).unwrap());
    assert_eq!((rows.len(), rows[0]["run"].as_str()), (1 + all, Some("stress soak")));
    let (first, last) = (&rows[1], &rows[all]);
    assert!(first["moves"].as_u64() > Some(0) && first.get("memory").is_none(), "{first}");
    assert_eq!(last["memory"].is_u64(), cfg!(target_os = "linux"), "{last}");
}

#[cfg(unix)]
#[test]
fn a_load_that_ends_fails_the_run() {
    let words = format!(
        "stress deadline --game hadron3 --load files --moves 40 --move-time 1000 --player {} -- \
         --threads 1 --memory 1MiB",
        player()
    );
    let mut command = crate::lab::command();
    command.args(words.split(' ')).env("TMPDIR", "/nonexistent");
    let (text, errors) = texts(&command.output().unwrap());
    assert!(
        errors.contains("alesia-lab: the load `files` has ended: exit status: 1: "),
        "{errors}"
    );
    assert!(!text.contains("late"), "{text}");
}

#[test]
fn no_time_for_a_move_is_refused() {
    for command in ["deadline", "soak"] {
        let output = run(["stress", command, "--move-time", "0"]);
        let (_, errors) = texts(&output);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains("found `0`, expected a time from 1ms"), "{errors}");
    }
}

/// The processes at work that a process has started and that lead a session: proc_pid_stat(5).
#[cfg(target_os = "linux")]
fn leaders_of_sessions(parent: u32) -> Vec<u32> {
    let of_entry = |entry: std::io::Result<std::fs::DirEntry>| {
        let text = std::fs::read_to_string(entry.ok()?.path().join("stat")).ok()?;
        let (start, rest) = text.rsplit_once(')')?;
        let id: u32 = start.split(' ').next()?.parse().ok()?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let [state, its_parent, _, session, ..] = fields[..] else { return None };
        let leads = session.parse() == Ok(id) && its_parent.parse() == Ok(parent) && state != "Z";
        leads.then_some(id)
    };
    std::fs::read_dir("/proc").unwrap().filter_map(of_entry).collect()
}

#[test]
#[cfg(target_os = "linux")]
fn load_and_players_have_sessions_of_their_own_and_end_with_the_run() {
    use crate::lab::{signal, start, wait_until};
    for name in ["INT", "TERM", "KILL"] {
        let words = format!(
            "stress deadline --game hadron3 --load cpu --busy 3 --moves 1000000 --move-time 60000 \
             --player {} -- --threads 1 --memory 1MiB",
            player()
        );
        let child = start(words.split(' '));
        let id = child.id();
        wait_until("all are at work", || leaders_of_sessions(id).len() == 5);
        let programs = leaders_of_sessions(id);
        signal(id, name);
        let code = child.wait_with_output().unwrap().status.code();
        assert_eq!(code, (name != "KILL").then_some(130), "{name}");
        let works = |id: &u32| {
            let text = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            text.rsplit_once(')').is_some_and(|(_, rest)| !rest.starts_with(" Z"))
        };
        wait_until("none is left", || !programs.iter().any(works));
    }
}
