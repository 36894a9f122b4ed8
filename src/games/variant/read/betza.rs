//! Betza's notation of how a piece moves, such as `mRcpR` or `fmWfceF`.
//!
//! The one idea: a text is a list of parts, each with modifiers before one atom. A part becomes a
//! set of steps (rows forward, columns to the right) and the way in which they are taken.
//!
//! Source: Ralph Betza's notation as the grammar of `variants.ini` reads it, in particular for
//! pairs of directions: of `lf`, the second letter is the longer way.

use crate::game::{ParseError, quoted};

/// A step: rows forward and columns to the right, as the piece's side sees the board.
pub type Step = (i32, i32);

/// How the steps of a part are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Once, over whatever is between.
    Leap,
    /// Once, where the cells on the shortest way are empty squares.
    Lame,
    /// Repeatedly over empty squares, at most so often; no limit is 0.
    Ride(u32),
    /// Over one piece, and then any number of empty squares.
    Hop,
    /// Over one piece to the cell behind it.
    HopToNext,
}

/// One part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its steps, each once.
    pub steps: Vec<Step>,
    /// How they are taken.
    pub reach: Reach,
    /// Whether it moves to empty squares.
    pub quiet: bool,
    /// Whether it captures.
    pub capture: bool,
    /// Whether it is only for the first move, that is for moves from the double step region.
    pub initial: bool,
    /// Whether it captures en passant.
    pub en_passant: bool,
}

/// The atoms, and the longer and the shorter way of their leaps.
const ATOMS: [(char, &[Step]); 13] = [
    ('W', &[(1, 0)]),
    ('F', &[(1, 1)]),
    ('D', &[(2, 0)]),
    ('N', &[(2, 1)]),
    ('A', &[(2, 2)]),
    ('H', &[(3, 0)]),
    ('C', &[(3, 1)]),
    ('Z', &[(3, 2)]),
    ('G', &[(3, 3)]),
    ('K', &[(1, 0), (1, 1)]),
    ('R', &[(1, 0)]),
    ('B', &[(1, 1)]),
    ('Q', &[(1, 0), (1, 1)]),
];

const EXPECTED: &str = "Betza's notation: modifiers of m c i e n p g and f b s l r v before one \
                        of W F D N A H C Z G K R B Q, which a number or the same letter may follow";

/// What stands before an atom.
#[derive(Default)]
struct Modifiers {
    quiet: bool,
    capture: bool,
    initial: bool,
    en_passant: bool,
    lame: bool,
    hop: bool,
    hop_to_next: bool,
    directions: Vec<[char; 2]>,
}

/// Reads a text. The error names the place in it.
pub fn read(text: &str) -> Result<Vec<Part>, ParseError> {
    let letters: Vec<char> = text.chars().collect();
    let mut parts = Vec::new();
    let mut modifiers = Modifiers::default();
    let mut at = 0;
    while at < letters.len() {
        let letter = letters[at];
        let next = letters.get(at + 1).copied();
        at += 1;
        let doubled = match letter {
            'm' => std::mem::replace(&mut modifiers.quiet, true),
            'c' => std::mem::replace(&mut modifiers.capture, true),
            'i' => std::mem::replace(&mut modifiers.initial, true),
            'e' => std::mem::replace(&mut modifiers.en_passant, true),
            'n' => std::mem::replace(&mut modifiers.lame, true),
            'p' => std::mem::replace(&mut modifiers.hop, true),
            'g' => std::mem::replace(&mut modifiers.hop_to_next, true),
            'f' | 'b' | 'v' | 's' | 'l' | 'r' => {
                let is_pair = next.is_some_and(|next| {
                    next == letter
                        || is_vertical(letter) && is_horizontal(next)
                        || is_horizontal(letter) && is_vertical(next)
                });
                at += usize::from(is_pair);
                let pair = [letter, next.filter(|_| is_pair).unwrap_or(letter)];
                let known = modifiers.directions.contains(&pair);
                modifiers.directions.push(pair);
                known
            }
            _ => {
                let Some(&(_, steps)) = ATOMS.iter().find(|(atom, _)| *atom == letter) else {
                    return Err(error(&letters, at - 1, EXPECTED));
                };
                let (limit, used) = limit(letter, next);
                at += used;
                let part = part(std::mem::take(&mut modifiers), letter, steps, limit);
                parts.push(part.map_err(|expected| error(&letters, at - 1, expected))?);
                false
            }
        };
        if doubled {
            return Err(error(&letters, at - 1, "each modifier once before an atom"));
        }
    }
    if parts.is_empty() || !matches!(letters.last(), Some('A'..='Z' | '0'..='9')) {
        return Err(error(&letters, letters.len(), EXPECTED));
    }
    Ok(parts)
}

fn is_vertical(letter: char) -> bool {
    "fbv".contains(letter)
}

fn is_horizontal(letter: char) -> bool {
    "slr".contains(letter)
}

/// How often the steps of an atom may be taken, none where it leaps, and how many letters after it
/// say so.
fn limit(atom: char, next: Option<char>) -> (Option<u32>, usize) {
    match next.and_then(|next| next.to_digit(10)) {
        Some(digit) if digit > 0 => (Some(digit), 1),
        _ if "RBQ".contains(atom) => (Some(0), 0),
        _ if next == Some(atom) => (Some(0), 1),
        _ => (None, 0),
    }
}

/// Puts a part together; the error says what was expected.
fn part(
    modifiers: Modifiers,
    atom: char,
    ways: &[Step],
    limit: Option<u32>,
) -> Result<Part, &'static str> {
    let hops = modifiers.hop || modifiers.hop_to_next;
    let reach = match (limit, hops, modifiers.lame) {
        (Some(0), true, false) if "RBQ".contains(atom) => {
            if modifiers.hop && modifiers.hop_to_next {
                return Err("p or g, not both");
            }
            if modifiers.hop { Reach::Hop } else { Reach::HopToNext }
        }
        (_, true, _) => return Err("p and g before R, B or Q alone, without a number"),
        (None, false, true) => Reach::Lame,
        (Some(_), false, true) => return Err("n before an atom that leaps once"),
        (Some(limit), false, false) => Reach::Ride(limit),
        (None, false, false) => Reach::Leap,
    };
    if modifiers.en_passant && !(reach == Reach::Leap && modifiers.capture && !modifiers.initial) {
        return Err("e with c, before an atom that leaps once, without i");
    }
    let mut steps = Vec::new();
    for &way in ways {
        let directions = split(&modifiers.directions, ways.len() == 1 && way.1 == 0);
        for step in directed(way, &directions) {
            if !steps.contains(&step) {
                steps.push(step);
            }
        }
    }
    if steps.is_empty() {
        return Err("a direction in which the atom leads");
    }
    let both = !modifiers.quiet && !modifiers.capture;
    Ok(Part {
        steps,
        reach,
        quiet: both || modifiers.quiet,
        capture: both || modifiers.capture,
        initial: modifiers.initial,
        en_passant: modifiers.en_passant,
    })
}

/// For an orthogonal atom a pair such as `fs` means either letter: forward, and sideways.
fn split(directions: &[[char; 2]], is_orthogonal: bool) -> Vec<[char; 2]> {
    let mut all = Vec::new();
    for &[first, second] in directions {
        if is_orthogonal && first != second {
            all.extend([[first, first], [second, second]]);
        } else {
            all.push([first, second]);
        }
    }
    all
}

/// The steps of a leap in the given directions; in all of them where none is given.
fn directed((long, short): Step, directions: &[[char; 2]]) -> Vec<Step> {
    let each: [(Step, &[&str]); 8] = [
        ((long, short), &["ff", "vv", "rf", "rv"]),
        ((long, -short), &["ff", "vv", "lf", "lv"]),
        ((-long, short), &["bb", "vv", "rb", "rv"]),
        ((-long, -short), &["bb", "vv", "lb", "lv"]),
        ((short, long), &["rr", "ss", "fr", "fs"]),
        ((-short, long), &["rr", "ss", "br", "bs"]),
        ((short, -long), &["ll", "ss", "fl", "fs"]),
        ((-short, -long), &["ll", "ss", "bl", "bs"]),
    ];
    // Of `sf`, `sb`, `vr` and `vl` both halves are meant.
    let halves = |pair: [char; 2]| -> Vec<String> {
        let of = |letter| match letter {
            'v' if pair[1] != 'v' => "fb".to_owned(),
            's' if pair[1] != 's' => "lr".to_owned(),
            other => String::from(other),
        };
        of(pair[0]).chars().map(|first| format!("{first}{}", pair[1])).collect()
    };
    let wanted: Vec<String> = directions.iter().flat_map(|&pair| halves(pair)).collect();
    let is_wanted =
        |names: &[&str]| wanted.is_empty() || wanted.iter().any(|name| names.contains(&&**name));
    each.into_iter().filter(|(_, names)| is_wanted(names)).map(|(step, _)| step).collect()
}

/// The error at a letter, counted from 0.
fn error(letters: &[char], at: usize, expected: &str) -> ParseError {
    let found = match letters.get(at) {
        Some(letter) => quoted(&letter.to_string()),
        None => "the end".to_owned(),
    };
    ParseError::new(format!("character {}", at + 1), found, expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(text: &str) -> Vec<Step> {
        let parts = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let mut steps: Vec<Step> = parts.into_iter().flat_map(|part| part.steps).collect();
        steps.sort_unstable();
        steps
    }

    #[test]
    fn directions_choose_among_the_steps_of_an_atom() {
        assert_eq!(steps("W"), [(-1, 0), (0, -1), (0, 1), (1, 0)]);
        assert_eq!(steps("N").len(), 8);
        assert_eq!(steps("K").len(), 8);
        assert_eq!(steps("fW"), [(1, 0)]);
        assert_eq!(steps("fsW"), [(0, -1), (0, 1), (1, 0)]);
        assert_eq!(steps("fF"), [(1, -1), (1, 1)]);
        assert_eq!(steps("blF"), [(-1, -1)]);
        assert_eq!(steps("fN"), [(2, -1), (2, 1)]);
        assert_eq!(steps("fsN"), [(1, -2), (1, 2)]);
        assert_eq!(steps("lfN"), [(2, -1)]);
        assert_eq!(steps("flN"), [(1, -2)]);
        assert_eq!(steps("vN"), [(-2, -1), (-2, 1), (2, -1), (2, 1)]);
        assert_eq!(steps("sD"), [(0, -2), (0, 2)]);
        assert_eq!(steps("fbW"), [(-1, 0), (1, 0)]);
        assert_eq!(steps("FfW").len(), 5);
        assert_eq!(steps("fQ"), [(1, -1), (1, 0), (1, 1)]);
        assert_eq!(steps("fsK"), [(0, -1), (0, 1), (1, -1), (1, 1)]);
        assert_eq!(steps("sK").len(), 6);
        assert_eq!(steps("fNfsN").len(), 4);
    }

    #[test]
    fn modifiers_say_how_steps_are_taken() {
        let one = |text: &str| read(text).unwrap().pop().unwrap();
        assert_eq!(one("R").reach, Reach::Ride(0));
        assert_eq!(one("R3").reach, Reach::Ride(3));
        assert_eq!(one("NN").reach, Reach::Ride(0));
        assert_eq!(one("N2").reach, Reach::Ride(2));
        assert_eq!(one("nN").reach, Reach::Lame);
        assert_eq!(one("gQ").reach, Reach::HopToNext);
        let cannon = read("mRcpR").unwrap();
        assert_eq!(
            (cannon[0].quiet, cannon[0].capture, cannon[0].reach),
            (true, false, Reach::Ride(0))
        );
        assert_eq!(
            (cannon[1].quiet, cannon[1].capture, cannon[1].reach),
            (false, true, Reach::Hop)
        );
        let pawn = read("fmWfceFifmnD").unwrap();
        assert!(pawn[1].en_passant && pawn[1].capture && !pawn[1].quiet);
        assert!(pawn[2].initial && pawn[2].reach == Reach::Lame && pawn[2].steps == [(2, 0)]);
    }

    #[test]
    fn refuses_bad_notation_with_its_place() {
        for (text, expected) in [
            ("", "character 1: found the end"),
            ("f", "character 2: found the end"),
            ("Wx", "character 2: found `x`"),
            ("WL", "character 2: found `L`"),
            ("hW", "character 1: found `h`"),
            ("mmW", "character 2: found `m`, expected each modifier once"),
            ("pN", "character 2: found `N`, expected p and g before R, B or Q"),
            ("pR3", "character 3: found `3`, expected p and g before R, B or Q"),
            ("pgR", "character 3: found `R`, expected p or g, not both"),
            ("nR", "character 2: found `R`, expected n before an atom that leaps once"),
            ("eF", "character 2: found `F`, expected e with c"),
            ("R0", "character 2: found `0`"),
        ] {
            let error = read(text).expect_err(text).to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}
