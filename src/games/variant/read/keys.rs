//! The keys of the grammar: which there are, and which mean nothing alone.
//!
//! The one idea: nothing that a section says is ignored. A key that is not known is an error, and
//! so is one that has no effect for want of another; what is inherited may have none.

use super::ini::{Entry, Section};
use super::words::near;
use crate::game::ParseError;

/// The pieces of the grammar, and how they move.
pub const PREDEFINED: [(&str, &str); 28] = [
    ("pawn", "fmWfceFifmnD"),
    ("knight", "N"),
    ("bishop", "B"),
    ("rook", "R"),
    ("queen", "Q"),
    ("king", "K"),
    ("fers", "F"),
    ("alfil", "A"),
    ("fersAlfil", "FA"),
    ("silver", "FfW"),
    ("bers", "RF"),
    ("archbishop", "BN"),
    ("chancellor", "RN"),
    ("amazon", "QN"),
    ("knibis", "mNcB"),
    ("biskni", "mBcN"),
    ("kniroo", "mNcR"),
    ("rookni", "mRcN"),
    ("wazir", "W"),
    ("commoner", "K"),
    ("centaur", "KN"),
    ("cannon", "mRcpR"),
    ("horse", "nN"),
    ("elephant", "nA"),
    ("breakthrough", "fmWfF"),
    ("soldier", "fsW"),
    ("gold", "WfF"),
    ("immobile", ""),
];

/// The other keys, except `customPiece1` to `customPiece25`.
const KEYS: [&str; 49] = [
    "maxRank",
    "maxFile",
    "startFen",
    "pieceValueMg",
    "pieceValueEg",
    "pawnTypes",
    "promotionPawnTypes",
    "promotionRegionWhite",
    "promotionRegionBlack",
    "promotionPieceTypes",
    "promotionPieceTypesWhite",
    "promotionPieceTypesBlack",
    "mandatoryPawnPromotion",
    "doubleStep",
    "doubleStepRegionWhite",
    "doubleStepRegionBlack",
    "enPassantRegion",
    "castling",
    "castlingKingsideFile",
    "castlingQueensideFile",
    "castlingRank",
    "castlingKingFile",
    "castlingKingPiece",
    "castlingRookPieces",
    "castlingRookKingsideFile",
    "castlingRookQueensideFile",
    "checking",
    "mustCapture",
    "nMoveRule",
    "nMoveRuleTypes",
    "nFoldRule",
    "nFoldValue",
    "stalemateValue",
    "checkmateValue",
    "extinctionValue",
    "extinctionPieceTypes",
    "extinctionPieceCount",
    "extinctionPseudoRoyal",
    "blastOnCapture",
    "flagPiece",
    "flagPieceCount",
    "flagRegionWhite",
    "flagRegionBlack",
    "checkCounting",
    "passOnStalemate",
    "voidMoves",
    "pawnVoidMoves",
    "voidRiders",
    "castlingMoves",
];

/// Keys that say how a board is drawn and have no rules in them: they are read over.
pub const DISPLAY: [&str; 3] = ["pieceToCharTable", "variantTemplate", "pocketSize"];

/// How many custom pieces there may be.
const CUSTOM: usize = 25;

/// Keys of Fairy-Stockfish that need what is not here: drops, gates, other boards, counting.
const UNSUPPORTED: [&str; 114] = [
    "chess960",
    "twoBoards",
    "promotionLimit",
    "sittuyinPromotion",
    "promotionSteal",
    "promotionRequireInHand",
    "promotionConsumeInHand",
    "promotedPieceType",
    "piecePromotionOnCapture",
    "mandatoryPiecePromotion",
    "pieceDemotion",
    "blastImmuneTypes",
    "mutuallyImmuneTypes",
    "petrifyOnCaptureTypes",
    "petrifyBlastPieces",
    "tripleStepRegionWhite",
    "tripleStepRegionBlack",
    "enPassantTypes",
    "enPassantTypesWhite",
    "enPassantTypesBlack",
    "castlingDroppedPiece",
    "castlingKingPieceWhite",
    "castlingKingPieceBlack",
    "castlingRookPiece",
    "castlingRookPiecesWhite",
    "castlingRookPiecesBlack",
    "oppositeCastling",
    "castlingWins",
    "dropChecks",
    "mustDrop",
    "mustDropType",
    "openingSelfRemoval",
    "pieceDrops",
    "dropLoop",
    "dropOnTop",
    "capturesToHand",
    "firstRankPawnDrops",
    "promotionZonePawnDrops",
    "enclosingDrop",
    "enclosingDropStart",
    "dropRegionWhite",
    "dropRegionBlack",
    "whiteDropRegion",
    "blackDropRegion",
    "sittuyinRookDrop",
    "dropOppositeColoredBishop",
    "dropPromoted",
    "dropNoDoubled",
    "dropNoDoubledCount",
    "immobilityIllegal",
    "gating",
    "wallingRule",
    "wallingRegion",
    "wallingRegionWhite",
    "wallingRegionBlack",
    "wallOrMove",
    "seirawanGating",
    "arrowGating",
    "duckGating",
    "staticGating",
    "pastGating",
    "cambodianMoves",
    "diagonalLines",
    "pass",
    "passWhite",
    "passBlack",
    "passOnStalemateWhite",
    "passOnStalemateBlack",
    "makpongRule",
    "flyingGeneral",
    "soldierPromotionRank",
    "flipEnclosedPieces",
    "freeDrops",
    "nFoldValueAbsolute",
    "perpetualCheckIllegal",
    "moveRepetitionIllegal",
    "chasingRule",
    "stalematePieceCount",
    "shogiPawnDropMateIllegal",
    "shatarMateRule",
    "bikjangRule",
    "extinctionClaim",
    "dupleCheck",
    "extinctionOpponentPieceCount",
    "flagPieceWhite",
    "flagPieceBlack",
    "flagPieceBlockedWin",
    "flagPieceSafe",
    "flagMove",
    "connectN",
    "connectPieceTypes",
    "connectRegion1White",
    "connectRegion1Black",
    "connectRegion2White",
    "connectRegion2Black",
    "connectHorizontal",
    "connectVertical",
    "connectDiagonal",
    "connectNxN",
    "collinearN",
    "connectValue",
    "materialCounting",
    "adjudicateFullBoard",
    "countingRule",
    "flagRegion",
    "promotionRegion",
    "doubleStepRegion",
    "enPassantRegionWhite",
    "enPassantRegionBlack",
    "nMoveRuleTypesWhite",
    "nMoveRuleTypesBlack",
    "nMoveHardLimitRule",
    "promotionPawnTypesWhite",
    "promotionPawnTypesBlack",
];

/// Pieces of Fairy-Stockfish that are not here.
const UNSUPPORTED_PIECES: [&str; 3] = ["banner", "janggiCannon", "janggiElephant"];

/// Pieces that other programs name, and what they are here.
const OTHER_PIECES: [(&str, &str); 21] = [
    ("grasshopper", "customPiece1 = g:gQ"),
    ("nightrider", "customPiece1 = n:NN"),
    ("camel", "customPiece1 = c:C"),
    ("zebra", "customPiece1 = z:Z"),
    ("dabbaba", "customPiece1 = d:D"),
    ("dragon", "bers = d"),
    ("dragonHorse", "customPiece1 = h:BW"),
    ("unicorn", "customPiece1 = u:BNN"),
    ("aiwok", "customPiece1 = a:RNF"),
    ("lance", "customPiece1 = l:fR"),
    ("shogiPawn", "customPiece1 = s:fW"),
    ("shogiKnight", "customPiece1 = n:fN"),
    ("clobber", "customPiece1 = c:cW"),
    ("berolina", "customPiece1 = p:mfFcefWimfnA"),
    ("ferz", "fers = f"),
    ("mann", "commoner = m"),
    ("guard", "commoner = g"),
    ("princess", "archbishop = a"),
    ("cardinal", "archbishop = a"),
    ("empress", "chancellor = c"),
    ("marshal", "chancellor = c"),
];

/// A key, and those of which one must be given with it.
const NEEDS: [(&str, &[&str]); 9] = [
    ("extinctionValue", &["extinctionPieceTypes"]),
    ("extinctionPieceTypes", &["extinctionValue", "extinctionPseudoRoyal"]),
    ("extinctionPieceCount", &["extinctionValue", "extinctionPseudoRoyal"]),
    ("extinctionPseudoRoyal", &["extinctionPieceTypes"]),
    ("flagPiece", &["flagRegionWhite", "flagRegionBlack"]),
    ("flagPieceCount", &["flagRegionWhite", "flagRegionBlack"]),
    ("pawnVoidMoves", &["voidMoves"]),
    ("nFoldValue", &["nFoldRule", ""]),
    ("nMoveRuleTypes", &["nMoveRule", ""]),
];

/// The keys of which this much begins a name, the key that switches them off, and its value.
const SWITCHED_OFF: [(&str, &str, &str); 3] = [
    ("castling", "castling", "false"),
    ("doubleStepRegion", "doubleStep", "false"),
    ("enPassantRegion", "doubleStep", "false"),
];

/// The number of a `customPieceN` key.
pub fn custom_number(key: &str) -> Option<usize> {
    let number = key.strip_prefix("customPiece")?;
    (1..=CUSTOM).find(|candidate| candidate.to_string() == number)
}

/// Whether a key is the name of a piece or defines one.
pub fn is_piece(key: &str) -> bool {
    PREDEFINED.iter().any(|&(name, _)| name == key) || custom_number(key).is_some()
}

/// The error of a key that is not known.
pub fn unknown_key(entry: &Entry) -> Option<ParseError> {
    (!is_known(&entry.key)).then(|| unknown(entry))
}

/// Checks that none of the section's own keys is without effect.
pub fn check(section: &Section) -> Result<(), ParseError> {
    for entry in section.entries.iter().filter(|entry| entry.is_own() && !is_none(entry)) {
        if let Some((_, needed)) = NEEDS.iter().find(|(key, _)| *key == entry.key) {
            check_need(section, entry, needed)?;
        }
        for (beginning, switch, off) in SWITCHED_OFF {
            let is_off = section.get(switch).is_some_and(|switch| switch.value == off);
            if entry.key != switch && entry.key.starts_with(beginning) && is_off {
                let expected = format!("no such key with {switch} = {off}");
                return Err(entry.unexpected(expected));
            }
        }
    }
    Ok(())
}

/// Checks that one of the keys that an entry needs is given. An empty one stands for a default that
/// needs no key, so that only a value that switches the rule off is wrong.
fn check_need(section: &Section, entry: &Entry, needed: &[&str]) -> Result<(), ParseError> {
    let given: Vec<&Entry> = needed.iter().filter_map(|key| section.get(key)).collect();
    let is_default = given.is_empty() && needed.contains(&"");
    if is_default || given.iter().any(|other| !is_none(other)) {
        return Ok(());
    }
    let names: Vec<&str> = needed.iter().copied().filter(|key| !key.is_empty()).collect();
    let off = given.first().map(|other| format!(", other than {}", other.value));
    let expected = format!("{} with it{}", names.join(" or "), off.unwrap_or_default());
    Err(entry.unexpected(expected))
}

/// Whether a value switches a rule off.
fn is_none(entry: &Entry) -> bool {
    let is_count = matches!(entry.key.as_str(), "nFoldRule" | "nMoveRule");
    let is_off = entry.key == "extinctionPseudoRoyal" && entry.value == "false";
    matches!(entry.value.as_str(), "-" | "none") || is_count && entry.value == "0" || is_off
}

/// The same for keys whose effect depends on the pieces.
pub fn check_pieces(
    section: &Section,
    promotes: bool,
    has_initial: bool,
) -> Result<(), ParseError> {
    for entry in section.entries.iter().filter(|entry| entry.is_own() && !is_none(entry)) {
        let is_promotion = entry.key.starts_with("promotionRegion")
            || entry.key.starts_with("promotionPieceTypes")
            || entry.key == "mandatoryPawnPromotion";
        if is_promotion && !promotes {
            return Err(entry.unexpected("promotionPawnTypes with it, as there is no pawn"));
        }
        if entry.key.starts_with("doubleStepRegion") && !has_initial {
            return Err(entry.unexpected("a piece with first moves (i) with it"));
        }
    }
    Ok(())
}

/// Whether a key is one of the grammar's that are supported.
fn is_known(key: &str) -> bool {
    KEYS.contains(&key) || DISPLAY.contains(&key) || is_piece(key)
}

/// The error at an unknown key: a slip, a piece by another name, or something that is not here.
fn unknown(entry: &Entry) -> ParseError {
    let key = entry.key.as_str();
    let pieces = PREDEFINED.iter().map(|&(name, _)| name);
    let all = KEYS.iter().copied().chain(pieces);
    let other = OTHER_PIECES.iter().find(|(name, _)| name.eq_ignore_ascii_case(key));
    if let Some((_, instead)) = other {
        return entry.error("a piece that has another name here", *instead);
    }
    let is_key = UNSUPPORTED.contains(&key) || key.starts_with("mobilityRegion");
    if is_key || UNSUPPORTED_PIECES.contains(&key) {
        let what = if is_key { "key" } else { "piece" };
        let found = format!("a {what} of Fairy-Stockfish that is not supported");
        return entry.error(found, "only what docs/games/variants.md lists");
    }
    let list = "the keys that docs/games/variants.md lists";
    match near(key, all) {
        Some(near) => entry.error("an unknown key", format!("{near}, or another of {list}")),
        None if key.starts_with("customPiece") => {
            entry.error("an unknown key", format!("customPiece1 to customPiece{CUSTOM}"))
        }
        None => entry.error("an unknown key", format!("one of {list}")),
    }
}
