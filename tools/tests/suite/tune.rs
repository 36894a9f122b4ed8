//! `alesia-lab train tune` as users and scripts see it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::lab::{fresh_file, fresh_folder, run, texts};

/// Weights of Murus Gallicus from a few poor games: the output, the games, the weights.
fn tuned(name: &str, arguments: &str) -> (String, String, Vec<u8>) {
    let (data, out) = (fresh_file(&format!("{name}.games")), fresh_file(&format!("{name}.bin")));
    let files = ["--data", data.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let words = "tune murus --engine alphabeta --games 4 --nodes 20 --epochs 1";
    let output = run(words.split(' ').chain(arguments.split(' ')).chain(files));
    let (text, errors) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    let text = text.replace(out.to_str().unwrap(), "FILE");
    (text, fs::read_to_string(data).unwrap(), fs::read(out).unwrap())
}

#[test]
fn weights_are_the_same_whatever_the_threads() {
    let one = tuned("one", "--threads 1");
    assert_eq!(one, tuned("three", "--threads 3"));
    let (text, games, weights) = one;
    let lines: Vec<&str> = text.lines().collect();
    let beginnings = [
        "4 games: ",
        "compiled in: held out value ",
        "epoch 1 of 1: value ",
        "FILE written: held out value ",
    ];
    assert_eq!(lines.len(), beginnings.len(), "{text}");
    for (line, beginning) in lines.iter().zip(beginnings) {
        assert!(line.starts_with(beginning), "{text}");
    }
    assert!(games.starts_with("murus alphabeta nodes=20 seed=1\n"), "{games}");
    assert_eq!(games.lines().count(), 5);
    assert_ne!(weights, tuned("other", "--threads 2 --seed 2").2);
}

/// Runs a command that succeeds: its output, and what it says beside it.
fn succeed(words: &str) -> (String, String) {
    let output = run(words.split_whitespace());
    let (text, errors) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{words}: {errors}");
    (text, errors)
}

/// The one line with which a command is refused.
fn refused(words: &str) -> String {
    let output = run(words.split_whitespace());
    let (text, errors) = texts(&output);
    assert_eq!((output.status.code(), &*text), (Some(2), ""), "{words}: {errors}");
    assert_eq!(errors.lines().count(), 1, "{words}: {errors}");
    errors
}

/// Games that are quickly played.
const GAMES: &str = "tune murus --engine alphabeta --nodes 20 --games 5";

/// The lines of two files of games, in turn.
fn in_turn(files: [&Path; 2]) -> Vec<String> {
    let texts = files.map(|path| fs::read_to_string(path).unwrap());
    let mut lines = texts.each_ref().map(|text| text.lines().skip(1).peekable());
    let mut all = Vec::new();
    while lines[0].peek().is_some() {
        all.extend(lines.iter_mut().filter_map(|lines| Some(lines.next()?.to_owned())));
    }
    all
}

/// All games of a command in one file and in two shards, and the weights of each: `tune` begins the
/// command, `fit` ends it.
fn shards_are_the_whole(folder: &Path, tune: &str, fit: &str) -> [PathBuf; 2] {
    let path = |name: &str| folder.join(name);
    let shown = |name: &str| path(name).display().to_string();
    let tuned = |data: &str, out: &str| {
        let (text, errors) = succeed(&format!("{tune} {fit} --data {data} --out {}", shown(out)));
        assert!(!errors.contains("missing"), "{errors}");
        (text.replace(&shown(out), "FILE"), fs::read(path(out)).unwrap())
    };
    let whole = tuned(&shown("whole.games"), "whole.bin");
    let shards = ["0/2", "1/2"].map(|shard| {
        let file = path(&format!("{}.games", shard.replace('/', "of")));
        let (text, _) = succeed(&format!("{tune} --shard {shard} --data {}", file.display()));
        let [first, last] = text.lines().collect::<Vec<&str>>()[..] else { panic!("{text}") };
        let name = file.display();
        assert!(first.ends_with(&format!(" of shard {shard} in {name}")), "{text}");
        let next = "nothing is fitted; when all shards are played: alesia-lab train tune ";
        assert!(last.starts_with(next), "{text}");
        assert!(last.ends_with(&format!(" --data {name} FILE …")), "{text}");
        file
    });
    let [first, second] = shards.each_ref().map(PathBuf::as_path);
    let games = fs::read_to_string(path("whole.games")).unwrap();
    assert_eq!(in_turn([first, second]), games.lines().skip(1).collect::<Vec<&str>>());
    // In any order, by one option or by several.
    let [first, second] = [first, second].map(|path| path.display().to_string());
    for data in [format!("{second} {first}"), format!("{first} --data {second}")] {
        assert!(tuned(&data, "shards.bin") == whole, "{data}");
    }
    shards
}

#[test]
fn shards_give_the_games_and_the_weights_of_one_run() {
    let folder = fresh_folder("shards");
    let [first, second] = shards_are_the_whole(&folder, GAMES, "--epochs 2");
    let head = fs::read_to_string(&second).unwrap();
    assert!(head.starts_with("murus alphabeta nodes=20 seed=1 shard=1/2\n"), "{head}");
    // Neither locks nor samples are left.
    let names = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.collect();
    names.sort();
    assert_eq!(names, ["0of2.games", "1of2.games", "shards.bin", "whole.bin", "whole.games"]);
    // What is missing is said, and the rest is learned from.
    let (text, errors) = succeed(&format!("{GAMES} --epochs 0 --data {}", first.display()));
    assert!(text.starts_with("3 games: "), "{text}");
    assert!(errors.ends_with("2 of 5 games are missing, first game 1\n"), "{errors}");
}

#[test]
fn a_shard_continues_and_is_no_other() {
    let file = fresh_file("continued.games");
    let data = file.display();
    succeed(&format!("{GAMES} --shard 1/2 --data {data}"));
    let whole = fs::read_to_string(&file).unwrap();
    assert_eq!(whole.lines().count(), 3);
    fs::write(&file, &whole[..whole.len() - 20]).unwrap();
    let (_, errors) = succeed(&format!("{GAMES} --shard 1/2 --data {data}"));
    assert!(errors.contains(", line 3 is incomplete; it is written again\n"), "{errors}");
    assert_eq!(fs::read_to_string(&file).unwrap(), whole);
    let settings = "murus alphabeta nodes=20 seed=1";
    for (options, expected) in [
        ("--shard 0/2", format!("`{settings} shard=0/2`, or another --data FILE")),
        ("--shard 1/3", format!("`{settings} shard=1/3`, or another --data FILE")),
        ("--seed 2 --epochs 0", "`murus alphabeta nodes=20 seed=2`, or another --data ".into()),
    ] {
        let errors = refused(&format!("{GAMES} {options} --data {data}"));
        let found = format!("{data}, line 1: found `{settings} shard=1/2`, expected {expected}");
        assert!(errors.contains(&found), "{errors}");
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), whole);
}

#[test]
fn games_of_other_settings_or_twice_are_refused() {
    let folder = fresh_folder("refused");
    let [whole, shard] = ["whole", "shard"].map(|name| folder.join(name).display().to_string());
    succeed(&format!("tune loa --nodes 2 --games 2 --epochs 0 --data {whole}"));
    succeed(&format!("tune loa --nodes 2 --games 2 --shard 1/2 --data {shard}"));
    let errors = refused(&format!("tune loa --nodes 2 --epochs 0 --data {whole} {shard}"));
    assert!(errors.contains(": found game 1, which "), "{errors}");
    let errors = refused(&format!("tune loa --nodes 3 --epochs 0 --data {shard} {whole}"));
    let expected = format!(
        "alesia-lab: {shard}, line 1: found `loa mcts nodes=2 seed=1 shard=1/2`, expected \
         `loa mcts nodes=3 seed=1`, perhaps with a shard\n"
    );
    assert_eq!(errors, expected);
    let errors = refused(&format!("tune loa --nodes 2 --shard 1/2 --data {shard} {whole}"));
    assert!(
        errors.ends_with("--data: found 2 files, expected one file with --shard\n"),
        "{errors}"
    );
}

#[test]
fn priors_learn_from_the_visits_of_a_tree_search() {
    let (data, out) = (fresh_file("visits.games"), fresh_file("visits.bin"));
    let files = ["--data", data.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let tuned = || {
        let words = "tune murus --engine mcts --nodes 200 --games 4 --epochs 1";
        let output = run(words.split(' ').chain(files));
        let (text, errors) = texts(&output);
        assert_eq!(output.status.code(), Some(0), "{errors}");
        (text, fs::read_to_string(&data).unwrap(), fs::read(&out).unwrap())
    };
    let all = tuned();
    let games = &all.1;
    for line in games.lines().skip(1) {
        assert!(line.contains('/'), "{line}");
    }
    // The games read are those played, and they continue where the file was cut.
    assert_eq!(tuned(), all);
    let third_line = games.match_indices('\n').nth(1).unwrap().0 + 1;
    fs::write(&data, &games[..third_line + 200]).unwrap();
    assert_eq!(tuned(), all);
    // The move played alone, as older files have it, is something else to learn. (One step changes
    // the weights by its sign alone.)
    let older: Vec<String> = games
        .lines()
        .map(|line| {
            let words = line.split(' ').map(|word| word.split('/').next().unwrap());
            words.collect::<Vec<&str>>().join(" ")
        })
        .collect();
    fs::write(&data, older.join("\n") + "\n").unwrap();
    assert_ne!(tuned().0, all.0);
}

#[test]
fn fitting_may_begin_with_weights_there_are() {
    let there_are = concat!(env!("CARGO_MANIFEST_DIR"), "/../src/games/murus/weights.bin");
    let weights = |rate| tuned("from", &format!("--rate {rate} --from {there_are}")).2;
    // A change below the rounding has no effect.
    assert!(weights("1e-9") == fs::read(there_are).unwrap());
    assert!(weights("0.01") != fs::read(there_are).unwrap());
}

#[test]
fn no_epochs_no_weights() {
    let data = fresh_file("only.games");
    let words = "tune loa --engine mcts --games 2 --nodes 5 --epochs 0 --data";
    let output = run(words.split(' ').chain([data.to_str().unwrap()]));
    let (text, errors) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(fs::read_to_string(&data).unwrap().starts_with("loa mcts nodes=5 seed=1\n"));
    // Other games are not mixed with them.
    let words = "tune loa --engine mcts --games 3 --nodes 6 --epochs 0 --data";
    let output = run(words.split(' ').chain([data.to_str().unwrap()]));
    let expected = "line 1: found `loa mcts nodes=5 seed=1`, expected `loa mcts nodes=6 seed=1`, or \
                    another --data FILE\n";
    let errors = texts(&output).1;
    assert_eq!(output.status.code(), Some(2));
    assert!(errors.ends_with(expected), "{errors}");
}

#[test]
fn unusable_arguments_are_reported_in_one_line() {
    let cases = [
        ("lao", "'<GAME>': game: found `lao`, expected murus, hadron, loa or voidrider"),
        ("none.ini:small", "none.ini: found "),
        (
            "variant:none",
            "expected murus, hadron, loa or voidrider, or variant:NAME, FILE.ini, FILE.ini:NAME",
        ),
        ("murus --epochs 0 --weights Cargo.toml", "expected none: those of Murus Gallicus are"),
        (
            "variant:gardner --epochs 0 --weights Cargo.toml",
            "--weights, Cargo.toml: found another file",
        ),
        ("variant:gardner --epochs 0 --from Cargo.toml", "--from, Cargo.toml: found another file"),
        ("murus --games 1", "--games: found `1`, expected a whole number from 2 to 10000000"),
        ("murus --nodes 0", "--nodes: found `0`, expected a whole number from 1"),
        ("murus --rate 0", "'--rate <RATE>': expected a number above 0, at most 1, such as 0.002"),
        ("murus --result-share 2", "'--result-share <SHARE>': expected a number from 0 to 1, such"),
        (
            "murus --shard 4/4",
            "'--shard <I/N>': expected I/N, I from 0 to N - 1 and N up to 10000,",
        ),
        ("murus --shard 0/2 --epochs 3", "'--shard <I/N>' cannot be used with '--epochs <N>'"),
        ("murus --epochs 0 --from none.bin", "--from, none.bin: found No such file"),
        (
            "murus --epochs 0 --from ../src/games/loa/weights.bin",
            "bytes, expected weights of murus, with a hidden layer of the same size or smaller",
        ),
        ("murus --out none/there.bin", "--out: cannot write none/there.bin, expected a file"),
        ("murus", "--out: cannot write src/games/murus/weights.bin, expected to run at the root"),
    ];
    for (arguments, expected) in cases {
        let output = run(["tune"].into_iter().chain(arguments.split(' ')));
        let (text, errors) = texts(&output);
        assert_eq!((output.status.code(), &*text), (Some(2), ""), "{arguments}: {errors}");
        assert!(errors.contains(expected), "{arguments}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
    }
}

#[test]
fn shards_of_a_variant_give_the_weights_of_one_run() {
    let folder = fresh_folder("shards_of_a_variant");
    let definitions = folder.join("small.ini");
    fs::write(&definitions, SMALL).unwrap();
    let tune = format!("tune {}:small --games 6 --nodes 20", definitions.display());
    let shards = shards_are_the_whole(&folder, &tune, "--epochs 2");
    let head = fs::read_to_string(&shards[0]).unwrap();
    assert!(head.starts_with("variant small "), "{head}");
    assert!(head.lines().next().unwrap().ends_with(" mcts nodes=20 seed=1 shard=0/2"), "{head}");
}

/// Definitions of a small variant and of another one like it.
const SMALL: &str = "[small]\nking = k\nrook = r\nmaxFile = 4\nmaxRank = 4\ncastling = false\n\
                     startFen = kr2/4/4/2RK w - - 0 1\n[other:small]\nnMoveRule = 20\n";

#[test]
fn a_variant_learns_weights_that_only_it_reads() {
    let definitions = fresh_file("small.ini");
    fs::write(&definitions, SMALL).unwrap();
    let path = definitions.to_str().unwrap();
    let beside = |ending: &str| definitions.with_extension(ending);
    for ending in ["small.weights", "small.games"] {
        let _ = fs::remove_file(beside(ending));
    }
    let tune = |more: &str| {
        let words = format!("tune {path}:small --games 6 --nodes 30 --epochs 2 {more}");
        let output = run(words.trim().split(' '));
        let (text, errors) = texts(&output);
        assert_eq!(output.status.code(), Some(0), "{errors}");
        text
    };
    let lines = tune("");
    assert!(lines.contains("\ncomputed: held out value "), "{lines}");
    assert!(lines.contains("small.weights written: held out value "), "{lines}");
    let first = fs::read(beside("small.weights")).unwrap();
    assert!(first.starts_with(b"alesia weights 2: small "), "{lines}");
    assert!(fs::read_to_string(beside("small.games")).unwrap().starts_with("variant small "));
    // A second round: the weights play, and learning begins with them.
    let weights = beside("small.weights");
    let (games, second) = (fresh_file("second.games"), fresh_file("second.weights"));
    let of_first = weights.display();
    let lines = tune(&format!(
        "--weights {of_first} --from {of_first} --data {} --out {}",
        games.display(),
        second.display()
    ));
    assert!(lines.contains("\n--weights: held out value "), "{lines}");
    assert_ne!(fs::read(&second).unwrap(), first);
    // Both read by engines of a match, and not by those of another variant.
    let play = |game: &str| {
        let words = format!(
            "match -game {path}:{game} -rounds 1 -each nodes=50 -engine name=a option.weights={} \
             -engine name=b option.engine=alphabeta option.weights={of_first}",
            second.display()
        );
        run(words.split_whitespace())
    };
    let output = play("small");
    assert_eq!(output.status.code(), Some(0), "{}", texts(&output).1);
    let output = play("other");
    let (_, errors) = texts(&output);
    assert_eq!((output.status.code(), errors.lines().count()), (Some(2), 1), "{errors}");
    assert!(errors.contains("found those of small with "), "{errors}");
    assert!(errors.contains("expected weights of other with the definition "), "{errors}");
}
