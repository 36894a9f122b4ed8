//! `alesia-lab match` as users and scripts see it: the result block, its reproducibility, and
//! refused arguments.

use std::process::Output;

use crate::lab;

fn run(arguments: &str) -> Output {
    lab::command().arg("match").args(arguments.split_whitespace()).output().unwrap()
}

/// What a successful run prints, and its progress.
fn printed(arguments: &str) -> (String, String) {
    let output = run(arguments);
    let progress = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments}: {progress}");
    (String::from_utf8(output.stdout).unwrap(), progress)
}

/// The numbers in a text.
fn numbers(text: &str) -> Vec<f64> {
    let parts = text.split(|c: char| !c.is_ascii_digit() && c != '.' && c != '-');
    parts.filter_map(|part| part.parse().ok()).collect()
}

/// What stands in a text after one mark, up to the next other one.
fn between<'a>(text: &'a str, begin: &str, end: &str) -> &'a str {
    text.split_once(begin).and_then(|(_, rest)| rest.split_once(end)).expect(text).0
}

/// Monte Carlo against an engine, on the smallest tree and a board that is soon solved.
fn against(engine: &str, rest: &str) -> String {
    format!(
        "--game hadron4 -engine name=Tree -engine name=Other option.engine={engine} \
         -each nodes=200 option.memory=1MiB {rest}"
    )
}

#[test]
fn the_result_block() {
    let (text, progress) = printed(&against("random", "-rounds 4 -srand 1 -openings plies=2"));
    let rule = "-".repeat(50);
    let (block, faults) = text.split_at(text.rfind(&rule).unwrap());
    let block = block.strip_prefix(&format!("{rule}\n")).unwrap();
    let lines: Vec<&str> = block.lines().collect();
    assert_eq!(lines.len(), 5, "{text}");
    let none = "   Timeouts: 0\n   Illegal moves: 0\n   Crashed: 0\n";
    assert_eq!(faults, format!("{rule}\nPlayer: Tree\n{none}Player: Other\n{none}"));
    assert_eq!(lines[0], "Results of Tree vs Other (200 nodes, 1t, 1MB, opening: plies=2):");
    // Four pairs say nothing of their spread.
    assert!(lines[1].starts_with("Elo: ") && !lines[1].contains(" +/- "), "{text}");
    assert!(lines[1].contains(", nElo: "), "{text}");
    for part in ["LOS: ", " %, DrawRatio: ", " %, PairsRatio: "] {
        assert!(lines[2].contains(part), "{text}");
    }
    let [games, wins, losses, draws, points, percent] = numbers(lines[3])[..] else {
        panic!("{text}")
    };
    assert_eq!((games, wins + losses + draws), (8.0, 8.0));
    assert_eq!((points, percent), (wins + draws / 2.0, 100.0 * points / games));
    assert!(points >= 6.0, "{text}");
    let counts = lines[4].strip_prefix("Ptnml(0-2): [").unwrap().split(']').next().unwrap();
    assert_eq!(numbers(counts).len(), 5, "{text}");
    assert_eq!(numbers(counts).iter().sum::<f64>(), 4.0, "{text}");
    assert!(lines[4].contains("], WL/DD Ratio: "), "{text}");

    assert_eq!(progress.lines().count(), 4, "{progress}");
    assert!(progress.starts_with("Rounds: 1/4, Ptnml(0-2): ["), "{progress}");
    assert!(progress.lines().all(|line| line.contains(", Elo: ")), "{progress}");
}

#[test]
fn a_result_does_not_depend_on_the_number_of_threads() {
    for engine in ["mcts option.exploration=0.2", "alphabeta", "random"] {
        let rest = "-rounds 12 -srand 3 -sprt elo0=-20 elo1=20 model=logistic -concurrency";
        let once = printed(&against(engine, &format!("{rest} 1")));
        assert_eq!(once, printed(&against(engine, &format!("{rest} 2"))), "{engine}");
        assert_eq!(once, printed(&against(engine, &format!("{rest} 5"))), "{engine}");
    }
}

/// Games of a move or two leave a tree that the next game could reuse.
#[test]
fn short_games_leave_nothing_behind() {
    let play = |concurrency| {
        printed(&format!(
            "-game hadron2x3 -engine name=A -engine name=B option.seed=1 option.engine=random \
             -each nodes=20 option.memory=1MiB -openings plies=2 -rounds 60 -concurrency {concurrency}"
        ))
    };
    assert_eq!(play(1), play(3));
}

#[test]
fn openings_follow_from_the_seed() {
    let play = |seed: u64| {
        let engines = "-engine name=A option.seed=1 -engine name=B option.seed=2 \
                       -each st=1 option.engine=random";
        printed(&format!("-game voidrider {engines} -rounds 20 -srand {seed}"))
    };
    assert_eq!(play(1), play(1));
    assert_ne!(play(1), play(2));
}

/// An engine against itself at the same number of nodes: the advantage of a side in an opening is
/// balanced by the other game of the pair.
#[test]
fn equal_engines_share_every_pair() {
    let (text, _) = printed(
        "-game=hadron4 -engine name=A -engine name=B -each nodes=50 option.memory=1MiB -rounds=10",
    );
    assert!(text.contains("\nPtnml(0-2): [0, 0, 10, 0, 0], WL/DD Ratio: inf\n"), "{text}");
}

#[test]
fn the_sequential_test_ends_the_match() {
    let rest = "-rounds 1000 -openings plies=0 --sprt elo0=0 elo1=200 alpha=0.1 beta=0.1";
    let (text, progress) = printed(&against("random", &format!("{rest} -concurrency 2")));
    let (block, _) = text.split_once("\nPlayer: ").unwrap();
    assert!(block.contains("\nResults of Tree vs Other (200 nodes, 1t, 1MB):\n"), "{text}");
    let [.., ratio, _, end] = block.lines().collect::<Vec<_>>()[..] else { panic!("{text}") };
    assert!(ratio.starts_with("LLR: 2.") && ratio.contains("%) (-2.20, 2.20) [0.00, 200.00]"));
    assert_eq!(end, "SPRT ([0.00, 200.00]) completed - H1 was accepted");
    let games = text.lines().find_map(|line| line.strip_prefix("Games: ")).unwrap();
    assert!(numbers(games)[0] < 400.0, "{text}");
    assert!(progress.lines().count() < 10, "{progress}");
}

#[test]
fn limits_and_options_of_one_engine_override_those_of_both() {
    let (text, _) = printed(
        "-each st=0.001 option.memory=1MiB -engine name=A nodes=9 option.memory=100KiB \
         -engine name=B option.threads=2 option.trees=2 -rounds 1 -game hadron4x5",
    );
    let first = text.lines().nth(1).unwrap();
    assert_eq!(
        first,
        "Results of A vs B (9 nodes - 0.001/move, 1t - 2t, 100KB - 1MB, opening: plies=4):"
    );
}

#[test]
fn the_plain_player_plays_all_four_games_by_their_rules() {
    for game in ["murus", "hadron7", "loa:files", "voidrider"] {
        let (text, _) = printed(&format!(
            "-game {game} -engine name=Plain option.engine=plain option.memory=100KiB nodes=300 \
             -engine name=Chance option.engine=random nodes=1 -each option.memory=1MiB \
             -rounds 1 -srand 1"
        ));
        let begin = "Results of Plain vs Chance (300 nodes - 1 nodes, 1t, 100KB - 1MB, ";
        assert!(text.contains(begin), "{game}: {text}");
        let faults = between(&text, "Player: Plain\n", "Player: Chance");
        let none = "   Timeouts: 0\n   Illegal moves: 0\n   Crashed: 0\n";
        assert_eq!(faults, none, "{game}: {text}");
        assert!(text.contains("Wins: 2, Losses: 0"), "{game}: {text}");
    }
}

#[test]
fn a_command_line_of_fastchess_is_played() {
    let player = lab::player();
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("fastchess.pgn");
    let _ = std::fs::remove_file(&file);
    // As copied from a script, but for the programs' argument.
    let (text, _) = printed(&format!(
        "-variant losalamos -engine cmd={player} args=ugi name=New \
         -engine cmd={player} args=ugi name=Old -each tc=0:20+0.1 option.Threads=1 option.Hash=16 \
         -rounds 1 -games 2 -repeat -concurrency 1 -recover -ratinginterval 10 \
         -resign movecount=1 score=50 twosided=false -draw movenumber=2 movecount=1 score=90 \
         -openings plies=2 -event Cup -site Pisa -pgnout file={}",
        file.display(),
    ));
    assert!(text.contains("Results of New vs Old (20+0.1,"), "{text}");
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text.matches("[Event \"Cup\"]\n[Site \"Pisa\"]\n").count(), 2, "{text}");
    assert_eq!(text.matches("[Termination \"adjudication\"]").count(), 2, "{text}");
    assert!(text.contains("resigns by its score}") || text.contains("even scores}"), "{text}");
}

#[test]
fn single_games_have_openings_of_their_own_and_the_last_counts_without_a_pair() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("single_games.pgn");
    let _ = std::fs::remove_file(&file);
    let words = "-game hadron4x5 -engine name=A -engine name=B -each nodes=20 -games 1 -rounds 3";
    let (text, _) = printed(&format!("{words} -pgnout file={}", file.display()));
    let line = text.lines().find(|line| line.starts_with("Games: 3, Wins: ")).expect(&text);
    let [.., points, percent] = numbers(line)[..] else { panic!("{line}") };
    assert!((points / 3.0 * 100.0 - percent).abs() < 0.01, "{line}");
    let counts = text.lines().find(|line| line.starts_with("Ptnml(0-2): [")).expect(&text);
    let counts = between(counts, "[", "]").split(", ");
    assert_eq!(counts.map(|count| count.parse::<u32>().unwrap()).sum::<u32>(), 1);
    let games = std::fs::read_to_string(&file).unwrap();
    let white: Vec<_> = games.lines().filter(|line| line.starts_with("[White ")).collect();
    assert_eq!(white, ["[White \"A\"]", "[White \"B\"]", "[White \"A\"]"]);
    let openings: std::collections::HashSet<_> =
        games.lines().filter_map(|line| line.strip_prefix("1. ")?.split(" {").next()).collect();
    assert_eq!(openings.len(), 3, "{games}");
}

#[test]
fn unusable_arguments_are_refused_in_one_line() {
    let engines = "-game murus -engine name=A -engine name=B -rounds 1";
    let both = format!("{engines} -each nodes=5 option.memory=1MiB");
    let cases = [
        (String::new(), "-game: found nothing, expected a game such as murus"),
        ("-game chess".into(), "game: found `chess`, expected variant:chess, or murus"),
        (
            "-game murus -rounds 1 -engine name=A".into(),
            "-engine: found 1 of them, expected two or more",
        ),
        ("5 -game murus".into(), "match: found `5`, expected -game, -variant"),
        ("-tc 5".into(), "match: found `-tc`, expected "),
        (engines.into(), "-engine A: found no limit, expected nodes=N, depth=N, st=SECONDS"),
        (format!("{both} -games 3"), "-games: found `3`, expected a whole number from 1 to 2"),
        (format!("{both} -games 1 -repeat"), "-games: found 1 with -repeat, expected only one"),
        (format!("{both} -site="), "-site: found nothing, expected a text"),
        (format!("{engines} -each"), "-each: found nothing, expected KEY=VALUE"),
        (format!("{engines} -each nodes"), "-each: found `nodes`, expected KEY=VALUE"),
        (
            format!("{engines} -each name=C"),
            "-each: found `name=C`, expected cmd, args, dir, proto",
        ),
        (
            format!("{engines} -each tc=0/5"),
            "-each, tc: found `0`, expected a whole number from 1 to 10000",
        ),
        (format!("{engines} -each depth=0"), "-each, depth: found `0`, expected a whole number"),
        (format!("{both} -resign movecount=3"), "-resign: found no score, expected score="),
        (format!("{both} -draw score=-1"), "-draw, score: found `-1`, expected a whole number"),
        (format!("{both} -openings plies=2 start=3"), "-openings: found start=N without a file"),
        (format!("{both} -openings format=pgn"), "-openings: found neither, expected file=FILE"),
        (format!("{both} -openings file=x format=bin"), "-openings, format: found `bin`, expected"),
        (format!("{both} -seeds 1"), "-seeds: found no gauntlet, expected -tournament gauntlet"),
        (format!("{both} -tournament gauntlet -seeds 2"), "-seeds: found `2`, expected 1"),
        (format!("{both} -output format=json"), "-output, format: found `json`, expected fast"),
        (format!("{both} -scoreinterval 5"), "-scoreinterval: found no score, expected -output"),
        (format!("{both} -jsonl -testEnv"), "-jsonl: found lines for each game too, expected only"),
        (format!("{both} -noswap"), "match: found `-noswap`, expected nothing: each opening is"),
        (format!("{both} -pgnout nodes=true"), "-pgnout: found no file, expected file=FILE"),
        (
            format!("{both} -pgnout file=x append=false"),
            "-pgnout, append: found `false`, expected true",
        ),
        (
            "-engine name=A -engine name=B -rounds 1 -each nodes=1 -openings file=x.epd".into(),
            "-game: found nothing, expected a game such as murus, or a file of openings",
        ),
        (format!("{both} -variant chess"), "-variant: found -game too, expected only one of them"),
        (format!("{both} -round 3"), "match: found `-round`, expected -rounds (the nearest), or"),
        (format!("{engines} -each nodes=5 st=1"), "-each: found several limits, expected one"),
        (format!("{engines} -each nodes=0"), "-each, nodes: found `0`, expected a whole number"),
        (format!("{engines} -each st=nan"), "-each, st: found `nan`, expected seconds, more"),
        (
            format!("{both} option.luck=1"),
            "-each, option.luck: found `luck`, expected engine, threads",
        ),
        (format!("{both} option.engine=uci"), "-each, option.engine: found `uci`, expected mcts,"),
        (format!("{both} option.memory=1TB"), "-each, option.memory: found `1TB`, expected a size"),
        (format!("{both} option.memory=9"), "-engine A, memory: found 9 bytes, expected at least"),
        (format!("{both} option.trees=2"), "-engine A: found 2 trees on 1 thread, expected at"),
        (
            format!("{both} option.exploration=-1"),
            "-each, option.exploration: found `-1`, expected a number from 0 to 100",
        ),
        (
            format!("{} -each tc=hello", engines.replace("name=", "nodes=5 name=")),
            "-each, tc: found `hello`, expected",
        ),
        (
            format!(
                "{} -each nodes=1 timemargin=x",
                engines.replace("name=", "timemargin=5 name=")
            ),
            "-each, timemargin: found `x`, expected a whole number",
        ),
        (format!("{both} -concurrency 0"), "-concurrency: found `0`, expected a whole number from"),
        (format!("{both} -concurrency"), "-concurrency: found nothing, expected a value"),
        (format!("{both} -srand 1 2"), "-srand: found `2`, expected one value"),
        (format!("{both} -srand -1"), "-srand: found `-1`, expected a whole number from 0"),
        (format!("{both} -rounds 2"), "-rounds: found it twice, expected it once"),
        (
            format!("{both} -openings plies=1 plies=2"),
            "-openings: found `plies`, expected plies, file",
        ),
        (format!("{both} -openings order=random"), "-openings: found neither, expected file=FILE"),
        (format!("{both} -maxmoves 0"), "-maxmoves: found `0`, expected a whole number from 1"),
        (format!("{both} -recover on"), "-recover: found `on`, expected no value"),
        (format!("{both} -tournament cup"), "-tournament: found `cup`, expected roundrobin or"),
        (format!("{both} -pairs 5"), "-pairs: found `5`, expected FIRST..END, such as 0..100"),
        (format!("{both} -pairs 0..2"), "-pairs: found `2`, expected 1"),
        (format!("{both} -jsonl -ratinginterval 2"), "-ratinginterval: found -jsonl too"),
        (
            "-game murus -engine name=A option.engine=random option.exploration=1 nodes=1 \
             -engine name=B nodes=1 -rounds 1"
                .into(),
            "-engine 1, option.exploration: found `1`, expected none with this engine",
        ),
        (
            "-game murus -engine name=A option.engine=plain option.seed=1 nodes=1 \
             -engine name=B nodes=1 -rounds 1"
                .into(),
            "-engine 1, option.seed: found `1`, expected none with this engine, which has only",
        ),
        (
            format!("{both} option.engine=best"),
            "-each, option.engine: found `best`, expected mcts, alphabeta, random or plain",
        ),
        (
            "-game voidrider:thery -engine name=A option.engine=plain -engine name=B -rounds 1 \
             -each nodes=1"
                .into(),
            "-engine A: found `option.engine=plain`, expected another engine, as it plays only the",
        ),
        (format!("{both} -board 8910"), "-board: found `8910`, expected KEY=VALUE"),
        (
            format!("{both} -board port=x"),
            "-board, port: found `x`, expected a whole number from 0",
        ),
        (format!("{both} -log level=loud"), "-log, level: found `loud`, expected error, warn"),
        (format!("{both} -log level=info"), "-log: found no file, expected file=FILE"),
        (format!("{both} -pgnout a b"), "-pgnout: found `a`, expected KEY=VALUE"),
        (format!("{both} proto=tcp"), "-engine A: found no program, expected cmd=PROGRAM"),
        (format!("{both} proto=xboard"), "-each, proto: found `xboard`, expected internal, ugi"),
        (format!("{both} args=x"), "-each, args: found `x`, expected cmd=PROGRAM beside it"),
        (format!("{both} restart=yes"), "-each, restart: found `yes`, expected on or off"),
        (
            format!("{engines} -each st=1 proto=tcp cmd=x -openings plies=2"),
            "-openings: found an opening for players with proto=tcp, expected plies=0",
        ),
        (
            format!("{engines} -each nodes=1 proto=tcp cmd=x"),
            "-engine A: found 1 nodes, expected st=SECONDS with proto=tcp or proto=relay, the same",
        ),
        (
            format!("{engines} -each st=1 proto=tcp cmd=x option.Threads=1"),
            "-engine A: found `option.Threads`, expected no options with proto=tcp",
        ),
        (
            "-game murus -engine name=A -engine name=B -engine name=C -rounds 1 -each nodes=1 \
             -sprt elo0=0 elo1=5"
                .into(),
            "-sprt: found 3 players, expected two players",
        ),
        (
            format!("{both} -openings plies=1001"),
            "-openings, plies: found `1001`, expected a whole",
        ),
        (format!("{both} -sprt elo0=0"), "-sprt: found only a part, expected both elo0 and elo1"),
        (format!("{both} -sprt elo0=2 elo1=0"), "-sprt: elo0 must be less than elo1"),
        (
            format!("{both} -sprt model=bayesian"),
            "-sprt, model: found `bayesian`, expected normalized",
        ),
        (
            "-game murus -engine name=A -engine option.seed=1 -rounds 1 -each nodes=1".into(),
            "-engine 2: found no name, expected name=NAME",
        ),
        (
            "-game murus -engine name=A option.threads=x nodes=1 -engine name=B -rounds 1".into(),
            "-engine 1, option.threads: found `x`, expected a whole number from 1 to 1024",
        ),
        (
            "-game murus -engine name=A -engine name=A -rounds 1 -each nodes=1".into(),
            "-engine, name: found `A` twice, expected different names",
        ),
        (
            "-game hadron2x2 -engine name=A -engine name=B -rounds 1 -each nodes=1 \
             option.engine=random"
                .into(),
            "-openings: found no game of 4 plies that is still open, expected fewer plies",
        ),
    ];
    for (arguments, reason) in cases {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        assert!(output.stdout.is_empty(), "{arguments}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(text.lines().count(), 1, "{arguments}: {text}");
        assert!(text.starts_with(&format!("alesia-lab: {reason}")), "{arguments}: {text}");
    }
    // What is there or not is no fault of the words.
    let missing = run(&format!("{both} -openings file=x"));
    let text = String::from_utf8(missing.stderr).unwrap();
    assert_eq!(missing.status.code(), Some(1), "{text}");
    assert!(text.starts_with("alesia-lab: -openings, file=x: "), "{text}");
}

/// OpenBench's client starts a match so, and counts the lines of games that have ended; it names no
/// game but by the book.
#[test]
fn a_server_reads_a_line_for_each_game() {
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../benches/openings/loa.txt");
    let rest = "option.engine=random option.memory=1MiB nodes=1";
    let arguments = format!(
        "-recover -variant standard -testEnv -concurrency 2 -rounds 2 -games 2 \
         -engine name=Alesia-dev {rest} -engine name=Alesia-base {rest} \
         -openings file={book} format=epd order=random start=4000 -srand 42"
    );
    let (text, _) = printed(&arguments);
    for number in 1..=4 {
        let names = if number % 2 == 1 { "dev vs Alesia-base" } else { "base vs Alesia-dev" };
        let begins = format!("Started game {number} of 4 (Alesia-{names})\n");
        let ends = format!("Finished game {number} (Alesia-{names}): ");
        assert!(text.find(&begins).unwrap() < text.find(&ends).unwrap(), "{text}");
        let words: Vec<&str> = between(&text, &ends, "\n").splitn(2, ' ').collect();
        let [result, reason] = words[..] else { panic!("{text}") };
        assert!(["1-0", "0-1", "1/2-1/2"].contains(&result), "{text}");
        assert!(reason.starts_with('{') && reason.ends_with('}') && reason.len() > 4, "{text}");
    }
    assert!(
        text.contains("Results of Alesia-dev vs Alesia-base (1 nodes, 1t, 1MB, loa.txt"),
        "{text}"
    );
    let (text, _) = printed(&against(
        "random",
        "-rounds 2 -srand 1 -openings plies=2 -output format=cutechess -scoreinterval 2",
    ));
    let scores: Vec<&str> = text.lines().filter(|line| line.starts_with("Score of ")).collect();
    assert_eq!(scores.len(), 2, "{text}");
    assert!(scores[1].starts_with("Score of Tree vs Other: ") && scores[1].ends_with("] 4"));
}

#[test]
fn help_is_no_error() {
    for help in ["--help", "-help", "-h", "-game murus --help"] {
        let (text, _) = printed(help);
        assert!(
            text.contains("-openings plies=N")
                && text.contains("-config file=FILE")
                && text.contains("option.memory=SIZE"),
            "{text}"
        );
    }
}
