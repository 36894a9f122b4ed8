//! The player driven by a chess program over pipes: `alesia uci` in dialogues.

use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use alesia::eval::network::LoadedNetwork;
use alesia::game::{Game, GameState};
use alesia::games::variant::{HIDDEN, Layout, weights_file};
use alesia::games::{AnyGame, GameSpec};

use crate::ugi::{Player, depth_of};

const MINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/variants/mine.ini");

fn player() -> Player {
    Player::speaking("uci", "4MiB", &[])
}

fn built_in(name: &str) -> AnyGame {
    AnyGame::named(&format!("variant:{name}")).unwrap()
}

/// The only answer to a line.
fn said(player: &mut Player, line: &str) -> String {
    let mut lines = player.ask(line);
    assert_eq!(lines.len(), 1, "{line}: {lines:?}");
    lines.remove(0)
}

#[test]
fn the_handshake_lists_the_variants() {
    let mut player = Player::speaking("uci", "4MiB", &["--game", "variant:shatranj"]);
    player.say("uci");
    let lines = player.until("uciok");
    assert!(lines[0].starts_with("id name Alesia ") && lines[1].starts_with("id author "));
    let options = &lines[2..lines.len() - 1];
    for option in [
        "UCI_Variant type combo default shatranj var chess var nocastle var gardner",
        "VariantPath type string default <empty>",
        "Threads type spin default 1 min 1 max 1024",
        "Ponder type check default false",
    ] {
        let line = format!("option name {option}");
        assert!(options.iter().any(|found| found.starts_with(&line)), "{option}: {options:?}");
    }
    let of_ugi = |line: &&String| line.contains(" name Game ") || line.contains(" name Book ");
    assert_eq!(options.iter().find(of_ugi), None);
    assert!(player.ask("ucinewgame").is_empty());
    assert!(said(&mut player, "ugi").contains("found `ugi`, expected uci, isready, ucinewgame"));
    player.quit();
}

/// Plays against itself for some plies; every move must be legal.
fn play(player: &mut Player, start: AnyGame, plies: usize) {
    let limits = ["go nodes 100", "go wtime 900 btime 900 winc 5 binc 5", "go movetime 10"];
    assert!(player.ask("ucinewgame").is_empty());
    let mut state = GameState::new(start);
    let mut moves = String::from("position startpos moves");
    for limit in limits.iter().cycle().take(plies) {
        if state.ending().is_some() {
            break;
        }
        assert!(player.ask(&moves).is_empty());
        let best = player.best_move(limit);
        state.play(state.position.parse_move(&best).unwrap());
        moves += &format!(" {best}");
    }
}

#[test]
fn built_in_variants_are_played() {
    let mut player = player();
    for name in ["chess", "LosAlamos", "voidrider", "breakthrough"] {
        assert!(player.ask(&format!("setoption name UCI_Variant value {name}")).is_empty());
        play(&mut player, built_in(&name.to_lowercase()), 12);
    }
    let refused = said(&mut player, "setoption name UCI_Variant value go");
    assert!(refused.contains("uci_variant: found `go`, expected one of chess, "), "{refused}");
    player.quit();
}

#[test]
fn variants_of_a_file_are_played() {
    let mut player = player();
    let missing = said(&mut player, "setoption name VariantPath value none.ini");
    assert!(missing.contains("expected a readable file of definitions"), "{missing}");
    assert!(player.ask(&format!("setoption name VariantPath value {MINE}")).is_empty());
    assert!(player.ask("setoption name uci_variant value drifting").is_empty());
    let (all, _) = GameSpec::of_file(MINE).unwrap();
    let drifting = *all.iter().find(|one| one.short_name() == "drifting").unwrap();
    play(&mut player, AnyGame::start(drifting), 6);
    player.say("uci");
    let lines = player.until("uciok");
    let line = lines.iter().find(|line| line.contains("UCI_Variant")).unwrap();
    assert!(line.contains(" default drifting var losalamos var drifting var chess "), "{line}");
    assert_eq!(line.matches(" var losalamos").count(), 1, "{line}");
    player.quit();
}

#[test]
fn a_variant_may_be_named_before_the_file_that_has_it() {
    let mut player = player();
    let unknown = said(&mut player, "setoption name UCI_Variant value drifting");
    assert!(unknown.contains("found `drifting`, expected one of chess, "), "{unknown}");
    assert!(player.ask(&format!("setoption name VariantPath value {MINE}")).is_empty());
    player.say("uci");
    let lines = player.until("uciok");
    let line = lines.iter().find(|line| line.contains("UCI_Variant")).unwrap();
    assert!(line.contains(" default drifting var losalamos "), "{line}");
    // A name that has been chosen since then is the one that holds.
    said(&mut player, "setoption name UCI_Variant value losalamoss");
    assert!(player.ask("setoption name UCI_Variant value chess").is_empty());
    assert!(player.ask(&format!("setoption name VariantPath value {MINE}")).is_empty());
    assert!(player.ask("position startpos moves e2e4 e7e5").is_empty());
    player.quit();
}

#[test]
fn the_right_sections_of_a_file_are_played_and_the_wrong_ones_named() {
    let file = std::env::temp_dir().join(format!("alesia-uci-{}.ini", std::process::id()));
    std::fs::write(&file, "[wrong:chess]\nbanner = b\n[mine:chess]\nnFoldRule = 2\n").unwrap();
    let mut player = player();
    let wrong = said(&mut player, &format!("setoption name VariantPath value {}", file.display()));
    assert!(wrong.contains(".ini:2: banner: found a piece of Fairy-Stockfish"), "{wrong}");
    assert!(player.ask("setoption name UCI_Variant value mine").is_empty());
    assert!(player.ask("position startpos moves e2e4").is_empty());
    let refused = said(&mut player, "setoption name UCI_Variant value wrong");
    assert!(refused.contains("found `wrong`"), "{refused}");
    player.quit();
    std::fs::remove_file(&file).unwrap();
}

/// Fairy-Stockfish writes the start of Breakthrough without castling rights and en passant cell.
#[test]
fn a_position_without_castling_rights_is_read_and_one_that_cannot_be_has_no_move() {
    let mut player = player();
    assert!(player.ask("setoption name UCI_Variant value breakthrough").is_empty());
    let board = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w 0 1";
    assert!(player.ask(&format!("position fen {board} moves a2a3 a7a6")).is_empty());
    for wrong in ["position fen pppp w", "position startpos moves a2a5", "position"] {
        said(&mut player, wrong);
        player.say("go nodes 50");
        let lines = player.until("bestmove ");
        let why = "info string go: found a position that was not read, expected one that";
        assert!(lines[0].starts_with(why) && lines[1..] == ["bestmove 0000"], "{lines:?}");
    }
    assert!(player.ask("position startpos").is_empty());
    assert_ne!(player.best_move("go nodes 50"), "0000");
    player.quit();
}

#[test]
fn positions_castlings_and_promotions_are_read() {
    let mut player = player();
    let board = "1n2k2r/P7/8/8/3p4/8/4P3/R3K2R w KQk - 0 1";
    let moves = "e2e4 d4e3 a7b8n e8g8 e1c1";
    assert_eq!(player.ask(&format!("position fen {board} moves {moves}")), [""; 0]);
    let mut state = GameState::new(built_in("chess").parse_board(board).unwrap());
    state.play_text(moves).unwrap();
    let best = player.best_move("go depth 2");
    assert!(state.position.parse_move(&best).is_ok(), "{best}");
    let refused = said(&mut player, "position startpos moves e2e5");
    assert!(refused.starts_with("info string position, move 1: found `e2e5`"), "{refused}");
    player.quit();
}

#[test]
fn scores_are_hundredths_and_moves_to_mate() {
    let mut player = player();
    for (board, score) in [
        ("7k/Q7/6K1/8/8/8/8/8 w - - 0 1", "score mate 1"),
        ("7k/8/8/8/8/8/8/K5R1 w - - 0 1", "score cp "),
    ] {
        for engine in ["mcts", "alphabeta"] {
            assert!(player.ask(&format!("setoption name Engine value {engine}")).is_empty());
            assert!(player.ask(&format!("position fen {board}")).is_empty());
            player.say("go nodes 300");
            let lines = player.until("bestmove ");
            let info = &lines[lines.len() - 2];
            assert!(info.contains(score) && info.contains(" pv "), "{engine}: {info}");
        }
    }
    player.quit();
}

#[test]
fn after_a_mate_there_is_no_move_but_after_an_unclaimed_draw_there_is() {
    let mut player = player();
    assert!(player.ask("position startpos moves f2f3 e7e5 g2g4 d8h4").is_empty());
    player.say("go nodes 50");
    let lines = player.until("bestmove ");
    assert!(lines[0].contains("checkmate") && lines[1] == "bestmove 0000", "{lines:?}");
    let shuffle = "b1c3 b8c6 c3b1 c6b8 ".repeat(3);
    assert!(player.ask(&format!("position startpos moves {shuffle}")).is_empty());
    let best = player.best_move("go nodes 50");
    assert!(built_in("chess").parse_move(&best).is_ok(), "{best}");
    player.quit();
}

#[test]
fn a_search_in_the_opponents_time_is_answered_after_ponderhit_or_stop() {
    let mut player = player();
    assert!(player.ask("setoption name Ponder value true").is_empty());
    let none = said(&mut player, "ponderhit");
    assert!(none.contains("no search ponders"), "{none}");
    for end in ["ponderhit", "stop"] {
        assert!(player.ask("position startpos moves e2e4 e7e5").is_empty());
        player.say("go ponder movetime 20");
        thread::sleep(Duration::from_millis(60));
        let lines = player.ask("");
        assert!(lines.iter().all(|line| line.starts_with("info depth ")), "{lines:?}");
        player.say(end);
        let lines = player.until("bestmove ");
        let words: Vec<&str> = lines.last().unwrap().split(' ').collect();
        let ["bestmove", best, "ponder", reply] = words[..] else { panic!("{words:?}") };
        let mut state = GameState::new(built_in("chess"));
        state.play_text(&format!("e2e4 e7e5 {best} {reply}")).unwrap();
        // One answer, and no more.
        assert_eq!(player.ask(""), [""; 0], "{end}");
    }
    player.say("go infinite");
    player.say("stop");
    player.until("bestmove ");
    player.quit();
}

#[test]
fn keeps_pondered_results_after_ponderhit() {
    let mut player = player();
    assert!(player.ask("position startpos moves e2e4 e7e5").is_empty());
    player.say("go ponder nodes 1");
    while depth_of(&player.line()).is_none_or(|depth| depth < 6) {}
    player.say("ponderhit");
    let lines = player.until("bestmove ");
    // A search of one iteration finds no more than a move by itself.
    let depth = depth_of(&lines[lines.len() - 2]).unwrap();
    assert!(depth > 2, "{lines:?}");
    player.quit();
}

#[test]
fn an_answer_waits_for_stop_or_ponderhit_where_there_are_no_limits_and_no_moves() {
    let mut player = player();
    let mated = "position startpos moves f2f3 e7e5 g2g4 d8h4";
    let (alive, none) = ("position startpos", Some("0000"));
    for (position, go, end, best) in [
        (alive, "go ponder", "stop", None),
        (alive, "go ponder", "ponderhit\nstop", None),
        (mated, "go ponder movetime 20", "ponderhit", none),
        (mated, "go ponder movetime 20", "stop", none),
        (mated, "go ponder", "ponderhit\nstop", none),
        (mated, "go infinite", "stop", none),
        (mated, "go", "stop", none),
    ] {
        assert!(player.ask(position).is_empty());
        player.say(go);
        thread::sleep(Duration::from_millis(40));
        let lines = player.ask("");
        let early = lines.iter().find(|line| line.contains("bestmove") || line.contains("1000 ms"));
        assert_eq!(early, None, "{go}");
        let found = player.best_move(end);
        assert!(best.map_or(found.len() == 4 && found != "0000", |best| best == found), "{found}");
        assert_eq!(player.ask(""), [""; 0], "{go}: {end}");
    }
    player.quit();
}

/// As graphical programs and test servers start an engine: a file, without arguments.
#[test]
fn a_bare_engine_speaks_what_its_first_word_says() {
    let folder = std::env::temp_dir().join(format!("alesia bare {}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let name = format!("alesia-uci-test{}", std::env::consts::EXE_SUFFIX);
    let engine = folder.join(name);
    std::fs::copy(env!("CARGO_BIN_EXE_alesia"), &engine).unwrap();
    let answer = |lines: &str| {
        let mut child =
            Command::new(&engine).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let uci = answer("uci\nisready\nquit\n");
    assert!(uci.contains("\nuciok\n") && uci.ends_with("readyok\n"), "{uci}");
    assert!(uci.contains("option name Threads type spin default 1 "), "{uci}");
    let ugi = answer("\nugi\nposition startpos\nquery p1turn\nquit\n");
    assert!(ugi.contains("\nugiok\n") && ugi.ends_with("response true\n"), "{ugi}");
    assert_eq!(answer(""), "");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn both_names_of_the_engine_speak_what_its_first_word_says() {
    for name in ["ugi", "uci"] {
        for (word, game) in [
            ("ugi", "Game type combo default murus"),
            ("uci", "UCI_Variant type combo default chess"),
        ] {
            let mut player = Player::speaking(name, "4MiB", &[]);
            player.say(word);
            let lines = player.until(&format!("{word}ok"));
            assert!(lines.iter().any(|line| line.contains(game)), "{name}, {word}: {lines:?}");
            player.quit();
        }
    }
}

#[test]
fn several_lines_of_play_are_numbered() {
    for engine in ["mcts", "alphabeta"] {
        let mut player = Player::speaking("uci", "4MiB", &["--engine", engine]);
        assert!(player.ask("setoption name MultiPV value 3").is_empty());
        assert!(player.ask("position startpos").is_empty());
        player.say("go nodes 3000");
        let lines = player.until("bestmove");
        let last = &lines[lines.len() - 4..];
        let mut first_moves = Vec::new();
        for (number, line) in last[..3].iter().enumerate() {
            assert!(line.contains(&format!(" multipv {} ", number + 1)), "{engine}: {line}");
            let (_, variation) = line.split_once(" pv ").unwrap();
            first_moves.push(variation.split(' ').next().unwrap());
        }
        assert_eq!(last[3], format!("bestmove {}", first_moves[0]));
        assert!(first_moves[1] != first_moves[0] && first_moves[2] != first_moves[1]);
        assert!(player.ask("setoption name MultiPV value 1").is_empty());
        player.say("go nodes 300");
        assert!(!player.until("bestmove").iter().any(|line| line.contains("multipv")));
        player.quit();
    }
}

#[test]
fn searchmoves_names_the_moves_to_choose_from() {
    let mut player = player();
    assert!(player.ask("position startpos").is_empty());
    assert_eq!(player.best_move("go nodes 300 searchmoves a2a3"), "a2a3");
    let chosen = player.best_move("go searchmoves a2a3 h2h3 nodes 300");
    assert!(["a2a3", "h2h3"].contains(&chosen.as_str()), "{chosen}");
    player.say("go nodes 9 searchmoves a2a5 h2h3");
    let lines = player.until("bestmove");
    assert!(
        lines[0].starts_with("info string go, searchmoves, move: found `a2a5`"),
        "{}",
        lines[0]
    );
    assert_eq!(lines.last().unwrap(), "bestmove h2h3");
    // Without a limit the search ends with a stop, and pondering keeps to the moves.
    player.say("go searchmoves a2a3");
    player.say("stop");
    assert_eq!(player.until("bestmove").last().unwrap(), "bestmove a2a3");
    player.say("go ponder nodes 300 searchmoves a2a3");
    player.say("ponderhit");
    assert_eq!(player.until("bestmove").last().unwrap(), "bestmove a2a3");
    player.quit();
}

#[test]
fn a_skill_level_weakens_the_engine() {
    let mut player = player();
    assert!(player.ask("setoption name Skill Level value 1").is_empty());
    assert!(player.ask("position startpos").is_empty());
    player.say("go nodes 100000");
    let lines = player.until("bestmove");
    // The weakest level has 25 iterations, whatever the limits.
    assert!(lines.iter().any(|line| line.contains(" nodes 25 ")), "{lines:?}");
    assert!(player.ask("setoption name Skill Level value 7").is_empty());
    player.say("go nodes 2000");
    assert!(player.until("bestmove").iter().any(|line| line.contains(" nodes 2000 ")));
    player.quit();
}

/// A file of weights for a variant, with such numbers.
fn weights(game: AnyGame, number: i16) -> Vec<u8> {
    let AnyGame::Variant(start) = game else { panic!("a variant") };
    let layout = Layout::of(start.rules());
    let bytes = LoadedNetwork::<HIDDEN>::bytes(layout.inputs(), layout.move_rows());
    weights_file(start.rules(), 0, &number.to_le_bytes().repeat(bytes / 2))
}

#[test]
fn a_file_of_weights_is_read_whenever_the_option_is_set() {
    let file = std::env::temp_dir().join(format!("alesia-again-{}.weights", std::process::id()));
    let game = built_in("gardner");
    let mut player = Player::speaking("uci", "4MiB", &["--game", "variant:gardner"]);
    let mut score = |number| {
        std::fs::write(&file, weights(game, number)).unwrap();
        assert!(player.ask(&format!("setoption name Weights value {}", file.display())).is_empty());
        player.say("go nodes 1");
        let lines = player.until("bestmove ");
        let said = lines.iter().rev().find_map(|line| line.split_once(" score cp "));
        said.unwrap().1.split(' ').next().unwrap().to_owned()
    };
    let [none, some, again] = [0, 40, 0].map(&mut score);
    assert_ne!(none, some);
    assert_eq!(none, again);
    std::fs::remove_file(&file).unwrap();
    player.quit();
}

#[test]
fn weights_that_were_read_stay_whatever_becomes_of_their_file() {
    let file = std::env::temp_dir().join(format!("alesia-kept-{}.weights", std::process::id()));
    let set = format!("setoption name Weights value {}", file.display());
    let mut player = Player::speaking("uci", "4MiB", &["--game", "variant:gardner"]);
    let score = |player: &mut Player| {
        player.say("go nodes 1");
        let lines = player.until("bestmove ");
        let said = lines.iter().rev().find_map(|line| line.split_once(" score cp "));
        said.unwrap().1.split(' ').next().unwrap().to_owned()
    };
    let built_in = score(&mut player);
    std::fs::write(&file, weights(self::built_in("gardner"), 40)).unwrap();
    assert!(player.ask(&set).is_empty());
    let learned = score(&mut player);
    assert_ne!(learned, built_in);
    // A file that is none is refused, also where it has the same name.
    std::fs::write(&file, "no weights").unwrap();
    let said = player.ask(&set).join("\n");
    assert!(said.ends_with(&format!("; keeping {} as it was before", file.display())), "{said}");
    assert_eq!(score(&mut player), learned);
    std::fs::remove_file(&file).unwrap();
    player.say("uci");
    player.until("uciok");
    assert!(player.ask("setoption name Threads value 2").is_empty());
    assert_eq!(score(&mut player), learned);
    player.quit();
}
