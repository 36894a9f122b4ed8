//! `alesia.VectorEnv`: many games a call, in arrays of the caller.
//!
//! The one idea: a step plays a move in each game, begins games that are over anew, and writes what
//! has changed into memory that stays the caller's, so that nothing is allocated or copied. What
//! every step needs of the games lies side by side, and the moves are listed once.

use std::thread;

use alesia::eval::processor::with_v3_instructions;
use alesia::game::{Game, History, MAX_MOVES, Move, MoveList, ParseError, Score};
use alesia::games::AnyGame;
use alesia::with_game;
use pyo3::prelude::*;

use crate::error::refused;
use crate::planes::{Planes, numbers};
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

/// The addresses of a caller's arrays: mask, legal, count, reward, done.
type Addresses = [usize; 5];

/// A caller's arrays.
#[derive(Clone, Copy)]
struct Arrays {
    addresses: Addresses,
    codes: usize,
}

impl Arrays {
    /// The row of a game.
    ///
    /// # Safety
    /// There is such a row in each array, which no other reference reaches while this one lives.
    #[inline(always)]
    unsafe fn row<'a>(self, index: usize) -> Row<'a> {
        let [mask, legal, counts, rewards, dones] = self.addresses;
        let (mask, legal) = (mask as *mut u8, legal as *mut u16);
        // SAFETY: as the caller promises.
        unsafe {
            Row {
                mask: std::slice::from_raw_parts_mut(mask.add(index * self.codes), self.codes),
                legal: std::slice::from_raw_parts_mut(legal.add(index * MAX_MOVES), MAX_MOVES),
                count: &mut *(counts as *mut u32).add(index),
                reward: &mut *(rewards as *mut f32).add(index),
                done: &mut *(dones as *mut u8).add(index),
            }
        }
    }
}

/// A game of the environment with the moves that its row shows.
struct Running<G> {
    position: G,
    shown: MoveList,
}

/// The games of one kind.
trait Games: Send {
    /// Plays an action in each game, or begins all anew where there are none.
    ///
    /// # Safety
    /// The arrays have a row for each game, which nothing else reaches meanwhile.
    ///
    /// # Errors
    /// The first game whose action is not legal, which nothing was played in; the others were.
    unsafe fn step(
        &mut self,
        actions: Option<&[i64]>,
        arrays: Arrays,
        threads: usize,
    ) -> Result<(), usize>;

    /// Makes games copies of others in which an action is played: a target, its source, the action.
    ///
    /// # Safety
    /// As above.
    ///
    /// # Errors
    /// The first branch whose games are not there or whose action is not legal; those before it
    /// were made.
    unsafe fn branch(&mut self, branches: &[[i64; 3]], arrays: Arrays) -> Result<(), usize>;

    /// Writes the planes of some games one after the other, those of `Position.features`.
    ///
    /// # Errors
    /// The first game that is not there.
    fn features(&self, games: &[i64], planes: &mut [f32]) -> Result<(), usize>;
}

struct Of<G> {
    start: G,
    games: Vec<Running<G>>,
    /// Apart, as they are large and most games never look at them.
    histories: Vec<History>,
}

impl<G: Game> Running<G> {
    /// The legal move of an action.
    #[inline(always)]
    fn legal(&self, action: i64) -> Option<Move> {
        let code = u16::try_from(action).ok()?;
        // To the end of the list, so that many are compared at once.
        let is_shown = self.shown.iter().fold(false, |found, m| found | (m.code() == code));
        is_shown.then(|| Move::from_code(code))
    }

    /// Begins a game.
    #[inline(always)]
    fn begin(&mut self, start: &G, history: &mut History, row: &mut Row<'_>) {
        self.hide(row);
        self.position = *start;
        history.truncate(0);
        self.position.moves(&mut self.shown);
        self.show(row);
    }

    /// Plays a legal move.
    #[inline(always)]
    fn play(&mut self, start: &G, history: &mut History, m: Move, row: &mut Row<'_>) {
        self.hide(row);
        let mover = self.position.side();
        history.push(&self.position);
        self.position.play(m);
        self.position.moves(&mut self.shown);
        let ending = self.position.ending_with(history, || self.shown.len());
        *row.done = u8::from(ending.is_some());
        *row.reward = match ending.map(|ending| ending.outcome.for_side(mover)) {
            Some(Score::Win) => 1.0,
            Some(Score::Loss) => -1.0,
            Some(Score::Draw) | None => 0.0,
        };
        self.show(row);
        if ending.is_some() {
            self.begin(start, history, row);
        }
    }

    /// Takes the moves that are shown out of the mask.
    #[inline(always)]
    fn hide(&self, row: &mut Row<'_>) {
        for m in &self.shown {
            row.mask[usize::from(m.code())] = 0;
        }
    }

    #[inline(always)]
    fn show(&self, row: &mut Row<'_>) {
        for (m, action) in self.shown.iter().zip(&mut *row.legal) {
            *action = m.code();
        }
        for m in &self.shown {
            row.mask[usize::from(m.code())] = 1;
        }
        *row.count = self.shown.len() as u32;
    }
}

impl<G: Game + Into<AnyGame>> Games for Of<G> {
    unsafe fn step(
        &mut self,
        actions: Option<&[i64]>,
        arrays: Arrays,
        threads: usize,
    ) -> Result<(), usize> {
        let each = self.games.len().div_ceil(threads);
        let start = &self.start;
        let part = |part: usize, games: &mut [Running<G>], histories: &mut [History]| {
            let mut wrong = None;
            for (index, (game, history)) in games.iter_mut().zip(histories).enumerate() {
                let number = part * each + index;
                // SAFETY: as the caller promises; each row is one game's.
                let mut row = unsafe { arrays.row(number) };
                match actions.map(|actions| game.legal(actions[number])) {
                    None => {
                        row.mask.fill(0);
                        (*row.reward, *row.done) = (0.0, 0);
                        game.begin(start, history, &mut row);
                    }
                    Some(Some(m)) => game.play(start, history, m, &mut row),
                    Some(None) => wrong = wrong.or(Some(number)),
                }
            }
            wrong
        };
        let work = |number, games: &mut [Running<G>], histories: &mut [History]| {
            with_v3_instructions(
                #[inline(always)]
                || part(number, games, histories),
            )
        };
        let parts = self.games.chunks_mut(each).zip(self.histories.chunks_mut(each));
        let mut parts = parts.enumerate();
        let wrong = thread::scope(|scope| {
            let (first, (games, histories)) = parts.next()?;
            let work = &work;
            let others: Vec<_> = parts
                .map(|(part, (games, histories))| scope.spawn(move || work(part, games, histories)))
                .collect();
            let wrong = work(first, games, histories);
            let others = others.into_iter().filter_map(|thread| thread.join().ok().flatten());
            wrong.into_iter().chain(others).min()
        });
        wrong.map_or(Ok(()), Err)
    }

    unsafe fn branch(&mut self, branches: &[[i64; 3]], arrays: Arrays) -> Result<(), usize> {
        let count = self.games.len();
        let place = |game| usize::try_from(game).ok().filter(|&game| game < count);
        for (number, &[target, source, action]) in branches.iter().enumerate() {
            let (Some(target), Some(source)) = (place(target), place(source)) else {
                return Err(number);
            };
            let Some(m) = self.games[source].legal(action) else { return Err(number) };
            // SAFETY: as the caller promises.
            let mut row = unsafe { arrays.row(target) };
            self.games[target].position = self.games[source].position;
            if self.start.has_repetition() {
                self.histories[target] = self.histories[source];
            }
            self.games[target].play(&self.start, &mut self.histories[target], m, &mut row);
        }
        Ok(())
    }

    fn features(&self, games: &[i64], planes: &mut [f32]) -> Result<(), usize> {
        if games.is_empty() {
            return Ok(());
        }
        let parts = planes.chunks_mut(planes.len() / games.len());
        for (number, (&game, planes)) in games.iter().zip(parts).enumerate() {
            let place = usize::try_from(game).ok().and_then(|game| self.games.get(game));
            let position: AnyGame = place.ok_or(number)?.position.into();
            planes.copy_from_slice(&numbers(&position));
        }
        Ok(())
    }
}

/// The native half of `alesia.VectorEnv`, which has checked the arrays.
#[pyclass(module = "alesia")]
pub struct VectorGames {
    count: usize,
    codes: usize,
    /// The numbers of a position's planes.
    numbers: usize,
    games: Box<dyn Games + Sync>,
}

#[pymethods]
impl VectorGames {
    #[new]
    fn new(game: &str, count: usize) -> PyResult<VectorGames> {
        fn of<G: Game + Into<AnyGame>>(start: G, count: usize) -> Box<dyn Games + Sync> {
            let running = |_| Running { position: start, shown: MoveList::new() };
            let games = (0..count).map(running).collect();
            Box::new(Of { start, games, histories: vec![History::new(); count] })
        }
        if count == 0 {
            return Err(refused(ParseError::new("count", "0", "a whole number from 1")));
        }
        let start = AnyGame::start(game_of(game)?);
        let games = with_game!(start, start => of(start, count));
        let Planes { names, size: [rows, columns] } = Planes::of(&start);
        let numbers = names.len() * rows * columns;
        Ok(VectorGames { count, codes: start.codes(), numbers, games })
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
        addresses: Addresses,
        threads: usize,
    ) -> PyResult<Option<usize>> {
        let (count, arrays) = (self.count, Arrays { addresses, codes: self.codes });
        let games = &mut self.games;
        let result = unlocked(py, || {
            // SAFETY: `VectorEnv` alone calls this, with the addresses of arrays that it keeps, of
            // these types and of `count` rows, and with as many actions, which nothing writes to
            // meanwhile.
            unsafe {
                let actions =
                    actions.map(|address| std::slice::from_raw_parts(address as *const i64, count));
                games.step(actions, arrays, threads.clamp(1, count))
            }
        })?;
        Ok(result.err())
    }

    /// Makes the branches at an address, each a target, its source and an action; the first that
    /// is wrong.
    fn branch(
        &mut self,
        py: Python<'_>,
        branches: usize,
        count: usize,
        addresses: Addresses,
    ) -> PyResult<Option<usize>> {
        let arrays = Arrays { addresses, codes: self.codes };
        let games = &mut self.games;
        let result = unlocked(py, || {
            // SAFETY: as in `step`, with an array of `count` branches.
            unsafe {
                games.branch(std::slice::from_raw_parts(branches as *const [i64; 3], count), arrays)
            }
        })?;
        Ok(result.err())
    }

    /// Writes the planes of the games at an address to another; the first that is not there.
    fn features(
        &self,
        py: Python<'_>,
        games: usize,
        count: usize,
        planes: usize,
    ) -> PyResult<Option<usize>> {
        let result = unlocked(py, || {
            // SAFETY: as in `step`, with an array of `count` games and one of their planes.
            let (games, planes) = unsafe {
                (
                    std::slice::from_raw_parts(games as *const i64, count),
                    std::slice::from_raw_parts_mut(planes as *mut f32, count * self.numbers),
                )
            };
            self.games.features(games, planes)
        })?;
        Ok(result.err())
    }
}
