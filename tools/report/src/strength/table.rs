//! The table of experiments (`docs/experiments.csv`), and what it says about strength.
//!
//! The one idea: a row is a match with its error. A kept change is the mean of its rows, weighted
//! by their precision ([`gains`]). Matches of one commit against alpha-beta are joined
//! ([`against_alphabeta`]).

use alesia::game::{ParseError, quoted};
use jiff::civil::Date;
use serde::Deserialize;

/// What the first line of the table begins with.
pub const BEGINNING: &str = "date,commit,game,weights,what,against,setting,";

/// The kept changes to the tree search, one a line; its head says how.
const STEPS: &str = include_str!("steps.txt");

/// Half of a 95 % interval, in standard deviations.
const DEVIATIONS: f64 = 1.96;

/// A row, as far as it is drawn.
#[derive(Clone, Debug, Deserialize)]
pub struct Experiment {
    /// The day.
    pub date: Date,
    /// The commit that recorded it.
    pub commit: String,
    /// The game.
    pub game: String,
    what: String,
    against: String,
    setting: String,
    games: Option<u32>,
    /// Elo of what was tried, and half of its 95 % interval.
    elo: Option<f64>,
    error: Option<f64>,
    /// Points in percent.
    score: Option<f64>,
    kept: String,
}

/// A value with half of its 95 % interval, at a commit.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Where it is drawn.
    pub commit: String,
    /// Elo, or a share of the points from 0 to 1.
    pub value: f64,
    /// In the same unit.
    pub error: f64,
}

/// Reads the table; `name` is that of its file.
///
/// # Errors
/// The first row that has no such form.
pub fn read(name: &str, text: &str) -> Result<Vec<Experiment>, ParseError> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let mut rows = Vec::new();
    for row in reader.deserialize() {
        let expected = |error: csv::Error| {
            let line = error.position().map_or(0, csv::Position::line);
            let found = text.lines().nth((line as usize).saturating_sub(1)).unwrap_or_default();
            let what = match error.kind() {
                csv::ErrorKind::Deserialize { err, .. } => err.to_string(),
                _ => error.to_string(),
            };
            let expected = format!("a row of the table of experiments ({what})");
            ParseError::new(format!("{name}, line {line}"), quoted(found), expected)
        };
        rows.push(row.map_err(expected)?);
    }
    Ok(rows)
}

/// The gains of the kept changes of a game in Elo, in the order of `steps.txt`.
///
/// # Errors
/// A step without a row.
pub fn gains(rows: &[Experiment], game: &str) -> Result<Vec<Measured>, ParseError> {
    let lines = STEPS.lines().filter(|line| !line.starts_with('#'));
    let mut gains = Vec::new();
    for line in lines {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let &[of, commits, what, other] = &parts[..] else { panic!("four parts: {line}") };
        if of != game {
            continue;
        }
        let commits: Vec<&str> = commits.split(' ').collect();
        let is_it = |row: &&Experiment| {
            let mut other = other.split(';').map(str::trim);
            row.game == game
                && commits.contains(&&*row.commit)
                && row.what.starts_with(what)
                && row.kept == "yes"
                && row.against != "alphabeta"
                && other.all(|part| row.against.starts_with(part) || row.setting.contains(part))
        };
        let found: Vec<(f64, f64)> =
            rows.iter().filter(is_it).filter_map(Experiment::elo).collect();
        if found.is_empty() {
            let expected = format!("a row for the step `{line}` of strength/steps.txt");
            return Err(ParseError::new("the table of experiments", "none", expected));
        }
        let (value, error) = weighted_mean(&found);
        gains.push(Measured { commit: commits[0].to_owned(), value, error });
    }
    Ok(gains)
}

/// Shares of the points of the tree search against alpha-beta of the same commit, in matches whose
/// setting begins so.
pub fn against_alphabeta(rows: &[Experiment], game: &str, setting: &str) -> Vec<Measured> {
    let is_it = |row: &&Experiment| {
        row.game == game
            && row.against == "alphabeta"
            && row.what.starts_with("mcts")
            && row.setting.starts_with(setting)
            && !row.setting.contains("balanced")
            && row.kept != "no"
            && row.games.is_some()
    };
    // The tree search may be named with its commit: then these are several programs.
    let mut groups: Vec<Vec<&Experiment>> = Vec::new();
    for row in rows.iter().filter(is_it) {
        let is_same = |group: &&mut Vec<&Experiment>| {
            (&group[0].commit, &group[0].what) == (&row.commit, &row.what)
        };
        match groups.iter_mut().find(is_same) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    groups.iter().filter_map(|group| joined(group)).collect()
}

/// The points of several matches; none if one of them has no games or no result.
fn joined(group: &[&Experiment]) -> Option<Measured> {
    let games: Option<f64> = group.iter().map(|row| row.games.map(f64::from)).sum();
    let points: Option<f64> =
        group.iter().map(|row| Some(f64::from(row.games?) * row.share()?)).sum();
    let (games, value) = (games?, points? / games?);
    let precision: Option<f64> = group.iter().map(|row| Some(row.error?.powi(-2))).sum();
    let error = match precision {
        Some(precision) => precision.sqrt().recip() / elo_by_share(value),
        None => DEVIATIONS * (value * (1.0 - value) / games).sqrt(),
    };
    Some(Measured { commit: group[0].commit.clone(), value, error })
}

impl Experiment {
    /// Elo with its error, which follow from the points where the row does not say them; none
    /// without a result.
    fn elo(&self) -> Option<(f64, f64)> {
        if let Some(found) = self.elo.zip(self.error) {
            return Some(found);
        }
        let (share, games) = (self.share()?, f64::from(self.games?));
        let deviation = (share * (1.0 - share) / games).sqrt();
        let elo = 400.0 * (share / (1.0 - share)).log10();
        Some((elo, DEVIATIONS * deviation * elo_by_share(share)))
    }

    /// The share of the points, 0 to 1; none without a result.
    fn share(&self) -> Option<f64> {
        let of_elo = |elo: f64| (1.0 + 10_f64.powf(-elo / 400.0)).recip();
        self.score.map(|percent| percent / 100.0).or_else(|| self.elo.map(of_elo))
    }
}

/// By how much Elo grows with the share of the points.
fn elo_by_share(share: f64) -> f64 {
    400.0 / std::f64::consts::LN_10 / (share * (1.0 - share))
}

/// The mean of values with errors, each weighted by its precision, and its error.
fn weighted_mean(values: &[(f64, f64)]) -> (f64, f64) {
    let weight = |error: f64| error.powi(-2);
    let weights: f64 = values.iter().map(|&(_, error)| weight(error)).sum();
    let sum: f64 = values.iter().map(|&(value, error)| weight(error) * value).sum();
    (sum / weights, weights.sqrt().recip())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(
        games: impl Into<Option<u32>>,
        elo: Option<f64>,
        error: Option<f64>,
        score: Option<f64>,
    ) -> Experiment {
        Experiment {
            date: "2026-11-21".parse().unwrap(),
            commit: "1a2b3c4".into(),
            game: "loa".into(),
            what: "mcts".into(),
            against: "alphabeta".into(),
            setting: "100 ms a move".into(),
            games: games.into(),
            elo,
            error,
            score,
            kept: "n.a.".into(),
        }
    }

    fn is_near((value, error): (f64, f64), expected: (f64, f64)) -> bool {
        (value - expected.0).abs() < 0.05 && (error - expected.1).abs() < 0.05
    }

    #[test]
    fn elo_follows_from_the_points_where_it_is_not_said() {
        assert_eq!(row(10, Some(5.0), Some(3.0), Some(99.0)).elo(), Some((5.0, 3.0)));
        // 100 games at 75 %: 190.8 Elo, and 1.96 * 0.0433 * 926.5.
        let of_points = row(100, None, None, Some(75.0)).elo().unwrap();
        assert!(is_near(of_points, (190.85, 78.63)), "{of_points:?}");
        assert_eq!(row(None, None, None, None).elo(), None);
    }

    #[test]
    fn a_mean_follows_the_more_precise_value() {
        // Weights 1 and 1/4.
        let mean = weighted_mean(&[(10.0, 1.0), (20.0, 2.0)]);
        assert!(is_near(mean, (12.0, 0.894)), "{mean:?}");
    }

    #[test]
    fn matches_of_one_commit_are_joined_by_their_games() {
        let rows = [row(30, None, None, Some(60.0)), row(10, None, None, Some(80.0))];
        let found = against_alphabeta(&rows, "loa", "100 ms");
        let [one] = &found[..] else { panic!("{found:?}") };
        // 26 points of 40 games.
        assert!((one.value - 0.65).abs() < 1e-9 && (one.error - 0.1478).abs() < 1e-4, "{one:?}");
        assert_eq!(against_alphabeta(&rows, "loa", "1 s"), []);
        assert_eq!(against_alphabeta(&rows, "murus", "100 ms"), []);
    }

    #[test]
    fn refuses_a_row_with_its_line() {
        let head = "date,commit,game,what,against,setting,games,elo,error,score,kept,command\n";
        let good = "2026-11-21,1a2b3c4,loa,\"a, b\",c,d,2,,,50,yes,e\n";
        assert_eq!(read("t.csv", &format!("{head}{good}")).unwrap().len(), 1);
        for (bad, expected) in [
            ("21.11.2026,1,loa,a,b,c,2,,,50,yes,e", "t.csv, line 3: found `21.11.2026,1,loa,a,b"),
            ("2026-11-21,1,loa,a,b,c,two,,,50,yes,e", "t.csv, line 3: found `2026-11-21,1,loa,"),
            ("2026-11-21,1", "t.csv, line 3: found `2026-11-21,1`, expected a row of the table"),
        ] {
            let error = read("t.csv", &format!("{head}{good}{bad}\n")).unwrap_err().to_string();
            assert!(error.starts_with(expected) && error.lines().count() == 1, "{error}");
        }
    }

    #[test]
    fn a_step_without_a_row_is_named() {
        let error = gains(&[], "loa").unwrap_err().to_string();
        assert!(error.contains("expected a row for the step `loa | d5d025b"), "{error}");
        assert_eq!(gains(&[], "chess"), Ok(Vec::new()));
    }
}
