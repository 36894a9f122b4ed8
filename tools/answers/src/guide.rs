//! The rules of a game for the page, from the same text as the documents and the terminal.
//!
//! The one idea: the blocks of the [`rulebook`](alesia::games::rulebook) become HTML, and each
//! diagram that the game itself arrives at carries its text board, so that it can be played.

use std::fmt::Write;

use alesia::game::ParseError;
use alesia::games::rulebook::{Block, Diagram, Example, Language, Page, Span, examples};
use alesia::games::{AnyGame, GameSpec};
use serde::{Deserialize, Serialize};

/// Which language is wanted; English where it is none of ours.
#[derive(Deserialize)]
pub struct Wanted {
    lang: Option<String>,
}

/// The rules of a game.
#[derive(Serialize)]
pub struct Guide {
    html: String,
}

/// The rules of a game in a language; none where they are not written down.
///
/// # Errors
/// There is no such game.
pub fn guide(id: &str, Wanted { lang }: Wanted) -> Result<Option<Guide>, ParseError> {
    let language = lang.and_then(|code| code.parse().ok()).unwrap_or(Language::English);
    Ok(rendered(id.parse()?, language)?.map(|html| Guide { html }))
}

/// Why there is no guide of a game.
pub const NO_GUIDE: &str = "the rules of this game are not written down";

/// The page of a game; none where it has none.
fn rendered(game: GameSpec, language: Language) -> Result<Option<String>, ParseError> {
    let start = AnyGame::start(game);
    let text = start.page_of_rules(language);
    if text.is_empty() {
        return Ok(None);
    }
    let Some(source) = game.source() else {
        let page = Page::parse(&text, language);
        let examples = examples(&start, &page)?;
        return Ok(Some(html_of(&page, examples)));
    };
    Ok(Some(by_definition(&text, &source, language)))
}

/// The page of a game by definition, with that and without the board that stands beside it.
fn by_definition(rules: &str, source: &str, language: Language) -> String {
    let heading = match language {
        Language::English => "The definition",
        Language::Italian => "La definizione",
    };
    let text = format!("{rules}\n## {heading}\n\n```text\n{}\n```\n", source.trim_end());
    let mut page = Page::parse(&text, language);
    page.blocks.retain(|block| !matches!(block, Block::Boards(_)));
    html_of(&page, Vec::new())
}

/// A page as HTML, with what it takes to play on from its boards.
fn html_of(page: &Page, examples: Vec<Vec<Option<Example>>>) -> String {
    let mut examples = examples.into_iter();
    let mut html = format!("<h2>{}</h2>\n", escaped(&page.title));
    // The element of the list that is open, if one is.
    let mut list = "";
    for block in without_commands(&page.blocks) {
        let wanted = match block {
            Block::Item { marker, .. } if marker == "-" => "ul",
            Block::Item { .. } => "ol",
            _ => "",
        };
        if list != wanted {
            html += &tag(list, "</");
            html += &tag(wanted, "<");
            list = wanted;
        }
        match block {
            Block::Boards(diagrams) => {
                let playable = examples.next().unwrap_or_default();
                html += "<div class=\"guide-diagrams\">";
                for (diagram, example) in diagrams.iter().zip(playable) {
                    html += &drawn(diagram, example.as_ref());
                }
                html += "</div>\n";
            }
            block => html += &plain(block),
        }
    }
    html + &tag(list, "</")
}

/// The blocks without the sections that have commands, which are for those at a terminal.
fn without_commands(blocks: &[Block]) -> Vec<&Block> {
    let is_heading = |block: &&Block| matches!(block, Block::Heading(_));
    let has_commands = |block: &&Block| matches!(block, Block::Lines { commands: true, .. });
    let mut kept: Vec<&Block> = Vec::new();
    let mut section: Vec<&Block> = Vec::new();
    for block in blocks.iter().map(Some).chain([None]) {
        if block.is_none_or(|block| is_heading(&block)) {
            if !section.iter().any(has_commands) {
                kept.append(&mut section);
            }
            section.clear();
        }
        section.extend(block);
    }
    kept
}

fn tag(name: &str, begin: &str) -> String {
    if name.is_empty() { String::new() } else { format!("{begin}{name}>\n") }
}

/// A block without boards.
fn plain(block: &Block) -> String {
    match block {
        Block::Heading(text) => format!("<h3>{}</h3>\n", spans(text)),
        Block::Paragraph(text) => format!("<p>{}</p>\n", spans(text)),
        Block::Item { text, .. } => format!("<li>{}</li>\n", spans(text)),
        Block::Lines { lines, .. } => {
            format!(
                "<pre class=\"guide-lines\" tabindex=\"0\">{}</pre>\n",
                escaped(&lines.join("\n"))
            )
        }
        Block::Table(rows) => {
            let mut html = "<table>".to_owned();
            for (number, row) in rows.iter().enumerate() {
                let cell = if number == 0 { "th" } else { "td" };
                let cells = row.iter().map(|text| format!("<{cell}>{}</{cell}>", spans(text)));
                // Writing to a string cannot fail.
                let _ = write!(html, "<tr>{}</tr>", cells.collect::<String>());
            }
            html + "</table>\n"
        }
        Block::Boards(_) => String::new(),
    }
}

/// Text in its styles. The page loads nothing from elsewhere, so links are their text.
fn spans(text: &[Span]) -> String {
    let span = |span: &Span| {
        let mut html = escaped(&span.text);
        for (wanted, name) in
            [(span.style.code, "code"), (span.style.italic, "em"), (span.style.bold, "strong")]
        {
            if wanted {
                html = format!("<{name}>{html}</{name}>");
            }
        }
        html
    };
    text.iter().map(span).collect()
}

/// A board with its caption, and what it takes to play on from it.
fn drawn(diagram: &Diagram, example: Option<&Example>) -> String {
    let mut text = String::new();
    for (name, cells) in diagram.row_names.iter().zip(&diagram.cells) {
        let cells: Vec<String> = cells.iter().map(char::to_string).collect();
        let _ = writeln!(text, "{name} {}", cells.join(" "));
    }
    let _ = write!(text, "  {}", diagram.column_names.join(" "));
    let board = example.map_or(String::new(), |Example { game, before, moves, shown }| {
        let shown = format!(" data-game=\"{}\" data-board=\"{}\"", escaped(game), escaped(shown));
        let moves = moves.join(" ");
        match moves.as_str() {
            "" => shown,
            _ => format!("{shown} data-from=\"{}\" data-moves=\"{moves}\"", escaped(before)),
        }
    });
    let caption = match diagram.caption.as_str() {
        "" => String::new(),
        caption => format!("<figcaption>{}</figcaption>", escaped(caption)),
    };
    format!(
        "<figure>{caption}<pre class=\"guide-diagram\"{board} tabindex=\"0\">{}</pre></figure>\n",
        escaped(&text)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use alesia::game::Game;

    use super::*;

    fn of(game: GameSpec, language: Language) -> String {
        rendered(game, language).unwrap().unwrap()
    }

    #[test]
    fn the_rules_of_every_game_are_shown_in_both_languages_with_boards_to_play() {
        for game in GameSpec::all() {
            if game.rules(Language::English).is_empty() {
                continue;
            }
            let texts = Language::ALL.map(|language| of(game, language));
            for text in &texts {
                assert!(text.starts_with("<h2>") && text.len() > 2000, "{game}");
                for bad in ["<a ", "<h1", ".md", "```", "alesia manual"] {
                    assert!(!text.contains(bad), "{game}: {bad}");
                }
                let boards: Vec<&str> = text.split(" data-game=\"").skip(1).collect();
                assert!(!boards.is_empty(), "{game}");
                for rest in boards {
                    let fields: Vec<&str> = rest.split('"').collect();
                    let (name, board) = (fields[0], fields[2]);
                    let start = AnyGame::named(name).unwrap();
                    assert!(start.parse_board(board).is_ok(), "{name}: {board}");
                }
            }
            let count = |text: &String| text.matches("data-board=").count();
            assert_eq!(count(&texts[0]), count(&texts[1]), "{game}");
            assert_ne!(texts[0], texts[1], "{game}");
        }
    }

    #[test]
    fn lists_are_closed_and_text_is_no_tag() {
        let html = of(GameSpec::all()[0], Language::English);
        for name in ["ul", "ol", "table", "pre", "figure", "h3", "p", "li"] {
            let begins = html.matches(&format!("<{name}>")).count()
                + html.matches(&format!("<{name} ")).count();
            assert_eq!(begins, html.matches(&format!("</{name}>")).count(), "{name}");
        }
        assert_eq!(escaped("a<b & \"c\""), "a&lt;b &amp; &quot;c&quot;");
    }
}
