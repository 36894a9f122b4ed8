//! Wins by threats alone, which a static evaluation does not see.
//!
//! The one idea: a threat, a move after which the next one would reach home, leaves few answers. So
//! a side that wins by one threat after the other is found by looking at a few positions
//! (threat-space search: Allis, van den Herik and Huntjens 1993, though with every answer tried).
//! Trees are weak where such short lines lie below many of their leaves (search traps: Ramanujan,
//! Sabharwal and Selman 2010).

use arrayvec::ArrayVec;

use super::Murus;
use crate::eval::Evaluate;
use crate::eval::nodes::Nodes;
use crate::eval::oracle::{Oracle, Proof};
use crate::game::{Game, MoveList};

/// Positions after answers that are looked at for one number of threats in a row.
const MAX_ANSWERS: u32 = 100;

/// Threats of one position that are followed up.
const MAX_THREATS: usize = 32;

/// The oracle of Murus Gallicus; it keeps nothing from one position to the next.
#[derive(Clone, Copy, Debug, Default)]
pub struct Threats;

impl Oracle<Murus> for Threats {
    #[inline(always)]
    fn prove_new_leaf(
        &mut self,
        position: &Murus,
        depth: u32,
        nodes: &mut Nodes<'_>,
    ) -> Option<Proof> {
        solve(position, depth, nodes)
    }
}

/// The result that at most `threats` threats in a row prove for the side to move. The position must
/// be neither decided nor over, except by having no legal move. The winner can force the end within
/// the plies of the proof.
///
/// One threat is tried, then two, and so on: so the quickest win is found, and the proof is found
/// again after each of its moves.
#[inline(always)]
pub fn solve(position: &Murus, threats: u32, nodes: &mut Nodes<'_>) -> Option<Proof> {
    if threats == 0 {
        return None;
    }
    debug_assert!(position.decided().is_none());
    // A win by n threats needs 2n + 1 plies; none may come after the limit.
    let left = Murus::PLY_LIMIT.saturating_sub(position.ply());
    let in_time = |left: usize| threats.min(left.saturating_sub(1) as u32 / 2);
    if position.may_threaten_home()
        && let Some(plies) =
            deepen(in_time(left), nodes, |search, most| search.attack(position, most))
    {
        return Some(Proof::Win(plies));
    }
    if !position.is_threatened() {
        return None;
    }
    // After an answer.
    deepen(in_time(left.saturating_sub(1)), nodes, |search, most| search.defend(position, most))
        .map(Proof::Loss)
}

/// Searches for one threat, then for two, and so on, as long as more may find something and the
/// leaf has nodes for them.
#[inline(always)]
fn deepen(
    most: u32,
    nodes: &mut Nodes<'_>,
    search: impl Fn(&mut Search, u32) -> Option<u16>,
) -> Option<u16> {
    for threats in 1..=most {
        let mut fresh = Search { answers_left: MAX_ANSWERS, cut: false };
        let found = search(&mut fresh, threats);
        let goes_on = nodes.spend(u64::from(MAX_ANSWERS - fresh.answers_left));
        if found.is_some() || !fresh.cut || !goes_on {
            return found;
        }
    }
    None
}

/// The search for a given number of threats in a row.
struct Search {
    answers_left: u32,
    /// Whether there was one threat more than that.
    cut: bool,
}

impl Search {
    /// The plies within which the side to move, which cannot win at once, wins by at most `threats`
    /// threats; none if no such win is found.
    #[inline(never)]
    fn attack(&mut self, position: &Murus, threats: u32) -> Option<u16> {
        let side = position.side();
        let mut moves = MoveList::new();
        position.threatening_moves(&mut moves);
        let mut answered = ArrayVec::<Murus, MAX_THREATS>::new();
        for &m in &moves {
            let mut after = *position;
            after.play_unkeyed(m);
            if !after.is_threatened() {
                continue;
            }
            match after.decided() {
                Some((winner, plies)) if winner == side => return Some(plies as u16 + 1),
                Some(_) => {}
                None => {
                    self.cut |= threats == 1;
                    // Those beyond are left out.
                    let _ = answered.try_push(after);
                }
            }
        }
        if threats == 1 {
            return None;
        }
        answered.iter().find_map(|after| Some(self.defend(after, threats - 1)? + 1))
    }

    /// The plies within which the side to move, which is threatened, loses with every answer, if
    /// the other side continues with at most `threats` threats; none if no such loss is found.
    #[inline(never)]
    fn defend(&mut self, position: &Murus, threats: u32) -> Option<u16> {
        let side = position.side();
        let moves = position.legal_moves();
        // Without a move it has lost here.
        let mut longest = 0;
        for &m in &moves {
            let mut after = *position;
            after.play_unkeyed(m);
            let plies = match after.decided() {
                Some((winner, _)) if winner == side => return None,
                Some((_, plies)) => plies as u16,
                None => {
                    self.answers_left = self.answers_left.checked_sub(1)?;
                    if !after.may_threaten_home() {
                        return None;
                    }
                    self.attack(&after, threats)?
                }
            };
            longest = longest.max(plies + 1);
        }
        Some(longest)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::game::Outcome;
    use crate::game::chance::Chance;

    fn solve(position: &Murus, threats: u32) -> Option<Proof> {
        super::solve(position, threats, &mut Nodes::at_most(u64::MAX))
    }

    /// Whether the side to move wins within `plies` plies, by the rules alone.
    fn wins_within(position: &Murus, plies: u16) -> bool {
        let moves = position.legal_moves();
        plies > 0
            && position.ply() < Murus::PLY_LIMIT
            && moves.iter().any(|&m| {
                let mut after = *position;
                after.play(m);
                match after.won() {
                    Some(ending) => ending.outcome == Outcome::Win(position.side()),
                    None => loses_within(&after, plies - 1),
                }
            })
    }

    /// Whether the side to move loses within `plies` plies, by the rules alone.
    fn loses_within(position: &Murus, plies: u16) -> bool {
        let moves = position.legal_moves();
        if moves.is_empty() || position.ply() >= Murus::PLY_LIMIT {
            return moves.is_empty();
        }
        plies > 0
            && moves.iter().all(|&m| {
                let mut after = *position;
                after.play(m);
                match after.won() {
                    Some(ending) => ending.outcome != Outcome::Win(position.side()),
                    None => wins_within(&after, plies - 1),
                }
            })
    }

    /// Positions of random games that are not decided, with the plies played changed by `ply`.
    fn undecided(games: u64, ply: impl Fn(usize) -> usize) -> Vec<Murus> {
        let mut found = Vec::new();
        for seed in 0..games {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut position = Murus::start();
            while position.won().is_none() && position.ply() < Murus::PLY_LIMIT {
                if position.decided().is_none() {
                    let text = position.to_string();
                    let (rows_and_side, _) = text.rsplit_once(' ').expect("the plies come last");
                    let text = format!("{rows_and_side} {}", ply(position.ply()));
                    found.push(position.parse_board(&text).expect("a board"));
                }
                let Some(m) = position.random_move(&mut rng) else { break };
                position.play(m);
            }
        }
        found
    }

    #[test]
    fn proofs_hold_by_the_rules_within_their_plies() {
        let mut proven = [0; 2];
        for position in undecided(1000, |ply| ply) {
            // Two threats of one side: five plies, or six where the other is to move.
            let proof = solve(&position, 2);
            match proof {
                Some(Proof::Win(plies)) => {
                    assert!(wins_within(&position, plies), "{position}: {proof:?}");
                    proven[0] += 1;
                }
                Some(Proof::Loss(plies)) => {
                    assert!(loses_within(&position, plies), "{position}: {proof:?}");
                    proven[1] += 1;
                }
                _ => assert_eq!(proof, None),
            }
        }
        assert!(proven.iter().all(|&count| count >= 10), "{proven:?}");
    }

    #[test]
    fn more_threats_prove_more_and_none_nothing() {
        let positions = undecided(1000, |ply| ply);
        let proven = |threats| positions.iter().filter(|p| solve(p, threats).is_some()).count();
        let found = [0, 1, 2, 4].map(proven);
        assert!(found[0] == 0 && found.is_sorted_by(|fewer, more| fewer < more), "{found:?}");
    }

    /// Positions of stones thrown on the board that are not decided.
    fn thrown(count: usize) -> Vec<Murus> {
        let mut rng = fastrand::Rng::with_seed(3);
        let mut found = Vec::new();
        while found.len() < count {
            let row = |rng: &mut fastrand::Rng| -> String {
                (0..8).map(|_| char::from(b"........wWbB"[rng.index(..12)])).collect()
            };
            let rows = (0..7).map(|_| row(&mut rng)).collect::<Vec<_>>().join("/");
            let side = if rng.bool() { 'w' } else { 'b' };
            let position = Murus::start().parse_board(&format!("{rows} {side} 40"));
            found.extend(position.ok().filter(|p| p.won().is_none() && p.decided().is_none()));
        }
        found
    }

    #[test]
    fn every_move_that_threatens_is_listed_and_is_legal() {
        let (mut threatening, mut listed_in_all) = (0, 0);
        for position in thrown(3000) {
            let (mut moves, mut listed) = (MoveList::new(), MoveList::new());
            position.moves(&mut moves);
            position.threatening_moves(&mut listed);
            assert!(position.may_threaten_home() || listed.is_empty(), "{position}");
            let mut left = listed.iter();
            for m in &moves {
                let is_listed = left.as_slice().first() == Some(m);
                if is_listed {
                    left.next();
                }
                let mut after = position;
                after.play(*m);
                assert!(is_listed || !after.is_threatened(), "{position} {}", m.code());
                threatening += u32::from(after.is_threatened());
            }
            assert_eq!(left.len(), 0, "not legal, or in another order: {position}");
            listed_in_all += listed.len() as u32;
        }
        assert!(threatening > 500, "{threatening}");
        assert!(listed_in_all < 4 * threatening, "{listed_in_all} of {threatening}");
    }

    #[test]
    fn proofs_are_found_again_after_each_of_their_moves() {
        let mut lines = 0;
        for mut position in undecided(1000, |ply| ply) {
            let Some(mut proof) = solve(&position, 6) else { continue };
            let mut rng = fastrand::Rng::with_seed(lines);
            lines += 1;
            loop {
                let mut moves = position.legal_moves();
                rng.mix(&mut moves);
                let next = moves.iter().map(|&m| {
                    let mut after = position;
                    after.play(m);
                    let proven = match after.decided() {
                        Some((winner, plies)) if winner == after.side() => {
                            Some(Proof::Win(plies as u16))
                        }
                        Some((_, plies)) => Some(Proof::Loss(plies as u16)),
                        None => solve(&after, 6),
                    };
                    (after, proven)
                });
                // A winner has a move that is proven to win sooner, a loser none that is not proven
                // to lose sooner.
                let (after, reached) = match proof {
                    Proof::Win(plies) => {
                        let mut won = next.filter(|(_, proven)| {
                            matches!(proven, Some(Proof::Loss(left)) if *left < plies)
                        });
                        won.next().unwrap_or_else(|| panic!("{position}: {proof:?}"))
                    }
                    Proof::Loss(plies) => {
                        let all: Vec<_> = next.collect();
                        let lost = |(_, proven): &(_, Option<Proof>)| matches!(proven, Some(Proof::Win(left)) if *left < plies);
                        assert!(all.iter().all(lost), "{position}: {proof:?}");
                        match all.into_iter().next() {
                            Some(first) => first,
                            None => break,
                        }
                    }
                    Proof::Draw => unreachable!("no draw is proven"),
                };
                position = after;
                if position.decided().is_some() {
                    break;
                }
                proof = reached.expect("what was reached is proven");
            }
        }
        assert!(lines > 50, "{lines}");
    }

    #[test]
    fn nothing_is_proven_that_the_limit_of_plies_comes_before() {
        let mut proven = 0;
        for left in [3, 4, 5, 6] {
            for position in undecided(20, |_| Murus::PLY_LIMIT - left) {
                match solve(&position, 6) {
                    Some(Proof::Win(plies)) => {
                        assert!(wins_within(&position, plies) && usize::from(plies) <= left);
                        proven += 1;
                    }
                    Some(Proof::Loss(plies)) => {
                        assert!(loses_within(&position, plies) && usize::from(plies) <= left);
                        proven += 1;
                    }
                    _ => {}
                }
            }
        }
        assert!(proven > 0);
    }
}
