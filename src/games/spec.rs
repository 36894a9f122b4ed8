//! A game by its name on the command line: `murus`, `hadron4x5`, `variant:chess`.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use super::language::Language;
use super::{BuiltIn, Handicap, Setup};
use crate::game::{Game, ParseError, quoted};

macro_rules! define_spec {
    ([$($module:ident::$game:ident,)+]) => {
        /// A game with its setup.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum GameSpec {
            $(
                #[doc = concat!("[`", stringify!($game), "`](super::", stringify!($game), ").")]
                $game(<super::$game as BuiltIn>::Setup),
            )+
            /// A chess variant by definition.
            Variant(super::variant::Chosen),
        }

        impl GameSpec {
            /// Every game of the list in its standard setup.
            pub const ALL: [GameSpec; [$(stringify!($game)),+].len()] =
                [$(GameSpec::$game(<super::$game as BuiltIn>::Setup::STANDARD)),+];

            /// Every game in each of its listed setups.
            pub fn setups() -> Vec<GameSpec> {
                let mut games = Vec::new();
                $(
                    let setups = <super::$game as BuiltIn>::Setup::LISTED;
                    games.extend(setups.iter().copied().map(GameSpec::$game));
                )+
                games
            }

            /// The games that are played on boards of any size, on a board of this size.
            pub fn of_size(rows: usize, columns: usize) -> Vec<GameSpec> {
                let mut games = Vec::new();
                $(
                    let setup = <super::$game as BuiltIn>::Setup::of_size(rows, columns);
                    games.extend(setup.map(GameSpec::$game));
                )+
                games
            }

            /// How games can be named: `murus, hadron, hadron5, … or voidrider`.
            pub fn names() -> &'static str {
                static NAMES: LazyLock<String> = LazyLock::new(|| {
                    let mut names = Vec::new();
                    $(
                        let setups = <super::$game as BuiltIn>::Setup::LISTED;
                        names.extend(setups.iter().map(|&setup| GameSpec::$game(setup).to_string()));
                        names.push(<super::$game as BuiltIn>::Setup::UNLISTED.to_string());
                    )+
                    names.extend(super::variant::FORMS.map(str::to_string));
                    names.retain(|name| !name.is_empty());
                    // Setups may share a name.
                    names.dedup();
                    joined(&names, "or")
                });
                &NAMES
            }

            /// The titles of the games: `Murus Gallicus, … and Voidrider Chess`.
            pub fn titles() -> &'static str {
                static TITLES: LazyLock<String> =
                    LazyLock::new(|| joined(&[$(super::$game::TITLE),+], "and"));
                &TITLES
            }

            /// The title of the game for people.
            pub fn title(self) -> &'static str {
                match self {
                    $(GameSpec::$game(_) => super::$game::TITLE,)+
                    GameSpec::Variant(chosen) => chosen.rules().title(),
                }
            }

            /// Distinguishes setups that share a name; empty where there is only one.
            pub fn label(self) -> &'static str {
                match self {
                    $(GameSpec::$game(setup) => setup.label(),)+
                    GameSpec::Variant(_) => "",
                }
            }

            /// The starts for players of different strength; none on boards of other sizes.
            pub fn handicaps(self) -> &'static [Handicap] {
                match self {
                    $(GameSpec::$game(setup) => match setup == Setup::STANDARD {
                        true => super::$game::HANDICAPS,
                        false => &[],
                    },)+
                    GameSpec::Variant(_) => &[],
                }
            }

            /// The rules for people; empty where there are none.
            pub fn rules(self, language: Language) -> &'static str {
                match self {
                    $(GameSpec::$game(_) => super::$game::RULES[language as usize],)+
                    GameSpec::Variant(_) => super::Variant::RULES[language as usize],
                }
            }

            /// The game of a name in lower case.
            fn named(name: &str) -> Option<GameSpec> {
                $(
                    let suffix = name.strip_prefix(super::$game::NAME);
                    if let Some(setup) = suffix.and_then(Setup::from_suffix) {
                        return Some(GameSpec::$game(setup));
                    }
                )+
                None
            }
        }

        impl fmt::Display for GameSpec {
            /// The name on the command line.
            fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
                match self {
                    $(GameSpec::$game(setup) => {
                        f.pad(&format!("{}{}", super::$game::NAME, setup.suffix()))
                    })+
                    GameSpec::Variant(chosen) => f.pad(&chosen.name()),
                }
            }
        }
    };
}

crate::games!(define_spec);

impl GameSpec {
    /// The built-in variants.
    pub fn variants() -> impl Iterator<Item = GameSpec> {
        super::variant::Chosen::LISTED.iter().copied().map(GameSpec::Variant)
    }

    /// The game of an argument, which may also be a file of definitions: `FILE.ini` (its first
    /// variant) or `FILE.ini:NAME`. A name from outside is read by `parse` instead, which opens no
    /// file.
    ///
    /// # Errors
    /// There is no such game, or the file is wrong.
    pub fn open(name: &str) -> Result<GameSpec, ParseError> {
        match super::variant::open(name) {
            Some(chosen) => chosen.map(GameSpec::Variant),
            None => name.parse(),
        }
    }

    /// A hash of the rules, where they stand in a file that may change.
    pub fn fingerprint(self) -> Option<String> {
        match self {
            GameSpec::Variant(chosen) => chosen.fingerprint(),
            _ => None,
        }
    }

    /// The listed games, each name once.
    pub fn listed() -> Vec<GameSpec> {
        let mut games = GameSpec::setups();
        games.dedup_by_key(|game| game.to_string());
        games
    }

    /// The listed setups that share this one's name; itself alone where it is not listed.
    pub fn namesakes(self) -> Vec<GameSpec> {
        let name = self.to_string();
        let mut games = GameSpec::setups();
        games.retain(|game| game.to_string() == name);
        if games.is_empty() {
            games.push(self);
        }
        games
    }

    /// The names of some games, as a sentence lists them.
    pub fn names_of(games: &[GameSpec]) -> String {
        let names: Vec<String> = games.iter().map(GameSpec::to_string).collect();
        joined(&names, "or")
    }
}

impl FromStr for GameSpec {
    type Err = ParseError;

    /// Reads a name in any case; that of a variant in a file is known once the file is open.
    fn from_str(name: &str) -> Result<GameSpec, ParseError> {
        GameSpec::named(&name.to_ascii_lowercase())
            .or_else(|| super::variant::Chosen::of_name(name).map(GameSpec::Variant))
            .ok_or_else(|| {
                let unknown = || ParseError::new("game", quoted(name), GameSpec::names());
                super::variant::misnamed(name, GameSpec::names()).unwrap_or_else(unknown)
            })
    }
}

/// Words as a sentence lists them: `a, b and c`.
fn joined<W: AsRef<str>>(words: &[W], last: &str) -> String {
    let mut text = String::new();
    for (left, word) in (0..words.len()).rev().zip(words) {
        text += word.as_ref();
        match left {
            0 => {}
            1 => text += &format!(" {last} "),
            _ => text += ", ",
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{AnyGame, Drawing};

    /// The lab writes what it makes for a game into the folder of that name.
    #[test]
    fn a_game_has_the_name_of_its_folder() {
        macro_rules! folders {
            ([$($module:ident::$game:ident,)+]) => {
                $(assert_eq!(crate::games::$game::NAME, stringify!($module));)+
            };
        }
        crate::games!(folders);
    }

    #[test]
    fn every_listed_game_is_read_back_by_its_name_in_any_case() {
        for game in GameSpec::listed() {
            let name = game.to_string();
            assert_eq!((name.parse(), name.to_uppercase().parse()), (Ok(game), Ok(game)));
        }
    }

    /// The sides' names of a game's handicaps, which are checked.
    fn handicaps(game: GameSpec) -> [Vec<&'static str>; 2] {
        let start = AnyGame::start(game);
        let mut names = [Vec::new(), Vec::new()];
        for Handicap { name, side, board } in game.handicaps() {
            names[*side as usize].push(*name);
            let position = start.parse_board(board).unwrap();
            assert_eq!(position.to_string(), *board);
            assert_eq!((position.side(), position.ply()), (start.side(), 0), "{board}");
            assert!(crate::game::GameState::new(position).ending().is_none(), "{board}");
            let rows = [start.rows().to_string(), position.rows().to_string()];
            let changed = rows[0].chars().zip(rows[1].chars()).filter(|(old, new)| old != new);
            let is_theirs = |c: char, or: bool| match start.drawing(c) {
                Drawing::Piece(whose, _) => whose == *side,
                Drawing::Empty | Drawing::Void => or,
            };
            let mut count = 0;
            for (old, new) in changed {
                assert!(is_theirs(old, false) && is_theirs(new, true), "{board}");
                count += 1;
            }
            assert!((1..=2).contains(&count), "{board}");
        }
        names
    }

    #[test]
    fn a_handicap_takes_something_from_one_side_and_each_side_can_give_it() {
        let mut games = 0;
        for game in GameSpec::listed() {
            let [white, black] = handicaps(game);
            assert_eq!(white, black, "{game}");
            games += usize::from(!white.is_empty());
        }
        assert_eq!(games, 2);
        assert_eq!("murus".parse::<GameSpec>().unwrap().handicaps().len(), 4);
    }

    #[test]
    fn setups_that_share_a_name_differ_by_their_labels() {
        for game in GameSpec::listed() {
            let namesakes = game.namesakes();
            let mut labels: Vec<&str> = namesakes.iter().map(|setup| setup.label()).collect();
            labels.dedup();
            assert_eq!((namesakes[0], labels.len()), (game, namesakes.len()));
        }
        let unlisted: GameSpec = "hadron4x5".parse().unwrap();
        assert_eq!(unlisted.namesakes(), [unlisted]);
    }
}
