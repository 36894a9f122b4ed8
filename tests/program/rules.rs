//! `alesia rules`: what is printed for whom.

use std::process::Command;

use alesia::games::GameSpec;

/// The rules that a command with these arguments and variables prints.
fn rules(arguments: &str, variables: &[(&str, &str)]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alesia"));
    command.arg("rules").args(arguments.split_whitespace()).env_remove("RUST_LOG");
    for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
        command.env_remove(name);
    }
    let output = command.envs(variables.iter().copied()).output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &[][..]));
    String::from_utf8(output.stdout).unwrap()
}

const GAMES: [&str; 4] = ["murus", "hadron", "loa", "voidrider"];

#[test]
fn without_a_game_each_has_a_line() {
    for (language, goal) in [("en", "make the last move."), ("it", "fare l'ultima mossa.")] {
        let text = rules(&format!("--lang {language}"), &[]);
        let names: Vec<&str> = text.lines().map(|line| line.split(' ').next().unwrap()).collect();
        assert_eq!(names, GameSpec::all().iter().map(ToString::to_string).collect::<Vec<_>>());
        assert!(text.contains(&format!("hadron     Hadron: {goal}\n")), "{text}");
    }
}

#[test]
fn text_without_a_terminal_has_no_control_characters_and_80_columns() {
    for (game, language) in GAMES.iter().flat_map(|game| [(game, "en"), (game, "it")]) {
        let text = rules(&format!("{game} --lang {language}"), &[("CLICOLOR_FORCE", "1")]);
        assert!(!text.contains('\u{1b}'), "{text}");
        // Commands, text boards and addresses cannot be broken.
        let whole = |line: &str| line.contains("alesia ") || line.contains('/');
        let long = text.lines().find(|line| line.chars().count() > 80 && !whole(line));
        assert_eq!(long, None);
        assert_eq!(text.lines().find(|line| line.ends_with(' ')), None);
    }
}

#[test]
fn boards_are_as_in_the_documents_beside_each_other() {
    let text = rules("hadron", &[]);
    let board = "
  before          after C4
  A * * * * *     A * * * * *
  B * * . * *     B * * . . *
  C * . w * *     C * . w w .
  D * * * b .     D * * * b .
  E * * * . *     E * * * . *
    1 2 3 4 5       1 2 3 4 5
";
    assert!(text.contains(board), "{text}");
}

#[test]
fn other_boards_of_a_game_have_its_rules() {
    assert_eq!(rules("Hadron4x5", &[]), rules("hadron", &[]));
}

#[test]
fn the_rules_of_a_variant_are_written_from_its_definition() {
    let text = rules("variant:LosAlamos --lang en", &[]);
    let board = "
  6 r n q k n r
  5 p p p p p p
  4 . . . . . .
  3 . . . . . .
  2 P P P P P P
  1 R N Q K N R
    a b c d e f
";
    assert!(text.starts_with("Los Alamos chess, 6 x 6 without bishops (MANIAC 1956)\n"), "{text}");
    for said in [board, "p has no double step", "p is promoted where it arrives", "Black: rank 1"] {
        assert!(text.contains(said), "{said}: {text}");
    }
    let italian = rules("variant:losalamos --lang it", &[]);
    assert!(italian.contains("p è promosso dove arriva"), "{italian}");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/variants/diana.ini");
    let diana = rules(&format!("{file} --lang en"), &[]);
    assert!(diana.contains("White castles with the king d1-f1 and the rook f1-d1"), "{diana}");
    let cells = rules("variant:voidrider --lang en", &[]);
    assert!(cells.contains("  9 # V # # # V #") || cells.contains("  9 # v # # # v #"), "{cells}");
}

#[test]
fn pawns_have_only_the_moves_of_the_game() {
    let files = ["mine.ini:drifting", "diana.ini", "fairy.ini:grasshopper"];
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/variants");
    let files = files.map(|file| format!("{folder}/{file}"));
    let names = ["voidrider", "gardner", "losalamos", "petty", "shatranj"];
    let names = names.map(|name| format!("variant:{name}"));
    for (game, language) in files.iter().chain(&names).flat_map(|g| [(g, "en"), (g, "it")]) {
        let text = rules(&format!("{game} --lang {language}"), &[]);
        assert!(!text.contains("passant"), "{game}: {text}");
    }
    for (language, passing) in [("en", "also en passant"), ("it", "anche en passant")] {
        let words = rules(&format!("variant:chess --lang {language}"), &[]);
        let words: Vec<&str> = words.split_whitespace().collect();
        // A table's cells are broken into lines.
        assert!(passing.split(' ').all(|word| words.iter().any(|w| w.contains(word))), "{words:?}");
    }
}

#[test]
fn the_rules_of_every_variant_fit_the_page() {
    let output = Command::new(env!("CARGO_BIN_EXE_alesia")).arg("variants").output().unwrap();
    let listed = String::from_utf8(output.stdout).unwrap();
    let names = listed.lines().map(|line| line.split(' ').next().unwrap());
    for (name, language) in names.flat_map(|name| [(name, "en"), (name, "it")]) {
        let text = rules(&format!("variant:{name} --lang {language}"), &[]);
        let long = text.lines().find(|line| line.chars().count() > 80);
        assert_eq!(long, None, "{name}");
        assert_eq!(text.lines().find(|line| line.ends_with(' ')), None, "{name}");
    }
}

#[test]
fn the_language_is_that_of_the_system_unless_another_is_asked_for() {
    let [english, italian] = ["en", "it"].map(|lang| rules(&format!("loa --lang {lang}"), &[]));
    assert!(english.starts_with("Lines of Action\n\nIn 30 seconds. "), "{english}");
    assert!(italian.starts_with("Lines of Action\n\nIn 30 secondi. "), "{italian}");
    assert_eq!(rules("loa", &[("LANG", "it_IT.UTF-8")]), italian);
    assert_eq!(rules("loa", &[("LANG", "it_IT.UTF-8"), ("LC_ALL", "C")]), english);
    assert_eq!(rules("loa", &[("LANG", "de_DE.UTF-8")]), english);
    assert_eq!(rules("loa --lang en", &[("LC_ALL", "it")]), english);
}

#[test]
fn unknown_games_and_languages_are_refused() {
    for (arguments, said) in [
        ("chess", "game: found `chess`, expected variant:chess, or murus"),
        ("loa --lang fr", "[possible values: en, it]"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_alesia"));
        let output = command.arg("rules").args(arguments.split(' ')).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(errors.contains(said), "{errors}");
    }
}

#[cfg(unix)]
mod on_a_terminal {
    use rexpect::session::spawn_command;

    use super::*;
    use crate::manual::terminal::characters_as_bytes;

    /// What a terminal of this kind is sent.
    fn shown(arguments: &str, variables: &[(&str, &str)]) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_alesia"));
        command.arg("rules").args(arguments.split(' '));
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "LC_CTYPE"] {
            command.env_remove(name);
        }
        command.env("LC_ALL", "C.UTF-8").env("TERM", "xterm-256color");
        command.envs(variables.iter().copied());
        let seen = spawn_command(command, Some(60_000)).unwrap().exp_eof().unwrap();
        characters_as_bytes(&seen)
    }

    #[test]
    fn boards_have_colours_and_symbols() {
        let text = shown("murus --lang en", &[]);
        assert!(text.contains('◎') && text.contains('●') && text.contains("\u{1b}["), "{text}");
    }

    #[test]
    fn without_colours_symbols_and_brackets_say_it_all() {
        let text = shown("murus --lang en", &[("NO_COLOR", "1")]);
        assert!(!text.contains('\u{1b}'), "{text}");
        let board = "\r\n  F · · · ·[○]· · ·\r\n";
        assert!(text.contains(board), "{text}");
    }

    /// What follows the table of a page and says what the symbols are, in one line.
    fn symbols_said(arguments: &str) -> String {
        let text = shown(arguments, &[("NO_COLOR", "1")]);
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let begins = ["The boards here show ", "Qui le scacchiere mostrano "];
        let at = begins.iter().filter_map(|begin| words.find(begin)).collect::<Vec<_>>();
        assert_eq!(at.len(), 1, "{text}");
        words[at[0]..].split_inclusive('.').next().unwrap().to_owned()
    }

    macro_rules! symbols {
        ($($name:ident: $arguments:literal => $said:literal;)*) => {
            $(
                #[test]
                fn $name() {
                    assert_eq!(symbols_said($arguments), $said);
                }
            )*
        };
    }

    symbols! {
        symbols_of_murus: "murus --lang en" =>
            "The boards here show W as ◎, w as ○, B as ◉, b as ●, and an empty cell as ·.";
        symbols_of_murus_in_italian: "murus --lang it" =>
            "Qui le scacchiere mostrano W come ◎, w come ○, B come ◉, b come ●, e una casella \
             vuota come ·.";
        symbols_of_hadron: "hadron --lang en" =>
            "The boards here show w as ○, b as ●, and an empty cell as ·.";
        symbols_of_loa: "loa --lang it" =>
            "Qui le scacchiere mostrano w come ○, b come ●, e una casella vuota come ·.";
        symbols_of_voidrider: "voidrider --lang en" =>
            "The boards here show B as ♗, K as ♔, N as ♘, P as ♙, R as ♖, V as ☆, b as ♝, k as ♚, \
             n as ♞, p as ♟, r as ♜, v as ★, and an empty cell as ·; where there is no square, \
             they show nothing.";
        symbols_of_a_variant: "variant:losalamos --lang it" =>
            "Qui le scacchiere mostrano K come ♔, N come ♘, P come ♙, Q come ♕, R come ♖, k come \
             ♚, n come ♞, p come ♟, q come ♛, r come ♜, e una casella vuota come ·.";
        symbols_of_a_variant_with_other_pieces: "variant:voidrider --lang it" =>
            "Qui le scacchiere mostrano B come ♗, K come ♔, N come ♘, P come ♙, R come ♖, b come \
             ♝, k come ♚, n come ♞, p come ♟, r come ♜, e una casella vuota come ·; dove non c'è \
             una casella, non mostrano niente.";
    }

    #[test]
    fn letters_stand_for_symbols_where_there_are_none() {
        let text = shown("murus --lang en", &[("NO_COLOR", "1"), ("LC_ALL", "C")]);
        assert!(!text.contains("The boards here"), "{text}");
        assert!(text.contains("\r\n  F . . . .[w]. . .\r\n"), "{text}");
    }

    #[test]
    fn a_terminal_without_control_sequences_is_served_as_a_pipe() {
        let text = shown("murus --lang en", &[("TERM", "dumb")]).replace('\r', "");
        assert_eq!(text, rules("murus --lang en", &[]));
    }
}
