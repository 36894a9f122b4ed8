//! What a match prints, worded like fastchess.

use super::entrant::{Entrant, Protocol};
use super::opening::Openings;
use super::options::Options;
use super::standings::{Row, Standings};
use crate::statistics::{SequentialTest, Tally, Verdict};
use crate::wording::{counts, error, number, strength, with_error};

/// Above and below a result block.
const RULE: &str = "--------------------------------------------------\n";

/// The result block: of two players, or the rank table of more.
pub fn block(standings: &Standings, options: &Options) -> String {
    let inner = match &options.terms.entrants[..] {
        [first, second] => of_two(&standings.tally, [first, second], options),
        entrants => ranks(standings, entrants),
    };
    format!("{RULE}{inner}{}{RULE}", standings.irregular.lines())
}

/// What comes below the last block: what the sequential test has decided, and the players' faults.
pub fn ending(standings: &Standings, options: &Options) -> String {
    let mut text = String::new();
    if let Some(test) = &options.test {
        let end = match test.verdict(standings.tally.pairs.log_likelihood_ratio(test)) {
            Verdict::Undecided => None,
            _ if standings.irregular.is_void() => Some("does not decide - the result is void"),
            Verdict::H0 => Some("completed - H0 was accepted"),
            Verdict::H1 => Some("completed - H1 was accepted"),
        };
        if let Some(end) = end {
            text.push_str(&format!("SPRT ({}) {end}\n", hypotheses(test)));
        }
    }
    for (entrant, Row { faults, .. }) in options.terms.entrants.iter().zip(&standings.rows) {
        text.push_str(&format!(
            "Player: {}\n   Timeouts: {}\n   Illegal moves: {}\n   Crashed: {}\n",
            entrant.name, faults.time, faults.illegal, faults.crashes
        ));
    }
    text
}

fn of_two(tally: &Tally, entrants: [&Entrant; 2], options: &Options) -> String {
    let Tally { pairs, wins, losses, draws, .. } = tally;
    let [first, second] = entrants;
    let mut text = format!(
        "Results of {} vs {} ({}):\n{}\
         Games: {}, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: {:.1} ({} %)\n\
         {}, WL/DD Ratio: {}\n",
        first.name,
        second.name,
        conditions(entrants, &options.terms.openings),
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
    }
    text
}

/// The rank table: strength against all others together, and the course's points (three for a win,
/// one for a draw), in all and at home (as White) and away (as Black).
fn ranks(standings: &Standings, entrants: &[Entrant]) -> String {
    let width = entrants.iter().map(|entrant| entrant.name.chars().count()).max().unwrap_or(0);
    let width = width.max("Name".len());
    let mut text = format!(
        "Rank Name{:pad$} {:>8} {:>8} {:>8} {:>8} {:>7} {:>8} {:>8} {:>6} {:>5} {:>5}  Ptnml(0-2)\n",
        "",
        "Elo",
        "+/-",
        "nElo",
        "+/-",
        "Games",
        "Score",
        "Drawn",
        "Points",
        "Home",
        "Away",
        pad = width - "Name".len(),
    );
    for (rank, player) in (1..).zip(standings.ranking()) {
        let Row { tally, points: [home, away], .. } = &standings.rows[player];
        let pairs = &tally.pairs;
        let (elo, normalized) = (pairs.elo(), pairs.normalized_elo());
        let interval = |estimate| error(estimate, pairs).map_or("-".into(), number);
        let [loss_loss, loss_draw, even, win_draw, win_win] = pairs.0;
        text.push_str(&format!(
            "{rank:>4} {:width$} {:>8} {:>8} {:>8} {:>8} {:>7} {:>7}% {:>7}% {:>6} {home:>5} {away:>5}  \
             [{loss_loss}, {loss_draw}, {even}, {win_draw}, {win_win}]\n",
            entrants[player].name,
            number(elo.value),
            interval(elo),
            number(normalized.value),
            interval(normalized),
            pairs.games(),
            number(100.0 * pairs.score()),
            number(100.0 * f64::from(tally.draws) / pairs.games() as f64),
            home + away,
        ));
    }
    text
}

/// The progress after some pairs, on one line.
pub fn progress(standings: &Standings, options: &Options) -> String {
    if options.terms.entrants.len() > 2 {
        let best = standings.ranking()[0];
        let [home, away] = standings.rows[best].points;
        return format!("leader: {}, {} points", options.terms.entrants[best].name, home + away);
    }
    let tally = &standings.tally;
    let mut line =
        format!("{}, Elo: {}", counts(&tally.pairs), with_error(tally.pairs.elo(), &tally.pairs));
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
fn conditions(entrants: [&Entrant; 2], openings: &Openings) -> String {
    let both = |part: fn(&Entrant) -> String| {
        let [first, second] = entrants.map(part);
        if first == second { first } else { format!("{first} - {second}") }
    };
    let limit = both(|entrant| entrant.limit.to_string());
    let threads = both(|entrant| match &entrant.protocol {
        Protocol::Internal { options, .. } => format!("{}t", options.threads),
        Protocol::Ugi(program) => {
            program.option("Threads").map_or("NULL".into(), |n| format!("{n}t"))
        }
        Protocol::Tcp(_) => "NULL".into(),
    });
    let memory = both(|entrant| match &entrant.protocol {
        Protocol::Internal { options, .. } => match options.memory {
            bytes if bytes % (1 << 20) == 0 => format!("{}MB", bytes >> 20),
            bytes if bytes % (1 << 10) == 0 => format!("{}KB", bytes >> 10),
            bytes => format!("{bytes}B"),
        },
        Protocol::Ugi(program) => program
            .option("Hash")
            .map(|size| format!("{size}MB"))
            .or(program.option("Memory").map(str::to_owned))
            .unwrap_or("NULL".into()),
        Protocol::Tcp(_) => "NULL".into(),
    });
    let opening = match openings {
        Openings::Plies(0) => String::new(),
        Openings::Plies(plies) => format!(", opening: plies={plies}"),
        Openings::File { name, .. } => format!(", {name}"),
    };
    format!("{limit}, {threads}, {memory}{opening}")
}
