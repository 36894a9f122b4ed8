//! What a match prints, worded like fastchess.

use alesia::duel::Limit;

use super::entrant::Entrant;
use super::options::Options;
use crate::statistics::{SequentialTest, Tally, Verdict};
use crate::wording::{counts, number, strength, with_error};

/// The result block, and below it what the sequential test has decided.
pub fn block(tally: &Tally, options: &Options) -> String {
    let [first, second] = &options.entrants;
    let Tally { pairs, wins, losses, draws, .. } = tally;
    let mut text = format!(
        "Results of {} vs {} ({}):\n{}\
         Games: {}, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: {:.1} ({} %)\n\
         {}, WL/DD Ratio: {}\n",
        first.name,
        second.name,
        conditions(options),
        strength(pairs),
        pairs.games(),
        pairs.points(),
        number(100.0 * pairs.score()),
        counts(pairs),
        number(tally.win_loss_ratio()),
    );
    if let Some(test) = &options.test {
        text.push_str(&log_likelihood(tally, test));
        text.push('\n');
        let accepted = match test.verdict(tally.pairs.log_likelihood_ratio(test)) {
            Verdict::H0 => "H0",
            Verdict::H1 => "H1",
            Verdict::Undecided => return text,
        };
        let hypotheses = hypotheses(test);
        text.push_str(&format!("SPRT ({hypotheses}) completed - {accepted} was accepted\n"));
    }
    text
}

/// The progress after some rounds, on one line.
pub fn progress(tally: &Tally, options: &Options) -> String {
    let pairs = &tally.pairs;
    let mut line = format!("Rounds: {}/{}, {}", pairs.pairs(), options.rounds, counts(pairs));
    line.push_str(&format!(", Elo: {}", with_error(pairs.elo())));
    if let Some(test) = &options.test {
        line.push_str(&format!(", {}", log_likelihood(tally, test)));
    }
    line
}

/// The log-likelihood ratio and what it is measured by.
fn log_likelihood(tally: &Tally, test: &SequentialTest) -> String {
    let ratio = tally.pairs.log_likelihood_ratio(test);
    format!(
        "LLR: {} ({:.1}%) ({}, {}) {}",
        number(ratio),
        100.0 * test.progress(ratio),
        number(test.lower_bound()),
        number(test.upper_bound()),
        hypotheses(test),
    )
}

fn hypotheses(test: &SequentialTest) -> String {
    format!("[{}, {}]", number(test.elo0()), number(test.elo1()))
}

/// Under what conditions was played; where they differ, those of both.
fn conditions(options: &Options) -> String {
    let both = |part: fn(&Entrant) -> String| {
        let [first, second] = options.entrants.each_ref().map(part);
        if first == second { first } else { format!("{first} - {second}") }
    };
    let limit = both(|entrant| match entrant.limit {
        Limit::Time(time) => format!("{}/move", time.as_secs_f64()),
        Limit::Nodes(nodes) => format!("{nodes} nodes"),
    });
    let threads = both(|entrant| format!("{}t", entrant.options.threads));
    let memory = both(|entrant| match entrant.options.memory {
        bytes if bytes % (1 << 20) == 0 => format!("{}MB", bytes >> 20),
        bytes if bytes % (1 << 10) == 0 => format!("{}KB", bytes >> 10),
        bytes => format!("{bytes}B"),
    });
    let opening = match options.plies {
        0 => String::new(),
        plies => format!(", opening: plies={plies}"),
    };
    format!("{limit}, {threads}, {memory}{opening}")
}
