//! Positions and games as the page shows them: boards, legal moves, moves played, results.
//!
//! The one idea: a game is its start and its moves as text, and is played from there by the rules
//! before it is shown; so every move on a page is legal, whoever sent it, those that a player only
//! thinks of too. What a player says beside moves (values, counts) is shown as it was said.

use alesia::game::{Ending, Game, GameState, Move, MoveList, Outcome, ParseError, Side, quoted};
use alesia::games::loa::Layout;
use alesia::games::{GameSpec, Loa};
use alesia::search::report::{Proof, Report};
use alesia::with_game;
use serde::{Deserialize, Serialize};

use super::shape::{Drawn, MoveShape};
use crate::matches::players::{Line, Thought};

/// The games that the page offers.
pub const OFFERED: [&str; 6] = ["murus", "hadron", "hadron5", "hadron7", "loa", "voidrider"];

/// Whose it is, as the page has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    /// The first player.
    White,
    /// The second.
    Black,
}

impl From<Side> for Colour {
    fn from(side: Side) -> Colour {
        match side {
            Side::White => Colour::White,
            Side::Black => Colour::Black,
        }
    }
}

impl From<Colour> for Side {
    fn from(colour: Colour) -> Side {
        match colour {
            Colour::White => Side::White,
            Colour::Black => Side::Black,
        }
    }
}

/// A board with the side to move.
#[derive(Clone, Debug, Serialize)]
pub struct Board {
    /// The text board.
    pub board: String,
    /// Its rows alone, from top to bottom.
    pub rows: Vec<String>,
    /// Who is to move.
    pub side: Colour,
    /// Plies played.
    pub ply: usize,
}

impl Board {
    fn of<G: Game>(position: &G) -> Board {
        Board {
            board: position.to_string(),
            rows: rows(position),
            side: position.side().into(),
            ply: position.ply(),
        }
    }
}

fn rows<G: Game>(position: &G) -> Vec<String> {
    position.rows().to_string().split('/').map(str::to_owned).collect()
}

/// A board with what can be done on it.
#[derive(Clone, Debug, Serialize)]
pub struct Position {
    /// The board.
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
    /// The move.
    #[serde(flatten)]
    pub shape: MoveShape,
    /// Who played it.
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
    /// Who won; nobody.
    pub winner: Option<Colour>,
    /// By what.
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

/// A result under best play.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ProofView {
    /// Who wins; nobody.
    pub winner: Option<Colour>,
    /// In so many plies, where it is known.
    pub plies: Option<u16>,
}

impl ProofView {
    /// What is proven for the mover.
    pub fn new(proof: Proof, mover: Side) -> ProofView {
        match proof {
            Proof::Win(plies) => ProofView { winner: Some(mover.into()), plies: Some(plies) },
            Proof::Loss(plies) => ProofView { winner: Some((!mover).into()), plies: Some(plies) },
            Proof::Draw => ProofView { winner: None, plies: None },
        }
    }
}

/// What a search says of a move at its root.
#[derive(Clone, Debug, Serialize)]
pub struct TopMove {
    /// In the game's notation.
    #[serde(rename = "move")]
    pub text: String,
    /// Iterations that began with it.
    pub visits: u64,
    /// Its expected result for White, 0 to 1.
    pub value: f32,
    /// Its share before the search.
    pub prior: f32,
    /// Its proven result.
    pub proof: Option<ProofView>,
}

/// What a player thought.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ReportView {
    /// The expected result for White, 0 to 1.
    pub value: Option<f32>,
    /// Plies searched, or the length of the principal variation.
    pub depth: Option<u32>,
    /// Iterations or positions.
    pub nodes: Option<u64>,
    /// Milliseconds spent.
    pub ms: Option<f64>,
    /// Iterations or positions a second.
    pub per_second: Option<f64>,
    /// The proven result.
    pub proof: Option<ProofView>,
    /// The principal variation.
    pub pv: Vec<String>,
    /// The preferred moves.
    pub top: Vec<TopMove>,
    /// There was one legal move.
    pub only: bool,
}

/// A result as a value for White.
pub fn value_for_white(winner: Option<Colour>) -> f32 {
    match winner {
        Some(Colour::White) => 1.0,
        Some(Colour::Black) => 0.0,
        None => 0.5,
    }
}

/// The expected result for White of one for `mover`.
pub fn for_white(value: f32, mover: Side) -> f32 {
    if mover == Side::White { value } else { 1.0 - value }
}

impl ReportView {
    /// What an engine of ours reports of a position.
    pub fn of_report<G: Game>(position: &G, report: &Report) -> ReportView {
        let mover = position.side();
        let top = report.top_moves.iter().map(|top| TopMove {
            text: position.notation(top.m).to_string(),
            visits: top.visits,
            value: for_white(top.value, mover),
            prior: top.prior,
            proof: top.proof.map(|proof| ProofView::new(proof, mover)),
        });
        let seconds = report.elapsed.as_secs_f64();
        ReportView {
            value: Some(for_white(report.value, mover)),
            depth: Some(report.depth as u32),
            nodes: Some(report.nodes),
            ms: Some((seconds * 1e6).round() / 1000.0),
            per_second: (seconds > 0.0).then(|| (report.nodes as f64 / seconds).round()),
            proof: report.proof.map(|proof| ProofView::new(proof, mover)),
            pv: texts(position, &report.variation),
            top: top.collect(),
            only: legal_moves(position).len() == 1,
        }
        .of_what_is_known()
    }

    /// Takes the value from a proof, and leaves out what says nothing: where nothing was searched, as
    /// there was one move only or its result was known, or by a player that does not think.
    pub fn of_what_is_known(self) -> ReportView {
        let proven = self.proof.map(|proof| value_for_white(proof.winner));
        match self.nodes {
            Some(0) => {
                ReportView { value: proven, depth: None, nodes: None, per_second: None, ..self }
            }
            _ => ReportView { value: proven.or(self.value), ..self },
        }
    }

    /// What a player of a match said of its move.
    pub fn of_thought(thought: &Thought, mover: Side) -> Option<ReportView> {
        let Thought { value, cp, mate, depth, nodes } = *thought;
        // See `alesia ugi`: the scale of its centipawns.
        let of_cp = |cp: i32| {
            let cp = cp as f32;
            (1.0 + cp / (200.0 + cp.abs())) / 2.0
        };
        let proof = mate.map(|moves| {
            // The mover's own moves: its last ply is the win, or the reply to it.
            let plies = u16::try_from(moves.unsigned_abs()).unwrap_or(u16::MAX).saturating_mul(2);
            match moves > 0 {
                true => ProofView::new(Proof::Win(plies.saturating_sub(1)), mover),
                false => ProofView::new(Proof::Loss(plies), mover),
            }
        });
        let view = ReportView {
            value: value.or(cp.map(of_cp)).map(|value| for_white(value, mover)),
            depth,
            nodes,
            proof,
            ..ReportView::default()
        };
        let known = value.is_some() || cp.is_some() || depth.is_some() || nodes.is_some();
        (known || proof.is_some()).then(|| view.of_what_is_known())
    }
}

fn legal_moves<G: Game>(position: &G) -> MoveList {
    let mut moves = MoveList::new();
    position.moves(&mut moves);
    moves
}

fn texts<G: Game>(position: &G, moves: &[Move]) -> Vec<String> {
    let mut position = *position;
    let text = |&m: &Move| {
        let text = position.notation(m).to_string();
        position.play(m);
        text
    };
    moves.iter().map(text).collect()
}

/// A game up to some move.
#[derive(Clone, Debug, Serialize)]
pub struct Shown {
    /// Where it began.
    pub start: Board,
    /// Its moves.
    pub moves: Vec<Played>,
    /// Where it stands.
    pub now: Position,
    /// How it has ended by the rules.
    pub result: Option<Verdict>,
}

/// A game of any kind that is being played.
pub trait Followed: Send {
    /// Plays one more move.
    ///
    /// # Errors
    /// It is not legal, or the game is over.
    fn play(&mut self, text: &str) -> Result<Played, ParseError>;

    /// Where it stands.
    fn now(&self) -> Position;

    /// How it has ended by the rules.
    fn result(&self) -> Option<Verdict>;

    /// What was said of where it stands, without moves that are not legal there.
    fn legal_part(&self, report: ReportView) -> ReportView;
}

impl<G: Drawn> Followed for GameState<G> {
    fn play(&mut self, text: &str) -> Result<Played, ParseError> {
        if let Some(ending) = self.ending() {
            let expected = format!("nothing, as the game is over: {ending}");
            return Err(ParseError::new("move", quoted(text), expected));
        }
        let m = self.position.parse_move(text)?;
        let shape = self.position.shape(m);
        let side = self.position.side().into();
        GameState::play(self, m);
        Ok(Played { shape, side, rows: rows(&self.position), ms: None, report: None })
    }

    fn now(&self) -> Position {
        let moves = match self.ending() {
            None => legal_moves(&self.position),
            Some(_) => MoveList::new(),
        };
        Position {
            board: Board::of(&self.position),
            legal: moves.iter().map(|&m| self.position.shape(m)).collect(),
            check: self.position.check(),
        }
    }

    fn result(&self) -> Option<Verdict> {
        self.ending().map(Verdict::from)
    }

    fn legal_part(&self, mut report: ReportView) -> ReportView {
        let mut after = *self;
        let line = report.pv.iter().map_while(|text| Followed::play(&mut after, text).ok());
        report.pv = line.map(|played| played.shape.text).collect();
        report.top.retain(|top| self.position.parse_move(&top.text).is_ok());
        report.only = legal_moves(&self.position).len() == 1;
        report
    }
}

/// Begins a game on a text board, or at its usual start.
///
/// # Errors
/// The board cannot be read.
pub fn begin(
    game: GameSpec,
    board: Option<&str>,
) -> Result<(Board, Box<dyn Followed>), ParseError> {
    fn on<G: Drawn>(
        start: G,
        board: Option<&str>,
    ) -> Result<(Board, Box<dyn Followed>), ParseError> {
        let position = board.map_or(Ok(start), |text| {
            start.parse_board(text).map_err(|error| error.within("board"))
        })?;
        Ok((Board::of(&position), Box::new(GameState::new(position))))
    }
    with_game!(game, start => on(start, board))
}

/// Plays a game from its start and shows every move of it.
///
/// # Errors
/// The board cannot be read, or a move is not legal or comes after the end: which one.
pub fn show(game: GameSpec, line: &Line) -> Result<Shown, ParseError> {
    let (start, mut followed) = begin(game, line.board.as_deref())?;
    let numbered = (1..).zip(&line.moves);
    let moves = numbered.map(|(number, text)| {
        followed.play(text).map_err(|error| error.within(format!("move {number}")))
    });
    let moves = moves.collect::<Result<_, _>>()?;
    Ok(Shown { start, moves, now: followed.now(), result: followed.result() })
}

/// The name of a game's start position and its text board.
#[derive(Clone, Debug, Serialize)]
pub struct Start {
    /// Empty where there is one only.
    pub name: &'static str,
    /// The text board.
    pub board: String,
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
}

/// The name of a game for people.
pub fn title(game: GameSpec) -> &'static str {
    fn of<G: Game>(_: &G) -> &'static str {
        G::TITLE
    }
    with_game!(game, start => of(&start))
}

/// Describes a game.
pub fn rules(game: GameSpec) -> Rules {
    let starts = match game {
        GameSpec::Loa(_) => [("rows", Layout::Rows), ("files", Layout::Files)]
            .map(|(name, layout)| Start { name, board: Loa::start(layout).to_string() })
            .into(),
        _ => with_game!(game, start => vec![Start { name: "", board: start.to_string() }]),
    };
    with_game!(game, start => {
        let (rows, columns) = start.labels();
        let id = game.to_string();
        Rules { id, title: title(game), rows, columns, cells: start.cells(), starts }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(moves: &str) -> Line {
        Line { board: None, moves: moves.split_whitespace().map(str::to_owned).collect() }
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
    fn what_is_wrong_is_named() {
        let error = |moves| show("hadron3".parse().unwrap(), &line(moves)).unwrap_err().to_string();
        assert!(error("B2 B1").starts_with("move 2, move: found `B1`, expected a legal move"));
        let over = "move 4, move: found `A1`, expected nothing, as the game is over: White";
        assert!(error("B1 A3 C2 A1").starts_with(over), "{}", error("B1 A3 C2 A1"));
    }

    #[test]
    fn what_is_said_of_moves_that_are_not_legal_is_dropped() {
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
        let described = OFFERED.map(|name| rules(name.parse().unwrap()));
        let corners = described
            .iter()
            .map(|rules| format!("{} {} {}", rules.id, rules.cells[0][0], rules.starts.len()));
        let corners: Vec<String> = corners.collect();
        let expected = [
            "murus A1 1",
            "hadron A1 1",
            "hadron5 A1 1",
            "hadron7 A1 1",
            "loa A8 2",
            "voidrider a9 1",
        ];
        assert_eq!(corners, expected);
    }

    #[test]
    fn what_players_say_is_turned_into_values_for_white() {
        let thought = Thought { cp: Some(200), depth: Some(4), ..Thought::default() };
        let view = |side| ReportView::of_thought(&thought, side).unwrap().value;
        assert_eq!((view(Side::White), view(Side::Black)), (Some(0.75), Some(0.25)));
        assert!(ReportView::of_thought(&Thought::default(), Side::White).is_none());
        let unsearched = Thought { value: Some(0.5), nodes: Some(0), ..Thought::default() };
        let view = ReportView::of_thought(&unsearched, Side::White).unwrap();
        assert_eq!((view.value, view.nodes), (None, None), "it has not been thought about");
        let mate = Thought { mate: Some(-2), ..Thought::default() };
        let view = ReportView::of_thought(&mate, Side::White).unwrap();
        assert_eq!(view.value, Some(0.0));
        assert_eq!(view.proof, Some(ProofView { winner: Some(Colour::Black), plies: Some(4) }));
    }
}
