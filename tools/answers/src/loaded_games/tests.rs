use std::fmt::Write;

use alesia::game::GameState;
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::record;

const RECORD: &str = r#"{"seed":7,"pair":3,"leg":1,"game":"hadron3","white":"A","black":"B","opening":["B1"],"moves":[{"move":"A3","ms":1.5,"value":0.25},{"move":"C2","ms":1.5,"mate":1}],"result":"1-0","cause":"rule","reason":"no legal move"}"#;

fn game(name: &str) -> Option<GameSpec> {
    Some(name.parse().unwrap())
}

/// The games of a text, of which none is wrong.
fn read(game: Option<GameSpec>, text: &str) -> Result<Vec<LoadedGame>, ParseError> {
    super::read(game, text, || Ok(())).map(|loaded| {
        assert_eq!((loaded.left_out, loaded.wrong), (0, None), "{text}");
        loaded.games
    })
}

/// What is wrong with a text, or with the first game of it that is wrong.
fn error(game: Option<GameSpec>, text: &str) -> String {
    super::read(game, text, || Ok(()))
        .map_or_else(|error| error.to_string(), |loaded| loaded.wrong.unwrap())
}

/// A record by rules that it carries, which no file has.
fn record_with(rules: &str, definition: &str) -> String {
    let mut record: serde_json::Value = serde_json::from_str(RECORD).unwrap();
    record["game"] = json!("pasted-0123456789abcdef.ini:mine");
    record["definition"] = json!(definition);
    record["rules"] = json!(rules);
    record["opening"] = json!(["e2e4"]);
    record["moves"] = json!([]);
    // A record begins with its seed.
    let rest = record.to_string().replace(r#""seed":7,"#, "").replace(r#","seed":7"#, "");
    rest.replacen('{', r#"{"seed":7,"#, 1)
}

#[test]
fn a_record_is_read_by_the_rules_that_it_carries() {
    let rules = "[above:chess]\ndoubleStep = true\n\n[mine:above]\nnMoveRule = 40\n";
    let fingerprint = GameSpec::of_text("here.ini", rules).unwrap()[1].fingerprint().unwrap();
    let text = record_with(rules, &fingerprint);
    let found = read(None, &text).unwrap().remove(0);
    let spec: GameSpec = found.game.parse().unwrap();
    assert_eq!((spec.fingerprint(), spec.short_name()), (Some(fingerprint), "mine".to_owned()));
    // Others have pasted what its name says, which stays as it is.
    assert_ne!(found.game, "pasted-0123456789abcdef.ini:mine");
}

#[test]
fn rules_of_a_record_are_refused_if_they_are_wrong_or_others() {
    let other = "0000000000000000";
    for (rules, expected) in [
        (
            "[mine:chess]\n",
            "line 1, rules: found other rules, expected [mine] with the fingerprint",
        ),
        ("[yours:chess]\n", "line 1, rules, name: found `mine`"),
        ("[mine:b]\n\n[b:chess]\n", "line 1, rules, pasted-"),
        (&" ".repeat(33 << 10), "line 1, rules, definition: found 33792 bytes"),
    ] {
        let error = error(None, &record_with(rules, other));
        assert!(error.starts_with(expected), "{error}");
    }
}

/// A random game in the format of the files.
fn positions(spec: GameSpec, seed: u64) -> String {
    fn on(start: AnyGame, seed: u64) -> String {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut state = GameState::new(start);
        let mut text = format!("# a comment\nGAME\t{seed}\n");
        loop {
            let position = state.position;
            if let Some(ending) = state.ending() {
                let result = match ending.outcome {
                    alesia::game::Outcome::Win(Side::White) => 'w',
                    alesia::game::Outcome::Win(Side::Black) => 'b',
                    alesia::game::Outcome::Draw => 'd',
                };
                let rows = position.rows();
                writeln!(text, "END\t{}\t{result}\t{rows}", position.ply()).unwrap();
                return text;
            }
            let mut list = alesia::game::MoveList::new();
            position.moves(&mut list);
            let mut moves: Vec<String> =
                list.iter().map(|&m| position.notation(m).to_string()).collect();
            moves.sort();
            let m = position.random_move(&mut rng).unwrap();
            let side = if position.side() == Side::White { 'w' } else { 'b' };
            let (rows, played) = (position.rows(), position.notation(m));
            let moves = moves.join(" ");
            writeln!(text, "{}\t{side}\t{rows}\t{moves}\t{played}", position.ply()).unwrap();
            state.play(m);
        }
    }
    on(AnyGame::start(spec), seed)
}

#[test]
fn of_long_names_and_reasons_the_begin_is_shown() {
    let long = |text: &str| text.repeat(MAX_NAME + 1);
    let record = RECORD.replace("\"A\"", &format!("\"{}\"", long("é")));
    let record = record.replace("no legal move", &long("x"));
    let game = read(None, &record).unwrap().remove(0);
    assert_eq!(game.white, "é".repeat(MAX_NAME) + "…");
    assert_eq!(game.title, format!("{} – B, pair 4, game 2", game.white));
    assert_eq!(game.result.unwrap(), format!("White ({}…)", "x".repeat(MAX_NAME)));
    let pgn = format!("[White \"{}\"]\n[Black \"B\"]\n\n1. e4 *\n", long("W"));
    let game = read(self::game("variant:chess"), &pgn).unwrap().remove(0);
    assert_eq!(game.title, format!("{}… – B, game 1", "W".repeat(MAX_NAME)));
}

#[test]
fn records_of_a_match_have_values_for_white() {
    let text = format!("\u{feff}{{\"match\":[\"-game\"]}}\n\n{RECORD}\n");
    let games = read(None, &text).unwrap();
    let LoadedGame { title, moves, values, result, .. } = &games[0];
    assert_eq!(title, "A – B, pair 4, game 2");
    assert_eq!(moves.0, "B1 A3 C2");
    assert_eq!(values, &[None, Some(0.75), Some(1.0)]);
    assert_eq!(result.as_deref(), Some("White (no legal move)"));
}

#[test]
fn boards_say_by_themselves_what_is_played() {
    let guessed = |text: &str| read(None, text).map(|games| games[0].game.clone());
    for name in ["murus", "hadron", "hadron5", "hadron7", "loa", "voidrider", "hadron4x5"] {
        let board = AnyGame::start(name.parse().unwrap()).to_string();
        assert_eq!(guessed(&board).as_deref(), Ok(name), "{board}");
    }
    let found = read(None, ".../.w./... b 1 moves A1 A3\nB1\n../.. w 0\n").unwrap();
    let all: Vec<_> = found.iter().map(|game| (&game.game[..], game.moves.0.clone())).collect();
    assert_eq!(all, [("hadron3", "A1 A3 B1".to_owned()), ("hadron2", String::new())]);
}

#[test]
fn moves_are_played_by_the_rules_of_the_game_that_is_named() {
    let games = read(game("hadron3"), "moves: B1 A3\nC2").unwrap();
    assert_eq!(games[0].result.as_deref(), Some("White (no legal move)"));
    assert_eq!((games[0].title.as_str(), games.len()), ("Hadron, game 1", 1));
}

#[test]
fn games_of_other_programs_and_people_are_read() {
    let pgn = "[White \"Ann\"]\n[Black \"Bob\"]\n[Variant \"hadron3\"]\n\n1. B1 A3 2. C2 1-0\n";
    let found = &read(None, pgn).unwrap()[0];
    assert_eq!((&*found.title, &*found.game), ("Ann – Bob, game 1", "hadron3"));
    assert_eq!(found.result.as_deref(), Some("White (no legal move)"));
    let sgf = "(;GM[9]PB[Ann];B[b1-b3];W[a2-c2])";
    let found = &read(None, sgf).unwrap()[0];
    assert_eq!(
        (&*found.game, &*found.black, &*found.moves.0),
        ("loa:standard", "Ann", "B1-B3 A2-C2")
    );
    let printed = "1 White B1 3 ms\n2 Black A3 4 ms\n3 White C2 1 ms\n";
    assert_eq!(read(game("hadron3"), printed).unwrap()[0].moves.iter().count(), 3);
    // A list is known by its moves.
    let list = "1. b1-b3 a2xc2 2. d1-d3 *\n";
    let found = &read(None, list).unwrap()[0];
    assert_eq!((&*found.game, found.result.as_deref()), ("loa", None));
    assert_eq!(read(None, "B1-B3 A2-C2").unwrap()[0].game, "loa");
}

#[test]
fn chess_is_read_as_chess_programs_write_it() {
    // Moves alone, with numbers or without; PGN with the tag `Variant` or without.
    for text in [
        "e4 e5 Nf3 Nc6 Bc4 Nf6 O-O",
        "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. 0-0 *",
        "[White \"Ann\"]\n\n1. e4 e5 2. Nf3 {[%clk 0:03:00]} Nc6 3. Bc4 Nf6 4. O-O *\n",
        "[Variant \"Standard\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. O-O 1/2-1/2\n",
        "[Variant \"variant:chess\"]\n\n1. e2e4 e7e5 2. g1f3 b8c6 3. f1c4 g8f6 4. e1g1 *\n",
    ] {
        let found = &read(None, text).unwrap()[0];
        assert_eq!(found.game, "variant:chess", "{text}");
        assert_eq!(found.moves.0, "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1", "{text}");
    }
    assert_eq!(read(game("variant:losalamos"), "1. Nd3 b4").unwrap()[0].moves.iter().count(), 2);
    for (text, error_of) in [
        (
            "[White \"Ann\"]\n\n1. e4 e5\n2. Nf6 *\n",
            "line 4, Chess (FIDE), move 3, move: found `Nf6`, expected a legal move of White such as",
        ),
        ("[Variant \"losalamos\"]\n\n1. d3 d4 2. Nd7 *\n", "line 3, Los Alamos chess, "),
        ("1. e4 e5 2. Nf6 *", "line 1, Chess (FIDE), move 3, move: found `Nf6`"),
        ("[Variant \"crazyhouse\"]\n\n1. e4 *", "line 1, game: found `crazyhouse`, expected murus"),
    ] {
        let found = error(None, text);
        assert!(found.starts_with(error_of), "{found}");
    }
}

#[test]
fn files_of_positions_are_read_for_every_game_and_both_layouts() {
    for name in ["murus", "hadron5", "loa", "voidrider"] {
        let spec: GameSpec = name.parse().unwrap();
        let text = positions(spec, 1) + &positions(spec, 2);
        let games = read(None, &text).unwrap();
        let found: Vec<_> = games.iter().map(|game| (&game.game[..], &game.board)).collect();
        assert_eq!(found, [(name, &None), (name, &None)]);
        assert_eq!(games, read(Some(spec), &text).unwrap());
        assert!(games.iter().all(|game| game.result.is_some()));
    }
    let in_files = game("loa:files").unwrap();
    let files = positions(in_files, 3);
    for named in [None, game("loa")] {
        assert_eq!(read(named, &files).unwrap()[0].game, "loa:files");
    }
}

#[test]
fn names_errors_with_their_line() {
    let wrong = RECORD.replace("A3", "B1");
    let found = error(None, &format!("{RECORD}\n{wrong}\n"));
    assert!(found.starts_with("line 2, Hadron, move 2, move: found `B1`, expected"), "{found}");
    assert!(error(None, "{}").starts_with("line 1: found `{}`, expected a game record ("));
    assert!(error(None, " \n").starts_with("text: found nothing, expected game records"));
    assert!(error(None, "# no\n\nB1 A3").starts_with("line 3, game: found `B1 A3`, expected"));
    let found = error(game("hadron3"), "\nB1 A3 A3");
    assert!(found.starts_with("line 2, move 3, move: found `A3`"), "{found}");
    let found = error(None, "ab/cd w 0");
    assert!(found.starts_with("line 1, board: found `ab/cd w 0`, expected a text"), "{found}");
    let found = error(game("loa"), "../.. w 0");
    assert!(found.starts_with("line 1, board, text board: found 2 rows"), "{found}");
    let text = positions(game("murus").unwrap(), 1);
    let found = error(game("hadron"), &text);
    assert!(found.starts_with("line 3, board: found `BBBB"), "{found}");
    assert!(error(None, "GAME\t0\n").starts_with("first position: found ``, expected the rows"));
    let many = format!("{RECORD}\n").repeat(MAX_GAMES + 1);
    assert_eq!(error(None, &many), "line 5001: found game 5001, expected at most 5000 games");
}

#[test]
fn an_illegal_move_is_named_with_its_own_line_and_its_game() {
    let voidrider = game("voidrider").unwrap();
    let board = AnyGame::start(voidrider).to_string();
    let record = RECORD
        .replace("hadron3", "voidrider")
        .replace("\"B1\"", "\"b3-b4\"")
        .replace("A3", "b3-b4");
    let black = "expected a legal move of Black";
    for (text, place) in [
        ("G4,NE A5,SE\nG3,N G3,N\n", "line 2, Murus Gallicus, move 4: found `G3,N`"),
        ("1. b3-b4 d7-d6\n2. e3-e4 e3-e4", "line 2, Voidrider Chess, move 4: found `e3-e4`"),
        (
            "[Variant \"voidrider\"]\n\n1. b3-b4\nb3-b4 *\n",
            "line 4, Voidrider Chess, move 2, move: found `b3-b4`",
        ),
        (
            &*format!("# a board\n{board}\nb3-b4\nb3-b4 d7-d6"),
            "line 4, Voidrider Chess, move 2, move: found `b3-b4`",
        ),
        (&record, "line 1, Voidrider Chess, move 2, move: found `b3-b4`"),
    ] {
        let found = error(None, text);
        assert!(found.starts_with(&format!("{place}, {black}")), "{found}");
    }
    let found = error(game("hadron3"), "B1\nA3\n# a comment\nA3 C2");
    assert!(found.starts_with("line 4, move 3, move: found `A3`"), "{found}");
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in any::<String>(), named in any::<bool>()) {
        let _ = super::read(game("hadron3").filter(|_| named), &text, || Ok(()));
    }

    #[test]
    fn pieces_of_what_can_be_read_are_read_or_refused(
        pieces in proptest::collection::vec((0..14_usize, 0..200_usize, 1..200_usize), 1..8),
        named in proptest::option::of(0..GameSpec::setups().len()),
    ) {
        let sources = [
            RECORD.to_owned(), positions(game("murus").unwrap(), 1), "GAME\t0\n".to_owned(),
            "moves: B1 A3".to_owned(), ".../.w./... b 1 moves A1 A3".to_owned(),
            AnyGame::start(game("voidrider").unwrap()).to_string(),
            AnyGame::start(game("loa").unwrap()).to_string(),
            "END\t3\tw\t...\n".to_owned(), "\n".to_owned(), " moves ".to_owned(),
            positions("hadron2x2".parse().unwrap(), 1), "é\u{0}\t".to_owned(),
            "[White \"A\"]\n\n1. e4 d5 2. exd5 {a} c5 3. dxc6+ e.p. (O-O) *\n".to_owned(),
            "1. Nf3 Nf6 2. Ng1 0-0 e8=Q# Ra10xb2".to_owned(),
        ];
        let cut = |&(source, from, length): &(usize, usize, usize)| -> String {
            sources[source].chars().skip(from).take(length).collect()
        };
        let text: String = pieces.iter().map(cut).collect();
        let _ = super::read(named.map(|number| GameSpec::setups()[number]), &text, || Ok(()));
    }
}

#[test]
fn comments_and_marks_by_hand_come_back_from_both_forms() {
    let finished = |format: &str| {
        let moves = ["B1-D3", "A2-C2", "D1-D4"].iter().zip(["white", "black", "white"]);
        let moves: Vec<_> =
            moves.map(|(text, side)| json!({ "move": text, "side": side })).collect();
        json!({
            "game": "loa", "white": "Ann", "black": "Bob", "opening": [], "moves": moves,
            "winner": null, "by_rule": false, "format": format,
            "notes": [{ "mark": 5, "comment": "A [bold] \\ try; {so}" }, {}, { "comment": "The end" }],
        })
    };
    for (format, comment) in [("pgn", "A [bold] \\ try; |so|"), ("sgf", "A [bold] \\ try; {so}")] {
        let text = record::text(serde_json::from_value(finished(format)).unwrap()).unwrap();
        let game = read(None, &text).unwrap().remove(0);
        let note = |mark, comment: &str| Note { mark, comment: comment.to_owned() };
        assert_eq!(game.notes, [(0, note(5, comment)), (2, note(0, "The end"))], "{text}");
    }
}

#[test]
fn notes_of_other_programs_are_kept_without_scores_and_the_reason_of_the_end() {
    let text = "[Variant \"hadron3\"]\n\n1. B1! {+0.10/5 1s} {In the\nmiddle} A3 (1... A1 {no}) $2 \
        2. C2 {no legal move} 1-0\n";
    let game = read(None, text).unwrap().remove(0);
    let note = |mark, comment: &str| Note { mark, comment: comment.to_owned() };
    assert_eq!(game.notes, [(0, note(1, "In the middle")), (1, note(2, ""))]);
    let text = "(;GM[9];B[b8-b6]BM[2]C[why?];W[h3-f5]TE[1])";
    let game = read(None, text).unwrap().remove(0);
    assert_eq!(game.notes, [(0, note(4, "why?")), (1, note(1, ""))]);
}
