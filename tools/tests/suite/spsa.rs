//! `alesia-lab train spsa` as users and scripts see it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::lab::{fresh_file, run, texts};

/// A run of six steps in which games are won and lost, with these words too.
fn words<'a>(file: &'a Path, more: &'a str) -> impl Iterator<Item = &'a str> {
    let words = "spsa loa --tune exploration:0.5,first_children:4 --steps 6 --pairs 2 --nodes 20 \
                 --memory 1MiB --file";
    words.split_whitespace().chain(file.to_str()).chain(more.split_whitespace())
}

/// What such a run prints, and its file.
fn done(name: &str, more: &str) -> (String, PathBuf) {
    let file = fresh_file(name);
    let output = run(words(&file, more));
    let (text, errors) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    (text, file)
}

/// The error of a run, without the file's name.
fn refused(words: &str, file: &Path) -> String {
    let output = run(words.split_whitespace().chain(file.to_str()));
    let (_, errors) = texts(&output);
    assert!(matches!(output.status.code(), Some(1 | 2)), "{errors}");
    errors.replace(file.to_str().unwrap(), "FILE").trim_end().to_owned()
}

#[test]
fn the_same_command_continues_and_gives_the_same_whatever_the_threads() {
    let (text, whole) = done("whole.spsa", "");
    let lines = fs::read_to_string(&whole).unwrap();
    assert_eq!(lines.lines().count(), 7);
    let halves = lines.lines().skip(1).filter(|line| !line.contains("\"points\":2.0"));
    assert!(halves.count() > 1, "steps that one side wins: {lines}");
    // Cut within a line, as by a loss of power.
    for length in [0, 10, lines.len() / 2, lines.len() - 5] {
        let file = fresh_file("cut.spsa");
        fs::write(&file, &lines[..length]).unwrap();
        let (again, _) = texts(&run(words(&file, "--concurrency 3")));
        assert_eq!((again, fs::read_to_string(&file).unwrap()), (text.clone(), lines.clone()));
    }
    let names: Vec<&str> = text.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(names, ["exploration:", "first_children:", "options:", "match:"]);
    let options = text.lines().find_map(|line| line.strip_prefix("options: ")).unwrap();
    assert_ne!(options, "--set exploration=1.4 --set first_children=8", "something was learned");
}

#[test]
fn runs_with_other_seeds_are_averaged() {
    let first_children = |text: &str, name: &str| -> f64 {
        let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.rsplit(' ').next().unwrap().parse().unwrap()
    };
    let (one, other) = (done("one.spsa", ""), done("other.spsa", "--seed 2"));
    let output = run(["spsa", "--mean", one.1.to_str().unwrap(), other.1.to_str().unwrap()]);
    let (mean, _) = texts(&output);
    let [one, other, mean] =
        [&one.0, &other.0, &mean].map(|text| first_children(text, "exploration: from 1.4 to "));
    assert!(one != other && (mean - (one + other) / 2.0).abs() < 1e-6, "{one} {other} {mean}");
}

#[test]
fn a_file_of_something_else_is_refused_and_kept() {
    let (_, file) = done("kept.spsa", "");
    let before = fs::read(&file).unwrap();
    for (words, expected) in [
        ("hadron5", "found spsa \"loa\", expected spsa \"hadron5\""),
        ("loa --nodes 21 --pairs 2", "found nodes 20, expected nodes 21"),
        ("loa --nodes 20 --pairs 2 --steps 7", "found steps 6, expected steps 7"),
        (
            "loa --nodes 20 --pairs 2 --steps 6 --memory 2MiB",
            "found memory 1048576, expected memory 2097152",
        ),
    ] {
        let error = refused(&format!("spsa {words} --file"), &file);
        assert_eq!(error, format!("alesia-lab: FILE, line 1: {expected}, or another file"));
    }
    assert_eq!(fs::read(&file).unwrap(), before);
    for (content, expected) in [
        (
            "a letter",
            "FILE: found `a letter`, expected a new file or one of `alesia-lab train spsa`",
        ),
        (
            "a letter\n",
            "FILE, line 1: found `a letter`, expected a line of `alesia-lab train spsa`",
        ),
    ] {
        fs::write(&file, content).unwrap();
        let error = refused("spsa hadron5 --file", &file);
        assert!(error.starts_with(&format!("alesia-lab: {expected}")), "{error}");
        assert_eq!(fs::read_to_string(&file).unwrap(), content);
    }
}

#[test]
fn only_whole_runs_of_the_same_settings_are_averaged() {
    let (_, file) = done("half.spsa", "");
    let lines = fs::read_to_string(&file).unwrap();
    let part: String = lines.split_inclusive('\n').take(4).collect();
    fs::write(&file, part).unwrap();
    let half = refused("spsa --mean", &file);
    assert_eq!(half, "alesia-lab: FILE: found 3 steps, expected 6 steps");
    fs::write(&file, &lines).unwrap();
    let (_, other) = done("longer.spsa", "--gain 0.2");
    let error = refused(&format!("spsa --mean {}", other.display()), &file);
    assert_eq!(error, "alesia-lab: FILE, line 1: found gain 0.1, expected gain 0.2");
    let twice = refused(&format!("spsa --mean {}", file.display()), &file);
    assert_eq!(twice, "alesia-lab: FILE: found seed 1 again, expected a seed for each run");
    let error = refused("spsa --nodes 20 --mean", &file);
    assert!(error.contains("cannot be used with"), "{error}");
}

/// The tuned player has the new values and what else was set, the other what was set.
#[test]
fn the_last_line_is_a_match_that_can_be_played() {
    let words = "--set exploration=0.8 --set policy_power=2";
    let (text, _) = done("match.spsa", words);
    let line = text.lines().find_map(|line| line.strip_prefix("match: alesia-lab ")).unwrap();
    let before = "-engine name=before option.exploration=0.8 option.policy_power=2 -each nodes=20 \
                  option.memory=1MiB -rounds 200";
    assert!(line.ends_with(before), "{line}");
    assert!(line.contains("name=tuned option.policy_power=2 option.exploration="), "{line}");
    let one_round = line.replace("-rounds 200", "-rounds 1");
    let output = run(one_round.split(' '));
    let (result, errors) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert!(result.contains("Results of tuned vs before"), "{result}");
}

#[test]
fn unusable_words_are_named() {
    for (words, expected) in [
        ("spsa hadron5 --tune luck", "--tune: found `luck`, expected one of exploration, "),
        ("spsa hadron5 --tune exploration,exploration", "--tune: found `exploration` twice, "),
        ("spsa hadron5 --tune exploration:x", "--tune exploration: found `x`, expected a number "),
        ("spsa hadron5 --tune first_children:0.5", "--tune first_children: found `0.5`, expected "),
        ("spsa hadron5 --tune oracle_depth", "expected oracle_depth:STEP, as its value here is 0"),
        ("spsa hadron5 --gain 0", "--gain"),
        ("spsa hadron5 --set exploration=-1", "exploration: found `-1`, expected a number from 0 "),
        ("spsa", "GAME"),
    ] {
        let output = run(words.split(' '));
        let (_, errors) = texts(&output);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{words}: {errors}");
        assert!(errors.contains(expected), "{words}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
    }
}
