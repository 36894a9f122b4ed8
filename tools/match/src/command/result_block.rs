//! What a match prints, worded like fastchess.

use super::options::Options;
use crate::players::entrant::{Entrant, Protocol};
use crate::run::opening::Openings;
use crate::run::results::{Row, Standings};
use crate::statistics::wording::{self, counts, error, number, strength, with_error};
use crate::statistics::{Estimate, PairCounts, SequentialTest, Tally, Verdict};

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
        tally.games(),
        tally.points(),
        number(100.0 * tally.score()),
        counts(pairs),
        number(tally.win_loss_ratio()),
    );
    if let Some(test) = &options.test {
        text.push_str(&log_likelihood(tally, test));
        text.push('\n');
    }
    text
}

/// The rank tables: strength against all others together, and the course's points (three for a win,
/// one for a draw), in all and at home (as White) and away (as Black); then the pairs.
fn ranks(standings: &Standings, entrants: &[Entrant]) -> String {
    let ranking = standings.ranking();
    let table = |head: &str, rest: &dyn Fn(&Row) -> String| {
        let row = |&player: &usize| (&*entrants[player].name, rest(&standings.rows[player]));
        wording::ranks(head, ranking.iter().map(row))
    };
    let [elo, error, games, score, drawn] = ["Elo", "+/-", "Games", "Score", "Drawn"];
    let head = format!(" {elo:>8} {error:>7} {games:>5} {score:>7} {drawn:>7} Points Home Away");
    let strength = table(&head, &of_strength);
    format!("{strength}\n{}", table("     nElo     +/-  Ptnml(0-2)", &of_pairs))
}

/// The error of an estimate from these pairs, or a dash.
fn interval(estimate: Estimate, pairs: &PairCounts) -> String {
    error(estimate, pairs).map_or("-".into(), number)
}

/// What stands behind a name in the first of the rank tables.
fn of_strength(row: &Row) -> String {
    let Row { tally, points: [home, away], .. } = row;
    let Tally { pairs, draws, .. } = tally;
    let elo = pairs.elo();
    format!(
        " {:>8} {:>7} {:>5} {:>6}% {:>6}% {:>6} {home:>4} {away:>4}",
        number(elo.value),
        interval(elo, pairs),
        tally.games(),
        number(100.0 * tally.score()),
        number(100.0 * f64::from(*draws) / tally.games() as f64),
        home + away,
    )
}

/// The same in the second.
fn of_pairs(row: &Row) -> String {
    let pairs = &row.tally.pairs;
    let normalized = pairs.normalized_elo();
    let counts = pairs.0.map(|count| count.to_string()).join(", ");
    let interval = interval(normalized, pairs);
    format!(" {:>8} {interval:>7}  [{counts}]", number(normalized.value))
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

/// A number of bytes.
fn of_memory(bytes: usize) -> String {
    match bytes {
        bytes if bytes.is_multiple_of(1 << 20) => format!("{}MB", bytes >> 20),
        bytes if bytes.is_multiple_of(1 << 10) => format!("{}KB", bytes >> 10),
        bytes => format!("{bytes}B"),
    }
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
        Protocol::Plain { .. } => "1t".into(),
        Protocol::Pipes(program, _) => {
            program.option("Threads").map_or("NULL".into(), |n| format!("{n}t"))
        }
        Protocol::Tcp(_) | Protocol::Relay(_) | Protocol::Guest(_) => "NULL".into(),
    });
    let memory = both(|entrant| match &entrant.protocol {
        Protocol::Internal { options, .. } => of_memory(options.memory),
        Protocol::Plain { memory } => of_memory(*memory),
        Protocol::Pipes(program, _) => program
            .option("Hash")
            .map(|size| format!("{size}MB"))
            .or(program.option("Memory").map(str::to_owned))
            .unwrap_or("NULL".into()),
        Protocol::Tcp(_) | Protocol::Relay(_) | Protocol::Guest(_) => "NULL".into(),
    });
    let opening = match openings {
        Openings::Plies(0) => String::new(),
        Openings::Plies(plies) => format!(", opening: plies={plies}"),
        Openings::File { name, .. } => format!(", {name}"),
    };
    format!("{limit}, {threads}, {memory}{opening}")
}
