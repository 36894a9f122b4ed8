//! `alesia-lab sprt`: reads the counts of game pairs and the hypotheses from the command line and
//! prints what [`statistics`](crate::statistics) says of them, worded like the result block of
//! fastchess.

use std::io::{Write, stdout};

use clap::{Args, ValueEnum};

use crate::CommandError;
use crate::statistics::{Model, PairCounts, SequentialTest, Verdict};
use crate::wording::{self, number};

/// The arguments of `alesia-lab sprt`.
#[derive(Args)]
#[command(allow_negative_numbers = true)]
pub struct Sprt {
    /// Pairs with both games lost.
    #[arg(value_name = "LL")]
    loss_loss: u32,
    /// Pairs with a loss and a draw.
    #[arg(value_name = "LD")]
    loss_draw: u32,
    /// Pairs with two draws, or with a win and a loss.
    #[arg(value_name = "DD")]
    even: u32,
    /// Pairs with a win and a draw.
    #[arg(value_name = "WD")]
    win_draw: u32,
    /// Pairs with both games won.
    #[arg(value_name = "WW")]
    win_win: u32,
    /// The Elo difference of hypothesis H0, on the scale of the model.
    #[arg(long, value_name = "ELO", allow_hyphen_values = true)]
    elo0: f64,
    /// The Elo difference of hypothesis H1, more than that of H0.
    #[arg(long, value_name = "ELO", allow_hyphen_values = true)]
    elo1: f64,
    /// How often, at most, H1 is accepted where H0 holds.
    #[arg(long, value_name = "PROBABILITY", allow_hyphen_values = true, default_value_t = 0.05)]
    alpha: f64,
    /// How often, at most, H0 is accepted where H1 holds.
    #[arg(long, value_name = "PROBABILITY", allow_hyphen_values = true, default_value_t = 0.05)]
    beta: f64,
    /// The scale of the Elo differences of the hypotheses.
    #[arg(long, value_enum, default_value_t = ModelOption::Normalized)]
    model: ModelOption,
}

/// [`Model`] as the command line names it.
#[derive(Clone, Copy, ValueEnum)]
enum ModelOption {
    /// Score above one half in standard deviations of a game.
    Normalized,
    /// Expected score through the logistic curve.
    Logistic,
}

impl Sprt {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        let counts = [self.loss_loss, self.loss_draw, self.even, self.win_draw, self.win_win];
        let model = match self.model {
            ModelOption::Normalized => Model::Normalized,
            ModelOption::Logistic => Model::Logistic,
        };
        let test = SequentialTest::new(model, self.elo0, self.elo1, self.alpha, self.beta)
            .map_err(|error| CommandError::Usage(error.to_string()))?;
        write!(stdout().lock(), "{}", report(&PairCounts(counts), &test))?;
        Ok(())
    }
}

/// The result block, one fact after the other, as fastchess words it.
fn report(pairs: &PairCounts, test: &SequentialTest) -> String {
    let games = pairs.games();
    let ratio = pairs.log_likelihood_ratio(test);
    let verdict = match test.verdict(ratio) {
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
         LLR: {ratio} ({lower}, {upper}) [{elo0}, {elo1}]\n\
         SPRT ({scale}): {verdict}\n",
        strength = wording::strength(pairs),
        points = pairs.points(),
        percent = number(100.0 * pairs.score()),
        counts = wording::counts(pairs),
        ratio = number(ratio),
        lower = number(test.lower_bound()),
        upper = number(test.upper_bound()),
        elo0 = number(test.elo0()),
        elo1 = number(test.elo1()),
    )
}
