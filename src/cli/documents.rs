//! What the documents say of `alesia` holds: each command line parses, and its options are those of
//! the page `docs/cli.md`.

use clap::{CommandFactory, Parser};

use super::{Arguments, with_two_dashes};

/// Why a command line of a document is none.
fn fault(words: &[String]) -> Option<String> {
    let words = with_two_dashes(words.iter().map(Into::into));
    let error = Arguments::try_parse_from(words).err()?;
    // The first paragraph; tips follow it.
    Some(error.to_string().split("\n\n").next()?.to_string())
}

#[test]
fn each_command_line_of_a_document_parses() {
    let (count, faults) = alesia_documents::check_commands("alesia", fault);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 50, "{count} commands");
}

#[test]
fn a_planted_wrong_option_is_found() {
    let words = |line: &str| line.split(' ').map(String::from).collect::<Vec<_>>();
    assert_eq!(fault(&words("alesia play lab1 8901 --margin safe")), None);
    let found = fault(&words("alesia play lab1 8901 --margins safe")).unwrap();
    assert!(found.contains("--margins"), "{found}");
    let found = fault(&words("alesia plays lab1 8901")).unwrap();
    assert!(found.contains("plays"), "{found}");
}

// UPDATE=1 cargo test --workspace page_of_options
#[test]
fn the_page_of_options_is_that_of_the_parser() {
    assert_eq!(alesia_documents::reference_fault(Arguments::command()), None);
}

#[test]
fn the_page_of_words_names_no_other_options() {
    let mut command = Arguments::command();
    command.build();
    let unknown = alesia_documents::unknown(&command, "docs/options.md");
    assert!(unknown.is_empty(), "no such options: {unknown:?}");
}
