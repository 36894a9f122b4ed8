//! What a match keeps: one writer for each file, records that are whole, inputs that end.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::lab::{fresh_file, fresh_folder, run, signal, start, texts, wait_until};

const LAB: &str = env!("CARGO_BIN_EXE_alesia-lab");

/// A match that is the same wherever and whenever it is played, on a board that is soon solved.
const MATCH: &str = "match -game hadron4 -engine name=Tree -engine name=Other \
                     option.engine=alphabeta -each nodes=60 option.memory=1MiB -openings plies=2";

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// The only line of a run that fails with this status.
fn refused(words: Vec<String>, status: i32) -> String {
    let output = run(&words);
    let (text, errors) = texts(&output);
    assert_eq!((output.status.code(), text.as_str()), (Some(status), ""), "{words:?}: {errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    errors
}

/// A match whose program says nothing from the start, with its words.
fn waiting(more: &str) -> Vec<String> {
    let mut words = words(&format!(
        "match -game hadron5 -rounds 1 -engine name=B option.engine=random -each nodes=1 {more} \
         -engine name=A cmd={LAB}"
    ));
    words.push("args=stress player ugi hadron5 mute 0".to_owned());
    words
}

fn end(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_file_of_games_has_one_writer() {
    for option in ["-config", "-pgnout"] {
        let file = fresh_file(&format!("one_writer{option}.jsonl"));
        let words = waiting(&format!("{option} file={}", file.display()));
        let child = start(&words);
        let lock = format!("{}.lock", file.display());
        let owner = || fs::read_to_string(&lock).unwrap_or_default();
        wait_until("the file is locked", || owner() == format!("{}\n", child.id()));
        let expected = format!(
            "alesia-lab: {option}, file={}: found in use by process {}, expected one writer \
             ({lock} is locked)\n",
            file.display(),
            child.id()
        );
        assert_eq!(refused(words.clone(), 1), expected);
        // By any name.
        let other = fresh_file(&format!("other_name{option}.jsonl"));
        std::os::unix::fs::symlink(&file, &other).unwrap();
        let by_other = words.iter().map(|word| word.replace("one_writer", "other_name"));
        assert!(refused(by_other.collect(), 1).contains(": found in use by process "));
        end(child);
        // A writer that was killed stops nobody.
        let next = start(&words);
        wait_until("the next is there", || owner() == format!("{}\n", next.id()));
        end(next);
    }
    let file = fresh_file("both.jsonl");
    let name = file.display();
    let error =
        refused(words(&format!("{MATCH} -rounds 1 -config file={name} -pgnout file={name}")), 1);
    assert!(error.contains("found in use for another option of this command"), "{error}");
    run(words(&format!("{MATCH} -rounds 1 -pgnout file={name}")));
    assert!(!Path::new(&format!("{name}.lock")).exists(), "nothing is left behind");
}

#[test]
fn a_tournament_has_one_writer() {
    let path = fresh_file("one_writer.toml");
    let folder = path.with_extension("");
    let _ = fs::remove_dir_all(&folder);
    let text = format!(
        "game = \"hadron5\"\ndraw = 1\n[each]\nnodes = 1\n[[player]]\nname = \"A\"\n\
         option.engine = \"random\"\n[[player]]\nname = \"B\"\ncmd = '{LAB}'\n\
         args = \"stress player ugi hadron5 mute 0\"\n"
    );
    fs::write(&path, text).unwrap();
    let words = ["tournament".to_owned(), path.display().to_string()];
    let child = start(&words);
    let lock = folder.join("games.jsonl.lock");
    let owner = format!("{}\n", child.id());
    wait_until("the folder is locked", || fs::read_to_string(&lock).unwrap_or_default() == owner);
    let error = refused(words.to_vec(), 1);
    let by = format!("games.jsonl: found in use by process {}, expected one", child.id());
    assert!(error.contains(&by), "{error}");
    end(child);
}

#[test]
fn the_head_of_a_match_is_written_before_its_first_game() {
    let file = fresh_file("head.config");
    let child = start(waiting(&format!("-config file={}", file.display())));
    wait_until("there is a head", || {
        fs::read_to_string(&file).is_ok_and(|text| text.ends_with("}\n"))
    });
    end(child);
    let text = fs::read_to_string(&file).unwrap();
    assert!(
        text.starts_with("{\"match\":[\"-game\",\"hadron5\"") && text.lines().count() == 1,
        "{text}"
    );
}

#[test]
fn refuses_changed_settings_when_a_match_continues() {
    let file = fresh_file("changed.config");
    let name = file.display().to_string();
    let all = words(&format!("{MATCH} -rounds 3 -config file={name}"));
    let block = texts(&run(&all)).0;
    let right = fs::read_to_string(&file).unwrap();
    let continued = || words(&format!("match -config file={name}"));
    // Lines of earlier versions have no sums.
    let old: String = right
        .lines()
        .map(|line| format!("{}}}\n", line.split_once(",\"crc32\":").unwrap().0))
        .collect();
    fs::write(&file, &old).unwrap();
    assert_eq!(texts(&run(continued())).0, block);

    let swapped = |text: &str| {
        let (from, to) = if text.contains("\"1-0\"") { ("1-0", "0-1") } else { ("0-1", "1-0") };
        let line = text.lines().nth(1).unwrap();
        text.replace(line, &line.replace(from, to))
    };
    let opening = |text: &str| {
        let line = text.lines().nth(1).unwrap();
        let game: serde_json::Value = serde_json::from_str(line).unwrap();
        let first = game["opening"][0].as_str().unwrap();
        let moved = format!("\"opening\":[],\"moves\":[{{\"move\":\"{first}\",\"ms\":1.0}},");
        let at = line.find("\"opening\":").unwrap();
        let end = line.find("\"moves\":[").unwrap() + "\"moves\":[".len();
        text.replace(line, &(line[..at].to_owned() + &moved + &line[end..]))
    };
    let cases = [
        (swapped(&right), "line 2, crc32: found `"),
        (swapped(&old), "line 2, result: found "),
        (opening(&old), "line 2, opening: found `start, `, expected `start, "),
        (
            old.replace("\"Other\"", "\"Nobody\""),
            "line 2, game: found `hadron4 of Tree against Nobody`",
        ),
    ];
    for (text, expected) in cases {
        fs::write(&file, &text).unwrap();
        let error = refused(continued(), 2);
        assert!(error.contains(expected), "{expected}: {error}");
        assert_eq!(fs::read_to_string(&file).unwrap(), text, "nothing is changed");
    }
    // A game that two writers have played counts once.
    let twice = old.lines().chain([old.lines().nth(2).unwrap()]);
    fs::write(&file, twice.map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let output = run(continued());
    let (text, errors) = texts(&output);
    assert_eq!(text, block);
    assert!(errors.contains("line 8 is a game that came before; it does not count"), "{errors}");
}

/// What a disk lost without power is played again.
#[test]
fn a_lost_line_is_played_again() {
    let file = fresh_file("lost.config");
    let name = file.display().to_string();
    let block = texts(&run(words(&format!("{MATCH} -rounds 3 -config file={name}")))).0;
    let mut bytes = fs::read(&file).unwrap();
    let line = fs::read_to_string(&file).unwrap().lines().nth(3).unwrap().to_owned();
    let at = String::from_utf8(bytes.clone()).unwrap().find(&line).unwrap();
    bytes[at..at + line.len() / 2].fill(0);
    fs::write(&file, &bytes).unwrap();
    let (text, errors) = texts(&run(words(&format!("match -config file={name}"))));
    assert_eq!(text, block, "{errors}");
    assert!(errors.contains("line 4 was lost by the disk; its game is played again"), "{errors}");
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 1 + 6 + 1);
}

/// After a full disk, a match has only whole games, in each of its files the same.
#[test]
fn a_full_disk_leaves_whole_games() {
    let file = fresh_file("full.config");
    let name = file.display().to_string();
    let all = format!("{MATCH} -rounds 20 -config file={name}");
    // The shell limits the size of files.
    let script = format!("ulimit -f 40; exec {LAB} {all}");
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    let (_, errors) = texts(&output);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.lines().last().unwrap().starts_with("alesia-lab: game records: "), "{errors}");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.ends_with("}\n") && text.lines().count() > 2, "{text}");
    let whole = texts(&run(words(&format!("{MATCH} -rounds 20")))).0;
    assert_eq!(texts(&run(words(&all))).0, whole);
}

#[test]
fn inputs_without_end_are_refused() {
    let random = "match -game hadron5 -rounds 1 -each nodes=1 option.engine=random \
                  -engine name=A -engine name=B";
    for device in ["/dev/zero", "/dev/full"] {
        for (command, status) in [
            (format!("replay {device}"), 1),
            (format!("tournament {device} --output none"), 1),
            (format!("{random} -openings file={device}"), 1),
            (format!("{random} -config file={device}"), 1),
            (format!("solve hadron3x3 --resume {device}"), 1),
        ] {
            let error = refused(words(&command), status);
            assert!(error.contains(": found a device"), "{command}: {error}");
        }
        for command in ["replay -", "report - --out none.html", "sprt --stdin --elo0=0 --elo1=5"] {
            let output = Command::new(LAB)
                .args(command.split(' '))
                .stdin(fs::File::open(device).unwrap())
                .output()
                .unwrap();
            let (_, errors) = texts(&output);
            assert_eq!(output.status.code(), Some(1), "{errors}");
            assert!(errors.ends_with(": found a line of more than 16 MiB, expected no more\n"));
            assert_eq!(errors.lines().count(), 1, "{errors}");
        }
    }
}

#[cfg(unix)]
#[test]
fn training_waits_for_no_pipe() {
    let folder = fresh_folder("tune_pipe");
    let pipe = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let (pipe, games) = (pipe.display(), folder.join("g.games"));
    let games = games.display();
    let tune = "train tune murus --games 2 --nodes 5";
    for (command, status) in [
        (format!("{tune} --epochs 0 --data {pipe}"), 1),
        (format!("{tune} --epochs 1 --data {games} --from {pipe} --out {games}.bin"), 2),
    ] {
        let error = refused(words(&command), status);
        assert!(error.contains("a pipe, not a file"), "{command}: {error}");
    }
}

/// What a run prints under limits of the shell, which fails with status 1 in one line.
fn limited(limit: &str, command: &str) -> String {
    let output =
        Command::new("sh").args(["-c", &format!("{limit}; exec {LAB} {command}")]).output();
    let output = output.unwrap();
    let (_, errors) = texts(&output);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    errors
}

#[test]
fn too_few_files_or_threads_are_reported_at_the_start() {
    let program = "args='stress player ugi hadron5 never 0'";
    let command = format!(
        "match -game hadron5 -rounds 100 -concurrency 64 -each nodes=1 -engine name=A cmd={LAB} \
         {program} -engine name=B cmd={LAB} {program}"
    );
    let error = limited("ulimit -n 100", &command);
    let expected = "alesia-lab: -concurrency: found 64, expected at most 5, as the system allows \
                    100 open files and a game needs 11 (ulimit -n)\n";
    assert_eq!(error, expected);

    let command = "match -game hadron5 -rounds 600 -concurrency 1024 -each nodes=1 \
                   option.engine=random -engine name=A -engine name=B";
    let error = limited("ulimit -v 1000000", command);
    assert!(
        error.starts_with("alesia-lab: -concurrency: found 1024, expected at most "),
        "{error}"
    );
    assert!(error.contains(", as the system gives no more threads ("), "{error}");
}

/// The running programs that were started as players that fail like this.
fn alive(how: &str) -> usize {
    let commands = fs::read_dir("/proc").unwrap().filter_map(|entry| {
        let command = fs::read(entry.ok()?.path().join("cmdline")).ok()?;
        let command = String::from_utf8_lossy(&command).replace('\0', " ");
        (command.contains(&format!("stress player {how}")) && !command.contains(" match "))
            .then_some(())
    });
    commands.count()
}

/// Not even a program that ignores the end of its input.
#[test]
fn no_program_outlives_a_match_that_was_killed() {
    let mut all = words(&format!(
        "match -game hadron5 -rounds 1 -engine name=B option.engine=random -each nodes=1 \
         -engine name=A cmd={LAB}"
    ));
    all.push("args=stress player ugi hadron5 stall 0".to_owned());
    let mut child =
        Command::new(LAB).args(&all).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_until("it plays", || alive("ugi hadron5 stall 0") == 1);
    signal(child.id(), "KILL");
    child.wait().unwrap();
    wait_until("it is gone", || alive("ugi hadron5 stall 0") == 0);
}
