//! What the documents say of `alesia-lab` holds: each command line parses, and its options are
//! those of the page `docs/cli.md`.

use clap::{CommandFactory, Parser};

use alesia_match::command::options::Options;

use super::{Arguments, Command, one_line, with_new_name, with_two_dashes};

/// Why a command line of a document is none.
fn fault(words: &[String]) -> Option<String> {
    let mut words = words.to_vec();
    // The documents' commands are typed at the root.
    let root = alesia_documents::root();
    for word in &mut words {
        for folder in ["benches/", "examples/"] {
            let at_root = format!("{}/{folder}", root.display());
            *word = match word.strip_prefix(folder) {
                Some(rest) => at_root + rest,
                None => word.replace(&format!("file={folder}"), &format!("file={at_root}")),
            };
        }
    }
    let named = with_new_name(words.iter().map(Into::into).collect());
    match Arguments::try_parse_from(with_two_dashes(named.into_iter())) {
        Err(error) => Some(one_line(&error)),
        Ok(Arguments { command: Command::Match(whole) }) if whole.part.is_none() => {
            // Files that other commands write are not there.
            let fault = Options::read(&words[2..]).err().map(|error| error.to_string());
            fault.filter(|fault| !fault.contains("losalamos.weights"))
        }
        Ok(_) => None,
    }
}

#[test]
fn each_command_line_of_a_document_parses() {
    let (count, faults) = alesia_documents::check_commands("alesia-lab", fault);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 30, "{count} commands");
}

#[test]
fn a_planted_wrong_option_is_found() {
    let words = |line: &str| line.split(' ').map(String::from).collect::<Vec<_>>();
    let sound = "alesia-lab match -game loa -engine name=a -engine name=b -each nodes=9 -rounds 1";
    assert_eq!(fault(&words(sound)), None);
    for (wrong, expected) in [
        (sound.replace("-rounds", "-round"), "-round"),
        (sound.replace("nodes=", "node="), "node"),
        ("alesia-lab stress deadline --move 1".to_string(), "--move"),
        ("alesia-lab strain".to_string(), "strain"),
    ] {
        let found = fault(&words(&wrong)).unwrap();
        assert!(found.contains(expected), "{wrong}: {found}");
    }
}

// UPDATE=1 cargo test --workspace page_of_options
#[test]
fn the_page_of_options_is_that_of_the_parser() {
    assert_eq!(alesia_documents::reference_fault(Arguments::command()), None);
}
