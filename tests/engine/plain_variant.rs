//! The rules of chess variants once more, cell by cell, from the definition: the reference for the
//! fast ones, with which it shares the reader of definitions alone.
//!
//! The one idea: a move is legal if no enemy piece can take the king once it has been played on a
//! copy. There are no tables, no sets of bits and no pins.

mod royal;

use alesia::game::{Outcome, Score, Side};
use alesia::games::variant::betza::{Reach, Step};
use alesia::games::variant::definition::Definition;

/// A row, from the top, and a column.
type Place = (usize, usize);

#[derive(Clone, Copy, PartialEq)]
enum Cell {
    Void,
    Empty,
    Piece(Side, usize),
}

/// A move.
#[derive(Clone)]
pub struct PlainMove {
    from: Place,
    to: Place,
    promotion: Option<usize>,
    /// The castling by its number in the definition.
    castling: Option<usize>,
    /// The cell of a captured piece.
    taken: Option<Place>,
}

impl PlainMove {
    /// Whether it captures, promotes or castles.
    pub fn is_special(&self) -> bool {
        self.taken.is_some() || self.promotion.is_some() || self.castling.is_some()
    }
}

/// A game.
#[derive(Clone)]
pub struct PlainVariant<'d> {
    definition: &'d Definition,
    cells: Vec<Vec<Cell>>,
    side: Side,
    /// Whether each castling of the definition may still happen.
    rights: Vec<bool>,
    /// The cells on which a piece may be captured en passant, and its own.
    passed: Option<(Vec<Place>, Place)>,
    /// The checks that White and Black must still give.
    checks: [u32; 2],
    /// The last moves that were passes.
    passes: u32,
    quiet: usize,
    ply: usize,
    /// The positions since the last capture or move that is not taken back, this one left out.
    seen: Vec<String>,
}

/// How a result for a side reads.
fn outcome(value: Score, side: Side) -> Outcome {
    match value {
        Score::Win => Outcome::Win(side),
        Score::Loss => Outcome::Win(!side),
        Score::Draw => Outcome::Draw,
    }
}

/// The first single step of a leap: along the longer way, then diagonally.
fn first((rows, columns): Step) -> Step {
    let is_along = |one: i32, other: i32| one.abs() >= other.abs();
    (
        if is_along(rows, columns) { rows.signum() } else { 0 },
        if is_along(columns, rows) { columns.signum() } else { 0 },
    )
}

impl<'d> PlainVariant<'d> {
    /// The start of a variant.
    pub fn start(definition: &'d Definition) -> PlainVariant<'d> {
        let fields: Vec<&str> = definition.start.value.split_whitespace().collect();
        let cells = fields[0].split('/').map(|row| {
            let mut cells = Vec::new();
            let mut number = 0;
            for c in row.chars().chain(['.']) {
                if let Some(digit) = c.to_digit(10) {
                    number = 10 * number + digit as usize;
                    continue;
                }
                cells.extend(vec![Cell::Empty; std::mem::take(&mut number)]);
                cells.push(
                    match definition.kinds.iter().position(|k| k.letter == c.to_ascii_lowercase()) {
                        Some(kind) if c.is_ascii_uppercase() => Cell::Piece(Side::White, kind),
                        Some(kind) => Cell::Piece(Side::Black, kind),
                        None if c == '*' => Cell::Void,
                        None => Cell::Empty,
                    },
                );
            }
            // The full stop after the row.
            cells.pop();
            cells
        });
        let has = |letter: char| fields.get(2).is_some_and(|rights| rights.contains(letter));
        let rights = definition.castlings.iter().map(|one| has(one.letter()));
        let left = fields.iter().find_map(|field| field.split_once('+'));
        let checks = left.map_or([1; 2], |(white, black)| {
            [white, black].map(|digit| digit.parse().expect("a number of checks"))
        });
        PlainVariant {
            definition,
            cells: cells.collect(),
            side: Side::White,
            rights: rights.collect(),
            passed: None,
            checks,
            passes: 0,
            quiet: 0,
            ply: 0,
            seen: Vec::new(),
        }
    }

    fn at(&self, (row, column): Place) -> Cell {
        self.cells[row][column]
    }

    fn put(&mut self, (row, column): Place, cell: Cell) {
        self.cells[row][column] = cell;
    }

    fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let (rows, columns) = (self.cells.len(), self.cells[0].len());
        (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)))
    }

    /// The place that a step of a side leads to.
    fn step(&self, (row, column): Place, (forward, right): Step, side: Side) -> Option<Place> {
        let toward = if side == Side::White { (-forward, right) } else { (forward, -right) };
        let to = (row as i32 + toward.0, column as i32 + toward.1);
        let inside = (0..self.cells.len() as i32).contains(&to.0)
            && (0..self.cells[0].len() as i32).contains(&to.1);
        inside.then_some((to.0 as usize, to.1 as usize))
    }

    fn cell(&self, (row, column): Place) -> usize {
        row * self.cells[0].len() + column
    }

    fn place(&self, cell: usize) -> Place {
        (cell / self.cells[0].len(), cell % self.cells[0].len())
    }

    fn is_in(&self, place: Place, region: u64) -> bool {
        region >> self.cell(place) & 1 != 0
    }

    /// The squares that a part of a piece leads to, whatever stands there.
    fn reached(&self, from: Place, step: Step, reach: Reach, side: Side) -> Vec<Place> {
        let mut found = Vec::new();
        let next = |place: Place| self.step(place, step, side);
        match reach {
            Reach::Leap => found.extend(next(from)),
            Reach::Lame => {
                let (mut rows, mut columns) = step;
                let mut at = Some(from);
                while let Some(place) = at {
                    let one = first((rows, columns));
                    (rows, columns) = (rows - one.0, columns - one.1);
                    at = self.step(place, one, side);
                    if (rows, columns) == (0, 0) {
                        found.extend(at);
                        break;
                    }
                    at = at.filter(|&place| self.at(place) == Cell::Empty);
                }
            }
            Reach::Ride(limit) => {
                let mut at = next(from);
                while let Some(place) = at {
                    found.push(place);
                    let is_last = limit != 0 && found.len() == limit as usize;
                    at = next(place).filter(|_| self.at(place) == Cell::Empty && !is_last);
                }
            }
            Reach::Hop | Reach::HopToNext => {
                let mut at = next(from);
                while let Some(place) = at.filter(|&place| self.at(place) == Cell::Empty) {
                    at = next(place);
                }
                let hurdle = at.filter(|&place| matches!(self.at(place), Cell::Piece(..)));
                let mut at = hurdle.and_then(next);
                while let Some(place) = at {
                    found.push(place);
                    let goes_on = reach == Reach::Hop && self.at(place) == Cell::Empty;
                    at = next(place).filter(|_| goes_on);
                }
            }
        }
        found.retain(|&place| self.at(place) != Cell::Void);
        found
    }

    /// Where a piece may go by its own moves: the places with what is captured there.
    fn targets(&self, from: Place, side: Side, kind: usize) -> Vec<(Place, Option<Place>)> {
        let definition = self.definition;
        let crosses = definition.void_riders >> kind & 1 != 0;
        let mut found = Vec::new();
        for part in &definition.kinds[kind].parts {
            let region = definition.initial_region[side as usize];
            if part.initial && !self.is_in(from, region) {
                continue;
            }
            for &step in &part.steps {
                let mut reached = self.reached(from, step, part.reach, side);
                if crosses {
                    let mut at = self.step(from, step, side);
                    while let Some(place) = at.filter(|&place| self.at(place) == Cell::Void) {
                        at = self.step(place, step, side);
                    }
                    reached = at.into_iter().collect();
                }
                for to in reached {
                    match self.at(to) {
                        Cell::Empty if part.quiet => found.push((to, None)),
                        Cell::Empty if part.en_passant => {
                            let passed = self.passed.iter().filter(|(over, _)| over.contains(&to));
                            found.extend(passed.map(|&(_, pawn)| (to, Some(pawn))));
                        }
                        Cell::Piece(owner, _) if part.capture && owner != side => {
                            found.push((to, Some(to)));
                        }
                        _ => {}
                    }
                }
            }
        }
        found
    }

    /// Where a piece may go with its square.
    fn space_targets(&self, from: Place, side: Side, kind: usize) -> Vec<Place> {
        let definition = self.definition;
        if !definition.void_moves {
            return Vec::new();
        }
        let is_pawn = definition.pawns >> kind & 1 != 0;
        let pawn = definition.pawn_void_moves;
        let crosses = definition.void_riders >> kind & 1 != 0;
        let mut found = Vec::new();
        for (step, of_pawn) in [
            ((1, 0), pawn.forward),
            ((-1, 0), pawn.backward),
            ((0, 1), pawn.sideways),
            ((0, -1), pawn.sideways),
        ] {
            if is_pawn && !of_pawn && !crosses {
                continue;
            }
            let mut at = self.step(from, step, side);
            while let Some(place) = at.filter(|&place| self.at(place) == Cell::Void) {
                found.push(place);
                at = self.step(place, step, side).filter(|_| crosses);
            }
        }
        let has_neighbour = |to: &Place| {
            let steps = [(1, 0), (-1, 0), (0, 1), (0, -1)];
            let mut beside = steps.iter().filter_map(|&step| self.step(*to, step, side));
            beside.any(|place| place != from && self.at(place) != Cell::Void)
        };
        found.retain(has_neighbour);
        found
    }

    fn king(&self, side: Side) -> Option<Place> {
        let royal = |kind: usize| self.definition.kinds[kind].royal;
        let mut places = self.places();
        places.find(|&p| matches!(self.at(p), Cell::Piece(s, kind) if s == side && royal(kind)))
    }

    /// Whether a side could capture on a cell where an enemy stands.
    fn attacks(&self, by: Side, cell: Place) -> bool {
        self.places().any(|from| match self.at(from) {
            Cell::Piece(side, kind) if side == by => {
                self.targets(from, side, kind).iter().any(|&(_, taken)| taken == Some(cell))
            }
            _ => false,
        })
    }

    fn in_check(&self, side: Side) -> bool {
        // A capture en passant takes no king.
        self.king(side).is_some_and(|king| self.attacks(!side, king))
    }

    /// The legal moves.
    pub fn moves(&self) -> Vec<PlainMove> {
        let mut moves = Vec::new();
        for from in self.places() {
            let Cell::Piece(side, kind) = self.at(from) else { continue };
            if side != self.side {
                continue;
            }
            for (to, taken) in self.targets(from, side, kind) {
                self.add(
                    &mut moves,
                    kind,
                    PlainMove { from, to, promotion: None, castling: None, taken },
                );
            }
            for to in self.space_targets(from, side, kind) {
                let m = PlainMove { from, to, promotion: None, castling: None, taken: None };
                self.add(&mut moves, kind, m);
            }
        }
        for number in 0..self.definition.castlings.len() {
            moves.extend(self.castling(number));
        }
        moves.retain(|m| !self.after(m).in_check(self.side));
        if !self.definition.checking {
            moves.retain(|m| !self.after(m).in_check(!self.side));
        }
        if self.definition.pseudo_royal.is_some() {
            moves.retain(|m| self.keeps_royals(m));
        }
        if self.definition.must_capture && moves.iter().any(|m| m.taken.is_some()) {
            moves.retain(|m| m.taken.is_some());
        }
        if moves.is_empty() && self.definition.pass_on_stalemate && !self.is_checked() {
            moves.extend(self.pass());
        }
        moves
    }

    /// A move that leaves a piece where it stands: the king, or the first piece from below.
    fn pass(&self) -> Option<PlainMove> {
        let own =
            |&place: &Place| matches!(self.at(place), Cell::Piece(side, _) if side == self.side);
        let lowest =
            self.places().filter(own).min_by_key(|&(row, column)| (usize::MAX - row, column));
        let from = self.king(self.side).or(lowest)?;
        Some(PlainMove { from, to: from, promotion: None, castling: None, taken: None })
    }

    /// Adds a move with its promotions.
    fn add(&self, moves: &mut Vec<PlainMove>, kind: usize, m: PlainMove) {
        let definition = self.definition;
        let region = definition.promotion_region[self.side as usize];
        let is_en_passant = m.taken.is_some_and(|taken| taken != m.to);
        let promotes =
            definition.promoting >> kind & 1 != 0 && self.is_in(m.to, region) && !is_en_passant;
        if promotes {
            for &to in &definition.promotions[self.side as usize] {
                moves.push(PlainMove { promotion: Some(to), ..m.clone() });
            }
        }
        if !promotes || !definition.mandatory_promotion {
            moves.push(m);
        }
    }

    fn castling(&self, number: usize) -> Option<PlainMove> {
        let castling = &self.definition.castlings[number];
        if castling.side != self.side || !self.rights[number] {
            return None;
        }
        let [king, king_to, rook, rook_to] =
            [castling.king_from, castling.king_to, castling.rook_from, castling.rook_to];
        let way = |a: usize, b: usize| a.min(b)..=a.max(b);
        let free =
            |cell: usize| cell == king || cell == rook || self.at(self.place(cell)) == Cell::Empty;
        if !way(king, king_to).chain(way(rook, rook_to)).all(free) {
            return None;
        }
        let royal = self.definition.kinds[castling.king].royal;
        if self.in_check(self.side) {
            return None;
        }
        // The king stands on each cell of its way, its last one with the rook in its new place.
        let crossed = |cell: usize| {
            let mut there = self.clone();
            there.put(self.place(king), Cell::Empty);
            there.put(self.place(cell), Cell::Piece(self.side, castling.king));
            cell != king_to && there.in_check(self.side)
        };
        if royal && way(king, king_to).any(crossed) {
            return None;
        }
        let (from, to) = (self.place(king), self.place(king_to));
        Some(PlainMove { from, to, promotion: None, castling: Some(number), taken: None })
    }

    fn after(&self, m: &PlainMove) -> PlainVariant<'d> {
        let mut after = self.clone();
        after.play(m);
        after
    }

    /// Plays a move.
    pub fn play(&mut self, m: &PlainMove) {
        let before = self.text();
        let Cell::Piece(side, kind) = self.at(m.from) else { panic!("no piece at {:?}", m.from) };
        let is_void = self.at(m.to) == Cell::Void;
        self.passed = None;
        self.seen.push(before);
        self.quiet += 1;
        let promotes = m.promotion.is_some_and(|becomes| becomes != kind);
        let is_final = self.definition.resetting >> kind & 1 != 0 && !self.goes_back(m, side, kind);
        if is_final || promotes || m.taken.is_some() {
            self.quiet = 0;
            self.seen.clear();
        }
        let is_pass = m.from == m.to;
        self.passes = if is_pass { self.passes + 1 } else { 0 };
        let mut left = if is_pass { Vec::new() } else { vec![self.cell(m.from), self.cell(m.to)] };
        if let Some(taken) = m.taken {
            self.put(taken, Cell::Empty);
        }
        self.put(m.from, if is_void { Cell::Void } else { Cell::Empty });
        match m.castling {
            Some(number) => {
                let castling = &self.definition.castlings[number];
                let (rook, rook_to) =
                    (self.place(castling.rook_from), self.place(castling.rook_to));
                let piece = self.at(rook);
                self.put(rook, Cell::Empty);
                self.put(m.to, Cell::Piece(side, kind));
                self.put(rook_to, piece);
                left.push(castling.rook_from);
            }
            None => self.put(m.to, Cell::Piece(side, m.promotion.unwrap_or(kind))),
        }
        if m.taken.is_some() && self.definition.blast_on_capture {
            let gone = self.explode(m.to);
            left.extend(gone.iter().map(|&place| self.cell(place)));
        }
        for (held, castling) in self.rights.iter_mut().zip(&self.definition.castlings) {
            *held &= !left.contains(&castling.king_from) && !left.contains(&castling.rook_from);
        }
        self.side = !side;
        self.ply += 1;
        if self.definition.check_counting && self.in_check(self.side) {
            self.checks[side as usize] -= 1;
        }
        let stays = m.promotion.is_none_or(|becomes| becomes == kind);
        if m.taken.is_none() && m.castling.is_none() && stays {
            self.passed = self.passed_by(m, side, kind);
        }
    }

    /// The cells that a piece has stepped over and where an enemy stands ready to capture.
    fn passed_by(&self, m: &PlainMove, side: Side, kind: usize) -> Option<(Vec<Place>, Place)> {
        let definition = self.definition;
        let region = definition.initial_region[side as usize];
        if definition.kinds[kind].royal || !self.is_in(m.from, region) {
            return None;
        }
        let leads = |initial: bool, is_free: &dyn Fn(Place) -> bool| {
            let parts = definition.kinds[kind].parts.iter();
            let mut parts = parts.filter(|part| part.quiet && part.initial == initial);
            parts.any(|part| {
                part.steps.iter().any(|&step| self.leads(m, step, part.reach, side, is_free))
            })
        };
        let is_empty = |place: Place| self.at(place) == Cell::Empty;
        if !leads(true, &is_empty) || leads(false, &|_| true) {
            return None;
        }
        // All cells between the ends of a straight line.
        let passed = self.places().filter(|&(row, column)| {
            let from = (row as i32 - m.from.0 as i32, column as i32 - m.from.1 as i32);
            let to = (m.to.0 as i32 - row as i32, m.to.1 as i32 - column as i32);
            let is_line = |(rows, columns): Step| {
                (rows, columns) != (0, 0)
                    && (rows == 0 || columns == 0 || rows.abs() == columns.abs())
            };
            let is_same = from.0.signum() == to.0.signum() && from.1.signum() == to.1.signum();
            let place = (row, column);
            is_line(from)
                && is_line(to)
                && is_same
                && is_empty(place)
                && self.is_in(place, definition.en_passant_region)
        });
        let is_ready = |place: Place, over: Place| {
            let Cell::Piece(owner, kind) = self.at(place) else { return false };
            let parts = definition.kinds[kind].parts.iter().filter(|part| part.en_passant);
            let mut steps = parts.flat_map(|part| &part.steps);
            owner != side && steps.any(|&step| self.step(place, step, owner) == Some(over))
        };
        let is_taken_on = |&over: &Place| self.places().any(|place| is_ready(place, over));
        let over: Vec<Place> = passed.filter(is_taken_on).collect();
        (!over.is_empty()).then_some((over, m.to))
    }

    /// Whether a piece can go back at once by a move that it always has, on an empty board.
    fn goes_back(&self, m: &PlainMove, side: Side, kind: usize) -> bool {
        let back = PlainMove { from: m.to, to: m.from, ..m.clone() };
        let crosses = self.definition.void_riders >> kind & 1 != 0;
        let parts = self.definition.kinds[kind].parts.iter();
        let mut parts = parts.filter(|part| part.quiet && !part.initial);
        parts.any(|part| {
            let reach = if crosses { Reach::Ride(0) } else { part.reach };
            part.steps.iter().any(|&step| self.leads(&back, step, reach, side, &|_| true))
        })
    }

    /// Whether steps lead from a move's first cell to its last one, over cells that are free.
    fn leads(
        &self,
        m: &PlainMove,
        step: Step,
        reach: Reach,
        side: Side,
        is_free: &dyn Fn(Place) -> bool,
    ) -> bool {
        let (mut at, mut left, mut steps) = (m.from, step, 0);
        loop {
            let one = match reach {
                Reach::Lame if left == (0, 0) => return false,
                Reach::Leap if steps == 1 => return false,
                Reach::Ride(limit) if limit != 0 && steps == limit => return false,
                Reach::Lame => first(left),
                _ => step,
            };
            left = (left.0 - one.0, left.1 - one.1);
            steps += 1;
            let Some(next) = self.step(at, one, side) else { return false };
            if next == m.to && (reach != Reach::Lame || left == (0, 0)) {
                return true;
            }
            let hops = matches!(reach, Reach::Hop | Reach::HopToNext);
            if !hops && !is_free(next) {
                return false;
            }
            at = next;
        }
    }

    /// How the game has ended.
    pub fn result(&self) -> Option<Outcome> {
        let definition = self.definition;
        let mover = !self.side;
        let count = |side: Side, kinds: u32, region: u64| {
            let is_one = |&place: &Place| match self.at(place) {
                Cell::Piece(owner, kind) => {
                    owner == side && kinds >> kind & 1 != 0 && self.is_in(place, region)
                }
                _ => false,
            };
            self.places().filter(is_one).count() as u32
        };
        if let Some(extinction) = &definition.extinction {
            for side in [mover, self.side] {
                if extinction.kinds.iter().any(|&k| count(side, k, u64::MAX) <= extinction.count) {
                    return Some(outcome(extinction.value, side));
                }
            }
        }
        let flags = count(mover, definition.flags, definition.flag_region[mover as usize]);
        if flags >= definition.flag_count {
            return Some(Outcome::Win(mover));
        }
        if definition.check_counting && self.checks[mover as usize] == 0 {
            return Some(Outcome::Win(mover));
        }
        if self.passes == 2 {
            return Some(Outcome::Draw);
        }
        if self.moves().is_empty() {
            let checked = self.is_checked();
            let value = if checked { definition.checkmate } else { definition.stalemate };
            return Some(outcome(value, self.side));
        }
        let text = self.text();
        let before = self.seen.iter().filter(|seen| **seen == text).count();
        if definition.fold > 0 && before + 1 >= definition.fold {
            return Some(outcome(definition.fold_value, self.side));
        }
        let is_quiet = definition.quiet_limit.is_some_and(|limit| self.quiet >= limit.into());
        (is_quiet || self.ply >= 1000).then_some(Outcome::Draw)
    }

    /// All that a repetition must repeat.
    fn text(&self) -> String {
        let rows: Vec<String> =
            self.cells.iter().map(|row| row.iter().map(|&c| self.letter(c)).collect()).collect();
        let (rights, passed) = (&self.rights, self.passed.as_ref().map(|(over, _)| over));
        let (checks, passes) = (&self.checks, self.passes);
        format!("{} {} {rights:?} {passed:?} {checks:?} {passes}", rows.join("/"), self.side)
    }

    fn letter(&self, cell: Cell) -> char {
        match cell {
            Cell::Void => '*',
            Cell::Empty => '.',
            Cell::Piece(side, kind) => self.definition.letter(side, kind),
        }
    }

    /// The rows of the board, joined by `/`.
    pub fn rows(&self) -> String {
        self.text().split(' ').next().unwrap_or_default().to_owned()
    }

    /// A move as UCI writes it.
    pub fn notation(&self, m: &PlainMove) -> String {
        let name = |place: Place| self.definition.cell_name(self.cell(place));
        let becomes = m.promotion.map(|kind| self.definition.kinds[kind].letter.to_string());
        format!("{}{}{}", name(m.from), name(m.to), becomes.unwrap_or_default())
    }
}
