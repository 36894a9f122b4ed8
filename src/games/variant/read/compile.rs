//! Compiles a definition into tables of cells.
//!
//! The one idea: each line is made once, and shared by all pieces that move along it, in both
//! directions.

use super::betza::{Part, Reach, Step};
use super::castling::Castling;
use super::definition::Definition;
use super::tables::{
    Attackers, BOTH, ByCell, CAPTURE, Group, Hop, Lame, Line, Movement, Piece, QUIET, Tables, Way,
};
use super::values::Area;
use crate::game::Side;
use crate::game::bitboard::cells;

/// The steps to the cells that share a side, and to those that share a corner.
const SIDES: [Step; 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
const CORNERS: [Step; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

impl Tables {
    /// Compiles a definition.
    pub fn new(definition: Definition) -> Tables {
        let area = Area { rows: definition.rows, columns: definition.columns };
        let mut lines = Lines { area, lines: Vec::new() };
        let orthogonals = SIDES.map(|step| lines.index(step, 0));
        let pieces = [Side::White, Side::Black].map(|side| {
            let kinds = 0..definition.kinds.len();
            kinds.map(|kind| lines.piece(&definition, side, kind)).collect::<Vec<Piece>>()
        });
        let attackers = [0, 1].map(|side: usize| lines.attackers(&definition, &pieces[side]));
        let royal = definition.kinds.iter().position(|kind| kind.royal);
        let mut ways = [const { None }; 4];
        let mut rights_ended = [0; 64];
        for &castling in &definition.castlings {
            let bit = castling.bit();
            rights_ended[castling.king_from] |= bit;
            rights_ended[castling.rook_from] |= bit;
            ways[bit.trailing_zeros() as usize] = Some(way(castling, royal));
        }
        let file = |column: usize| {
            (0..area.rows).fold(0, |set, row| set | 1u64 << (row * area.columns + column))
        };
        let goes_forward = |kind: &usize| {
            let mut steps = definition.kinds[*kind].parts.iter().flat_map(|part| &part.steps);
            steps.all(|&(rows, _)| rows > 0)
        };
        let resetting = cells(definition.resetting.into());
        let only_forward = resetting.filter(goes_forward).fold(0, |set, kind| set | 1 << kind);
        let count = area.cells_count();
        let is_choosy = definition.must_capture
            || !definition.checking
            || definition.pseudo_royal.is_some()
            || definition.pass_on_stalemate;
        let has_special_ending = definition.extinction.is_some()
            || definition.flags != 0
            || definition.check_counting
            || definition.pass_on_stalemate;
        Tables {
            area,
            board: u64::MAX >> (64 - count),
            first_file: file(0),
            last_file: file(area.columns - 1),
            orthogonals,
            neighbours: by_cell(area, &SIDES, Side::White),
            around: by_cell(area, &[SIDES, CORNERS].concat(), Side::White),
            pieces,
            attackers,
            royal,
            only_forward,
            ways,
            rights_ended,
            is_choosy,
            has_special_ending,
            lines: lines.lines,
            definition,
        }
    }
}

/// A castling's free and crossed cells.
fn way(castling: Castling, royal: Option<usize>) -> Way {
    let span = |a: usize, b: usize| (a.min(b)..=a.max(b)).fold(0u64, |set, cell| set | 1 << cell);
    let king = span(castling.king_from, castling.king_to);
    let rook = span(castling.rook_from, castling.rook_to);
    let own = 1 << castling.king_from | 1 << castling.rook_from;
    let crossed = if royal == Some(castling.king) { king } else { 0 };
    Way { castling, free: (king | rook) & !own, crossed }
}

/// A step as rows and columns of the board, where row 0 is on top.
fn on_board(step: Step, side: Side) -> Step {
    match side {
        Side::White => (-step.0, step.1),
        Side::Black => (step.0, -step.1),
    }
}

/// The cell a step leads to.
fn offset(area: Area, cell: usize, (rows, columns): Step) -> Option<usize> {
    let row = (cell / area.columns) as i32 + rows;
    let column = (cell % area.columns) as i32 + columns;
    let inside = (0..area.rows as i32).contains(&row) && (0..area.columns as i32).contains(&column);
    inside.then(|| row as usize * area.columns + column as usize)
}

/// Where single steps lead from each cell.
fn by_cell(area: Area, steps: &[Step], side: Side) -> ByCell {
    let mut sets = [0; 64];
    for (cell, set) in sets.iter_mut().enumerate().take(area.cells_count()) {
        for &step in steps {
            *set |= offset(area, cell, on_board(step, side)).map_or(0, |to| 1 << to);
        }
    }
    sets
}

/// The same table read backward: the cells from which each is reached, of those in `region`.
fn backward(table: &ByCell, region: u64) -> ByCell {
    let mut sets = [0; 64];
    for from in cells(region) {
        for to in cells(table[from]) {
            sets[to] |= 1 << from;
        }
    }
    sets
}

/// The cells between the ends of a lame leap: along the longer way, then diagonally.
fn between((rows, columns): Step) -> Vec<Step> {
    let (mut row, mut column) = (0i32, 0i32);
    let mut way = Vec::new();
    loop {
        let (rest, other) = (rows - row, columns - column);
        let difference = other.abs() - rest.abs();
        if difference >= 0 {
            column += other.signum();
        }
        if difference <= 0 {
            row += rest.signum();
        }
        if (row, column) == (rows, columns) {
            return way;
        }
        way.push((row, column));
    }
}

/// Builds tables; each line is made once.
struct Lines {
    area: Area,
    lines: Vec<Line>,
}

impl Lines {
    /// The line of a step on the board.
    fn index(&mut self, step: Step, limit: u32) -> usize {
        let known = |line: &Line| line.step == step && line.limit == limit;
        if let Some(index) = self.lines.iter().position(known) {
            return index;
        }
        let full = if limit == 0 { None } else { Some(self.index(step, 0)) };
        let mut ray = [0; 64];
        for (cell, ray) in ray.iter_mut().enumerate().take(self.area.cells_count()) {
            let (mut at, mut steps) = (cell, 0);
            while let Some(next) =
                offset(self.area, at, step).filter(|_| limit == 0 || steps < limit)
            {
                *ray |= 1 << next;
                (at, steps) = (next, steps + 1);
            }
        }
        let up = step.0 > 0 || step.0 == 0 && step.1 > 0;
        let index = self.lines.len();
        self.lines.push(Line { step, limit, ray, full: full.unwrap_or(index), up });
        index
    }

    /// The line that leads back.
    fn reversed(&mut self, line: usize) -> usize {
        let Line { step, limit, .. } = self.lines[line];
        self.index((-step.0, -step.1), limit)
    }

    fn movement<'a>(&mut self, parts: impl Iterator<Item = &'a Part>, side: Side) -> Movement {
        let mut movement = Movement::default();
        let area = self.area;
        let mut leaps = [[0; 64]; 3];
        for part in parts {
            let reaches = match (part.quiet, part.capture) {
                (true, true) => BOTH,
                (true, false) => QUIET,
                _ => CAPTURE,
            };
            match part.reach {
                Reach::Leap => {
                    let table = by_cell(area, &part.steps, side);
                    leaps[reaches].iter_mut().zip(table).for_each(|(all, one)| *all |= one);
                }
                Reach::Lame => {
                    for &step in &part.steps {
                        movement.lame.push(self.lame(step, side, reaches));
                    }
                }
                Reach::Ride(limit) => {
                    for &step in &part.steps {
                        let line = (reaches, self.index(on_board(step, side), limit));
                        if !movement.lines.contains(&line) {
                            movement.lines.push(line);
                        }
                    }
                }
                Reach::Hop | Reach::HopToNext => {
                    for &step in &part.steps {
                        let line = self.index(on_board(step, side), 0);
                        let to_next = part.reach == Reach::HopToNext;
                        movement.hops.push(Hop { reaches, line, to_next });
                    }
                }
            }
        }
        for (reaches, table) in leaps.into_iter().enumerate() {
            if table.iter().any(|&set| set != 0) {
                movement.leaps.push((reaches, Box::new(table)));
            }
        }
        movement
    }

    fn lame(&self, step: Step, side: Side, reaches: usize) -> Lame {
        // Where the end is on the board, so is all that is between.
        let way = by_cell(self.area, &between(step), side);
        Lame { reaches, way, target: by_cell(self.area, &[step], side) }
    }

    fn piece(&mut self, definition: &Definition, side: Side, index: usize) -> Piece {
        let kind = &definition.kinds[index];
        let area = self.area;
        let of = |set: u32| set >> index & 1 != 0;
        let initial = kind.parts.iter().filter(|part| part.initial);
        let has_initial =
            definition.initial_region[side as usize] != 0 && initial.clone().count() > 0;
        let crosses = of(definition.void_riders);
        let usual = kind.parts.iter().filter(|part| !part.initial && !crosses);
        let mut en_passant = [0; 64];
        for part in kind.parts.iter().filter(|part| part.en_passant) {
            let table = by_cell(area, &part.steps, side);
            en_passant.iter_mut().zip(table).for_each(|(all, one)| *all |= one);
        }
        let mut void_steps = Vec::new();
        if definition.void_moves {
            let pawn = definition.pawn_void_moves;
            let is_pawn = of(definition.pawns);
            void_steps.extend((!is_pawn || pawn.forward).then_some((1, 0)));
            void_steps.extend((!is_pawn || pawn.backward).then_some((-1, 0)));
            void_steps.extend((!is_pawn || pawn.sideways).then_some((0, 1)));
            void_steps.extend((!is_pawn || pawn.sideways).then_some((0, -1)));
        }
        let mut void_lines = Vec::new();
        for step in kind.parts.iter().filter(|_| crosses).flat_map(|part| &part.steps) {
            let line = self.index(on_board(*step, side), 0);
            if !void_lines.contains(&line) {
                void_lines.push(line);
            }
        }
        let has_en_passant = en_passant.iter().any(|&set| set != 0);
        Piece {
            usual: self.movement(usual, side),
            initial: has_initial.then(|| self.movement(initial, side)),
            en_passant: has_en_passant
                .then(|| Box::new([en_passant, backward(&en_passant, self.board())])),
            void_lines,
            void_steps: Box::new(by_cell(area, &void_steps, side)),
            promotes: of(definition.promoting),
        }
    }

    fn board(&self) -> u64 {
        u64::MAX >> (64 - self.area.cells_count())
    }

    fn attackers(&mut self, definition: &Definition, pieces: &[Piece]) -> Attackers {
        let mut attackers = Attackers::default();
        for (kind, piece) in pieces.iter().enumerate() {
            let captures = |reaches: usize| reaches != QUIET;
            let mut all = [0; 64];
            for (reaches, table) in &piece.usual.leaps {
                if captures(*reaches) {
                    all.iter_mut().zip(**table).for_each(|(all, one)| *all |= one);
                }
            }
            if all.iter().any(|&set| set != 0) {
                attackers.leaps.push((kind, Box::new(backward(&all, self.board()))));
            }
            let of_movement = |movement: &Movement| {
                movement.lame.iter().any(|lame| captures(lame.reaches))
                    || movement.hops.iter().any(|hop| captures(hop.reaches))
            };
            let initial_captures =
                definition.kinds[kind].parts.iter().any(|part| part.initial && part.capture);
            if of_movement(&piece.usual) || piece.initial.is_some() && initial_captures {
                attackers.tricky.push(kind);
            }
            for &(reaches, line) in &piece.usual.lines {
                if captures(reaches) {
                    let back = self.reversed(line);
                    add(&mut attackers.riders, kind, back);
                }
            }
            for &line in &piece.void_lines {
                let back = self.reversed(line);
                add(&mut attackers.void_riders, kind, back);
            }
        }
        for groups in [&mut attackers.riders, &mut attackers.void_riders] {
            join(groups);
            for group in groups.iter_mut() {
                for &line in &group.lines {
                    let ray = &self.lines[line].ray;
                    group.from.iter_mut().zip(ray).for_each(|(all, one)| *all |= one);
                }
            }
        }
        attackers
    }
}

/// Notes that a kind attacks along a line, one group for each line.
fn add(groups: &mut Vec<Group>, kind: usize, line: usize) {
    match groups.iter_mut().find(|group| group.lines == [line]) {
        Some(group) => {
            if !group.kinds.contains(&kind) {
                group.kinds.push(kind);
            }
        }
        None => {
            groups.push(Group { kinds: vec![kind], from: Box::new([0; 64]), lines: vec![line] })
        }
    }
}

/// Joins the groups of the same kinds.
fn join(groups: &mut Vec<Group>) {
    let mut joined: Vec<Group> = Vec::new();
    for group in groups.drain(..) {
        match joined.iter_mut().find(|other| other.kinds == group.kinds) {
            Some(other) => other.lines.extend(group.lines),
            None => joined.push(group),
        }
    }
    *groups = joined;
}
