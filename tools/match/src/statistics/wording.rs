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

/// The columns of a terminal, which every table fits.
pub const COLUMNS: usize = 80;

/// A table of ranks, the first line first, from names and what stands behind them; `head` stands
/// above that. A name for which there is no room has a line of its own, so that no other line is
/// longer than [`COLUMNS`].
pub fn ranks<'a>(head: &str, rows: impl Iterator<Item = (&'a str, String)>) -> String {
    const RANK: usize = "Rank ".len();
    let rows: Vec<(&str, String)> = rows.collect();
    let length = |text: &str| text.chars().count();
    let behind = rows.iter().map(|(_, rest)| length(rest)).fold(length(head), usize::max);
    let longest = rows.iter().map(|(name, _)| length(name)).fold("Name".len(), usize::max);
    let width = longest.min(COLUMNS.saturating_sub(RANK + behind)).max("Name".len());
    let mut text = format!("Rank {:width$}{head}\n", "Name");
    for (rank, (name, rest)) in (1..).zip(&rows) {
        text += &format!("{rank:>4} {name:width$}");
        if length(name) > width {
            text += &format!("\n{:1$}", "", RANK + width);
        }
        text += &format!("{rest}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_fits_a_terminal_and_a_long_name_has_a_line_of_its_own() {
        let numbers = "1234567 ".repeat(8);
        let long = "x".repeat(30);
        let rows = [("Ann", format!("{numbers:>64}")), (&*long, format!("{numbers:>64}"))];
        let text = ranks(&format!("{:>64}", "Points"), rows.into_iter());
        let widths: Vec<usize> = text.lines().map(|line| line.chars().count()).collect();
        assert_eq!(widths, [80, 80, 35, 80], "{text}");
        assert!(text.lines().nth(2).unwrap().ends_with(&long), "{text}");
        let short = ranks("  Points", [("Ann", "      12".to_owned())].into_iter());
        assert_eq!(short, "Rank Name  Points\n   1 Ann       12\n");
    }
}
