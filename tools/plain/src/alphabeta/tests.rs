//! The quick boards beside the plain rules, and the search beside one that leaves nothing out.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use fastrand::Rng;

use super::board::Board;
use super::search::{Search, plies_to_end};
use super::{GAMES, Limits, hadron, loa, murus, player, voidrider};
use crate::{self as plain, PlainGame, PlainResult};

/// The result by the quick board, which does not count repetitions.
fn result<B: Board>(board: &B, white_to_move: bool) -> Option<PlainResult> {
    let for_mover = |won: bool| match won == white_to_move {
        true => PlainResult::White,
        false => PlainResult::Black,
    };
    match board.decided() {
        Some(won) => Some(for_mover(won)),
        None if board.legal_moves().is_empty() => Some(match board.loses_without_moves() {
            true => for_mover(false),
            false => PlainResult::Draw,
        }),
        None => board.is_drawn().then_some(PlainResult::Draw),
    }
}

/// Plays a random game by both, which must agree at each ply; returns its result.
fn play_both<P: PlainGame, B: Board>(mut plain: P, rng: &mut Rng) -> PlainResult {
    let mut quick = B::from_text(&plain.text());
    let mut seen: HashMap<u64, u32> = HashMap::new();
    loop {
        let text = plain.text();
        let occurrences = seen.entry(quick.key()).or_default();
        *occurrences += 1;
        assert_eq!(quick.key(), B::from_text(&text).key(), "{text}");
        let is_third = quick.reversible_plies() > 0 && *occurrences >= 3;
        let expected = plain.result();
        let found = result(&quick, plain.white_to_move());
        assert_eq!(found.or(is_third.then_some(PlainResult::Draw)), expected, "{text}");
        if let Some(result) = expected {
            return result;
        }
        let legal = plain.moves();
        let mut names: Vec<String> = legal.iter().map(|&m| plain.notation(m)).collect();
        let codes = quick.legal_moves();
        let mut found: Vec<String> = codes.iter().map(|&m| quick.notation(m)).collect();
        names.sort();
        found.sort();
        assert_eq!(found, names, "{text}");
        let next = legal[rng.usize(..legal.len())];
        let named = codes.into_iter().find(|&m| quick.notation(m) == plain.notation(next));
        quick.play(named.expect("the same moves"));
        plain.play(next);
    }
}

/// Random games of one kind, which must end in each of these results.
fn games_agree<P: PlainGame, B: Board>(starts: &[P], games: usize, results: &[PlainResult]) {
    let mut rng = Rng::with_seed(1);
    let met: Vec<PlainResult> = (0..games)
        .map(|game| play_both::<P, B>(starts[game % starts.len()].clone(), &mut rng))
        .collect();
    for result in results {
        assert!(met.contains(result), "{result:?} among {met:?}");
    }
}

#[test]
fn random_games_of_murus_gallicus_are_those_of_the_plain_rules() {
    use PlainResult::{Black, White};
    games_agree::<_, murus::Murus>(&[plain::Murus::start()], 40, &[White, Black]);
}

#[test]
fn random_games_of_hadron_are_those_of_the_plain_rules() {
    use PlainResult::{Black, White};
    let starts = [(9, 9), (5, 5), (4, 7), (12, 9), (1, 3)];
    let starts = starts.map(|(rows, columns)| plain::Hadron::start(rows, columns));
    games_agree::<_, hadron::Hadron>(&starts, 30, &[White, Black]);
}

#[test]
fn random_games_of_lines_of_action_are_those_of_the_plain_rules() {
    let starts = [plain::Loa::start(), plain::Loa::start_files()];
    games_agree::<_, loa::Loa>(&starts, 20, &[PlainResult::Draw]);
}

#[test]
fn random_games_of_voidrider_chess_are_those_of_the_plain_rules() {
    games_agree::<_, voidrider::Voidrider>(&[plain::Voidrider::start()], 12, &[PlainResult::Draw]);
}

/// What random games seldom meet: promotion, castling on both wings, ends at both sides of a limit.
#[test]
fn rare_positions_are_those_of_the_plain_rules() {
    fn agree<P: PlainGame, B: Board>(text: &str) {
        for seed in 0..8 {
            play_both::<P, B>(P::from_text(text), &mut Rng::with_seed(seed));
        }
    }
    for text in [
        "#v###v#/rnb.b.r/#pPpPp#/#.k...#/#.....#/#..K..#/#pP.Pp#/R.B.BNR/#V###V# w 10 - 0",
        "#v###v#/r..k..r/#ppppp#/#.....#/#.....#/#.....#/#PPPPP#/R..K..R/#V###V# w 10 DdUu 0",
        "#v###v#/r..k..r/#ppppp#/#.....#/#.....#/#.....#/#PPPPP#/R..K..R/#V###V# b 197 Du 98",
        "#....k#/......./......./......./#..R..#/#.....#/......./......./#K....# w 198 - 98",
    ] {
        agree::<plain::Voidrider, voidrider::Voidrider>(text);
    }
    let murus = "......../.bb...../..W..W../......../..w..B../....ww../........";
    for (side, ply) in [('w', 118), ('b', 117), ('w', 10)] {
        agree::<plain::Murus, murus::Murus>(&format!("{murus} {side} {ply}"));
    }
    let loa = "ww....../w......./.....b../...b..../......../..b...../w......./........";
    for (side, ply) in [('w', 198), ('b', 197), ('b', 11)] {
        agree::<plain::Loa, loa::Loa>(&format!("{loa} {side} {ply}"));
    }
}

/// The score of a position, as the search defines it, without leaving anything out.
fn minimax<B: Board>(board: &B, depth: i32, ply: i32, iteration: i32) -> i32 {
    const WIN: i32 = 30_000;
    if let Some(won) = board.decided() {
        return if won { WIN - ply } else { ply - WIN };
    }
    let depth = depth + i32::from(board.is_threatened() && ply < 2 * iteration);
    let legal = board.legal_moves();
    let mut moves = legal.clone();
    let mut best = -WIN;
    if depth <= 0 {
        best = board.evaluate();
        moves.clear();
        board.add_noisy_moves(&mut moves);
        moves.retain(|m| legal.contains(m));
    } else if moves.is_empty() {
        return if board.loses_without_moves() { ply - WIN } else { 0 };
    }
    for m in moves {
        let mut after = board.clone();
        after.play(m);
        best = best.max(match (depth <= 0, after.decided()) {
            (true, None) => -quiet(&after),
            (true, Some(won)) => (if won { -1 } else { 1 }) * (WIN - ply - 1),
            (false, _) => -minimax(&after, depth - 1, ply + 1, iteration),
        });
    }
    best
}

/// The score with captures alone.
fn quiet<B: Board>(board: &B) -> i32 {
    // No extension: it is over for this line.
    minimax(board, -1_000, i32::MAX / 2, 0)
}

/// Positions of random games of at most so many plies.
fn positions<P: PlainGame>(start: &P, count: usize, plies: usize) -> Vec<String> {
    let mut rng = Rng::with_seed(7);
    let mut texts = Vec::new();
    while texts.len() < count {
        let mut game = start.clone();
        for _ in 0..rng.usize(2..plies) {
            if game.result().is_none() {
                let moves = game.moves();
                game.play(moves[rng.usize(..moves.len())]);
            }
        }
        if game.result().is_none() {
            texts.push(game.text());
        }
    }
    texts
}

fn search_is_exact<P: PlainGame, B: Board>(start: &P, plies: usize, depth: u32) {
    for text in positions(start, 5, plies) {
        let board = B::from_text(&text);
        let mut search = Search::new(1 << 16);
        search.reduces = false;
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let found = search.think(&board, Vec::new(), &limits).expect("a legal move");
        // A forced end stops the search before.
        let depth = found.depth as i32;
        assert_eq!(found.score, minimax(&board, depth, 0, depth), "{text}");
        let mut after = board.clone();
        after.play(found.best);
        let of_best = -minimax(&after, depth - 1 + i32::from(board.is_threatened()), 1, depth);
        assert_eq!(of_best, found.score, "{text}: {}", board.notation(found.best));
    }
}

#[test]
fn the_search_scores_as_one_that_leaves_nothing_out() {
    search_is_exact::<_, murus::Murus>(&plain::Murus::start(), 40, 3);
    search_is_exact::<_, hadron::Hadron>(&plain::Hadron::start(5, 6), 12, 4);
    search_is_exact::<_, loa::Loa>(&plain::Loa::start(), 40, 3);
    search_is_exact::<_, voidrider::Voidrider>(&plain::Voidrider::start(), 8, 2);
}

/// Wherever a move wins at once by the plain rules, the player plays one.
fn wins_at_once<P: PlainGame>(name: &str, start: &P) {
    let mut player = player(name, 1 << 16).expect("a game of the list");
    // A ply more than the win: that the opponent cannot move is only seen by trying.
    let limits = Limits { depth: Some(2), ..Limits::default() };
    let mut rng = Rng::with_seed(3);
    let mut found = 0;
    while found < 5 {
        let mut game = start.clone();
        while game.result().is_none() {
            let winner = if game.white_to_move() { PlainResult::White } else { PlainResult::Black };
            let wins = |m: &P::Move| {
                let mut after = game.clone();
                after.play(*m);
                after.result() == Some(winner)
            };
            let moves = game.moves();
            let winning: Vec<String> =
                moves.iter().filter(|m| wins(m)).map(|&m| game.notation(m)).collect();
            if !winning.is_empty() {
                let answer = player.think(&game.text(), &[], &limits).expect("a move");
                let text = game.text();
                assert!(winning.contains(&answer.best), "{text}: {answer:?}, not {winning:?}");
                assert_eq!(answer.plies_to_end, Some(1), "{text}");
                found += 1;
                break;
            }
            game.play(moves[rng.usize(..moves.len())]);
        }
    }
}

#[test]
fn a_win_at_once_is_played() {
    wins_at_once("murus", &plain::Murus::start());
    wins_at_once("hadron", &plain::Hadron::start(4, 4));
    let text = "......../..w..w../...w..../.b....b./......../..w...b./b......./........ w 20";
    wins_at_once("loa", &plain::Loa::from_text(text));
    let text = "#....k#/......./......./.R...../......./....R../......./...K.../#.....# w 20 - 0";
    wins_at_once("voidrider", &plain::Voidrider::from_text(text));
}

#[test]
fn small_boards_of_hadron_are_solved() {
    let mut player = player("hadron", 1 << 20).expect("a game of the list");
    let mut known = HashMap::new();
    for (rows, columns) in [(1, 5), (2, 3), (3, 3), (3, 4), (4, 4)] {
        let start = plain::Hadron::start(rows, columns);
        player.new_game();
        let answer = player.think(&start.text(), &[], &Limits::default()).expect("a move");
        let wins = answer.plies_to_end.expect("a proof") > 0;
        assert_eq!(wins, plain::wins(&start, &mut known), "{rows} by {columns}: {answer:?}");
    }
}

#[test]
fn a_repeated_position_counts_as_a_draw() {
    // White is far behind, and can give check for ever from two cells.
    let text = "#.....#/......./......./......./......./......./......./......k/#K.R..# w 20 - 4";
    let board = voidrider::Voidrider::from_text(text);
    let mut search = Search::new(1 << 16);
    let limits = Limits { depth: Some(1), ..Limits::default() };
    let moves = board.legal_moves();
    let key_after = |&m: &u16| {
        let mut after = board.clone();
        after.play(m);
        after.key()
    };
    // All positions that can follow were there before: the score is that of a draw.
    let mut past: Vec<u64> = Vec::new();
    for m in &moves {
        past.extend([0, key_after(m)]);
    }
    let before = search.think(&board, Vec::new(), &limits).expect("a move").score;
    assert!(before > 200, "{before}");
    let quiet = text.replace("- 4", "- 90");
    let board = voidrider::Voidrider::from_text(&quiet);
    search.forget();
    let found = search.think(&board, past, &limits).expect("a move");
    assert_eq!(found.score, 0, "{}", board.notation(found.best));
}

#[test]
fn limits_are_obeyed_and_a_legal_move_is_always_known() {
    let starts = [
        plain::Murus::start().text(),
        plain::Hadron::start(9, 9).text(),
        plain::Loa::start().text(),
        plain::Voidrider::start().text(),
    ];
    for (name, start) in GAMES.into_iter().zip(&starts) {
        let mut player = player(name, 1 << 20).expect("a game of the list");
        let mut think = |limits: &Limits| player.think(start, &[], limits).expect("a move");
        let begin = Instant::now();
        let time = Duration::from_millis(20);
        let answer = think(&Limits { deadline: Some(begin + time), ..Limits::default() });
        // A busy machine may stop the thread for long; without the limit it would take hours.
        assert!(begin.elapsed() < Duration::from_secs(5), "{name}: {answer:?}");
        assert!(answer.nodes > 100, "{name}: {answer:?}");

        let answer = think(&Limits { nodes: Some(500), ..Limits::default() });
        assert_eq!(answer.nodes, 500, "{name}");
        let answer = think(&Limits { depth: Some(2), ..Limits::default() });
        assert_eq!(answer.depth, 2, "{name}");
        let answer = think(&Limits { nodes: Some(1), ..Limits::default() });
        assert_eq!((answer.depth, answer.nodes), (0, 1), "{name}");
    }
}

#[test]
fn only_games_by_these_rules_are_played() {
    for (game, setup, plays) in [
        ("murus", "", true),
        ("murus", "white-wall", true),
        ("loa", "files", true),
        ("loa", "standard", false),
        ("voidrider", "thery", false),
        ("variant", "", false),
    ] {
        assert_eq!(super::plays(game, setup), plays, "{game}:{setup}");
        assert_eq!(player(game, 1 << 16).is_some(), game != "variant");
    }
}

#[test]
fn illegal_moves_are_named() {
    let mut player = player("murus", 1 << 16).expect("a game of the list");
    let start = plain::Murus::start().text();
    let moves = ["G4,N".to_owned(), "A1,N".to_owned()];
    let error = player.think(&start, &moves, &Limits::default()).expect_err("an illegal move");
    assert_eq!(error, format!("A1,N is illegal after {start}"));
}

#[test]
fn scores_of_forced_ends_say_how_far_they_are() {
    for (score, plies) in [(29_999, Some(1)), (-29_998, Some(-2)), (20_000, None), (0, None)] {
        assert_eq!(plies_to_end(score), plies);
    }
}
