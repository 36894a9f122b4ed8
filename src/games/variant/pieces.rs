//! The pieces of the grammar: how each moves, in Betza's notation and in words.

use crate::games::rulebook::Language;

/// A piece of the grammar.
struct Predefined {
    /// The key.
    name: &'static str,
    /// How it moves.
    notation: &'static str,
    /// What it is called and how it moves, in words, in each language.
    words: [(&'static str, &'static str); Language::ALL.len()],
}

macro_rules! pieces {
    ($($name:literal $notation:literal: $english:literal, $how:literal; $italian:literal, $come:literal.)+) => {
        [$(Predefined {
            name: $name,
            notation: $notation,
            words: [($english, $how), ($italian, $come)],
        }),+]
    };
}

const PREDEFINED: [Predefined; 27] = pieces![
    "pawn" "fmWfceFifmnD": "pawn", "one square forward, captures diagonally forward";
        "pedone", "una casella in avanti, cattura in diagonale in avanti".
    "knight" "N": "knight", "leaps two squares one way and one across";
        "cavallo", "salta due caselle in un verso e una di lato".
    "bishop" "B": "bishop", "any way along diagonals"; "alfiere", "lungo le diagonali".
    "rook" "R": "rook", "any way along ranks and files"; "torre", "lungo traverse e colonne".
    "queen" "Q": "queen", "as a rook or a bishop"; "donna", "come torre o alfiere".
    "king" "K": "king", "one square in any direction"; "re", "di una casella in ogni direzione".
    "fers" "F": "fers", "one square diagonally"; "fers", "di una casella in diagonale".
    "alfil" "A": "alfil", "leaps two squares diagonally"; "alfil", "salta due caselle in diagonale".
    "fersAlfil" "FA": "fers-alfil", "as a fers or an alfil"; "fers-alfil", "come fers o alfil".
    "silver" "FfW": "silver general", "one square diagonally or straight forward";
        "generale d’argento", "di una casella in diagonale o dritto in avanti".
    "bers" "RF": "bers", "as a rook, or one square diagonally";
        "bers", "come una torre, o di una casella in diagonale".
    "archbishop" "BN": "archbishop", "as a bishop or a knight";
        "arcivescovo", "come alfiere o cavallo".
    "chancellor" "RN": "chancellor", "as a rook or a knight"; "cancelliere", "come torre o cavallo".
    "amazon" "QN": "amazon", "as a queen or a knight"; "amazzone", "come donna o cavallo".
    "knibis" "mNcB": "knibis", "moves as a knight, captures as a bishop";
        "knibis", "muove come un cavallo, cattura come un alfiere".
    "biskni" "mBcN": "biskni", "moves as a bishop, captures as a knight";
        "biskni", "muove come un alfiere, cattura come un cavallo".
    "kniroo" "mNcR": "kniroo", "moves as a knight, captures as a rook";
        "kniroo", "muove come un cavallo, cattura come una torre".
    "rookni" "mRcN": "rookni", "moves as a rook, captures as a knight";
        "rookni", "muove come una torre, cattura come un cavallo".
    "wazir" "W": "wazir", "one square along rank or file";
        "visir", "di una casella lungo traversa o colonna".
    "commoner" "K": "commoner", "one square in any direction, and may be captured";
        "uomo", "di una casella in ogni direzione, e può essere catturato".
    "centaur" "KN": "centaur", "as a king or a knight"; "centauro", "come re o cavallo".
    "cannon" "mRcpR": "cannon", "moves as a rook, captures by a leap over one piece";
        "cannone", "muove come una torre, cattura saltando un pezzo".
    "horse" "nN": "horse", "as a knight, but cannot leap over pieces";
        "cavallo cinese", "come un cavallo, ma non salta altri pezzi".
    "elephant" "nA": "elephant", "two squares diagonally, but cannot leap over pieces";
        "elefante", "di due caselle in diagonale, ma non salta altri pezzi".
    "breakthrough" "fmWfF": "breakthrough pawn",
        "one square straight or diagonally forward, captures diagonally";
        "pedone di sfondamento", "una casella in avanti o in diagonale, cattura in diagonale".
    "soldier" "fsW": "soldier", "one square forward or sideways";
        "soldato", "di una casella in avanti o di lato".
    "gold" "WfF": "gold general", "one square along rank or file, or diagonally forward";
        "generale d’oro", "di una casella lungo traversa o colonna, o in diagonale in avanti".
];

/// The piece of a key.
fn predefined(name: &str) -> Option<&'static Predefined> {
    PREDEFINED.iter().find(|piece| piece.name == name)
}

/// How the piece of a key moves, in Betza's notation; none of other keys.
pub fn notation(name: &str) -> Option<&'static str> {
    predefined(name).map(|piece| piece.notation)
}

/// What a piece is called and how it moves, in words; none of custom ones.
pub fn named(name: &str, language: Language) -> Option<(&'static str, &'static str)> {
    predefined(name).map(|piece| piece.words[language as usize])
}
