//! Positions and games as the page shows them: boards, legal moves, moves played, results.
//!
//! The one idea: a game is its start and its moves as text, and is played from there by the rules
//! before it is shown. So every move on a page is legal, from any source, also in the analysis of a
//! player. Other data of a player (values, counts) are shown unchanged.

use crate::formats::Format;
use crate::report_view::{Colour, ReportView, is_only_move};
use alesia::game::{Ending, Game, GameState, Outcome, ParseError, quoted};
use alesia::games::{AnyGame, AnyState, GameSpec};
use alesia::record::game_record::GameLine;
use serde::Serialize;

use super::book_moves::{BookMove, book_moves};
use super::shape::MoveShape;
use super::variant_view::VariantView;

/// A board with the side to move.
#[derive(Clone, Debug, Serialize)]
pub struct Board {
    pub board: String,
    /// Its rows alone, from top to bottom.
    pub rows: Vec<String>,
    pub side: Colour,
    pub ply: usize,
}

impl Board {
    fn of(position: &AnyGame) -> Board {
        Board {
            board: position.to_string(),
            rows: rows(position),
            side: position.side().into(),
            ply: position.ply(),
        }
    }
}

fn rows(position: &AnyGame) -> Vec<String> {
    position.rows().to_string().split('/').map(str::to_owned).collect()
}

/// A board with what can be done on it.
#[derive(Clone, Debug, Serialize)]
pub struct Position {
    #[serde(flatten)]
    pub board: Board,
    /// The legal moves; none once the game is over.
    pub legal: Vec<MoveShape>,
    /// The cell of a king in check.
    pub check: Option<String>,
}

/// A move that was played.
#[derive(Clone, Debug, Serialize)]
pub struct Played {
    #[serde(flatten)]
    pub shape: MoveShape,
    pub side: Colour,
    /// The board after it.
    pub rows: Vec<String>,
    /// Milliseconds it took.
    pub ms: Option<f64>,
    /// What its player thought.
    pub report: Option<ReportView>,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// The winner; none in a draw.
    pub winner: Option<Colour>,
    pub reason: String,
    /// Both, as in every result line.
    pub text: String,
    /// False for a game that was broken off, which is no draw.
    pub decided: bool,
}

impl Verdict {
    /// A result with its reason.
    pub fn new(outcome: Outcome, reason: impl Into<String>) -> Verdict {
        let winner = match outcome {
            Outcome::Win(side) => Some(side.into()),
            Outcome::Draw => None,
        };
        let reason = reason.into();
        Verdict { winner, text: format!("{outcome} ({reason})"), reason, decided: true }
    }

    /// A game that was broken off.
    pub fn none(reason: &str) -> Verdict {
        let text = format!("no result ({reason})");
        Verdict { winner: None, reason: reason.to_owned(), text, decided: false }
    }
}

impl From<Ending> for Verdict {
    fn from(Ending { outcome, rule }: Ending) -> Verdict {
        Verdict::new(outcome, rule.to_string())
    }
}

/// A game up to some move.
#[derive(Clone, Debug, Serialize)]
pub struct Shown {
    /// Where it began.
    pub start: Board,
    pub moves: Vec<Played>,
    /// Where it stands.
    pub now: Position,
    /// How it has ended by the rules.
    pub result: Option<Verdict>,
}

/// The same, and what the book knows of where it stands.
#[derive(Clone, Debug, Serialize)]
pub struct Asked {
    #[serde(flatten)]
    pub shown: Shown,
    pub book: Vec<BookMove>,
}

/// A game that is being played.
#[derive(Clone)]
pub struct Followed(AnyState);

impl Followed {
    /// A game that stands here.
    pub fn at(state: AnyState) -> Followed {
        Followed(state)
    }

    /// Plays one more move.
    ///
    /// # Errors
    /// It is not legal, or the game is over.
    pub fn play(&mut self, text: &str) -> Result<Played, ParseError> {
        if let Some(ending) = self.0.ending() {
            let expected = format!("nothing, as the game is over: {ending}");
            return Err(ParseError::new("move", quoted(text), expected));
        }
        let m = self.0.position.parse_move(text)?;
        let shape = MoveShape::of(&self.0.position, m);
        let side = self.0.position.side().into();
        self.0.play(m);
        Ok(Played { shape, side, rows: rows(&self.0.position), ms: None, report: None })
    }

    /// Where it stands.
    pub fn now(&self) -> Position {
        let moves = self.0.moves();
        Position {
            board: Board::of(&self.0.position),
            legal: moves.iter().map(|&m| self.0.position.shape(m).into()).collect(),
            check: self.0.position.checked_cell(),
        }
    }

    /// Plies since the game's own start.
    pub fn ply(&self) -> usize {
        self.0.position.ply()
    }

    /// How it has ended by the rules.
    pub fn result(&self) -> Option<Verdict> {
        self.0.ending().map(Verdict::from)
    }

    /// What was said of where it stands, without moves that are not legal there.
    pub fn legal_part(&self, mut report: ReportView) -> ReportView {
        let mut after = Followed(self.0);
        let line = report.pv.iter().map_while(|text| after.play(text).ok());
        report.pv = line.map(|played| played.shape.text).collect();
        report.top.retain(|top| self.0.position.parse_move(&top.text).is_ok());
        report.only = is_only_move(&self.0.position);
        report
    }
}

/// Begins a game on a text board, or at its usual start.
///
/// # Errors
/// The board cannot be read.
pub fn begin(game: GameSpec, board: Option<&str>) -> Result<(Board, Followed), ParseError> {
    let position = AnyGame::start(game).begin(board).map_err(|error| error.within("board"))?;
    Ok((Board::of(&position), Followed(GameState::new(position))))
}

/// Plays a game from its start and shows every move of it.
///
/// # Errors
/// The board cannot be read, or a move is not legal or comes after the end: which one.
pub fn show(game: GameSpec, line: &GameLine) -> Result<Shown, ParseError> {
    Ok(played(game, line)?.0)
}

/// As [`show`], with what the book knows.
///
/// # Errors
/// As for [`show`].
pub fn answer(game: GameSpec, line: &GameLine) -> Result<Asked, ParseError> {
    let (shown, Followed(state)) = played(game, line)?;
    let book = if shown.result.is_none() { book_moves(&state.position) } else { Vec::new() };
    Ok(Asked { shown, book })
}

fn played(game: GameSpec, line: &GameLine) -> Result<(Shown, Followed), ParseError> {
    let (start, mut followed) = begin(game, line.board.as_deref())?;
    let numbered = (1..).zip(&line.moves);
    let moves = numbered.map(|(number, text)| {
        followed.play(text).map_err(|error| error.within(format!("move {number}")))
    });
    let moves = moves.collect::<Result<_, _>>()?;
    let shown = Shown { start, moves, now: followed.now(), result: followed.result() };
    Ok((shown, followed))
}

/// A setup of a game, and the text board on which it begins.
#[derive(Clone, Debug, Serialize)]
pub struct Start {
    /// The game with the setup, as on the command line.
    pub id: String,
    /// Its word alone, of a handicap what is missing; empty for the usual one.
    pub name: String,
    pub board: String,
    /// Its rows alone, from top to bottom.
    pub rows: Vec<String>,
    /// The side that begins with less, in a handicap.
    pub gives: Option<Colour>,
}

/// What the page must know of a game to draw it.
#[derive(Clone, Debug, Serialize)]
pub struct Rules {
    /// As on the command line.
    pub id: String,
    /// For people.
    pub title: &'static str,
    /// The names of the rows, from top to bottom.
    pub rows: Vec<String>,
    /// The names of the columns, from left to right.
    pub columns: Vec<String>,
    /// The names of the cells, by row.
    pub cells: Vec<Vec<String>>,
    /// Where it may begin, the usual one first.
    pub starts: Vec<Start>,
    /// Whether it has boards of any size, with names that end with rows and columns (`4x5`).
    pub sized: bool,
    /// Whether it has a page of rules.
    pub guide: bool,
    /// The forms in which a game can be downloaded, beside its record.
    pub formats: Vec<&'static str>,
    /// What is special about a chess variant; none of other games.
    pub variant: Option<VariantView>,
}

/// Describes a game.
pub fn rules(game: GameSpec) -> Rules {
    let id = game.to_string();
    let start = |setup: GameSpec| {
        let (position, less) = (AnyGame::start(setup), setup.handicap());
        Start {
            id: setup.to_string(),
            name: less.map_or_else(|| setup.setup(), |less| less.name.to_owned()),
            board: position.to_string(),
            rows: rows(&position),
            gives: less.map(|less| less.side.into()),
        }
    };
    let starts = game.alternatives().into_iter().map(start).collect();
    let start = AnyGame::start(game);
    let (rows, columns) = start.labels();
    let sized = GameSpec::of_size(rows.len(), columns.len()).contains(&game);
    let formats = Format::written(game).map(|(name, _)| name).collect();
    let (title, cells) = (game.title(), start.cells());
    let variant = VariantView::of_game(game);
    let guide = variant.is_some() || start.has_rules();
    Rules { id, title, rows, columns, cells, starts, sized, guide, formats, variant }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report_view::TopMove;

    fn line(moves: &str) -> GameLine {
        GameLine { board: None, moves: moves.split_whitespace().map(str::to_owned).collect() }
    }

    #[test]
    fn a_game_is_shown_with_its_moves_and_its_end() {
        let hadron: GameSpec = "hadron3".parse().unwrap();
        let shown = show(hadron, &line("B2")).unwrap();
        assert_eq!(shown.moves[0].rows, ["...", ".w.", "..."]);
        assert_eq!(shown.now.legal.len(), 4);
        assert_eq!(shown.now.board.board, ".../.w./... b 1");
        let shown = show(hadron, &line("b1 A3 C2")).unwrap();
        assert_eq!(shown.result.unwrap().text, "White (no legal move)");
        assert!(shown.now.legal.is_empty());
    }

    #[test]
    fn names_errors() {
        let error = |moves| show("hadron3".parse().unwrap(), &line(moves)).unwrap_err().to_string();
        assert!(error("B2 B1").starts_with("move 2, move: found `B1`, expected a legal move"));
        let over = "move 4, move: found `A1`, expected nothing, as the game is over: White";
        assert!(error("B1 A3 C2 A1").starts_with(over), "{}", error("B1 A3 C2 A1"));
    }

    #[test]
    fn drops_thoughts_of_illegal_moves() {
        let (_, mut followed) = begin("hadron3".parse().unwrap(), None).unwrap();
        followed.play("B1").unwrap();
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let top = |text: &String| TopMove {
            text: text.clone(),
            visits: 1,
            value: 0.5,
            prior: 0.5,
            proof: None,
        };
        let top = words("B1 A3 x").iter().map(top).collect();
        let said = ReportView { pv: words("A3 C2 A1 B2"), top, ..ReportView::default() };
        let kept = followed.legal_part(said);
        assert_eq!(kept.pv, ["A3", "C2"], "the game is over then");
        assert_eq!((kept.top.len(), &*kept.top[0].text, kept.only), (1, "A3", false));
        let (_, mut followed) = begin("hadron2x2".parse().unwrap(), None).unwrap();
        for text in ["A1", "B2", "A2"] {
            followed.play(text).unwrap();
        }
        assert!(followed.legal_part(ReportView::default()).only);
    }

    #[test]
    fn every_game_has_its_cells_and_starts() {
        let games = GameSpec::fitting(|_| true);
        let described = games.into_iter().map(rules);
        let corners = described
            .map(|rules| format!("{} {} {}", rules.id, rules.cells[0][0], rules.starts.len()));
        let corners: Vec<String> = corners.collect();
        let expected = [
            "murus A1 5",
            "hadron A1 1",
            "hadron5 A1 1",
            "hadron7 A1 1",
            "loa A8 3",
            "voidrider a9 8",
        ];
        assert_eq!(corners, expected);
    }
}
