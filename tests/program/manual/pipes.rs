//! Play by hand without a terminal: everything that is typed is there from the start, and prompts
//! are lines.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::{Command, Output, Stdio};
use std::thread;

use alesia::game::Game;
use alesia::games::{AnyGame, AnyState, Hadron, Loa, Murus, Voidrider};

use super::state::State;
use super::{SMALL, alesia};
use crate::dialogue::{Peer, games, listener};

/// Runs a command with this on its standard input; it must end well. Returns what it printed.
#[track_caller]
fn typed(command: &mut Command, input: impl AsRef<[u8]> + Send) -> String {
    let output = run(command, input);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), errors.as_str()), (Some(0), ""));
    String::from_utf8(output.stdout).unwrap()
}

fn run(command: &mut Command, input: impl AsRef<[u8]> + Send) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    thread::scope(|scope| {
        // It may end before it has read everything.
        scope.spawn(move || drop(pipe.write_all(input.as_ref())));
        child.wait_with_output().unwrap()
    })
}

/// A game by hand with a small engine.
fn manual(arguments: &str) -> Command {
    alesia(&format!("manual {SMALL} {arguments}"))
}

/// The same with moves played before.
fn manual_after(arguments: &str, moves: &str) -> Command {
    let mut command = manual(arguments);
    command.args(["--moves", moves]);
    command
}

/// The moves that the engine is said to play.
fn engine_moves(output: &str) -> Vec<&str> {
    let moves = output.lines().filter_map(|line| line.strip_prefix("  >>> "));
    moves.map(|line| line.split(' ').nth(2).unwrap()).collect()
}

/// The prompts, without the times.
fn prompts(output: &str) -> Vec<&str> {
    let prompts = output.lines().filter(|line| line.starts_with("[White "));
    prompts.map(|line| line.split_once("] ").unwrap().1).collect()
}

/// The lines between the first two prompts.
#[track_caller]
fn answer(output: &str) -> Vec<&str> {
    let mut lines = output.lines().skip_while(|line| !line.starts_with("[White ")).skip(1);
    let answer = lines.by_ref().take_while(|line| !line.starts_with("[White ")).collect();
    assert!(lines.next().is_some(), "there is a second prompt: {output}");
    answer
}

/// Enters a whole game, which must have this end, also when it is continued after any move.
#[track_caller]
fn enter(game: &str, start: AnyGame, moves: &str, result: &str) {
    let lines = moves.replace(' ', "\n");
    let output = typed(&mut manual(&format!("--game {game} --side both")), &lines);
    assert_eq!(output.lines().last(), Some(format!("result: {result}").as_str()), "{output}");
    let state = State::read(&output);
    assert_eq!(state.moves, moves);
    assert!(state.game(start).ending().is_some());
    let count = state.plies();
    let numbers: Vec<&str> = prompts(&output);
    assert_eq!(numbers.len(), count + 1, "a prompt a move, and one after the end: {output}");
    assert_eq!(numbers.last(), Some(&"over:"));
    for (number, (text, prompt)) in moves.split(' ').zip(&numbers).enumerate() {
        let side = ["White", "Black"][number % 2];
        assert_eq!(*prompt, format!("{} {side}:", number + 1));
        let line = format!("{} {side} {text} ", number + 1);
        let found = output.lines().filter(|found| found.starts_with(&line)).count();
        assert_eq!(found, 1, "{line}: {output}");
    }

    let (before, after) = moves.rsplit_once(' ').unwrap();
    let output =
        typed(&mut manual_after(&format!("--game {game} --side both"), before), after.to_string());
    assert!(output.ends_with(&format!("\nresult: {result}\n")), "{output}");
    assert_eq!(State::read(&output).moves, moves);
}

#[test]
fn murus_gallicus_is_entered() {
    enter("murus", AnyGame::from(Murus::start()), games::MURUS_WHITE, "White (home row reached)");
    enter("murus", AnyGame::from(Murus::start()), games::MURUS_BLACK, "Black (home row reached)");
    enter("murus", AnyGame::from(Murus::start()), games::MURUS_NO_MOVE, "Black (no legal move)");
}

#[test]
fn hadron_is_entered() {
    enter(
        "hadron3",
        AnyGame::from(Hadron::start(3, 3)),
        games::HADRON_3X3_WHITE,
        "White (no legal move)",
    );
    enter(
        "hadron2",
        AnyGame::from(Hadron::start(2, 2)),
        games::HADRON_2X2_BLACK,
        "Black (no legal move)",
    );
}

#[test]
fn lines_of_action_is_entered() {
    let start = AnyGame::from(Loa::start(Default::default()));
    enter("loa", start, games::LOA_WHITE, "White (all stones connected)");
}

#[test]
fn voidrider_chess_is_entered() {
    enter(
        "voidrider",
        AnyGame::from(Voidrider::start()),
        games::VOIDRIDER_BLACK,
        "Black (checkmate)",
    );
}

/// The engine plays both sides to the end, every move by the rules, and asks nothing.
#[track_caller]
fn engine_alone(game: &str, start: AnyGame) {
    let output = typed(&mut manual(&format!("--game {game} --side none --engine alphabeta")), "");
    let ending = State::read(&output).game(start).ending().expect("the game is over");
    assert!(output.ends_with(&format!("\nresult: {ending}\n")), "{output}");
    assert_eq!(prompts(&output), [""; 0]);
}

#[test]
fn the_engine_plays_all_games_alone() {
    engine_alone("murus", AnyGame::from(Murus::start()));
    engine_alone("hadron5", AnyGame::from(Hadron::start(5, 5)));
    engine_alone("loa", AnyGame::from(Loa::start(Default::default())));
    engine_alone("voidrider", AnyGame::from(Voidrider::start()));
}

/// Plays against an engine for some turns, takes the last one back and plays another: the engine
/// must answer as in a game without the first one.
#[track_caller]
fn take_back(game: &str, start: AnyGame, side: &str, engine: &str) {
    let arguments = format!("--game {game} --side {side} --engine {engine} --seed 3");
    let mut entered = String::new();
    let mut turn = |pick: fn(usize) -> usize, more: &str| {
        let state = State::read(&typed(&mut manual(&arguments), &entered));
        let state = state.game(start);
        let mut legal = alesia::game::MoveList::new();
        state.position.moves(&mut legal);
        let m = state.position.notation(legal[pick(legal.len())]).to_string();
        entered += &format!("{m}\n{more}");
        m
    };
    turn(|_| 0, "");
    turn(|count| count / 2, "undo\n");
    let before = typed(&mut manual(&arguments), &entered);
    let other = State::read(&before);
    let state = other.game(start);
    let mut legal = alesia::game::MoveList::new();
    state.position.moves(&mut legal);
    let m = state.position.notation(legal[legal.len() - 1]).to_string();

    let taken_back = typed(&mut manual(&arguments), format!("{entered}{m}"));
    let never_was = typed(&mut manual_after(&arguments, &other.moves), &m);
    let [taken_back, never_was] = [taken_back, never_was].map(|output| State::read(&output));
    assert_eq!(taken_back.moves, never_was.moves, "{arguments}");
    assert_eq!(taken_back.plies(), other.plies() + 2, "{arguments}");
    taken_back.game(start);
}

macro_rules! taken_back {
    ($($name:ident: $game:literal, $start:expr, $side:literal, $engine:literal;)*) => {
        $(
            #[test]
            fn $name() {
                take_back($game, $start, $side, $engine);
            }
        )*
    };
}

taken_back! {
    murus_after_an_undo: "murus", AnyGame::from(Murus::start()), "white", "random";
    hadron_after_an_undo: "hadron7", AnyGame::from(Hadron::start(7, 7)), "black", "random";
    loa_after_an_undo: "loa", AnyGame::from(Loa::start(Default::default())), "black", "random";
    voidrider_after_an_undo: "voidrider", AnyGame::from(Voidrider::start()), "white", "random";
    the_tree_after_an_undo: "murus", AnyGame::from(Murus::start()), "black", "mcts";
    alpha_beta_after_an_undo: "voidrider", AnyGame::from(Voidrider::start()), "black", "alphabeta";
}

/// There and back with a knight of each side.
const DANCE: &str = "b2-c4\nb8-c6\nc4-b2\nc6-b8\n";

#[test]
fn moves_taken_back_do_not_count_as_repetitions() {
    let both = "--game voidrider --side both";
    let thrice = typed(&mut manual(both), DANCE.repeat(2));
    assert!(thrice.ends_with("result: tie (third occurrence of the position)\n"), "{thrice}");

    // With other moves before, the places that were passed through and taken back differ from those
    // that were not.
    let again = format!("f2-e4\nf8-e6\n{DANCE}undo 4\n{DANCE}b2-c4\nb8-c6\n");
    let again = typed(&mut manual(both), again);
    assert_eq!(prompts(&again).last(), Some(&"9 White:"), "the second occurrence: {again}");

    let before = DANCE.replace('\n', " ");
    let resumed = typed(&mut manual_after(both, before.trim()), DANCE);
    assert!(resumed.ends_with("result: tie (third occurrence of the position)\n"), "{resumed}");
}

#[test]
fn undo_goes_back_to_the_previous_turn_by_hand() {
    // Against the engine two plies, as the prompts show.
    let output = typed(&mut manual("--game hadron5 --side white"), "A1\nundo\nB2\n");
    assert_eq!(prompts(&output), ["1 White:", "3 White:", "1 White:", "3 White:"]);
    assert!(State::read(&output).moves.starts_with("B2 "), "{output}");
    // Between two people one.
    let output = typed(&mut manual("--game hadron5 --side both"), "A1\nundo\nB2\n");
    assert_eq!(prompts(&output), ["1 White:", "2 Black:", "1 White:", "2 Black:"]);
    // A game that is over continues.
    let over = games::HADRON_3X3_WHITE.replace(' ', "\n");
    let output = typed(&mut manual("--game hadron3 --side both"), format!("{over}\nundo"));
    assert_eq!(prompts(&output)[3..], ["over:", "3 White:"]);
    assert!(!output.contains("result:"), "{output}");
}

#[test]
fn after_undo_with_a_number_anybody_is_asked() {
    let game = "--game hadron5 --side black";
    let own = typed(&mut manual(game), "");
    let [first] = engine_moves(&own)[..] else { panic!("{own}") };
    let other = if first == "A1" { "A2" } else { "A1" };
    // The engine's first move is replaced by another, and it continues after ours.
    let output = typed(&mut manual(game), format!("undo 1\nhint\n{other}\nE5\n"));
    assert_eq!(prompts(&output)[..4], ["2 Black:", "1 White:", "1 White:", "2 Black:"]);
    assert!(output.contains(&format!("\nhint: {first} (")), "{output}");
    let state = State::read(&output);
    assert!(state.moves.starts_with(&format!("{other} E5 ")), "{output}");
    assert_eq!(state.plies(), 3);
}

#[test]
fn a_game_begins_by_the_book_each_time_in_another_way() {
    // A search would need an hour per move.
    let slow =
        "manual --threads 1 --memory 1MiB --ponder off --move-time 3600000 --side black --book on";
    let first_moves = |options: &str| {
        let games = (0..10).map(|_| typed(&mut alesia(&format!("{slow} {options}")), ""));
        let mut moves: Vec<String> = games.map(|game| engine_moves(&game)[0].to_owned()).collect();
        moves.sort_unstable();
        moves.dedup();
        moves
    };
    assert!(first_moves("--game loa").len() > 1);
    assert_eq!(first_moves("--game loa --seed 4").len(), 1);
    assert_eq!(first_moves("--game loa --nodes 1").len(), 1, "the same play everywhere");
    let thought = typed(&mut alesia(&slow.replace("--book on", "--nodes 50")), "");
    assert_eq!(engine_moves(&thought).len(), 1);
}

#[test]
fn the_last_move_of_the_engine_is_shown_again_when_a_game_is_continued() {
    let output = typed(&mut manual_after("--game hadron5 --side black", "A1"), "");
    assert_eq!(engine_moves(&output), ["A1"]);
    let last = "last move: 1 White A1 (ours): check that the opponent received it";
    assert!(State::read(&output).says(last), "{output}");
    let output = typed(&mut manual_after("--game hadron5 --side white", "A1 B2"), "");
    assert_eq!(engine_moves(&output), ["B2"]);
    assert!(engine_moves(&typed(&mut manual("--side both"), "G4,N")).is_empty());
}

/// A line entered after `B1`, and the one line of the answer.
#[test]
fn a_wrong_line_is_answered_by_a_line_and_changes_nothing() {
    let no_move = |text: &str| {
        format!(
            "\"{text}\" is not a move. Moves look like A1 (row, column); type help for commands."
        )
    };
    let long = "x".repeat(1 << 20);
    for (line, expected) in [
        ("A1 B2", "move: found `B2` after it, expected the end of the line"),
        ("B1", "move: found `B1`, expected a legal move of Black such as "),
        ("hnit", &no_move("hnit")),
        ("B9", &no_move("B9")),
        ("undo 2", "undo: found 2 moves, expected at most 1"),
        ("undo -1", "undo: found `-1`, expected a number of moves, 1 or more"),
        ("hint now", "hint: found `now` after it, expected the end of the line"),
        ("\0", &no_move("\\0")),
        ("\u{1b}[2J\u{e9}", &no_move("\\u{1b}[2Jé")),
        (&long, "input: found a line of more than 1024 bytes, expected a move"),
    ] {
        let output =
            typed(&mut manual_after("--game hadron3 --side both", "B1"), format!("{line}\n"));
        let said = answer(&output);
        assert!(matches!(said[..], [said] if said.starts_with(expected)), "{said:?}");
        assert_eq!(prompts(&output), ["2 Black:"; 2]);
        assert_eq!(State::read(&output).moves, "B1");
    }
    // Bytes that are no text, and nothing at all.
    for (line, lines) in [(&b"\xff\xfe\n"[..], 1), (b"\n", 0), (b"  \t\r\n", 0)] {
        let output = typed(&mut manual_after("--game hadron3 --side both", "B1"), line);
        assert_eq!((answer(&output).len(), prompts(&output)), (lines, vec!["2 Black:"; 2]));
    }
}

#[test]
fn undo_without_an_earlier_turn_says_so() {
    let output = typed(&mut manual("--game hadron3 --side both"), "undo\n");
    assert_eq!(answer(&output), ["undo: there is no move to take back"]);
    let output = typed(&mut manual("--game hadron3 --side black"), "undo\n");
    let expected = "undo: you had no earlier turn; undo 1 takes back the last move";
    assert_eq!(answer(&output), [expected]);
    assert_eq!(prompts(&output), ["2 Black:"; 2]);
}

#[test]
fn a_game_that_is_over_accepts_no_move_and_no_hint() {
    let over = games::HADRON_3X3_WHITE;
    let output = typed(&mut manual_after("--game hadron3", over), "A1\nhint\nclock\nquit\n");
    let refused =
        "the game is over, White wins: Black has no legal move; type undo, save FILE or quit\n";
    assert_eq!(output.matches(refused).count(), 3, "{output}");
    assert!(output.contains("\nclock: White 0.0 s, Black 0.0 s\n"), "{output}");
    assert_eq!(output.matches("result: ").count(), 1, "{output}");
    assert!(output.ends_with("\nresult: White (no legal move)\n"), "{output}");
}

#[test]
fn questions_are_answered_and_change_nothing() {
    let ask = |question: &str| {
        let output =
            typed(&mut manual_after("--game hadron3 --side both", "B1 A3"), question.to_owned());
        assert_eq!(State::read(&output).moves, "B1 A3");
        assert_eq!(prompts(&output), ["3 White:"; 2]);
        answer(&output).join("\n")
    };
    assert_eq!(ask("board\n"), "\n  A . . b\n  B w . .\n  C . . .\n    1 2 3\n\nmoves: B1 A3");
    assert_eq!(ask("hint\n"), "hint: C2 (win in 1; line C2)");
    let clock = ask("clock\n");
    assert!(
        clock.starts_with("clock: White ") && clock.contains("; White, this move: "),
        "{clock}"
    );
    assert_eq!(ask("moves\n"), "2 legal moves of White:\nC2  C3");
    for word in ["MOVE", "hint", "moves", "board", "rules", "undo", "clock", "save", "quit"] {
        assert!(ask("help\n").lines().any(|line| line.starts_with(word)), "{word}");
    }
}

#[test]
fn the_moves_are_listed_in_lines_of_80_columns() {
    let output = typed(&mut manual("--side both"), "moves\n");
    let lines = answer(&output);
    assert_eq!(lines[0], "20 legal moves of White:");
    let moves: Vec<&str> = lines[1..].iter().flat_map(|line| line.split_whitespace()).collect();
    assert_eq!((moves.len(), moves.contains(&"G4,NE")), (20, true));
    assert!(lines.iter().all(|line| line.len() <= 80 && !line.ends_with(' ')), "{lines:?}");
}

#[test]
fn the_rules_are_those_of_the_command() {
    let ask = |command: &mut Command| command.env("LC_ALL", "it_IT.UTF-8").output().unwrap();
    let rules = ask(&mut alesia("rules hadron"));
    let rules = String::from_utf8(rules.stdout).unwrap();
    let mut command = manual("--game hadron3 --side both");
    let output = typed(command.env("LC_ALL", "it_IT.UTF-8"), "rules\n");
    assert!(rules.contains("Scopo:") && output.contains(&rules), "{output}");
    assert_eq!(prompts(&output), ["1 White:"; 2]);
}

#[test]
fn a_game_is_saved_to_a_new_file() {
    let folder = std::env::temp_dir().join(format!("alesia-save-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("my game.txt");
    let shown = file.display();
    let lines = format!("B1\nsave {shown}\nA3\nsave {shown}\n");
    let output = typed(&mut manual("--game hadron3 --side both"), lines);
    let saved = std::fs::read_to_string(&file).unwrap();
    assert_eq!(State::read(&saved).moves, "B1");
    assert!(output.contains(&format!("\nsaved: {shown}\n")), "{output}");
    let refused = output.lines().find(|line| line.starts_with("save: found `")).unwrap();
    assert!(refused.contains("there already, expected"), "the first is kept: {refused}");
    assert_eq!(State::read(&output).moves, "B1 A3");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn who_resigns_loses() {
    for (lines, result) in [("resign\n", "Black"), ("B1\nresign\nA3\n", "White")] {
        let output = typed(&mut manual("--game hadron3 --side both"), lines);
        assert!(output.ends_with(&format!("\nresult: {result} (resignation)\n")), "{output}");
        assert_eq!(prompts(&output).len(), lines.matches('\n').count().min(2), "{output}");
        assert!(!State::read(&output).moves.contains("A3"));
    }
    let over = games::HADRON_3X3_WHITE;
    let output = typed(&mut manual_after("--game hadron3", over), "resign\n");
    assert!(output.ends_with("\nresult: White (no legal move)\n"), "{output}");
}

#[test]
fn case_and_line_ends_do_not_matter_and_the_last_line_needs_none() {
    let output = typed(&mut manual("--game hadron3 --side both"), "b1\r\n BOARD \r\nA3\r\nc2");
    assert_eq!(State::read(&output).moves, "B1 A3 C2");
    assert!(output.ends_with("\nresult: White (no legal move)\n"), "{output}");
}

#[test]
fn the_end_of_the_input_is_as_quit() {
    // But for the times.
    let say = |input: &str| {
        let output = typed(&mut manual("--game hadron5 --side both"), input.to_owned());
        let lines: Vec<_> = output.lines().filter(|line| !line.starts_with(['[', '1'])).collect();
        lines.join("\n")
    };
    assert_eq!(say("C3\n"), say("C3\nquit\nA1\n"));
    assert!(say("C3\n").ends_with(
        " manual --game hadron5 --side both --memory 1MiB --threads 1 --nodes 200 --moves \"C3\""
    ));
}

#[test]
fn setups_and_positions_are_kept() {
    for files in ["--game loa:files", "--game loa --loa-layout files"] {
        let output = typed(&mut manual(&format!("{files} --side both")), "A2-C2\n");
        assert!(State::read(&output).command.contains(" --game loa:files "), "{output}");
    }

    let board = "......../......../BB....../W......./BB....../......../........ w 40";
    let mut command = manual("--side both");
    command.args(["--position", board]);
    let output = typed(&mut command, "board\n");
    let state = State::read(&output);
    assert_eq!(state.board, board);
    assert!(state.command.contains(&format!(" --position \"{board}\"")), "{}", state.command);
    assert_eq!(prompts(&output), ["1 White:"; 2]);
}

#[test]
fn unusable_arguments_have_status_2_and_one_line() {
    for (arguments, reason) in [
        (&["--moves", "G1,N G1,N"][..], "--moves, move 2, move: found `G1,N`"),
        (&["--position", "x w 0"], "--position, text board: found 1 rows"),
        (&["--side", "red"], "--side"),
        (&["--game", "chess"], "game: found `chess`"),
        (&["--set", "warp=9"], "--set"),
    ] {
        let output = run(alesia(&format!("manual {SMALL}")).args(arguments), "");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(reason), "{errors}");
    }
}

#[test]
fn a_network_game_that_is_cut_off_is_continued() {
    is_cut_off("WELCOME Black\n");
    // Our side follows from the moves too.
    is_cut_off("");
}

/// If the server ends, a player prints everything that is needed to continue by hand.
#[track_caller]
fn is_cut_off(welcome: &str) {
    let (listener, address): (TcpListener, _) = listener();
    let play = format!("play 127.0.0.1 {} --game hadron5 {SMALL}", address.port());
    let mut player = alesia(&play).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut server = Peer::new(listener.accept().unwrap().0);
    server.sends(format!("{welcome}OPPONENT_MOVE A1\nYOUR_TURN\n"));
    let mut output = player.stdout.take().unwrap();
    // Once its move has arrived; before, it would not be shown.
    server.hears_a_line();
    server.leaves();
    let mut text = String::new();
    output.read_to_string(&mut text).unwrap();
    assert_eq!(player.wait().unwrap().code(), Some(1));

    let state = State::read(&text);
    let game: AnyState = state.game(AnyGame::from(Hadron::start(5, 5)));
    assert_eq!((state.plies(), game.position.ply()), (2, 2));
    assert!(state.says("to move: White; Alesia plays Black"), "{text}");
    let ours = state.moves.split(' ').next_back().unwrap();
    let last = format!("last move: 2 Black {ours} (ours): check that the opponent received it");
    assert!(state.says(&last), "{text}");
    assert!(state.command.contains(" --game hadron5 --side white "), "{text}");

    let resumed = typed(&mut manual_after("--game hadron5 --side white", &state.moves), "");
    assert_eq!(prompts(&resumed), ["3 White:"]);
    assert_eq!(State::read(&resumed).command, state.command);
}

/// The side that the relay has left prints the same.
#[test]
fn a_relayed_game_that_is_cut_off_is_continued() {
    let (listener, address) = listener();
    let black = format!("loa-black 127.0.0.1 {} --any-port {SMALL}", address.port());
    let mut player = alesia(&black).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut relay = Peer::new(listener.accept().unwrap().0);
    relay.says(["B1-B3"]);
    relay.hears_a_line();
    relay.leaves();
    let mut text = String::new();
    player.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(player.wait().unwrap().code(), Some(1));
    let state = State::read(&text);
    assert!(state.moves.starts_with("B1-B3 ") && state.plies() == 2, "{text}");
    state.game(AnyGame::from(Loa::start(Default::default())));
    assert!(state.says("to move: White; Alesia plays Black"), "{text}");
    assert!(state.command.contains(" --game loa --side white "), "{text}");
}

#[test]
fn moves_of_chess_variants_are_read_and_shown_in_standard_notation() {
    let output = typed(&mut manual("--game variant:chess --side both"), "Nf3\ne7e5\nexd5\nmoves\n");
    for line in ["1 White Nf3 ", "2 Black e5 ", "move: found `exd5`"] {
        assert!(output.lines().any(|found| found.starts_with(line)), "{line}: {output}");
    }
    let listed = output.split("legal moves of White:\n").nth(1).unwrap();
    assert!(listed.contains("Nxe5") && listed.contains("e4") && !listed.contains("f3e5"));
    // What continues the game elsewhere keeps the notation of `--moves`.
    assert!(output.contains("g1f3 e7e5"), "{output}");
    let output = typed(&mut manual("--game variant:chess --side white"), "Nf3\nfoo\n");
    let [answer] = engine_moves(&output)[..] else { panic!("{output}") };
    assert!(output.contains(&format!("\n2 Black {answer} ")), "{output}");
    assert!(output.contains("\"foo\" is not a move. Moves look like "), "{output}");
}

#[test]
fn a_level_plays_by_hand() {
    let command = |words: &str| alesia(&format!("manual --game hadron5 --memory 1MiB {words}"));
    let output = typed(&mut command("--level 2 --side none --seed 3"), "");
    assert!(output.contains("engine plays both sides (level 2, Legionary)\n"), "{output}");
    assert!(output.contains("result: "), "{output}");
    let refused = run(&mut command("--level 9"), "");
    let error = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(error.contains("expected 1 to 6 or a name: recruit, legionary"), "{error}");
    let refused = run(&mut command("--level 2 --threads 2"), "");
    assert_eq!(refused.status.code(), Some(2));
}
