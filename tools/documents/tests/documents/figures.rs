//! Figures of strength name the weights that played, and say so where these are older than today's.
//!
//! The one idea: a table whose last column is `weights` says for each game which commit of
//! `docs/weights.csv` its figures are of; the last line of a game in that file is today's.

use std::fs;

use alesia_documents::root;

/// The documents with tables of strength, and how many each has; in the relazione the column is
/// `pesi`.
const TABLES: [(&str, usize); 5] = [
    ("README.md", 1),
    ("docs/results.md", 2),
    ("docs/course/report.md", 1),
    ("docs/course/relazione.it.md", 1),
    ("docs/board.md", 1),
];

/// How rows of the games begin in the documents.
const GAMES: [(&str, &str); 5] = [
    ("Murus Gallicus", "murus"),
    ("Hadron", "hadron"),
    ("Lines of Action", "loa"),
    ("Voidrider Chess", "voidrider"),
    ("Il cavaliere del vuoto", "voidrider"),
];

/// What is said of weights that are not today's.
const OLDER: [&str; 2] = ["older than today's", "più vecchi di quelli di oggi"];

/// The commits of the weights of a game, the oldest first.
fn history<'a>(list: &'a str, game: &str) -> Vec<&'a str> {
    let fields = list.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    fields.filter(|fields| fields[0] == game).map(|fields| fields[1]).collect()
}

/// The cells of a line of a table.
fn cells(line: &str) -> Vec<&str> {
    line.trim().trim_matches('|').split('|').map(str::trim).collect()
}

/// The tables of weights in a text, and what is wrong in them.
fn faults(text: &str, list: &str) -> (usize, Vec<String>) {
    let (mut tables, mut found) = (0, Vec::new());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if !line.starts_with('|') || !["weights", "pesi"].contains(cells(line).last().unwrap()) {
            continue;
        }
        tables += 1;
        for row in lines.by_ref().skip(1).take_while(|line| line.starts_with('|')) {
            found.extend(fault(&cells(row), list));
        }
    }
    (tables, found)
}

/// What is wrong in a row: the game first, the weights last.
fn fault(row: &[&str], list: &str) -> Option<String> {
    let (name, cell) = (row[0], *row.last()?);
    let Some((_, game)) = GAMES.iter().find(|(known, _)| name.starts_with(known)) else {
        return Some(format!("{name}: no game"));
    };
    let history = history(list, game);
    let commit = cell.split('`').nth(1).unwrap_or_default();
    if !history.contains(&commit) {
        return Some(format!("{name}: found {cell}, expected weights of docs/weights.csv"));
    }
    let says_older = OLDER.iter().any(|words| cell.ends_with(words));
    let is_older = history.last() != Some(&commit);
    match (is_older, says_older) {
        (true, false) => Some(format!("{name}: {commit} is \"{}\"", OLDER[0])),
        (false, true) => Some(format!("{name}: {commit} are today's weights")),
        _ => None,
    }
}

#[test]
fn figures_of_strength_say_where_their_weights_are_older_than_todays() {
    let read = |file: &str| fs::read_to_string(root().join(file)).unwrap();
    let list = read("docs/weights.csv");
    for (file, expected) in TABLES {
        let (tables, found) = faults(&read(file), &list);
        assert!(found.is_empty(), "{file}: {found:#?}");
        assert_eq!(tables, expected, "{file}: tables with a column of weights");
    }
}

#[test]
fn an_older_figure_that_is_quoted_as_todays_is_found() {
    let list = "game,commit,date,changed,fingerprint\nloa,aaaaaaa,2026-01-01,weights,\n\
                hadron,ccccccc,2026-01-02,weights,\nloa,bbbbbbb,2026-01-03,weights,\n";
    let of = |cell: &str| {
        let text = format!("| game | weights |\n|---|---|\n| Lines of Action | {cell} |\n\nEnd.\n");
        faults(&text, list).1.join("\n")
    };
    assert_eq!(of("`bbbbbbb`"), "");
    assert_eq!(of("`aaaaaaa`, older than today's"), "");
    assert!(of("`aaaaaaa`").contains("older than today's"));
    assert!(of("`bbbbbbb`, older than today's").contains("are today's weights"));
    assert!(of("`ccccccc`").contains("expected weights"), "those of another game");
    assert!(of("").contains("expected weights"));
}
