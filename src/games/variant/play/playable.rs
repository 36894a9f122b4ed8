//! The rules of a section, once it is certain that a game can begin with its start position.
//!
//! The one idea: what is wrong is said at the line of the key that makes it so, which need not be
//! that of the position.

use super::fen;
use super::piece_values::PieceValues;
use super::position::Position;
use super::rules::Rules;
use crate::game::{ParseError, Side};
use crate::games::variant::read::ini::{Entry, Place, Section};
use crate::games::variant::read::{definition, start};

/// The rules of a section, with a start position that can be played.
///
/// # Errors
/// All that is known to be wrong, at least one thing.
pub fn rules(section: &Section) -> Result<Rules, Vec<ParseError>> {
    let rules = Rules::new(definition::read(section)?);
    with_start(rules, section).map_err(|error| vec![error])
}

/// Rules whose start position has been looked at.
fn with_start(mut rules: Rules, section: &Section) -> Result<Rules, ParseError> {
    let start = &rules.definition.start;
    let refused = |error: ParseError| start::error(section, start, error);
    let position = fen::read(&rules, &start.value).map_err(refused)?;
    check(&rules, &position, section)?;
    let count = |kind: usize| position.of_kind(kind).count_ones();
    let counts: Vec<u32> = (0..rules.definition.kinds.len()).map(count).collect();
    rules.piece_values = PieceValues::of(&rules, position.squares, &counts);
    Ok(rules)
}

/// Checks a start position that can be read: White begins in move 1, and the game goes on.
fn check(rules: &Rules, position: &Position, section: &Section) -> Result<(), ParseError> {
    let start = &rules.definition.start;
    if position.side == Side::Black {
        return Err(start.error("`b` at side to move", "`w`: White begins"));
    }
    if position.ply != 0 {
        let found = format!("`{}` at number of the move", position.ply / 2 + 1);
        return Err(start.error(found, "`1`"));
    }
    if let Some(limit) = rules.definition.quiet_limit.filter(|&limit| position.quiet >= limit) {
        return Err(clock_error(position.quiet, limit, start, section));
    }
    if position.all_moves() == 0 {
        return Err(start.error("no legal move of White", "a position with a legal move"));
    }
    match rules.has_special_ending.then(|| position.special_ending()).flatten() {
        None => Ok(()),
        Some(ending) => {
            let keys: &[&str] = match ending.rule {
                Position::FLAG => &["flagPiece", "flagRegionWhite", "flagRegionBlack"],
                Position::CHECKS => &["checkCounting"],
                _ => &["extinctionPieceTypes", "extinctionPieceCount", "extinctionValue"],
            };
            let all = keys.iter().filter_map(|key| section.get(key));
            // Of a rule that is inherited, the start position is what is wrong.
            let entry = all.filter(|entry| entry.is_own()).max_by_key(|entry| entry.place.line);
            let found = format!("a start position in which the game is over: {ending}");
            Err(entry.unwrap_or(start).error(found, "one in which it goes on"))
        }
    }
}

/// The error of a start position whose quiet plies make a draw, at the line that does so.
fn clock_error(quiet: u16, limit: u16, start: &Entry, section: &Section) -> ParseError {
    match section.get("nMoveRule").filter(|rule| rule.is_own() && !start.is_own()) {
        Some(rule) => rule.unexpected(format!(
            "more than {}, as startFen has {quiet} quiet plies, or a startFen of its own",
            quiet / 2
        )),
        None => {
            let expected = format!("fewer than {limit}, which are a draw (nMoveRule)");
            start.error(format!("`{quiet}` at quiet plies"), expected)
        }
    }
}

/// What is read over, or allowed in a start position and yet seldom meant; with its line.
pub fn notices(rules: &Rules) -> Vec<String> {
    let display = rules.definition.display.iter().map(|Entry { place, key, .. }| {
        let Place { file, line } = place;
        format!("{file}:{line}: {key}: read over, as it only says how a board is drawn")
    });
    display.chain(missing_kings(rules)).collect()
}

/// A notice for each side without a king.
fn missing_kings(rules: &Rules) -> Vec<String> {
    let definition = &rules.definition;
    let Some(royal) = rules.royal else { return Vec::new() };
    let Ok(position) = rules.position(&definition.start.value) else { return Vec::new() };
    let sides = [Side::White, Side::Black].into_iter();
    let without = sides.filter(|&side| position.of_kind(royal) & position.pieces(side) == 0);
    let letter = definition.kinds[royal].letter;
    let place = &definition.start.place;
    let notice = |side: Side| {
        format!(
            "{}:{}: startFen: {side} has no king (`{letter}`), so it is never in check",
            place.file, place.line
        )
    };
    without.map(notice).collect()
}
