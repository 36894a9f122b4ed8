//! The tree search on a game that everybody knows: every position of tic-tac-toe is solved rightly.
//!
//! Draws are half of its results, both sides win, lines have every length: a mistake of
//! perspective, in proofs or on the way back, shows at once.

use std::collections::HashSet;
use std::fmt;

use alesia::eval::Evaluate;
use alesia::eval::oracle::NoOracle;
use alesia::game::{Ending, Game, GameState, Move, MoveList, ParseError, Rule, Side};
use alesia::parameters::Parameters;
use alesia::search::clock::Budget;
use alesia::search::mcts::MonteCarlo;
use alesia::search::report::Proof;
use alesia::search::{Engine, EngineOptions};

use crate::exhaustive::solve;

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct TicTacToe {
    marks: [u16; 2],
    side: Side,
}

impl TicTacToe {
    const START: TicTacToe = TicTacToe { marks: [0; 2], side: Side::White };

    fn empty(&self) -> impl Iterator<Item = u16> + use<> {
        let marked = self.marks[0] | self.marks[1];
        (0..9).filter(move |cell| marked >> cell & 1 == 0)
    }
}

impl fmt::Display for TicTacToe {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.write_rows(f)
    }
}

impl Game for TicTacToe {
    const TITLE: &'static str = "Tic-tac-toe";
    const PLY_LIMIT: usize = 9;

    fn side(&self) -> Side {
        self.side
    }

    fn ply(&self) -> usize {
        (self.marks[0] | self.marks[1]).count_ones() as usize
    }

    fn key(&self) -> u64 {
        u64::from(self.marks[0]) | u64::from(self.marks[1]) << 16
    }

    fn count_moves(&self) -> usize {
        self.empty().count()
    }

    fn moves(&self, list: &mut MoveList) {
        list.clear();
        list.extend(self.empty().map(Move::from_code));
    }

    fn random_move(&self, rng: &mut fastrand::Rng) -> Option<Move> {
        let count = self.count_moves();
        (count > 0).then(|| Move::from_code(self.empty().nth(rng.usize(..count)).unwrap()))
    }

    fn play(&mut self, m: Move) {
        self.marks[self.side as usize] |= 1 << m.code();
        self.side = !self.side;
    }

    fn won(&self) -> Option<Ending> {
        let marks = self.marks[!self.side as usize];
        let won = LINES.iter().any(|line| marks & line == *line);
        won.then_some(Ending::win(!self.side, Rule::Connected))
    }

    fn without_moves(&self) -> Ending {
        Ending::draw(Rule::PlyLimit)
    }

    fn write_move(&self, m: Move, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", m.code())
    }

    fn read_notation(&self, text: &str) -> Result<Move, ParseError> {
        let cell = text.parse().ok().filter(|cell| *cell < 9);
        cell.map(Move::from_code).ok_or_else(|| ParseError::new("move", text, "0 to 8"))
    }

    fn parse_board(&self, text: &str) -> Result<Self, ParseError> {
        Err(ParseError::new("board", text, "nothing, as this game has no text board"))
    }

    fn write_rows(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:03o}/{:03o}", self.marks[0], self.marks[1])
    }

    fn labels(&self) -> (Vec<String>, Vec<String>) {
        (vec![String::new(); 3], vec![String::new(); 3])
    }
}

impl Evaluate for TicTacToe {
    type Oracle = NoOracle;
    const TUNING: Parameters = Parameters { playout_plies: 9, ..Parameters::DEFAULT };

    fn evaluate(&self) -> i32 {
        0
    }
}

/// All positions that can come up and are not over.
fn open_positions() -> Vec<TicTacToe> {
    let mut seen = HashSet::from([TicTacToe::START]);
    let mut open = vec![TicTacToe::START];
    for index in 0.. {
        let Some(&position) = open.get(index) else { break };
        let mut moves = MoveList::new();
        position.moves(&mut moves);
        for m in moves {
            let mut after = position;
            after.play(m);
            if GameState::new(after).ending().is_none() && seen.insert(after) {
                open.push(after);
            }
        }
    }
    open
}

fn solves_every_position(threads: usize, trees: usize, memory: usize) {
    let options = EngineOptions { threads, trees, memory, ..Default::default() };
    let mut engine = MonteCarlo::new(TicTacToe::START, &options).unwrap();
    let positions = open_positions();
    assert_eq!(positions.len(), 4520);
    for position in positions {
        let state = GameState::new(position);
        let expected = solve(&state, 9).unwrap();
        engine.new_game(7);
        let report = engine.think(&state, &Budget::nodes(2_000_000), &mut |_| {});
        if position.count_moves() == 1 {
            continue;
        }
        match (expected, report.proof) {
            (Proof::Draw, Some(Proof::Draw)) => {}
            (Proof::Win(plies), Some(Proof::Win(found))) => assert!(found >= plies),
            (Proof::Loss(plies), Some(Proof::Loss(found))) => assert!(found >= plies),
            (expected, found) => panic!("{position}: {expected:?}, found {found:?}"),
        }
        // The move that is played reaches the result.
        let mut after = state;
        after.play(report.best);
        let reached = solve(&after, 9).unwrap();
        let same_result = matches!(
            (expected, reached),
            (Proof::Draw, Proof::Draw)
                | (Proof::Win(_), Proof::Loss(_))
                | (Proof::Loss(_), Proof::Win(_))
        );
        assert!(same_result, "{position}: {expected:?}, but {reached:?} after the move");
    }
}

#[test]
fn every_position_is_solved_by_one_thread() {
    solves_every_position(1, 1, 64 << 20);
}

#[test]
fn every_position_is_solved_by_threads_on_one_tree() {
    solves_every_position(3, 1, 64 << 20);
}

#[test]
fn every_position_is_solved_by_trees_of_their_own() {
    solves_every_position(2, 2, 64 << 20);
}
