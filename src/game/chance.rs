//! Random choices that are the same on every machine.
//!
//! The one idea: `fastrand` draws a `usize`, and with it an element of a list, from 64 random bits
//! or 32, as wide as a pointer is. So the same seed gives other games on another machine. Here an
//! index is always drawn from 64 bits, in the way that `fastrand` does where pointers have 64.

use std::ops::{Bound, RangeBounds};

use fastrand::Rng;

/// Choices by an index.
pub trait Chance {
    /// A random index in a range, which ends and is not empty.
    fn index(&mut self, range: impl RangeBounds<usize>) -> usize;

    /// A random element; none of an empty list.
    fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T>;

    /// Puts a list into random order.
    fn mix<T>(&mut self, list: &mut [T]);
}

impl Chance for Rng {
    #[inline(always)]
    fn index(&mut self, range: impl RangeBounds<usize>) -> usize {
        let wide = |bound: Bound<&usize>| bound.map(|&index| index as u64);
        self.u64((wide(range.start_bound()), wide(range.end_bound()))) as usize
    }

    #[inline(always)]
    fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        if list.is_empty() { None } else { Some(&list[self.index(..list.len())]) }
    }

    fn mix<T>(&mut self, list: &mut [T]) {
        for last in 1..list.len() {
            list.swap(last, self.index(..=last));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    #[test]
    fn a_seed_gives_the_same_choices_on_every_machine() {
        let mut rng = Rng::with_seed(1);
        let mut wide = Rng::with_seed(1);
        for count in 1..100 {
            assert_eq!(rng.index(..count) as u64, wide.u64(..count as u64));
        }
        let mut list: Vec<usize> = (0..100).collect();
        let mut expected = list.clone();
        rng.mix(&mut list);
        for last in 1..100 {
            expected.swap(last, wide.u64(..=last as u64) as usize);
        }
        assert_eq!(list, expected);
        assert_eq!(rng.pick(&list), Some(&list[wide.u64(..100) as usize]));
        assert_eq!(rng.pick::<u8>(&[]), None);
    }

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn choices_are_those_of_fastrand_where_pointers_have_64_bits() {
        for seed in 0..50 {
            let (mut ours, mut theirs) = (Rng::with_seed(seed), Rng::with_seed(seed));
            for count in 1..20 {
                let (mut our_list, mut their_list) = (vec![0; count], vec![0; count]);
                for (at, (our, their)) in our_list.iter_mut().zip(&mut their_list).enumerate() {
                    (*our, *their) = (at, at);
                }
                ours.mix(&mut our_list);
                theirs.shuffle(&mut their_list);
                assert_eq!(our_list, their_list);
                assert_eq!(ours.index(3..=count + 3), theirs.usize(3..=count + 3));
                assert_eq!(ours.index(..count), theirs.usize(..count));
                assert_eq!(ours.pick(&our_list), theirs.choice(&their_list));
            }
        }
    }

    /// The lines of a folder's sources that draw by the width of a pointer.
    fn draws(folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                draws(&path, found);
            } else if path.extension().is_some_and(|ext| ext == "rs")
                && !path.ends_with("chance.rs")
            {
                let text = fs::read_to_string(&path).unwrap();
                let words = [".usize(", ".isize(", ".choice(", ".shuffle(", ".choose_multiple("];
                let drawn = text.lines().filter(|line| {
                    words.iter().any(|word| line.contains(word))
                        || words.iter().any(|word| line.contains(&word.replace('.', "fastrand::")))
                });
                found.extend(drawn.map(|line| format!("{}: {}", path.display(), line.trim())));
            }
        }
    }

    #[test]
    fn nothing_in_the_workspace_draws_by_the_width_of_a_pointer() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut found = Vec::new();
        for folder in [
            "src",
            "tools/answers/src",
            "tools/match/src",
            "tools/src",
            "tools/board/src",
            "benches",
        ] {
            if root.join(folder).exists() {
                draws(&root.join(folder), &mut found);
            }
        }
        assert!(found.is_empty(), "use alesia::game::chance::Chance:\n{}", found.join("\n"));
    }
}
