//! A game as it stands, drawn in place on a terminal: the board, both names, the clocks, and what
//! the engines think.
//!
//! The one idea: those who play leave notes in a queue and never wait; the thread that prints takes
//! them from there and draws. A lost note costs a moment's view and no game.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use alesia::game::{Game, Side};
use alesia::games::AnyGame;
use alesia::net::client::ClientEvent;
use alesia::net::feed::GameEvent;
use alesia::player::latest::Latest;
use alesia::player::panel::Panel;
use alesia::search::report::Report;
use anstyle::Style;
use crossbeam::queue::ArrayQueue;

use super::board::Board;
use super::line::{Line, bar};
use super::phrases::{Phrases, filled};
use super::{Paint, Terminal, palette};
use crate::cli::rules::system_language;

/// Notes that may wait.
const WAITING: usize = 64;

/// Columns between the board and the text.
const GAP: usize = 2;

/// The narrowest text that is worth showing.
const NARROWEST: usize = 24;

/// Columns of the bar of a value, and of a clock.
const BAR: usize = 16;
const CLOCK: usize = 9;

/// Something that has happened, and when.
pub struct Note {
    at: Instant,
    what: What,
}

enum What {
    /// A server is waited for, for so long.
    Connecting(Duration),
    /// The server is there.
    Connected,
    /// The player on this machine has this side, and the warm-up begins.
    WeAre(Side),
    /// A player has joined who is known by this name.
    Seated(Side, String),
    /// White's clock runs after this time.
    Begun(Duration),
    /// A move was made; the position after it, and the time that it took where that is known.
    Moved(AnyGame, Option<Duration>),
    /// The game is over.
    Ended,
}

/// Where notes on a game are left.
pub struct Notes(ArrayQueue<Note>);

impl Notes {
    fn leave(&self, what: What) {
        // The oldest gives way: only the newest position is shown.
        self.0.force_push(Note { at: Instant::now(), what });
    }

    /// A server is waited for, for so long.
    pub fn connecting(&self, patience: Duration) {
        self.leave(What::Connecting(patience));
    }

    /// What a client of a server sees.
    pub fn follow(&self, event: &ClientEvent<'_>) {
        match event {
            ClientEvent::Connected(_) => self.leave(What::Connected),
            ClientEvent::Welcome { side, .. } => self.leave(What::WeAre(*side)),
            ClientEvent::Moved { thinking, state, .. } => self.moved(&state.position, *thinking),
            ClientEvent::Ended(_) => self.leave(What::Ended),
            ClientEvent::Message(_) => {}
        }
    }

    /// What a referee sees, and the position after a move.
    pub fn watch(&self, event: &GameEvent, position: &AnyGame) {
        match event {
            GameEvent::Seated { side, peer: Some(peer) } => {
                self.leave(What::Seated(*side, peer.clone()));
            }
            GameEvent::Started { warm_up } => self.leave(What::Begun(*warm_up)),
            GameEvent::Moved { elapsed, .. } => self.moved(position, Some(*elapsed)),
            GameEvent::Ended { .. } => self.leave(What::Ended),
            _ => {}
        }
    }

    /// A game begins at once between players at these addresses, White's first.
    pub fn begin(&self, addresses: [Option<SocketAddr>; 2]) {
        for (side, address) in [Side::White, Side::Black].into_iter().zip(addresses) {
            if let Some(address) = address {
                self.leave(What::Seated(side, address.to_string()));
            }
        }
        self.leave(What::Begun(Duration::ZERO));
    }

    /// The game is over.
    pub fn end(&self) {
        self.leave(What::Ended);
    }

    /// A move has led to a position, after a time that is counted from the move before if it is
    /// not known.
    pub fn moved(&self, position: &AnyGame, time: Option<Duration>) {
        self.leave(What::Moved(*position, time));
    }
}

/// How far a game has come.
#[derive(Clone, Copy)]
enum Stage {
    /// Nothing is known yet.
    Unknown,
    /// A server is waited for until then.
    Connecting(Instant),
    /// An opponent is waited for.
    Connected,
    /// The warm-up has begun then.
    WarmUp(Instant),
    /// The side to move has been thinking since then, which may still be to come.
    Playing(Instant),
    /// It is over.
    Over,
}

/// Who plays.
pub enum Names {
    /// White and Black.
    BySide([String; 2]),
    /// The player on this machine and its opponent.
    OursAndTheirs([String; 2]),
}

/// A game that is shown.
pub struct View {
    terminal: Terminal,
    phrases: &'static Phrases,
    notes: Arc<Notes>,
    names: Names,
    /// The engines whose analysis is shown.
    engines: Vec<Arc<Latest>>,
    position: AnyGame,
    before: Option<AnyGame>,
    ours: Option<Side>,
    /// The time used by each side.
    used: [Duration; 2],
    stage: Stage,
}

impl View {
    /// A view of a game that begins with this position, and where its notes are left; none where
    /// there is no terminal with room for it.
    pub fn start(
        start: AnyGame,
        names: Names,
        engines: &[&Arc<Latest>],
    ) -> Option<(View, Arc<Notes>)> {
        let terminal = Terminal::of_output()?;
        let board = Board::of(&start, None);
        let height = board.lines(terminal.paint).len().max(4 + 2 * engines.len());
        let fits = terminal.columns > board.width() + GAP + NARROWEST && terminal.rows > height + 3;
        let phrases = Phrases::of(system_language());
        fits.then(|| View::on(terminal, phrases, start, names, engines))
    }

    fn on(
        terminal: Terminal,
        phrases: &'static Phrases,
        start: AnyGame,
        names: Names,
        engines: &[&Arc<Latest>],
    ) -> (View, Arc<Notes>) {
        let notes = Arc::new(Notes(ArrayQueue::new(WAITING)));
        let view = View {
            terminal,
            phrases,
            notes: notes.clone(),
            names,
            engines: engines.iter().map(|&latest| latest.clone()).collect(),
            position: start,
            before: None,
            ours: None,
            used: [Duration::ZERO; 2],
            stage: Stage::Unknown,
        };
        (view, notes)
    }

    /// The view as a panel.
    pub fn boxed(self) -> Box<dyn Panel> {
        Box::new(self)
    }

    fn take_notes(&mut self) {
        while let Some(Note { at, what }) = self.notes.0.pop() {
            self.stage = match what {
                What::Connecting(patience) => Stage::Connecting(at + patience),
                What::Connected => Stage::Connected,
                What::WeAre(side) => {
                    self.ours = Some(side);
                    Stage::WarmUp(at)
                }
                What::Seated(side, name) => {
                    if let Names::BySide(names) = &mut self.names {
                        names[side as usize] = name;
                    }
                    self.stage
                }
                What::Begun(warm_up) => Stage::Playing(at + warm_up),
                What::Moved(position, time) => {
                    // Before the first move, a warm-up of unknown length has passed.
                    let since = self.thinking(at).unwrap_or_default();
                    self.used[!position.side() as usize] += time.unwrap_or(since);
                    self.before = Some(self.position);
                    self.position = position;
                    Stage::Playing(at)
                }
                What::Ended => Stage::Over,
            }
        }
    }

    /// How long the side to move has been thinking.
    fn thinking(&self, now: Instant) -> Option<Duration> {
        match self.stage {
            Stage::Playing(since) => Some(now.saturating_duration_since(since)),
            _ => None,
        }
    }

    /// The lines beside the board.
    fn text(&self, room: usize, now: Instant) -> Vec<String> {
        let line = || Line::new(room, self.terminal.paint);
        let mut lines = vec![self.title(line(), now)];
        lines.extend([Side::White, Side::Black].map(|side| self.player(side, line(), now)));
        for latest in &self.engines {
            if let Some((position, report)) = latest.get() {
                let paint = self.terminal.paint;
                lines.extend(thought(&position, &report, self.phrases, paint, line));
            }
        }
        lines
    }

    /// What is going on; none as long as that is not known.
    fn stage(&self, now: Instant) -> Option<String> {
        let plies = self.position.ply();
        Some(match self.stage {
            Stage::Unknown => return None,
            Stage::Connecting(until) => {
                let left = until.saturating_duration_since(now).as_secs();
                filled(self.phrases.server, left)
            }
            Stage::Connected => self.phrases.opponent.to_owned(),
            Stage::WarmUp(since) => {
                let time = now.saturating_duration_since(since).as_secs();
                filled(self.phrases.warm_up, time)
            }
            Stage::Playing(since) if since > now => {
                filled(self.phrases.begins, since.duration_since(now).as_secs() + 1)
            }
            Stage::Playing(_) => filled(self.phrases.number, plies + 1),
            Stage::Over => filled(self.phrases.over, plies),
        })
    }

    fn title(&self, line: Line, now: Instant) -> String {
        let stage = self.stage(now).unwrap_or_default();
        line.add(Style::new().bold(), &self.position.title()).plain(&format!(": {stage}")).end()
    }

    /// A player: symbol, name and clock.
    fn player(&self, side: Side, line: Line, now: Instant) -> String {
        let running = self.thinking(now).filter(|_| side == self.position.side());
        let used = self.used[side as usize] + running.unwrap_or_default();
        let (symbol, style) = match side {
            Side::White => (self.terminal.paint.symbol('○', 'w'), palette::WHITE),
            Side::Black => (self.terminal.paint.symbol('●', 'b'), palette::BLACK),
        };
        let name = match (&self.names, self.ours) {
            (Names::BySide(names), _) => &names[side as usize],
            (Names::OursAndTheirs(names), Some(ours)) => &names[usize::from(side != ours)],
            (Names::OursAndTheirs(_), None) => "",
        };
        let mark = self.terminal.paint.symbol('▶', '>');
        let mark = if running.is_some() { mark } else { ' ' };
        line.add(style, &format!(" {symbol} "))
            .plain(&format!(" {}  {name}", self.phrases.sides[side as usize]))
            .leave(CLOCK + 2)
            .plain(&format!("{mark} {:>CLOCK$}", clock(used)))
            .end()
    }
}

/// A time in minutes and seconds.
fn clock(time: Duration) -> String {
    let tenths = time.as_millis() / 100;
    format!("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}

/// A number with commas between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// What an engine thinks: White's share of the points with a bar, then the work and the line.
fn thought(
    position: &AnyGame,
    report: &Report,
    phrases: &Phrases,
    paint: Paint,
    line: impl Fn() -> Line,
) -> [String; 2] {
    let side = position.side();
    let white = if side == Side::White { report.value } else { 1.0 - report.value };
    let said = match report.proof {
        Some(proof) => phrases.proof(proof),
        None => format!("{:.0} %", 100.0 * report.value),
    };
    let best = filled(phrases.expected, position.notation(report.best));
    let value = format!("{}: {said} {best}", phrases.sides[side as usize].trim_end());
    let style = palette::CODE;
    let value = line().add(style, &bar(white, BAR, paint)).plain(&format!(" {value}")).end();
    let unit = if report.tree.is_some() { phrases.iterations } else { phrases.positions };
    let mut text = filled(unit, grouped(report.nodes));
    let mut position = *position;
    for &m in &report.variation {
        text += &format!(" {}", position.notation(m));
        position.play(m);
    }
    [value, line().add(palette::FAINT, &text).end()]
}

impl Panel for View {
    fn draw(&mut self, text: &mut String) {
        self.take_notes();
        let now = Instant::now();
        match self.stage {
            Stage::Unknown => return,
            // There is no game yet.
            Stage::Connecting(_) | Stage::Connected => {
                let line = Line::new(self.terminal.columns - 1, self.terminal.paint);
                *text += &self.title(line, now);
                text.push('\n');
                return;
            }
            Stage::WarmUp(_) | Stage::Playing(_) | Stage::Over => {}
        }
        let board = Board::of(&self.position, self.before.as_ref());
        let lines = board.lines(self.terminal.paint);
        let room = self.terminal.columns.saturating_sub(board.width() + GAP + 1);
        let beside = self.text(room, now);
        let blank = " ".repeat(board.width());
        text.push('\n');
        for number in 0..lines.len().max(beside.len()) {
            *text += lines.get(number).unwrap_or(&blank);
            if let Some(beside) = beside.get(number) {
                *text += &" ".repeat(GAP);
                *text += beside;
            }
            text.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use alesia::games::Hadron;
    use alesia::games::rulebook::Language;
    use alesia::search::report::Proof;

    use super::*;

    const PAINT: Paint = Paint { colour: false, symbols: true };

    fn english() -> &'static Phrases {
        Phrases::of(Language::English)
    }

    fn view(columns: usize) -> (View, Arc<Notes>, Arc<Latest>) {
        let latest = Arc::new(Latest::default());
        let names = Names::OursAndTheirs(["Alesia".into(), "lab1".into()]);
        let terminal = Terminal { columns, rows: 24, paint: PAINT };
        let (view, notes) =
            View::on(terminal, english(), AnyGame::from(Hadron::start(3, 3)), names, &[&latest]);
        (view, notes, latest)
    }

    fn drawn(view: &mut View) -> Vec<String> {
        let mut text = String::new();
        view.draw(&mut text);
        text.lines().map(String::from).collect()
    }

    #[test]
    fn board_names_clocks_and_last_move_are_shown() {
        let (mut view, notes, _) = view(60);
        assert_eq!(drawn(&mut view), [""; 0]);
        notes.connecting(Duration::from_secs(30));
        assert_eq!(drawn(&mut view), ["Hadron: waiting for the server, 29 s left"]);
        notes.leave(What::WeAre(Side::Black));
        assert!(drawn(&mut view)[1].ends_with("Hadron: warm-up, 0 s so far"));
        let mut position = AnyGame::from(Hadron::start(3, 3));
        for (text, ms) in [("B1", 1500), ("A3", 61_000)] {
            position.play(position.parse_move(text).unwrap());
            notes.moved(&position, Some(Duration::from_millis(ms)));
        }
        notes.leave(What::Ended);
        let expected = [
            "",
            "  A · ·[●]  Hadron: over after 2 moves",
            "  B ○ · ·    ○  White  lab1                          0:01.5",
            "  C · · ·    ●  Black  Alesia                        1:01.0",
            "    1 2 3 ",
        ];
        assert_eq!(drawn(&mut view), expected);
    }

    #[test]
    fn the_clock_of_the_side_to_move_runs() {
        let (mut view, notes, _) = view(60);
        notes.leave(What::Begun(Duration::from_secs(30)));
        assert!(drawn(&mut view)[1].ends_with("Hadron: begins in 30 s"));
        notes.leave(What::Begun(Duration::ZERO));
        view.take_notes();
        let later = Instant::now() + Duration::from_secs(75);
        let lines = view.text(40, later);
        assert!(lines[1].contains('▶') && lines[1].contains(" 1:15."), "{lines:?}");
        assert!(lines[2].ends_with(" 0:00.0") && !lines[2].contains('▶'), "{lines:?}");
    }

    #[test]
    fn a_relayed_game_shows_its_players_by_their_addresses() {
        let names = Names::BySide(Default::default());
        let terminal = Terminal { columns: 60, rows: 24, paint: PAINT };
        let start = AnyGame::from(Hadron::start(3, 3));
        let (mut view, notes) = View::on(terminal, english(), start, names, &[]);
        notes.begin([7, 8].map(|port| Some(SocketAddr::from(([10, 0, 0, 1], port)))));
        let lines = drawn(&mut view);
        assert!(lines[1].ends_with("Hadron: move 1"), "{lines:?}");
        assert!(lines[2].contains("White  10.0.0.1:7 ") && lines[3].contains("Black  10.0.0.1:8 "));
        notes.end();
        assert!(drawn(&mut view)[1].ends_with("Hadron: over after 0 moves"));
    }

    #[test]
    fn shows_the_engines_thoughts() {
        let start = AnyGame::from(Hadron::start(3, 3));
        let report = Report {
            value: 0.75,
            nodes: 1_234_567,
            ..Report::of_move(start.parse_move("B2").unwrap())
        };
        let line = || Line::new(50, PAINT);
        let lines = thought(&start, &report, english(), PAINT, line);
        assert_eq!(lines[0], "████████████░░░░ White: 75 % with B2");
        assert_eq!(lines[1], "1,234,567 positions, line B2");
    }

    #[test]
    fn an_italian_sees_the_view_in_italian() {
        let (mut view, notes, _) = view(60);
        view.phrases = Phrases::of(Language::Italian);
        notes.connecting(Duration::from_secs(30));
        assert_eq!(drawn(&mut view), ["Hadron: in attesa del server, ancora 29 s"]);
        notes.leave(What::WeAre(Side::Black));
        notes.leave(What::Ended);
        let lines = drawn(&mut view);
        assert!(lines[1].ends_with("Hadron: finita dopo 0 mosse"), "{lines:?}");
        assert!(lines[2].contains(" Bianco  lab1 ") && lines[3].contains(" Nero    Alesia "));
        let start = AnyGame::from(Hadron::start(3, 3));
        let best = start.parse_move("B2").unwrap();
        let report = Report { proof: Some(Proof::Win(1)), ..Report::of_move(best) };
        let lines = thought(&start, &report, view.phrases, PAINT, || Line::new(50, PAINT));
        assert!(lines[0].ends_with(" Bianco: vince in 1 con B2"), "{lines:?}");
        assert!(lines[1].ends_with(" posizioni, linea B2"), "{lines:?}");
    }

    #[test]
    fn no_line_is_as_wide_as_the_terminal() {
        for columns in [40, 52, 80, 200] {
            let (mut view, notes, _) = view(columns);
            notes.leave(What::WeAre(Side::White));
            let lines = drawn(&mut view);
            let widest = lines.iter().map(|line| line.chars().count()).max().unwrap();
            assert!(widest < columns, "{widest} of {columns}");
        }
    }

    #[test]
    fn more_notes_than_there_is_room_for_keep_the_newest() {
        let (mut view, notes, _) = view(60);
        let mut position = AnyGame::from(Hadron::start(3, 3));
        for _ in 0..3 * WAITING {
            notes.moved(&AnyGame::from(Hadron::start(3, 3)), None);
        }
        position.play(position.parse_move("B2").unwrap());
        notes.moved(&position, None);
        assert!(drawn(&mut view)[2].starts_with("  B ·[○]· "));
    }
}
