//! A game of one's own: tic-tac-toe, from its rules to two engines that solve and play it.
//!
//! `cargo run --example tictactoe` ends with status 0 only if Monte Carlo tree search and
//! alpha-beta both find that perfect play is a draw, cannot be beaten, and draw against each other.

use std::error::Error;
use std::fmt;

use alesia::eval::Evaluate;
use alesia::eval::oracle::NoOracle;
use alesia::eval::parameters::Parameters;
use alesia::game::{Ending, Game, GameState, Move, MoveList, ParseError, Rule, Side, quoted};
use alesia::games::text::{self, BoardText};
use alesia::search::clock::Budget;
use alesia::search::duel::{Contestant, Limit, Score, play_pair};
use alesia::search::report::{Proof, Report};
use alesia::search::{Engine, EngineKind, EngineOptions};

const SIZE: usize = 3;
const CELLS: u16 = (SIZE * SIZE) as u16;

/// The rows, columns and diagonals, each a set of cells.
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

const THREE_IN_A_ROW: Rule = Rule::new(&"three in a row");
const FULL_BOARD: Rule = Rule::new(&"full board");

/// A position: the cells that each side has marked, a bit for each cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TicTacToe {
    marks: [u16; 2],
    side: Side,
}

impl TicTacToe {
    /// The empty board.
    pub const START: TicTacToe = TicTacToe { marks: [0; 2], side: Side::White };

    fn is_empty(&self, cell: u16) -> bool {
        (self.marks[0] | self.marks[1]) >> cell & 1 == 0
    }
}

/// The rules, and how positions and moves are written. A move's code is the number of its cell.
impl Game for TicTacToe {
    const TITLE: &'static str = "Tic-tac-toe";
    const MOVE_FORM: &'static str = "a1 (column, row)";
    const PLY_LIMIT: usize = CELLS as usize;

    fn side(&self) -> Side {
        self.side
    }

    fn ply(&self) -> usize {
        (self.marks[0] | self.marks[1]).count_ones() as usize
    }

    /// The number of marks decides the side to move.
    fn key(&self) -> u64 {
        u64::from(self.marks[0]) | u64::from(self.marks[1]) << CELLS
    }

    fn moves(&self, list: &mut MoveList) {
        list.clear();
        list.extend((0..CELLS).filter(|&cell| self.is_empty(cell)).map(Move::from_code));
    }

    fn play(&mut self, m: Move) {
        self.marks[self.side as usize] |= 1 << m.code();
        self.side = !self.side;
    }

    fn won(&self) -> Option<Ending> {
        let mover = !self.side;
        let marks = self.marks[mover as usize];
        let has_line = LINES.iter().any(|line| marks & line == *line);
        has_line.then_some(Ending::win(mover, THREE_IN_A_ROW))
    }

    fn without_moves(&self) -> Ending {
        Ending::draw(FULL_BOARD)
    }

    fn write_move(&self, m: Move, f: &mut fmt::Formatter) -> fmt::Result {
        let (row, column) = (m.code() / SIZE as u16, m.code() % SIZE as u16);
        write!(f, "{}{}", char::from(b'a' + column as u8), SIZE as u16 - row)
    }

    fn read_notation(&self, notation: &str) -> Result<Move, ParseError> {
        let cell = match *notation.as_bytes() {
            [column, row] => {
                text::index_of(column, b'A', SIZE).zip(text::index_of(row, b'1', SIZE))
            }
            _ => None,
        };
        let m =
            cell.map(|(column, row)| Move::from_code(((SIZE - 1 - row) * SIZE + column) as u16));
        m.ok_or_else(|| ParseError::new("move", quoted(notation), "a cell from `a1` to `c3`"))
    }

    fn parse_board(&self, board: &str) -> Result<TicTacToe, ParseError> {
        let fields = BoardText::split(board, (SIZE, SIZE), 0, Self::PLY_LIMIT)?;
        let mut position = TicTacToe { side: fields.side, ..TicTacToe::START };
        fields.each_cell("`.` `w` `b`", |row, column, mark| {
            let cell = 1 << (row * SIZE + column);
            match mark {
                'w' => position.marks[0] |= cell,
                'b' => position.marks[1] |= cell,
                _ => return mark == '.',
            }
            true
        })?;
        let [white, black] = position.marks.map(u16::count_ones);
        let expected = TicTacToe { marks: [0; 2], ..position };
        if white != black + u32::from(expected.side == Side::Black) || position.ply() != fields.ply
        {
            let found = format!("{white} white and {black} black marks");
            return Err(ParseError::new("text board", found, "marks by turns, and as many plies"));
        }
        Ok(position)
    }

    fn write_rows(&self, f: &mut fmt::Formatter) -> fmt::Result {
        text::write_rows(f, (SIZE, SIZE), |row, column| {
            let cell = row * SIZE + column;
            match self.marks.map(|marks| marks >> cell & 1) {
                [1, _] => 'w',
                [_, 1] => 'b',
                _ => '.',
            }
        })
    }

    fn labels(&self) -> (Vec<String>, Vec<String>) {
        let rows = text::names(b'1', SIZE).into_iter().rev().collect();
        (rows, text::names(b'a', SIZE))
    }
}

impl fmt::Display for TicTacToe {
    /// The text board: rows, side to move, plies.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {} {}", self.rows(), text::side_letter(self.side), self.ply())
    }
}

/// Nothing is known of an unfinished position; the tree search plays it out at random.
impl Evaluate for TicTacToe {
    type Oracle = NoOracle;
    const TUNING: Parameters = Parameters { playout_plies: CELLS as u32, ..Parameters::DEFAULT };

    fn evaluate(&self) -> i32 {
        0
    }
}

/// Enough iterations, or positions, to solve any position.
const NODES: u64 = 100_000;

/// The worst score of an engine that plays a side, over all that its opponent may play.
fn worst_score(
    engine: &mut dyn Engine<TicTacToe>,
    state: &GameState<TicTacToe>,
    side: Side,
) -> Score {
    if let Some(ending) = state.ending() {
        return ending.outcome.for_side(side);
    }
    let mut moves = MoveList::new();
    if state.position.side() == side {
        moves.push(engine.think(state, &Budget::nodes(NODES), &mut |_| {}).best);
    } else {
        state.position.moves(&mut moves);
    }
    let after = |m| {
        let next = state.after(m);
        worst_score(engine, &next, side)
    };
    moves.into_iter().map(after).min_by_key(|score| score.halves()).expect("the game is not over")
}

/// Has both engines solve the start and play each other.
fn main() -> Result<(), Box<dyn Error>> {
    let options = EngineOptions { memory: 16 << 20, ..EngineOptions::default() };
    let start = GameState::new(TicTacToe::START);
    let mut tree_search = EngineKind::MonteCarlo.build_for(TicTacToe::START, &options)?;
    let mut alpha_beta = EngineKind::AlphaBeta.build_for(TicTacToe::START, &options)?;
    for (name, engine) in [("mcts", &mut tree_search), ("alphabeta", &mut alpha_beta)] {
        let report = engine.think(&start, &Budget::nodes(NODES), &mut |_| {});
        let Report { value, depth, nodes, .. } = report;
        let best = start.position.notation(report.best);
        println!("{name}: bestmove {best}, value {value}, {nodes} nodes, {depth} plies deep");
        // Alpha-beta reports no proof of a draw: it has looked at everything to the end of the
        // game.
        let is_solved = report.proof == Some(Proof::Draw) || depth >= TicTacToe::PLY_LIMIT;
        if !is_solved || value != 0.5 {
            return Err(format!("{name} has not found that perfect play is a draw").into());
        }
    }
    for (name, engine) in [("mcts", &mut tree_search), ("alphabeta", &mut alpha_beta)] {
        for side in [Side::White, Side::Black] {
            let worst = worst_score(&mut **engine, &start, side);
            println!("{name} as {side}, whatever is played against it: at worst a {worst:?}");
            if worst == Score::Loss {
                return Err(format!("{name} can be beaten as {side}").into());
            }
        }
    }
    let players = [&mut *tree_search, &mut *alpha_beta];
    let players = players.map(|engine| Contestant { engine, limit: Limit::Nodes(NODES), seed: 1 });
    let scores = play_pair(&start, players);
    println!("mcts against alphabeta, as White and as Black: {scores:?}");
    if scores != [Score::Draw; 2] {
        return Err("a game between perfect players is not a draw".into());
    }
    Ok(())
}

#[test]
fn perfect_play_draws() {
    main().unwrap();
}
