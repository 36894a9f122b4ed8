//! Random games and random positions in the fast and the plain implementation side by side.
//!
//! Both must show the same board, the same legal moves and the same result at every ply. Since
//! uniformly random play seldom meets the rare rules of Voidrider Chess, some players there have
//! a taste for them, and the tests count that each rule was met.

use std::collections::BTreeMap;

use crate::support::{Both, Legal, Seed, Tested, cases, thery};
use alesia::game::{Game, MAX_PLIES};
use alesia::games::loa::Layout;
use alesia::games::{Hadron, Loa, Murus, Voidrider};
use alesia_plain::{self as plain, PlainGame};
use fastrand::Rng;

/// How often each thing was met, by its name.
#[derive(Default)]
struct Met(BTreeMap<String, u64>);

impl Met {
    fn note(&mut self, what: impl Into<String>) {
        *self.0.entry(what.into()).or_default() += 1;
    }

    /// Each of these must have been met at least so often. (The few games of a debug build are
    /// not enough to promise it.)
    #[track_caller]
    fn require(&self, least: u64, names: &[&str]) {
        for &name in names {
            let met = self.0.get(name).copied().unwrap_or(0);
            let enough = met >= least || cfg!(debug_assertions);
            assert!(enough, "{name}: met {met} times, not {least}, among {:?}", self.0);
        }
    }
}

/// Compares all there is at a position; returns the legal moves, none if the game is over.
fn compare<G: Tested>(both: &Both<G>, met: &mut Met) -> Vec<Legal<G>> {
    both.text();
    let moves = both.moves();
    match both.ending() {
        None => {
            assert!(!moves.is_empty());
            moves
        }
        Some(ending) => {
            met.note(ending.to_string());
            Vec::new()
        }
    }
}

/// Plays a game to its end, or for at most `plies` plies, by the moves that `choose` picks.
fn walk<G: Tested>(
    mut both: Both<G>,
    plies: usize,
    met: &mut Met,
    mut choose: impl FnMut(&Both<G>, &[Legal<G>], &mut Met) -> usize,
) {
    for _ in 0..=plies {
        let moves = compare(&both, met);
        if moves.is_empty() {
            return;
        }
        let chosen = choose(&both, &moves, met);
        both.play_legal(&moves[chosen]);
    }
}

fn random_games<G: Tested>(start: G, plain_start: G::Plain, games: u64, met: &mut Met) {
    assert_eq!(start.to_string(), plain_start.text(), "the start positions");
    for seed in 0..cases(games) {
        let seed = Seed(seed);
        let mut rng = seed.generator();
        walk(Both::new(start), MAX_PLIES, met, |_, moves, _| rng.usize(..moves.len()));
    }
}

#[test]
fn games_of_murus() {
    let mut met = Met::default();
    random_games(Murus::start(), plain::Murus::start(), 4000, &mut met);
    met.require(10, &["White (home row reached)", "Black (home row reached)"]);
    met.require(500, &["White (no legal move)", "Black (no legal move)"]);
}

#[test]
fn games_of_hadron_9x9() {
    let mut met = Met::default();
    random_games(Hadron::start(9, 9), plain::Hadron::start(9, 9), 2000, &mut met);
    met.require(500, &["White (no legal move)", "Black (no legal move)"]);
}

#[test]
fn games_of_hadron_on_every_size() {
    let mut met = Met::default();
    for rows in 1..=9 {
        for columns in 1..=9 {
            let plain = plain::Hadron::start(rows, columns);
            random_games(Hadron::start(rows, columns), plain, 60, &mut met);
        }
    }
    met.require(500, &["White (no legal move)", "Black (no legal move)"]);
}

#[test]
fn games_of_loa_from_rows() {
    let mut met = Met::default();
    random_games(Loa::start(Layout::Rows), plain::Loa::start(), 400, &mut met);
    met.require(50, &["White (all stones connected)", "Black (all stones connected)"]);
    met.require(50, &["tie (move limit)"]);
}

#[test]
fn games_of_loa_from_files() {
    let mut met = Met::default();
    random_games(Loa::start(Layout::Files), plain::Loa::start_files(), 400, &mut met);
    met.require(50, &["White (all stones connected)", "Black (all stones connected)"]);
    met.require(50, &["tie (move limit)"]);
}

/// What kind of move a player of Voidrider Chess likes.
#[derive(Clone, Copy, Debug)]
enum Taste {
    /// None.
    Uniform,
    /// Into the void.
    Space,
    /// Captures, and pawns forward to promotion.
    Sharp,
    /// Castling, and the moves that prepare it.
    Castling,
    /// Taking back the move before.
    Shuffling,
}

/// What a move of Voidrider Chess is, seen from its notation and the board before it.
struct Seen {
    piece: char,
    space: bool,
    capture: bool,
    promotion: bool,
    castling: bool,
    /// Cells from start to target, by the longer of the two coordinates.
    distance: u32,
    sideways: bool,
}

impl Seen {
    fn new(rows: &str, name: &str) -> Seen {
        let name = name.as_bytes();
        let at = |file: u8, rank: u8| {
            char::from(rows.as_bytes()[(b'9' - rank) as usize * 8 + (file - b'a') as usize])
        };
        let piece = at(name[0], name[1]).to_ascii_uppercase();
        let target = at(name[3], name[4]);
        let files = u32::from(name[0].abs_diff(name[3]));
        let ranks = u32::from(name[1].abs_diff(name[4]));
        Seen {
            piece,
            space: target == '#',
            capture: target.is_ascii_alphabetic(),
            promotion: name.contains(&b'='),
            castling: piece == 'K' && files == 2,
            distance: files.max(ranks),
            sideways: ranks == 0,
        }
    }

    fn weight(&self, taste: Taste) -> u32 {
        match taste {
            Taste::Uniform | Taste::Shuffling => 1,
            Taste::Space => 1 + 4 * u32::from(self.space) * self.distance,
            Taste::Sharp if self.promotion => 60,
            Taste::Sharp if self.capture => 20,
            Taste::Sharp if self.piece == 'P' => 8,
            Taste::Sharp => 1,
            Taste::Castling if self.castling => 200,
            Taste::Castling if matches!(self.piece, 'N' | 'B' | 'P') => 8,
            Taste::Castling => 1,
        }
    }

    /// The names of the rules that the move meets.
    fn note(&self, in_check: bool, met: &mut Met) {
        let kind = match self {
            Seen { castling: true, .. } => "castling",
            Seen { promotion: true, space: true, .. } => "promotion by space move",
            Seen { promotion: true, capture: true, .. } => "promotion by capture",
            Seen { promotion: true, .. } => "promotion by step",
            Seen { space: true, distance: 2.., .. } => "space move over several void cells",
            Seen { space: true, piece: 'K', .. } => "space move of a king",
            Seen { space: true, piece: 'P', sideways: true, .. } => "space move of a pawn sideways",
            Seen { space: true, piece: 'P', .. } => "space move of a pawn forward",
            Seen { space: true, .. } => "space move of a piece",
            Seen { piece: 'V', distance: 2.., capture: true, .. } => "capture across void",
            Seen { piece: 'V', distance: 2.., .. } => "voidrider's move across void",
            Seen { capture: true, .. } => "capture",
            _ => "ordinary move",
        };
        met.note(kind);
        if in_check && self.space && self.piece != 'K' {
            met.note("space move against a check");
        }
    }
}

/// The number of one of the moves, each as likely as its weight.
fn weighted(weights: &[u32], rng: &mut Rng) -> usize {
    let mut choice = rng.u32(..weights.iter().sum::<u32>());
    weights
        .iter()
        .position(|&weight| {
            let found = choice < weight;
            choice = choice.wrapping_sub(weight);
            found
        })
        .expect("a choice below the sum of the weights")
}

fn tasteful_games(taste: Taste, games: u64) -> Met {
    let mut met = Met::default();
    for seed in 0..cases(games) {
        let seed = Seed(seed);
        let mut rng = seed.generator();
        let mut played: Vec<String> = Vec::new();
        walk(Both::new(Voidrider::start()), MAX_PLIES, &mut met, |both, moves, met| {
            let rows = both.fast.position.rows().to_string();
            let mut chosen = None;
            if let (Taste::Shuffling, [.., before, _]) = (taste, &played[..])
                && rng.u32(..10) < 7
            {
                let back = format!("{}-{}", &before[3..5], &before[..2]);
                chosen = moves.iter().position(|m| m.0 == back);
            }
            let chosen = chosen.unwrap_or_else(|| {
                let seen = moves.iter().map(|m| Seen::new(&rows, &m.0));
                weighted(&seen.map(|seen| seen.weight(taste)).collect::<Vec<_>>(), &mut rng)
            });
            let name = &moves[chosen].0;
            Seen::new(&rows, name).note(both.fast.position.in_check(), met);
            played.push(name.clone());
            chosen
        });
    }
    met
}

#[test]
fn games_of_voidrider() {
    assert_eq!(Voidrider::start().to_string(), plain::Voidrider::start().text());
    let met = tasteful_games(Taste::Uniform, 300);
    met.require(3, &["castling", "White (checkmate)", "Black (checkmate)"]);
    met.require(100, &["space move of a king", "capture", "tie (move limit)"]);
}

#[test]
fn games_of_voidrider_into_the_void() {
    let met = tasteful_games(Taste::Space, 200);
    met.require(10, &["promotion by space move", "capture across void"]);
    met.require(
        200,
        &[
            "space move over several void cells",
            "space move of a king",
            "space move of a pawn sideways",
            "space move of a pawn forward",
            "space move of a piece",
            "voidrider's move across void",
        ],
    );
}

#[test]
fn games_of_voidrider_with_captures_and_promotions() {
    let met = tasteful_games(Taste::Sharp, 400);
    met.require(
        10,
        &["promotion by step", "promotion by capture", "promotion by space move", "capture"],
    );
    met.require(3, &["tie (stalemate)", "tie (100 plies without capture or pawn move)"]);
}

#[test]
fn games_of_voidrider_with_castling() {
    let met = tasteful_games(Taste::Castling, 200);
    met.require(100, &["castling"]);
}

#[test]
fn games_of_voidrider_with_repetitions() {
    let met = tasteful_games(Taste::Shuffling, 500);
    met.require(300, &["tie (third occurrence of the position)"]);
}

#[test]
fn games_of_voidrider_by_the_text_alone() {
    let mut met = Met::default();
    for seed in 0..cases(200) {
        let seed = Seed(seed);
        let mut rng = seed.generator();
        let start = thery(&Voidrider::start().to_string());
        walk(start, MAX_PLIES, &mut met, |_, moves, _| rng.usize(..moves.len()));
    }
    met.require(3, &["White (checkmate)", "Black (checkmate)"]);
    met.require(10, &["tie (stalemate)", "tie (move limit)"]);
}

/// Compares at random placements, valid but mostly never reached by play, and a few plies on.
fn random_positions<G: Tested>(
    positions: u64,
    mut place: impl FnMut(&mut Rng) -> Both<G>,
    mut note: impl FnMut(&Both<G>, &[Legal<G>], &mut Met),
) -> Met {
    let mut met = Met::default();
    for seed in 0..cases(positions) {
        let seed = Seed(seed);
        let mut rng = seed.generator();
        let both = place(&mut rng);
        walk(both, 4, &mut met, |both, moves, met| {
            note(both, moves, met);
            rng.usize(..moves.len())
        });
    }
    met
}

/// Rows of random cells, joined.
fn rows(rows: usize, columns: usize, mut cell: impl FnMut() -> char) -> String {
    let row = |cell: &mut dyn FnMut() -> char| (0..columns).map(|_| cell()).collect::<String>();
    (0..rows).map(|_| row(&mut cell)).collect::<Vec<_>>().join("/")
}

fn side(rng: &mut Rng) -> char {
    if rng.bool() { 'w' } else { 'b' }
}

#[test]
fn positions_of_murus() {
    let place = |rng: &mut Rng| {
        loop {
            let filled = rng.u32(5..40);
            let rows = rows(7, 8, || {
                if rng.u32(..100) < filled { *rng.choice(b"wWbB").unwrap() as char } else { '.' }
            });
            let text = format!("{rows} {} {}", side(rng), rng.u32(..=120));
            match Murus::start().parse_board(&text) {
                Ok(position) => return Both::new(position),
                // There are only these two reasons for new stones.
                Err(error) => assert!(
                    error.place.starts_with("stones of") || error.place == "home rows",
                    "{text}: {error}"
                ),
            }
        }
    };
    let met = random_positions(20_000, place, |_, _, _| {});
    met.require(500, &["White (home row reached)", "Black (home row reached)"]);
    met.require(500, &["White (no legal move)", "Black (no legal move)"]);
    met.require(50, &["tie (move limit)"]);
}

#[test]
fn positions_of_hadron() {
    let place = |rng: &mut Rng| {
        let (height, width) = (rng.usize(1..=9), rng.usize(1..=9));
        let filled = rng.u32(..=100);
        let mut stones = 0;
        let rows = rows(height, width, || {
            let stone = rng.u32(..100) < filled;
            stones += u32::from(stone);
            if stone { side(rng) } else { '.' }
        });
        crate::support::hadron(&format!("{rows} {} {stones}", side(rng)))
    };
    let met = random_positions(20_000, place, |_, _, _| {});
    met.require(500, &["White (no legal move)", "Black (no legal move)"]);
}

#[test]
fn positions_of_loa() {
    let place = |rng: &mut Rng| {
        let mut cells = ['.'; 64];
        for stone in ['w', 'b'] {
            for _ in 0..rng.usize(1..=12) {
                let free: Vec<usize> = (0..64).filter(|&cell| cells[cell] == '.').collect();
                cells[free[rng.usize(..free.len())]] = stone;
            }
        }
        let mut cells = cells.into_iter();
        let rows = rows(8, 8, || cells.next().unwrap());
        crate::support::loa(&format!("{rows} {} {}", side(rng), rng.u32(..=200)))
    };
    let met = random_positions(20_000, place, |_, _, _| {});
    met.require(100, &["White (all stones connected)", "Black (all stones connected)"]);
    met.require(100, &["tie (move limit)"]);
}

/// A random placement of Voidrider Chess: any part of the area void, the kings often at home with
/// rooks and rights, anything else anywhere.
fn place_voidrider(rng: &mut Rng) -> Both<Voidrider> {
    const KINGS: [(char, usize); 2] = [('K', 52), ('k', 10)];
    const ROOKS: [(char, usize, char); 4] =
        [('R', 49, 'D'), ('r', 7, 'd'), ('R', 55, 'U'), ('r', 13, 'u')];
    loop {
        let squares = rng.u32(15..=100);
        let mut cells = [(); 63].map(|()| if rng.u32(..100) < squares { '.' } else { '#' });
        for (king, home) in KINGS {
            let anywhere = rng.usize(..63);
            let taken = cells[anywhere].is_ascii_alphabetic() || anywhere == KINGS[1].1;
            cells[if taken || rng.u32(..3) == 0 { home } else { anywhere }] = king;
        }
        let mut rights = String::new();
        for (rook, corner, right) in ROOKS {
            let king_at_home = KINGS.iter().any(|&(king, home)| {
                cells[home] == king && king.is_ascii_uppercase() == rook.is_ascii_uppercase()
            });
            let free = !cells[corner].is_ascii_alphabetic();
            if king_at_home && free && rng.u32(..3) > 0 {
                cells[corner] = rook;
                rights.push(right);
            }
        }
        for own in ["PNBRVV", "pnbrvv"] {
            let mut pawns = 0;
            for _ in 0..rng.usize(..=11) {
                let cell = rng.usize(..63);
                let kind = own.as_bytes()[rng.usize(..6)] as char;
                let misplaced = match kind {
                    'P' => cell < 7 || pawns == 5,
                    'p' => cell >= 56 || pawns == 5,
                    _ => false,
                };
                if !misplaced && !cells[cell].is_ascii_alphabetic() {
                    pawns += u32::from(kind.eq_ignore_ascii_case(&'p'));
                    cells[cell] = kind;
                }
            }
        }
        let rights = if rights.is_empty() { "-" } else { &rights };
        let mut cells = cells.into_iter();
        let rows = rows(9, 7, || cells.next().unwrap());
        let (ply, quiet) = (rng.u32(..=200), rng.u32(..=100));
        let text = format!("{rows} {} {ply} {rights} {quiet}", side(rng));
        match Voidrider::start().parse_board(&text) {
            Ok(position) => return Both::new(position),
            // This is the only reason for new pieces.
            Err(error) => {
                assert_eq!(error.expected, "only the side to move in check", "{text}: {error}");
            }
        }
    }
}

#[test]
fn positions_of_voidrider() {
    let met = random_positions(20_000, place_voidrider, |both, moves, met| {
        let rows = both.fast.position.rows().to_string();
        let in_check = both.fast.position.in_check();
        for m in moves {
            Seen::new(&rows, &m.0).note(in_check, met);
        }
        if in_check {
            met.note("check");
        }
    });
    met.require(
        100,
        &[
            "castling",
            "promotion by step",
            "promotion by capture",
            "promotion by space move",
            "space move over several void cells",
            "space move of a king",
            "space move of a pawn sideways",
            "space move of a pawn forward",
            "space move against a check",
            "capture across void",
            "voidrider's move across void",
            "check",
            "White (checkmate)",
            "Black (checkmate)",
            "tie (move limit)",
            "tie (stalemate)",
            "tie (100 plies without capture or pawn move)",
        ],
    );
}
