//! The seeds with which a simulation has failed once, which CI tries for ever.

use std::fs;

use crate::root;

/// The seeds of a check in `tests/data/failed_seeds.tsv`, which says what its lines are.
///
/// # Panics
/// The file cannot be read, or has another form.
pub fn failed_seeds(check: &str) -> Vec<u64> {
    let text = fs::read_to_string(root().join("tests/data/failed_seeds.tsv")).expect("it is there");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let seeds = lines.map(|line| {
        let [own, seed, _commit] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("failed_seeds.tsv: found {line:?}, expected a check, a seed and a commit")
        };
        (own, seed.parse().unwrap_or_else(|_| panic!("failed_seeds.tsv: found the seed {seed:?}")))
    });
    seeds.filter(|(own, _)| *own == check).map(|(_, seed)| seed).collect()
}
