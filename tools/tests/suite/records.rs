//! Matches in parts: game records, interrupted matches, and pairs of games that are played
//! elsewhere and come together again.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::lab::{self, fresh_file, run, texts};

/// A match that is the same wherever and whenever it is played, on a board that is soon solved.
const MATCH: &str = "-game hadron4 -engine name=Tree -engine name=Other option.engine=alphabeta \
                     -each nodes=60 option.memory=1MiB -openings plies=2 -srand 5";

/// What a run with these words prints to standard output.
fn printed(words: &str) -> String {
    let output = run(words.split_whitespace());
    let (text, errors) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{words}: {errors}");
    text
}

/// The error of a run that fails with this status.
fn refused(words: &str, status: i32) -> String {
    let output = run(words.split_whitespace());
    assert_eq!(output.status.code(), Some(status), "{words}");
    let (_, errors) = texts(&output);
    errors.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn a_value_like_an_option_is_none() {
    let file = fresh_file("value.config");
    let words = format!("match {MATCH} -rounds 1 -event config -site configure -config file=");
    printed(&format!("{words}{}", file.display()));
    let text = fs::read_to_string(&file).unwrap();
    let expected = "\"event\":\"config\",\"site\":\"configure\"";
    assert_eq!(text.matches(expected).count(), 2, "{text}");
}

#[test]
fn games_are_appended_to_games_alone() {
    for (name, content, form) in [
        ("notes.jsonl", "my notes\n", "game records"),
        ("games.jsonl", "[Event \"?\"]\n", "game records"),
        ("records.pgn", "{\"seed\":0}\n", "games in PGN"),
    ] {
        let file = fresh_file(name);
        fs::write(&file, content).unwrap();
        let words = format!("match {MATCH} -rounds 1 -pgnout file={}", file.display());
        let error = refused(&words, 1);
        let expected = format!("found something else in it, expected a new file or one of {form}");
        assert!(error.ends_with(&expected), "{error}");
        assert_eq!(fs::read_to_string(&file).unwrap(), content);
    }
}

/// Game records without the times of their moves, which are not reproducible.
fn without_times(lines: &str) -> Vec<serde_json::Value> {
    let read = |line| serde_json::from_str::<serde_json::Value>(line).unwrap();
    let mut records: Vec<_> = lines.lines().map(read).collect();
    for record in &mut records {
        // The sum of a line with its times.
        record.as_object_mut().unwrap().remove("crc32").unwrap();
        for m in record["moves"].as_array_mut().unwrap() {
            m.as_object_mut().unwrap().remove("ms").unwrap();
        }
    }
    records
}

/// Records as earlier versions wrote them, which may be changed.
fn without_sums(lines: &str) -> String {
    let line = |line: &str| format!("{}}}\n", line.split_once(",\"crc32\":").unwrap().0);
    lines.lines().map(line).collect()
}

/// Standard output of `sprt --stdin` and what it says of the stream.
fn counted(stream: &str, test: &str) -> (String, String) {
    let mut child = lab::command()
        .args("sprt --stdin".split(' '))
        .args(test.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may end before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(stream.as_bytes());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    texts(&output)
}

#[test]
fn parts_of_a_match_are_the_whole() {
    let whole = without_times(&printed(&format!("match {MATCH} -rounds 6 -jsonl")));
    assert_eq!(whole.len(), 12);
    let part = |pairs: &str| printed(&format!("match {MATCH} --pairs {pairs} --jsonl"));
    let parts = [part("0..1"), part("1..4"), part("4..6")].concat();
    assert_eq!(without_times(&parts), whole);
    let seeded = MATCH.replace("-srand", "--seed");
    assert_eq!(without_times(&printed(&format!("match {seeded} -pairs 0..6 -jsonl"))), whole);
    for (number, record) in whole.iter().enumerate() {
        assert_eq!((&record["pair"], &record["leg"]), (&(number / 2).into(), &(number % 2).into()));
        assert_eq!(record["seed"], 5);
        assert_eq!(record["opening"], whole[number / 2 * 2]["opening"], "shared by a pair");
    }
}

#[test]
fn a_stream_of_games_is_counted_once_in_any_order() {
    let text = printed(&format!("match {MATCH} -rounds 8 -jsonl"));
    let block = printed(&format!("match {MATCH} -rounds 8 -sprt elo0=0 elo1=5"));
    let mut lines: Vec<&str> = text.lines().collect();
    lines.reverse();
    lines.rotate_left(3);
    let all = format!("{}\n{}\n", lines.join("\n"), lines[..5].join("\n"));
    let (report, said) = counted(&all, "--elo0=0 --elo1=5");
    for line in block.lines().filter(|l| l.starts_with("Elo: ") || l.starts_with("LOS: ")) {
        assert!(report.contains(line), "{line}: {report}");
    }
    assert!(report.contains("Games: 16, ") && report.contains("\nLLR: "), "{report}");
    assert_eq!(said, "alesia-lab: 16 games read; 5 duplicates; 0 unpaired\n");
    // A line cut within a character, and the next game right behind it.
    let behind = format!(
        "{{\"seed\":5,\"pair\":3,\"white\":\"\u{e4}{}\n{}",
        lines[0],
        lines[1..].join("\n")
    );
    let cut = behind.replacen('\u{e4}', "\u{fffd}", 1);
    let (report, said) = counted(&cut, "--elo0=0 --elo1=5");
    assert!(report.contains("Games: 16, ") && said.starts_with("alesia-lab: 16 games"), "{said}");
    // Three quarters of a line, from a machine that was switched off.
    let cut = format!("{}\n{}", &lines[0][..lines[0].len() * 3 / 4], lines[1..].join("\n"));
    let (report, said) = counted(&cut, "--elo0=0 --elo1=5");
    assert!(report.contains("Games: 14, "), "{report}");
    assert!(said.starts_with("alesia-lab: standard input, line 1: found `{"), "{said}");
    assert!(said.ends_with("15 games read; 0 duplicates; 1 unpaired\n"));
}

#[test]
fn counting_ends_when_the_test_decides() {
    let words = MATCH.replace("alphabeta", "random").replace("nodes=60", "nodes=200");
    let text = printed(&format!("match {words} -rounds 40 -jsonl"));
    let (report, said) = counted(&text, "--elo0=0 --elo1=400");
    assert!(report.ends_with("H1 accepted\n"), "{report}");
    let games: u32 = said.split(' ').nth(1).unwrap().parse().unwrap();
    assert!(games < 80, "{said}");
}

#[test]
fn games_of_other_players_are_not_counted_together() {
    let one = without_sums(&printed(&format!("match {MATCH} -rounds 1 -jsonl")));
    let other = one.replace("Other", "Stranger");
    let file = fresh_file("strangers.jsonl");
    fs::write(&file, one + &other).unwrap();
    let output = lab::command()
        .args(["sprt", "--stdin", "--elo0=0", "--elo1=5"])
        .stdin(fs::File::open(file).unwrap())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let expected = "alesia-lab: standard input, line 3: found `hadron4 of Tree vs Stranger`, \
                    expected `hadron4 of Tree vs Other`\n";
    assert_eq!(texts(&output).1, expected);
}

/// A definition that was edited is another game.
#[test]
fn a_match_does_not_continue_by_other_rules() {
    let [rules, config, lines, pgn] =
        ["edited.ini", "edited.config", "edited.jsonl", "edited.pgn"].map(fresh_file);
    let define = |fold: u32| {
        fs::write(&rules, format!("[mine:losalamos]\nnFoldRule = {fold}\n")).unwrap();
    };
    define(3);
    let played = format!(
        "match -game {}:mine -engine name=A -engine name=B -each option.engine=random nodes=1 \
         -openings plies=1 -maxmoves 2 -rounds 1 -pgnout file={}",
        rules.display(),
        pgn.display()
    );
    let words = format!("{played} -config file={}", config.display());
    printed(&words);
    let first = printed(&format!("{played} -jsonl"));
    let (kept, written) = (fs::read(&config).unwrap(), fs::read(&pgn).unwrap());
    define(4);
    let error = refused(&words, 2);
    assert!(error.contains("edited.config, line 2, definition: found `"), "{error}");
    assert!(error.ends_with(", or delete this line to play its game again"), "{error}");
    assert_eq!((fs::read(&config).unwrap(), fs::read(&pgn).unwrap()), (kept, written));

    let second = printed(&format!("{played} -jsonl")).replace("\"pair\":0", "\"pair\":1");
    fs::write(&lines, without_sums(&(first + &second))).unwrap();
    let output = lab::command()
        .args(["sprt", "--stdin", "--elo0=0", "--elo1=5"])
        .stdin(fs::File::open(lines).unwrap())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = texts(&output).1;
    assert!(
        error.starts_with("alesia-lab: standard input, line 3, definition: found `"),
        "{error}"
    );
}

/// A match that was stopped after any number of games, perhaps while it wrote the last, continues
/// and ends as one that was never stopped.
#[test]
fn an_interrupted_match_continues_exactly() {
    let (whole_file, file) = (fresh_file("whole.config"), fresh_file("stopped.config"));
    let words = |path: &Path| {
        format!("match {MATCH} -rounds 7 -sprt elo0=0 elo1=5 -config file={}", path.display())
    };
    let block = printed(&words(&whole_file));
    let whole = fs::read_to_string(&whole_file).unwrap();
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    assert_eq!(lines.len(), 1 + 14);
    for (kept, cut) in [(0, 0), (0, 9), (1, 0), (1, 40), (2, 0), (6, 100), (14, 1), (15, 0)] {
        let next = lines.get(kept).map_or("", |line| &line[..cut]);
        fs::write(&file, lines[..kept].concat() + next).unwrap();
        assert_eq!(printed(&words(&file)), block, "after {kept} lines and {cut} bytes");
        let written = fs::read_to_string(&file).unwrap();
        assert_eq!(written.lines().next(), whole.lines().next());
        let games = |text: &str| without_times(text.split_once('\n').unwrap().1);
        assert_eq!(games(&written), games(&whole));
    }
    let alone = format!("match -config file={}", file.display());
    assert_eq!(printed(&alone), block, "the file knows the match");
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 15, "nothing was played again");

    let other = words(&file).replace("nodes=60", "nodes=61");
    assert_eq!(
        refused(&other, 2),
        format!(
            "alesia-lab: match, word 9: found `nodes=61`, expected `nodes=60`, as in -config, \
             file={}, or -config alone",
            file.display()
        )
    );
    // A file that is no match is not changed.
    for notes in ["no match\n", "no match", "no match\nand no line's end"] {
        fs::write(&file, notes).unwrap();
        let error = refused(&alone, 2);
        assert!(error.contains("stopped.config, line 1: found `no match`, expected a"), "{error}");
        assert_eq!(fs::read_to_string(&file).unwrap(), notes);
    }
    // A line that is cut within a character is cut as any other.
    let mut bytes = lines[..3].concat().into_bytes();
    bytes.extend(b"{\"seed\":5,\"white\":\"\xc3");
    fs::write(&file, bytes).unwrap();
    assert_eq!(printed(&words(&file)), block);
}

#[test]
fn a_killed_match_continues() {
    let file = fresh_file("killed.config");
    let words = format!("match {MATCH} -rounds 60 -config file={}", file.display());
    let mut child = lab::command()
        .args(words.split_whitespace())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    lab::wait_until("there are games", || {
        assert!(child.try_wait().unwrap().is_none(), "still at it");
        fs::read_to_string(&file).is_ok_and(|text| text.lines().count() >= 10)
    });
    child.kill().unwrap();
    child.wait().unwrap();
    let before = fs::read_to_string(&file).unwrap().lines().count();
    assert!(before < 121, "{before}");
    let resumed = printed(&words);
    assert_eq!(resumed, printed(&format!("match {MATCH} -rounds 60 -concurrency 2")));
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 121);
}

#[test]
fn records_are_replayed_and_what_is_wrong_is_found() {
    let file = fresh_file("replayed.jsonl");
    printed(&format!("match {MATCH} -rounds 2 -pgnout file={}", file.display()));
    let replay = format!("replay {}", file.display());
    let text = printed(&replay);
    assert!(text.starts_with("pair 0 leg 0: hadron4, Tree against Other, "), "{text}");
    assert!(text.ends_with("\n4 games, 0 wrong\n"), "{text}");
    let moves = printed(&format!("{replay} --moves"));
    assert!(moves.lines().nth(1).unwrap().starts_with("   3 "), "{moves}");
    assert!(moves.contains(" ms value 0.") && moves.contains(" nodes 60\n"), "{moves}");

    let records = without_sums(&fs::read_to_string(&file).unwrap());
    let other_result = |line: &str| {
        if line.contains("\"1-0\"") {
            line.replace("1-0", "0-1")
        } else {
            line.replace("0-1", "1-0")
        }
    };
    let wrong: Vec<String> = records.lines().map(other_result).collect();
    fs::write(&file, wrong.join("\n")).unwrap();
    let output = run(replay.split_whitespace());
    assert_eq!(output.status.code(), Some(1));
    let (text, _) = texts(&output);
    assert!(
        text.contains("line 1, result: found ") && text.ends_with("4 games, 4 wrong\n"),
        "{text}"
    );
}

/// When a match continues, it plays a game again that the disk has lost; the line stays.
#[test]
fn a_line_that_the_disk_has_lost_is_no_wrong_game() {
    let file = fresh_file("lost.config");
    let words = format!("match {MATCH} -rounds 1 -config file={}", file.display());
    printed(&words);
    let text = fs::read_to_string(&file).unwrap();
    let (head, rest) = text.split_at(text.find('\n').unwrap() + 1);
    let end = rest.find('\n').unwrap();
    let lost = format!("{head}{}{}", "\0".repeat(end), &rest[end..]);
    fs::write(&file, lost).unwrap();
    printed(&words);
    let output = run(["replay", file.to_str().unwrap()]);
    let (text, errors) = texts(&output);
    assert!(text.ends_with("\n2 games, 0 wrong\n"), "{text}");
    assert!(errors.ends_with(", line 2 was lost by the disk; skipped\n"), "{errors}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn records_begin_on_a_line_of_their_own() {
    let file = fresh_file("appended.jsonl");
    // A piece of a record is removed, a line without its end gets it.
    for (before, games) in [("{\"seed\":0,\"pair\":9", 2), ("{\"match\":[]}", 2)] {
        fs::write(&file, before).unwrap();
        printed(&format!("match {MATCH} -rounds 1 -pgnout file={}", file.display()));
        let output = run(["replay", file.to_str().unwrap()]);
        let expected = format!("\n{games} games, 0 wrong\n");
        assert!(texts(&output).0.ends_with(&expected), "{}", texts(&output).0);
    }
}

/// Void, `#`, begins both a comment and a board of Voidrider Chess.
#[test]
fn boards_that_begin_with_void_are_no_comments() {
    let file = fresh_file("voidrider.txt");
    let board =
        "#v###v#/rnbkbnr/#ppppp#/#.....#/#.....#/#.....#/#PPPPP#/RNBKBNR/#V###V# w 0 DdUu 0";
    fs::write(&file, format!("# the start\n{board}\n#\n{board} moves c3-c4\n")).unwrap();
    let words = format!(
        "match -game voidrider -engine name=A -engine name=B -each option.engine=random nodes=1 \
         -maxmoves 1 -rounds 2 -jsonl -openings file={}",
        file.display()
    );
    let records = without_times(&printed(&words));
    assert_eq!((&records[0]["board"], &records[2]["board"]), (&board.into(), &board.into()));
    assert_eq!(records[2]["opening"], serde_json::json!(["c3-c4"]));
}

#[test]
fn openings_of_a_file_are_used_in_turn() {
    let file = fresh_file("openings.txt");
    let board = ".b../..w./..../.... w 2";
    fs::write(&file, format!("# three\nA1 C3\n\n{board}\n{board} moves D1\n")).unwrap();
    let play = |more: &str| {
        let words = MATCH.replace("plies=2", &format!("file={} {more}", file.display()));
        without_times(&printed(&format!("match {words} -rounds 4 -jsonl")))
    };
    let records = play("");
    let begins =
        |index: usize| (records[index]["board"].clone(), records[index]["opening"].clone());
    let null = serde_json::Value::Null;
    assert_eq!(begins(0), (null.clone(), ["A1", "C3"].into()));
    assert_eq!(begins(1), begins(0));
    assert_eq!(begins(2), (board.into(), Vec::<String>::new().into()));
    assert_eq!(begins(4), (board.into(), ["D1"].into()));
    assert_eq!(begins(6), begins(0), "and again");
    let numbered = |moves: [usize; 12]| moves.map(|row| format!("A{}\n", row % 4 + 1)).concat();
    fs::write(&file, numbered(std::array::from_fn(|row| row))).unwrap();
    assert_eq!(play("order=random"), play("order=random"));
    assert_ne!(play("order=random"), play("order=sequential"));

    fs::write(&file, "A1\nA1 A1\n").unwrap();
    let words = MATCH.replace("plies=2", &format!("file={}", file.display()));
    let error = refused(&format!("match {words} -rounds 1"), 2);
    assert!(
        error.contains("openings.txt, line 2, move 2, move: found `A1`, expected a legal"),
        "{error}"
    );
    fs::write(&file, "# none\n").unwrap();
    let error = refused(&format!("match {words} -rounds 1"), 2);
    assert!(
        error.ends_with("openings.txt: found no line, expected an opening on each line"),
        "{error}"
    );
}

#[test]
fn tournaments_of_three() {
    let three = format!("match {MATCH} -engine name=Random option.engine=random -rounds 2");
    let text = printed(&format!("{three} -concurrency 2"));
    let table: Vec<Vec<&str>> =
        text.lines().skip(1).take(4).map(|line| line.split_whitespace().collect()).collect();
    let heads = "Rank Name Elo +/- Games Score Drawn Points Home Away";
    assert_eq!(table[0].join(" "), heads, "{text}");
    let (mut points, mut last) = (0, u32::MAX);
    for (rank, row) in (1..).zip(&table[1..]) {
        assert_eq!((row[0].parse(), row[4]), (Ok(rank), "8"), "{text}");
        let [all, home, away] = [7, 8, 9].map(|column| row[column].parse::<u32>().unwrap());
        assert_eq!(all, home + away);
        assert!(all <= last, "{text}");
        (points, last) = (points + all, all);
    }
    assert!(text.contains("\nRank Name") && text.contains(" nElo "), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    // Hadron has no draws: three points per game.
    assert_eq!(points, 3 * 12, "{text}");
    assert_eq!(table[3][1], "Random", "{text}");

    let records = without_times(&printed(&format!("{three} -tournament gauntlet -jsonl")));
    assert_eq!(records.len(), 8);
    assert!(records.iter().all(|game| game["white"] == "Tree" || game["black"] == "Tree"));
}

#[test]
fn interim_results_are_printed_where_asked_for() {
    let text = printed(&format!("match {MATCH} -rounds 5 -ratinginterval 2"));
    assert_eq!(text.matches("\nResults of Tree vs Other ").count(), 3, "{text}");
    let games: Vec<&str> = text.lines().filter(|line| line.starts_with("Games: ")).collect();
    for (line, count) in games.iter().zip([4, 8, 10]) {
        assert!(line.starts_with(&format!("Games: {count}, ")), "{text}");
    }
}
