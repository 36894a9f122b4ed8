//! Boards, moves and names of games: random games' boards with damage, and random text.

use alesia::game::{Game, GameState};
use alesia::games::loa::Layout;
use alesia::games::{AnyGame, GameSpec, Hadron, Loa, Murus, Voidrider};
use alesia_properties::{chess, refused_or_legal, refused_or_usable};
use proptest::prelude::*;

/// The boards of seeded random games, as a pool to damage.
fn boards(start: AnyGame) -> Vec<String> {
    let mut boards = Vec::new();
    for seed in 0..8 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut state = GameState::new(start);
        while state.ending().is_none() {
            boards.push(state.position.to_string());
            let m = state.position.random_move(&mut rng).expect("a move in an unfinished game");
            state.play(m);
        }
    }
    boards
}

/// Boards of a pool with some characters replaced by others of the same kind of board.
fn damaged(boards: Vec<String>) -> impl Strategy<Value = String> {
    let letters: Vec<char> = "./ #wWbBPNRVKpnrvkDdUu-0123456789".chars().collect();
    let character = prop_oneof![9 => prop::sample::select(letters), 1 => any::<char>()];
    let changes = prop::collection::vec((any::<prop::sample::Index>(), character), 1..5);
    (prop::sample::select(boards), changes).prop_map(|(board, changes)| {
        let mut characters: Vec<char> = board.chars().collect();
        for (place, character) in changes {
            let place = place.index(characters.len());
            characters[place] = character;
        }
        characters.into_iter().collect()
    })
}

/// Texts that look like a move of some game, and others.
fn any_move() -> impl Strategy<Value = String> {
    prop_oneof![
        "[A-Ja-j][0-9](-[A-Ja-j][0-9](=[A-Za-z])?)?",
        "[A-Ha-h][0-9],[NESWnesw]{0,3}",
        "\\PC{0,12}",
        any::<String>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 200 } else { 5000 }))]

    #[test]
    fn any_text_as_a_board(text in any::<String>()) {
        refused_or_usable(AnyGame::from(Murus::start()), &text);
        refused_or_usable(AnyGame::from(Hadron::start(2, 3)), &text);
        refused_or_usable(AnyGame::from(Loa::start(Layout::Rows)), &text);
        refused_or_usable(AnyGame::from(Voidrider::start()), &text);
    }

    #[test]
    fn any_cells_as_a_board(text in "[wb.]{2}/[wb.]{2} [wb] [0-4]") {
        refused_or_usable(AnyGame::from(Hadron::start(2, 2)), &text);
    }

    #[test]
    fn damaged_boards_of_murus(text in damaged(boards(AnyGame::from(Murus::start())))) {
        refused_or_usable(AnyGame::from(Murus::start()), &text);
    }

    #[test]
    fn damaged_boards_of_hadron(text in damaged(boards(AnyGame::from(Hadron::start(4, 5))))) {
        refused_or_usable(AnyGame::from(Hadron::start(4, 5)), &text);
    }

    #[test]
    fn damaged_boards_of_loa(text in damaged(boards(AnyGame::from(Loa::start(Layout::Rows))))) {
        refused_or_usable(AnyGame::from(Loa::start(Layout::Rows)), &text);
    }

    #[test]
    fn damaged_boards_of_voidrider(text in damaged(boards(AnyGame::from(Voidrider::start())))) {
        refused_or_usable(AnyGame::from(Voidrider::start()), &text);
    }

    #[test]
    fn damaged_boards_of_chess(text in damaged(boards(chess()))) {
        refused_or_usable(chess(), &text);
    }

    #[test]
    fn any_text_as_a_move(text in any_move()) {
        refused_or_legal(&AnyGame::from(Murus::start()), &text);
        refused_or_legal(&AnyGame::from(Hadron::start(4, 5)), &text);
        refused_or_legal(&AnyGame::from(Hadron::start(9, 9)), &text);
        refused_or_legal(&AnyGame::from(Loa::start(Layout::Files)), &text);
        refused_or_legal(&AnyGame::from(Voidrider::start()), &text);
    }

    #[test]
    fn any_text_as_a_game(text in prop_oneof!["hadron[0-9xX+-]{0,5}", any::<String>()]) {
        if let Ok(game) = text.parse::<GameSpec>() {
            assert_eq!(game.to_string().parse(), Ok(game), "{text}");
        }
    }
}
