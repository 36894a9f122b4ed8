//! Pages of real files of every kind (`tests/data/reports`), and of any lines.

use alesia::record::checked_line::json_line;
use alesia::record::end::Cause;
use alesia::record::game_record::{GameRecord, Key, Occasion, RecordedMove, Winner, read};
use alesia::record::thought::Thought;
use proptest::prelude::*;
use roxmltree::{Document, Node};

use crate::run::Rows;
use crate::source::{Part, Source};
use crate::{chart, page};

/// The commands that write measurements, and one that does no more.
const RUNS: [&str; 7] = [
    "scale",
    "stress deadline",
    "stress scale",
    "stress soak",
    "stress spectators",
    "stress trees",
    "tune",
];

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/reports");

fn text_of(name: &str) -> String {
    std::fs::read_to_string(format!("{FOLDER}/{name}")).unwrap()
}

fn page_of(texts: &[(&str, &str)]) -> String {
    let sources = texts.iter().map(|(name, text)| Source::read(name, text).unwrap());
    page(&sources.collect::<Vec<_>>(), "alesia-lab 0.0.0", &[32, 64])
}

/// The page as XML: elements without an end get one, and it must hold together then.
fn as_xml(page: &str) -> String {
    let mut xml = page.strip_prefix("<!DOCTYPE html>").unwrap().to_owned();
    for void in ["<meta "] {
        let parts: Vec<String> = xml.split(void).map(str::to_owned).collect();
        xml = parts[0].clone();
        for part in &parts[1..] {
            xml += &format!("{void}{}", part.replacen('>', "/>", 1));
        }
    }
    xml
}

fn check(page: &str, test: impl FnOnce(&Document)) {
    let xml = as_xml(page);
    let document = Document::parse(&xml).unwrap_or_else(|error| panic!("{error}\n{page}"));
    let mut ids: Vec<&str> =
        document.descendants().filter_map(|node| node.attribute("id")).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "an id stands twice");
    for node in document.descendants() {
        assert!(!["script", "link", "img", "iframe"].contains(&node.tag_name().name()));
        assert!(node.attributes().all(|attribute| !attribute.name().starts_with("on")));
        let is_own = |link: &str| ids.contains(&link.trim_start_matches('#'));
        assert!(node.attribute("href").is_none_or(is_own));
    }
    test(&document);
}

fn texts<'a>(document: &'a Document, tag: &str) -> Vec<String> {
    let all_text = |node: Node<'a, 'a>| -> String {
        node.descendants().filter_map(|inner| inner.text().filter(|_| inner.is_text())).collect()
    };
    let tagged = document.descendants().filter(|node| node.has_tag_name(tag));
    tagged.map(all_text).collect()
}

/// Titles of the charts that have a drawing with a line, a dot or a bar in it.
fn charts(document: &Document) -> Vec<String> {
    let is_drawn = |figure: &Node| {
        let shapes = |name| figure.descendants().filter(|node| node.has_tag_name(name)).count();
        // The mesh is of lines; what was measured is of these.
        ["polyline", "circle", "rect", "polygon"].into_iter().map(shapes).sum::<usize>() > 0
    };
    let captions = document.descendants().filter(|node| node.has_tag_name("figure"));
    captions
        .filter(|figure| figure.parent().unwrap().attribute("class") == Some("charts"))
        .filter(is_drawn)
        .map(|figure| figure.first_element_child().unwrap().text().unwrap().to_owned())
        .collect()
}

/// A match continues after a loss of power; what the disk has lost stays in its file.
#[test]
fn lines_that_the_disk_has_lost_are_pieces() {
    let text = text_of("match.jsonl");
    let lines: Vec<&str> = text.lines().collect();
    let games = |text: &str| {
        let source = Source::read("lost.jsonl", text).unwrap();
        let all = source.parts.iter().map(|part| match part {
            Part::Games(games) => games.records.len(),
            Part::Run(_) | Part::Strength(_) => 0,
        });
        (all.sum::<usize>(), source.pieces)
    };
    let (all, _) = games(&text);
    let lost = format!("{}\0\0\0\0", &lines[2][..40]);
    let whole = [&lines[..2], &[&lost, "\0\0\0\0"], &lines[2..]].concat().join("\n");
    assert_eq!(games(&format!("{whole}\n")), (all, 2));
    // Its end was lost too.
    let joined = format!("\0\0\0{}\n", lines[1..].join("\n"));
    assert_eq!(games(&joined), (all, 1));
}

#[test]
fn each_kind_of_file_has_its_charts() {
    for (file, title, expected) in [
        (
            "cores.jsonl",
            "Scale by threads: hadron",
            &["Speed by threads", "Where threads meet", "Speed on more cores: hadron"][..],
        ),
        (
            "match.jsonl",
            "tree against alphabeta: hadron5",
            &[
                "Elo over games",
                "Sequential test over games",
                "Pairs",
                "Time for a move",
                "Time along the game",
                "Score by opening",
            ],
        ),
        (
            "deadline.jsonl",
            "Deadline: hadron5, murus",
            &["Answers at the referee", "Percentiles", "Answers in the order of play"],
        ),
        (
            "soak.jsonl",
            "Soak: games without a break",
            &["Memory", "Descriptors and threads", "Slowest answer of each game"],
        ),
        ("scale.jsonl", "Scale by trees: hadron5", &["Speed by trees", "Games against one tree"]),
        (
            "stress-scale.jsonl",
            "Scale by threads: loa",
            &["Speed by threads", "Where threads meet"],
        ),
        (
            "stress-scale-grid.jsonl",
            "Scale by threads: murus",
            &[
                "Speed by threads",
                "Where threads meet",
                "Speed by threads and trees: murus",
                "Time for keeping the tree",
                "Speed of keeping the tree",
            ],
        ),
        (
            "tune.jsonl",
            "Tuning: variant:losalamos",
            &["Loss of the value", "Loss of the moves", "Best move first"],
        ),
        (
            "trees.jsonl",
            "Trees with more threads than cores",
            &["Searches, each with a legal move"],
        ),
    ] {
        check(&page_of(&[(file, &text_of(file))]), |document| {
            assert_eq!(texts(document, "h2"), [title], "{file}");
            assert_eq!(charts(document), expected, "{file}");
        });
    }
}

#[test]
fn the_table_of_experiments_has_two_charts_for_each_game() {
    let text = text_of("../../../docs/experiments.csv");
    check(&page_of(&[("experiments.csv", &text)]), |document| {
        assert_eq!(texts(document, "h2"), ["Strength over time"]);
        let charts = charts(document);
        let begin = ["Murus Gallicus: ", "Hadron: ", "Lines of Action: ", "Voidrider Chess: "];
        assert!(charts.iter().zip(begin).all(|(title, begin)| title.starts_with(begin)));
        assert_eq!(charts.len(), 8, "{charts:?}");
    });
}

/// The file has speeds by the law with sigma 0.02 and kappa 0.0004, on 16 cores.
#[test]
fn more_cores_are_predicted_by_the_law() {
    check(&page_of(&[("cores.jsonl", &text_of("cores.jsonl"))]), |document| {
        let notes = texts(document, "p").join(" ");
        let expected = "100 k iterations/s on one core, sigma 0.0200, kappa 0.000400, fastest with \
                        49 cores; 1 row with more threads than cores left out.";
        assert!(notes.contains(expected), "{notes}");
        let cells = texts(document, "td").join(" ");
        assert!(cells.contains("64 - 1.65 M - 16.53"), "{cells}");
    });
}

#[test]
fn the_figures_of_a_match_are_those_of_its_statistics() {
    let text = text_of("match.jsonl");
    let games = text.lines().count() - 1;
    check(&page_of(&[("match.jsonl", &text)]), |document| {
        let facts: Vec<(String, String)> =
            texts(document, "dt").into_iter().zip(texts(document, "dd")).collect();
        let fact = |name: &str| &facts.iter().find(|(own, _)| own == name).unwrap().1;
        assert_eq!(*fact("Games"), games.to_string());
        // As `alesia-lab match` printed it at its end.
        assert_eq!(fact("Elo"), MATCH_ELO);
        assert_eq!(fact("Sequential test"), "[0.00, 50.00] normalized Elo");
        let drawn = document.descendants().find(|node| node.attribute("class") == Some("games"));
        assert_eq!(drawn.unwrap().children().count(), games.min(24));
    });
}

/// The Elo of `match.jsonl`.
const MATCH_ELO: &str = "190.85 +/- 144.57";

#[test]
fn several_files_are_sections_of_one_page() {
    let (scale, soak) = (text_of("scale.jsonl"), text_of("soak.jsonl"));
    let joined = format!("{scale}{soak}");
    check(&page_of(&[("a.jsonl", &joined), ("b.jsonl", &scale)]), |document| {
        let titles = ["Scale by trees: hadron5", "Soak: games without a break"];
        assert_eq!(texts(document, "h2"), [titles[0], titles[1], titles[0]]);
        assert_eq!(texts(document, "a"), [titles[0], titles[1], titles[0]]);
    });
}

#[test]
fn the_head_of_a_run_is_on_the_page() {
    let text = text_of("scale.jsonl");
    let Part::Run(run) = &Source::read("a", &text).unwrap().parts[0] else { panic!("no run") };
    let head = &run.head;
    check(&page_of(&[("a", &text)]), |document| {
        let facts = texts(document, "dd");
        let is_there = |text: &Option<String>| facts.contains(text.as_ref().unwrap());
        assert!(is_there(&head.host) && is_there(&head.processor) && is_there(&head.kernel));
        assert!(is_there(&head.commit) && facts.contains(&head.cores.unwrap().to_string()));
        assert!(facts.iter().any(|fact| fact.contains(" UTC")), "{facts:?}");
        assert!(texts(document, "code")[0].starts_with("alesia scale --game hadron5"));
    });
}

#[test]
fn names_are_texts_and_no_part_of_the_page() {
    let evil = "<b>&\"'\u{1b}[2J";
    let record = |leg, white: &str, black: &str| GameRecord {
        key: Key { seed: 1, pair: 0, leg },
        game: "</script>".into(),
        white: white.into(),
        black: black.into(),
        board: Some("<board>".into()),
        definition: None,
        rules: None,
        occasion: Occasion::default(),
        opening: vec!["<i>".into()],
        moves: vec![RecordedMove {
            text: "A1".into(),
            ms: Some(0.0),
            thought: Thought { value: Some(0.5), ..Thought::default() },
        }],
        result: Winner::White,
        cause: Cause::Time,
        reason: "<u> loses".into(),
    };
    let text = json_line(&record(0, evil, "B")) + &json_line(&record(1, "B", evil));
    let page = page_of(&[("<file>", &text)]);
    for tag in ["<b>&", "<i>", "<u>", "<board>", "<file>", "</script>", "\u{1b}"] {
        assert!(!page.contains(tag), "{tag}");
    }
    check(&page, |document| {
        let title = &texts(document, "h2")[0];
        assert_eq!(title, "<b>&\"'\u{fffd}[2J against B: </script>");
    });
}

#[test]
fn refuses_other_files_in_one_line() {
    let head = r#"{"run":"scale","date":"2026-11-27T09:30:00Z"}"#;
    for (text, expected) in [
        ("", "a: found nothing, expected game records, a match file (-config), measurements"),
        ("buy milk\n", "a: found `buy milk`, expected game records, a match file"),
        ("[Event \"x\"]\n", "a: found PGN, expected game records, a match file (-config), "),
        ("{\"x\":1}\n", "a, line 1: found `{\\\"x\\\":1}`, expected game records, a match file"),
        ("{\"run\":1}\n", "a, line 1: found `{\\\"run\\\":1}`, expected the head of a run ("),
        (
            &format!("{head}\n\n{{\"game\":1}}\n"),
            "a, line 3: found `{\\\"game\\\":1}`, expected a row of `scale` (",
        ),
    ] {
        let error = Source::read("a", text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

/// Of a match the key tells: a game that was played twice took other times. Single games have no
/// key, so that only the very same line is the same game.
#[test]
fn a_game_that_was_played_twice_counts_once() {
    let game = |seed, pair, ms| GameRecord {
        key: Key { seed, pair, leg: 0 },
        game: "hadron2x2".into(),
        white: "A".into(),
        black: "B".into(),
        board: None,
        definition: None,
        rules: None,
        occasion: Occasion::default(),
        opening: Vec::new(),
        moves: vec![RecordedMove { text: "A1".into(), ms: Some(ms), thought: Thought::default() }],
        result: Winner::Nobody,
        cause: Cause::Reported,
        reason: "a draw is agreed".into(),
    };
    let other_player = GameRecord { white: "C".into(), ..game(7, 3, 1.0) };
    let mut other_move = game(0, 3, 1.0);
    other_move.moves[0].text = "A2".into();
    for (games, expected) in [
        ([game(7, 3, 1.0), game(8, 3, 1.0), game(7, 3, 2.0)], 2),
        ([game(7, 3, 1.0), other_player, game(7, 3, 1.0)], 2),
        ([game(0, 3, 1.0), other_move, game(0, 3, 2.0)], 2),
        ([game(0, 0, 1.0), game(0, 0, 2.0), game(0, 0, 1.0)], 2),
    ] {
        let text: String = games.iter().map(json_line).collect();
        let source = Source::read("a", &text).unwrap();
        let [Part::Games(games)] = &source.parts[..] else { panic!("games") };
        assert_eq!((games.records.len(), games.again), (expected, 1), "{text}");
        assert!(page_of(&[("a", &text)]).contains("1 game played again, and counted once"));
    }
}

#[test]
fn a_piece_of_a_record_is_left_out_and_said() {
    let text = text_of("match.jsonl");
    let record = text.lines().find(|line| line.starts_with("{\"seed\":")).unwrap();
    let piece = &record[..record.len() / 2];
    for text in [format!("{piece}\n{record}\n"), format!("{piece}{record}\n")] {
        let source = Source::read("a", &text).unwrap();
        let [Part::Games(games)] = &source.parts[..] else { panic!("games") };
        assert_eq!((games.records.len(), source.pieces), (1, 1), "{text}");
        assert!(page_of(&[("a", &text)]).contains("1 piece of records left out"));
    }
}

#[test]
fn a_last_line_that_is_cut_short_is_left_out_and_said() {
    let text = text_of("soak.jsonl");
    let cut = &text[..text.len() - 9];
    let source = Source::read("soak.jsonl", cut).unwrap();
    assert!(source.is_cut);
    let [Part::Run(run)] = &source.parts[..] else { panic!("one run") };
    let Rows::Soak(rows) = &run.rows else { panic!("a soak") };
    assert_eq!(rows.len(), text.lines().count() - 2);
    assert!(page_of(&[("soak.jsonl", cut)]).contains("the last line is cut short"));
    let end = cut.to_owned() + "\n";
    assert!(Source::read("soak.jsonl", &end).is_err(), "a whole line is not cut");
}

#[test]
fn a_run_without_rows_and_a_match_without_games_are_pages() {
    for run in RUNS {
        check(&page_of(&[("a", &format!("{{\"run\":\"{run}\"}}\n"))]), |document| {
            assert_eq!(texts(document, "h2").len(), 1, "{run}");
        });
    }
    check(&page_of(&[("a", "{\"match\":[\"-game\",\"loa\"]}\n")]), |document| {
        assert_eq!(texts(document, "h2"), ["A match without games yet"]);
    });
}

/// Of a command that was removed, as of one that is yet to come.
#[test]
fn rows_of_a_run_that_is_not_known_are_left_out_and_said() {
    check(&page_of(&[("a", &text_of("spectators.jsonl"))]), |document| {
        assert_eq!(texts(document, "h2"), ["stress spectators"]);
        assert!(texts(document, "p").iter().any(|text| text.starts_with("6 rows left out: ")));
    });
}

#[test]
fn the_style_has_each_colour_of_the_charts() {
    let style = include_str!("page.css");
    let mut chart = chart::Chart::new(
        "all",
        chart::axis::Axis::new("x", chart::axis::Scale::Linear),
        chart::axis::Axis::new("y", chart::axis::Scale::Linear),
    );
    for number in 0..4 {
        let line = chart::Shape::Line(vec![(0.0, 0.0), (1.0, f64::from(number as u8))]);
        chart = chart.with("", chart::Colour::of(number), line);
    }
    let svg = chart.with("", chart::Colour::Mark, chart::Shape::Level(1.0)).svg();
    let strokes: std::collections::HashSet<&str> =
        svg.split("stroke=\"#").skip(1).map(|rest| &rest[..6]).collect();
    assert_eq!(strokes.len(), 7, "five series, the grid and the axes");
    for colour in strokes {
        assert!(style.contains(&format!("svg [stroke=\"#{colour}\"]")), "{colour}");
    }
}

/// Rows of each run, with `#` where a number stands and `%` where one without a fraction does.
const ROWS: [(&str, &str); 10] = [
    ("scale", r#"{"game":"a","threads":%,"trees":%,"speed":#,"games":%,"score":#,"error":#}"#),
    ("stress scale", r#"{"game":"a","threads":%,"speed":#,"blocks":#,"lost_claims":#,"nodes":%}"#),
    (
        "stress scale",
        r#"{"game":"a","threads":%,"trees":%,"speed":#,"blocks":#,"lost_claims":#,"nodes":%,
           "fill":#,"kept":%,"keep_ms":#,"keep_speed":#}"#,
    ),
    (
        "stress deadline",
        r#"{"game":"a","limit":#,"answers":[#,#,#],"overshoots":[#,#],"ready":[#]}"#,
    ),
    ("stress deadline", r#"{"period":#,"beats":[[#,%],[#,%]]}"#),
    (
        "stress soak",
        r#"{"game":"a","seconds":#,"moves":%,"median":#,"slowest":#,"memory":%,"threads":%}"#,
    ),
    ("stress trees", r#"{"seconds":#,"searches":%}"#),
    (
        "tune",
        r#"{"epoch":%,"learned":{"value":#,"moves":#,"first":#},
           "held_out":{"value":#,"moves":#,"first":#}}"#,
    ),
    ("tune", r#"{"game":"a","games":%,"samples":%,"current":{"value":#,"moves":#,"first":#}}"#),
    (
        "",
        r#"{"seed":1,"pair":%,"leg":0,"game":"loa","white":"a","black":"b","opening":[],"moves":
           [{"move":"x","ms":#,"value":#},{"move":"y","ms":#,"cp":-2147483648}],"result":"1-0",
           "cause":"time","reason":""}"#,
    ),
];

/// A row with its run.
fn row() -> impl Strategy<Value = (&'static str, String)> {
    let real = prop_oneof![
        4 => (-10.0..2000.0).prop_map(|value: f64| value.to_string()),
        2 => prop::sample::select(vec!["0", "1", "1e308", "-1e308", "5e-324", "1e15"])
            .prop_map(str::to_owned),
    ];
    let whole = prop_oneof![
        9 => (0..50_u32).prop_map(|value| value.to_string()),
        1 => prop::sample::select(vec!["4294967295", "18446744073709551615"])
            .prop_map(str::to_owned),
    ];
    let numbers = (prop::collection::vec(real, 8), prop::collection::vec(whole, 8));
    (prop::sample::select(ROWS.to_vec()), numbers).prop_map(|((run, row), (reals, wholes))| {
        let row = reals.iter().fold(row.replace('\n', ""), |row, real| row.replacen('#', real, 1));
        (run, wholes.iter().fold(row, |row, whole| row.replacen('%', whole, 1)))
    })
}

/// A line of a file: of one of these kinds, or anything.
fn line() -> impl Strategy<Value = String> {
    let head = prop::sample::select(&RUNS[..]).prop_map(|run| format!("{{\"run\":\"{run}\"}}"));
    prop_oneof![2 => head, 5 => row().prop_map(|(_, row)| row), 1 => ".*"]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_lines_are_a_page_or_an_error(lines in prop::collection::vec(line(), 1..6)) {
        for text in [lines.join("\n"), lines.join("\n") + "\n"] {
            if let Ok(source) = Source::read("a", &text) {
                check(&page(&[source], "alesia-lab", &[32]), |_| {});
            }
        }
    }

    #[test]
    fn any_numbers_are_a_page(rows in prop::collection::vec(row(), 1..12)) {
        let (mut text, mut last) = (String::new(), "");
        for (run, row) in rows {
            // Small whole numbers have no room for the largest.
            let fits = match run {
                "" => read::<GameRecord>("", &row).is_ok(),
                _ => Rows::of(run).add(&row).is_ok(),
            };
            if fits {
                let head = format!("{{\"run\":\"{run}\"}}\n");
                text += if run.is_empty() || run == last { "" } else { &head };
                text += &format!("{row}\n");
                last = run;
            }
        }
        if let Ok(source) = Source::read("a", &text) {
            check(&page(&[source], "alesia-lab", &[32]), |_| {});
        } else {
            prop_assert!(text.is_empty(), "{text}");
        }
    }
}
