//! Words that are nearly those that are known.

/// Max bytes of a word that is compared: every comparison takes time in proportion to its length.
const LONGEST: usize = 100;

/// The known word that a mistyped one most likely means: another case, or a few letters beside.
pub fn near<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST {
        return None;
    }
    let word = word.to_ascii_lowercase();
    let most = (word.chars().count() / 3).clamp(1, 4);
    let distance = |other: &str| strsim::osa_distance(&word, &other.to_ascii_lowercase());
    let near = known.map(|other| (distance(other), other)).min_by_key(|&(letters, _)| letters);
    near.filter(|&(letters, _)| letters <= most).map(|(_, other)| other)
}

#[cfg(test)]
mod tests {
    use super::near;

    #[test]
    fn a_slip_of_a_few_letters_is_understood_and_no_other_word() {
        let known = ["maxRank", "maxFile", "startFen"];
        for (word, expected) in [
            ("maxrank", Some("maxRank")),
            ("maxFiel", Some("maxFile")),
            ("startFens", Some("startFen")),
            ("pieceDrops", None),
            ("x", None),
        ] {
            assert_eq!(near(word, known.into_iter()), expected, "{word}");
        }
    }
}
