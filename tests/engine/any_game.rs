//! A position of any game answers as the game inside, and an engine of any game searches as the
//! engine of that game.

use alesia::eval::Evaluate;
use alesia::game::{Game, GameState, MoveList};
use alesia::games::{AnyGame, GameSpec, Listed};
use alesia::search::clock::Budget;
use alesia::search::{Engine, EngineKind, EngineOptions};
use alesia::with_game;

/// Every setup of every game, a board that is not listed, and chess variants.
fn games() -> Vec<AnyGame> {
    let mut games: Vec<AnyGame> = GameSpec::setups().into_iter().map(AnyGame::start).collect();
    let others = ["hadron4x5", "variant:chess", "variant:losalamos", "variant:voidrider"];
    games.extend(others.map(|name| AnyGame::named(name).unwrap()));
    games
}

/// Plays random games with both, and compares all that rules say.
fn answers_alike<G: Listed>(start: G) {
    let mut rng = fastrand::Rng::with_seed(1);
    for _ in 0..3 {
        let (mut own, mut any) = (GameState::new(start), GameState::new(start.into()));
        loop {
            let (inside, outside): (&G, &AnyGame) = (&own.position, &any.position);
            assert_eq!(G::of(outside), Some(inside));
            assert_eq!(own.history, any.history);
            assert_eq!(own.ending(), any.ending());
            assert_eq!(inside.to_string(), outside.to_string());
            assert_eq!(inside.rows().to_string(), outside.rows().to_string());
            assert_eq!(inside.key(), outside.key());
            assert_eq!((inside.side(), inside.ply()), (outside.side(), outside.ply()));
            assert_eq!(inside.evaluate(), outside.evaluate());
            assert_eq!(inside.checked_cell(), outside.checked_cell());
            let (mut moves, mut same) = (MoveList::new(), MoveList::new());
            inside.moves(&mut moves);
            outside.moves(&mut same);
            assert_eq!((&moves, inside.count_moves()), (&same, outside.count_moves()));
            for &m in &moves {
                let text = inside.notation(m).to_string();
                assert_eq!(text, outside.notation(m).to_string());
                assert_eq!(outside.parse_move(&text), Ok(m));
                let standard = inside.standard_notation(m);
                assert_eq!(standard, outside.standard_notation(m));
                assert_eq!(outside.understand(&standard), Ok(m), "{standard}");
                assert_eq!(inside.shape(m), outside.shape(m));
            }
            assert_eq!(outside.parse_board(&inside.to_string()).as_ref(), Ok(outside));
            assert_eq!(inside.parse_move("x"), outside.parse_move("x"));
            if own.ending().is_some() {
                break;
            }
            let m = own.position.random_move(&mut rng).unwrap();
            own.play(m);
            any.play(m);
        }
    }
    let any: AnyGame = start.into();
    assert_eq!(any.labels(), start.labels());
    assert_eq!(
        (any.ply_limit(), any.has_repetition()),
        (start.ply_limit(), start.has_repetition())
    );
    assert_eq!((any.title(), any.move_form(), any.name()), (start.title(), G::MOVE_FORM, G::NAME));
}

#[test]
fn any_game_answers_as_the_game_inside() {
    for game in games() {
        with_game!(game, start => answers_alike(start));
    }
}

/// What an engine says of the start.
fn found<G: Game>(engine: &mut dyn Engine<G>, start: G) -> String {
    let state = GameState::new(start);
    let report = engine.think(&state, &Budget::nodes(300), &mut |_| {});
    let root = engine.root_moves(&state);
    format!("{:?} {} {:?} {root:?}", report.best, report.value, report.variation)
}

fn searches_alike<G: Listed + Evaluate>(start: G) {
    for kind in EngineKind::ALL {
        let options = EngineOptions { memory: 4 << 20, ..EngineOptions::default() };
        let mut own = kind.build_for(start, &options).unwrap();
        let mut any = kind.build(start.into(), &options).unwrap();
        let of_any = found(&mut *any, start.into());
        assert_eq!(found(&mut *own, start), of_any, "{kind} {}", G::NAME);
    }
}

#[test]
fn an_engine_of_any_game_searches_as_that_of_the_game() {
    for game in games() {
        with_game!(game, start => searches_alike(start));
    }
}

#[test]
#[should_panic(expected = "an engine of hadron was given a position of murus")]
fn a_position_of_another_game_is_refused() {
    let [hadron, murus] = ["hadron5", "murus"].map(|name| AnyGame::named(name).unwrap());
    let options = EngineOptions { memory: 4 << 20, ..EngineOptions::default() };
    let mut engine = EngineKind::MonteCarlo.build(hadron, &options).unwrap();
    engine.think(&GameState::new(murus), &Budget::nodes(1), &mut |_| {});
}
