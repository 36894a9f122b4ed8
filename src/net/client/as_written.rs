//! Moves of the opponent that our rules do not know, played as the server wrote them.
//!
//! The one idea: the server is the judge; if it continues after such a move, the stones lie where
//! the move puts them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::game::Game;
use crate::games::AnyGame;
use crate::net::tournament::MoveText;

/// Whether a text names a move, in any case and with any blanks.
pub fn is_the_same(text: &[u8], m: &MoveText) -> bool {
    let compact = text.iter().filter(|byte| !byte.is_ascii_whitespace());
    compact.map(u8::to_ascii_uppercase).eq(m.bytes().map(|byte| byte.to_ascii_uppercase()))
}

/// The position left by a move that our rules do not know: its stones are put where the text says;
/// none if that is no valid position.
pub fn as_written(start: &AnyGame, position: &AnyGame, text: &[u8]) -> Option<AnyGame> {
    let compact: Vec<u8> =
        text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let m = position.read_notation(std::str::from_utf8(&compact).ok()?).ok()?;
    let played = || {
        let after = position.after(m);
        // Parsed again, so that the position is valid even after an illegal move.
        start.parse_board(&after.to_string()).ok()
    };
    // Games promise nothing of illegal moves, and a server must not end the program by one.
    catch_unwind(AssertUnwindSafe(played)).ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameState;
    use crate::game::chance::Chance;
    use crate::games::{Hadron, Loa, Murus, Voidrider};

    /// How many texts are tried in a position, about and at most.
    const TRIED: usize = 400;

    /// A text after `OPPONENT_MOVE`, legal or not, drawn for every third position of a random game,
    /// leaves no position or one from which the game can continue.
    fn moves_as_written(start: AnyGame, notations: &[String]) {
        let mut rng = fastrand::Rng::with_seed(1);
        let mut state = GameState::new(start);
        let mut left = 0;
        while state.ending().is_none() {
            let tried = if state.position.ply().is_multiple_of(3) { notations } else { &[] };
            for text in tried {
                if rng.index(..notations.len()) >= TRIED {
                    continue;
                }
                let legal = state.position.parse_move(text).ok();
                let written = as_written(&start, &state.position, text.as_bytes());
                if let Some(m) = legal {
                    let after = state.position.after(m);
                    assert_eq!(written, Some(after), "{text} in {}", state.position);
                } else if let Some(mut written) = written {
                    left += 1;
                    assert_eq!(written.side(), !state.position.side());
                    assert_eq!(written.ply(), state.position.ply() + 1);
                    if let Some(m) = written.random_move(&mut rng) {
                        written.play(m);
                    }
                }
            }
            state.play(state.position.random_move(&mut rng).unwrap());
        }
        assert!(left > 100, "{left}");
    }

    /// All texts of one character from each.
    fn texts(of: &[&str]) -> Vec<String> {
        let mut texts = vec![String::new()];
        for characters in of {
            texts = texts
                .iter()
                .flat_map(|text| characters.split(' ').map(move |next| format!("{text}{next}")))
                .collect();
        }
        texts
    }

    #[test]
    fn murus_as_written() {
        let directions = "N NE E SE S SW W NW";
        let all = texts(&["A B C D E F G", "1 2 3 4 5 6 7 8", ",", directions]);
        moves_as_written(AnyGame::from(Murus::start()), &all);
    }

    #[test]
    fn hadron_as_written() {
        moves_as_written(
            AnyGame::from(Hadron::start(9, 9)),
            &texts(&["A B C D E F G H I", "1 2 3 4 5 6 7 8 9"]),
        );
    }

    #[test]
    fn lines_of_action_as_written() {
        let (columns, rows) = ("A B C D E F G H", "1 2 3 4 5 6 7 8");
        let all = texts(&[columns, rows, "-", columns, rows]);
        moves_as_written(AnyGame::from(Loa::start(Default::default())), &all);
    }

    #[test]
    fn voidrider_chess_as_written() {
        let (columns, rows) = ("a b c d e f g", "1 2 3 4 5 6 7 8 9");
        let mut all = texts(&[columns, rows, "-", columns, rows]);
        let promotion = texts(&[columns, "8 2", "-", columns, "9 1", "=", "V N Q R"]);
        all.extend(promotion);
        moves_as_written(AnyGame::from(Voidrider::start()), &all);
    }

    /// The start of a variant that is built in.
    fn variant(name: &str) -> AnyGame {
        AnyGame::named(&format!("variant:{name}")).unwrap()
    }

    fn variants_as_written(names: &[&str]) {
        for name in names {
            let start = variant(name);
            let (columns, rows) = ("a b c d e f g h", "1 2 3 4 5 6 7 8");
            let mut all = texts(&[columns, rows, columns, rows]);
            all.extend(texts(&[columns, "7 2", columns, "8 1", "q n"]));
            moves_as_written(start, &all);
        }
    }

    #[test]
    fn chess_as_written() {
        variants_as_written(&["chess", "losalamos", "racingkings", "berolina"]);
    }

    /// King and rook do not go where other pieces stand.
    #[test]
    fn no_castling_through_pieces_as_written() {
        let start = variant("chess");
        for text in ["e1c1", "e1g1", "e1a1", "e1h1"] {
            if let Some(after) = as_written(&start, &start, text.as_bytes()) {
                let empty = |position: AnyGame| position.rows().to_string().matches('.').count();
                assert_eq!(empty(after), empty(start), "{text}: {after}");
            }
        }
    }
}
