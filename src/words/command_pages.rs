//! What shells and `man` know of a command line.
//!
//! The one idea: completions and manual pages are made from the definition that the parser itself
//! reads, so they cannot say anything else.

use std::io::{self, Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command, ValueHint};
use clap_complete::Shell;
use thiserror::Error;

use crate::games::GameSpec;

/// Why no completions or pages were written.
#[derive(Debug, Error)]
pub enum PageError {
    /// The words name no command of the program.
    #[error("command: found `{found}`, expected {expected}")]
    Unknown {
        /// The words.
        found: String,
        /// The commands there are.
        expected: String,
    },
    /// A folder or a file in it cannot be written.
    #[error("{folder}: {source}")]
    Folder {
        /// The folder.
        folder: String,
        /// What the system said.
        source: io::Error,
    },
    /// Standard output.
    #[error("standard output: {0}")]
    Output(io::Error),
}

/// The arguments of `completions`.
#[derive(Args)]
pub struct Completions {
    /// Shell that completes the words of this program.
    shell: Shell,
}

impl Completions {
    /// Prints the completions of a program.
    pub fn run(&self, program: Command) -> Result<(), PageError> {
        stdout().write_all(&completions(program, self.shell)).map_err(PageError::Output)
    }
}

/// The arguments of `man`.
#[derive(Args)]
pub struct Man {
    /// Command whose page is printed [default: the page of the program].
    command: Vec<String>,
    /// Writes the pages of the program and of all its commands into this folder instead.
    #[arg(long, value_name = "DIR", conflicts_with = "command", value_hint = ValueHint::DirPath)]
    out: Option<PathBuf>,
}

impl Man {
    /// Prints a page of a program, or writes them all.
    pub fn run(&self, program: Command) -> Result<(), PageError> {
        match &self.out {
            Some(folder) => write_pages(program, folder).map_err(|source| PageError::Folder {
                folder: folder.display().to_string(),
                source,
            }),
            None => {
                let page = manual_page(program, &self.command)?;
                stdout().write_all(&page).map_err(PageError::Output)
            }
        }
    }
}

fn completions(program: Command, shell: Shell) -> Vec<u8> {
    let mut program = with_names_of_games(program);
    let name = program.get_name().to_owned();
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut program, name, &mut text);
    text
}

/// The program, whose shell offers names for each GAME. Not those with a colon, at which bash
/// begins another word.
fn with_names_of_games(program: Command) -> Command {
    static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
        let names = GameSpec::setups().into_iter().map(GameSpec::short_name);
        names.filter(|name| !name.contains(':')).collect()
    });
    let games = || PossibleValuesParser::new(NAMES.iter().map(String::as_str));
    let is_game = |arg: &Arg| arg.get_value_names().is_some_and(|names| names == ["GAME"]);
    program
        .mut_args(|arg| if is_game(&arg) { arg.value_parser(games()) } else { arg })
        .mut_subcommands(with_names_of_games)
}

/// The page of the command that the words name below the program, in the language of `man`.
fn manual_page(program: Command, words: &[String]) -> Result<Vec<u8>, PageError> {
    let program = with_full_names(program);
    let mut command = &program;
    for word in words {
        command = command.find_subcommand(word).ok_or_else(|| PageError::Unknown {
            found: words.join(" "),
            expected: names(command),
        })?;
    }
    Ok(page(&program, command))
}

/// The program, each of whose commands knows its full name.
fn with_full_names(program: Command) -> Command {
    let mut program = program.disable_help_subcommand(true);
    program.build();
    program
}

fn page(program: &Command, command: &Command) -> Vec<u8> {
    let version = program.get_version().unwrap_or_default();
    let source = format!("{} {version}", program.get_name());
    let mut page = Vec::new();
    let manual = clap_mangen::Man::new(command.clone()).source(source);
    manual.render(&mut page).expect("memory can be written");
    page
}

fn names(command: &Command) -> String {
    let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
    let names: Vec<&str> = shown.map(Command::get_name).collect();
    match &names[..] {
        [] => format!("no word after `{}`", command.get_name()),
        names => names.join(", "),
    }
}

fn write_pages(program: Command, folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let program = with_full_names(program);
    let mut open = vec![&program];
    while let Some(command) = open.pop() {
        let name = command.get_display_name().unwrap_or_else(|| command.get_name());
        std::fs::write(folder.join(format!("{name}.1")), page(&program, command))?;
        open.extend(command.get_subcommands().filter(|command| !command.is_hide_set()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    fn program() -> Command {
        let part = Command::new("part").about("Does a part").arg(Arg::new("long").long("long"));
        Command::new("whole").about("Does all").subcommand(part)
    }

    fn text(bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn each_shell_completes_the_commands_and_their_options() {
        for shell in Shell::value_variants() {
            let text = text(completions(program(), *shell));
            assert!(text.contains("part") && text.contains("long"), "{shell}: {text}");
        }
    }

    #[test]
    fn shells_that_complete_values_offer_names_of_games() {
        let one = Arg::new("game").value_name("GAME").value_parser(GameSpec::open);
        let other = Arg::new("other").long("other").value_name("GAME").value_parser(GameSpec::open);
        let program = program().arg(one).subcommand(Command::new("inner").arg(other));
        for shell in [Shell::Bash, Shell::Fish, Shell::Zsh] {
            let text = text(completions(program.clone(), shell));
            for name in ["murus", "hadron5"] {
                assert!(text.contains(name), "{shell}: {text}");
            }
            assert!(!text.contains("hadron:"), "{shell}: {text}");
        }
    }

    #[test]
    fn a_page_is_of_the_program_or_of_one_command() {
        let whole = text(manual_page(program(), &[]).unwrap());
        assert!(whole.contains(".TH whole 1") && whole.contains("whole\\-part(1)"), "{whole}");
        let part = text(manual_page(program(), &["part".into()]).unwrap());
        assert!(part.contains(".TH whole-part 1") && part.contains("long"), "{part}");
    }

    #[test]
    fn all_pages_are_written_but_those_of_hidden_commands() {
        let folder = std::env::temp_dir().join(format!("alesia pages {}", std::process::id()));
        let hidden = Command::new("hidden").hide(true);
        write_pages(program().subcommand(hidden), &folder).unwrap();
        let entries = std::fs::read_dir(&folder).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(names, ["whole-part.1", "whole.1"]);
    }

    #[test]
    fn a_word_that_is_no_command_is_refused() {
        let refused = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|&word| word.into()).collect();
            manual_page(program(), &words).unwrap_err().to_string()
        };
        assert_eq!(refused(&["prat"]), "command: found `prat`, expected part");
        assert_eq!(
            refused(&["part", "more"]),
            "command: found `part more`, expected no word after `part`"
        );
    }
}
