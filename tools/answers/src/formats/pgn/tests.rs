//! Games of every kind come back as they were written, and PGN of other programs is read.

use super::super::tests::all;
use super::super::{ForeignGame, ForeignMove};
use super::reader::game_of;
use super::*;
use alesia::game::GameState;
use alesia::games::AnyGame;
use alesia::record::game_record::Winner;

fn read(text: &str) -> Result<Vec<ForeignGame>, ParseError> {
    all(|take| super::read(text, take))
}

#[test]
fn several_tags_may_stand_on_a_line() {
    let text = "[Event \"One \\\"1\\\"\"] [Site \"Rome\"][White \"A\"] 1. e4 e5 *\n";
    let games = read(text).unwrap();
    assert_eq!(games.len(), 1);
    assert_eq!(games[0].occasion.event.as_deref(), Some("One \"1\""));
    assert_eq!(games[0].occasion.site.as_deref(), Some("Rome"));
    assert_eq!(games[0].names[0].as_deref(), Some("A"));
    assert_eq!(games[0].moves.len(), 2);
    // Some programs forget the backslash.
    let games = read("[White \"A \"B\" C\"]\n\n1. e4 *\n").unwrap();
    assert_eq!(games[0].names[0].as_deref(), Some("A \"B\" C"));
    for wrong in ["[White \"A]", "[White \"A\\\"]", "[White A]", "[White \"A\"] [Black \"B"] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn tags_moves_comments_and_variations() {
    let text = "\
[Event \"a \\\"great\\\" day\"]
[Site \"?\"]
[White \"Ann\"]
[Black \"?\"]
[Date \"2026.11.27\"]
[Variant \"hadron3\"]
[Result \"1-0\"]

1. B1 {good; (or
not)} A3 2. C2 $1 (2. A1
B2 (2... C3)) 1-0

[Date \"2026.??.??\"]
[Variant \"hadron2x2\"]

1. A1 ; the end
*
";
    let games = read(text).unwrap();
    assert_eq!(games.len(), 2);
    let of = |game: &ForeignGame| {
        game.moves.iter().map(|m| (m.line, m.text.clone())).collect::<Vec<_>>()
    };
    let expected = [(9, "B1"), (10, "A3"), (10, "C2")];
    assert_eq!(of(&games[0]), expected.map(|(line, text)| (line, text.to_owned())));
    assert_eq!(games[0].names, [Some("Ann".to_owned()), None]);
    assert_eq!(games[0].occasion.event.as_deref(), Some("a \"great\" day"));
    assert_eq!(games[0].occasion.site, None, "a question mark");
    assert_eq!((games[0].game.as_deref(), games[0].line), (Some("hadron3"), 1));
    assert_eq!((games[0].result, games[1].result), (Some(Winner::White), None));
    assert_eq!(of(&games[1]), [(16, "A1".to_owned())]);
    assert_eq!(games[0].occasion.date, "2026-11-27".parse().ok());
    assert_eq!(games[1].occasion.date, None, "only a year");
}

/// The standard has no word for a cause that is not known, and needs none.
#[test]
fn only_a_game_without_result_is_unterminated() {
    let again = |end: &str| written(&only(&format!("[Variant \"hadron3\"]\n\n1. B1 {end}\n")).1);
    assert!(again("*").contains("[Termination \"unterminated\"]"), "{}", again("*"));
    assert!(!again("1-0").contains("Termination"), "{}", again("1-0"));
}

#[test]
fn refuses_texts_without_end_or_game() {
    let error = |text: &str| read(text).unwrap_err().to_string();
    assert!(error("1. A1 {begun\nand on").starts_with("line 1: found a comment without end"));
    assert!(error("1. A1 (begun\n\nand on").starts_with("line 1: found a variation without end"));
    assert!(error("[White \"A\"]\n[Black B]\n").starts_with("line 2: found `[Black B]`"));
    assert!(error("").contains("no game"));
}

#[test]
fn joins_values_of_several_lines() {
    let mut record = played("hadron3".parse().unwrap(), None, 1);
    record.occasion.event = Some("a\n[b]\r\n\"c\"".to_owned());
    record.occasion.site = Some("\0".to_owned());
    (record.white, record.reason) = ("A\tB".to_owned(), "went\n%}".to_owned());
    record.cause = Cause::Reported;
    let games = read(&written(&record)).unwrap();
    assert_eq!(games.len(), 1);
    assert_eq!(games[0].occasion.event.as_deref(), Some("a [b]  \"c\""));
    assert_eq!(games[0].names[0].as_deref(), Some("A B"));
    let moves: Vec<&str> = games[0].moves.iter().map(|m| m.text.as_str()).collect();
    assert_eq!(moves, texts(&record));
}

/// A random game of at most 80 plies as a record, from a board or the start.
fn played(spec: GameSpec, board: Option<&str>, seed: u64) -> GameRecord {
    fn moves(start: AnyGame, board: Option<&str>, seed: u64) -> Vec<String> {
        let mut rng = fastrand::Rng::with_seed(seed);
        let start = board.map_or(start, |board| start.parse_board(board).unwrap());
        let mut state = GameState::new(start);
        let mut moves = Vec::new();
        while state.ending().is_none() && moves.len() < 80 {
            let m = state.position.random_move(&mut rng).unwrap();
            moves.push(state.position.notation(m).to_string());
            state.play(m);
        }
        moves
    }
    let texts = moves(AnyGame::start(spec), board, seed);
    let moves = texts.into_iter().map(|text| ForeignMove { line: 1, text, ms: None }).collect();
    let board = board.map(str::to_owned);
    ForeignGame { board, moves, ..ForeignGame::default() }.record(spec, 0).unwrap()
}

fn texts(record: &GameRecord) -> Vec<&str> {
    record.moves.iter().map(|m| m.text.as_str()).collect()
}

/// Reads the only game of a text as the game that it names, or that is found.
fn only(text: &str) -> (GameSpec, GameRecord) {
    let games = read(text).unwrap();
    assert_eq!(games.len(), 1, "{text}");
    let named = games[0].game.as_deref().map(|name| name.parse().unwrap());
    let spec = named.unwrap_or_else(|| games[0].candidates()[0]);
    (spec, games[0].record(spec, 0).unwrap())
}

fn written(record: &GameRecord) -> String {
    super::super::Format::Pgn.text(record).unwrap()
}

#[test]
fn random_games_of_all_games_and_variants_come_back() {
    for spec in GameSpec::setups().into_iter().chain(GameSpec::variants()) {
        for seed in 0..5 {
            let record = played(spec, None, seed);
            let (found, again) = only(&written(&record));
            assert_eq!(found, spec);
            assert_eq!(texts(&again), texts(&record), "{spec}");
            assert_eq!((again.result, again.cause), (record.result, record.cause), "{spec}");
        }
    }
}

#[test]
fn a_start_position_is_written_as_fen() {
    let fen = "r3k2r/1P6/8/8/8/8/6p1/R3K2R b KQkq - 3 12";
    for seed in 0..5 {
        let record = played("variant:chess".parse().unwrap(), Some(fen), seed);
        let text = written(&record);
        assert!(text.contains(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n12... ")), "{text}");
        let (_, again) = only(&text);
        assert_eq!((texts(&again), &again.board), (texts(&record), &record.board));
    }
}

/// Games and the tag `Variant` that is written for them.
#[test]
fn the_tag_is_what_chess_programs_call_the_variant() {
    for (game, tag) in [
        ("variant:chess", None),
        ("variant:losalamos", Some("losalamos")),
        ("variant:kingofthehill", Some("kingofthehill")),
        // The game of this name is another.
        ("variant:voidrider", Some("variant:voidrider")),
        ("voidrider", Some("voidrider")),
        ("hadron4x5", Some("hadron4x5")),
        ("mine.ini:drifting", Some("mine.ini:drifting")),
    ] {
        assert_eq!(variant(game), tag, "{game}");
    }
}

#[test]
fn a_variant_is_known_by_the_names_that_others_give_it() {
    for (tag, game) in [
        ("chess", "variant:chess"),
        ("Standard", "variant:chess"),
        ("From Position", "variant:chess"),
        ("variant:chess", "variant:chess"),
        ("Variant:Gardner", "Variant:Gardner"),
        ("losalamos", "variant:losalamos"),
        ("LosAlamos", "variant:losalamos"),
        ("King of the Hill", "variant:kingofthehill"),
        ("racingKings", "variant:racingkings"),
        ("voidrider", "voidrider"),
        ("Hadron5", "Hadron5"),
        ("Atomic", "variant:atomic"),
        ("Crazyhouse", "Crazyhouse"),
        ("mine.ini:drifting", "mine.ini:drifting"),
    ] {
        assert_eq!(game_of(tag), game, "{tag}");
    }
}

/// A game as servers write it: no tag `Variant`, clocks, marks, a variation, and a second game.
const SERVER: &str = r#"% escaped by some program
[Event "Rated blitz game"]
[Site "https://example.org/abcdefgh"]
[Date "2024.05.01"]
[White "ann"]
[Black "bob"]
[Result "1-0"]
[UTCTime "18:00:00"]
[WhiteElo "1500"]
[TimeControl "180+2"]
[ECO "C50"]

1. e4 { [%eval 0.2] [%clk 0:03:00] } 1... e5 { [%clk 0:03:00] } 2. Nf3 Nc6 3. Bc4
(3. Bb5 a6 (3... Nf6 4. O-O) 4. Ba4) 3... Nd4?! $6 { a trap; (well known)
[%clk 0:02:51] } 4. 0-0 ; quiet
4... b5 5.Bxf7+!! Kxf7 6. Nxe5+ 1-0

[White "ann"]
[Black "bob"]
[Result "1/2-1/2"]
[Variant "Standard"]

1. Nf3 Nf6 2. Ng1 Ng8 1/2-1/2

[White "ann"]
[Black "bob"]
[Result "*"]

*
"#;

#[test]
fn games_of_a_chess_server_are_read() {
    let games = read(SERVER).unwrap();
    let chess: GameSpec = "variant:chess".parse().unwrap();
    assert_eq!(games.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), [11, 4, 0]);
    assert!(games.iter().all(|game| game.candidates() == [chess] || game.moves.is_empty()));
    let records: Vec<_> = games.iter().map(|game| game.record(chess, 0).unwrap()).collect();
    assert_eq!(texts(&records[0])[6..], ["e1g1", "b7b5", "c4f7", "e8f7", "f3e5"]);
    assert_eq!(records[0].result, Winner::White);
    assert_eq!(games[2].game.as_deref(), Some("variant:chess"));
}

/// Moves without the tag, and the games that they may belong to.
#[test]
fn a_game_without_the_tag_is_chess_if_no_other_fits_better() {
    for (moves, games) in [
        ("1. e4 e5 2. Nf3 *", &["variant:chess"][..]),
        // The first wrong move is one of chess.
        ("1. e4 e5 2. Nf6 *", &["variant:chess"]),
        ("1. B1-B3 A2-C2 *", &["loa"]),
        ("1. b3-b4 d7-d6 *", &["voidrider"]),
        ("1. hello *", &[]),
    ] {
        let found = read(moves).unwrap()[0].candidates();
        assert_eq!(found.iter().map(GameSpec::to_string).collect::<Vec<_>>(), games, "{moves}");
    }
    // Cells of Hadron.
    assert!(read("1. E5 A1 *").unwrap()[0].candidates().len() > 1);
}

#[test]
fn a_wrong_move_of_chess_is_named_with_its_line_and_what_was_expected() {
    let error = |moves: &str| {
        let game = &read(moves).unwrap()[0];
        game.record(game.candidates()[0], 0).unwrap_err().to_string()
    };
    assert_eq!(
        error("1. e4 e5\n2. Nf6 *"),
        "line 2, move 3, move: found `Nf6`, expected a legal move of White such as Ne2"
    );
    assert_eq!(
        error("1. Nf3 a6 2. d3 a5\n3. Nd2 *"),
        "line 2, move 5, move: found `Nd2`, expected one of Nfd2, Nbd2"
    );
}

/// A null move, dashes as typesetters have them, and marks that are no moves.
#[test]
fn a_word_without_letters_is_a_move_a_result_or_a_mark() {
    let moves = |text: &str| -> Vec<String> {
        read(text).unwrap().remove(0).moves.into_iter().map(|m| m.text).collect()
    };
    assert_eq!(moves("1. e4 -- 2. e5 *"), ["e4", "--", "e5"]);
    assert_eq!(moves("1. e4 0000 2. e5 *"), ["e4", "0000", "e5"]);
    assert_eq!(moves("1. 0–0 0–0–0 1–0"), ["0-0", "0-0-0"]);
    assert_eq!(moves("1. e4 += $14 !? 1... e5 ± 2. Nf3 +- ½–½"), ["e4", "e5", "Nf3"]);
    for (word, winner) in [
        ("1–0", Winner::White),
        ("0—1", Winner::Black),
        ("½-½", Winner::Nobody),
        ("1/2", Winner::Nobody),
    ] {
        assert_eq!(read(&format!("1. e4 {word}")).unwrap()[0].result, Some(winner), "{word}");
    }
    let game = &read("1. e4 -- 2. e5 *").unwrap()[0];
    let error = game.record("variant:chess".parse().unwrap(), 0).unwrap_err().to_string();
    assert!(error.starts_with("line 1, move 2, move: found `--`"), "{error}");
}

#[test]
fn a_game_of_tags_alone_keeps_what_it_says() {
    let games = read(TAGS_ALONE).unwrap();
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].names[0].as_deref(), Some("Composer"));
    assert_eq!(games[0].result, Some(Winner::White));
    assert!(games[0].board.is_some() && games[0].moves.is_empty());
    assert_eq!((&games[1].board, games[1].occasion.date, games[1].result), (&None, None, None));
    assert_eq!((games[1].names[0].as_deref(), games[1].line), (Some("Ann"), 8));
    // Without an empty line, and at the end of the text.
    let (one, other) = ("[Event \"1\"]\n[White \"A\"]\n", "[Event \"2\"]\n[White \"B\"]\n");
    let games = read(&format!("{one}{other}")).unwrap();
    assert_eq!(
        games.iter().map(|game| game.names[0].as_deref()).collect::<Vec<_>>(),
        [Some("A"), Some("B")]
    );
    assert_eq!(games[1].game.as_deref(), Some("variant:chess"));
    // An empty line between the tags of one game.
    let games = read("[Event \"E\"]\n\n[White \"A\"]\n\n1. e4 *\n").unwrap();
    assert_eq!((games.len(), games[0].occasion.event.as_deref()), (1, Some("E")));
}

/// Composer's position, then a game from the start.
const TAGS_ALONE: &str = include_str!("../../../tests/data/tags-alone.pgn");

#[test]
fn tags_are_known_in_any_case() {
    let text =
        "[white \"A\"]\n[RESULT \"1-0\"]\n[variant \"hadron3\"]\n[Fen \".../.../... w 0\"]\n\n*\n";
    let game = &read(text).unwrap()[0];
    assert_eq!(game.board.as_deref(), Some(".../.../... w 0"));
    assert_eq!((game.names[0].as_deref(), game.game.as_deref()), (Some("A"), Some("hadron3")));
    assert_eq!(game.result, Some(Winner::White));
}

#[test]
fn a_line_for_programs_is_none_within_a_comment() {
    let game = &read("1. e4 {half\n% of} e5 2. Nf3 *\n").unwrap()[0];
    assert_eq!(game.moves.len(), 3);
}

#[test]
fn the_position_is_whole_and_the_first_move_has_its_number() {
    let chess: GameSpec = "variant:chess".parse().unwrap();
    let fen = "r3k2r/1P6/8/8/8/8/6p1/R3K2R b KQkq - 3 12";
    let text = written(&played(chess, Some(fen), 1));
    assert!(text.contains("\n\n12... "), "{text}");
    let mut record = played(chess, Some("4k3/8/8/8/8/8/4P3/4K3 w - -"), 1);
    // As it stands in a file of openings.
    record.board = Some("4k3/8/8/8/8/8/4P3/4K3 w - -".to_owned());
    let text = written(&record);
    assert!(text.contains("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. "), "{text}");
}

/// Chess960 is chess where castling is that of chess; of other positions the castling is refused.
#[test]
fn a_position_of_chess960_is_played_or_its_castling_is_refused() {
    let game = |rows: &str, rights: &str| {
        let text =
            format!("[Variant \"Chess960\"]\n[FEN \"{rows} w {rights} - 0 1\"]\n\n1. e4 *\n");
        read(&text).unwrap().remove(0)
    };
    let spec = |game: &ForeignGame| game.game.as_deref().unwrap().parse().unwrap();
    let usual = game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "HAha");
    assert_eq!(usual.record(spec(&usual), 0).unwrap().moves[0].text, "e2e4");
    let mixed = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN";
    let without = game(mixed, "-");
    assert!(without.record(spec(&without), 0).is_ok());
    for rights in ["GEge", "KQkq"] {
        let with = game(mixed, rights);
        let error = with.record(spec(&with), 0).unwrap_err().to_string();
        assert!(error.starts_with("line 1, castling rights: found `"), "{error}");
    }
}
