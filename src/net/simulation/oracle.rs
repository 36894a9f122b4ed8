//! What the result of a game must be, worked out afterwards from the list of all that arrived.

use super::pipe::Micros;
use crate::game::{Game, GameState, Move, Outcome, Side};
use crate::games::AnyGame;
use crate::net::referee::judge::Input;

/// Why a game ended, as far as the simulation asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    Rule,
    Illegal,
    Late,
    Gone,
    Flood,
}

/// Max delay of a line from its stamp to the judge.
const HANDOVER: Micros = 50_000;

/// Lines that are kept while it is not a player's turn.
const KEPT: usize = 8;

/// The terms of a game.
#[derive(Clone, Copy)]
pub struct Terms {
    /// The end of the warm-up.
    pub opens: Micros,
    /// Time for a move, tolerance included.
    pub limit: Micros,
    /// Max plies.
    pub plies: Option<usize>,
}

/// Something that came to the judge.
#[derive(Clone, Debug)]
pub struct Arrived {
    pub side: Side,
    pub stamp: Micros,
    pub handed: Micros,
    pub input: Input,
}

/// The legal move that a line names.
pub fn read_plainly(position: &AnyGame, input: &Input) -> Option<Move> {
    let Input::Line(line) = input else { return None };
    let text = str::from_utf8(line).ok()?.trim_ascii().to_ascii_uppercase();
    let rest = text.strip_prefix("MOVE")?;
    if !rest.starts_with(|c: char| c.is_ascii_whitespace()) {
        return None;
    }
    let named: String = rest.split_ascii_whitespace().collect();
    let moves = position.legal_moves();
    moves.into_iter().find(|&m| position.notation(m).to_string().eq_ignore_ascii_case(&named))
}

/// The result, the reason and the plies.
pub fn expected(start: AnyGame, terms: Terms, arrivals: &[Arrived]) -> (Outcome, Why, usize) {
    let mut state = GameState::new(start);
    let mut plies = 0;
    let mut coming = arrivals.iter().peekable();
    let mut kept: [Vec<&Arrived>; 2] = Default::default();
    let mut turn = None;
    let mut now;
    loop {
        let mover = state.position.side();
        let wakes = turn.map_or(terms.opens, |turn| turn + terms.limit + HANDOVER);
        match coming.next_if(|arrived| arrived.handed <= wakes) {
            Some(arrived) => {
                let other = !arrived.side;
                now = arrived.handed;
                if arrived.input == Input::Closed {
                    let is_late =
                        |told| arrived.side == mover && arrived.stamp > told + terms.limit;
                    let why = if turn.is_some_and(is_late) { Why::Late } else { Why::Gone };
                    return (Outcome::Win(other), why, plies);
                }
                let kept = &mut kept[arrived.side as usize];
                if kept.len() == KEPT {
                    return (Outcome::Win(other), Why::Flood, plies);
                }
                kept.push(arrived);
            }
            None if turn.is_some() => return (Outcome::Win(!mover), Why::Late, plies),
            None => {
                now = wakes;
                turn = Some(wakes);
            }
        }
        while let Some(told) = turn {
            let mover = state.position.side();
            let kept = &mut kept[mover as usize];
            if kept.is_empty() {
                break;
            }
            let line = kept.remove(0);
            if line.stamp > told + terms.limit {
                return (Outcome::Win(!mover), Why::Late, plies);
            }
            let Some(m) = read_plainly(&state.position, &line.input) else {
                return (Outcome::Win(!mover), Why::Illegal, plies);
            };
            state.play(m);
            plies += 1;
            if let Some(ending) = state.ending() {
                return (ending.outcome, Why::Rule, plies);
            }
            if terms.plies.is_some_and(|most| plies >= most) {
                return (Outcome::Draw, Why::Rule, plies);
            }
            turn = Some(now);
        }
    }
}
