//! The games of a match that a test has ended.
//!
//! The one idea: games that were being played when the test decided were played to their end and
//! are in the file, but the match did not count them; so its report does not either.

use alesia::record::game_record::GameRecord;
use alesia_match::run::results::Irregular;
use alesia_match::statistics::{SequentialTest, Tally, Verdict};

/// The games in the order of the match until a pair decides the test, where others follow.
pub fn until_decided(records: &[GameRecord], test: &SequentialTest) -> Option<Vec<GameRecord>> {
    let mut sorted: Vec<&GameRecord> = records.iter().collect();
    sorted.sort_by_key(|record| record.key);
    let (mut tally, mut irregular) = (Tally::default(), Irregular::default());
    let mut first = None;
    let decides = |record: &&GameRecord| {
        irregular.count(record.cause);
        let (pair, score) = ((record.key.seed, record.key.pair), record.score_of_first());
        match first.take() {
            Some((before, of_first)) if before == pair => tally.add([of_first, score]),
            _ => {
                first = Some((pair, score));
                return false;
            }
        }
        let ratio = tally.pairs.log_likelihood_ratio(test);
        !irregular.is_void() && test.verdict(ratio) != Verdict::Undecided
    };
    let last = sorted.iter().position(decides)?;
    sorted.truncate(last + 1);
    (sorted.len() < records.len()).then(|| sorted.into_iter().cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alesia::record::end::Cause;
    use alesia::record::game_record::{Key, Occasion, Winner};
    use alesia_match::command::options::test_of;

    fn game(pair: u32, leg: u8) -> GameRecord {
        let (white, black) = if leg == 0 { ("A", "B") } else { ("B", "A") };
        GameRecord {
            key: Key { seed: 7, pair, leg },
            game: "hadron2x2".into(),
            white: white.into(),
            black: black.into(),
            board: None,
            definition: None,
            rules: None,
            occasion: Occasion::default(),
            opening: Vec::new(),
            moves: Vec::new(),
            // A wins three games of four.
            result: if leg == 0 || pair % 2 == 1 { Winner::White } else { Winner::Black },
            cause: Cause::Reported,
            reason: String::new(),
        }
    }

    #[test]
    fn the_order_in_which_games_ended_does_not_change_what_counts() {
        let words = ["-sprt", "elo0=0", "elo1=100"].map(str::to_owned);
        let test = test_of(&words).unwrap();
        let games: Vec<GameRecord> =
            (0..200).flat_map(|pair| [0, 1].map(|leg| game(pair, leg))).collect();
        let counted = until_decided(&games, &test).unwrap();
        assert_eq!(counted, games[..counted.len()]);
        assert!(counted.len().is_multiple_of(2) && counted.len() > 4, "{} games", counted.len());
        let mut otherwise = games[..counted.len() + 6].to_vec();
        otherwise.reverse();
        assert_eq!(until_decided(&otherwise, &test).unwrap(), counted);
        assert!(until_decided(&counted, &test).is_none(), "no others follow");
        assert!(until_decided(&games[..counted.len() - 2], &test).is_none(), "undecided");
    }
}
