//! Moves as people and other programs write them, in games that have one notation.

use super::{Game, Move, ParseError};

/// The legal move that a text means. Beside the game's own notation, a capture may be `x` or `:`,
/// letters may be of either case, a joining `-` may be missing, and marks may follow.
///
/// # Errors
/// It means none; the error is about the text as it stands.
pub fn legal_move<G: Game>(position: &G, text: &str) -> Result<Move, ParseError> {
    let own = position.parse_move(text);
    if own.is_ok() {
        return own;
    }
    let bare = text.trim_end_matches(['+', '#', '!', '?']).replace(['x', ':'], "-");
    let (large, small) = (bare.to_uppercase(), bare.to_lowercase());
    let forms = [bare, large, small];
    let joined = forms.iter().filter_map(|form| with_join(form));
    let found =
        forms.iter().cloned().chain(joined).find_map(|form| position.parse_move(&form).ok());
    found.map_or(own, Ok)
}

/// `a1c3` as `a1-c3`.
fn with_join(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let is_square = |at: usize| {
        bytes.get(at).is_some_and(u8::is_ascii_alphabetic)
            && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
    };
    (text.is_ascii() && is_square(0) && is_square(2))
        .then(|| format!("{}-{}", &text[..2], &text[2..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Loa, Voidrider};

    #[test]
    fn a_move_is_understood_as_others_write_it() {
        let loa = Loa::start(Default::default());
        let own = loa.parse_move("B1-B3").or_else(|_| loa.parse_move("A2-C2")).unwrap();
        let written = loa.notation(own).to_string();
        for form in [
            written.to_lowercase(),
            written.replace('-', ":"),
            written.replace('-', "x"),
            written.replace('-', ""),
            format!("{written}+!"),
        ] {
            assert_eq!(legal_move(&loa, &form), Ok(own), "{form}");
        }
        let error = legal_move(&loa, "h9x!").unwrap_err().to_string();
        assert!(error.contains("`h9x!`"), "{error}");
    }

    #[test]
    fn the_own_notation_comes_first() {
        let start = Voidrider::start();
        let mut moves = crate::game::MoveList::new();
        start.moves(&mut moves);
        for &m in &moves {
            assert_eq!(legal_move(&start, &start.notation(m).to_string()), Ok(m));
        }
    }
}
