//! What the view of a game says, in the languages of the rules.
//!
//! The one idea: a phrase is a field, so a language that lacks one does not compile. Only what
//! stands on a terminal is translated, in characters that every terminal has.

use std::fmt::Display;

use alesia::games::rulebook::Language;
use alesia::search::report::Proof;

/// The phrases; `{}` stands for a number or a name.
pub struct Phrases {
    pub server: &'static str,
    pub opponent: &'static str,
    pub warm_up: &'static str,
    pub begins: &'static str,
    pub number: &'static str,
    pub over: &'static str,
    /// White and Black, equally wide.
    pub sides: [&'static str; 2],
    pub expected: &'static str,
    pub iterations: &'static str,
    pub positions: &'static str,
    /// The opponent, where the server is known and where it is not.
    pub their_name: &'static str,
    pub nameless: &'static str,
    win: &'static str,
    draw: &'static str,
    loss: &'static str,
}

static ENGLISH: Phrases = Phrases {
    server: "waiting for the server, {} s left",
    opponent: "waiting for an opponent",
    warm_up: "warm-up, {} s so far",
    begins: "begins in {} s",
    number: "move {}",
    over: "over after {} moves",
    sides: ["White", "Black"],
    expected: "with {}",
    iterations: "{} iterations, line",
    positions: "{} positions, line",
    their_name: "opponent on {}",
    nameless: "opponent",
    win: "win in {}",
    draw: "draw",
    loss: "loss in {}",
};

static ITALIAN: Phrases = Phrases {
    server: "in attesa del server, ancora {} s",
    opponent: "in attesa di un avversario",
    warm_up: "riscaldamento, da {} s",
    begins: "inizia fra {} s",
    number: "mossa {}",
    over: "finita dopo {} mosse",
    sides: ["Bianco", "Nero  "],
    expected: "con {}",
    iterations: "{} iterazioni, linea",
    positions: "{} posizioni, linea",
    their_name: "avversario su {}",
    nameless: "avversario",
    win: "vince in {}",
    draw: "patta",
    loss: "perde in {}",
};

impl Phrases {
    /// Those of a language.
    pub fn of(language: Language) -> &'static Phrases {
        match language {
            Language::English => &ENGLISH,
            Language::Italian => &ITALIAN,
        }
    }

    /// A result that is certain.
    pub fn proof(&self, proof: Proof) -> String {
        match proof {
            Proof::Win(plies) => filled(self.win, plies),
            Proof::Draw => self.draw.to_owned(),
            Proof::Loss(plies) => filled(self.loss, plies),
        }
    }
}

/// A phrase with what it is about.
pub fn filled(phrase: &str, value: impl Display) -> String {
    phrase.replace("{}", &value.to_string())
}
