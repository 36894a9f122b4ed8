//! `alesia-lab match sprt` as users and scripts see it: what it prints, and its exit status.

use std::io::Write;
use std::process::{Output, Stdio};

use crate::lab;

fn sprt(arguments: &str) -> Output {
    lab::command().arg("sprt").args(arguments.split_whitespace()).output().unwrap()
}

/// What a successful run prints.
fn printed(arguments: &str) -> String {
    let output = sprt(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &*errors), (Some(0), ""), "{arguments}");
    String::from_utf8(output.stdout).unwrap()
}

/// The one line that refuses the arguments.
fn refused(arguments: &str) -> String {
    let output = sprt(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments}");
    assert!(output.stdout.is_empty(), "{arguments}");
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("alesia-lab: ") && text.ends_with('\n'), "{text}");
    text
}

#[test]
fn the_result_block() {
    assert_eq!(
        printed("365 16618 36229 16974 390 --elo0=0 --elo1=2"),
        "Elo: 1.00 +/- 0.92, nElo: 1.96 +/- 1.81\n\
         LOS: 98.31 %, DrawRatio: 51.33 %, PairsRatio: 1.02\n\
         Games: 141152, Points: 70779.0 (50.14 %)\n\
         Ptnml(0-2): [365, 16618, 36229, 16974, 390]\n\
         LLR: 2.25 (-2.94, 2.94) [0.00, 2.00]\n\
         SPRT (normalized Elo): undecided\n"
    );
}

#[test]
fn published_ratios_and_what_they_decide() {
    let cases = [
        (
            "127 4883 10712 5150 104 --elo0=-1.75 --elo1=0.25",
            "LLR: 3.01 (-2.94, 2.94) [-1.75, 0.25]\nSPRT (normalized Elo): H1 accepted\n",
        ),
        (
            "223 9863 21279 10037 246 --elo0=0.5 --elo1=2.5 --model=logistic",
            "LLR: -3.07 (-2.94, 2.94) [0.50, 2.50]\nSPRT (logistic Elo): H0 accepted\n",
        ),
        (
            "365 16618 36229 16974 390 --elo0=0 --elo1=2 --alpha=0.1 --beta=0.2 --model normalized",
            "LLR: 2.25 (-1.50, 2.08) [0.00, 2.00]\nSPRT (normalized Elo): H1 accepted\n",
        ),
    ];
    for (arguments, end) in cases {
        let text = printed(arguments);
        assert!(text.ends_with(end), "{text}");
    }
}

#[test]
fn negative_numbers_are_values_in_either_form() {
    let counts = "127 4883 10712 5150 104";
    let joined = printed(&format!("{counts} --elo0=-1.75 --elo1=-0.25"));
    assert_eq!(joined, printed(&format!("{counts} --elo0 -1.75 --elo1 -.25")));
    assert_eq!(joined, printed(&format!("--elo1 -0.25 --elo0 -1.75 {counts}")));
}

#[test]
fn results_that_leave_numbers_undetermined() {
    let won = printed("0 0 0 0 20 --elo0=0 --elo1=50");
    assert!(won.starts_with("Elo: inf, nElo: inf\nLOS: 100.00 %"), "{won}");
    assert!(won.contains("PairsRatio: inf"), "{won}");
    let even = printed("0 0 20 0 0 --elo0=0 --elo1=50");
    assert!(even.starts_with("Elo: 0.00 +/- 0.00, nElo: 0.00\nLOS: 50.00 %"), "{even}");
    let none = printed("0 0 0 0 0 --elo0=0 --elo1=50");
    assert!(none.contains("\nLLR: 0.00 (-2.94, 2.94) [0.00, 50.00]\n"), "{none}");
    assert!(none.ends_with(": undecided\n"), "{none}");
    // Nothing is too much.
    let most = u32::MAX;
    printed(&format!("{most} {most} {most} {most} {most} --elo0=-2000 --elo1=2000"));
}

#[test]
fn unusable_arguments_are_refused_in_one_line() {
    let cases = [
        ("", "required arguments were not provided"),
        ("1 2 3 4 --elo0=0 --elo1=2", "<WW>"),
        ("1 2 3 4 5", "--elo0 <ELO> --elo1 <ELO>"),
        ("1 2 3 4 5 6 --elo0=0 --elo1=2", "unexpected argument '6'"),
        ("1 2 three 4 5 --elo0=0 --elo1=2", "DD: found `three`, expected a whole number"),
        ("1 2 3.5 4 5 --elo0=0 --elo1=2", "DD: found `3.5`, expected a whole number"),
        ("-1 2 3 4 5 --elo0=0 --elo1=2", "LL: found `-1`, expected a whole number"),
        (
            "1 2 3 4 5000000000 --elo0=0 --elo1=2",
            "WW: found `5000000000`, expected a whole number from 0 to 4294967295",
        ),
        ("1 2 3 4 5 --elo0=x --elo1=2", "--elo0: found `x`, expected a number"),
        ("1 2 3 4 5 --elo0 --elo1=2", "--elo0: found `--elo1=2`, expected a number"),
        ("1 2 3 4 5 --elo0=0 --elo1", "a value is required for '--elo1 <ELO>'"),
        ("1 2 3 4 5 --elo0=nan --elo1=2", "elo0 must be a number from -2000 to 2000, not NaN"),
        ("1 2 3 4 5 --elo0=0 --elo1=inf", "elo1 must be a number from -2000 to 2000, not inf"),
        ("1 2 3 4 5 --elo0=2 --elo1=0", "elo0 must be less than elo1"),
        ("1 2 3 4 5 --elo0=2 --elo1=2", "elo0 must be less than elo1"),
        ("1 2 3 4 5 --elo0=0 --elo1=2 --alpha=0", "alpha must be more than 0 and less than 1"),
        ("1 2 3 4 5 --elo0=0 --elo1=2 --beta=-0.1", "beta must be more than 0 and less than 1"),
        ("1 2 3 4 5 --elo0=0 --elo1=2 --alpha=.5 --beta=.5", "must be less than 1"),
        ("1 2 3 4 5 --elo0=0 --elo1=2 --model=bayesian", "[possible values: normalized, logistic]"),
        ("1 2 3 4 5 --elo0=0 --elo1=2 --elo2=4", "unexpected argument '--elo2'"),
    ];
    for (arguments, reason) in cases {
        let line = refused(arguments);
        assert!(line.contains(reason), "{arguments}: {line}");
    }
}

#[test]
fn help_is_no_error() {
    let text = printed("--help");
    assert!(text.contains("--elo0 <ELO>") && text.contains("[default: normalized]"), "{text}");
}

#[test]
fn recorded_games_end_early_as_the_same_match_with_these_terms() {
    let terms = "score=40 movecount=1";
    let words = "match -game murus -engine name=A nodes=60 -engine name=B nodes=20 -rounds 8 \
                 -each option.memory=1MiB -srand 5";
    let run = |words: Vec<&str>| {
        let output = lab::command().args(words).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    let counts = |text: &[u8]| {
        let text = String::from_utf8_lossy(text).into_owned();
        text.lines().find_map(|line| {
            line.strip_prefix("Ptnml(0-2): [")?.split(']').next().map(str::to_owned)
        })
    };
    let words: Vec<&str> = words.split_whitespace().collect();
    let recorded = run([&words[..], &["-jsonl"]].concat());
    let with_terms: Vec<&str> = ["-resign"].into_iter().chain(terms.split(' ')).collect();
    let played = run([&words[..], &with_terms].concat());
    let after = |terms: &[&str]| {
        let test = ["sprt", "--stdin", "--elo0=0", "--elo1=50"];
        let mut child = lab::command()
            .args(test.iter().chain(terms))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(&recorded).unwrap();
        child.wait_with_output().unwrap().stdout
    };
    let early = after(&["--resign", terms]);
    assert_eq!(counts(&early), counts(&played));
    let own = after(&[]);
    assert_ne!(counts(&own), counts(&early), "the terms change the result of some game");
    let line = String::from_utf8(early).unwrap().lines().last().unwrap().to_owned();
    assert!(line.starts_with("Ended early: ") && line.contains(" of 16 games, "), "{line}");
    assert!(!line.contains(", 0 with another result, "), "{line}");
    assert!(
        refused("--stdin --elo0=0 --elo1=1 --resign movecount=2")
            .contains("--resign: found no score")
    );
}
