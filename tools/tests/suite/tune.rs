//! `alesia-lab tune` as users and scripts see it.

use std::fs;

use crate::lab::{fresh_file, run, texts};

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
        ("hadron", "'<GAME>': game: found `hadron`, expected murus, loa or voidrider"),
        ("none.ini:small", "none.ini: found "),
        (
            "variant:none",
            "expected murus, loa or voidrider, or variant:NAME, FILE.ini, FILE.ini:NAME",
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
        ("murus --epochs 0 --from none.bin", "--from: none.bin: "),
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
fn a_variant_learns_weights_that_only_it_reads() {
    let definitions = fresh_file("small.ini");
    let text = "[small]\nking = k\nrook = r\nmaxFile = 4\nmaxRank = 4\ncastling = false\n\
                startFen = kr2/4/4/2RK w - - 0 1\n[other:small]\nnMoveRule = 20\n";
    fs::write(&definitions, text).unwrap();
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
    assert!(first.starts_with(b"alesia weights 1: small "), "{lines}");
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
