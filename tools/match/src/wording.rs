//! How numbers are worded in result blocks, the same in every command: as fastchess does.

use crate::statistics::{Estimate, PairCounts};

/// Two decimals; `inf` and `nan` where the counts do not determine the number.
pub fn number(value: f64) -> String {
    if value.is_nan() { "nan".to_string() } else { format!("{value:.2}") }
}

/// A value with its error, such as `1.90 +/- 1.81`.
pub fn with_error(estimate: Estimate) -> String {
    format!("{} +/- {}", number(estimate.value), number(estimate.error))
}

/// The two lines on the difference in strength, each with its end.
pub fn strength(pairs: &PairCounts) -> String {
    format!(
        "Elo: {}, nElo: {}\nLOS: {} %, DrawRatio: {} %, PairsRatio: {}\n",
        with_error(pairs.elo()),
        with_error(pairs.normalized_elo()),
        number(100.0 * pairs.likelihood_of_superiority()),
        number(100.0 * pairs.draw_ratio()),
        number(pairs.pairs_ratio()),
    )
}

/// The counts in brackets, from both games lost to both won.
pub fn counts(pairs: &PairCounts) -> String {
    let PairCounts([loss_loss, loss_draw, even, win_draw, win_win]) = *pairs;
    format!("Ptnml(0-2): [{loss_loss}, {loss_draw}, {even}, {win_draw}, {win_win}]")
}
