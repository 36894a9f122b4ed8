//! What the documents say of `alesia` holds: each command line parses, each option is explained.

use clap::{CommandFactory, Parser};

use super::{Arguments, referee};

/// Why a command line of a document is none.
fn fault(words: &[String]) -> Option<String> {
    let words = alesia_documents::filled_in(words);
    let words = words.into_iter().map(Into::into).map(referee::two_dashes);
    let error = Arguments::try_parse_from(words).err()?;
    // The first paragraph; tips follow it.
    Some(error.to_string().split("\n\n").next()?.to_string())
}

#[test]
fn each_command_line_of_a_document_parses() {
    let mut count = 0;
    for document in alesia_documents::all() {
        for command in document.commands {
            if command.program() == "alesia" {
                let fault = fault(&command.words);
                assert_eq!(fault, None, "{}: {:?}", command.place, command.words);
                count += 1;
            }
        }
    }
    assert!(count > 50, "{count} commands");
}

#[test]
fn a_planted_wrong_option_is_found() {
    let words = |line: &str| line.split(' ').map(String::from).collect::<Vec<_>>();
    assert_eq!(fault(&words("alesia play HOST PORT --margin safe")), None);
    let found = fault(&words("alesia play HOST PORT --margins safe")).unwrap();
    assert!(found.contains("--margins"), "{found}");
    let found = fault(&words("alesia plays HOST PORT")).unwrap();
    assert!(found.contains("plays"), "{found}");
}

#[test]
fn the_pages_name_each_option_and_no_other() {
    let mut command = Arguments::command();
    command.build();
    let (unnamed, unknown) = alesia_documents::misnamed(&command, "docs/options.md");
    assert!(unnamed.is_empty(), "no page explains {unnamed:?}");
    assert!(unknown.is_empty(), "no such options: {unknown:?}");
}
