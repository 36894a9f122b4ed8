//! The part of Markdown that the pages of rules use: headings, paragraphs, lists, tables, fenced
//! blocks; bold, italic, code and links within a line.
//!
//! The one idea: a page is a flat list of blocks. A fenced block marked `board` holds diagrams, and
//! the words after the mark are those that follow the rows in the text board of its first diagram.

use super::Diagram;
use crate::games::language::Language;

/// A page of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The language.
    pub language: Language,
    /// The title of the game.
    pub title: String,
    /// All that follows the title, without the links to other pages.
    pub blocks: Vec<Block>,
}

/// A part of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// The heading of a section.
    Heading(Vec<Span>),
    /// A paragraph.
    Paragraph(Vec<Span>),
    /// A point of a list.
    Item {
        /// `1.` or `-`.
        marker: String,
        /// Its text.
        text: Vec<Span>,
    },
    /// A table: the heads, then the rows.
    Table(Vec<Vec<Vec<Span>>>),
    /// Lines that are shown as they are.
    Lines {
        /// Whether they are commands for a shell.
        commands: bool,
        /// The lines.
        lines: Vec<String>,
    },
    /// Boards beside each other.
    Boards(Vec<Diagram>),
}

/// Text in one style.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The text.
    pub text: String,
    /// How it is shown.
    pub style: Style,
    /// Where it leads.
    pub link: Option<String>,
}

/// How a text is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Bold.
    pub bold: bool,
    /// Italic.
    pub italic: bool,
    /// A move, a cell, a command.
    pub code: bool,
}

impl Page {
    /// Reads a page. Text that is no Markdown of the kind above is a paragraph.
    pub fn parse(text: &str, language: Language) -> Page {
        let mut page = Page { language, title: String::new(), blocks: Vec::new() };
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            if let Some(mark) = line.strip_prefix("```") {
                let fenced: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
                page.blocks.push(fence(mark, &fenced, language));
            } else if let Some(title) = line.strip_prefix("# ") {
                page.title = title.to_owned();
            } else if let Some(heading) = line.strip_prefix("## ") {
                page.blocks.push(Block::Heading(spans(heading)));
            } else if line.starts_with('|') {
                let mut rows = vec![cells(line)];
                while let Some(row) = lines.next_if(|line| line.starts_with('|')) {
                    // Between heads and rows is a line of dashes.
                    if !row.chars().all(|c| "|-: ".contains(c)) {
                        rows.push(cells(row));
                    }
                }
                page.blocks.push(Block::Table(rows));
            } else if let Some((marker, text)) = item(line) {
                page.blocks.push(Block::Item { marker: marker.to_owned(), text: spans(text) });
            } else if !line.trim().is_empty() {
                let mut paragraph = line.to_owned();
                while let Some(more) = lines.next_if(|line| continues(line)) {
                    paragraph += " ";
                    paragraph += more;
                }
                let text = spans(&paragraph);
                if !leads_elsewhere(&text) {
                    page.blocks.push(Block::Paragraph(text));
                }
            }
        }
        page
    }

    /// The goal of the game in one sentence, as plain text; empty where the page has none.
    pub fn goal(&self) -> String {
        let paragraphs = self.blocks.iter().filter_map(|block| match block {
            Block::Paragraph(text) => Some(text),
            _ => None,
        });
        for text in paragraphs {
            let head = |span: &Span| span.style.bold && span.text == self.language.goal();
            if let Some(at) = text.iter().position(head) {
                let after = plain(&text[at + 1..]);
                let sentence = after.split_inclusive('.').next().unwrap_or_default();
                return sentence.trim().to_owned();
            }
        }
        String::new()
    }

    /// The diagrams of each block of boards.
    pub fn boards(&self) -> impl Iterator<Item = &[Diagram]> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Boards(diagrams) => Some(&diagrams[..]),
            _ => None,
        })
    }

    /// The headings, as plain text.
    pub fn headings(&self) -> impl Iterator<Item = String> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Heading(text) => Some(plain(text)),
            _ => None,
        })
    }
}

/// Whether a line belongs to the paragraph before it.
fn continues(line: &str) -> bool {
    let begins = ["```", "#", "|"].iter().any(|mark| line.starts_with(mark));
    !(line.trim().is_empty() || begins || item(line).is_some())
}

fn fence(mark: &str, lines: &[&str], language: Language) -> Block {
    let mut words = mark.splitn(2, ' ');
    let kind = words.next().unwrap_or_default();
    if kind == "board" {
        return Block::Boards(Diagram::parse_all(lines, words.next(), language));
    }
    let lines = lines.iter().map(|&line| line.to_owned()).collect();
    Block::Lines { commands: kind == "sh", lines }
}

/// The marker and the text of a point of a list.
fn item(line: &str) -> Option<(&str, &str)> {
    let (marker, text) = line.split_once(' ')?;
    let number = marker.strip_suffix('.').is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    });
    (number || marker == "-").then_some((marker, text))
}

/// The cells of a row of a table.
fn cells(row: &str) -> Vec<Vec<Span>> {
    let inner = row.trim().trim_start_matches('|').trim_end_matches('|');
    inner.split('|').map(|cell| spans(cell.trim())).collect()
}

/// Whether a paragraph is nothing but links to other pages.
fn leads_elsewhere(text: &[Span]) -> bool {
    let elsewhere = |span: &Span| span.link.is_some() || span.text.trim() == "·";
    text.iter().any(|span| span.link.is_some()) && text.iter().all(elsewhere)
}

/// Text without its styles.
pub fn plain(text: &[Span]) -> String {
    text.iter().map(|span| span.text.as_str()).collect()
}

/// Reads the styles of a line. A mark without its partner holds to the end of the line.
fn spans(line: &str) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    let (mut style, mut rest) = (Style::default(), line);
    let mut add = |text: &str, style: Style, link: Option<&str>| {
        if !text.is_empty() {
            found.push(Span { text: text.to_owned(), style, link: link.map(str::to_owned) });
        }
    };
    while let Some(at) = rest.find(['*', '`', '[']) {
        add(&rest[..at], style, None);
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix("**") {
            (style.bold, rest) = (!style.bold, after);
        } else if let Some(after) = rest.strip_prefix('*') {
            (style.italic, rest) = (!style.italic, after);
        } else if let Some(code) = rest.strip_prefix('`') {
            let (code, after) = code.split_once('`').unwrap_or((code, ""));
            add(code, Style { code: true, ..style }, None);
            rest = after;
        } else if let Some((text, link, after)) = link(rest) {
            add(text, style, Some(link));
            rest = after;
        } else {
            add("[", style, None);
            rest = &rest[1..];
        }
    }
    add(rest, style, None);
    found
}

/// A link at the beginning of a text: what is shown, where it leads, what follows.
fn link(text: &str) -> Option<(&str, &str, &str)> {
    let (shown, after) = text.strip_prefix('[')?.split_once("](")?;
    let (target, after) = after.split_once(')')?;
    Some((shown, target, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(text: &str) -> Vec<Block> {
        Page::parse(text, Language::English).blocks
    }

    fn shown(line: &str) -> Vec<(String, &'static str)> {
        let name = |span: &Span| match (span.style, &span.link) {
            (_, Some(_)) => "link",
            (Style { code: true, .. }, _) => "code",
            (Style { bold: true, .. }, _) => "bold",
            (Style { italic: true, .. }, _) => "italic",
            _ => "plain",
        };
        spans(line).into_iter().map(|span| (span.text.clone(), name(&span))).collect()
    }

    #[test]
    fn styles_within_a_line() {
        let line = "**Step.** A *tower* plays `G4,NE` ([more](https://a.b/c)).";
        let expected = [
            ("Step.", "bold"),
            (" A ", "plain"),
            ("tower", "italic"),
            (" plays ", "plain"),
            ("G4,NE", "code"),
            (" (", "plain"),
            ("more", "link"),
            (").", "plain"),
        ];
        assert_eq!(shown(line), expected.map(|(text, style)| (text.to_owned(), style)));
    }

    #[test]
    fn marks_without_partners_lose_no_text() {
        for line in ["a [b", "a `b", "[a](b", "[a] b"] {
            let text = plain(&spans(line));
            assert_eq!(text, line.replace('`', ""), "{line}");
        }
    }

    #[test]
    fn a_page_is_a_list_of_blocks() {
        let page = Page::parse(
            "# T\n\n[Elsewhere](x.md) · [Up](y.md)\n\nOne\ntwo.\n\n## H\n\n- a\n- b\n\n1. c\n\n\
             | x | y |\n|---|---|\n| `.` | z |\n\n```sh\nls\n```\n",
            Language::English,
        );
        assert_eq!((page.title.as_str(), page.blocks.len()), ("T", 7));
        assert_eq!(page.blocks[0], Block::Paragraph(spans("One two.")));
        assert_eq!(page.blocks[1], Block::Heading(spans("H")));
        assert_eq!(page.blocks[2], Block::Item { marker: "-".into(), text: spans("a") });
        assert_eq!(page.blocks[4], Block::Item { marker: "1.".into(), text: spans("c") });
        let rows = vec![vec![spans("x"), spans("y")], vec![spans("`.`"), spans("z")]];
        assert_eq!(page.blocks[5], Block::Table(rows));
        assert_eq!(page.blocks[6], Block::Lines { commands: true, lines: vec!["ls".into()] });
    }

    #[test]
    fn a_block_without_end_holds_the_rest() {
        let lines = vec!["a".to_owned(), "## b".to_owned()];
        assert_eq!(blocks("```text\na\n## b"), [Block::Lines { commands: false, lines }]);
    }

    #[test]
    fn the_goal_is_a_sentence() {
        let text = "**In 30 seconds.** Move. **Goal:** win, or `mate`. On the command line …";
        assert_eq!(Page::parse(text, Language::English).goal(), "win, or mate.");
        assert_eq!(Page::parse(text, Language::Italian).goal(), "");
    }
}
