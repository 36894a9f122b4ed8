//! How numbers are worded in result blocks, the same in every command: as fastchess does, but
//! where there is no number, or too few pairs for an interval, nothing is made up.

use crate::statistics::{Estimate, PairCounts};

/// Fewer pairs say too little about their own spread for a confidence interval.
const LEAST_PAIRS: u64 = 10;

/// Two decimals; `inf`, or `-` where the counts do not determine the number.
pub fn number(value: f64) -> String {
    if value.is_nan() { "-".to_string() } else { format!("{value:.2}") }
}

/// The error of an estimate from these pairs, if they show one.
pub fn error(estimate: Estimate, pairs: &PairCounts) -> Option<f64> {
    let known = estimate.error.is_finite() && pairs.pairs() >= LEAST_PAIRS;
    known.then_some(estimate.error)
}

/// A value with its error, such as `1.90 +/- 1.81`; the value alone where there is none.
pub fn with_error(estimate: Estimate, pairs: &PairCounts) -> String {
    let value = number(estimate.value);
    match error(estimate, pairs) {
        Some(error) => format!("{value} +/- {}", number(error)),
        None => value,
    }
}

/// The two lines on the difference in strength, each with its end.
pub fn strength(pairs: &PairCounts) -> String {
    format!(
        "Elo: {}, nElo: {}\nLOS: {} %, DrawRatio: {} %, PairsRatio: {}\n",
        with_error(pairs.elo(), pairs),
        with_error(pairs.normalized_elo(), pairs),
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

/// A text that no spreadsheet takes for a formula: one that begins like it gets an apostrophe.
pub fn no_formula(text: &str) -> String {
    match text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        true => format!("'{text}"),
        false => text.to_owned(),
    }
}
