//! A match that is told to end, and players that end by themselves.

use std::fs;
use std::path::Path;
use std::process::Child;

use crate::lab::{fresh_file, run, signal, start, texts, wait_until};
use serde_json::Value;

/// A match that is the same wherever and whenever it is played, on a board that is soon solved.
const MATCH: &str = "match -game hadron4 -engine name=Tree -engine name=Other \
                     option.engine=alphabeta -each nodes=60 option.memory=1MiB -openings plies=2";

fn words(text: &str) -> std::vec::IntoIter<String> {
    text.split_whitespace().map(str::to_owned).collect::<Vec<_>>().into_iter()
}

fn lines(file: &Path) -> usize {
    fs::read_to_string(file).map_or(0, |text| text.lines().count())
}

/// Interrupts a match after some games: its outputs.
fn interrupted(mut child: Child, file: &Path, name: &str) -> (String, String) {
    wait_until("there are games", || {
        assert!(child.try_wait().unwrap().is_none(), "still at it");
        lines(file) > 8
    });
    signal(child.id(), name);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    texts(&output)
}

#[test]
fn an_interrupted_match_prints_its_result_and_how_to_continue() {
    let whole = texts(&run(words(&format!("{MATCH} -rounds 60")))).0;
    for name in ["INT", "TERM"] {
        let file = fresh_file(&format!("interrupted {name}.config"));
        let config = ["-config".to_owned(), format!("file={}", file.display())];
        let all = || words(&format!("{MATCH} -rounds 60")).chain(config.clone());
        let (text, errors) = interrupted(start(all()), &file, name);
        assert!(text.contains("\nResults of Tree vs Other ("), "{text}");
        assert!(
            text.ends_with("Player: Other\n   Timeouts: 0\n   Illegal moves: 0\n   Crashed: 0\n")
        );
        let games = lines(&file) - 1;
        let said = format!(
            "alesia-lab: interrupted after {games} of 120 games; continue with: \
             alesia-lab match -config 'file={}'\n",
            file.display()
        );
        assert!(errors.ends_with(&said), "{errors}");
        let continued = run(["match".to_owned()].into_iter().chain(config));
        assert_eq!(texts(&continued).0, whole, "after {name}");
    }
}

/// A program that is only told to end loses no game by it.
#[test]
fn an_interruption_is_no_loss() {
    let lab = env!("CARGO_BIN_EXE_alesia-lab");
    for name in ["INT", "TERM"] {
        let file = fresh_file(&format!("no_loss_{name}.config"));
        let more = format!(
            "match -game hadron5 -rounds 2000 -engine name=A -engine name=B option.engine=random \
             -each nodes=1 -concurrency 4 -config file={}",
            file.display()
        );
        let program = [format!("cmd={lab}"), "args=stress player ugi hadron5 never 0".to_owned()];
        let mut all: Vec<String> = words(&more).collect();
        let at = all.iter().position(|word| word == "name=A").unwrap();
        all.splice(at + 1..at + 1, program);
        interrupted(start(all), &file, name);
        let text = fs::read_to_string(&file).unwrap();
        assert!(!text.contains("disconnect"), "{text}");
    }
}

/// Once the test has decided, the moves under way are waited for.
#[test]
fn an_interruption_after_the_decision_prints_the_result() {
    let [program, config, mark] = ["slow.sh", "decided.config", "slow.mark"].map(fresh_file);
    let _ = [1, 2].map(|number| fs::remove_dir(format!("{}{number}", mark.display())));
    // Two play a game, the second later; all others never answer.
    let (lab, path) = (env!("CARGO_BIN_EXE_alesia-lab"), mark.display());
    let script = format!(
        "exec 2>/dev/null\nhow='never 0'\n\
         if mkdir {path}1; then until [ -e {path}2 ]; do sleep 0.01; done\n\
         elif mkdir {path}2; then sleep 0.5; else how='stall 0'; fi\n\
         exec {lab} stress player ugi hadron5 $how"
    );
    fs::write(&program, script).unwrap();
    let child = start(words(&format!(
        "match -game hadron5 -rounds 9 -engine name=A cmd=sh args={} restart=on -engine name=B \
         option.engine=random -each nodes=1 -concurrency 2 -sprt elo0=0 elo1=200 alpha=0.49 \
         beta=0.49 -config file={}",
        program.display(),
        config.display()
    )));
    wait_until("a pair is played", || lines(&config) == 3);
    // So that the games are counted.
    std::thread::sleep(std::time::Duration::from_millis(300));
    signal(child.id(), "INT");
    let output = child.wait_with_output().unwrap();
    let (text, errors) = texts(&output);
    assert_eq!(output.status.code(), Some(130), "{errors}");
    assert!(text.contains("\nResults of A vs B (") && text.contains(" accepted"), "{text}");
    assert!(errors.contains("alesia-lab: interrupted after 2 of 18 games; "), "{errors}");
}

/// A program that plays a pair and then cannot be started again ends the match, not its games.
#[test]
fn a_match_that_cannot_go_on_prints_the_result_of_its_games() {
    let [program, mark] = ["twice.sh", "twice.mark"].map(fresh_file);
    let _ = [1, 2].map(|number| fs::remove_dir(format!("{}{number}", mark.display())));
    let (lab, path) = (env!("CARGO_BIN_EXE_alesia-lab"), mark.display());
    let script = format!(
        "mkdir {path}1 2>/dev/null || mkdir {path}2 2>/dev/null || exit 9\n\
         exec {lab} stress player ugi hadron5 never 0 2>/dev/null"
    );
    fs::write(&program, script).unwrap();
    let output = run(format!(
        "match -game hadron5 -rounds 9 -engine name=A cmd=sh args={} restart=on -engine name=B \
         option.engine=random -each nodes=1",
        program.display()
    )
    .split_whitespace());
    let (text, errors) = texts(&output);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("-engine A, cmd=sh"), "{errors}");
    assert!(text.contains("\nResults of A vs B (") && text.contains("\nGames: 2, "), "{text}");
}

/// Games of clients end with the match.
#[test]
fn a_match_that_fails_waits_for_no_client() {
    let mark = fresh_file("waits.mark");
    let _ = fs::remove_dir(&mark);
    let script = format!(
        "mkdir {} 2>/dev/null && exec LAB stress player tcp hadron5 stall 0 \"$@\"\nsleep 0.5; exit 9",
        mark.display()
    );
    let begin = std::time::Instant::now();
    let (games, (_, errors), status) =
        against_script("waits", &script, 2, "proto=tcp -concurrency 2");
    assert_eq!((games.len(), status), (0, Some(1)), "{errors}");
    assert!(errors.ends_with(" it ended before it connected (exit status: 9)\n"), "{errors}");
    let seconds = begin.elapsed().as_secs();
    assert!(seconds < 10, "{seconds} s");
}

#[test]
fn a_match_without_a_terminal_outlives_a_hang_up() {
    let file = fresh_file("nohup.config");
    let lab = env!("CARGO_BIN_EXE_alesia-lab");
    let script =
        format!("trap '' HUP; exec {lab} {MATCH} -rounds 60 -config file={}", file.display());
    let mut child = std::process::Command::new("sh")
        .args(["-c", &script])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    wait_until("there are games", || lines(&file) > 8);
    signal(child.id(), "HUP");
    assert!(child.wait().unwrap().success());
    assert_eq!(lines(&file), 121);
}

/// A match against a program that is a script of the shell: its records, outputs and status.
fn against_script(
    test: &str,
    script: &str,
    rounds: u32,
    more: &str,
) -> (Vec<Value>, (String, String), Option<i32>) {
    let [program, records] = ["sh", "jsonl"].map(|end| fresh_file(&format!("{test}.{end}")));
    fs::write(&program, script.replace("LAB", env!("CARGO_BIN_EXE_alesia-lab"))).unwrap();
    let text = format!(
        "match -game hadron5 -rounds {rounds} -engine name=A cmd=sh args={} {more} -engine \
         name=B option.engine=random -each st=20 -pgnout file={}",
        program.display(),
        records.display()
    );
    let output = run(words(&text));
    let lines = fs::read_to_string(&records).unwrap();
    let games = lines.lines().map(|line| serde_json::from_str(line).unwrap());
    (games.collect(), texts(&output), output.status.code())
}

/// Plays once, and dies; then it cannot be started any more.
fn once(test: &str) -> String {
    let mark = fresh_file(&format!("{test}.mark"));
    let mark = mark.display();
    format!(
        "if [ -e {mark} ]; then echo 'no luck' >&2; exit 9; fi; touch {mark}; \
         exec LAB stress player \"$@\" ugi hadron5 crash 2"
    )
}

#[test]
fn a_program_that_cannot_be_started_again_ends_the_match() {
    let (games, (text, errors), status) = against_script("again", &once("again"), 72, "");
    assert_eq!((games.len(), status), (1, Some(1)), "{errors}");
    assert!(text.contains("Games: "), "the result of what was played: {text}");
    let last = errors.lines().last().unwrap();
    let expected = "alesia-lab: -engine A, cmd=sh: found no answer to `ugi` (exit status: 9: no \
                    luck), expected `ugiok`";
    assert_eq!(last, expected);
}

/// Where the rest is lost all the same, that says nothing about strength.
#[test]
fn games_that_were_not_played_decide_nothing() {
    let more = "-recover -sprt elo0=0 elo1=50";
    let (games, (text, errors), status) = against_script("forfeits", &once("forfeits"), 72, more);
    assert_eq!((games.len(), status), (144, Some(0)), "{errors}");
    let reason = |game: &Value| game["reason"].as_str().unwrap().to_owned();
    assert!(reason(&games[0]).ends_with(" disconnects (exit status: 3)"), "{}", games[0]);
    assert!(reason(&games[1]).ends_with(" disconnects (not started)"), "{}", games[1]);
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| line.starts_with("LLR: ")).unwrap();
    let expected = [
        "Decided by a crash, a stall or the clock: 144 of 144 games (100.00 %)",
        "Void for strength: these are more than 2 % of the games",
    ];
    assert_eq!(lines[at + 1..at + 3], expected, "{text}");
    assert!(
        text.contains("\nSPRT ([0.00, 50.00]) does not decide - the result is void\n"),
        "{text}"
    );
    assert!(!text.contains("accepted"), "{text}");

    // Nor where the games are counted later.
    let records = fresh_file("counted.jsonl");
    let all: String = games.iter().map(|game| format!("{game}\n")).collect();
    fs::write(&records, all).unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_alesia-lab"))
        .args(["sprt", "--stdin", "--elo0=0", "--elo1=50"])
        .stdin(fs::File::open(&records).unwrap())
        .output()
        .unwrap();
    let (report, _) = texts(&output);
    assert!(
        report.contains(expected[0]) && report.ends_with("SPRT (normalized Elo): void\n"),
        "{report}"
    );
}

#[test]
fn a_client_that_does_not_connect_ends_the_match() {
    let script = "echo 'no luck' >&2; exit 9";
    let (games, (_, errors), status) = against_script("client_ends", script, 2, "proto=tcp");
    assert_eq!((games.len(), status), (0, Some(1)), "{errors}");
    let expected = "alesia-lab: -engine A, cmd=sh: it ended before it connected (exit status: 9: \
                    no luck)\n";
    assert_eq!(errors, expected);
}

/// How a program ended, and what it said last, stand with the game.
#[test]
fn the_last_words_of_a_program_are_shown_with_its_game() {
    for (test, end, how) in [
        ("status", "exit 7", "exit status: 7"),
        ("signal", "kill -SEGV $$", "signal: 11 (SIGSEGV)"),
    ] {
        let script = format!(
            "LAB stress player ugi hadron5 crash 1\nfor i in 1 2 3 4; do echo \"word $i\" >&2; \
             done\n{end}"
        );
        let (games, (text, errors), status) = against_script(test, &script, 1, "");
        assert_eq!((games.len(), status), (2, Some(0)), "{errors}");
        for game in &games {
            let reason = game["reason"].as_str().unwrap();
            let (_, words) = reason.split_once(" disconnects (").unwrap();
            assert!(words.starts_with(how), "{reason}");
            assert!(words.ends_with(": word 2 / word 3 / word 4)"), "{reason}");
            assert!(errors.contains(reason), "{errors}");
        }
        assert!(text.contains("Crashed: 2\n"), "{text}");
    }
}
