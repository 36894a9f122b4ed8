//! Chess variants by definition: against games of an independent program, against Voidrider Chess as
//! it is built in, against published counts; and that whatever is wrong in a file is refused.

use std::collections::BTreeSet;

use alesia::check::check;
use alesia::duel::{Contestant, Limit, Score, play_pair, random_opening};
use alesia::game::{Ending, Game, GameState, MoveList};
use alesia::games::variant::{self, Chosen};
use alesia::games::{BuiltIn, GameSpec, Setup, Variant, Voidrider};
use alesia::perft::perft;
use alesia::search::{EngineKind, EngineOptions};

use crate::plain_variant::PlainVariant;
use crate::support::{Seed, cases};

const DEFINITIONS: &str = include_str!("../data/variants/variants.ini");

macro_rules! fixtures {
    ($($name:literal,)+) => {
        &[$(($name, include_str!(concat!("../data/variants/alesia-", $name, ".tsv"))),)+]
    };
}

const FIXTURES: &[(&str, &str)] = fixtures![
    "breakthrough",
    "chess",
    "chigorin",
    "custom",
    "gardner",
    "hill",
    "holes",
    "knightmate",
    "losalamos",
    "shatranj",
];

/// The start of a built-in variant.
fn built_in(name: &str) -> Variant {
    let chosen = Chosen::of_name(&format!("variant:{name}"));
    Variant::set_up(chosen.unwrap_or_else(|| panic!("no {name}")))
}

/// The start of the only variant of a text.
fn defined(text: &str) -> Variant {
    Variant::set_up(variant::load("test.ini", text.to_owned()).unwrap_or_else(|e| panic!("{e}"))[0])
}

/// Chess with further keys.
fn chess_with(keys: &str) -> Variant {
    defined(&format!("[x:chess]\n{keys}"))
}

fn moves(position: &Variant) -> BTreeSet<String> {
    let mut list = MoveList::new();
    position.moves(&mut list);
    list.iter().map(|&m| position.notation(m).to_string()).collect()
}

/// The moves of a position that begin with a cell.
fn moves_from(position: &Variant, text: &str, cell: &str) -> Vec<String> {
    let position = position.parse_board(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    moves(&position).into_iter().filter(|name| name.starts_with(cell)).collect()
}

fn after(start: Variant, moves: &str) -> GameState<Variant> {
    let mut state = GameState::new(start);
    state.play_text(moves).unwrap_or_else(|error| panic!("{error}"));
    state
}

/// How the game stands at a position of its own.
fn ending_at(start: Variant, text: &str) -> Option<String> {
    let position = start.parse_board(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    GameState::new(position).ending().map(|ending: Ending| ending.to_string())
}

#[test]
fn games_of_an_independent_program_are_replayed_without_a_mismatch() {
    let all = variant::load("fixtures.ini", DEFINITIONS.to_owned()).unwrap();
    assert_eq!(all.len(), FIXTURES.len());
    for (name, text) in FIXTURES {
        let name = format!("alesia-{name}");
        let chosen =
            all.iter().find(|chosen| chosen.rules().name() == name).expect("its definition");
        let start = Variant::set_up(*chosen);
        let mut found = Vec::new();
        let summary = check(start, text, &mut |mismatch| found.push(mismatch)).unwrap();
        assert_eq!(found, [], "{name}");
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.starts_with("GAME"));
        assert_eq!(summary.positions, lines.count(), "{name}");
        let counts = text.lines().find_map(|line| line.strip_prefix("# perft ")).expect("counts");
        let counts: Vec<u64> = counts.split(' ').map(|count| count.parse().unwrap()).collect();
        let ours: Vec<u64> = (1..=3).map(|depth| perft(&GameState::new(start), depth)).collect();
        assert_eq!(ours, counts, "{name}");
    }
}

#[test]
fn sequences_of_the_examples_are_as_many_as_other_programs_count() {
    let counts = include_str!("../data/variants/perft.tsv");
    for line in counts.lines().filter(|line| !line.starts_with('#')) {
        let (name, counts) = line.split_once('\t').expect("two columns");
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/variants");
        let spec = GameSpec::open(&format!("{folder}/{name}"));
        let GameSpec::Variant(chosen) = spec.unwrap_or_else(|error| panic!("{error}")) else {
            unreachable!("a variant")
        };
        let state = GameState::new(Variant::set_up(chosen));
        for (depth, count) in (1..).zip(counts.split(' ')) {
            assert_eq!(perft(&state, depth).to_string(), count, "{name}, depth {depth}");
        }
    }
}

#[test]
fn sequences_of_chess_are_as_many_as_published() {
    // https://www.chessprogramming.org/Perft_Results
    const POSITIONS: &[(&str, &[u64])] = &[
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[20, 400, 8902, 197_281]),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            &[48, 2039, 97_862],
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2812, 43_238]),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", &[6, 264, 9467]),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1486, 62_379]),
    ];
    let start = built_in("chess");
    for (text, counts) in POSITIONS {
        let state = GameState::new(start.parse_board(text).unwrap());
        for (depth, &count) in (1..).zip(*counts) {
            assert_eq!(perft(&state, depth), count, "{text}, depth {depth}");
        }
    }
    if !cfg!(debug_assertions) {
        assert_eq!(perft(&GameState::new(start), 5), 4_865_609);
    }
}

/// A move of Voidrider Chess as a chess variant writes it.
fn as_uci(name: &str) -> String {
    name.replace(['-', '='], "").to_lowercase()
}

/// Plays a random game of Voidrider Chess as it is built in and as it is defined.
fn play_voidrider_twice(seed: u64) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut fast = GameState::new(Voidrider::start());
    let mut by_definition = GameState::new(built_in("voidrider"));
    loop {
        let (position, other) = (fast.position, by_definition.position);
        let mut list = MoveList::new();
        position.moves(&mut list);
        let names: BTreeSet<String> =
            list.iter().map(|&m| as_uci(&position.notation(m).to_string())).collect();
        assert_eq!(moves(&other), names, "{position}, seed {seed}");
        let rows = position.rows().to_string().replace('#', "*");
        assert_eq!(other.rows().to_string(), rows, "seed {seed}");
        let (ending, defined) = (fast.ending(), by_definition.ending());
        // Variants may last longer.
        if ending.is_some() && defined.is_none() && position.ply() == Voidrider::PLY_LIMIT {
            return;
        }
        let outcome = |ending: Option<Ending>| ending.map(|ending| ending.outcome);
        assert_eq!(outcome(defined), outcome(ending), "{position}, seed {seed}");
        if ending.is_some() {
            return;
        }
        let m = list[rng.usize(..list.len())];
        // It reads the notation of the built-in game.
        let same = other.parse_move(&position.notation(m).to_string()).unwrap();
        fast.play(m);
        by_definition.play(same);
    }
}

#[test]
fn voidrider_chess_by_definition_is_the_built_in_game() {
    let games = std::env::var("ALESIA_VARIANT_GAMES").ok().and_then(|count| count.parse().ok());
    (0..games.unwrap_or(cases(4_000))).for_each(play_voidrider_twice);
    let depth = if cfg!(debug_assertions) { 4 } else { 5 };
    for depth in 1..=depth {
        let built_in_count = perft(&GameState::new(Voidrider::start()), depth);
        assert_eq!(perft(&GameState::new(built_in("voidrider")), depth), built_in_count);
    }
}

#[test]
fn positions_of_every_built_in_variant_are_written_read_and_counted_alike() {
    for spec in GameSpec::variants() {
        let GameSpec::Variant(chosen) = spec else { unreachable!("a variant") };
        let start = Variant::set_up(chosen);
        for seed in 0..cases(60) {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut state = GameState::new(start);
            while state.ending().is_none() && state.position.ply() < 150 {
                let position = state.position;
                let read = start.parse_board(&position.to_string()).unwrap();
                assert_eq!((read, read.key()), (position, position.key()), "{spec} {position}");
                let mut list = MoveList::new();
                position.moves(&mut list);
                assert_eq!(position.count_moves(), list.len(), "{spec} {position}");
                for &m in &list {
                    let name = position.notation(m).to_string();
                    assert_eq!(
                        position.parse_move(&name.to_uppercase()),
                        Ok(m),
                        "{spec} {position}"
                    );
                }
                state.play(list[rng.usize(..list.len())]);
            }
        }
    }
}

#[test]
fn the_built_in_variants_are_named_and_found_in_any_case() {
    let names: Vec<String> = GameSpec::variants().map(|spec| spec.to_string()).collect();
    for name in [
        "chess",
        "nocastle",
        "gardner",
        "losalamos",
        "petty",
        "knightmate",
        "shatranj",
        "chigorin",
        "almost",
        "amazon",
        "breakthrough",
        "kingofthehill",
        "extinction",
        "racingkings",
        "berolina",
        "voidrider",
    ] {
        assert!(names.contains(&format!("variant:{name}")), "{name}");
    }
    for spec in GameSpec::variants() {
        assert_eq!(spec.to_string().to_uppercase().parse(), Ok(spec));
        assert_eq!(GameSpec::open(&spec.to_string()), Ok(spec));
    }
    let error = "variant:none".parse::<GameSpec>().unwrap_err().to_string();
    assert!(error.contains("variant:NAME"), "{error}");
}

#[test]
fn a_pawn_is_captured_en_passant_only_at_once_and_only_if_the_king_stays_safe() {
    let chess = built_in("chess");
    let state = after(chess, "e2e4 a7a6 e4e5 d7d5");
    assert!(state.position.to_string().contains(" d6 "), "{}", state.position);
    assert!(moves(&state.position).contains("e5d6"));
    let later = after(chess, "e2e4 a7a6 e4e5 d7d5 h2h3 h7h6");
    assert!(!moves(&later.position).contains("e5d6"));
    let taken = after(chess, "e2e4 a7a6 e4e5 d7d5 e5d6").position;
    assert!(taken.to_string().starts_with("rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP"), "{taken}");
    // Both pawns leave the rank of king and rook.
    assert_eq!(moves_from(&chess, "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 2", "e5"), ["e5e6"]);
    // Nobody stands ready to take: the cell is not written, and the position is the same without.
    assert!(after(chess, "e2e4").position.to_string().contains(" - 0 1"));
}

#[test]
fn what_is_promoted_on_its_double_step_is_not_captured_en_passant() {
    let start = chess_with("promotionRegionBlack = *1 *5\nmandatoryPawnPromotion = false");
    let text = "4k3/4p3/8/3P4/8/8/8/4K3 b - - 0 1";
    let after = |m: &str| after(start.parse_board(text).unwrap(), m).position;
    let mut plain = PlainVariant::start(&start.rules().definition);
    assert!(moves(&after("e7e5")).contains("d5e6"));
    for m in ["e7e5n", "e7e5q"] {
        let promoted = after(m);
        assert!(!moves(&promoted).contains("d5e6"), "{m}");
        assert_eq!(start.parse_board(&promoted.to_string()), Ok(promoted));
    }
    // The plain rules say the same, from the start: a2a4 b7b5n and no a4b5 over b6.
    for m in ["a2a4", "h7h6", "a4a5", "b7b5n"] {
        let legal = plain.moves();
        plain.play(legal.iter().find(|legal| plain.notation(legal) == m).expect(m));
    }
    assert!(plain.moves().iter().all(|m| plain.notation(m) != "a5b6"));
}

#[test]
fn a_king_castles_neither_out_of_check_nor_through_it_nor_over_pieces() {
    let chess = built_in("chess");
    let castlings = |text: &str| {
        let all = moves_from(&chess, text, "e1");
        all.into_iter().filter(|name| name == "e1g1" || name == "e1c1").collect::<Vec<_>>()
    };
    assert_eq!(castlings("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"), ["e1c1", "e1g1"]);
    assert_eq!(castlings("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1"), ["e1c1"]);
    assert_eq!(castlings("4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1"), [""; 0]);
    assert_eq!(castlings("4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1"), ["e1c1"]);
    // The rook may cross an attacked cell.
    assert_eq!(castlings("4k3/8/8/8/1r6/8/8/R3K2R w KQ - 0 1"), ["e1c1", "e1g1"]);
    assert_eq!(castlings("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1"), [""; 0]);
    let start = chess.parse_board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
    assert_eq!(after(start, "e1g1").position.to_string(), "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1");
    assert_eq!(after(start, "a1a2 e8e7 a2a1").position.to_string().split(' ').nth(2), Some("K"));
}

#[test]
fn games_end_by_the_rules_of_their_variant() {
    let hill = "8/8/4k3/8/8/3K4/8/7R w - - 0 1";
    let to_the_hill = built_in("kingofthehill").parse_board(hill).unwrap();
    let ended = after(to_the_hill, "d3d4").ending().map(|ending| ending.to_string());
    assert_eq!(ended.as_deref(), Some("White (flag reached)"));
    let extinction = built_in("extinction");
    let last = extinction.parse_board("k2n1q2/1pb4r/8/8/8/8/P2Q4/KNB4R w - - 0 1").unwrap();
    let ended = after(last, "d2d8").ending().map(|ending| ending.to_string());
    assert_eq!(ended.as_deref(), Some("White (extinction)"));
    let no_check = moves(&built_in("racingkings"));
    assert!(!no_check.contains("c2a2") && no_check.contains("h2h3"), "{no_check:?}");
    let stalemate = "k7/2Q5/8/8/8/8/8/K7 b - - 0 1";
    assert_eq!(ending_at(built_in("chess"), stalemate).as_deref(), Some("tie (stalemate)"));
    let lost = chess_with("stalemateValue = loss");
    assert_eq!(ending_at(lost, stalemate).as_deref(), Some("White (stalemate)"));
    let mate = "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1";
    assert_eq!(ending_at(built_in("chess"), mate).as_deref(), Some("White (checkmate)"));
    let won = chess_with("checkmateValue = win");
    assert_eq!(ending_at(won, mate).as_deref(), Some("Black (checkmate)"));
    let quiet = "k7/8/8/8/8/8/8/KR6 w - - 100 90";
    assert!(ending_at(built_in("chess"), quiet).is_some_and(|said| said.starts_with("tie")));
    assert_eq!(ending_at(built_in("shatranj"), quiet), None);
    assert_eq!(ending_at(chess_with("nMoveRule = 0"), quiet), None);
}

#[test]
fn a_position_may_occur_as_often_as_the_definition_says() {
    let twice = "b1c3 b8c6 c3b1 c6b8 b1c3 b8c6 c3b1 c6b8";
    let of = |start| after(start, twice).ending().map(|ending| ending.to_string());
    assert_eq!(of(built_in("chess")).as_deref(), Some("tie (repetition of the position)"));
    assert_eq!(of(chess_with("nFoldRule = 4")), None);
    assert_eq!(of(chess_with("nFoldRule = 0")), None);
    // For the side to move, which is white again.
    assert!(of(chess_with("nFoldValue = loss")).is_some_and(|said| said.starts_with("Black")));
}

/// What no built-in variant has: hops, lame leaps, limited riders, first moves that capture, a
/// castling without a king, compulsory captures, and squares that move among all that.
const ODD: &str = "[zoo:chess]
horse = h
cannon = c
elephant = e
customPiece1 = g:gQ
customPiece2 = i:NN
customPiece3 = s:R3fB2
startFen = rhegkesr/pppppppp/2c2i2/8/8/2C2I2/PPPPPPPP/RHEGKESR w KQkq - 0 1
[leapers:chess]
bishop = -
customPiece1 = b:mCcZ
customPiece2 = y:WimnDicnN
promotionPieceTypes = byr
mandatoryPawnPromotion = false
startFen = rnbykbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBYKBNR w KQkq - 0 1
[losers:extinction]
mustCapture = true
extinctionValue = win
extinctionPieceTypes = *
stalemateValue = win
[wide:voidrider]
cannon = c
horse = h
nFoldRule = 2
nFoldValue = loss
nMoveRule = 10
startFen = *v*c*v*/rhbkbhr/*ppppp*/*5*/*5*/*5*/*PPPPP*/RHBKBHR/*V*C*V* w KQkq - 0 1
";

/// Plays a random game by both rules, with the same moves and the same end.
fn play_beside_plain(start: Variant, seed: u64, plies: usize) {
    let seed = Seed(seed);
    let mut rng = seed.generator();
    let name = start.rules().name();
    let mut fast = GameState::new(start);
    let mut plain = PlainVariant::start(&start.rules().definition);
    for _ in 0..plies {
        let position = fast.position;
        assert_eq!(position.rows().to_string(), plain.rows(), "{name}");
        let legal = plain.moves();
        let names: BTreeSet<String> = legal.iter().map(|m| plain.notation(m)).collect();
        assert_eq!(moves(&position), names, "{name}: {position}");
        let ending = fast.ending().map(|ending| ending.outcome);
        assert_eq!(ending, plain.result(), "{name}: {position}");
        if ending.is_some() {
            return;
        }
        // Captures, promotions and castlings are rare among random moves.
        let chosen = (0..2).map(|_| &legal[rng.usize(..legal.len())]);
        let m = chosen.max_by_key(|m| m.is_special()).expect("a move");
        fast.play(position.parse_move(&plain.notation(m)).unwrap());
        plain.play(m);
    }
}

#[test]
fn the_plain_rules_of_every_variant_are_the_fast_ones() {
    let odd = variant::load("odd.ini", ODD.to_owned()).unwrap_or_else(|error| panic!("{error}"));
    let fixtures = variant::load("fixtures.ini", DEFINITIONS.to_owned()).unwrap();
    let all = [Chosen::LISTED, &odd, &fixtures].concat();
    let (games, plies) = if cfg!(debug_assertions) { (2, 40) } else { (20, 1000) };
    for seed in 0..games {
        all.iter().for_each(|&one| play_beside_plain(Variant::set_up(one), seed, plies));
    }
}

#[test]
fn captures_may_be_compulsory() {
    let keys = "king = -\ncommoner = k\ncastling = false\nmustCapture = true\nstalemateValue = win\n\
                extinctionValue = win\nextinctionPieceTypes = *\npromotionPieceTypes = nbrqk\n\
                startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
    let losing = chess_with(keys);
    let state = after(losing, "e2e4 d7d5");
    assert_eq!(moves(&state.position), BTreeSet::from(["e4d5".to_owned()]));
    let text = "8/8/8/8/8/8/1p6/R7 b - - 0 1";
    let last = losing.parse_board(text).unwrap();
    let ended = after(last, "b2a1k").ending().map(|ending| ending.to_string());
    assert_eq!(ended.as_deref(), Some("White (extinction)"));
}

#[test]
fn a_promotion_without_its_letter_is_answered_with_it() {
    let start = built_in("chess").parse_board("8/P6k/8/8/8/8/8/K7 w - - 0 1").unwrap();
    for (m, expected) in [
        ("a7a8", "move: found `a7a8`, expected a promotion with its letter, such as a7a8q"),
        ("a1a2q", "move: found `a1a2q`, expected a1a2, as nothing is promoted"),
        ("a1a8", "move: found `a1a8`, expected a legal move of White such as "),
    ] {
        let error = start.parse_move(m).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn a_promotion_that_is_not_mandatory_may_be_left_out() {
    let text = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
    let must = moves_from(&built_in("chess"), text, "a7");
    assert_eq!(must, ["a7a8b", "a7a8n", "a7a8q", "a7a8r"]);
    let may = moves_from(&chess_with("mandatoryPawnPromotion = false"), text, "a7");
    assert_eq!(may, ["a7a8", "a7a8b", "a7a8n", "a7a8q", "a7a8r"]);
}

#[test]
fn berolina_pawns_step_aside_and_are_captured_straight_ahead_en_passant() {
    let start = built_in("berolina");
    assert_eq!(moves_from(&start, &start.to_string(), "e2"), ["e2c4", "e2d3", "e2f3", "e2g4"]);
    // Over f3 to g4, beside a pawn on f4 that captures straight ahead.
    let text = "4k3/8/8/8/5p2/8/4P3/4K3 w - - 0 1";
    let state = after(start.parse_board(text).unwrap(), "e2g4");
    assert!(state.position.to_string().contains(" f3 "), "{}", state.position);
    let taken = after(state.position, "f4f3").position;
    assert_eq!(taken.to_string(), "4k3/8/8/8/8/5p2/8/4K3 w - - 0 2");
    assert_eq!(start.parse_board(&state.position.to_string()), Ok(state.position));
}

#[test]
fn both_engines_beat_random_moves_in_every_built_in_variant() {
    let options = EngineOptions { threads: 1, memory: 8 << 20, ..EngineOptions::default() };
    let limit = Limit::Nodes(200);
    let (mut won, mut played) = (0, 0);
    for spec in GameSpec::variants() {
        let GameSpec::Variant(chosen) = spec else { unreachable!("a variant") };
        let start = Variant::set_up(chosen);
        let opening =
            random_opening(start, 2, &mut fastrand::Rng::with_seed(1)).expect("an opening");
        for kind in [EngineKind::MonteCarlo, EngineKind::AlphaBeta] {
            let mut engine = kind.build(start, &options).unwrap();
            let mut random = EngineKind::Random.build(start, &options).unwrap();
            let players =
                [&mut *engine, &mut *random].map(|engine| Contestant { engine, limit, seed: 1 });
            let scores = play_pair(&opening.state, players);
            assert!(scores.iter().all(|&score| score != Score::Loss), "{spec}, {}", kind.name());
            won += scores.iter().filter(|&&score| score == Score::Win).count();
            played += scores.len();
        }
    }
    // A game may be drawn by repetition or the rule of 50 moves.
    assert!(won + 4 >= played, "{won} of {played}");
}

/// Definitions that are refused, and what is said of them.
#[test]
fn what_is_wrong_in_a_definition_is_refused_with_its_line() {
    for (text, expected) in [
        (
            "[x:chess]\nmaxrank = 8",
            "test.ini:2: maxrank: found an unknown key, expected maxRank, or",
        ),
        (
            "[x:chess]\npieceDrops = true",
            "test.ini:2: pieceDrops: found a key of Fairy-Stockfish that",
        ),
        ("[x:chess]\nmaxRank = 9", "test.ini:2: board: found 72 cells, expected at most 64"),
        ("[x:chess]\nmaxRank = 11", "test.ini:2: maxRank: found `11`, expected a whole number"),
        ("[x:chess]\ncastling = yes", "test.ini:2: castling: found `yes`, expected one of true"),
        (
            "[x:chess]\ncustomPiece1 = g",
            "test.ini:2: customPiece1: found `g`, expected letter:BETZA",
        ),
        (
            "[x:chess]\ncustomPiece1 = g:Wx",
            "test.ini:2: customPiece1: found `x` at character 2, expected Betza",
        ),
        (
            "[x:chess]\ncustomPiece26 = g:W",
            "test.ini:2: customPiece26: found an unknown key, expected customPiece1 to customPiece25",
        ),
        (
            "[x:chess]\nwazir = n",
            "test.ini:2: wazir: found `n`, expected another letter than that of",
        ),
        ("[x:chess]\nqueen = -", "test.ini:1: promotionPieceTypes (from [chess]): found `q`"),
        (
            "[x:kingofthehill]\nflagPiece = z",
            "test.ini:2: flagPiece: found `z`, expected letters of this",
        ),
        (
            "[x:kingofthehill]\nflagRegionWhite = j9",
            "test.ini:2: flagRegionWhite: found `j9`, expected cells",
        ),
        ("[x:chess]\nnFoldRule = 1", "test.ini:2: nFoldRule: found `1`"),
        ("[x:chess]\nstalemateValue = lose", "test.ini:2: stalemateValue: found `lose`"),
        ("[x:chess]\npieceValueMg = p:-1", "test.ini:2: pieceValueMg: found `p:-1`"),
        (
            "[x:chess]\npromotionPieceTypes = k",
            "test.ini:2: promotionPieceTypes: found `k`, expected no",
        ),
        ("[x:chess]\nvoidMoves = diagonal", "test.ini:2: voidMoves: found `diagonal`"),
        ("[x:chess]\nvoidRiders = n", "test.ini:2: voidRiders: found `n`, expected pieces"),
        ("[x:chess]\npawnVoidMoves = forward", "test.ini:2: pawnVoidMoves: found `forward`"),
        (
            "[x:chess]\nstartFen = 8/8",
            "test.ini:2: startFen: found 2 rows at board, expected 8 rows",
        ),
        (
            "[x:chess]\nstartFen = rnbqkbnr/8/8/8/8/8/8/RNBQXBNR w - - 0 1",
            "test.ini:2: startFen: found `X` at cell e1, expected letters of this variant's pieces (bknpqr)",
        ),
        (
            "[x:chess]\nstartFen = 4k3/8/8/8/8/8/8/4R1K1 w - - 0 1",
            "test.ini:2: startFen: found Black in check, White to move, expected",
        ),
        (
            "[x:chess]\nstartFen = 4k3/8/8/8/8/8/8/4K3 b - - 0 1",
            "test.ini:2: startFen: found `b` at side to move, expected `w`",
        ),
        (
            "[x:chess]\nmaxRank = 6\nmaxFile = 5\nstartFen = 4k/5/5/5/5/4K w - - 0 1",
            "test.ini:1: section x: found none, expected promotionRegionWhite",
        ),
        (
            "[x:chess]\ncastlingMoves = e1-g1-h1",
            "test.ini:2: castlingMoves: found `e1-g1-h1`, expected the king's",
        ),
        (
            "[x:chess]\ncastlingMoves = d1-g1-h1-f1",
            "test.ini:2: castlingMoves: found `d1-g1-h1-f1`, expected a piece of castlingKingPiece (k) on d1",
        ),
        (
            "[x:chess]\nstartFen = 4k3/8/8/8/8/8/8/4K3 w K - 0 1",
            "test.ini:2: startFen: found `K` at castling rights, expected",
        ),
    ] {
        let error = variant::load("test.ini", text.to_owned()).expect_err(text).to_string();
        assert!(error.starts_with(expected), "{text}:\n{error}\nexpected\n{expected}");
    }
}

/// The error of a definition, which begins with `expected`, and has `also` in it.
fn assert_refused(text: &str, expected: &str, also: &str) {
    let error = variant::load("test.ini", text.to_owned()).expect_err(text).to_string();
    let is_so = error.starts_with(&format!("test.ini:{expected}")) && error.contains(also);
    assert!(is_so, "{text}:\n{error}\nexpected\n{expected} … {also}");
}

#[test]
fn a_key_without_effect_is_refused_with_the_key_that_it_lacks() {
    for (keys, expected) in [
        ("extinctionValue = loss", "extinctionValue: found `loss`, expected extinctionPieceTypes"),
        ("extinctionPieceTypes = q", "extinctionPieceTypes: found `q`, expected extinctionValue"),
        ("extinctionPieceCount = 1", "extinctionPieceCount: found `1`, expected extinctionValue"),
        ("flagPiece = k", "flagPiece: found `k`, expected flagRegionWhite or flagRegionBlack"),
        ("flagRegionWhite = *8", "flagRegionWhite: found `*8`, expected flagPiece with it"),
        ("flagRegionBlack = *1", "flagRegionBlack: found `*1`, expected flagPiece with it"),
        ("pawnVoidMoves = forward", "pawnVoidMoves: found `forward`, expected voidMoves with it"),
        ("nFoldValue = loss\nnFoldRule = 0", "nFoldValue: found `loss`, expected nFoldRule"),
        ("nMoveRuleTypes = n\nnMoveRule = 0", "nMoveRuleTypes: found `n`, expected nMoveRule"),
        ("castlingRank = 1\ncastling = false", "castlingRank: found `1`, expected no such key"),
        ("doubleStepRegionWhite = *3\ndoubleStep = false", "doubleStepRegionWhite: found `*3`"),
        ("enPassantRegion = *3\ndoubleStep = false", "enPassantRegion: found `*3`, expected no"),
        (
            "promotionPieceTypes = n\npawn = -",
            "promotionPieceTypes: found `n`, expected promotionPawnTypes with it",
        ),
        (
            "castlingMoves = e1-g1-h1-f1\ncastlingRookPieces = -",
            "castlingMoves: found `e1-g1-h1-f1`, expected castlingRookPieces with it",
        ),
    ] {
        assert_refused(&format!("[x:chess]\n{keys}"), &format!("2: {expected}"), "");
    }
    // What is inherited, and what switches a rule off, may be without effect.
    for (parent, keys) in [
        ("extinction", "extinctionValue = none"),
        ("kingofthehill", "flagPiece = -"),
        ("chess", "castling = false\nstartFen = 4k3/8/8/8/8/8/8/4K2R w - - 0 1"),
        ("chess", "nFoldValue = loss"),
        (
            "voidrider",
            "castling = false\nstartFen = *v***v*/rnbkbnr/*ppppp*/*5*/*5*/*5*/*PPPPP*/RNBKBNR/\
             *V***V* w - - 0 1",
        ),
    ] {
        let text = format!("[x:{parent}]\n{keys}");
        variant::load("test.ini", text).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn an_inherited_start_that_does_not_fit_names_the_key_that_is_in_its_way() {
    let from = "startFen (from [chess])";
    for (keys, line, found, key) in [
        ("nFoldRule = 2\ncastling = false", 3, "`KQkq` at castling rights", "castling"),
        ("maxRank = 6", 2, "8 rows at board", "maxRank"),
        ("maxFile = 6", 2, "8 cells at rank 8", "maxFile"),
        ("nFoldRule = 2\nking = -", 3, "`k` at cell e8", "king"),
    ] {
        let also = format!("; with {key} a section needs its own startFen");
        assert_refused(
            &format!("[x:chess]\n{keys}"),
            &format!("{line}: {from}: found {found}"),
            &also,
        );
    }
    assert_refused("[x]\nking = k\n", "1: startFen (by default): found `r` at cell a8", "(k)");
    let none = "2: startFen: found `k` at cell a1";
    assert_refused("[x]\nstartFen = 8/8/8/8/8/8/8/k7 w - - 0 1\n", none, "add such as king = k");
}

#[test]
fn a_start_in_which_the_game_is_over_names_the_rule_and_its_line() {
    let keys = "extinctionValue = loss\ncannon = c\nextinctionPieceTypes = c";
    let expected = "4: extinctionPieceTypes: found a start position in which the game is over: ";
    assert_refused(&format!("[x:chess]\n{keys}"), expected, "(extinction)");
    let keys = "flagPiece = k\nflagRegionBlack = e8";
    let expected = "3: flagRegionBlack: found a start position in which the game is over: Black";
    assert_refused(&format!("[x:chess]\n{keys}"), expected, "(flag reached), expected one in");
}

#[test]
fn slips_and_other_names_of_keys_are_told_apart() {
    for (key, expected) in [
        ("maxRanks = 8", "maxRanks: found an unknown key, expected maxRank, or another"),
        ("Knight = n", "Knight: found an unknown key, expected knight, or another"),
        ("grasshopper = g", "grasshopper: found a piece that has another name here"),
        ("checkCounting = true", "checkCounting: found a key of Fairy-Stockfish that is not"),
        ("mobilityRegionWhiteKing = *1", "mobilityRegionWhiteKing: found a key of Fairy-Stockfish"),
        ("nonsense = 1", "nonsense: found an unknown key, expected one of the keys that docs/"),
        ("knight = N", "knight: found `N`, expected a lower-case letter"),
        ("pieceValueMg = x:100", "pieceValueMg: found `x:100`, expected letters of this variant"),
        (
            "castlingMoves = e1-g1-d1-f1",
            "castlingMoves: found `e1-g1-d1-f1`, expected a piece of castlingRookPieces (r) of White on d1",
        ),
    ] {
        assert_refused(&format!("[x:chess]\n{key}"), &format!("2: {expected}"), "");
    }
    assert_refused("[x:chess]\ngrasshopper = g", "2: ", "expected customPiece1 = g:gQ");
}

#[test]
fn a_side_without_a_king_is_allowed_and_noticed() {
    const HORDE: &str = "[horde:chess]\nstartFen = rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/\
                         PPPPPPPP/PPPPPPPP w kq - 0 1\nextinctionValue = loss\nextinctionPieceTypes = *\n";
    let notices = |text: &str| variant::load("horde.ini", text.to_owned()).unwrap()[0].notices();
    let expected = "horde.ini:2: startFen: White has no king (`k`), so it is never in check";
    assert_eq!(notices(HORDE), [expected]);
    assert_eq!(notices("[x:chess]\n"), [""; 0]);
}

#[test]
fn a_variant_that_is_not_found_is_answered_with_the_names_near_it() {
    let error = |name: &str| GameSpec::open(name).unwrap_err().to_string();
    let said = error("variant:ches");
    assert!(said.contains("NAME being chess, or one of chess, nocastle, "), "{said}");
    assert!(error("variant:zzz").contains("NAME being one of chess, "));
    assert!(error("losalamos").contains("expected variant:losalamos, or murus"));
}

#[test]
fn positions_that_no_game_reaches_are_refused() {
    let chess = built_in("chess");
    for (text, expected) in [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "kings of White: found 0, expected 1"),
        ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "kings of Black: found 2, expected 1"),
        ("k7/8/8/8/8/8/8/K7 x - - 0 1", "side to move: found `x`"),
        ("k7/8/8/8/8/8/8/K7 w K - 0 1", "castling rights: found `K`"),
        ("k7/8/8/8/8/8/8/K7 w - z9 0 1", "en passant cell: found `z9`"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 600", "number of the move: found `600`"),
        ("k7/8/8/8/8/8/8/K7 w", "position: found 2 fields"),
        ("k7/8/8/8/8/8/8/K6 w - - 0 1", "rank 1: found 7 cells, expected 8 cells"),
    ] {
        let error = chess.parse_board(text).expect_err(text);
        assert!(error.to_string().starts_with(expected), "{text}: {error}");
    }
}

/// A crowd of pieces that leap far has more moves than can be listed.
#[test]
fn more_than_255_moves_are_refused_or_end_the_game() {
    const CROWD: &str = "A1A1A1A1/8/1A1A1A1A/8/A1A1A1A1/8/1A1A1A1A/8";
    let load = |start: String| {
        let text = format!("[x]\ncustomPiece1 = a:KDNAHCZG\nwazir = w\nstartFen = {start}");
        variant::load("crowd.ini", text).map(|all| Variant::set_up(all[0]))
    };
    let error = load(format!("{CROWD} w - - 0 1")).unwrap_err().to_string();
    assert!(
        error.starts_with("crowd.ini:4: startFen: found ") && error.contains(" legal moves"),
        "{error}"
    );
    let of_black = CROWD.to_lowercase();
    let start =
        load(format!("{} w - - 0 1", of_black.replacen("1a1a1a1a/8", "1a1a1a1a/W7", 2))).unwrap();
    let mut list = MoveList::new();
    start.moves(&mut list);
    let mut state = GameState::new(start);
    state.play(list[0]);
    state.position.moves(&mut list);
    assert_eq!((list.len(), state.position.count_moves()), (255, 255));
    let ending = state.ending().expect("it cannot be played").to_string();
    assert!(ending.starts_with("tie (more than 255 legal moves"), "{ending}");
    // The most of any position of chess that is known.
    let most = "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1";
    let most = built_in("chess").parse_board(most).unwrap();
    assert_eq!(most.count_moves(), 218);
}
