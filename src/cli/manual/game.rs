//! A game by hand, from prompt to prompt.
//!
//! The one idea: everything follows from the moves in the record. A wrong line changes nothing and
//! the prompt comes again; after an undo the remaining moves are replayed, so position, history and
//! engine are those of a game without the moves taken back.

use std::fs::File;
use std::io::{self, Write, stdout};
use std::sync::Arc;
use std::time::{Duration, Instant};

use alesia::game::{Ending, Move, MoveList, Outcome, ParseError, Rule, quoted};
use alesia::game::{Game, screen};
use alesia::games::{AnyGame, AnyState};
use alesia::net::client::Player;
use alesia::net::tournament::move_text;
use alesia::player::EnginePlayer;
use alesia::player::latest::Latest;
use alesia::record::end::End;
use alesia::record::thought::Thought;
use alesia::search::levels::Level;

use super::clocks::Clocks;
use super::input::{COMMANDS, HELP, Input};
use super::lines::{Entered, Lines};
use super::sheet::Sheet;
use crate::cli::by_hand::Sides;
use crate::cli::moves_so_far::{LiveRecord, moves_line};
use crate::cli::record_option::Kept;
use crate::cli::rules::{rules_of, symbols_of, system_language};
use crate::cli::terminal::Terminal;
use crate::cli::terminal::board::Board;
use crate::cli::terminal::progress::Progress;
use alesia::words::command_error::CommandError;

/// The rule that ends a game that is given up.
const RESIGNED: Rule = Rule::new(&"resignation");

/// Columns of a list of moves.
const LIST_WIDTH: usize = 78;

/// A game between a person at the keyboard and the engine.
pub struct ManualGame<'a> {
    sides: Sides,
    player: EnginePlayer,
    /// The level at which it plays; none: at full strength.
    level: Option<&'static Level>,
    /// What it thought last.
    latest: Arc<Latest>,
    seed: u64,
    record: &'a LiveRecord,
    state: AnyState,
    clocks: Clocks,
    /// Whether moves have been taken back, so that a person enters the next one for either side.
    asked: bool,
    /// The end that a person has chosen.
    resigned: Option<Ending>,
    /// Where boards are drawn with symbols.
    terminal: Option<Terminal>,
    /// What is shown.
    sheet: Sheet,
    /// The same moves with their times, and the file to which they go at the end.
    kept: Option<Arc<Kept>>,
}

/// Whether a text that means no legal move has the form of a move: in the game's own notation, or
/// where there is another one, which has errors of its own, if it names a cell.
fn is_form_of_move(position: &AnyGame, text: &str, error: &ParseError) -> bool {
    let names_cell = text.contains(|c: char| c.is_ascii_digit());
    let is_own = position.read_notation(text).is_ok();
    is_own || names_cell && position.parse_move(text).err().as_ref() != Some(error)
}

/// Why no move can be entered.
fn over(ending: Ending) -> String {
    let why = ending.outcome.why(&ending.rule.to_string());
    let result = match ending.outcome {
        Outcome::Win(side) => format!("{side} wins"),
        Outcome::Draw => "a tie".to_owned(),
    };
    format!("the game is over, {result}: {why}; type undo, save FILE or quit")
}

impl<'a> ManualGame<'a> {
    /// A game that continues after the moves of the record.
    pub fn new(
        sides: Sides,
        player: EnginePlayer,
        seed: u64,
        record: &'a LiveRecord,
    ) -> ManualGame<'a> {
        let latest = Arc::new(Latest::default());
        ManualGame {
            sides,
            player: player.with_latest(Some(&latest)),
            level: None,
            latest,
            seed,
            record,
            state: record.state(),
            clocks: Clocks::default(),
            asked: false,
            resigned: None,
            terminal: Terminal::of_output(),
            sheet: Sheet::default(),
            kept: None,
        }
    }

    /// The same with an engine that plays at a level.
    pub fn at_level(self, level: Option<&'static Level>) -> ManualGame<'a> {
        ManualGame { level, ..self }
    }

    /// The same with a file to which the game goes when it is over.
    pub fn with_record(self, kept: Arc<Kept>) -> ManualGame<'a> {
        // How long earlier moves took is not known.
        kept.note(|kept| {
            self.record.moves().iter().for_each(|&text| kept.moved(text, None, None));
        });
        ManualGame { kept: Some(kept), ..self }
    }

    /// Plays until `quit`, `resign` or the end of the input; if the engine plays both sides, to the
    /// end of the game. A game that is over is kept also where nothing can be printed any more.
    pub fn serve(mut self, lines: Lines) -> Result<(), CommandError> {
        let served = self.serve_lines(lines);
        let kept = self.keep();
        let printed = served.and_then(|()| Ok(write!(stdout(), "{}", self.last_lines())?));
        kept.and(printed)
    }

    fn serve_lines(&mut self, mut lines: Lines) -> Result<(), CommandError> {
        self.greet()?;
        self.begin_turn(Instant::now());
        self.continue_game()?;
        while self.sides != Sides::None && self.resigned.is_none() {
            lines.complete_with(self.words());
            let prompt = self.prompt();
            match lines.next(&prompt)? {
                Entered::Line(line, received) => {
                    match lines.shows_only_the_line() {
                        true => self.sheet.typed(&prompt, &line),
                        false => self.sheet.lose_count(),
                    }
                    match Input::parse(&line) {
                        Ok(Input::Quit) => break,
                        Ok(input) => self.obey(input, received)?,
                        Err(error) => self.sheet.say(error)?,
                    }
                }
                Entered::Refused(error) => self.sheet.say(error)?,
                Entered::End => break,
            }
        }
        Ok(())
    }

    /// What may be typed now: the legal moves and the commands.
    fn words(&self) -> Vec<String> {
        let commands = COMMANDS.replace(" or ", ", ").replace(" FILE", " ");
        let commands = commands.split(", ").map(str::to_owned);
        self.moves().into_iter().chain(commands).collect()
    }

    /// The legal moves; none once the game is over.
    fn moves(&self) -> Vec<String> {
        let mut moves = MoveList::new();
        if self.state.ending().is_none() {
            self.state.position.moves(&mut moves);
        }
        moves.iter().map(|&m| self.state.position.standard_notation(m)).collect()
    }

    fn greet(&mut self) -> io::Result<()> {
        let who = match (self.sides, self.sides.engine_side()) {
            (_, Some(side)) => format!("you enter the moves of {}, the engine plays {side}", !side),
            (Sides::None, None) => "the engine plays both sides".into(),
            (_, None) => "you enter all moves".into(),
        };
        let level = self.level.map_or(String::new(), |level| {
            format!(" (level {}, {})", level.number().unwrap_or(0), level.title)
        });
        self.sheet.say(format_args!("{}: {who}{level}", self.state.position.title()))?;
        if self.sides != Sides::None {
            self.sheet.say(format_args!("at a prompt, type a move,\n{COMMANDS}"))?;
        }
        Ok(())
    }

    /// Lets the engine move while it is its turn, then shows the position to the person.
    fn continue_game(&mut self) -> io::Result<()> {
        while self.is_engines_turn() {
            // In place, so that a person's own move is seen at once.
            if self.sides == Sides::None || self.sheet.is_counted() {
                self.sheet.show(&self.board())?;
            }
            let side = self.state.position.side();
            let shown = Progress::start(move |time| {
                format!("{side}: the engine thinks, {:.1} s", time.as_secs_f64())
            });
            let m = self.player.choose(&self.state, Instant::now()).m;
            drop(shown);
            let after = self.state.position.after(m);
            let thought = self.latest.of_move(&after, Thought::of).flatten();
            self.play(m, Instant::now(), thought)?;
        }
        if self.sides != Sides::None {
            let mut shown = self.board();
            if let Some(text) = self.last_move()
                && self.sides.engine_side() == Some(!self.state.position.side())
            {
                shown += &format!("  >>> {} plays {text} <<<\n\n", !self.state.position.side());
            }
            if let Some(ending) = self.state.ending() {
                shown += &(over(ending) + "\n");
            }
            self.sheet.show(&shown)?;
        }
        self.ponder();
        Ok(())
    }

    /// The last move as people write it.
    fn last_move(&self) -> Option<String> {
        let (last, before) = (self.record.moves().last().copied(), self.record.before_last_move());
        let (last, before) = (last?, before?);
        Some(before.standard_notation(before.parse_move(last.as_ref()).ok()?))
    }

    fn is_engines_turn(&self) -> bool {
        let by_hand = self.asked || self.sides.has(self.state.position.side());
        !by_hand && self.state.ending().is_none()
    }

    /// Lets the engine ponder while the person thinks.
    fn ponder(&mut self) {
        match self.state.ending() {
            None => self.player.ponder(&self.state),
            // Stops pondering.
            Some(_) => self.player.new_game(self.seed),
        }
    }

    /// Starts the clock of the side to move, if there is one; returns the time of the turn before.
    fn begin_turn(&mut self, now: Instant) -> Duration {
        let side = self.state.position.side();
        self.clocks.turn(self.state.ending().is_none().then_some(side), now)
    }

    fn prompt(&self) -> String {
        let times = self.clocks.both(Instant::now());
        let turn = match self.state.ending() {
            None => {
                format!("{} {}", self.record.moves().len() + 1, self.state.position.side())
            }
            Some(_) => "over".into(),
        };
        format!("[{times}] {turn}:")
    }

    /// Carries out a command other than `quit`.
    fn obey(&mut self, input: Input, received: Instant) -> io::Result<()> {
        match input {
            Input::Empty | Input::Quit => Ok(()),
            Input::Move(text) => self.enter(text, received),
            Input::Hint => self.hint(),
            Input::Moves => self.list_moves(),
            Input::Rules => match rules_of(&self.state.position, system_language()) {
                Ok(rules) => self.sheet.say(rules),
                Err(error) => self.sheet.say(error),
            },
            Input::Save(name) => self.save(name),
            Input::Resign => self.resign(),
            Input::Board => {
                self.sheet.show(&self.board())?;
                self.sheet.say(moves_line(&self.record.moves()))
            }
            Input::Undo(count) => self.undo(count),
            Input::Clock => self.show_clock(),
            Input::Help => self.help(),
        }
    }

    /// Lists the commands, and what the symbols are where boards have them.
    fn help(&mut self) -> io::Result<()> {
        self.sheet.say(HELP)?;
        let lines = symbols_of(&self.state.position, self.terminal);
        if lines.is_empty() { Ok(()) } else { self.sheet.say(format!("\n{}", lines.join("\n"))) }
    }

    /// Plays a move that was entered.
    fn enter(&mut self, text: &str, received: Instant) -> io::Result<()> {
        let position = &self.state.position;
        if let Some(ending) = self.state.ending() {
            return self.sheet.say(over(ending));
        }
        match position.understand(text) {
            Ok(m) => {
                self.asked = false;
                self.play(m, received, None)?;
                self.continue_game()
            }
            Err(error) if !is_form_of_move(position, text, &error) => {
                let text = quoted(text);
                let text = &text[1..text.len() - 1];
                let form = self.state.position.move_form();
                self.sheet.say(format_args!(
                    "\"{text}\" is not a move. Moves look like {form}; type help for commands."
                ))
            }
            Err(error) => self.sheet.say(error),
        }
    }

    /// Plays a legal move that was made at a moment, with what the engine thought of its own.
    fn play(&mut self, m: Move, at: Instant, thought: Option<Thought>) -> io::Result<()> {
        let (side, text) = (self.state.position.side(), move_text(&self.state.position, m));
        let shown = self.state.position.standard_notation(m);
        self.state.play(m);
        let time = self.begin_turn(at);
        // First there: a game that is over in the record may be kept at any moment.
        if let Some(kept) = &self.kept {
            kept.note(|kept| kept.moved(text, Some(time), thought));
        }
        self.record.moved(text);
        let time = time.as_millis();
        self.sheet.say(format_args!("{} {side} {shown} {time} ms", self.record.moves().len()))
    }

    fn hint(&mut self) -> io::Result<()> {
        if let Some(ending) = self.state.ending() {
            return self.sheet.say(over(ending));
        }
        let report = self.player.think(&self.state, Instant::now());
        let mut position = self.state.position;
        let mut line = String::new();
        for &m in &report.variation {
            line += &format!(" {}", position.standard_notation(m));
            position.play(m);
        }
        let best = self.state.position.standard_notation(report.best);
        let value = match report.proof {
            Some(proof) => proof.to_string(),
            None => format!("{:.0} % of the points expected", 100.0 * report.value),
        };
        self.sheet.say(format_args!("hint: {best} ({value}; line{line})"))?;
        self.ponder();
        Ok(())
    }

    /// The board with an empty line before it.
    fn board(&self) -> String {
        let position = &self.state.position;
        match self.terminal {
            None => format!("\n{}\n", screen::board(position)),
            Some(terminal) => {
                let before = self.record.before_last_move();
                let lines = Board::of(position, before.as_ref()).lines(terminal.paint);
                format!("\n{}\n\n", lines.join("\n"))
            }
        }
    }

    fn list_moves(&mut self) -> io::Result<()> {
        if let Some(ending) = self.state.ending() {
            return self.sheet.say(over(ending));
        }
        let moves = self.moves();
        // The longest move and two blanks behind it.
        let width = 2 + moves.iter().map(String::len).max().unwrap_or(0);
        let lines = moves.chunks((LIST_WIDTH / width).max(1)).map(|row| {
            let row: String = row.iter().map(|text| format!("{text:width$}")).collect();
            row.trim_end().to_owned()
        });
        let side = self.state.position.side();
        let (count, s) = (moves.len(), if moves.len() == 1 { "" } else { "s" });
        self.sheet.say(format_args!(
            "{count} legal move{s} of {side}:\n{}",
            lines.collect::<Vec<_>>().join("\n")
        ))
    }

    /// Writes what is needed to continue to a new file.
    fn save(&mut self, name: &str) -> io::Result<()> {
        let lines = self.last_lines();
        let written = File::create_new(name).and_then(|mut file| file.write_all(lines.as_bytes()));
        match written {
            Ok(()) => self.sheet.say(format_args!("saved: {name}")),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.sheet.say(format_args!(
                    "save: found {}, which is there already, expected the name of a new file",
                    quoted(name)
                ))
            }
            Err(error) => self.sheet.say(format_args!("save: {}: {error}", quoted(name))),
        }
    }

    fn resign(&mut self) -> io::Result<()> {
        if let Some(ending) = self.state.ending() {
            return self.sheet.say(over(ending));
        }
        let side = self.state.position.side();
        self.resigned = Some(Ending { outcome: Outcome::Win(!side), rule: RESIGNED });
        // Stops pondering.
        self.player.new_game(self.seed);
        self.sheet.say(format_args!("{side} resigns"))
    }

    fn show_clock(&mut self) -> io::Result<()> {
        let now = Instant::now();
        let times = self.clocks.both(now);
        match self.state.ending() {
            Some(_) => self.sheet.say(format_args!("clock: {times}")),
            None => {
                let (side, time) = (self.state.position.side(), self.clocks.this_turn(now));
                self.sheet.say(format_args!(
                    "clock: {times}; {side}, this move: {:.1} s",
                    time.as_secs_f64()
                ))
            }
        }
    }

    /// Takes back `count` moves, or all moves since the person's previous turn.
    fn undo(&mut self, count: Option<usize>) -> io::Result<()> {
        let moves = self.record.moves();
        let (played, to_move) = (moves.len(), self.state.position.side());
        let by_hand =
            |&back: &usize| self.sides.has(if back % 2 == 0 { to_move } else { !to_move });
        let back = match count {
            Some(count) if count > played => {
                Err(format!("undo: found {count} moves, expected at most {played}"))
            }
            Some(count) => Ok(count),
            None => (1..=played).find(by_hand).ok_or_else(|| match played {
                0 => "undo: there is no move to take back".into(),
                _ => "undo: you had no earlier turn; undo 1 takes back the last move".into(),
            }),
        };
        let back = match back {
            Ok(back) => back,
            Err(error) => return self.sheet.say(error),
        };
        self.record.truncate(played - back);
        if let Some(kept) = &self.kept {
            kept.note(|kept| kept.truncate(played - back));
        }
        self.state = self.record.state();
        self.asked = true;
        self.player.new_game(self.seed);
        self.begin_turn(Instant::now());
        self.sheet.say(format_args!("taken back: {}", moves[played - back..].join(" ")))?;
        self.continue_game()
    }

    /// What is needed to continue elsewhere, or the result.
    fn last_lines(&self) -> String {
        match self.resigned.or(self.state.ending()) {
            Some(ending) => self.record.lines_at_end(ending) + &format!("result: {ending}\n"),
            None => self.record.lines(),
        }
    }

    /// Adds a game that is over to the file.
    fn keep(&self) -> Result<(), CommandError> {
        let end = match (self.resigned, self.state.ending()) {
            (Some(ending), _) => {
                let reason = format!("{} resigns", self.state.position.side());
                Some(End::as_said(ending.outcome, reason, None))
            }
            (None, ending) => ending.map(End::by_rule),
        };
        match (&self.kept, end) {
            (Some(kept), Some(end)) => kept.keep(&end),
            _ => Ok(()),
        }
    }
}
