//! The shared part of the tests of the rules: a game in the fast and the plain implementation at
//! once.
//!
//! The one idea: [`Both`] queries both implementations, which must agree, so every constructed case
//! is also a comparison.

use alesia::game::{Ending, Game, GameState, Move, Outcome, Side};
use alesia::games::loa::Layout;
use alesia::games::{Hadron, Loa, Murus, Voidrider};

use alesia_plain::{self as plain, PlainGame, PlainResult};

/// A game and its plain implementation.
pub trait Tested: Game {
    type Plain: PlainGame;
}

macro_rules! plain_of_each_game {
    ([$($game:ident,)+]) => {
        $(impl Tested for alesia::games::$game {
            type Plain = plain::$game;
        })+
    };
}

alesia_plain::twins!(plain_of_each_game);

/// A legal move: its notation, and what either implementation calls it.
pub type Legal<G> = (String, Move, <<G as Tested>::Plain as PlainGame>::Move);

/// A game in both implementations.
pub struct Both<G: Tested> {
    pub fast: GameState<G>,
    pub plain: G::Plain,
}

impl<G: Tested> Clone for Both<G> {
    fn clone(&self) -> Both<G> {
        Both { fast: self.fast, plain: self.plain.clone() }
    }
}

impl<G: Tested> Both<G> {
    /// A game that begins with this position.
    pub fn new(position: G) -> Both<G> {
        let plain = G::Plain::from_text(&position.to_string());
        Both { fast: GameState::new(position), plain }
    }

    /// A game that begins with this text board, on a board of the size of `start`.
    pub fn read(start: G, text: &str) -> Both<G> {
        let position = start.parse_board(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        Both::new(position)
    }

    /// The full text board.
    #[track_caller]
    pub fn text(&self) -> String {
        let text = self.fast.position.to_string();
        assert_eq!(text, self.plain.text(), "fast and plain text boards");
        text
    }

    /// The legal moves, sorted by notation.
    #[track_caller]
    pub fn moves(&self) -> Vec<Legal<G>> {
        let position = &self.fast.position;
        let list = position.legal_moves();
        let mut fast: Vec<(String, Move)> =
            list.iter().map(|&m| (position.notation(m).to_string(), m)).collect();
        fast.sort();
        let mut plain: Vec<_> =
            self.plain.moves().into_iter().map(|m| (self.plain.notation(m), m)).collect();
        plain.sort_by(|a, b| a.0.cmp(&b.0));
        let same = fast.iter().map(|(name, _)| name).eq(plain.iter().map(|(name, _)| name));
        if !same {
            let fast: Vec<&String> = fast.iter().map(|(name, _)| name).collect();
            let plain: Vec<&String> = plain.iter().map(|(name, _)| name).collect();
            assert_eq!(fast, plain, "fast and plain moves at {}", self.text());
        }
        assert_eq!(position.count_moves(), fast.len(), "counted moves at {}", self.text());
        fast.into_iter().zip(plain).map(|((name, fast), (_, plain))| (name, fast, plain)).collect()
    }

    /// The notations of the legal moves, sorted.
    #[track_caller]
    pub fn notations(&self) -> Vec<String> {
        self.moves().into_iter().map(|(name, ..)| name).collect()
    }

    /// The targets of the legal moves of one piece or stone: what follows `from` and a separator.
    #[track_caller]
    pub fn targets(&self, from: &str) -> Vec<String> {
        let of_piece = |name: String| Some(name.strip_prefix(from)?[1..].to_owned());
        self.notations().into_iter().filter_map(of_piece).collect()
    }

    /// Whether this move, in the game's own notation, is legal.
    #[track_caller]
    pub fn allows(&self, m: &str) -> bool {
        let listed = self.notations().iter().any(|name| name == m);
        assert_eq!(self.fast.position.parse_move(m).is_ok(), listed, "{m} at {}", self.text());
        listed
    }

    /// Whether and how the game is over.
    #[track_caller]
    pub fn ending(&self) -> Option<Ending> {
        let ending = self.fast.ending();
        let result = ending.map(|ending| match ending.outcome {
            Outcome::Win(Side::White) => PlainResult::White,
            Outcome::Win(Side::Black) => PlainResult::Black,
            Outcome::Draw => PlainResult::Draw,
        });
        assert_eq!(result, self.plain.result(), "fast and plain result at {}", self.text());
        ending
    }

    /// Plays one of the [`Both::moves`].
    pub fn play_legal(&mut self, (_, fast, plain): &Legal<G>) {
        self.fast.play(*fast);
        self.plain.play(*plain);
    }

    /// Plays moves separated by blanks, none of them after the end of the game.
    #[track_caller]
    pub fn play(&mut self, moves: &str) {
        for name in moves.split_whitespace() {
            assert_eq!(self.ending(), None, "the game is over before {name} at {}", self.text());
            let legal = self.moves();
            let Some(m) = legal.iter().find(|m| m.0 == name) else {
                panic!("{name} is not legal at {}", self.text());
            };
            self.play_legal(m);
        }
    }

    /// The same game with these moves played.
    #[track_caller]
    pub fn after(&self, moves: &str) -> Both<G> {
        let mut after = self.clone();
        after.play(moves);
        after
    }
}

/// Murus Gallicus from a text board.
pub fn murus(text: &str) -> Both<Murus> {
    Both::read(Murus::start(), text)
}

/// Hadron from a text board, which shows the size.
pub fn hadron(text: &str) -> Both<Hadron> {
    let rows: Vec<&str> = text.split(' ').next().unwrap_or_default().split('/').collect();
    Both::read(Hadron::start(rows.len(), rows[0].len()), text)
}

/// Lines of Action from a text board.
pub fn loa(text: &str) -> Both<Loa> {
    Both::read(Loa::start(Layout::Rows), text)
}

/// Voidrider Chess from a text board.
pub fn voidrider(text: &str) -> Both<Voidrider> {
    Both::read(Voidrider::start(), text)
}

/// Voidrider Chess by the text of its author alone, from a text board.
pub fn thery(text: &str) -> Both<Voidrider> {
    let fast = Voidrider::start().by_the_text_alone().parse_board(text);
    let fast = fast.unwrap_or_else(|error| panic!("{text}: {error}"));
    let plain = plain::Voidrider::from_text(text).by_the_text_alone();
    Both { fast: GameState::new(fast), plain }
}

/// Says on failure which seed a test was working on.
pub struct Seed(pub u64);

impl Seed {
    pub fn generator(&self) -> fastrand::Rng {
        fastrand::Rng::with_seed(self.0)
    }
}

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("failed with seed {}", self.0);
        }
    }
}

/// A number of cases: all in release, a fraction in slow debug builds.
pub fn cases(in_release: u64) -> u64 {
    if cfg!(debug_assertions) { in_release.div_ceil(20) } else { in_release }
}

/// The position after `plies` random legal moves, or after fewer where the game ends before.
pub fn random_walk<G: Game>(start: G, plies: usize, rng: &mut fastrand::Rng) -> GameState<G> {
    let mut state = GameState::new(start);
    for _ in 0..plies {
        let before = state;
        match state.position.random_move(rng) {
            Some(m) => state.play(m),
            None => break,
        }
        if state.ending().is_some() {
            return before;
        }
    }
    state
}
