//! Murus Gallicus: a network whose inputs are walls, towers, attacked walls, towers that may go
//! forward, and sides that reach home in two plies.
//!
//! The one idea: the race to the opposite home row decides, and it depends on pairs and triples of
//! cells. So these are inputs: a wall beside an enemy tower, and a tower with the two cells before
//! it. The rows of moves describe the changes of both.

use super::threats::Threats;
use crate::eval::network::{Network, NetworkGame};
use crate::eval::parameters::Parameters;
use crate::eval::{Evaluate, LateMoves};
use crate::game::bitboard::{Direction, Grid, cells};
use crate::game::{Game, Move, Side};
use crate::games::Murus;

type Board = Grid<7, 8>;

/// The rows of the board.
const ROWS: usize = 7;
/// The cells of the board.
const CELLS: usize = 56;
/// Combinations of empty cells and own walls that two stones may land on.
const LANDINGS: usize = 4;
/// What a tower may do in a direction: not go there, or go and land in one of these ways.
const WAYS: usize = 1 + LANDINGS;

/// Inputs for walls: of either side, whether beside an enemy tower, for each cell.
const WALL_INPUTS: usize = 0;
/// Inputs for towers: per side, cell, and state of the path straight forward.
const TOWER_INPUTS: usize = WALL_INPUTS + 2 * 2 * CELLS;
/// Inputs for towers that may go forward to the left or right: of either side, by the landing, to
/// the left or right, for each cell.
const DIAGONAL_INPUTS: usize = TOWER_INPUTS + 2 * WAYS * CELLS;
/// The input that says that the other side threatens to reach home.
const THREAT_INPUT: usize = DIAGONAL_INPUTS + 2 * LANDINGS * 2 * CELLS;

/// Enemy towers beside a cell: none to three, or more.
const EXPOSURES: usize = 4;
/// Where one of two cells is a new wall, or both are.
const ONE_EXPOSED: usize = EXPOSURES * EXPOSURES;
/// Both cells are new walls, the last alone, the next alone, none, or the one of a sacrifice.
const ALL_EXPOSURES: usize = ONE_EXPOSED + EXPOSURES + EXPOSURES + 1 + EXPOSURES;
/// How a count changes: not, or by one, two, or three and more, either way.
const CHANGES: usize = 7;

/// Rows of moves by the cell left and the direction.
const SOURCE_ROWS: usize = 0;
/// Rows by the contents of the next two cells (one of [`LANDINGS`], or a wall that a sacrifice
/// removes), and by the cell left.
const LANDING_ROWS: usize = SOURCE_ROWS + 8 * CELLS;
/// Rows by the enemy towers beside each cell that the move makes a wall (one and two steps away, or
/// the one that a sacrifice leaves), and by the row left.
const EXPOSED_ROWS: usize = LANDING_ROWS + (LANDINGS + 1) * CELLS;
/// Rows by whether the enemy could reach home after the move (1), and the side to move with another
/// move (2), and by how many more paths forward each side then has.
const REACH_ROWS: usize = EXPOSED_ROWS + ALL_EXPOSURES * ROWS;
/// Rows by how many more walls of either side are attacked after the move.
const ATTACK_ROWS: usize = REACH_ROWS + 4 * CHANGES * CHANGES;

static NETWORK: Network<{ Murus::HIDDEN }, { Murus::INPUTS }, { Murus::MOVE_ROWS }> =
    Network::from_bytes(include_bytes!("weights.bin"));

impl Evaluate for Murus {
    type Oracle = Threats;

    const TUNING: Parameters =
        Parameters { exploration: 0.8, oracle_depth: 6, ..Parameters::DEFAULT };

    const LATE_MOVES: LateMoves = LateMoves { reduction_quarters: 4, tried: &[4, 6, 8, 10] };

    fn touch_weights() {
        NETWORK.touch();
    }

    #[inline(always)]
    fn evaluate(&self) -> i32 {
        NETWORK.score(self, &NETWORK.hidden(self))
    }

    #[inline(always)]
    fn decided(&self) -> Option<(Side, usize)> {
        if self.can_reach_home() {
            return Some((self.side(), 1));
        }
        // A move with which the limit is reached makes a draw before.
        let replies = self.ply() + 1 < Murus::PLY_LIMIT;
        (replies && self.cannot_hold_home()).then_some((!self.side(), 2))
    }

    #[inline(always)]
    fn weigh(&self, moves: &[Move], weights: &mut [f32]) {
        NETWORK.weigh(self, &NETWORK.hidden(self), moves, weights);
    }
}

impl Murus {
    /// Whether the side that has just moved would reach home by its next move.
    #[inline(always)]
    pub(super) fn is_threatened(&self) -> bool {
        self.with_side(!self.side()).can_reach_home()
    }
}

/// A cell as the side to move sees it, its own home at the bottom.
#[inline(always)]
fn seen_cell(cell: usize, side: Side) -> usize {
    if side == Side::White { cell } else { 48 - (cell & 56) + (cell & 7) }
}

/// The stones as a side sees them, its own home at the bottom: its own, then the enemy's.
#[derive(Clone, Copy)]
struct View {
    walls: [u64; 2],
    towers: [u64; 2],
}

/// The directions forward of a side and its enemy, as the side sees them.
const TOWARD: [[Direction; 3]; 2] = [
    [Direction::North, Direction::NorthWest, Direction::NorthEast],
    [Direction::South, Direction::SouthWest, Direction::SouthEast],
];

/// The towers that may go in a direction.
#[derive(Clone, Copy)]
struct Advance {
    towers: u64,
    /// The cells with an own wall on the next cell, and those with one on the cell after it.
    onto_walls: [u64; 2],
}

impl Advance {
    /// How a tower that may go lands, one of [`LANDINGS`].
    #[inline(always)]
    fn landing(&self, cell: usize) -> usize {
        let [next, last] = self.onto_walls.map(|cells| (cells >> cell & 1) as usize);
        next + 2 * last
    }

    /// What a tower may do, one of [`WAYS`].
    #[inline(always)]
    fn way(&self, cell: usize) -> usize {
        (self.towers >> cell & 1) as usize * (1 + self.landing(cell))
    }
}

impl View {
    /// The stones of a position as a side sees them.
    #[inline(always)]
    fn of(position: &Murus, me: Side) -> View {
        // Rows upside down: the first byte is no row.
        let upright =
            |stones: u64| if me == Side::White { stones } else { stones.swap_bytes() >> 8 };
        View {
            walls: [upright(position.walls(me)), upright(position.walls(!me))],
            towers: [upright(position.towers(me)), upright(position.towers(!me))],
        }
    }

    /// The walls of a side beside enemy towers, which may remove them.
    #[inline(always)]
    fn attacked(&self, side: usize) -> u64 {
        Board::dilate(self.towers[1 - side]) & self.walls[side]
    }

    /// Which towers of a side may go straight forward, to the left and to the right.
    #[inline(always)]
    fn advances(&self, side: usize) -> [Advance; 3] {
        let (walls, towers) = (self.walls[side], self.towers[side]);
        let open = Board::BOARD & !(towers | self.walls[1 - side] | self.towers[1 - side]);
        let advance = |direction: Direction| {
            let twice = |cells| {
                let next = Board::shift(cells, direction.opposite());
                [next, Board::shift(next, direction.opposite())]
            };
            let [next, last] = twice(open);
            Advance { towers: towers & next & last, onto_walls: twice(walls) }
        };
        // Not by `map` of an array, which the compiler leaves a call, without vector instructions.
        let [straight, left, right] = TOWARD[side];
        [advance(straight), advance(left), advance(right)]
    }

    /// The features of both sides that decide the race.
    #[inline(always)]
    fn counts(&self) -> Counts {
        let ways = |side| self.advances(side).iter().map(|way| way.towers.count_ones()).sum();
        let attacked = |side| self.attacked(side).count_ones();
        Counts { ways: [ways(0), ways(1)], attacked: [attacked(0), attacked(1)] }
    }
}

/// What a side and its enemy have of what decides the race.
struct Counts {
    /// Ways forward of all towers.
    ways: [u32; 2],
    /// Walls beside enemy towers.
    attacked: [u32; 2],
}

/// Which of all combinations of changes this is, for a side and its enemy.
#[inline(always)]
fn changes(before: [u32; 2], after: [u32; 2]) -> usize {
    let most = (CHANGES / 2) as i32;
    let change = |side: usize| {
        let more = after[side] as i32 - before[side] as i32;
        (more.clamp(-most, most) + most) as usize
    };
    change(0) * CHANGES + change(1)
}

impl NetworkGame for Murus {
    const HIDDEN: usize = 256;
    const INPUTS: usize = THREAT_INPUT + 1;
    // Two stones make a tower, which is seen once and may go two ways aslant; a side has sixteen.
    const MAX_ACTIVE: usize = 2 * 8 * 3 + 1;
    const MOVE_ROWS: usize = ATTACK_ROWS + CHANGES * CHANGES;

    #[inline(always)]
    fn for_each_input(&self, mut see: impl FnMut(usize)) {
        let me = self.side();
        let view = View::of(self, me);
        for side in [0, 1] {
            let attacked = view.attacked(side);
            for (index, walls) in [view.walls[side] & !attacked, attacked].into_iter().enumerate() {
                for cell in cells(walls) {
                    see(WALL_INPUTS + (side * 2 + index) * CELLS + cell);
                }
            }
            let [straight, diagonals @ ..] = view.advances(side);
            for cell in cells(view.towers[side]) {
                see(TOWER_INPUTS + (side * WAYS + straight.way(cell)) * CELLS + cell);
            }
            for (index, diagonal) in diagonals.into_iter().enumerate() {
                for cell in cells(diagonal.towers) {
                    let kind = (side * LANDINGS + diagonal.landing(cell)) * 2 + index;
                    see(DIAGONAL_INPUTS + kind * CELLS + cell);
                }
            }
        }
        if self.is_threatened() {
            see(THREAT_INPUT);
        }
    }

    type MoveContext = MoveContext;

    #[inline(always)]
    fn move_context(&self) -> MoveContext {
        let towers = self.towers(!self.side());
        let mut towers_beside = [0; EXPOSURES - 1];
        for direction in Direction::ALL {
            let mut more = Board::shift(towers, direction);
            for cells in &mut towers_beside {
                (*cells, more) = (*cells | more, *cells & more);
            }
        }
        MoveContext { towers_beside, counts: View::of(self, self.side()).counts() }
    }

    #[inline(always)]
    fn for_each_move_row(&self, context: &MoveContext, m: Move, mut see: impl FnMut(usize)) {
        let me = self.side();
        let (from, direction) = self.source_and_direction(m);
        let left = 1 << from;
        let next = Board::shift(left, direction);
        let last = Board::shift(next, direction);
        let walls = self.walls(me);
        let exposure = |cell: u64| {
            let beside = context.towers_beside.map(|cells| usize::from(cells & cell != 0));
            beside.iter().sum::<usize>()
        };
        let (landing, exposed) = if self.walls(!me) & next != 0 {
            (LANDINGS, ALL_EXPOSURES - EXPOSURES + exposure(left))
        } else {
            match (walls & next != 0, walls & last != 0) {
                (false, false) => (0, exposure(next) * EXPOSURES + exposure(last)),
                (true, false) => (1, ONE_EXPOSED + exposure(last)),
                (false, true) => (2, ONE_EXPOSED + EXPOSURES + exposure(next)),
                (true, true) => (3, ONE_EXPOSED + 2 * EXPOSURES),
            }
        };
        let from = seen_cell(from, me);
        let direction = direction as usize;
        let direction = if me == Side::White { direction } else { (12 - direction) % 8 };
        see(SOURCE_ROWS + from * 8 + direction);
        see(LANDING_ROWS + landing * CELLS + from);
        see(EXPOSED_ROWS + exposed * ROWS + from / 8);
        let mut after = *self;
        after.play_unkeyed(m);
        let goes_on = after.with_side(me).can_reach_home();
        let reach = usize::from(after.can_reach_home()) + 2 * usize::from(goes_on);
        let counts = View::of(&after, me).counts();
        let more_ways = changes(context.counts.ways, counts.ways);
        see(REACH_ROWS + reach * CHANGES * CHANGES + more_ways);
        see(ATTACK_ROWS + changes(context.counts.attacked, counts.attacked));
    }
}

/// What the moves of a position are looked at with.
pub struct MoveContext {
    /// The cells with one, two, three enemy towers beside them, or more.
    towers_beside: [u64; EXPOSURES - 1],
    /// The features before the move.
    counts: Counts,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions of random games.
    fn positions(games: u64, mut look: impl FnMut(&Murus)) {
        for seed in 0..games {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut position = Murus::start();
            while position.won().is_none() {
                look(&position);
                let Some(m) = position.random_move(&mut rng) else { break };
                position.play(m);
            }
        }
    }

    #[test]
    fn inputs_follow_from_stones_and_legal_moves() {
        let (mut seen, mut diagonals) = ([0; 2 * (2 + WAYS)], 0);
        positions(100, |position| {
            let me = position.side();
            let walls_at = |side, cell: usize| (position.walls(side) >> cell & 1) as usize;
            let mut expected = Vec::new();
            let (mut taken, mut threatened) = ([0; 2], false);
            for (index, side) in [me, !me].into_iter().enumerate() {
                let (straight, left, right) = match side {
                    Side::White => (Direction::North, Direction::NorthWest, Direction::NorthEast),
                    Side::Black => (Direction::South, Direction::SouthWest, Direction::SouthEast),
                };
                let there = position.with_side(side);
                let moves = there.legal_moves();
                let mut ways = [0; CELLS];
                for &m in &moves {
                    let (from, direction) = there.source_and_direction(m);
                    let next = Board::step(from, direction).unwrap();
                    if there.is_sacrifice(m) {
                        taken[1 - index] |= 1u64 << next;
                        continue;
                    }
                    let last = Board::step(next, direction).unwrap();
                    threatened |= side != me && Murus::home(me) >> last & 1 != 0;
                    let landing = walls_at(side, next) + 2 * walls_at(side, last);
                    if direction == straight {
                        ways[from] = 1 + landing;
                    } else if direction == left || direction == right {
                        let kind =
                            (index * LANDINGS + landing) * 2 + usize::from(direction == right);
                        expected.push(DIAGONAL_INPUTS + kind * CELLS + seen_cell(from, me));
                        diagonals |= 1 << kind;
                    }
                }
                for cell in cells(position.towers(side)) {
                    let kind = index * WAYS + ways[cell];
                    expected.push(TOWER_INPUTS + kind * CELLS + seen_cell(cell, me));
                    seen[4 + kind] += 1;
                }
            }
            for (index, side) in [me, !me].into_iter().enumerate() {
                for cell in cells(position.walls(side)) {
                    let kind = index * 2 + usize::from(taken[index] >> cell & 1 != 0);
                    expected.push(WALL_INPUTS + kind * CELLS + seen_cell(cell, me));
                    seen[kind] += 1;
                }
            }
            expected.extend(threatened.then_some(THREAT_INPUT));
            let mut found = Vec::new();
            position.for_each_input(|input| found.push(input));
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{position}");
        });
        assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
        assert_eq!(diagonals, u16::MAX, "each kind has come up");
    }

    #[test]
    fn changes_differ_up_to_three_in_both_directions() {
        let none = CHANGES * CHANGES / 2;
        assert_eq!(changes([4, 0], [4, 0]), none);
        assert_eq!(changes([4, 4], [5, 3]), none + CHANGES - 1);
        assert_eq!(changes([9, 0], [6, 3]), CHANGES - 1);
        assert_eq!(changes([9, 0], [0, 9]), CHANGES - 1, "more are as three");
    }

    #[test]
    fn decided_results_are_right_and_few_short_losses_are_missed() {
        let (mut won, mut lost, mut overlooked) = (0, 0, 0);
        positions(2000, |position| {
            let moves = position.legal_moves();
            if moves.is_empty() {
                return;
            }
            let after = |m| {
                let mut after = *position;
                after.play(m);
                after
            };
            let wins = moves.iter().any(|&m| after(m).won().is_some());
            let loses = moves.iter().all(|&m| after(m).can_reach_home());
            let me = position.side();
            let expected = match (wins, loses) {
                (true, _) => Some((me, 1)),
                (_, true) if position.ply() + 1 < Murus::PLY_LIMIT => Some((!me, 2)),
                _ => None,
            };
            won += usize::from(wins);
            lost += usize::from(loses && !wins);
            // The only stone that can stop a threat may be what stops another one already.
            match position.decided() {
                None if !wins => overlooked += usize::from(expected.is_some()),
                found => assert_eq!(found, expected, "{position}"),
            }
        });
        assert!(won > 100 && lost > 50 && overlooked < lost / 4, "{won} {lost} {overlooked}");
    }
}
