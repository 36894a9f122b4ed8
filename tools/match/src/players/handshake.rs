//! How a program is greeted and told the game: which interface it speaks, and which options it has.
//!
//! The one idea: a program says by its answer what it speaks. Where the user has not named the
//! interface, `ugi` is said first and, after a moment without an answer, `uci` too.

use std::io::Write;
use std::time::{Duration, Instant};

use alesia::game::{ParseError, quoted};
use alesia::games::GameSpec;
use alesia::ugi::Dialect;
use tempfile::NamedTempFile;

use super::process::{Heard, Process};
use super::{Fault, PATIENCE};

/// How long a program may leave `ugi` without an answer before `uci` is said too.
const FIRST_ANSWER: Duration = Duration::from_secs(1);

/// The option of UCI for another numbering of the start position, which the lab does not have.
const CHESS960: &str = "UCI_Chess960";

/// The options of UCI that choose the rules.
const VARIANT: &str = "UCI_Variant";
const DEFINITIONS: &str = "VariantPath";

/// What a program has said of itself.
#[derive(Debug)]
pub struct Greeting {
    pub dialect: Dialect,
    /// Its lines `option …`.
    options: Vec<String>,
}

impl Greeting {
    /// Greets a program, in the interface of the user's choice or else in the first that it
    /// answers.
    ///
    /// # Errors
    /// No answer within [`PATIENCE`], or its end.
    pub fn exchange(process: &Process, chosen: Option<Dialect>) -> Result<Greeting, Fault> {
        let mut options = Vec::new();
        let started = Instant::now();
        process.say(chosen.unwrap_or(Dialect::Ugi).name());
        let mut also_uci = chosen.is_some();
        loop {
            let patience = if also_uci { PATIENCE } else { FIRST_ANSWER };
            match process.hear(Some(started + patience)) {
                Heard::Line(line, _) => match (line.trim(), chosen) {
                    ("ugiok", None | Some(Dialect::Ugi)) => {
                        return Ok(Greeting { dialect: Dialect::Ugi, options });
                    }
                    ("uciok", None | Some(Dialect::Uci)) => {
                        return Ok(Greeting { dialect: Dialect::Uci, options });
                    }
                    (line, _) if line.starts_with("option ") => options.push(line.to_owned()),
                    _ => {}
                },
                Heard::Nothing if also_uci => return Err(Fault::Stalls),
                Heard::Nothing => {
                    process.say(Dialect::Uci.name());
                    also_uci = true;
                }
                Heard::End => return Err(Fault::Disconnects),
            }
        }
    }

    /// The names of its options, as it writes them.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.options.iter().filter_map(|line| option_name(line))
    }

    /// An option as the program writes it.
    pub fn own(&self, name: &str) -> Option<&str> {
        self.names().find(|own| own.eq_ignore_ascii_case(name))
    }

    /// Whether an option may have a value: any, where the program lists none.
    fn has_value(&self, name: &str, value: &str) -> bool {
        let line = self
            .options
            .iter()
            .find(|line| option_name(line).is_some_and(|own| own.eq_ignore_ascii_case(name)));
        let mut values = line.into_iter().flat_map(|line| line.split(" var ").skip(1)).peekable();
        values.peek().is_none() || values.any(|own| own.trim().eq_ignore_ascii_case(value))
    }
}

/// The options that tell a program which game is played.
#[derive(Debug, Default)]
pub struct GameOptions {
    /// Names and values, in the order in which they are set.
    pub options: Vec<(String, String)>,
    /// The text of rules that the program reads, for as long as it plays.
    _definition: Option<NamedTempFile>,
}

impl GameOptions {
    /// Those of a game for a program that said this of itself.
    ///
    /// # Errors
    /// The program cannot play the game, or the system's for a text of rules.
    pub fn of(game: GameSpec, greeting: &Greeting) -> Result<GameOptions, ParseError> {
        match greeting.dialect {
            Dialect::Ugi => {
                let name = greeting.own("Game").map(str::to_owned);
                let options = name.into_iter().map(|name| (name, game.to_string())).collect();
                Ok(GameOptions { options, _definition: None })
            }
            Dialect::Uci => GameOptions::of_chess(game, greeting),
        }
    }

    fn of_chess(game: GameSpec, greeting: &Greeting) -> Result<GameOptions, ParseError> {
        let refused = |expected: &str| ParseError::new("proto=uci", game.to_string(), expected);
        let Some(rules) = game.origin() else {
            return Err(refused("a chess variant, as UCI has words for no other game"));
        };
        let Some(variant) = greeting.own(VARIANT) else {
            return match (rules.file, &*rules.name) {
                (None, "chess") => Ok(GameOptions::default()),
                _ => Err(refused("chess, as the program has no option UCI_Variant")),
            };
        };
        let mut options = Vec::new();
        let mut definition = None;
        if rules.file.is_some() || !greeting.has_value(VARIANT, &rules.name) {
            let Some(path) = greeting.own(DEFINITIONS) else {
                return Err(refused("a variant that the program has, as it reads no VariantPath"));
            };
            let failed =
                |error: std::io::Error| ParseError::new("rules", error.to_string(), "room");
            // A file of its own, as that of the user may have other sections, or errors in them.
            let mut file = tempfile::Builder::new().suffix(".ini").tempfile().map_err(failed)?;
            let text = game.source().unwrap_or_default();
            file.write_all(text.as_bytes()).map_err(failed)?;
            options.push((path.to_owned(), file.path().display().to_string()));
            definition = Some(file);
        }
        options.push((variant.to_owned(), rules.name));
        Ok(GameOptions { options, _definition: definition })
    }
}

/// Refuses an option of the user's that would change the game.
///
/// # Errors
/// It is one.
pub fn check_option(
    (dialect, game): (Dialect, GameSpec),
    name: &str,
    value: &str,
) -> Result<(), ParseError> {
    let is = |other: &str| name.eq_ignore_ascii_case(other);
    let is_played = || game.origin().is_some_and(|rules| rules.name.eq_ignore_ascii_case(value));
    let changes = is(CHESS960) && value != "false" || is(VARIANT) && !is_played();
    if dialect == Dialect::Uci && changes {
        let expected = "the game by -game or -variant, and no Chess960";
        return Err(ParseError::new("option", quoted(name), expected));
    }
    Ok(())
}

/// The name in a line such as `option name Threads type spin default 1`.
fn option_name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("option name ")?;
    Some(rest.split(" type ").next().unwrap_or(rest).trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn greeting(dialect: Dialect, options: &[&str]) -> Greeting {
        Greeting { dialect, options: options.iter().map(|&line| line.to_owned()).collect() }
    }

    fn options(game: &str, greeting: &Greeting) -> Result<Vec<String>, String> {
        let found = GameOptions::of(game.parse().unwrap(), greeting);
        let found = found.map_err(|error| error.to_string())?;
        Ok(found.options.iter().map(|(name, value)| format!("{name}={value}")).collect())
    }

    #[test]
    fn options_are_known_by_their_names() {
        assert_eq!(option_name("option name Threads type spin default 1 min 1"), Some("Threads"));
        assert_eq!(option_name("option name Clear Hash type button"), Some("Clear Hash"));
        assert_eq!(option_name("id name Alesia"), None);
    }

    #[test]
    fn a_game_is_named_by_the_options_of_the_interface() {
        let ugi = greeting(Dialect::Ugi, &["option name game type string default x"]);
        assert_eq!(options("hadron7", &ugi), Ok(vec!["game=hadron7".to_owned()]));
        let combo = "option name UCI_Variant type combo default chess var chess var gardner";
        let uci = greeting(Dialect::Uci, &[combo, "option name VariantPath type string default x"]);
        assert_eq!(options("variant:gardner", &uci), Ok(vec!["UCI_Variant=gardner".to_owned()]));
        let own = options("variant:losalamos", &uci).unwrap();
        assert!(own[0].starts_with("VariantPath=") && own[1] == "UCI_Variant=losalamos", "{own:?}");
        let plain = greeting(Dialect::Uci, &[]);
        assert_eq!(options("variant:chess", &plain), Ok(Vec::new()));
        for (game, greeting, expected) in [
            ("hadron7", &uci, "a chess variant, as UCI has words for no other game"),
            ("variant:gardner", &plain, "chess, as the program has no option UCI_Variant"),
        ] {
            let error = options(game, greeting).unwrap_err();
            assert_eq!(error, format!("proto=uci: found {game}, expected {expected}"));
        }
        let no_path = greeting(Dialect::Uci, &[combo]);
        assert!(options("variant:losalamos", &no_path).unwrap_err().ends_with("no VariantPath"));
    }

    #[test]
    fn refuses_options_that_would_change_the_game() {
        let game = "variant:losalamos".parse().unwrap();
        for (name, value, is_refused) in [
            ("uci_chess960", "true", true),
            ("UCI_Chess960", "false", false),
            ("UCI_Variant", "atomic", true),
            ("UCI_Variant", "LosAlamos", false),
            ("Hash", "16", false),
        ] {
            let check = |dialect| check_option((dialect, game), name, value);
            assert_eq!(check(Dialect::Uci).is_err(), is_refused, "{name}");
            assert!(check(Dialect::Ugi).is_ok());
        }
    }
}
