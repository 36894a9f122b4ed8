//! `alesia rules`: the rules of a game in the terminal.
//!
//! The one idea: a page of the rulebook is a list of blocks, and each kind of block has its lines.
//! On a terminal boards are drawn with symbols; otherwise they are as in the documents.

mod layout;
mod symbols;

use std::io::{Write, stdout};

use alesia::game::Game;
use alesia::games::rulebook::{Block, Diagram, Language, Origin, Page, Span, plain};
use alesia::games::{AnyGame, GameSpec};
use clap::Args;

use self::layout::{column_widths, width_of, wrap, wrap_filled};
use self::symbols::legend;
use super::options::language_parser;
use super::terminal::board::Board;
use super::terminal::{Paint, Terminal, locale, palette};
use alesia::words::command_error::CommandError;

/// The columns of text where there is no terminal, and at most on one.
const WIDTHS: [usize; 2] = [80, 96];

/// The columns between two boards, and between the columns of a table.
const GAP: usize = 2;

/// The arguments of `alesia rules`.
#[derive(Args)]
pub struct Rules {
    /// Game [default: lists the games].
    #[arg(value_parser = GameSpec::open)]
    game: Option<GameSpec>,
    /// Language [default: that of the system, if it is one of these; else en].
    #[arg(long, value_name = "LANGUAGE", value_parser = language_parser(), help_heading = "Output")]
    lang: Option<Language>,
}

impl Rules {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        let language = self.lang.unwrap_or_else(system_language);
        let text = match self.game {
            None => list(language),
            Some(game) => rules_of(&AnyGame::start(game), language)?,
        };
        Ok(stdout().write_all(text.as_bytes())?)
    }
}

/// The language of the system's messages.
pub fn system_language() -> Language {
    Language::of_locale(&locale("LC_MESSAGES", |name| std::env::var(name).ok()))
}

/// A line for each game: its name on the command line, its title and, from its page of rules, its
/// goal. On a terminal a long one is broken.
fn list(language: Language) -> String {
    const NAME: usize = 11;
    let games = GameSpec::all().into_iter();
    let room = Terminal::of_output().map_or(usize::MAX, |terminal| terminal.columns.max(2 * NAME));
    let line = |game: GameSpec| {
        let text = match game.rules(language) {
            "" => game.title().to_owned(),
            rules => {
                let page = Page::parse(rules, language);
                format!("{}: {}", page.title, page.goal())
            }
        };
        let lines = wrap(&[Span { text, ..Span::default() }], room - NAME, Paint::default());
        format!("{:NAME$}{}\n", game.to_string(), lines.join(&format!("\n{:NAME$}", "")))
    };
    games.map(line).collect()
}

/// The rules of a game, for standard output.
pub fn rules_of(position: &AnyGame, language: Language) -> Result<String, CommandError> {
    let text = position.page_of_rules(language);
    if text.is_empty() {
        let (title, name) = (position.title(), language.name());
        return Err(CommandError::Failed(format!("{title} has no page of rules in {name}")));
    }
    let mut page = Page::parse(&text, language);
    let sheet = Sheet::of(position, Terminal::of_output());
    let first_table = page.blocks.iter().position(|block| matches!(block, Block::Table(_)));
    if let Some(table) = first_table.filter(|_| sheet.paint().symbols) {
        page.blocks.splice(table + 1..table + 1, legend(position, language));
    }
    Ok(sheet.page(&page))
}

/// The lines that say what the symbols on a terminal's boards stand for; none where there are none.
pub fn symbols_of(position: &AnyGame, terminal: Option<Terminal>) -> Vec<String> {
    let sheet = Sheet::of(position, terminal);
    match sheet.paint().symbols {
        true => legend(position, Language::English).iter().flat_map(|b| sheet.block(b)).collect(),
        false => Vec::new(),
    }
}

/// What a page is written for.
#[derive(Clone, Copy)]
struct Sheet {
    game: AnyGame,
    width: usize,
    /// None where boards are drawn as in the documents.
    paint: Option<Paint>,
}

impl Sheet {
    fn of(game: &AnyGame, terminal: Option<Terminal>) -> Sheet {
        let width = terminal.map_or(WIDTHS[0], |terminal| terminal.columns.clamp(20, WIDTHS[1]));
        Sheet { game: *game, width, paint: terminal.map(|terminal| terminal.paint) }
    }

    fn page(self, page: &Page) -> String {
        let title = [Span { text: page.title.clone(), ..Span::default() }];
        let mut text = String::new();
        for line in wrap(&title, self.width, Paint::default()) {
            text += &self.paint().text(palette::HEADING, &line);
            text += "\n";
        }
        let mut after_item = false;
        for block in &page.blocks {
            let is_item = matches!(block, Block::Item { .. });
            // The points of a list stand together.
            if !(is_item && after_item) {
                text += "\n";
            }
            after_item = is_item;
            for line in self.block(block) {
                text += line.trim_end_matches(' ');
                text += "\n";
            }
        }
        text
    }

    fn paint(self) -> Paint {
        self.paint.unwrap_or_default()
    }

    fn block(self, block: &Block) -> Vec<String> {
        match block {
            Block::Heading(text) => {
                let heading = plain(text).to_uppercase();
                vec![self.paint().text(palette::HEADING, &heading)]
            }
            Block::Paragraph(text) => wrap(text, self.width, self.paint()),
            Block::Item { marker, text } => self.item(marker, text),
            Block::Table(rows) => self.table(rows),
            // Not broken, so that a command can be copied.
            Block::Lines { lines, .. } => {
                let line = |line: &String| format!("  {}", self.paint().text(palette::CODE, line));
                lines.iter().map(line).collect()
            }
            Block::Boards(diagrams) => self.boards(diagrams),
        }
    }

    fn item(self, marker: &str, text: &[Span]) -> Vec<String> {
        let indent = marker.len() + 1;
        let lines = wrap(text, self.width.saturating_sub(indent), self.paint());
        let first = |number| if number == 0 { marker } else { "" };
        let line = |(number, line)| format!("{:indent$}{line}", first(number));
        lines.into_iter().enumerate().map(line).collect()
    }

    fn table(self, rows: &[Vec<Vec<Span>>]) -> Vec<String> {
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let natural = |column: usize| {
            rows.iter().filter_map(|row| row.get(column)).map(|cell| width_of(cell)).max()
        };
        let natural: Vec<usize> = (0..columns).map(|column| natural(column).unwrap_or(0)).collect();
        let widths = column_widths(&natural, self.width.saturating_sub(GAP), GAP);
        let mut lines = Vec::new();
        for (number, row) in rows.iter().enumerate() {
            let cells: Vec<Vec<String>> = row
                .iter()
                .zip(&widths)
                .map(|(cell, &width)| wrap_filled(cell, width, self.paint()))
                .collect();
            for line in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
                let part = |(cell, &width): (&Vec<String>, &usize)| match cell.get(line) {
                    Some(text) => text.clone(),
                    None => " ".repeat(width),
                };
                let parts: Vec<String> = cells.iter().zip(&widths).map(part).collect();
                lines.push(format!("  {}", parts.join(&" ".repeat(GAP))));
            }
            if number == 0 {
                let rule = widths.iter().map(|&width| "-".repeat(width)).collect::<Vec<_>>();
                lines.push(format!("  {}", self.paint().text(palette::FAINT, &rule.join("  "))));
            }
        }
        lines
    }

    /// Boards beside each other, as many as fit.
    fn boards(self, diagrams: &[Diagram]) -> Vec<String> {
        let mut lines = Vec::new();
        let mut rest = diagrams.iter().enumerate().peekable();
        while rest.peek().is_some() {
            let mut beside: Vec<Vec<String>> = Vec::new();
            let mut used = 0;
            while let Some((number, diagram)) = rest.peek() {
                let start = self.start_of(diagram);
                let before = match diagram.origin {
                    Origin::First(_) => Some(diagrams[..*number].first().unwrap_or(&start)),
                    Origin::Before(_) => Some(diagrams[..*number].last().unwrap_or(&start)),
                    Origin::Given(_) | Origin::Open => None,
                };
                let (width, drawn) = self.diagram(diagram, before);
                if !beside.is_empty() && used + width > self.width {
                    break;
                }
                used += width + GAP;
                beside.push(drawn);
                rest.next();
            }
            if !lines.is_empty() {
                lines.push(String::new());
            }
            lines.extend(joined(&beside));
        }
        lines
    }

    /// The start of the game on a diagram's board.
    fn start_of(self, diagram: &Diagram) -> Diagram {
        let game = self.game.on_board_of(diagram.row_names.len(), diagram.column_names.len());
        let rows = AnyGame::start(game).rows().to_string();
        let cells = rows.split('/').map(|row| row.chars().collect()).collect();
        Diagram { cells, ..diagram.clone() }
    }

    /// The lines of a diagram with its caption, all as wide as the first value.
    fn diagram(self, diagram: &Diagram, before: Option<&Diagram>) -> (usize, Vec<String>) {
        let board = Board::of_diagram(&self.game, diagram, before);
        let width = board.width().max(2 + diagram.caption.chars().count());
        let fill = " ".repeat(width - board.width());
        let mut lines = vec![format!("{:width$}", format!("  {}", diagram.caption))];
        match self.paint {
            Some(paint) => {
                lines.extend(board.lines(paint).into_iter().map(|line| line + &fill));
            }
            None => lines.extend(as_written(diagram).map(|line| format!("{line:width$}"))),
        }
        if diagram.caption.is_empty() {
            lines.remove(0);
        }
        (width, lines)
    }
}

/// The lines of a diagram as the documents have them.
fn as_written(diagram: &Diagram) -> impl Iterator<Item = String> {
    let width = diagram.row_names.iter().map(String::len).max().unwrap_or(1);
    let row = move |(name, cells): (&String, &Vec<char>)| {
        let cells: String = cells.iter().map(|cell| format!(" {cell}")).collect();
        format!("  {name:>width$}{cells}")
    };
    let names = format!("  {:width$} {}", "", diagram.column_names.join(" "));
    diagram.row_names.iter().zip(&diagram.cells).map(row).chain([names])
}

/// The lines of drawings beside each other.
fn joined(drawings: &[Vec<String>]) -> Vec<String> {
    let height = drawings.iter().map(Vec::len).max().unwrap_or(0);
    let gap = " ".repeat(GAP);
    let line = |number: usize| {
        let parts = drawings.iter().filter_map(|drawing| drawing.get(number).map(String::as_str));
        parts.collect::<Vec<&str>>().join(&gap)
    };
    (0..height).map(line).collect()
}
