//! Chess variants beside others: games of an independent program, published counts, Voidrider Chess
//! as it is built in, and plain rules; and that both engines play them.

use alesia::game::check::check;
use alesia::game::perft::perft;
use alesia::game::{Game, GameState};
use alesia::games::variant::{self, Chosen};
use alesia::games::{BuiltIn, GameSpec, Variant, Voidrider};
use alesia::search::duel::{Contestant, Limit, Score, play_pair, random_opening};
use alesia::search::{EngineKind, EngineOptions};

use super::*;
use crate::plain_variant::PlainVariant;
use crate::support::{Seed, cases};

const DEFINITIONS: &str = include_str!("../../data/variants/variants.ini");

/// Variants of the keys that few have.
const KEYS: &str = include_str!("../../data/variants/keys.ini");

macro_rules! fixtures {
    ($($name:literal,)+) => {
        &[$(($name, include_str!(concat!("../../data/variants/alesia-", $name, ".tsv"))),)+]
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
    let counts = include_str!("../../data/variants/perft.tsv");
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

/// Positions of `keys.ini` and of built-in variants.
#[test]
fn sequences_of_rare_keys_are_as_many_as_fairy_stockfish_counts() {
    let keys = variant::load("keys.ini", KEYS.to_owned()).unwrap_or_else(|error| panic!("{error}"));
    for line in include_str!("../../data/variants/positions.tsv").lines() {
        let Some((name, rest)) = line.split_once('\t').filter(|_| !line.starts_with('#')) else {
            continue;
        };
        let (text, counts) = rest.split_once('\t').expect("three columns");
        let chosen = keys.iter().find(|chosen| chosen.rules().name() == name);
        let start = chosen.map_or_else(|| built_in(name), |&chosen| Variant::set_up(chosen));
        let state =
            GameState::new(start.parse_board(text).unwrap_or_else(|e| panic!("{line}: {e}")));
        for (depth, count) in (1..).zip(counts.split(' ')) {
            assert_eq!(perft(&state, depth).to_string(), count, "{line}, depth {depth}");
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
        let list = position.legal_moves();
        let names: BTreeSet<String> =
            list.iter().map(|&m| as_uci(&position.notation(m).to_string())).collect();
        assert_eq!(moves(&other), names, "{position}, seed {seed}");
        let rows = position.rows().to_string().replace('#', "*");
        assert_eq!(other.rows().to_string(), rows, "seed {seed}");
        let (ending, defined) = (fast.ending(), by_definition.ending());
        // Variants may last longer.
        if ending.is_some() && defined.is_none() && position.ply() == position.ply_limit() {
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

/// What no built-in variant has: hops, lame leaps, limited riders, checks by two ways of one piece,
/// first moves that capture, a castling without a king, compulsory captures, and squares that move
/// among all that.
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
[twice:chess]
rook = -
bishop = -
queen = -
customPiece1 = r:RD
customPiece2 = b:BA
customPiece3 = q:RDD
startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1
[threes:chess]
pawn = -
customPiece1 = p:fmWfceFifmnDifmnH
pawnTypes = p
promotionPawnTypes = p
enPassantRegion = *3 *6
[runners:threes]
customPiece1 = p:fmWfceFifmR2
customPiece2 = s:fmFfceWifmB2
pawnTypes = ps
enPassantRegion = *3 *4 *5 *6
startFen = rnbqkbnr/psppspps/8/8/8/8/PSPPSPPS/RNBQKBNR w KQkq - 0 1
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
[restless:wide]
nMoveRuleTypes = *
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
    let keys = variant::load("keys.ini", KEYS.to_owned()).unwrap_or_else(|error| panic!("{error}"));
    let all = [Chosen::BUILT_IN, &odd, &fixtures, &keys].concat();
    let (games, plies) = if cfg!(debug_assertions) { (2, 40) } else { (20, 1000) };
    for seed in 0..games {
        all.iter().for_each(|&one| play_beside_plain(Variant::set_up(one), seed, plies));
    }
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
            let mut engine = kind.build_for(start, &options).unwrap();
            let mut random = EngineKind::Random.build_for(start, &options).unwrap();
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
                assert_eq!(read.to_string(), position.to_string());
                // Of two pawns of Berolina chess the text does not say which has stepped over.
                let has_passed = position.to_string().split(' ').nth(3) != Some("-");
                let is_open = spec.to_string() == "variant:berolina" && has_passed;
                if !is_open {
                    assert_eq!((read, read.key()), (position, position.key()), "{position}");
                }
                let list = position.legal_moves();
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
        "3check",
        "atomic",
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
