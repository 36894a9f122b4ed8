//! How a piece moves, in words of a language.
//!
//! The one idea: the steps of a part are gathered into as few phrases as say them all. A whole atom
//! is one phrase, half of one has a direction, and what is left is said rows first.

use crate::games::language::Language;
use crate::games::variant::read::betza::{Part, Reach, Step};

/// The words of a language that the phrases are made of.
struct Words {
    /// To empty squares and captures, only one of both.
    acts: [&'static str; 3],
    straight: &'static str,
    diagonally: &'static str,
    any: &'static str,
    /// Forward, backward, either.
    rows: [&'static str; 3],
    /// To the right, to the left, either.
    columns: [&'static str; 3],
    and: &'static str,
    or: &'static str,
    riding: &'static str,
    /// Before and after the number.
    limited: [&'static str; 2],
    lame: &'static str,
    hop: &'static str,
    hop_to_next: &'static str,
    initial: &'static str,
    en_passant: &'static str,
}

const ENGLISH: Words = Words {
    acts: ["goes", "moves only", "captures only"],
    straight: "along a rank or file",
    diagonally: "diagonally",
    any: "in any direction",
    rows: ["forward", "backward", "forward or backward"],
    columns: ["to the right", "to the left", "sideways"],
    and: " and ",
    or: ", or ",
    riding: ", any number of times in a row over empty squares",
    limited: [", at most ", " times in a row over empty squares"],
    lame: ", if the squares between are empty",
    hop: ", over one piece and then any number of empty squares",
    hop_to_next: ", over one piece to the square right behind it",
    initial: ", only from the double step region",
    en_passant: ", also en passant",
};

const ITALIAN: Words = Words {
    acts: ["va", "muove soltanto", "cattura soltanto"],
    straight: "lungo una traversa o una colonna",
    diagonally: "in diagonale",
    any: "in ogni direzione",
    rows: ["in avanti", "indietro", "in avanti o indietro"],
    columns: ["a destra", "a sinistra", "di lato"],
    and: " e ",
    or: ", oppure ",
    riding: ", quante volte si vuole di seguito su case vuote",
    limited: [", al massimo ", " volte di seguito su case vuote"],
    lame: ", se le case in mezzo sono vuote",
    hop: ", oltre un pezzo e poi per quante case vuote si vuole",
    hop_to_next: ", oltre un pezzo, sulla casa subito dietro",
    initial: ", soltanto dalla zona del passo doppio",
    en_passant: ", anche en passant",
};

/// How a piece with these parts moves: a sentence without its end.
pub fn moves(parts: &[Part], language: Language) -> String {
    let words = match language {
        Language::English => &ENGLISH,
        Language::Italian => &ITALIAN,
    };
    parts.iter().map(|part| part_in_words(part, words)).collect::<Vec<_>>().join("; ")
}

fn part_in_words(part: &Part, words: &Words) -> String {
    let act = words.acts[match (part.quiet, part.capture) {
        (true, true) => 0,
        (true, false) => 1,
        _ => 2,
    }];
    let mut text = format!("{act} {}", steps_in_words(&part.steps, words).join(words.or));
    match part.reach {
        Reach::Leap => {}
        Reach::Lame => text += words.lame,
        Reach::Ride(0) => text += words.riding,
        Reach::Ride(limit) => {
            text += &format!("{}{limit}{}", words.limited[0], words.limited[1]);
        }
        Reach::Hop => text += words.hop,
        Reach::HopToNext => text += words.hop_to_next,
    }
    if part.en_passant {
        text += words.en_passant;
    }
    if part.initial {
        text += words.initial;
    }
    text
}

/// The steps of an atom in all its directions.
fn whole((long, short): Step) -> Vec<Step> {
    let mut steps = Vec::new();
    for (a, b) in [(long, short), (short, long)] {
        for step in [(a, b), (a, -b), (-a, b), (-a, -b)] {
            if !steps.contains(&step) {
                steps.push(step);
            }
        }
    }
    steps
}

/// Takes all of some steps out of those that are left, if all of them are there.
fn take(left: &mut Vec<Step>, steps: &[Step]) -> bool {
    let has_all = steps.iter().all(|step| left.contains(step));
    if has_all {
        left.retain(|step| !steps.contains(step));
    }
    has_all
}

fn steps_in_words(steps: &[Step], words: &Words) -> Vec<String> {
    let mut left = steps.to_vec();
    let mut phrases = Vec::new();
    while let Some(&(rows, columns)) = left.first() {
        let (long, short) = (rows.abs().max(columns.abs()), rows.abs().min(columns.abs()));
        let both = [whole((long, 0)), whole((long, long))].concat();
        if (short == 0 || short == long) && take(&mut left, &both) {
            phrases.push(format!("{long} {}", words.any));
        } else if take(&mut left, &whole((long, short))) {
            phrases.push(match short {
                0 => format!("{long} {}", words.straight),
                _ if short == long => format!("{long} {}", words.diagonally),
                _ => format!("{long} {}{}{short} {}", words.straight, words.and, words.columns[2]),
            });
        } else {
            phrases.push(partly(&mut left, (rows, columns), words));
        }
    }
    phrases
}

/// The phrase of a step with its mirror images, as far as they are there too.
fn partly(left: &mut Vec<Step>, (rows, columns): Step, words: &Words) -> String {
    let mirrored = [(rows, -columns), (-rows, columns), (-rows, -columns)];
    let all = take(left, &[(rows, columns), mirrored[0], mirrored[1], mirrored[2]]);
    let either_column = all || take(left, &[(rows, columns), mirrored[0]]);
    let either_row = all || !either_column && take(left, &[(rows, columns), mirrored[1]]);
    if !all && !either_column && !either_row {
        take(left, &[(rows, columns)]);
    }
    let row = words.rows[if either_row { 2 } else { usize::from(rows < 0) }];
    let column = words.columns[if either_column { 2 } else { usize::from(columns < 0) }];
    match (rows.abs(), columns.abs()) {
        (number, 0) => format!("{number} {row}"),
        (0, number) => format!("{number} {column}"),
        (a, b) if a == b && either_column => format!("{a} {} {row}", words.diagonally),
        (a, b) if a == b => format!("{a} {} {row} {column}", words.diagonally),
        (a, b) => format!("{a} {row}{}{b} {column}", words.and),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::variant::betza;

    #[test]
    fn a_notation_is_said_in_words() {
        for (notation, english) in [
            ("K", "goes 1 in any direction"),
            ("W", "goes 1 along a rank or file"),
            ("N", "goes 2 along a rank or file and 1 sideways"),
            ("B3", "goes 1 diagonally, at most 3 times in a row over empty squares"),
            (
                "mRcpR",
                "moves only 1 along a rank or file, any number of times in a row over empty \
                       squares; captures only 1 along a rank or file, over one piece and then any \
                       number of empty squares",
            ),
            (
                "fmWfceF",
                "moves only 1 forward; captures only 1 diagonally forward, also en passant",
            ),
            (
                "ifmnD",
                "moves only 2 forward, if the squares between are empty, only from the double \
                       step region",
            ),
            ("fN", "goes 2 forward and 1 sideways"),
            ("fsN", "goes 1 forward and 2 sideways"),
            ("lfN", "goes 2 forward and 1 to the left"),
            ("fbW", "goes 1 forward or backward"),
            ("WfF", "goes 1 along a rank or file; goes 1 diagonally forward"),
            ("fsW", "goes 1 forward, or 1 sideways"),
        ] {
            assert_eq!(moves(&betza::read(notation).unwrap(), Language::English), english);
        }
        let pawn = moves(&betza::read("fmWfceF").unwrap(), Language::Italian);
        let expected = "muove soltanto 1 in avanti; cattura soltanto 1 in diagonale in avanti, anche en passant";
        assert_eq!(pawn, expected);
    }

    /// Each phrase takes out of the steps what it says, so that nothing is said twice or left out.
    #[test]
    fn every_atom_in_every_direction_has_its_words() {
        for atom in ["W", "F", "D", "N", "A", "H", "C", "Z", "G", "K", "Q"] {
            for direction in ["", "f", "b", "s", "v", "l", "r", "fl", "fs", "bl", "fb", "lr"] {
                let Ok(parts) = betza::read(&format!("{direction}{atom}")) else { continue };
                for language in Language::ALL {
                    assert!(!moves(&parts, language).is_empty(), "{direction}{atom}");
                }
            }
        }
    }
}
