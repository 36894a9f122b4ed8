//! Games of a match or of any records: strength, pairs, openings, faults, time, and the values
//! along each game.

mod charts;
mod decided;
mod results;

use std::borrow::Cow;
use std::collections::HashMap;

use alesia::game::{Outcome, Side};
use alesia::record::game_record::GameRecord;
use alesia_match::command::options::test_of;
use alesia_match::run::results::Faults;
use alesia_match::statistics::wording::{number, with_error};
use alesia_match::statistics::{Model, SequentialTest, Verdict};
use maud::{Markup, html};

use self::results::{PlayerResults, Results, first_side, points};
use super::{SPREAD, facts, mini, names, spread, table};
use crate::sample::Sample;
use crate::source::Games;

/// Rows of a table that are open, and games that are drawn.
const OPEN_ROWS: usize = 12;
const MAX_GAMES: usize = 400;
const OPEN_GAMES: usize = 24;

/// Openings that have a row of their own.
const MAX_OPENINGS: usize = 500;

/// Characters of an opening's moves that are shown.
const MAX_LETTERS: usize = 120;

/// The title and the content of a section.
pub fn section(games: &Games) -> (String, Markup) {
    let test = test_of(&games.words);
    let all = games.records.len();
    let decided = test.as_ref().and_then(|test| decided::until_decided(&games.records, test));
    let games = &decided.map_or(Cow::Borrowed(games), |records| Cow::Owned(games.of(records)));
    let beyond = all - games.records.len();
    let records = &games.records;
    let results = Results::of(records);
    let kinds = names(records.iter().map(|record| &*record.game)).join(", ");
    let title = match &results.names[..] {
        [] => "A match without games yet".to_owned(),
        [first, second] => format!("{first} against {second}: {kinds}"),
        players => format!("{} players: {kinds}", players.len()),
    };
    let test = test.filter(|_| results.is_of_two());
    let content = html! {
        @if !games.words.is_empty() {
            details { summary { "The words of the match" } p { code { (games.words.join(" ")) } } }
        }
        @if !records.is_empty() {
            (summary(&results, test.as_ref(), records.len()))
            @if beyond > 0 {
                p.note { (beyond) " games that ended after the test had decided do not count." }
            }
            @for line in results.irregular.lines().lines() { p.bad { (line) } }
            div.charts {
                @if results.is_of_two() {
                    (charts::elo(&results))
                    @if let Some(test) = &test { (charts::likelihood(&results, test)) }
                    (charts::pairs(&results))
                }
                (charts::times(records, &results.names))
                (charts::time_by_ply(records, &results.names))
            }
            h3 { "Score" }
            (scores(&results))
            h3 { "How games ended" }
            (endings(games, &results))
            h3 { "By opening" }
            (openings(games, &results))
            h3 { "Time for a move" }
            (times(games, &results))
            h3 { "Values along each game" }
            (values(games, &results))
        }
    };
    (title, content)
}

/// The main figures of the first player, or of all games.
fn summary(results: &Results, test: Option<&SequentialTest>, games: usize) -> Markup {
    let mut lines = vec![("Games", games.to_string())];
    if let ([first, _], [player, _]) = (&results.names[..], &results.players[..]) {
        let pairs = &player.tally.pairs;
        let all: Vec<f64> = player.points.concat();
        let count = |wanted: f64| all.iter().filter(|&&points| points == wanted).count();
        lines.push(("Player", (*first).to_owned()));
        lines.push(("Won, drawn, lost", [1.0, 0.5, 0.0].map(|p| count(p).to_string()).join(", ")));
        if pairs.pairs() > 0 {
            lines.push(("Elo", with_error(pairs.elo(), pairs)));
            lines.push(("Normalized Elo", with_error(pairs.normalized_elo(), pairs)));
            let superior = 100.0 * pairs.likelihood_of_superiority();
            lines.push(("Likelihood of superiority", format!("{} %", number(superior))));
        }
        if let Some(test) = test {
            let ratio = pairs.log_likelihood_ratio(test);
            let verdict = match test.verdict(ratio) {
                Verdict::H0 | Verdict::H1 if results.irregular.is_void() => "void",
                Verdict::H0 => "H0 accepted",
                Verdict::H1 => "H1 accepted",
                Verdict::Undecided => "undecided",
            };
            lines.push(("Log-likelihood ratio", format!("{}: {verdict}", number(ratio))));
            let scale = match test.model() {
                Model::Normalized => "normalized",
                Model::Logistic => "logistic",
            };
            let ends = format!("[{}, {}] {scale} Elo", number(test.elo0()), number(test.elo1()));
            lines.push(("Sequential test", ends));
        }
    } else {
        lines.push(("Players", results.names.len().to_string()));
    }
    facts("main", &lines)
}

/// The score of each player, or of the first of two with each colour.
fn scores(results: &Results) -> Markup {
    let row = |name: String, games: &[f64], paired: Option<f64>| {
        let sample = Sample::of(games.iter().copied());
        let mean = games.iter().sum::<f64>() / games.len() as f64;
        let error = paired.or(sample.mean().map(|(_, error)| error)).filter(|_| games.len() > 9);
        let error_text = error.map_or("-".to_owned(), |e| format!("± {:.1}", 100.0 * e));
        html! {
            tr {
                td.name { (name) }
                td { (games.len()) }
                td { (number(100.0 * mean)) " %" }
                td { (error_text) }
                td { (mini::share(mean, error)) }
            }
        }
    };
    let of_player = |(name, player): (&&str, &PlayerResults)| {
        let pairs = &player.tally.pairs;
        let all = player.points.concat();
        // The pair is the sample, where all games have the other of their pair.
        let paired = (pairs.games() == all.len() as u64).then(|| pairs.score_margin());
        row((*name).to_owned(), &all, paired)
    };
    html! {
        div.wide {
            table {
                thead { tr { @for head in ["player", "games", "score", "95 %", "0 to 100 %"] {
                    th { (head) }
                } } }
                tbody {
                    @if let ([name, _], [player, _]) = (&results.names[..], &results.players[..]) {
                        (of_player((name, player)))
                        (row(format!("{name} as White"), &player.points[0], None))
                        (row(format!("{name} as Black"), &player.points[1], None))
                    } @else {
                        @for player in results.names.iter().zip(&results.players) {
                            (of_player(player))
                        }
                    }
                }
            }
        }
    }
}

/// The reasons of all ends, and the faults of each player.
fn endings(games: &Games, results: &Results) -> Markup {
    let mut reasons: Vec<(&str, [u32; 3])> = Vec::new();
    for record in &games.records {
        // Without what differs from game to game, in brackets.
        let reason = record.reason.split([':', '(']).next().unwrap_or_default().trim();
        let at = reasons.iter().position(|(own, _)| *own == reason).unwrap_or_else(|| {
            reasons.push((reason, [0; 3]));
            reasons.len() - 1
        });
        let white = record.result.outcome().for_side(Side::White);
        reasons[at].1[2 - white.halves() as usize] += 1;
    }
    reasons.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.iter().sum::<u32>()));
    let reason = |(reason, counts): &(&str, [u32; 3])| {
        let counts = counts.map(|count| count.to_string());
        std::iter::once((*reason).to_owned()).chain(counts).collect()
    };
    let fault = |(name, player): (&&str, &PlayerResults)| {
        let Faults { time, illegal, crashes } = player.faults;
        let counts = [time, illegal, crashes].map(|count| count.to_string());
        std::iter::once((*name).to_owned()).chain(counts).collect()
    };
    let faults: Vec<Vec<String>> = results.names.iter().zip(&results.players).map(fault).collect();
    let reasons: Vec<Vec<String>> = reasons.iter().map(reason).collect();
    html! {
        (table(&["reason", "White won", "drawn", "Black won"], &reasons))
        (table(&["games lost by", "time", "illegal move", "crash or stall"], &faults))
    }
}

/// An opening, with the results of its games.
struct Opening {
    text: String,
    /// Points of White, and of the first player of two.
    white: Vec<f64>,
    first: Vec<f64>,
}

fn openings(games: &Games, results: &Results) -> Markup {
    let mut openings: Vec<Opening> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for record in &games.records {
        let moves = record.opening.join(" ");
        let text = match &record.board {
            Some(board) if moves.is_empty() => board.clone(),
            Some(board) => format!("{board} {moves}"),
            None if moves.is_empty() => "start".to_owned(),
            None => moves,
        };
        let at = *places.entry(text).or_insert_with_key(|text| {
            let text = text.clone();
            openings.push(Opening { text, white: Vec::new(), first: Vec::new() });
            openings.len() - 1
        });
        let white = points(record.result.outcome().for_side(Side::White));
        openings[at].white.push(white);
        let is_first = results.names.first() == Some(&&*record.white);
        openings[at].first.push(if is_first { white } else { 1.0 - white });
    }
    let mean = |points: &[f64]| points.iter().sum::<f64>() / points.len() as f64;
    let is_of_two = results.is_of_two();
    let first = results.names.first().copied().unwrap_or_default();
    let rows = |openings: &[Opening]| {
        html! {
            div.wide {
                table {
                    thead { tr {
                        th { "opening" } th { "games" } th { "White" }
                        @if is_of_two { th { (first) } th { "0 to 100 %" } }
                    } }
                    tbody {
                        @for opening in openings {
                            tr {
                                td.name { (beginning(&opening.text)) }
                                td { (opening.white.len()) }
                                td { (number(100.0 * mean(&opening.white))) " %" }
                                @if is_of_two {
                                    td { (number(100.0 * mean(&opening.first))) " %" }
                                    td { (mini::share(mean(&opening.first), None)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    };
    let all = openings.len();
    openings.truncate(MAX_OPENINGS);
    let (open, rest) = openings.split_at(OPEN_ROWS.min(openings.len()));
    html! {
        @if is_of_two { div.charts { (charts::openings(&openings.iter().map(|o| mean(&o.first)).collect::<Vec<_>>(), first)) } }
        (rows(open))
        @if !rest.is_empty() { details { summary { (rest.len()) " more openings" } (rows(rest)) } }
        @if all > MAX_OPENINGS { p.note { "The first " (MAX_OPENINGS) " of " (all) " openings." } }
    }
}

/// A text, cut where it is too long for a table.
fn beginning(text: &str) -> String {
    match text.char_indices().nth(MAX_LETTERS) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

fn times(games: &Games, results: &Results) -> Markup {
    let row = |name: &&str| {
        let sample = charts::times_of(&games.records, name);
        std::iter::once((*name).to_owned()).chain(spread(&sample)).collect()
    };
    let heads: Vec<&str> = std::iter::once("ms").chain(SPREAD).collect();
    table(&heads, &results.names.iter().map(row).collect::<Vec<_>>())
}

/// White's expected result along each game, as each player saw it.
fn values(games: &Games, results: &Results) -> Markup {
    let length = |record: &GameRecord| record.moves.len();
    let longest = games.records.iter().map(length).max().unwrap_or(0);
    let drawn = |(index, record): (usize, &GameRecord)| {
        let mut lines = [Vec::new(), Vec::new()];
        let first = first_side(record);
        for (ply, played) in record.moves.iter().enumerate() {
            let side = if ply.is_multiple_of(2) { first } else { !first };
            let Some(value) = played.thought.expected() else { continue };
            let white = if side == Side::White { value } else { 1.0 - value };
            let name = if side == Side::White { &record.white } else { &record.black };
            let is_first = results.names.first() == Some(&&**name);
            lines[usize::from(!is_first)].push((ply, f64::from(white)));
        }
        let result = match record.result.outcome() {
            Outcome::Win(Side::White) => "1-0",
            Outcome::Win(Side::Black) => "0-1",
            Outcome::Draw => "½-½",
        };
        html! {
            figure {
                figcaption {
                    (index + 1) ". " (record.white) " – " (record.black) " " b { (result) }
                }
                (mini::values(&lines, longest.saturating_sub(1)))
            }
        }
    };
    let all: Vec<Markup> = games.records.iter().take(MAX_GAMES).enumerate().map(drawn).collect();
    let (open, rest) = all.split_at(OPEN_GAMES.min(all.len()));
    html! {
        p.note {
            "White's expected result, from a loss at the bottom to a win at the top, by ply. "
            @if let [first, second] = results.names[..] {
                "Drawn through: as " (first) " saw it; dashed: as " (second) " did."
            }
        }
        div.games { @for game in open { (game) } }
        @if !rest.is_empty() {
            details {
                summary { (rest.len()) " more games" }
                div.games { @for game in rest { (game) } }
            }
        }
        @if games.records.len() > MAX_GAMES {
            p.note { "The first " (MAX_GAMES) " of " (games.records.len()) " games." }
        }
    }
}
