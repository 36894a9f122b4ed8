//! Weights that are learned for a variant, and their file.
//!
//! The one idea: the computed evaluation is kept, and a small network corrects it; what the network
//! sees follows from the definition, so a file belongs to one definition and says which. The first
//! line of the file has the form `alesia weights 2: NAME DEFINITION, 32 hidden, N inputs, N rows,
//! base N/64, sum SUM`. DEFINITION is a hash of the definition, NAME only says whose it is. SUM is
//! a hash of all that stands before it and of what follows: the numbers of [`LoadedNetwork`], 16
//! bits each, the low byte first. In version 1 it was one of the numbers alone.

use super::layout::{HIDDEN, Layout, WHOLE_BASE};
use crate::eval::network::LoadedNetwork;
use crate::eval::weights_file::{WeightsFile, hash};
use crate::game::{ParseError, quoted};
use crate::games::variant::read::tables::Tables;

/// Max base.
pub const MAX_BASE: i32 = 4 * WHOLE_BASE;

/// Max length of the first line.
const MAX_HEAD: usize = 300;

/// How the first line begins, and the versions of the form, the present one last.
const MAGIC: &str = "alesia weights ";
const VERSIONS: [&str; 2] = ["1", "2"];

/// Learned weights.
#[derive(Clone)]
pub struct Learned {
    /// Corrects the computed evaluation.
    pub network: LoadedNetwork<HIDDEN>,
    /// What it sees.
    pub layout: Layout,
    /// The share of the computed score in the value, in 64ths.
    pub base: i32,
}

/// The first line of a file up to its sum.
fn head(version: &str, name: &str, tables: &Tables, layout: &Layout, base: i32) -> String {
    let (inputs, rows) = (layout.inputs(), layout.move_rows());
    format!(
        "{MAGIC}{version}: {name} {:016x}, {HIDDEN} hidden, {inputs} inputs, {rows} rows, \
         base {base}/{WHOLE_BASE}",
        tables.definition.fingerprint
    )
}

/// The sum of a file of that version.
fn sum_of(version: &str, head: &str, numbers: &[u8]) -> u64 {
    match version {
        "1" => hash(numbers),
        _ => hash(&[head.as_bytes(), numbers].concat()),
    }
}

/// The content of a file with these numbers, as many bytes as the layout of the rules needs.
pub fn weights_file(tables: &Tables, base: i32, numbers: &[u8]) -> Vec<u8> {
    let layout = Layout::of(tables);
    let version = VERSIONS[VERSIONS.len() - 1];
    let head = head(version, &tables.definition.name, tables, &layout, base);
    let sum = sum_of(version, &head, numbers);
    [format!("{head}, sum {sum:016x}\n").as_bytes(), numbers].concat()
}

/// The bytes of the numbers in a file, if it is one for these rules.
///
/// # Errors
/// It is none, or one of other rules, or damaged.
pub fn numbers_of<'f>(tables: &Tables, file: &'f WeightsFile) -> Result<&'f [u8], ParseError> {
    Ok(parts(tables, &Layout::of(tables), file)?.1)
}

/// The base and the bytes of the numbers.
fn parts<'f>(
    tables: &Tables,
    layout: &Layout,
    file: &'f WeightsFile,
) -> Result<(i32, &'f [u8]), ParseError> {
    let bytes = file.bytes();
    let end = bytes.iter().take(MAX_HEAD).position(|&byte| byte == b'\n');
    let line = end.and_then(|end| str::from_utf8(&bytes[..end]).ok());
    let begun = line.and_then(|line| line.strip_prefix(MAGIC)?.split_once(": "));
    let (Some(line), Some((version, said))) = (line, begun) else {
        let expected =
            format!("a file that begins with `{MAGIC}`, as `alesia-lab train tune` writes it");
        return Err(file.error("another file", expected));
    };
    if !VERSIONS.contains(&version) {
        let expected = format!("version {}", VERSIONS.join(" or "));
        return Err(file.error(format!("version {}", quoted(version)), expected));
    }
    let malformed = || {
        let expected = "a first line as `alesia-lab train tune` writes it for this variant";
        file.error(quoted(line), expected)
    };
    let (owner, rest) = said.split_once(", ").ok_or_else(malformed)?;
    let (name, fingerprint) = owner.rsplit_once(' ').ok_or_else(malformed)?;
    let own = format!("{:016x}", tables.definition.fingerprint);
    if fingerprint != own {
        let expected = format!("weights of {} with the definition {own}", tables.definition.name);
        return Err(file.error(format!("those of {name} with {fingerprint}"), expected));
    }
    let number = |before: &str, after: char| {
        let (_, rest) = rest.split_once(before)?;
        Some(rest.split_once(after).map_or(rest, |(number, _)| number))
    };
    let base = number("base ", '/').and_then(|base| base.parse().ok());
    let base: i32 = base.filter(|base| (0..=MAX_BASE).contains(base)).ok_or_else(malformed)?;
    let sum = number("sum ", ' ').and_then(|sum| u64::from_str_radix(sum, 16).ok());
    let sum = sum.ok_or_else(malformed)?;
    let head = head(version, name, tables, layout, base);
    if line != format!("{head}, sum {sum:016x}") {
        return Err(malformed());
    }
    let numbers = &bytes[line.len() + 1..];
    let found = sum_of(version, &head, numbers);
    if found != sum {
        let found = format!("{} bytes of numbers with the sum {found:016x}", numbers.len());
        return Err(file.error(found, format!("the sum {sum:016x} of the first line")));
    }
    Ok((base, numbers))
}

impl Learned {
    /// The weights of a file for some rules.
    ///
    /// # Errors
    /// It is no such file.
    pub fn read(tables: &Tables, file: &WeightsFile) -> Result<Learned, ParseError> {
        let layout = Layout::of(tables);
        let (base, numbers) = parts(tables, &layout, file)?;
        let (inputs, rows) = (layout.inputs(), layout.move_rows());
        let network = LoadedNetwork::from_bytes(numbers, inputs, rows).ok_or_else(|| {
            let bytes = LoadedNetwork::<HIDDEN>::bytes(inputs, rows);
            let expected = format!("{bytes} bytes of numbers, and no weight of the value over 127");
            file.error(format!("{} bytes of numbers", numbers.len()), expected)
        })?;
        Ok(Learned { network, layout, base })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluate;
    use crate::game::{GameState, MoveList};
    use crate::games::BuiltIn;
    use crate::games::variant::{Chosen, Variant};
    use crate::search::clock::Budget;
    use crate::search::{EngineKind, EngineOptions};

    fn start(name: &str) -> Variant {
        Variant::set_up(Chosen::of_name(name).unwrap())
    }

    /// A file with random numbers.
    fn file(start: Variant, seed: u64) -> Vec<u8> {
        let layout = Layout::of(start.rules);
        let bytes = LoadedNetwork::<HIDDEN>::bytes(layout.inputs(), layout.move_rows());
        let mut rng = fastrand::Rng::with_seed(seed);
        let numbers: Vec<u8> =
            (0..bytes / 2).flat_map(|_| rng.i16(-60..=60).to_le_bytes()).collect();
        weights_file(start.rules, 48, &numbers)
    }

    fn kept(start: Variant, seed: u64) -> &'static WeightsFile {
        WeightsFile::keep("some.weights".to_owned(), file(start, seed))
    }

    #[test]
    fn weights_change_score_and_priors_of_the_positions_that_have_them() {
        let plain = start("variant:gardner");
        let with = plain.with_weights(kept(plain, 1)).unwrap();
        assert!(std::ptr::eq(with.rules, plain.with_weights(kept(plain, 1)).unwrap().rules));
        let mut moves = MoveList::new();
        crate::game::Game::moves(&plain, &mut moves);
        let look = |position: &Variant| {
            let mut weights = vec![0.0; moves.len()];
            position.weigh(&moves, &mut weights);
            (position.evaluate(), weights)
        };
        assert_ne!(look(&plain).0, look(&with).0);
        assert_ne!(look(&plain).1, look(&with).1);
        assert_eq!(look(&plain.evaluated_like(&with)), look(&with));
        assert_eq!(look(&with.evaluated_like(&plain)), look(&plain));
        // A network of zeros leaves the computed score, and a base of nothing does not.
        for (base, score) in [(64, plain.evaluate()), (32, plain.evaluate() / 2), (0, 0)] {
            let zeros = vec![0; file(plain, 1).len() - head_length(plain)];
            let file = weights_file(plain.rules, base, &zeros);
            let with = plain.with_weights(WeightsFile::keep("zeros".to_owned(), file)).unwrap();
            assert_eq!(with.evaluate(), score);
        }
    }

    fn head_length(start: Variant) -> usize {
        file(start, 1).iter().position(|&byte| byte == b'\n').unwrap() + 1
    }

    #[test]
    fn both_engines_read_weights_and_the_game_stays_as_it_is() {
        let plain = start("variant:losalamos");
        let state = GameState::new(plain);
        for kind in [EngineKind::MonteCarlo, EngineKind::AlphaBeta] {
            let value = |weights| {
                let options = EngineOptions { memory: 4 << 20, weights, ..Default::default() };
                let mut engine = kind.build_for(plain, &options).unwrap();
                let report = engine.think(&state, &Budget::nodes(300), &mut |_| {});
                assert!(plain.parse_legal(report.best), "{kind}");
                report.value
            };
            let (with, without) = (value(Some(kept(plain, 1))), value(None));
            assert_ne!(with, without, "{kind}");
            assert_ne!(with, value(Some(kept(plain, 2))), "{kind}");
            assert_eq!(without, value(None), "{kind}");
        }
    }

    impl Variant {
        fn parse_legal(&self, m: crate::game::Move) -> bool {
            let mut moves = MoveList::new();
            crate::game::Game::moves(self, &mut moves);
            moves.contains(&m)
        }
    }

    #[test]
    fn the_same_definition_under_another_name_has_the_same_weights() {
        let own = "[mine]\nking = k\nrook = r\nmaxFile = 4\nmaxRank = 4\n\
                   startFen = kr2/4/4/2RK w - - 0 1\ncastling = false\n";
        let other = "[other]\ncastling = false\nmaxRank = 4 # four\nmaxFile = 4\nrook = r\n\
                     king = k\nstartFen = kr2/4/4/2RK w - - 0 1\n";
        let open = |text: &str| {
            let all = crate::games::variant::load("learned.ini", text.to_owned()).unwrap();
            Variant::set_up(all[0])
        };
        let (own, other) = (open(own), open(other));
        assert!(other.with_weights(kept(own, 1)).is_ok());
        let longer = open(
            "[mine]\nking = k\nrook = r\nmaxFile = 4\nmaxRank = 4\n\
                           startFen = k1r1/4/4/2RK w - - 0 1\ncastling = false\n",
        );
        assert!(longer.with_weights(kept(own, 1)).is_err());
    }

    #[test]
    fn a_file_of_the_first_version_is_read() {
        let plain = start("variant:gardner");
        let file = file(plain, 1);
        let (head, numbers) = file.split_at(head_length(plain));
        let head = str::from_utf8(head).unwrap().replace("weights 2:", "weights 1:");
        let (head, _) = head.split_once(", sum ").unwrap();
        let old = [format!("{head}, sum {:016x}\n", hash(numbers)).as_bytes(), numbers].concat();
        let old = WeightsFile::keep("old.weights".to_owned(), old);
        assert_eq!(numbers_of(plain.rules, old).unwrap(), numbers);
    }

    #[test]
    fn any_other_file_is_refused_in_one_line() {
        let chess = start("variant:gardner");
        let whole = file(chess, 1);
        let changed = |at: usize| {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            bytes
        };
        let head = head_length(chess);
        let first = String::from_utf8(whole[..head].to_vec()).unwrap();
        let with_first = |from: &str, to: &str| {
            assert!(first.contains(from), "{first}");
            [first.replace(from, to).as_bytes(), &whole[head..]].concat()
        };
        let mut large = whole[head..].to_vec();
        let layout = Layout::of(chess.rules);
        let at = 2 * HIDDEN * (layout.inputs() + 1);
        large[at..at + 2].copy_from_slice(&128i16.to_le_bytes());
        let own = format!("{:016x}", chess.rules.definition.fingerprint);
        let of_amazon = file(start("variant:losalamos"), 1);
        let cases = [
            (Vec::new(), "found another file, expected a file that begins with `alesia weights `"),
            (b"alesia weights 1".to_vec(), "found another file"),
            (b"\xff\n".to_vec(), "found another file"),
            (with_first("weights 2:", "weights 3:"), "found version `3`, expected version 1 or 2"),
            (of_amazon, "found those of losalamos with "),
            (
                with_first(&own, "0000000000000000"),
                "expected weights of gardner with the definition",
            ),
            (
                with_first("32 hidden", "16 hidden"),
                "expected a first line as `alesia-lab train tune` writes",
            ),
            (
                with_first("base 48", "base 999"),
                "expected a first line as `alesia-lab train tune` writes",
            ),
            (
                with_first("base 48", "base -8"),
                "expected a first line as `alesia-lab train tune` writes",
            ),
            (
                with_first("sum ", "sum x"),
                "expected a first line as `alesia-lab train tune` writes",
            ),
            (with_first(": gardner ", ": gardener "), "of the first line"),
            (with_first("base 48", "base 47"), "of the first line"),
            (changed(head), "of the first line"),
            (whole[..whole.len() - 1].to_vec(), "of the first line"),
            ([&whole[..], b"\0"].concat(), "of the first line"),
            (weights_file(chess.rules, 48, &large), "no weight of the value over 127"),
            (weights_file(chess.rules, 48, &[0; 10]), "found 10 bytes of numbers, expected "),
        ];
        for (bytes, expected) in cases {
            let file = WeightsFile::keep("some.weights".to_owned(), bytes);
            let error = chess.with_weights(file).unwrap_err().to_string();
            assert!(error.starts_with("some.weights: "), "{error}");
            assert!(error.contains(expected), "{error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
        let murus = crate::games::Murus::start();
        let error = murus.with_weights(kept(chess, 1)).unwrap_err().to_string();
        assert_eq!(
            error,
            "some.weights: found weights, expected none: those of Murus Gallicus are compiled in"
        );
    }
}
