//! Secrets: random names that nobody guesses, and their comparison.

use std::hint::black_box;

/// Whether two secrets are equal, in a time that does not depend on where they differ.
pub fn same(left: &str, right: &str) -> bool {
    // The box keeps the compiler from ending the comparison early.
    let differ = |all, (a, b): (u8, u8)| black_box(all | (a ^ b));
    let difference = left.bytes().zip(right.bytes()).fold(0, differ);
    left.len() == right.len() && difference == 0
}

/// A random secret.
pub fn secret() -> String {
    const BYTES: usize = 16;
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_random() {
        assert_ne!(secret(), secret());
    }

    #[test]
    fn secrets_are_the_same_only_as_a_whole() {
        assert!(same("abc", "abc") && same("", ""));
        for other in ["", "ab", "abd", "abcd", "bbc"] {
            assert!(!same("abc", other) && !same(other, "abc"));
        }
    }
}
