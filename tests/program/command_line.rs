//! The `alesia` command as scripts rely on it: lines, exit statuses, whole games between
//! processes.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use alesia::game::Rule;
use alesia::games::{Loa, Murus, Voidrider};

fn alesia(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alesia"));
    command.args(arguments).env_remove("RUST_LOG").stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    alesia(arguments).output().expect("the command starts")
}

/// The standard output of a command that succeeds.
fn lines(arguments: &[&str]) -> Vec<String> {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap().lines().map(String::from).collect()
}

/// The one line on standard error of a command that fails with a status.
fn failure(arguments: &[&str], status: i32) -> String {
    let output = run(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {errors}");
    assert!(!errors.contains("panicked"), "{arguments:?}: {errors}");
    errors
}

#[test]
fn perft_prints_a_line_per_depth() {
    assert_eq!(lines(&["perft", "murus", "3"]), ["1 20", "2 400", "3 6960"]);
    assert_eq!(lines(&["perft", "hadron5", "2"]), ["1 25", "2 520"]);
    assert_eq!(lines(&["perft", "loa", "2", "--loa-layout", "files"])[0], "1 36");
}

#[test]
fn perft_divides_by_move() {
    let divided = lines(&["perft", "voidrider", "2", "--divide"]);
    assert_eq!(divided.len(), 23 + 2);
    let sum: u64 =
        divided[..23].iter().map(|l| l.split_once(' ').unwrap().1.parse::<u64>().unwrap()).sum();
    assert_eq!(divided[24], format!("2 {sum}"));
}

#[test]
fn perft_starts_from_a_position_and_moves() {
    let board = "......../......../BB....../W......./BB....../......../........ w 40";
    assert_eq!(lines(&["perft", "murus", "1", "--position", board]), ["1 1"]);
    let after = lines(&["perft", "loa", "1", "--moves", "B1-B3 H3-F5"]);
    assert_ne!(after, ["1 0"]);
}

#[test]
fn check_finds_the_files_of_the_specification_without_a_mismatch() {
    for game in ["murus", "hadron", "loa", "voidrider"] {
        let file = format!("{}/tests/data/positions/{game}.tsv", env!("CARGO_MANIFEST_DIR"));
        let last = lines(&["check", game, &file]).pop().unwrap();
        assert!(last.ends_with(" positions, 0 mismatches"), "{last}");
    }
}

#[test]
fn a_variant_of_a_file_is_a_game_like_any_other() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/variants");
    let game = format!("{data}/variants.ini:alesia-gardner");
    let last = lines(&["check", &game, &format!("{data}/alesia-gardner.tsv")]).pop().unwrap();
    assert!(last.ends_with(" positions, 0 mismatches"), "{last}");
    // The first of the file is chess.
    assert_eq!(lines(&["perft", &format!("{data}/variants.ini"), "2"]), ["1 20", "2 400"]);
    assert_eq!(lines(&["perft", "VARIANT:LosAlamos", "2"]), ["1 10", "2 100"]);
    let found = lines(&["search", "--game", "variant:gardner", "--nodes", "50", "--threads", "1"]);
    assert!(found.last().unwrap().starts_with("bestmove "), "{found:?}");
    let missing = failure(&["perft", "none.ini", "1"], 2);
    assert!(missing.contains("none.ini") && missing.contains("a readable file"), "{missing}");
}

/// Windows allows no colon in the name of a file but that of a drive.
#[test]
#[cfg(unix)]
fn a_word_is_a_built_in_name_before_it_is_a_file_with_colons() {
    let folder = std::env::temp_dir().join(format!("alesia-colons-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for file in ["C:\\x.ini", "a:b: c.ini", "hadron5.ini", "loa:x.ini", "variant:x.ini"] {
        std::fs::write(folder.join(file), "[small:gardner]\n[large:chess]\n").unwrap();
    }
    let said = |word: &str| {
        let output = alesia(&["perft", word, "1"]).current_dir(&folder).output().unwrap();
        let text = if output.status.success() { output.stdout } else { output.stderr };
        String::from_utf8(text).unwrap().trim_end().to_owned()
    };
    let (small, large) = ("1 7", "1 20");
    let words = [
        ("C:\\x.ini", small),
        ("C:\\x.ini:large", large),
        ("a:b: c.ini", small),
        ("a:b: c.ini:Large", large),
        ("hadron5", "1 25"),
        ("hadron5.ini:large", large),
        ("./loa:x.ini:large", large),
    ];
    let errors = [
        ("loa:x.ini", "found `loa:x.ini`, expected loa, loa:files or loa:standard"),
        ("loa:x.ini:large", "found `loa:x.ini:large`, expected loa, loa:files or loa:standard"),
        ("variant:x.ini", "found `variant:x.ini`, expected variant:NAME"),
        ("C:\\x.ini:lage", "C:\\x.ini: found `lage`, expected large, or one of small, large"),
    ];
    let found = words.map(|(word, _)| said(word));
    let refused = errors.map(|(word, _)| said(word));
    std::fs::remove_dir_all(&folder).unwrap();
    for ((word, expected), found) in words.iter().zip(found) {
        assert_eq!(&found, expected, "{word}");
    }
    for ((word, expected), found) in errors.iter().zip(refused) {
        assert!(found.contains(expected), "{word}: {found}");
    }
}

#[test]
fn variants_are_listed_drawn_and_checked() {
    let listed = lines(&["variants"]);
    assert_eq!(listed.len(), 18);
    assert!(listed[0].starts_with("chess ") && listed[0].contains(" 8x8 "), "{listed:?}");
    assert!(listed.iter().any(|line| line.starts_with("voidrider ") && line.contains(" 9x7 ")));
    let mine = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/variants/mine.ini");
    let drawn = lines(&["variants", mine, "--draw"]);
    assert!(drawn[0].ends_with("6x6    Los Alamos chess"), "{drawn:?}");
    assert_eq!(drawn[1], "  6 r n q k n r");
    let folder = std::env::temp_dir().join(format!("alesia-variants-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let wrong = folder.join("wrong.ini");
    std::fs::write(&wrong, "[x:chess]\n\nbishop = --\n").unwrap();
    let wrong = wrong.to_str().unwrap();
    let said = failure(&["variants", wrong], 2);
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(
        said,
        format!("{wrong}:3: bishop: found `--`, expected a lower-case letter, or -\n")
    );
}

/// Runs a command that must end, whatever it waits for.
#[cfg(unix)]
fn ends(mut command: Command) -> Output {
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let ended = (0..400).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        child.try_wait().unwrap().is_some()
    });
    if !ended {
        child.kill().unwrap();
    }
    let output = child.wait_with_output().unwrap();
    assert!(ended, "{command:?}: {output:?}");
    output
}

#[test]
#[cfg(all(unix, target_pointer_width = "64"))]
fn where_no_thread_can_be_started_a_command_says_so() {
    for arguments in [&["ugi"][..], &["uci"], &["bench"], &["manual", "--side", "both"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_alesia"));
        // No system has so much memory for the stack of a thread.
        command.args(arguments).env("RUST_MIN_STACK", (1u64 << 60).to_string());
        let output = ends(command);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
        assert!(said.starts_with("alesia: ") && said.contains("thread"), "{arguments:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{arguments:?}: {said}");
    }
}

/// A pipe without another end is opened only once somebody opens that, which may be never.
#[test]
#[cfg(target_os = "linux")]
fn a_named_pipe_in_place_of_a_file_is_refused_at_once() {
    let folder = std::env::temp_dir().join(format!("alesia-pipes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let pipe = folder.join("pipe.ini");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let pipe = pipe.to_str().unwrap();
    let search = ["search", "--nodes", "5", "--memory", "4MiB", "--game"];
    for (arguments, status) in [
        ([&search[..], &["hadron3", "--weights", pipe]].concat(), 2),
        ([&search[..], &[pipe]].concat(), 2),
        (vec!["variants", pipe], 2),
        (vec!["manual", "--game", "hadron3", "--side", "both", "--record", pipe], 1),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_alesia"));
        command.args(&arguments);
        let output = ends(command);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {said}");
        assert!(said.contains("found a pipe"), "{arguments:?}: {said}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A file for another program has keys that are not here, and yet variants that can be played.
#[test]
fn a_file_with_wrong_sections_has_all_its_errors_said_and_the_right_ones_played() {
    let folder = std::env::temp_dir().join(format!("alesia-sections-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("many.ini");
    let text = "[right:chess]\n[wrong:chess]\nbanner = b\npassWhite = true\nbishop = --\n\
                [child:wrong]\nnFoldRule = 2\n[last:right]\nnFoldRule = 2\n\
                [lost\nbishop = --\n[value:chess]\nbishop = --\n";
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let output = run(&["variants", file]);
    let names = String::from_utf8(output.stdout).unwrap();
    let names: Vec<&str> = names.lines().filter_map(|line| line.split(' ').next()).collect();
    let said = String::from_utf8(output.stderr).unwrap();
    let places: Vec<&str> =
        said.lines().map(|line| line.split(": found").next().unwrap()).collect();
    assert_eq!((output.status.code(), names), (Some(2), vec!["right", "last"]), "{said}");
    let expected = ["10: section", "3: banner", "4: passWhite", "6: section", "13: bishop"];
    assert_eq!(places, expected.map(|place| format!("{file}:{place}")), "{said}");
    let name = |variant: &str| format!("{file}:{variant}");
    assert!(lines(&["variants", &name("last")])[0].starts_with("last"));
    assert_eq!(lines(&["perft", &name("last"), "1"]), ["1 20"]);
    for (game, why) in [
        (name("wrong"), ":3: banner: found a piece"),
        (name("child"), ":6: section: found `wrong`, expected a parent in which nothing is wrong"),
        // It may be the one whose name is lost, as may the first variant.
        (name("lasst"), ":10: section: found `[lost`"),
        (file.to_owned(), ":10: section: found `[lost`"),
    ] {
        let said = failure(&["perft", &game, "1"], 2);
        assert!(said.contains(why), "{game}: {said}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_variant_is_listed_alone_by_any_of_its_names() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/variants");
    let kinglet = format!("{folder}/losing.ini:KingLet");
    for (name, begin) in [
        ("losalamos", "losalamos  6x6"),
        ("Variant:Chess", "chess  8x8"),
        (&kinglet, "kinglet  8x8"),
    ] {
        let listed = lines(&["variants", name]);
        assert!(listed.len() == 1 && listed[0].starts_with(begin), "{listed:?}");
    }
    for (name, said) in [
        ("nofile.ini", "alesia: nofile.ini: found "),
        (
            "variant:ches",
            "alesia: game: found `variant:ches`, expected variant:NAME, NAME being chess",
        ),
    ] {
        let error = failure(&["variants", name], 2);
        assert!(error.starts_with(said), "{error}");
    }
    let error = failure(&["variants", &format!("{folder}/losing.ini:kinglett")], 2);
    assert!(error.contains("found `kinglett`, expected kinglet, or one of losing"), "{error}");
}

#[test]
fn a_game_by_hand_names_its_variant_and_its_rules() {
    let diana = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/variants/diana.ini");
    let greeting = lines(&["manual", "--game", diana, "--side", "both", "--memory", "1MiB"]);
    let title = "Diana, or ladies' chess, 6 x 6 (Hopwood 1870) [diana]: you enter all moves";
    assert_eq!(greeting[0], title);
}

#[test]
fn check_fails_on_the_file_of_another_game_or_none() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    let wrong = format!("{data}/positions/murus.tsv");
    let output = run(&["check", "loa", &wrong]);
    assert_eq!(output.status.code(), Some(1));
    assert!(failure(&["check", "loa", &format!("{data}/nowhere")], 1).contains("nowhere"));
}

#[test]
fn search_reports_and_ends_with_the_best_move() {
    for engine in ["mcts", "alphabeta", "random"] {
        for game in ["murus", "hadron", "loa", "voidrider"] {
            let arguments = [
                "search",
                "--game",
                game,
                "--engine",
                engine,
                "--nodes",
                "2000",
                "--threads",
                "1",
                "--memory",
                "4MiB",
            ];
            let lines = lines(&arguments);
            let (last, info) = lines.split_last().unwrap();
            assert!(last.starts_with("bestmove "), "{last}");
            assert!(info.last().unwrap().starts_with("info depth "), "{info:?}");
            let described = info.iter().filter(|line| line.starts_with("info move ")).count();
            let summed_up = info.iter().filter(|line| line.starts_with("info depth ")).count();
            assert_eq!(described + summed_up, info.len(), "{info:?}");
            assert!(if engine == "mcts" { described > summed_up } else { described == 0 });
        }
    }
}

#[test]
fn scale_measures_every_number_of_trees_and_recommends_none_from_one_pair() {
    let arguments = "scale --game hadron7 --threads 2 --pairs 1 --move-time 5 --memory 4MiB";
    let lines = lines(&arguments.split(' ').collect::<Vec<_>>());
    let [machine, heads, one, two, recommended] = &lines[..] else { panic!("{lines:?}") };
    assert!(machine.starts_with("2 threads, "), "{machine}");
    assert!(heads.contains("iterations/s"), "{heads}");
    for (line, trees) in [(one, "1"), (two, "2")] {
        let columns: Vec<_> = line.split_whitespace().collect();
        assert_eq!(columns[..2], ["hadron7", trees], "{line}");
        assert!(columns[2].parse::<u64>().unwrap() > 0, "{line}");
    }
    assert!(!two.contains('±'), "{two}");
    assert!(recommended.ends_with("recommended: nothing, from fewer than 10 pairs"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_device_is_no_file_of_positions() {
    let error = failure(&["check", "murus", "/dev/zero"], 1);
    assert_eq!(error, "alesia: /dev/zero: found a device, expected a file\n");
}

/// On such a board no game is as long as the openings of the bench.
#[test]
fn bench_ends_on_a_small_board_too() {
    for game in ["hadron1x1", "hadron4x4"] {
        let lines = lines(&["bench", "--game", game]);
        assert!(lines[lines.len() - 2].starts_with("signature "), "{lines:?}");
    }
}

#[test]
fn bench_ends_with_nodes_and_the_recorded_signature() {
    for engine in ["mcts", "alphabeta"] {
        let lines = lines(&["bench", "--engine", engine]);
        let [.., nodes, signature, label] = &lines[..] else { panic!("{lines:?}") };
        assert!(nodes.strip_prefix("nodes ").unwrap().parse::<u64>().unwrap() > 0);
        let digits = signature.strip_prefix("signature ").unwrap();
        let [number, "nodes", speed, "nps"] = label.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{label}")
        };
        assert_eq!(number.parse(), u64::from_str_radix(&digits[..7], 16), "{label}");
        assert!(speed.parse::<u64>().unwrap() > 0, "{label}");
        assert_eq!(digits.len(), 16);
        // nightly.sh checks the recorded signatures against a release build.
        let recorded = include_str!("../data/bench_signatures.tsv");
        let line = format!("{engine}\t{digits}");
        assert!(recorded.lines().any(|recorded| recorded == line), "{line}");
    }
}

#[test]
fn unusable_arguments_have_status_2_and_say_why() {
    let cases: [(&[&str], &str); 43] = [
        (&["perft", "chess", "1"], "game: found `chess`, expected variant:chess, or murus"),
        (&["perft", "hadron10", "1"], "hadronRxC"),
        (&["perft", "murus", "0"], "DEPTH: found `0`, expected a whole number from 1"),
        (&["perft", "murus", "1", "--position", "x w 0"], "--position, text board: found 1 rows"),
        (&["search", "--nodes", "9", "--moves", "G1,N G1,N"], "--moves, move 2, move: found"),
        (&["search"], "--time <MS>"),
        (&["search", "--nodes", "9", "--memory", "12parsecs"], "a size such as 512MiB"),
        (&["search", "--nodes", "9", "--threads", "0"], "--threads"),
        (&["play", "localhost"], "address: found `localhost` without a port, expected HOST:PORT"),
        (&["play", "::1"], "such as [::1]:8901"),
        (&["play", "lab1:8901", "8902"], "port: found 8901 and 8902, expected one port"),
        (&["play", "[lab1]:8901"], "address: found `[lab1]:8901`"),
        (&["play", "lab1:http"], "port: found `http`, expected a port from 1 to 65535"),
        (&["play", "lab1:8901", "--board", "[::1]"], "--board, address: found `::1` without"),
        (&["play", "localhost", "123456"], "123456"),
        (&["referee", "--players", "::1"], "--players: found 1 address, expected two or more"),
        (&["no-such-command"], "no-such-command"),
        (&["manual", "murus"], "manual: found `murus`, expected --game murus"),
        (
            &["search", "hadron5", "--nodes", "9"],
            "search: found `hadron5`, expected --game hadron5",
        ),
        (&["perft", "--game", "murus", "3"], "expected the game without an option: perft GAME"),
        (&["manual", "--time", "9"], "manual: found `--time`, expected --move-time MS"),
        (&["referee", "--move-time", "9"], "referee: found `--move-time`, expected -tt MS"),
        (&["referee", "--games", "0"], "--games: found `0`, expected a whole number from 1"),
        (&["play", "localhost", "8901x"], "PORT: found `8901x`, expected a whole number"),
        (&["referee", "-wt", "-5"], "--wt: found `-5`, expected a number without a sign"),
        (&["manual", "--move-time", "0"], "time: found `0`, expected a time from 1ms"),
        (&["search", "--nodes", "0"], "--nodes: found `0`, expected a whole number from 1"),
        (
            &["search", "--nodes", "9", "--threads", "2", "--trees", "2", "--engine", "alphabeta"],
            "--trees: found --engine alphabeta, expected --engine mcts",
        ),
        (
            &["search", "--nodes", "9", "--threads", "2", "--trees", "4"],
            "--trees: found 4, expected",
        ),
        (
            &["search", "--nodes", "9", "--loa-layout", "files"],
            "--loa-layout: found files with murus",
        ),
        (
            &["search", "--nodes", "9", "--game", "loa:file"],
            "game: found `loa:file`, expected loa, loa:files or loa:standard",
        ),
        (
            &["loa-white", "--listen", "0", "--game", "murus"],
            "game: found murus, expected loa or loa:files",
        ),
        (
            &["loa-white", "--listen", "0", "--game", "loa:standard"],
            "game: found loa:standard, expected loa or loa:files",
        ),
        (
            &["search", "--nodes", "9", "--engine", "random", "--set", "exploration=1"],
            "--set: found `exploration=1`, expected --engine mcts",
        ),
        (&["play", "--protocol", "relay"], "HOST: found none, expected HOST PORT of the relay"),
        (
            &["play", "lab1:40102", "--protocol", "relay", "--game", "murus"],
            "game: found murus, expected loa or loa:files",
        ),
        (
            &["play", "lab1:40102", "--protocol", "relay", "--board", "lab1:8910"],
            "--board: found --protocol relay, expected --protocol tournament",
        ),
        (
            &["play", "lab1:8901", "--any-port"],
            "--any-port: found --protocol tournament, expected --protocol relay",
        ),
        (
            &["referee", "-wt", "0", "--protocol", "relay", "--white", "lab1:40101"],
            "-wt: found --protocol relay, expected --protocol tournament",
        ),
        (
            &["referee", "--white", "lab1:40101"],
            "--white: found --protocol tournament, expected --protocol relay",
        ),
        (&["referee", "--protocol", "relay"], "--white: found none, expected HOST:PORT"),
        // Before the memory, of which no machine has as much.
        (
            &["loa-white", "--listen", "30000", "--memory", "99999G"],
            "--listen: found 30000, expected a port above 40000",
        ),
        (
            &["search", "--nodes", "9", "--memory", "1KiB"],
            "memory: found 1024 bytes, expected at least",
        ),
    ];
    for (arguments, reason) in cases {
        let error = failure(arguments, 2);
        assert!(error.contains(reason), "{arguments:?}: {error}");
    }
}

#[test]
fn failing_runs_have_status_1_and_one_line() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let taken = failure(&["referee", "--bind", "127.0.0.1", "-p", &port], 1);
    assert!(taken.ends_with("; -p chooses another port\n"), "{taken}");
    assert_eq!(taken.lines().count(), 1);
    let finished = "......../......../......../......../......../......../W....... b 41";
    let over = failure(&["search", "--nodes", "9", "--position", finished], 2);
    assert!(over.contains("no legal move"), "{over}");
}

#[test]
fn every_command_explains_itself() {
    for command in
        ["play", "referee", "search", "perft", "check", "bench", "scale", "ugi", "manual"]
    {
        let help = lines(&[command, "--help"]);
        assert!(help.len() > 5, "{command}");
    }
    let help = lines(&["--help"]).join("\n");
    for command in
        ["play", "referee", "search", "perft", "check", "bench", "scale", "ugi", "manual"]
    {
        assert!(help.contains(command), "{command}");
    }
}

#[test]
fn the_first_help_of_play_has_a_dozen_options_at_most() {
    let options = |help: &str| {
        let lines = lines(&["play", help]);
        lines.iter().filter(|line| line.trim_start().starts_with('-')).count()
    };
    assert!(options("-h") <= 12, "{}", options("-h"));
    assert!(options("--help") > 20);
}

#[test]
fn the_first_help_begins_with_the_commands_of_players() {
    let help = lines(&["-h"]);
    let at = |text: &str| help.iter().position(|line| line.trim_start().starts_with(text)).unwrap();
    let first = ["play", "referee", "manual", "rules", "search", "board", "match", "tournament"];
    let all = first.iter().copied().chain(["help", "For developers", "perft", "train"]);
    let lines: Vec<usize> = all.map(at).collect();
    assert!(lines.is_sorted(), "{help:?}");
    for old in ["loa-white", "relay ", "uci"] {
        assert!(!help.iter().any(|line| line.trim_start().starts_with(old)), "{old}");
    }
}

#[test]
fn the_parameters_of_the_search_are_listed_on_request() {
    for words in [&["--help", "set"][..], &["search", "--help", "set"]] {
        assert!(lines(words).iter().any(|line| line.starts_with("exploration (")), "{words:?}");
    }
}

#[test]
fn help_and_tables_fit_80_columns() {
    let commands =
        "play referee loa-white loa-black relay manual rules search perft check bench scale ugi";
    let asked = commands.split_whitespace().map(|command| vec![command, "--help"]);
    let table = "scale --game hadron2x2 --threads 1 --pairs 0 --memory 1MiB".split(' ').collect();
    for words in asked.chain([table, vec!["--help"], vec!["-h"]]) {
        let output = alesia(&words).env("COLUMNS", "80").output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && !text.is_empty(), "{words:?}");
        let long: Vec<&str> = text.lines().filter(|line| line.chars().count() > 80).collect();
        assert_eq!(long, [""; 0], "{words:?}");
    }
}

/// A referee process, and the address it listens on.
fn start_referee(arguments: &[&str]) -> (Child, BufReader<std::process::ChildStdout>, String) {
    let mut referee = alesia(arguments).stdout(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(referee.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    let port = line.trim_end().rsplit(':').next().unwrap().to_string();
    assert!(line.starts_with("listening on 127.0.0.1:"), "{line}");
    (referee, output, port)
}

/// A whole game between processes, Monte Carlo against alpha-beta on a thread each: every side
/// prints the same result, which is one by the rules.
fn play_a_game(game: &str, ponder: &str) {
    let (mut referee, mut output, port) = start_referee(&[
        "referee",
        "--game",
        game,
        "-p",
        "0",
        "-tt",
        "20000",
        "-wt",
        "0",
        "--bind",
        "127.0.0.1",
    ]);
    let player = |engine: &str| {
        alesia(&["play", "127.0.0.1", &port, "--game", game, "--engine", engine])
            .args(["--move-time", "20", "--threads", "1", "--memory", "16MiB"])
            .args(["--ponder", ponder])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let players = [player("mcts"), player("alphabeta")];
    let mut text = String::new();
    output.read_to_string(&mut text).unwrap();
    assert!(referee.wait().unwrap().success());
    let result = text.lines().last().unwrap();
    for player in players {
        let output = player.wait_with_output().unwrap();
        assert!(output.status.success(), "{text}");
        assert_eq!(String::from_utf8(output.stdout).unwrap().lines().last(), Some(result));
    }
    let reason = result.split_once(" (").unwrap().1.strip_suffix(')').unwrap();
    let by_the_rules = [
        Rule::NO_MOVE,
        Rule::PLY_LIMIT,
        Murus::HOME_ROW,
        Loa::CONNECTED,
        Voidrider::CHECKMATE,
        Voidrider::STALEMATE,
        Voidrider::THIRD_OCCURRENCE,
        Voidrider::QUIET_PLIES,
    ];
    assert!(by_the_rules.iter().any(|rule| rule.to_string() == reason), "{text}");
}

#[test]
fn processes_play_murus_gallicus() {
    play_a_game("murus", "on");
}

#[test]
fn processes_play_hadron() {
    play_a_game("hadron", "off");
}

#[test]
fn processes_play_lines_of_action() {
    play_a_game("loa", "on");
}

#[test]
fn processes_play_voidrider_chess() {
    play_a_game("voidrider", "on");
}

#[test]
fn a_limit_of_moves_beyond_the_games_own_is_refused() {
    let said = |game, moves| failure(&["referee", "--game", game, "-tm", moves], 2);
    let expected = "found 61, expected at most 60 moves of each player, the limit of murus";
    assert!(said("murus", "61").contains(expected), "{}", said("murus", "61"));
    let longer = "at most 100 moves of each player, the limit of voidrider (voidrider:thery makes";
    assert!(said("loa", "200").contains("(loa:standard makes games of up to 500)"));
    assert!(said("voidrider", "300").contains(longer), "{}", said("voidrider", "300"));
}

#[test]
fn a_limit_of_moves_where_there_is_no_tie_is_said_to_change_nothing() {
    let words = ["referee", "--game", "hadron", "-p", "0", "--bind", "127.0.0.1", "-tm", "60"];
    let mut referee = alesia(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = String::new();
    BufReader::new(referee.stderr.take().unwrap()).read_line(&mut said).unwrap();
    referee.kill().unwrap();
    referee.wait().unwrap();
    assert!(said.contains("-tm 60 changes nothing in hadron: there is no tie"), "{said}");
}

#[test]
fn the_demonstration_plays_over_tcp() {
    let mut program = alesia(&[]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let said = BufReader::new(program.stdout.take().unwrap()).lines().map(Result::unwrap);
    let said: Vec<String> = said.take_while(|line| !line.starts_with("3 White")).collect();
    program.kill().unwrap();
    program.wait().unwrap();
    assert!(said[0].starts_with("Murus Gallicus on 127.0.0.1:"), "{said:?}");
    assert_eq!(said[1..3], ["White: Monte Carlo tree search", "Black: alpha-beta"]);
    let moves = |start| said.iter().filter(|line| line.starts_with(start)).count();
    assert_eq!([moves("1 White G"), moves("2 Black A")], [1, 1], "{said:?}");
}

/// A server that ends the game after our first move, in its words.
fn play_one_move(host: &str, port: Option<u16>, listener: TcpListener, end: &str) -> Output {
    let mut command = alesia(&["play", host]);
    command.args(port.map(|port| port.to_string()));
    command.args(["--move-time", "100", "--threads", "1", "--memory", "4MiB"]);
    let player = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut connection, _) = listener.accept().unwrap();
    connection.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    connection.write_all(b"WELCOME White\nYOUR_TURN\n").unwrap();
    BufReader::new(&connection).read_line(&mut String::new()).unwrap();
    connection.write_all(end.as_bytes()).unwrap();
    player.wait_with_output().unwrap()
}

#[test]
fn addresses_are_typed_in_any_of_their_forms() {
    for host in ["127.0.0.1", "localhost", "::1", "[::1]"] {
        for apart in [true, false] {
            let bound = if host.contains(':') { "::1" } else { "127.0.0.1" };
            let listener = TcpListener::bind((bound, 0)).unwrap();
            let port = listener.local_addr().unwrap().port();
            let output = match (apart, host) {
                (true, _) => play_one_move(host, Some(port), listener, "VALID_MOVE\nVICTORY\n"),
                // Without brackets its port would be a part of it.
                (false, "::1") => continue,
                (false, _) => {
                    let typed = format!("{host}:{port}");
                    play_one_move(&typed, None, listener, "VALID_MOVE\nVICTORY\n")
                }
            };
            let text = String::from_utf8(output.stdout).unwrap();
            let shown = if host == "::1" { "[::1]" } else { host };
            let begin = format!("Murus Gallicus: we are White on {shown}:{port}; 100 ms a move, ");
            assert!(text.starts_with(&begin), "{text}");
            assert_eq!(output.status.code(), Some(0));
        }
    }
}

#[test]
fn a_loss_by_our_own_move_has_status_1_and_one_line() {
    let question = "is it playing another game? This player plays Murus Gallicus (--game)\n";
    for (end, reason, asks) in [
        ("ILLEGAL_MOVE\nDEFEAT\n", "the server refused our first move G", true),
        ("MESSAGE invalid\nDEFEAT\n", "the server refused our first move G", true),
        ("TIMEOUT\nDEFEAT\n", "our move came too late", false),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let output = play_one_move("127.0.0.1", Some(port), listener, end);
        let texts = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        assert_eq!(output.status.code(), Some(1), "{texts:?}");
        assert!(texts[0].lines().last().unwrap().starts_with("result: Black ("), "{texts:?}");
        let last = texts[1].lines().last().unwrap();
        assert!(last.starts_with(&format!("alesia: {reason}")), "{texts:?}");
        assert_eq!(texts[1].ends_with(question), asks, "{texts:?}");
    }
}

#[test]
fn a_reader_that_is_stuck_does_not_keep_the_player_from_moving() {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port().to_string();
    // Its output and its log have no reader, and the pipes are soon full.
    let mut player = alesia(&["play", "127.0.0.1", &port, "--move-time", "100", "-vv"])
        .args(["--threads", "1", "--memory", "4MiB"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut connection, _) = server.accept().unwrap();
    connection.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let chatter = format!("MESSAGE {}\n", "so much to say ".repeat(20)).repeat(1_000);
    connection.write_all(format!("WELCOME White\n{chatter}YOUR_TURN\n").as_bytes()).unwrap();
    let mut answer = String::new();
    BufReader::new(&connection).read_line(&mut answer).unwrap();
    assert!(answer.starts_with("MOVE G"), "{answer}");
    player.kill().unwrap();
    player.wait().unwrap();
}

#[test]
fn a_server_that_goes_away_in_a_game_is_a_failure_with_one_line() {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port().to_string();
    let player = alesia(&["play", "127.0.0.1", &port, "--move-time", "100"])
        .args(["--threads", "1", "--memory", "4MiB"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut connection, _) = server.accept().unwrap();
    connection.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    connection.write_all(b"WELCOME White\nYOUR_TURN\n").unwrap();
    let mut answer = String::new();
    BufReader::new(&connection).read_line(&mut answer).unwrap();
    drop(connection);
    let output = player.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("the connection to the server ended in move 1 of Black"), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
}

/// The lab's commands are run by another program.
#[test]
fn a_command_of_the_lab_without_the_lab_is_refused() {
    let folder = std::env::temp_dir().join(format!("alesia alone {}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let alone = folder.join(format!("alesia{}", std::env::consts::EXE_SUFFIX));
    std::fs::copy(env!("CARGO_BIN_EXE_alesia"), &alone).unwrap();
    let output = Command::new(&alone).args(["match", "-x"]).env("PATH", &folder).output().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(errors.starts_with("alesia: match: found no alesia-lab ("), "{errors}");
}
