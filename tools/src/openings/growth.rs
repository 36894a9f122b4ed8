//! The growth of a book: the choice of the next position to search, and the values by all searches.
//!
//! The one idea: the value of a position is that of its best move (negamax). The value of a move is
//! that of the position after it if this has been searched, else that of the search before it. The
//! cost of a position is the loss of the opponent's moves that lead to it, plus a cost per ply,
//! while our own moves are good. The position with the least cost, for either side, is searched
//! next (drop-out expansion: Lincke 2000, where the losses of both sides count).

use std::cmp::Reverse;
use std::collections::HashMap;

use alesia::book::{Answer, BookLine};
use alesia::game::{Game, GameState, Move, Side};
use alesia::games::{AnyGame, AnyState, Symmetry};
use alesia::search::report::Report;

/// What a ply costs, in points: as much as a move of the opponent that loses so much.
const PLY_COST: f32 = 0.01;

/// A move is reported by a search where it has 1/500 of the iterations; the mean result of fewer
/// says too little.
const MIN_SHARE: u64 = 500;

/// What a position is known by, the same however its board is turned or mirrored.
type Key = (usize, u64);

/// A move that a search reported.
struct Candidate {
    m: Move,
    /// What the search expects of it, 0 to 1 for its mover.
    value: f32,
    /// The position after it; none if it needs no search: its result is proven, or it has only one
    /// legal move.
    next: Option<Key>,
}

/// A position that has been searched.
struct Position {
    /// The moves by which it was found first.
    moves: Vec<Move>,
    side: Side,
    /// Best first, in the order of the search.
    candidates: Vec<Candidate>,
    /// For the side to move, of all searches together.
    value: f32,
    /// At what cost it is reached when White, or Black, has the book.
    costs: [f32; 2],
}

/// A growing book.
pub struct Growth<S> {
    start: AnyGame,
    margin: f32,
    search: S,
    /// In the order in which they were searched.
    positions: Vec<Position>,
    numbers: HashMap<Key, usize>,
}

impl<S: FnMut(&AnyState) -> Report> Growth<S> {
    /// Nothing searched yet. `margin` is by how much of a point a good move may be worse than the
    /// best.
    pub fn new(start: AnyGame, margin: f32, search: S) -> Growth<S> {
        Growth { start, margin, search, positions: Vec::new(), numbers: HashMap::new() }
    }

    /// Searches one more position; returns whether there was one.
    pub fn grow(&mut self) -> bool {
        let Some(moves) = self.next() else { return false };
        let mut state = GameState::new(self.start);
        moves.iter().for_each(|&m| state.play(m));
        let report = (self.search)(&state);
        let candidates = self.candidates(&state, &moves, &report);
        let (side, value) = (state.position.side(), report.value);
        self.numbers.insert(self.key(&moves), self.positions.len());
        self.positions.push(Position { moves, side, candidates, value, costs: [f32::INFINITY; 2] });
        self.back_up();
        self.update_costs();
        true
    }

    /// How many positions have been searched.
    pub fn searched(&self) -> usize {
        self.positions.len()
    }

    /// After how many plies the latest of them is reached.
    pub fn plies(&self) -> usize {
        self.positions.iter().map(|position| position.moves.len()).max().unwrap_or(0)
    }

    /// What White expects at the start.
    pub fn value(&self) -> f32 {
        self.positions.first().map_or(0.5, |position| position.value)
    }

    /// The positions and answers that are known well, in the order of their moves.
    pub fn lines(&self) -> Vec<BookLine> {
        let line = |position: &Position| {
            let answers: Vec<Answer> = self.answers(position);
            (!answers.is_empty()).then(|| BookLine { moves: position.moves.clone(), answers })
        };
        let mut lines: Vec<BookLine> = self.positions.iter().filter_map(line).collect();
        // What begins with the same moves stands together.
        lines.sort_by_cached_key(|line| self.notation(&line.moves));
        lines
    }

    /// Moves from the start as they are written.
    fn notation(&self, moves: &[Move]) -> Vec<String> {
        let mut position = self.start;
        let text = |&m: &Move| {
            let text = position.notation(m).to_string();
            position.play(m);
            text
        };
        moves.iter().map(text).collect()
    }

    /// The moves to the position to search next.
    fn next(&self) -> Option<Vec<Move>> {
        if self.positions.is_empty() {
            return Some(Vec::new());
        }
        let mut best: Option<(f32, &Position, Move)> = None;
        for position in &self.positions {
            for candidate in &position.candidates {
                if candidate.next.is_none_or(|next| self.numbers.contains_key(&next)) {
                    continue;
                }
                let [white, black] = self.costs_after(position, candidate);
                let cost = white.min(black);
                if cost < best.map_or(f32::INFINITY, |(least, ..)| least) {
                    best = Some((cost, position, candidate.m));
                }
            }
        }
        best.map(|(_, position, m)| position.moves.iter().copied().chain([m]).collect())
    }

    /// The moves that a search reports.
    fn candidates(&self, state: &AnyState, moves: &[Move], report: &Report) -> Vec<Candidate> {
        let candidate = |m: Move, value: f32, proven: bool| {
            let after = state.after(m);
            let replies = after.position.legal_moves();
            let is_open = !proven && replies.len() > 1 && after.ending().is_none();
            let next = is_open.then(|| {
                let moves: Vec<Move> = moves.iter().copied().chain([m]).collect();
                self.key(&moves)
            });
            Candidate { m, value, next }
        };
        if report.proof.is_some() {
            return vec![candidate(report.best, report.value, true)];
        }
        let least = report.nodes / MIN_SHARE;
        let reported =
            report.top_moves.iter().filter(|top| top.m == report.best || top.visits > least);
        let mut candidates: Vec<Candidate> = Vec::new();
        for top in reported {
            let candidate = candidate(top.m, top.value, top.proof.is_some());
            // On a board that looks the same turned or mirrored, moves may do so too.
            if candidate.next.is_none() || candidates.iter().all(|c| c.next != candidate.next) {
                candidates.push(candidate);
            }
        }
        candidates
    }

    /// What the position after moves is known by.
    fn key(&self, moves: &[Move]) -> Key {
        let image = |symmetry: &Symmetry| {
            let (mut plain, mut turned) = (self.start, self.start);
            for &m in moves {
                let text = symmetry.image(&plain.notation(m).to_string());
                let other = turned.parse_move(&text).expect("a symmetry keeps the rules");
                plain.play(m);
                turned.play(other);
            }
            turned.key()
        };
        (moves.len(), self.start.symmetries().iter().map(image).min().expect("one changes nothing"))
    }

    /// The value of a move by all searches, and whether the position after it was searched or needs
    /// no search.
    fn value_of(&self, candidate: &Candidate) -> (f32, bool) {
        match candidate.next.map(|next| self.numbers.get(&next)) {
            None => (candidate.value, true),
            Some(None) => (candidate.value, false),
            Some(Some(&number)) => (1.0 - self.positions[number].value, true),
        }
    }

    /// Sets the values, those after more plies first.
    fn back_up(&mut self) {
        for number in self.by_plies(Reverse) {
            let position = &self.positions[number];
            let values = position.candidates.iter().enumerate().filter_map(|(index, candidate)| {
                let (value, is_known) = self.value_of(candidate);
                // Of the others a search has seen little.
                (is_known || index == 0).then_some(value)
            });
            if let Some(value) = values.reduce(f32::max) {
                self.positions[number].value = value;
            }
        }
    }

    /// Sets the costs, those after fewer plies first.
    fn update_costs(&mut self) {
        for position in &mut self.positions {
            position.costs = if position.moves.is_empty() { [0.0; 2] } else { [f32::INFINITY; 2] };
        }
        for number in self.by_plies(|plies| plies) {
            let position = &self.positions[number];
            let reached: Vec<(usize, [f32; 2])> = position
                .candidates
                .iter()
                .filter_map(|candidate| {
                    let number = *self.numbers.get(&candidate.next?)?;
                    Some((number, self.costs_after(position, candidate)))
                })
                .collect();
            for (number, costs) in reached {
                let known = &mut self.positions[number].costs;
                *known = [known[0].min(costs[0]), known[1].min(costs[1])];
            }
        }
    }

    /// The costs at which the position after a move is reached.
    fn costs_after(&self, position: &Position, candidate: &Candidate) -> [f32; 2] {
        let (value, _) = self.value_of(candidate);
        let loss = (position.value - value).max(0.0);
        [Side::White, Side::Black].map(|ours| {
            let of_move = match position.side == ours {
                true if loss <= self.margin => 0.0,
                true => f32::INFINITY,
                false => loss,
            };
            position.costs[ours as usize] + PLY_COST + of_move
        })
    }

    /// The numbers of all positions in an order of their plies.
    fn by_plies<K: Ord>(&self, order: impl Fn(usize) -> K) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..self.positions.len()).collect();
        numbers.sort_by_key(|&number| order(self.positions[number].moves.len()));
        numbers
    }

    /// The good moves of a position: those known by a search of their own that are worse than the
    /// best by the margin at most.
    fn answers(&self, position: &Position) -> Vec<Answer> {
        let least = position.value - self.margin;
        let good = position.candidates.iter().filter_map(|candidate| {
            let (value, is_known) = self.value_of(candidate);
            (is_known && value >= least).then_some((candidate.m, value))
        });
        let mut good: Vec<(Move, f32)> = good.collect();
        // Stable: the search's order among equals.
        good.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let answer = |(m, value): (Move, f32)| {
            let thousandths = (1000.0 * value).round().clamp(0.0, 1000.0) as u16;
            Answer { m, thousandths }
        };
        good.into_iter().map(answer).collect()
    }
}

#[cfg(test)]
mod tests {
    use alesia::game::Game;
    use alesia::search::report::{Proof, RootMove};

    use super::*;

    /// The moves so far and what a search then says: moves and values, the best first.
    type Said<'a> = (&'a str, &'a [(&'a str, f32)]);

    /// A book of Hadron of `positions` positions, with a search that returns these results, and
    /// elsewhere the first move as the only good one. Returns the book and the positions in the
    /// order of their searches.
    fn grown(margin: f32, said: &[Said], positions: usize) -> (Vec<String>, Vec<String>) {
        let start = AnyGame::named("hadron").unwrap();
        let mut searched = Vec::new();
        let search = |state: &AnyState| {
            let position = &state.position;
            let known = said.iter().find(|(moves, _)| {
                let mut known = GameState::new(start);
                known.play_text(moves).unwrap();
                known.position == *position
            });
            let (name, moves) = match known {
                Some((name, moves)) => {
                    let read = |&(m, value): &(&str, f32)| (position.parse_move(m).unwrap(), value);
                    (name.to_string(), moves.iter().map(read).collect())
                }
                None => {
                    let legal = position.legal_moves();
                    (position.to_string(), vec![(legal[0], 0.5)])
                }
            };
            searched.push(name);
            let top = moves.into_iter().map(|(m, value): (Move, f32)| {
                let proof = (value == 1.0).then_some(Proof::Win(3));
                RootMove { m, visits: 1000, value, prior: 0.5, proof }
            });
            let top: Vec<RootMove> = top.collect();
            let mut report = Report::of_move(top[0].m);
            (report.value, report.nodes, report.proof) = (top[0].value, 10_000, top[0].proof);
            report.top_moves.extend(top);
            report
        };
        let mut growth = Growth::new(start, margin, search);
        for _ in 0..positions {
            assert!(growth.grow());
        }
        let lines = growth.lines().iter().map(|line| line.text(start)).collect();
        (lines, searched)
    }

    const SAID: &[Said] = &[
        ("", &[("E5", 0.55), ("A1", 0.54), ("B3", 0.4)]),
        ("E5", &[("A2", 0.47), ("B7", 0.38)]),
        ("A1", &[("B7", 0.53)]),
        ("E5 A2", &[("B9", 0.52)]),
        ("E5 A2 B9", &[("C8", 0.49)]),
    ];

    #[test]
    fn searches_the_cheapest_line_next() {
        // A1 first, as it looks no worse than E5 now does; then it loses 0.06, more than the
        // margin, so that only Black may come to it, at the cost of that.
        let searched = grown(0.02, SAID, 5).1;
        assert_eq!(searched, ["", "E5", "A1", "E5 A2", "E5 A2 B9"]);
    }

    #[test]
    fn values_are_backed_up_and_answers_are_those_within_the_margin() {
        // White's 0.52 after E5 A2 is 1 - 0.49 = 0.51 once the next is searched.
        let (lines, _) = grown(0.02, SAID, 5);
        assert_eq!(lines, ["| E5/510", "E5 | A2/490", "E5 A2 | B9/510"]);
        let (lines, _) = grown(0.05, SAID, 5);
        // A1 is looked into, as White may play it.
        assert_eq!(lines[0], "| E5/520 A1/500");
        assert_eq!(grown(0.05, SAID, 1).0, [""; 0], "nothing is known well");
    }

    #[test]
    fn a_position_is_searched_once_however_it_is_turned() {
        let said: &[Said] = &[
            ("", &[("A1", 0.5), ("I9", 0.5), ("A9", 0.5), ("B3", 0.5)]),
            ("A1", &[("E5", 0.5)]),
            ("B3", &[("E5", 0.5)]),
        ];
        assert_eq!(grown(0.02, said, 3).1, ["", "A1", "B3"]);
        // By another order of moves, too.
        let said: &[Said] = &[
            ("", &[("A1", 0.5), ("A5", 0.5)]),
            ("A1", &[("E5", 0.5)]),
            ("A5", &[("E5", 0.5)]),
            ("A1 E5", &[("A5", 0.5)]),
            ("A5 E5", &[("A1", 0.5)]),
            ("A1 E5 A5", &[("I9", 0.5)]),
        ];
        let (lines, searched) = grown(0.02, said, 6);
        assert_eq!(searched, ["", "A1", "A5", "A1 E5", "A5 E5", "A1 E5 A5"]);
        assert!(lines.contains(&"A5 E5 | A1/500".into()), "{lines:?}");
    }

    #[test]
    fn does_not_search_proven_lines() {
        let said: &[Said] = &[("", &[("E5", 1.0), ("A1", 0.5)])];
        assert_eq!(grown(0.02, said, 1).0, ["| E5/1000"]);
    }
}
