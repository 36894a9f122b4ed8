//! Who wins, by playing everything: the reference for solvers.

use std::collections::HashMap;

use super::{PlainGame, PlainResult};

/// Whether the side to move wins a game that has no draw, under best play of both. Results of
/// positions that come again are kept, by text board.
pub fn wins<G: PlainGame>(position: &G, known: &mut HashMap<String, bool>) -> bool {
    if let Some(result) = position.result() {
        let white_wins = result == PlainResult::White;
        return white_wins == position.white_to_move();
    }
    let text = position.text();
    if let Some(&wins) = known.get(&text) {
        return wins;
    }
    let mut replies = Vec::new();
    for m in position.moves() {
        let mut after = position.clone();
        after.play(m);
        replies.push(after);
    }
    // The fewer moves the opponent has, the sooner a win may be found.
    replies.sort_by_key(|after| after.moves().len());
    let wins_here = replies.iter().any(|after| !wins(after, known));
    known.insert(text, wins_here);
    wins_here
}
