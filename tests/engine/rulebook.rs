//! The pages of rules that `alesia rules` prints: what they show is right in the game itself.

use alesia::game::{Game, ParseError};
use alesia::games::rulebook::{
    Block, Diagram, Example, Language, MARK, Origin, Page, examples, plain,
};
use alesia::games::{AnyGame, GameSpec};

/// The listed games.
fn games() -> impl Iterator<Item = AnyGame> {
    GameSpec::all().into_iter().map(AnyGame::start)
}

fn page(game: &AnyGame, language: Language) -> Page {
    Page::parse(&game.page_of_rules(language), language)
}

/// Whether a game has pages: in all languages or in none.
fn has_pages(game: &AnyGame) -> bool {
    let [english, italian] = Language::ALL.map(|language| !game.page_of_rules(language).is_empty());
    assert_eq!(english, italian, "{}", game.title());
    english
}

/// The diagrams of a page, each with its example.
fn diagrams<'a>(game: &AnyGame, page: &'a Page) -> Vec<(&'a Diagram, Option<Example>)> {
    let examples = examples(game, page).unwrap_or_else(|error| panic!("{error}"));
    page.boards().flatten().zip(examples.into_iter().flatten()).collect()
}

#[test]
fn every_board_and_move_of_a_page_is_right_in_the_game() {
    for game in games() {
        for language in Language::ALL.into_iter().filter(|_| has_pages(&game)) {
            let page = page(&game, language);
            let diagrams = diagrams(&game, &page);
            let played =
                diagrams.iter().flat_map(|(_, example)| example).filter(|e| !e.moves.is_empty());
            assert!(played.count() >= 5, "{} in {}", game.title(), language.name());
        }
    }
}

/// Whether a game reads these rows as a text board, whatever the other words.
fn is_a_board(game: &AnyGame, diagram: &Diagram) -> bool {
    let (rows, columns) = (diagram.row_names.len(), diagram.column_names.len());
    let (start, rows) = (AnyGame::start(game.on_board_of(rows, columns)), diagram.rows());
    let mut words =
        (0..=game.ply_limit()).flat_map(|ply| ["w", "b"].map(|side| format!("{side} {ply}")));
    words.any(|words| start.parse_board(&format!("{rows} {words}")).is_ok())
}

#[test]
fn boards_that_only_illustrate_are_boards_of_the_game() {
    for game in games() {
        for language in Language::ALL {
            for diagram in page(&game, language).boards().flatten() {
                assert!(
                    diagram.origin != Origin::Open || is_a_board(&game, diagram),
                    "{diagram:?}"
                );
            }
        }
    }
}

#[test]
fn rows_and_columns_have_the_names_of_the_game() {
    for game in games() {
        for (diagram, example) in diagrams(&game, &page(&game, Language::English)) {
            let Some(example) = example else { continue };
            let game: GameSpec = example.game.parse().unwrap();
            let labels = AnyGame::start(game).labels();
            assert_eq!((&diagram.row_names, &diagram.column_names), (&labels.0, &labels.1));
        }
    }
}

#[test]
fn each_page_has_an_opening_from_the_start_of_the_game() {
    for game in games() {
        if has_pages(&game) {
            let start = game.to_string();
            let page = page(&game, Language::English);
            let opening = examples(&game, &page).unwrap().into_iter().map(|block| {
                let begins = block[0].as_ref().is_some_and(|first| first.before == start);
                let moves = block.iter().flatten().map(|example| example.moves.len());
                if begins { moves.sum() } else { 0 }
            });
            assert!(opening.max().unwrap() >= 6, "{}", game.title());
        }
    }
}

/// Stars are said to be the legal cells.
#[test]
fn marked_cells_are_the_legal_moves() {
    let mut checked = 0;
    for game in games() {
        for (diagram, example) in diagrams(&game, &page(&game, Language::English)) {
            let marked = |row: usize| {
                let cells = diagram.cells[row].iter().zip(&diagram.column_names);
                let marked = cells.filter(|(cell, _)| **cell == MARK);
                marked.map(move |(_, column)| format!("{}{column}", diagram.row_names[row]))
            };
            let marked: Vec<String> = (0..diagram.cells.len()).flat_map(marked).collect();
            let Some(example) = example.filter(|_| !marked.is_empty()) else { continue };
            let position =
                AnyGame::named(&example.game).unwrap().parse_board(&example.shown).unwrap();
            let moves = position.legal_moves();
            let legal: Vec<String> =
                moves.iter().map(|&m| position.notation(m).to_string()).collect();
            assert_eq!(marked, legal);
            checked += 1;
        }
    }
    assert!(checked >= 3);
}

/// What kind of block it is, with the boards of a block of boards.
fn kind(block: &Block) -> String {
    match block {
        Block::Heading(_) => "heading".into(),
        Block::Paragraph(_) => "paragraph".into(),
        Block::Item { marker, .. } => format!("item {marker}"),
        Block::Table(rows) => format!("table of {}", rows.len()),
        Block::Lines { lines, .. } => format!("{} lines", lines.len()),
        Block::Boards(diagrams) => {
            let boards = diagrams.iter().map(|diagram| (diagram.rows(), &diagram.origin));
            format!("{:?}", boards.collect::<Vec<_>>())
        }
    }
}

#[test]
fn both_languages_say_the_same_in_the_same_order() {
    for game in games() {
        if has_pages(&game) {
            let [english, italian] = Language::ALL.map(|language| {
                page(&game, language).blocks.iter().map(kind).collect::<Vec<String>>()
            });
            assert_eq!(english, italian, "{}", game.title());
            assert!(english.iter().filter(|kind| *kind == "heading").count() >= 8);
        }
    }
}

#[test]
fn each_page_names_the_goal_and_what_other_rule_sets_do() {
    for game in games() {
        if has_pages(&game) {
            assert!(!page(&game, Language::Italian).goal().is_empty());
            let page = page(&game, Language::English);
            assert!(page.goal().ends_with('.'), "{}", game.title());
            assert!(page.headings().any(|heading| heading == "What other rule sets do otherwise"));
            // No mark is left over.
            for block in &page.blocks {
                if let Block::Paragraph(text) | Block::Item { text, .. } = block {
                    assert!(!plain(text).contains(['*', '`']), "{}", plain(text));
                }
            }
        }
    }
}

fn error_of(boards: &str) -> Option<ParseError> {
    let game = AnyGame::named("hadron").unwrap();
    let page = Page::parse(&format!("# Page\n\n```board {boards}\n```\n"), Language::English);
    examples(&game, &page).err()
}

#[test]
fn a_planted_error_in_a_page_is_found_with_its_place() {
    let right = "w 0\n  start    after A1\n  A . .    A w .\n  B . .    B . .\n    1 2      1 2";
    assert_eq!(error_of(right), None);
    let board = error_of(&right.replace("A w .", "A . w")).unwrap();
    assert_eq!(
        board.to_string(),
        "Page, block 0, board 2, rows: found `.w/..`, expected `w./..` after A1"
    );
    let illegal = error_of(&right.replace("after A1", "after C1")).unwrap();
    assert!(illegal.to_string().starts_with("Page, block 0, board 2, move 1, "), "{illegal}");
    let plies = error_of(&right.replace("w 0", "w 1")).unwrap();
    assert!(plies.to_string().starts_with("Page, block 0, board 1, plies played: "), "{plies}");
}
