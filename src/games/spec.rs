//! A game with its setup, by one word: `murus`, `hadron4x5`, `loa:files`, `variant:chess`.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use super::language::Language;
use super::{BuiltIn, Handicap, Origin, Setup};
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
        }

        /// Evaluates an expression for a setup.
        macro_rules! with_setup {
            ($spec:expr, $setup:ident => $body:expr) => {
                match $spec { $(GameSpec::$game($setup) => $body,)+ }
            };
        }

        /// The same with the type of the game.
        macro_rules! of_game {
            ($spec:expr, $kind:ident, $setup:ident => $body:expr) => {
                match $spec {
                    $(GameSpec::$game($setup) => {
                        type $kind = super::$game;
                        $body
                    })+
                }
            };
        }

        impl GameSpec {
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

            /// The setups of the game on the same board, the usual one first: starts and limits
            /// among which a player chooses.
            pub fn alternatives(self) -> Vec<GameSpec> {
                match self {
                    $(GameSpec::$game(setup) => {
                        setup.alternatives().into_iter().map(GameSpec::$game).collect()
                    })+
                }
            }

            /// The listed names, and how others look.
            fn forms() -> Vec<String> {
                let mut forms: Vec<String> = Vec::new();
                $(
                    type $game = <super::$game as BuiltIn>::Setup;
                    let listed = $game::LISTED.iter().copied().map(GameSpec::$game);
                    forms.extend(listed.map(|game| game.to_string()));
                    forms.extend($game::UNLISTED.iter().map(|form| form.to_string()));
                )+
                forms
            }

            /// The game of a name, in any case, that begins with the name of a game.
            ///
            /// # Errors
            /// The game has no such setup.
            fn named(name: &str) -> Result<Option<GameSpec>, ParseError> {
                let lower = name.to_ascii_lowercase();
                $(
                    if let Some(suffix) = lower.strip_prefix(super::$game::NAME) {
                        type Setups = <super::$game as BuiltIn>::Setup;
                        if let Some(setup) = Setups::from_suffix(suffix) {
                            return Ok(Some(GameSpec::$game(setup)));
                        }
                        if suffix.starts_with(':') {
                            let expected = Setups::expected(super::$game::NAME, suffix);
                            return Err(ParseError::new("game", quoted(name), expected));
                        }
                    }
                )+
                Ok(None)
            }

            /// The game of a name that its setups know otherwise.
            fn known(name: &str) -> Option<GameSpec> {
                $(
                    if let Some(setup) = <super::$game as BuiltIn>::Setup::of_name(name) {
                        return Some(GameSpec::$game(setup));
                    }
                )+
                None
            }

            /// The built-in chess variants: all games that have a name and are in no list.
            pub fn variants() -> impl Iterator<Item = GameSpec> {
                let mut games = Vec::new();
                $(
                    let setups = <super::$game as BuiltIn>::Setup::DEFINED;
                    games.extend(setups.iter().copied().map(GameSpec::$game));
                )+
                games.into_iter()
            }

            /// The games of a text of rules, as if a file of this name had it.
            ///
            /// # Errors
            /// The text is wrong.
            pub fn of_text(file: &str, text: &str) -> Result<Vec<GameSpec>, ParseError> {
                $(
                    type $game = <super::$game as BuiltIn>::Setup;
                    if let Some(found) = $game::of_text(file, text) {
                        return Ok(found?.into_iter().map(GameSpec::$game).collect());
                    }
                )+
                Err(no_rules(file))
            }

            /// The games of a file that are right, whatever its name, and all that is wrong in it.
            ///
            /// # Errors
            /// The file cannot be read.
            pub fn of_file(file: &str) -> Result<(Vec<GameSpec>, Vec<ParseError>), ParseError> {
                $(
                    type $game = <super::$game as BuiltIn>::Setup;
                    if let Some(found) = $game::of_file(file) {
                        let (right, errors) = found?;
                        return Ok((right.into_iter().map(GameSpec::$game).collect(), errors));
                    }
                )+
                Err(no_rules(file))
            }

            /// The game of a file with rules: `FILE.ini` (its first one) or `FILE.ini:NAME`; none
            /// if the name has no such form.
            ///
            /// # Errors
            /// The file is wrong.
            pub fn in_file(name: &str) -> Option<Result<GameSpec, ParseError>> {
                $(
                    if let Some(found) = <super::$game as BuiltIn>::Setup::open(name) {
                        return Some(found.map(GameSpec::$game));
                    }
                )+
                None
            }
        }
    };
}

crate::games!(define_spec);

impl GameSpec {
    /// Every listed game as it is usually played.
    pub fn all() -> Vec<GameSpec> {
        let mut games = GameSpec::setups();
        games.retain(|&game| game.is_usual());
        games
    }

    /// Whether the game is set up as usual.
    fn is_usual(self) -> bool {
        of_game!(self, G, setup => setup == <G as BuiltIn>::Setup::STANDARD)
    }

    /// The listed games that fit something, such as a text board or moves: of those that are
    /// alternatives of each other the first.
    pub fn fitting(fits: impl FnMut(&GameSpec) -> bool) -> Vec<GameSpec> {
        let mut fitting: Vec<GameSpec> = GameSpec::setups().into_iter().filter(fits).collect();
        fitting.dedup_by_key(|game| game.alternatives()[0]);
        fitting
    }

    /// How games can be named: `murus, hadron, hadron5, … or FILE.ini:NAME`.
    pub fn names() -> &'static str {
        static NAMES: LazyLock<String> = LazyLock::new(|| joined(&GameSpec::forms(), "or"));
        &NAMES
    }

    /// The titles of the games: `Murus Gallicus, … and Voidrider Chess`.
    pub fn titles() -> &'static str {
        static TITLES: LazyLock<String> = LazyLock::new(|| {
            let titles: Vec<&str> = GameSpec::all().into_iter().map(GameSpec::title).collect();
            joined(&titles, "and")
        });
        &TITLES
    }

    /// The title of the game for people.
    pub fn title(self) -> &'static str {
        of_game!(self, G, setup => setup.title().unwrap_or(G::TITLE))
    }

    /// What one side begins with less, in a start for players of different strength.
    pub fn handicap(self) -> Option<&'static Handicap> {
        with_setup!(self, setup => setup.handicap())
    }

    /// The setup as it is written behind a colon; empty where there is none.
    pub fn setup(self) -> String {
        let name = self.to_string();
        match self.handicap().is_some() || GameSpec::setups().contains(&self) {
            true => name.split_once(':').map_or(String::new(), |(_, setup)| setup.to_owned()),
            false => String::new(),
        }
    }

    /// The rules for people; empty where there are none.
    pub fn rules(self, language: Language) -> &'static str {
        of_game!(self, G, _setup => G::RULES[language as usize])
    }

    /// The game of an argument, which may also be a file of definitions: `FILE.ini` (its first
    /// variant) or `FILE.ini:NAME`. A name from outside is read by `parse` instead, which opens no
    /// file.
    ///
    /// # Errors
    /// There is no such game, or the file is wrong.
    pub fn open(name: &str) -> Result<GameSpec, ParseError> {
        match GameSpec::named(name)? {
            Some(game) => Ok(game),
            None => GameSpec::in_file(name).unwrap_or_else(|| name.parse()),
        }
    }

    /// Where the rules are written, if they are a text that people write.
    pub fn origin(self) -> Option<Origin> {
        with_setup!(self, setup => setup.origin())
    }

    /// That text: the part that defines the game, with what it inherits.
    pub fn source(self) -> Option<String> {
        with_setup!(self, setup => setup.source())
    }

    /// What is read over in that text, or allowed and yet seldom meant: `FILE:LINE: …` each.
    pub fn notices(self) -> Vec<String> {
        with_setup!(self, setup => setup.notices())
    }

    /// A hash of the rules, where they are written in a file that may change.
    pub fn fingerprint(self) -> Option<String> {
        let Origin { file, fingerprint, .. } = self.origin()?;
        file.map(|_| format!("{fingerprint:016x}"))
    }

    /// The name without that of its file or of all games of its kind, such as `chess`.
    pub fn short_name(self) -> String {
        self.origin().map_or_else(|| self.to_string(), |origin| origin.name)
    }

    /// The names of some games, as a sentence lists them.
    pub fn names_of(games: &[GameSpec]) -> String {
        let names: Vec<String> = games.iter().map(GameSpec::to_string).collect();
        joined(&names, "or")
    }
}

impl fmt::Display for GameSpec {
    /// The name on the command line.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let name = of_game!(*self, G, setup => {
            setup.own_name().unwrap_or_else(|| format!("{}{}", G::NAME, setup.suffix()))
        });
        f.pad(&name)
    }
}

impl FromStr for GameSpec {
    type Err = ParseError;

    /// Reads a name in any case; that of a variant in a file is known once the file is open.
    fn from_str(name: &str) -> Result<GameSpec, ParseError> {
        let found = GameSpec::named(name)?;
        found.or_else(|| GameSpec::known(name)).ok_or_else(|| {
            let is_it = |game: &GameSpec| game.short_name().eq_ignore_ascii_case(name);
            let known = GameSpec::variants().find(is_it);
            let near = known.map_or(String::new(), |game| format!("{game}, or "));
            ParseError::new("game", quoted(name), format!("{near}{}", GameSpec::names()))
        })
    }
}

/// The error where no game has rules that people write.
fn no_rules(file: &str) -> ParseError {
    ParseError::new("game", quoted(file), GameSpec::names())
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

    /// Every game that a word names without a file.
    fn words() -> Vec<GameSpec> {
        let mut games: Vec<GameSpec> =
            GameSpec::setups().into_iter().flat_map(GameSpec::alternatives).collect();
        games.extend(GameSpec::variants());
        games
    }

    #[test]
    fn every_game_is_read_back_by_its_word_in_any_case() {
        let games = words();
        assert!(games.len() > 35, "{}", games.len());
        for game in games {
            let name = game.to_string();
            assert_eq!((name.parse(), name.to_uppercase().parse()), (Ok(game), Ok(game)), "{name}");
            assert_eq!(GameSpec::open(&name), Ok(game));
        }
    }

    #[test]
    fn lists_have_every_setup_but_handicaps() {
        let names: Vec<String> = GameSpec::setups().iter().map(GameSpec::to_string).collect();
        let expected = [
            "murus",
            "hadron",
            "hadron5",
            "hadron7",
            "loa",
            "loa:files",
            "loa:standard",
            "voidrider",
            "voidrider:thery",
        ];
        assert_eq!(names, expected);
        assert_eq!(GameSpec::names_of(&GameSpec::all()), "murus, hadron, loa or voidrider");
        assert_eq!(
            GameSpec::names(),
            "murus, hadron, hadron5, hadron7, hadronRxC (such as hadron4x5), loa, loa:files, \
             loa:standard, voidrider, voidrider:thery, variant:NAME, FILE.ini or FILE.ini:NAME"
        );
    }

    /// A word that is refused, and what is expected instead.
    macro_rules! refused {
        ($($name:ident: $word:literal => $expected:literal;)*) => {
            $(
                #[test]
                fn $name() {
                    let error = $word.parse::<GameSpec>().unwrap_err().to_string();
                    let begin = format!("game: found `{}`, expected {}", $word, $expected);
                    assert!(error.starts_with(&begin), "{error}");
                    assert_eq!(GameSpec::open($word).unwrap_err().to_string(), error);
                }
            )*
        };
    }

    refused! {
        refuses_an_unknown_setup_with_those_there_are: "loa:standrad" => "loa, loa:files or loa:standard";
        refuses_a_setup_where_there_is_none:
            "hadron:files" => "hadron, hadron5, hadron7 or hadronRxC (such as hadron4x5)";
        refuses_an_unknown_handicap: "murus:wall" => "murus, murus:white-wall, ";
        refuses_a_variant_that_is_not_built_in: "variant:ches" => "variant:NAME, NAME being chess";
        refuses_a_variant_without_its_prefix: "chess" => "variant:chess, or murus, hadron, ";
        refuses_an_unknown_game: "go" => "murus, hadron, hadron5, hadron7, hadronRxC";
    }

    #[test]
    fn the_usual_setup_may_be_named() {
        assert_eq!("LOA:rows".parse::<GameSpec>(), "loa".parse());
    }

    /// The names of a game's handicaps, by the side that has less.
    fn handicaps(game: GameSpec) -> [Vec<&'static str>; 2] {
        let usual = AnyGame::start(game);
        let mut names = [Vec::new(), Vec::new()];
        for setup in game.alternatives() {
            let Some(Handicap { word, name, side, board }) = setup.handicap() else { continue };
            names[*side as usize].push(*name);
            assert_eq!(setup.to_string(), format!("{game}:{word}"));
            let position = AnyGame::start(setup);
            assert_eq!(position.to_string(), *board);
            assert_eq!((position.side(), position.ply()), (usual.side(), 0), "{board}");
            assert!(crate::game::GameState::new(position).ending().is_none(), "{board}");
            let rows = [usual.rows().to_string(), position.rows().to_string()];
            let changed = rows[0].chars().zip(rows[1].chars()).filter(|(old, new)| old != new);
            let is_theirs = |c: char, or: bool| match usual.drawing(c) {
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
        let counts: Vec<usize> = GameSpec::all()
            .into_iter()
            .map(|game| {
                let [white, black] = handicaps(game);
                assert_eq!(white, black, "{game}");
                white.len()
            })
            .collect();
        assert_eq!(counts, [2, 0, 0, 3]);
    }

    #[test]
    fn a_setup_of_the_same_board_is_an_alternative() {
        let names = |game: &str| {
            let game: GameSpec = game.parse().unwrap();
            let names: Vec<String> = game.alternatives().iter().map(GameSpec::to_string).collect();
            (names.join(" "), game.setup())
        };
        assert_eq!(names("loa:files"), ("loa loa:files loa:standard".into(), "files".into()));
        assert_eq!(names("hadron4x5"), ("hadron4x5".into(), String::new()));
        assert_eq!(names("murus").1, "");
        assert!(names("voidrider").0.starts_with("voidrider voidrider:thery voidrider:"));
        assert_eq!(names("variant:chess"), ("variant:chess".into(), String::new()));
    }
}
