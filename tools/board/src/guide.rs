//! The rules of a game for the page, from the same text as the documents.
//!
//! The one idea: the document is turned into HTML, without what only a reader of the files needs;
//! a diagram whose rows make a board of the game carries that board, so that it can be played. The
//! side to move is the one for which a move named just before the diagram is legal.

use alesia::game::Side;
use alesia::games::GameSpec;
use alesia::with_game;
use axum::Json;
use axum::extract::Query;
use pulldown_cmark::{
    CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html,
};
use serde::{Deserialize, Serialize};

use super::failure::{Failure, Name};
use super::shape::Drawn;

/// The languages of the rules, in the order of [`Drawn::RULES`].
const LANGUAGES: [&str; 2] = ["en", "it"];

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

/// `GET /api/guide/ID?lang=en|it`.
pub async fn guide(
    Name(id): Name,
    Query(Wanted { lang }): Query<Wanted>,
) -> Result<Json<Guide>, Failure> {
    let game: GameSpec = id.parse()?;
    let wanted = |&name: &&str| Some(name) == lang.as_deref();
    let language = LANGUAGES.iter().position(|name| wanted(name)).unwrap_or(0);
    let html = with_game!(game, start => rendered(&start, language));
    if html.is_empty() {
        return Err(Failure::unknown("the rules of this game are not written down"));
    }
    Ok(Json(Guide { html }))
}

fn rendered<G: Drawn>(start: &G, language: usize) -> String {
    let text = G::RULES[language];
    let mut page = Page { start, words: Vec::new(), events: Vec::new() };
    // Sections with commands are for those who read the files.
    let sections = text.split("\n## ").filter(|section| !section.contains("```sh"));
    let sections: Vec<String> = sections.map(str::to_owned).collect();
    page.read(&sections.join("\n## "));
    let mut text = String::new();
    html::push_html(&mut text, page.events.into_iter());
    text
}

/// The events of a document as they are shown.
struct Page<'a, G> {
    start: &'a G,
    /// The pieces of code since the last diagram: moves, for the most part.
    words: Vec<String>,
    events: Vec<Event<'static>>,
}

impl<G: Drawn> Page<'_, G> {
    fn read(&mut self, text: &str) {
        let mut events = Parser::new_ext(text, Options::ENABLE_TABLES).map(Event::into_static);
        let (mut heads, mut skipping) = (0, false);
        while let Some(event) = events.next() {
            match event {
                // The title has links to other files below it.
                Event::Start(Tag::Paragraph) if heads == 1 => {
                    heads += 1;
                    skipping = true;
                }
                Event::End(TagEnd::Paragraph) if skipping => skipping = false,
                _ if skipping => {}
                Event::Start(Tag::Heading { level, id, classes, attrs }) => {
                    heads += usize::from(level == HeadingLevel::H1);
                    let level = below(level);
                    self.events.push(Event::Start(Tag::Heading { level, id, classes, attrs }));
                }
                Event::End(TagEnd::Heading(level)) => {
                    self.events.push(Event::End(TagEnd::Heading(below(level))));
                }
                // Files are not on the page, and it loads nothing from elsewhere.
                Event::Start(Tag::Link { .. }) | Event::End(TagEnd::Link) => {}
                Event::Code(text) => {
                    self.words.push(text.to_string());
                    self.events.push(Event::Code(text));
                }
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => {
                    let inside = events
                        .by_ref()
                        .take_while(|event| !matches!(event, Event::End(TagEnd::CodeBlock)));
                    let text: String = inside.filter_map(text_of).collect();
                    self.diagram(&text);
                }
                event => self.events.push(event),
            }
        }
    }

    /// A block of text, with the board that it shows if it shows one.
    fn diagram(&mut self, text: &str) {
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let board = self.board(text).map(|board| format!(" data-board=\"{board}\""));
        let html = format!(
            "<pre class=\"guide-diagram\"{} tabindex=\"0\">{escaped}</pre>\n",
            board.unwrap_or_default()
        );
        self.events.push(Event::Html(CowStr::from(html)));
        self.words.clear();
    }

    /// The first board in a diagram.
    fn board(&self, text: &str) -> Option<String> {
        let (names, columns) = self.start.labels();
        let row = |name: &String| {
            let mut lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
            let line = lines.find(|words| words.first() == Some(&&**name))?;
            let cells = line.get(1..=columns.len())?;
            cells.iter().all(|cell| cell.chars().count() == 1).then(|| cells.concat())
        };
        let rows: Option<Vec<String>> = names.iter().map(row).collect();
        let rows = rows?.join("/");
        let position = |side: Side| {
            let letter = if side == Side::White { 'w' } else { 'b' };
            // The plies decide nothing here, but some games count their stones by them.
            let stones = rows.chars().filter(|c| c.is_alphabetic()).count();
            [40 + usize::from(side == Side::Black), stones].into_iter().find_map(|plies| {
                let endings = ["", " DUdu 0", " DU 0", " - 0"];
                endings.iter().find_map(|ending| {
                    let board = format!("{rows} {letter} {plies}{ending}");
                    self.start.parse_board(&board).ok().map(|position| (board, position))
                })
            })
        };
        let sides: Vec<(String, G)> =
            [Side::White, Side::Black].into_iter().filter_map(position).collect();
        let named = |(_, position): &&(String, G)| {
            self.words.iter().any(|word| position.parse_move(word).is_ok())
        };
        let meant = sides.iter().find(named).or(sides.first());
        meant.map(|(board, _)| board.clone())
    }
}

/// The text of an event, if it has any.
fn text_of(event: Event<'static>) -> Option<String> {
    match event {
        Event::Text(text) => Some(text.to_string()),
        _ => None,
    }
}

/// The next smaller heading: the page has one of its own above.
fn below(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 => HeadingLevel::H2,
        HeadingLevel::H2 => HeadingLevel::H3,
        _ => HeadingLevel::H4,
    }
}

#[cfg(test)]
mod tests {
    use alesia::game::Game;

    use super::*;

    #[test]
    fn the_rules_of_every_game_are_shown_in_both_languages_with_boards_to_play() {
        for game in GameSpec::ALL {
            let texts =
                [0, 1].map(|language| with_game!(game, start => rendered(&start, language)));
            for text in &texts {
                assert!(text.starts_with("<h2>") && text.len() > 2000, "{game}");
                for bad in ["<a ", "<h1", ".md", "```", "alesia manual"] {
                    assert!(!text.contains(bad), "{game}: {bad}");
                }
                let boards = text.split("data-board=\"").skip(1);
                let boards: Vec<&str> = boards.filter_map(|rest| rest.split('"').next()).collect();
                assert!(!boards.is_empty(), "{game}");
                for board in boards {
                    with_game!(game, start => assert!(start.parse_board(board).is_ok(), "{board}"));
                }
            }
            let count = |text: &String| text.matches("data-board=").count();
            assert_eq!(count(&texts[0]), count(&texts[1]), "{game}");
            assert_ne!(texts[0], texts[1], "{game}");
        }
    }

    #[test]
    fn the_side_to_move_is_that_of_the_move_named_before_the_diagram() {
        let murus = with_game!(GameSpec::ALL[0], start => rendered(&start, 0));
        // "Here Black plays `E3,W`": no move of White's.
        assert!(
            murus.contains("......../......../BB....../WB....../bbB...../......../........ b ")
        );
    }
}
