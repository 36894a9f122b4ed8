//! `alesia-lab match sprt`: reads the counts of game pairs from the command line, or games from
//! standard input, and prints their [`statistics`](alesia_match::statistics), worded like the
//! result block of fastchess.

mod early;

use std::collections::{HashMap, HashSet};
use std::io::{BufRead, Write, stderr, stdin, stdout};

use alesia::game::{ParseError, counted, quoted, without_bom};
use alesia::search::duel::Score;
use alesia_match::files::disk::next_line;

use alesia::record::game_record::{GameRecord, after_piece, read};
use alesia::words::command_error::CommandError;
use alesia_match::run::results::Irregular;
use alesia_match::statistics::wording::{self, number};
use alesia_match::statistics::{Model, PairCounts, SequentialTest, Tally, Verdict};
use clap::{Args, ValueEnum};

use early::Early;

/// The arguments of `alesia-lab match sprt`.
#[derive(Args)]
#[command(allow_negative_numbers = true)]
pub struct Sprt {
    /// Pairs with both games lost.
    #[arg(value_name = "LL", required_unless_present = "stdin", conflicts_with = "stdin")]
    loss_loss: Option<u32>,
    /// Pairs with a loss and a draw.
    #[arg(value_name = "LD", required_unless_present = "stdin")]
    loss_draw: Option<u32>,
    /// Pairs with two draws, or with a win and a loss.
    #[arg(value_name = "DD", required_unless_present = "stdin")]
    even: Option<u32>,
    /// Pairs with a win and a draw.
    #[arg(value_name = "WD", required_unless_present = "stdin")]
    win_draw: Option<u32>,
    /// Pairs with both games won.
    #[arg(value_name = "WW", required_unless_present = "stdin")]
    win_win: Option<u32>,
    /// Reads `match -jsonl` lines from standard input instead, until the test decides.
    ///
    /// The lines may come from any number of machines in any order; duplicate games are dropped.
    #[arg(long)]
    stdin: bool,
    /// Counts each game as `-resign` of `match` would have ended it, from its recorded scores.
    #[arg(long, value_name = "TERMS", requires = "stdin")]
    resign: Option<String>,
    /// Counts each game as `-draw` of `match` would have ended it, from its recorded scores.
    #[arg(long, value_name = "TERMS", requires = "stdin")]
    draw: Option<String>,
    /// Elo difference of hypothesis H0, on the scale of --model.
    #[arg(long, value_name = "ELO", allow_hyphen_values = true, help_heading = "Test")]
    elo0: f64,
    /// Elo difference of hypothesis H1, greater than that of H0.
    #[arg(long, value_name = "ELO", allow_hyphen_values = true, help_heading = "Test")]
    elo1: f64,
    /// Max probability of accepting H1 if H0 is true.
    #[arg(
        long,
        value_name = "P",
        allow_hyphen_values = true,
        default_value_t = 0.05,
        help_heading = "Test"
    )]
    alpha: f64,
    /// Max probability of accepting H0 if H1 is true.
    #[arg(
        long,
        value_name = "P",
        allow_hyphen_values = true,
        default_value_t = 0.05,
        help_heading = "Test"
    )]
    beta: f64,
    /// Scale of the Elo differences.
    #[arg(long, value_enum, default_value_t = ModelOption::Normalized, help_heading = "Test")]
    model: ModelOption,
}

/// [`Model`] as the command line names it.
#[derive(Clone, Copy, ValueEnum)]
enum ModelOption {
    /// Score minus one half, in standard deviations of a game's result.
    Normalized,
    /// The usual Elo, by the logistic curve of the expected score.
    Logistic,
}

impl Sprt {
    pub fn run(&self) -> Result<(), CommandError> {
        let model = match self.model {
            ModelOption::Normalized => Model::Normalized,
            ModelOption::Logistic => Model::Logistic,
        };
        let test = SequentialTest::new(model, self.elo0, self.elo1, self.alpha, self.beta)
            .map_err(|error| CommandError::Usage(error.to_string()))?;
        let mut early = Early::new(self.resign.as_deref(), self.draw.as_deref())?;
        let (pairs, irregular) = if self.stdin {
            count(stdin().lock(), &test, &mut early)?
        } else {
            let counts = [self.loss_loss, self.loss_draw, self.even, self.win_draw, self.win_win];
            // All are required without `--stdin`.
            (PairCounts(counts.map(Option::unwrap_or_default)), Irregular::default())
        };
        write!(stdout().lock(), "{}{}", report(&pairs, irregular, &test), early.line())?;
        Ok(())
    }
}

/// Counts the pairs of games in a stream of records until the test decides. Other lines, such as
/// one cut short where a machine was stopped, are reported and skipped.
///
/// # Errors
/// Reading fails, or a game is of other players.
fn count(
    mut stream: impl BufRead,
    test: &SequentialTest,
    early: &mut Early,
) -> Result<(PairCounts, Irregular), CommandError> {
    let (mut seen, mut waiting) = (HashSet::new(), HashMap::<_, Score>::new());
    let (mut same, mut twice, mut tally) = (Same::default(), 0, Tally::default());
    let mut irregular = Irregular::default();
    let (mut number, mut line) = (0, Vec::new());
    loop {
        number += 1;
        let place = format!("standard input, line {number}");
        let failed = |error| CommandError::Failed(format!("{place}: {error}"));
        if !next_line(&mut stream, &mut line).map_err(failed)? {
            break;
        }
        // A line that is cut short may end within a character.
        let line = String::from_utf8_lossy(&line);
        // One at the start of each file that was joined to the stream.
        let line = without_bom(&line);
        let record = read(&place, line).or_else(|error: ParseError| match after_piece(line) {
            Some(after) => read(&place, after),
            None => Err(error),
        });
        let mut record: GameRecord = match record {
            Ok(record) => record,
            Err(error) => {
                warn(format_args!("{error}; skipped"));
                continue;
            }
        };
        same.check(&place, &record)?;
        if !seen.insert(record.key) {
            twice += 1;
            continue;
        }
        early.end(&mut record).map_err(|error| error.within(&place))?;
        irregular.count(record.cause);
        let score = record.score_of_first();
        let pair = (record.key.seed, record.key.pair);
        let Some(before) = waiting.remove(&pair) else {
            waiting.insert(pair, score);
            continue;
        };
        tally.add([before, score]);
        let ratio = tally.pairs.log_likelihood_ratio(test);
        if test.verdict(ratio) != Verdict::Undecided && !irregular.is_void() {
            break;
        }
    }
    let (games, single) = (seen.len(), waiting.len());
    let (games, twice) = (counted(games, "game"), counted(twice, "duplicate"));
    warn(format_args!("{games} read; {twice}; {single} unpaired"));
    Ok((tally.pairs, irregular))
}

/// What the games of a stream have in common.
#[derive(Default)]
struct Same {
    match_: Option<String>,
    /// The rules of a definition; older records do not have them.
    definition: Option<String>,
}

impl Same {
    /// Refuses a game of another match.
    fn check(&mut self, place: &str, record: &GameRecord) -> Result<(), ParseError> {
        let (first, second) = record.pairing();
        let match_ = format!("{} of {first} vs {second}", record.game);
        let expected = self.match_.get_or_insert_with(|| match_.clone());
        if *expected != match_ {
            return Err(ParseError::new(place, quoted(&match_), quoted(expected)));
        }
        let Some(definition) = &record.definition else { return Ok(()) };
        let expected = self.definition.get_or_insert_with(|| definition.clone());
        if expected != definition {
            let place = format!("{place}, definition");
            return Err(ParseError::new(place, quoted(definition), quoted(expected)));
        }
        Ok(())
    }
}

/// Writes a line to standard error, if that is still there.
fn warn(what: impl std::fmt::Display) {
    let _ = writeln!(stderr(), "alesia-lab: {what}");
}

/// The result block, worded as by fastchess.
fn report(pairs: &PairCounts, irregular: Irregular, test: &SequentialTest) -> String {
    let games = pairs.games();
    let ratio = pairs.log_likelihood_ratio(test);
    let verdict = match test.verdict(ratio) {
        Verdict::H0 | Verdict::H1 if irregular.is_void() => "void",
        Verdict::H0 => "H0 accepted",
        Verdict::H1 => "H1 accepted",
        Verdict::Undecided => "undecided",
    };
    let scale = match test.model() {
        Model::Normalized => "normalized Elo",
        Model::Logistic => "logistic Elo",
    };
    format!(
        "{strength}\
         Games: {games}, Points: {points:.1} ({percent} %)\n\
         {counts}\n\
         {irregular}\
         LLR: {ratio} ({lower}, {upper}) [{elo0}, {elo1}]\n\
         SPRT ({scale}): {verdict}\n",
        strength = wording::strength(pairs),
        points = pairs.points(),
        percent = number(100.0 * pairs.score()),
        counts = wording::counts(pairs),
        irregular = irregular.lines(),
        ratio = number(ratio),
        lower = number(test.lower_bound()),
        upper = number(test.upper_bound()),
        elo0 = number(test.elo0()),
        elo1 = number(test.elo1()),
    )
}
