//! `alesia.VectorEnv`: many games a call, in arrays of the caller.
//!
//! The one idea: a step plays a move in each game, begins games that are over anew, and writes what
//! has changed into memory that stays the caller's, so that nothing is allocated or copied.

use std::thread;

use alesia::game::{Game, GameState, MAX_MOVES, MoveList, ParseError, Score};
use alesia::games::AnyGame;
use alesia::with_game;
use pyo3::prelude::*;

use crate::error::refused;
use crate::position::game_of;
use crate::unlocked::unlocked;

/// What a step writes of one game: a row of each array.
struct Row<'a> {
    /// A byte for each action: whether it is legal.
    mask: &'a mut [u8],
    /// The legal actions, of which there are `count`; the rest is not written.
    legal: &'a mut [u16],
    count: &'a mut u32,
    /// The result of the move for its mover: 1, 0 or -1.
    reward: &'a mut f32,
    /// Whether the move has ended its game.
    done: &'a mut u8,
}

/// A game of the environment with the moves that its row shows.
struct Running<G> {
    state: GameState<G>,
    shown: MoveList,
}

/// The games of one kind.
trait Games: Send {
    /// Plays an action in each game, or begins all anew where there are none.
    ///
    /// # Errors
    /// The first game whose action is not legal, which nothing was played in; the others were.
    fn step(
        &mut self,
        actions: Option<&[i64]>,
        rows: Vec<Row<'_>>,
        threads: usize,
    ) -> Result<(), usize>;
}

struct Of<G> {
    start: G,
    games: Vec<Running<G>>,
}

impl<G: Game> Running<G> {
    /// Shows the moves of the current position instead of those that are shown.
    fn show(&mut self, row: &mut Row<'_>) {
        for m in &self.shown {
            row.mask[usize::from(m.code())] = 0;
        }
        self.state.position.moves(&mut self.shown);
        for (m, action) in self.shown.iter().zip(&mut *row.legal) {
            row.mask[usize::from(m.code())] = 1;
            *action = m.code();
        }
        *row.count = self.shown.len() as u32;
    }

    /// Plays a legal action; false if it is none.
    fn play(&mut self, start: &G, action: i64, row: &mut Row<'_>) -> bool {
        let is_legal = usize::try_from(action).is_ok_and(|code| row.mask.get(code) == Some(&1));
        let legal = || self.shown.iter().copied().find(|m| i64::from(m.code()) == action);
        let Some(m) = is_legal.then(legal).flatten() else { return false };
        let mover = self.state.position.side();
        self.state.play(m);
        let ending = self.state.ending();
        *row.done = u8::from(ending.is_some());
        *row.reward = match ending.map(|ending| ending.outcome.for_side(mover)) {
            Some(Score::Win) => 1.0,
            Some(Score::Loss) => -1.0,
            Some(Score::Draw) | None => 0.0,
        };
        if ending.is_some() {
            self.begin(start);
        }
        self.show(row);
        true
    }

    fn begin(&mut self, start: &G) {
        self.state.position = *start;
        self.state.history.truncate(0);
    }
}

impl<G: Game> Games for Of<G> {
    fn step(
        &mut self,
        actions: Option<&[i64]>,
        mut rows: Vec<Row<'_>>,
        threads: usize,
    ) -> Result<(), usize> {
        let each = self.games.len().div_ceil(threads);
        let start = &self.start;
        let parts = self.games.chunks_mut(each).zip(rows.chunks_mut(each)).enumerate();
        let work = |(part, (games, rows)): (usize, (&mut [Running<G>], &mut [Row<'_>]))| {
            let mut wrong = None;
            for (index, (game, row)) in games.iter_mut().zip(rows).enumerate() {
                let number = part * each + index;
                match actions {
                    None => {
                        row.mask.fill(0);
                        (*row.reward, *row.done) = (0.0, 0);
                        game.shown.clear();
                        game.begin(start);
                        game.show(row);
                    }
                    Some(actions) if !game.play(start, actions[number], row) => {
                        wrong = wrong.or(Some(number));
                    }
                    Some(_) => {}
                }
            }
            wrong
        };
        let wrong = if threads == 1 {
            parts.filter_map(work).next()
        } else {
            thread::scope(|scope| {
                let work = &work;
                let running: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
                let ended = running.into_iter().filter_map(|thread| thread.join().ok().flatten());
                ended.min()
            })
        };
        wrong.map_or(Ok(()), Err)
    }
}

/// The addresses of a caller's arrays: mask, legal, count, reward, done.
type Arrays = [usize; 5];

/// The native half of `alesia.VectorEnv`, which has checked the arrays.
#[pyclass(module = "alesia")]
pub struct VectorGames {
    count: usize,
    codes: usize,
    games: Box<dyn Games + Sync>,
}

#[pymethods]
impl VectorGames {
    #[new]
    fn new(game: &str, count: usize) -> PyResult<VectorGames> {
        fn of<G: Game>(start: G, count: usize) -> Box<dyn Games + Sync> {
            let running = || Running { state: GameState::new(start), shown: MoveList::new() };
            Box::new(Of { start, games: (0..count).map(|_| running()).collect() })
        }
        if count == 0 {
            return Err(refused(ParseError::new("count", "0", "a whole number from 1")));
        }
        let start = AnyGame::start(game_of(game)?);
        let games = with_game!(start, start => of(start, count));
        Ok(VectorGames { count, codes: start.codes(), games })
    }

    /// Max legal moves of a position.
    #[classattr]
    const MAX_MOVES: usize = MAX_MOVES;

    /// Plays the actions at an address, or begins anew; the first game whose action is not legal.
    ///
    /// The arrays must be those that `VectorEnv` has made for these games.
    fn step(
        &mut self,
        py: Python<'_>,
        actions: Option<usize>,
        arrays: Arrays,
        threads: usize,
    ) -> PyResult<Option<usize>> {
        let (count, codes) = (self.count, self.codes);
        let [mask, legal, counts, rewards, dones] = arrays;
        let games = &mut self.games;
        let result = unlocked(py, || {
            let rows = (0..count).map(|row| {
                // SAFETY: `VectorEnv` alone calls this, with the addresses of arrays that it keeps,
                // of these types and of `count` rows, whose elements no other reference reaches
                // during the call; each row is one game's.
                unsafe {
                    Row {
                        mask: std::slice::from_raw_parts_mut(
                            (mask as *mut u8).add(row * codes),
                            codes,
                        ),
                        legal: std::slice::from_raw_parts_mut(
                            (legal as *mut u16).add(row * MAX_MOVES),
                            MAX_MOVES,
                        ),
                        count: &mut *(counts as *mut u32).add(row),
                        reward: &mut *(rewards as *mut f32).add(row),
                        done: &mut *(dones as *mut u8).add(row),
                    }
                }
            });
            let actions = actions.map(|address| {
                // SAFETY: as above; it has `count` numbers, which nothing writes to meanwhile.
                unsafe { std::slice::from_raw_parts(address as *const i64, count) }
            });
            games.step(actions, rows.collect(), threads.clamp(1, count))
        })?;
        Ok(result.err())
    }
}
