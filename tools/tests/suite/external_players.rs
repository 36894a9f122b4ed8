//! Programs as players of a match: over pipes and through the referee, well-behaved and failing in
//! every way. A failure costs the game it happens in, with its own reason, and nothing else.

use std::fs;

use crate::lab::{fresh_file, run, texts};
use serde_json::Value;

/// The keys of a player that fails in a chosen way, such as `ugi hadron5 crash 2`.
fn scripted(how: &str) -> [String; 2] {
    let lab = env!("CARGO_BIN_EXE_alesia-lab");
    [format!("cmd={lab}"), format!("args=stress player {how}")]
}

/// Whether a player fails by what it does with its time: then it plays one pair of games, not two.
fn takes_time(failure: &str) -> bool {
    matches!(failure, "late" | "stall" | "talk")
}

/// A match of a program that fails after some moves of every game, as the first player, against a
/// random engine: its game records and what the match prints.
fn against_random(
    test: &str,
    protocol: &str,
    failure: &str,
    after: u32,
    more: &[&str],
) -> (Vec<Value>, String) {
    let records = fresh_file(&format!("{test}.jsonl"));
    let [cmd, own] = scripted(&format!("{protocol} hadron5 {failure} {after}"));
    let pgnout = format!("file={}", records.display());
    let proto = format!("proto={protocol}");
    // No player is late by load alone; but one that is late on purpose must not need long.
    let (rounds, time) = if takes_time(failure) { ("1", "st=0.5") } else { ("2", "st=20") };
    let mut words = vec![
        "match",
        "-game",
        "hadron5",
        "-rounds",
        rounds,
        "-each",
        time,
        "timemargin=500",
        "-engine",
        "name=Program",
        &cmd,
        &own,
        &proto,
        "-engine",
        "name=Random",
        "option.engine=random",
        "-pgnout",
        &pgnout,
    ];
    words.extend(more);
    let output = run(words);
    let (text, errors) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    let lines = fs::read_to_string(&records).unwrap();
    let replayed = run(["replay", records.to_str().unwrap()]);
    let all_right = format!("{} games, 0 wrong\n", 2 * rounds.parse::<u32>().unwrap());
    assert!(texts(&replayed).0.ends_with(&all_right), "{}", texts(&replayed).0);
    (lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), text)
}

/// Every game of a match ends by the program's failure, for a reason that begins so after the
/// colour, and is counted in that line of the program's faults.
fn fails(test: &str, protocol: &str, failure: &str, after: u32, reason: &str, line: &str) {
    let (records, text) = against_random(test, protocol, failure, after, &[]);
    let games = if takes_time(failure) { 2 } else { 4 };
    assert_eq!(records.len(), games);
    for record in &records {
        let white = record["white"] == "Program";
        let (colour, result) = if white { ("White", "0-1") } else { ("Black", "1-0") };
        assert_eq!(record["result"], result, "{record}");
        let found = record["reason"].as_str().unwrap();
        assert!(found.starts_with(&format!("{colour} {reason}")), "{found}");
        let own = record["moves"].as_array().unwrap().len().div_ceil(2);
        assert!(own as u32 <= after + 1, "{record}");
    }
    let faults = text.split("Player: Program\n").nth(1).unwrap();
    assert!(
        faults.split("Player: ").next().unwrap().contains(&format!("   {line}: {games}\n")),
        "{text}"
    );
    let counts = format!("Games: {games}, Wins: 0, Losses: {games}, Draws: 0,");
    assert!(text.contains(&counts), "{text}");
}

#[test]
fn a_program_over_pipes_plays_whole_games() {
    let (records, text) = against_random("pipes", "ugi", "never", 0, &["-concurrency", "2"]);
    assert!(records.iter().all(|record| record["cause"] == "rule"), "{text}");
    let moves = records[0]["moves"].as_array().unwrap();
    // The values of the program for its moves, and those of the engine.
    let (own, other) = if records[0]["white"] == "Program" { (0, 1) } else { (1, 0) };
    assert_eq!((&moves[own]["cp"], &moves[own]["depth"]), (&7.into(), &1.into()));
    assert!(moves[own].get("value").is_none() && moves[other].get("value").is_some());
    assert!(text.contains("(20/move, NULL - 1t, NULL - 64MB, opening: plies=4)"), "{text}");
}

/// What a program says after its move is no answer to the next question.
#[test]
fn a_program_that_repeats_itself_plays_whole_games() {
    let (records, text) = against_random("echo", "ugi", "echo", 0, &[]);
    assert!(records.iter().all(|record| record["cause"] == "rule"), "{text}");
}

#[test]
fn a_client_plays_whole_games_through_the_referee() {
    let (records, text) = against_random("client", "tcp", "never", 0, &["-concurrency", "2"]);
    assert!(records.iter().all(|record| record["cause"] == "rule"), "{text}");
    assert!(records.iter().all(|record| record["opening"].as_array().unwrap().is_empty()));
    let moves = records[0]["moves"].as_array().unwrap();
    let other = usize::from(records[0]["white"] == "Program");
    assert!(moves[other].get("value").is_some(), "the engine's own words are kept");
}

#[test]
fn a_program_that_ends() {
    fails("crash", "ugi", "crash", 2, "disconnects", "Crashed");
}

#[test]
fn a_program_that_stalls() {
    fails("stall", "ugi", "stall", 1, "stalls", "Crashed");
}

#[test]
fn a_program_that_talks_on_and_on() {
    fails("talk", "ugi", "talk", 1, "stalls", "Crashed");
}

#[test]
fn a_client_that_talks_on_and_on() {
    fails(
        "client_talk",
        "tcp",
        "talk",
        1,
        "makes an illegal move (sent a line without a move",
        "Illegal moves",
    );
}

#[test]
fn a_program_that_makes_an_illegal_move() {
    fails("illegal", "ugi", "illegal", 2, "makes an illegal move: `Z9,Q`", "Illegal moves");
}

#[test]
fn a_program_that_is_late() {
    fails("late", "ugi", "late", 1, "loses on time (", "Timeouts");
}

#[test]
fn a_client_that_ends() {
    fails("client_crash", "tcp", "crash", 2, "disconnects", "Crashed");
}

#[test]
fn a_client_that_stalls_is_late() {
    fails("client_stall", "tcp", "stall", 1, "loses on time (", "Timeouts");
}

#[test]
fn a_client_that_makes_an_illegal_move() {
    fails("client_illegal", "tcp", "illegal", 2, "makes an illegal move: `Z9,Q`", "Illegal moves");
}

#[test]
fn a_client_that_is_late() {
    fails("client_late", "tcp", "late", 1, "loses on time (", "Timeouts");
}

/// The overrun is what came beyond the time, not the margin.
#[test]
fn the_delay_is_reported() {
    let (records, _) = against_random("overrun", "ugi", "late", 0, &[]);
    let reason = records[0]["reason"].as_str().unwrap();
    let over = reason.split('(').nth(1).unwrap().split(' ').next().unwrap();
    assert!(over.parse::<u32>().unwrap() >= 1000, "{reason}");
}

#[test]
fn a_program_meets_a_client() {
    let [cmd, ugi] = scripted("ugi murus never 0");
    let [_, tcp] = scripted("tcp murus never 0");
    let output = run([
        "match",
        "-game",
        "murus",
        "-rounds",
        "1",
        "-each",
        "st=20",
        &cmd,
        "-engine",
        "name=A",
        "proto=ugi",
        &ugi,
        "-engine",
        "name=B",
        "proto=tcp",
        &tcp,
        "-engine",
        "name=C",
        "proto=tcp",
        &tcp,
        "-maxmoves",
        "3",
    ]);
    let (text, errors) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert!(text.contains("\nRank Name "), "{text}");
    assert_eq!(text.matches(" 100.00% ").count(), 3, "all drawn by the move limit: {text}");
}

/// The protocol of Hadron has no word for a tie.
#[test]
fn a_limit_of_moves_is_refused_where_clients_know_no_tie() {
    let [cmd, tcp] = scripted("tcp hadron5 never 0");
    let mut words = vec!["match", "-game", "hadron5", "-rounds", "1", "-maxmoves", "3", "-each"];
    words.extend(["st=20", "proto=tcp", &cmd, &tcp, "-engine", "name=A", "-engine", "name=B"]);
    let output = run(words);
    let (_, errors) = texts(&output);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors.contains("match: found -maxmoves with proto=tcp in hadron5"), "{errors}");
}

/// The running programs that were started as players that fail like this.
#[cfg(target_os = "linux")]
fn alive(how: &str) -> Vec<String> {
    let commands = fs::read_dir("/proc").unwrap().filter_map(|entry| {
        let command = fs::read(entry.ok()?.path().join("cmdline")).ok()?;
        let command = String::from_utf8_lossy(&command).replace('\0', " ");
        // The match has the words among its own too.
        let plays =
            command.contains(&format!("stress player {how}")) && !command.contains(" match ");
        plays.then_some(command)
    });
    commands.collect()
}

/// A program that ignores `quit` is ended; none outlives the match.
#[test]
#[cfg(target_os = "linux")]
fn no_program_outlives_its_match() {
    let (records, _) = against_random("deaf", "ugi", "deaf", 0, &[]);
    assert_eq!(records.len(), 4);
    assert_eq!(alive("ugi hadron5 deaf"), Vec::<String>::new());
}

/// Nor does a child of a program, nor any program when the match is interrupted.
#[test]
#[cfg(target_os = "linux")]
fn nothing_that_a_program_has_started_outlives_its_match() {
    let lab = env!("CARGO_BIN_EXE_alesia-lab");
    let wrapped = |how: &str| format!("args=-c \"{lab} stress player {how}; true\"");
    let words = |how: &str| {
        let words = "match -game hadron5 -rounds 1 -each nodes=1 -engine name=B \
                     option.engine=random -engine name=A cmd=sh";
        let words = words.split_whitespace().map(str::to_owned);
        words.chain([wrapped(how)]).collect::<Vec<String>>()
    };
    assert_eq!(run(words("ugi hadron5 crash 3")).status.code(), Some(0));
    assert_eq!(alive("ugi hadron5 crash 3"), Vec::<String>::new());

    let mut child = std::process::Command::new(lab)
        .args(words("ugi hadron5 stall 4"))
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let wait_until = |what: &dyn Fn() -> bool| {
        let begin = std::time::Instant::now();
        while !what() {
            assert!(begin.elapsed().as_secs() < 20, "waited in vain");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    };
    wait_until(&|| !alive("ugi hadron5 stall 4").is_empty());
    let told = std::process::Command::new("kill").arg(child.id().to_string()).status();
    assert!(told.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    wait_until(&|| alive("ugi hadron5 stall 4").is_empty());
}

#[test]
fn a_program_that_cannot_start_ends_the_match_or_loses() {
    let words = |cmd: &'static str| {
        let rest = "-engine name=B option.engine=random -each nodes=1 -rounds 1 -game hadron5";
        let all = format!("match -engine name=A cmd={cmd} {rest}");
        all.split_whitespace().map(str::to_owned).collect::<Vec<String>>()
    };
    let output = run(words("./no-such-program"));
    assert_eq!(output.status.code(), Some(1));
    let (_, errors) = texts(&output);
    assert!(errors.starts_with("alesia-lab: -engine A, cmd=./no-such-program: "), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");

    let tcp = || words("./no-such-program proto=tcp st=1");
    let output = run(tcp());
    assert_eq!(output.status.code(), Some(1));
    let (_, errors) = texts(&output);
    assert!(errors.starts_with("alesia-lab: -engine A, cmd=./no-such-program: "), "{errors}");
    for mut recovering in [words("./no-such-program"), tcp()] {
        recovering.push("-recover".to_owned());
        let output = run(recovering);
        assert_eq!(output.status.code(), Some(0));
        assert!(texts(&output).0.contains("Crashed: 2\n"), "{}", texts(&output).0);
    }
}

#[test]
fn an_option_that_a_program_does_not_have_is_refused() {
    let [cmd, args] = scripted("ugi hadron5 never 0");
    let start = |option| {
        run([
            "match",
            "-game",
            "hadron5",
            "-rounds",
            "1",
            "-each",
            "nodes=1",
            "-engine",
            "name=A",
            &cmd,
            &args,
            option,
            "-engine",
            "name=B",
            "option.engine=random",
        ])
    };
    assert_eq!(start("option.style=wild").status.code(), Some(0), "names in any case");
    let output = start("option.Luck=1");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        texts(&output).1,
        "alesia-lab: -engine A, option: found `Luck`, expected one of Style\n"
    );
}

#[test]
fn a_program_is_started_once_or_for_every_game() {
    let starts = |restart: &str, failure: &str| {
        let log = fresh_file(&format!("starts_{restart}_{failure}.log"));
        let (file, restart) = (format!("file={}", log.display()), format!("restart={restart}"));
        let [cmd, args] = scripted(&format!("ugi hadron5 {failure} 1"));
        let output = run([
            "match",
            "-game",
            "hadron5",
            "-rounds",
            "2",
            "-each",
            "nodes=1",
            "-engine",
            "name=A",
            &cmd,
            &args,
            &restart,
            "-engine",
            "name=B",
            "option.engine=random",
            "-log",
            &file,
        ]);
        assert_eq!(output.status.code(), Some(0));
        fs::read_to_string(log).unwrap().matches("A < ugi\n").count()
    };
    assert_eq!(starts("off", "never"), 1);
    assert_eq!(starts("on", "never"), 4);
    assert_eq!(starts("off", "crash"), 4, "after a crash too");
}

#[test]
fn logs_lines_to_and_from_programs() {
    let log = fresh_file("dialogue.log");
    let file = format!("file={}", log.display());
    against_random("logged", "ugi", "never", 0, &["-log", &file, "level=debug"]);
    let text = fs::read_to_string(log).unwrap();
    for part in [
        "Program < ugi\n",
        "Program > ugiok\n",
        "Program < uginewgame\n",
        "Program < position startpos moves ",
        "Program < go movetime 20000\n",
        "Program > bestmove ",
        "pair 1 leg 1: Random against Program\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}
