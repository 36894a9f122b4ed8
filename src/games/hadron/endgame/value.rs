//! The values of small regions: all-small games in canonical form, in fixed memory.
//!
//! The one idea: games of equal value have one canonical form (Conway 1976), which is stored once;
//! so equality is equality of numbers, sums of zero are recognised, and dominated moves are
//! removed. In every position of Hadron both sides can move or neither can. So all values are
//! infinitesimal, and the atomic weight decides most sums (Berlekamp, Conway and Guy 1982, chapter
//! 8). It is the number of ups that a game is worth. Weights add up. White wins a sum of weight 2
//! or more, and one of weight 1 or more if White is to move.

use arrayvec::ArrayVec;

use super::region::mix;

/// The number of a game.
pub type Id = u32;

/// The game without moves.
pub const ZERO: Id = 0;

/// The game in which either can make one move, the last.
pub const STAR: Id = 1;

/// Where there is none.
const NONE: Id = Id::MAX;

/// Options of all games together, and entries of the tables of comparisons and sums, for each game
/// that there is room for.
const OPTIONS: usize = 8;
const COMPARISONS: usize = 4;
const SUMS: usize = 2;

/// Max options of a side before a canonical form is reached.
const MAX_OPTIONS: usize = 64;

/// Atomic weights are distinguished up to this.
const MAX_WEIGHT: i32 = 6;

/// Beyond the atomic weight of any game that lasts as short as those here.
const ANY_WEIGHT: i32 = 1_000;

/// A nimber larger than any in the positions of these games, which are shorter. Added to it, a game
/// is at least zero if and only if its atomic weight is at least 1.
const REMOTE_STAR: usize = 24;

/// The numbers of the options of a side, in ascending order.
pub type Options = ArrayVec<Id, MAX_OPTIONS>;

/// A range of the pool of options.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: u32,
    length: u32,
}

impl Span {
    fn places(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.length) as usize
    }
}

/// A game of the arena.
#[derive(Clone, Copy, Debug)]
struct Game {
    white: Span,
    black: Span,
    negative: Id,
    /// Its own for ever; the place of a game that was not canonical is used again.
    serial: u32,
    /// Whether it is won by White if Black is to move, and by Black if White is.
    at_least_zero: bool,
    at_most_zero: bool,
    /// Bounds of the atomic weight.
    least_weight: i32,
    most_weight: i32,
}

/// The arena.
pub struct Values {
    /// Max games.
    room: usize,
    games: Vec<Game>,
    options: Vec<Id>,
    /// The games by their options; open addressing.
    index: Box<[Id]>,
    /// The result for a pair of games: their serial numbers, and whether the first is at most the
    /// second.
    comparisons: Box<[u64]>,
    sums: Box<[(Id, Id, Id)]>,
    next_serial: u32,
    /// A number of ups and the remote star, from -`MAX_WEIGHT` on.
    remote: [Id; 2 * MAX_WEIGHT as usize + 1],
    /// Comparisons made and what else counts as such, and how many may be.
    steps: u64,
    limit: u64,
}

/// The arena is full, or the work has become too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMuch;

impl Values {
    /// An arena for this many games, a power of two, with zero and what weights are compared with.
    pub fn new(room: usize) -> Values {
        assert!(room.is_power_of_two());
        let mut values = Values {
            room,
            games: Vec::with_capacity(room),
            options: Vec::with_capacity(OPTIONS * room),
            index: vec![NONE; 2 * room].into_boxed_slice(),
            comparisons: vec![NO_COMPARISON; COMPARISONS * room].into_boxed_slice(),
            sums: vec![(NONE, NONE, NONE); SUMS * room].into_boxed_slice(),
            next_serial: 0,
            remote: [ZERO; 2 * MAX_WEIGHT as usize + 1],
            steps: 0,
            limit: u64::MAX,
        };
        // Every page is written once.
        values.options.resize(OPTIONS * room, NONE);
        let nothing = Span { start: 0, length: 0 };
        let none = Game {
            white: nothing,
            black: nothing,
            negative: ZERO,
            serial: 0,
            at_least_zero: true,
            at_most_zero: true,
            least_weight: 0,
            most_weight: 0,
        };
        values.games.resize(room, Game { serial: 1, ..none });
        values.clear();
        values
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.games.clear();
        self.options.clear();
        self.index.fill(NONE);
        self.comparisons.fill(NO_COMPARISON);
        self.sums.fill((NONE, NONE, NONE));
        self.next_serial = 0;
        self.limit = u64::MAX;
        self.remote = [NONE; 2 * MAX_WEIGHT as usize + 1];
        let fits = "an empty arena has room for the simplest games";
        let zero = self.find_or_make(&Options::new(), &Options::new()).expect(fits);
        debug_assert_eq!(zero, ZERO);
        let mut nimbers = Options::new();
        for _ in 0..REMOTE_STAR {
            let next = self.find_or_make(&nimbers, &nimbers).expect(fits);
            nimbers.push(next);
        }
        let remote_star = self.find_or_make(&nimbers, &nimbers).expect(fits);
        let up = self.find_or_make(&[ZERO], &[STAR]).expect(fits);
        let middle = MAX_WEIGHT as usize;
        let mut remote = self.remote;
        remote[middle] = remote_star;
        for ups in 1..=middle {
            let more = self.add(remote[middle + ups - 1], up).expect(fits);
            remote[middle + ups] = more;
            remote[middle - ups] = self.negative(more);
        }
        self.remote = remote;
        // Made before there was anything to weigh them by.
        for id in 0..self.games.len() {
            self.weigh(id as Id);
        }
    }

    /// Whether there is not much room left.
    pub fn is_nearly_full(&self) -> bool {
        self.games.len() > self.room / 4 * 3
            || self.options.len() > OPTIONS * self.room / 4 * 3
            || self.next_serial > u32::MAX / 4
    }

    /// Allows `steps` steps from here on.
    pub fn allow(&mut self, steps: u64) {
        self.steps = 0;
        self.limit = steps;
    }

    /// Steps made since they were allowed.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Counts `steps` steps; false if they are too many.
    pub fn spend(&mut self, steps: u64) -> bool {
        self.steps += steps;
        !self.is_too_much()
    }

    fn is_too_much(&self) -> bool {
        self.steps > self.limit
    }

    #[inline(always)]
    fn game(&self, id: Id) -> Game {
        self.games[id as usize]
    }

    /// A game with the sides exchanged.
    #[inline(always)]
    pub fn negative(&self, id: Id) -> Id {
        self.game(id).negative
    }

    /// The games that White may turn it into.
    #[inline(always)]
    pub fn moves_of_white(&self, id: Id) -> &[Id] {
        &self.options[self.game(id).white.places()]
    }

    /// The games that Black may turn it into.
    #[inline(always)]
    pub fn moves_of_black(&self, id: Id) -> &[Id] {
        &self.options[self.game(id).black.places()]
    }

    /// Whether White wins it if Black is to move.
    #[inline(always)]
    pub fn is_at_least_zero(&self, id: Id) -> bool {
        self.game(id).at_least_zero
    }

    /// Whether Black wins it if White is to move.
    #[inline(always)]
    pub fn is_at_most_zero(&self, id: Id) -> bool {
        self.game(id).at_most_zero
    }

    /// Bounds of its atomic weight.
    #[inline(always)]
    pub fn weights(&self, id: Id) -> (i32, i32) {
        let game = self.game(id);
        (game.least_weight, game.most_weight)
    }

    /// Whether a game is at most as good for White as another in every sum; none if the work
    /// exceeds its limit.
    pub fn compare(&mut self, lower: Id, upper: Id) -> Option<bool> {
        let at_most = self.is_at_most(lower, upper);
        (!self.is_too_much()).then_some(at_most)
    }

    /// The same, without meaning once the work is too much.
    fn is_at_most(&mut self, lower: Id, upper: Id) -> bool {
        if lower == upper {
            return true;
        }
        let (a, b) = (self.game(lower), self.game(upper));
        if a.at_most_zero && b.at_least_zero {
            return true;
        }
        // Else one of them would be on the wrong side of zero.
        if (b.at_most_zero && !a.at_most_zero) || (a.at_least_zero && !b.at_least_zero) {
            return false;
        }
        // The difference has weight 2 at least, or 1 at least the other way round.
        if b.least_weight - a.most_weight >= 2 {
            return true;
        }
        if a.least_weight - b.most_weight >= 1 {
            return false;
        }
        let key = u64::from(a.serial) << 32 | u64::from(b.serial) << 1;
        let place = (mix(key) >> 40) as usize & (self.comparisons.len() - 1);
        let known = self.comparisons[place];
        if known & !1 == key {
            return known & 1 == 1;
        }
        if !self.spend(1) {
            return false;
        }
        // It is, unless Black wins the upper minus the lower as the first to move.
        let refuted = a.white.places().any(|at| self.is_at_most(upper, self.options[at]))
            || b.black.places().any(|at| self.is_at_most(self.options[at], lower));
        if !self.is_too_much() {
            self.comparisons[place] = key | u64::from(!refuted);
        }
        !refuted
    }

    /// The game in which each side has these options.
    pub fn canonical(&mut self, mut white: Options, mut black: Options) -> Result<Id, TooMuch> {
        self.drop_dominated(&mut white, false);
        self.drop_dominated(&mut black, true);
        let (games, options) = (self.games.len(), self.options.len());
        let full = options + 6 * MAX_OPTIONS > OPTIONS * self.room;
        if games + 3 > self.room || full || self.next_serial > u32::MAX / 2 - 3 {
            return Err(TooMuch);
        }
        // It is in the arena in this form for a while.
        let raw = self.push(&white, &black);
        let done = self.bypass_reversible(&mut white, raw, false).is_some()
            && self.bypass_reversible(&mut black, raw, true).is_some();
        self.games.truncate(games);
        self.options.truncate(options);
        if !done || self.is_too_much() {
            return Err(TooMuch);
        }
        self.drop_dominated(&mut white, false);
        self.drop_dominated(&mut black, true);
        if self.is_too_much() {
            return Err(TooMuch);
        }
        white.sort_unstable();
        black.sort_unstable();
        let id = self.find_or_make(&white, &black).ok_or(TooMuch)?;
        if self.is_too_much() { Err(TooMuch) } else { Ok(id) }
    }

    /// Removes options that are not better than another for the side that has them.
    fn drop_dominated(&mut self, options: &mut Options, black: bool) {
        let mut at = 0;
        while at < options.len() {
            let this = options[at];
            let needless = (0..options.len()).any(|other| {
                let other_game = options[other];
                other != at
                    && if black {
                        self.is_at_most(other_game, this)
                    } else {
                        self.is_at_most(this, other_game)
                    }
            });
            if needless {
                options.swap_remove(at);
            } else {
                at += 1;
            }
        }
    }

    /// Replaces options after which the opponent can make the game no better than it was by what
    /// follows that reply. None if they become too many.
    fn bypass_reversible(&mut self, options: &mut Options, raw: Id, black: bool) -> Option<()> {
        let mut at = 0;
        while at < options.len() {
            let game = self.game(options[at]);
            let replies = if black { game.white } else { game.black };
            let back = replies.places().map(|place| self.options[place]);
            let back: Options = back.collect();
            let reply = back.into_iter().find(|&reply| {
                if black { self.is_at_most(raw, reply) } else { self.is_at_most(reply, raw) }
            });
            let Some(reply) = reply else {
                at += 1;
                continue;
            };
            options.swap_remove(at);
            let game = self.game(reply);
            let follow = if black { game.black } else { game.white };
            for place in follow.places() {
                let next = self.options[place];
                if !options.contains(&next) {
                    options.try_push(next).ok()?;
                }
            }
            if self.is_too_much() {
                return None;
            }
        }
        Some(())
    }

    /// Puts a game at the end of the arena.
    fn push(&mut self, white: &[Id], black: &[Id]) -> Id {
        let id = self.games.len() as Id;
        let start = self.options.len() as u32;
        self.options.extend_from_slice(white);
        self.options.extend_from_slice(black);
        let (whites, blacks) = (white.len() as u32, black.len() as u32);
        let serial = self.next_serial;
        self.next_serial += 1;
        self.games.push(Game {
            white: Span { start, length: whites },
            black: Span { start: start + whites, length: blacks },
            negative: id,
            serial,
            at_least_zero: !black.iter().any(|&option| self.is_at_most_zero(option)),
            at_most_zero: !white.iter().any(|&option| self.is_at_least_zero(option)),
            least_weight: -ANY_WEIGHT,
            most_weight: ANY_WEIGHT,
        });
        id
    }

    /// The game with these options, which are in ascending order and make it canonical; none if
    /// there is no room.
    fn find_or_make(&mut self, white: &[Id], black: &[Id]) -> Option<Id> {
        let place = match self.look_up(white, black) {
            Ok(id) => return Some(id),
            Err(place) => place,
        };
        let more = 2 * (white.len() + black.len());
        if self.games.len() + 2 > self.room || self.options.len() + more > OPTIONS * self.room {
            return None;
        }
        let id = self.push(white, black);
        self.index[place] = id;
        let negated = |options: &[Id]| {
            let mut negated: Options = options.iter().map(|&id| self.negative(id)).collect();
            negated.sort_unstable();
            negated
        };
        let (minus_black, minus_white) = (negated(black), negated(white));
        if minus_black[..] != *white || minus_white[..] != *black {
            let negative = self.push(&minus_black, &minus_white);
            if let Err(place) = self.look_up(&minus_black, &minus_white) {
                self.index[place] = negative;
            }
            self.games[id as usize].negative = negative;
            self.games[negative as usize].negative = id;
        }
        self.weigh(id);
        Some(id)
    }

    /// Where the game with these options is, or where its number would stand in the index.
    fn look_up(&self, white: &[Id], black: &[Id]) -> Result<Id, usize> {
        let of = |hash, options: &[Id]| options.iter().fold(hash, |h, &o| mix(h ^ u64::from(o)));
        let mut place = of(mix(of(1, white)), black) as usize & (self.index.len() - 1);
        loop {
            let id = self.index[place];
            if id == NONE {
                return Err(place);
            }
            if self.moves_of_white(id) == white && self.moves_of_black(id) == black {
                return Ok(id);
            }
            place = (place + 1) & (self.index.len() - 1);
        }
    }

    /// Finds bounds of the atomic weight of a game and its negative: the weight is at least n if
    /// and only if the game is at least n - 1 ups and a remote star.
    fn weigh(&mut self, id: Id) {
        if self.remote[0] == NONE {
            return;
        }
        let negative = self.negative(id);
        let (least, least_of_negative) = (self.least_weight(id), self.least_weight(negative));
        for (id, least, most) in
            [(id, least, -least_of_negative), (negative, least_of_negative, -least)]
        {
            self.games[id as usize].least_weight = least;
            self.games[id as usize].most_weight = most;
        }
    }

    fn least_weight(&mut self, id: Id) -> i32 {
        let unknown = -ANY_WEIGHT;
        let mut least = unknown;
        let remote = self.remote;
        for (ups, remote) in (-MAX_WEIGHT..).zip(remote) {
            if !self.is_at_most(remote, id) || self.is_too_much() {
                break;
            }
            least = ups + 1;
        }
        least
    }

    /// The sum of two games.
    pub fn add(&mut self, a: Id, b: Id) -> Result<Id, TooMuch> {
        if a == ZERO {
            return Ok(b);
        }
        if b == ZERO {
            return Ok(a);
        }
        if self.negative(a) == b {
            return Ok(ZERO);
        }
        let (a, b) = (a.min(b), a.max(b));
        let place = (mix(u64::from(a) << 32 | u64::from(b)) >> 40) as usize & (self.sums.len() - 1);
        if let (x, y, sum) = self.sums[place]
            && (x, y) == (a, b)
        {
            return Ok(sum);
        }
        let mut white = Options::new();
        let mut black = Options::new();
        let (x, y) = (self.game(a), self.game(b));
        for (options, x, y) in [(&mut white, x.white, y.white), (&mut black, x.black, y.black)] {
            for (span, other) in [(x, b), (y, a)] {
                for at in span.places() {
                    let sum = self.add(self.options[at], other)?;
                    if !options.contains(&sum) {
                        options.try_push(sum).map_err(|_| TooMuch)?;
                    }
                }
            }
        }
        let sum = self.canonical(white, black)?;
        self.sums[place] = (a, b, sum);
        Ok(sum)
    }
}

/// No pair of different games has these serial numbers.
const NO_COMPARISON: u64 = u64::MAX;
