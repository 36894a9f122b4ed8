//! The record of experiments, `docs/experiments.csv`: a row for each match that measured strength.
//!
//! Columns: the day and the commit that first recorded the result; the game; the commit of the
//! weights and defaults of the program tried, one of `docs/weights.csv`; the change that was
//! tried, its opponent, the setting; games played; Elo with half of its 95 % confidence interval;
//! points in percent (no games, no result); whether it was kept, `n.a.` where there was no choice;
//! the command, or its known part. Elo, error and points are those of the change; unknown fields
//! are empty. Options have the names of their commit: `contender_share` is `max_child_share` today,
//! `prior_quarters` is `policy_power`.

use alesia::games::AnyGame;

const RECORD: &str = include_str!("../../docs/experiments.csv");

const COLUMNS: [&str; 13] = [
    "date", "commit", "game", "weights", "what", "against", "setting", "games", "elo", "error",
    "score", "kept", "command",
];

/// The rows of a text in comma-separated values (RFC 4180); panics where it is none.
fn rows(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut field) = (Vec::new(), Vec::new(), String::new());
    let mut chars = text.chars().peekable();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.next_if_eq(&'"').is_some() => field.push('"'),
            '"' if quoted => {
                quoted = false;
                assert!(matches!(chars.peek(), Some(',' | '\n')), "a quote within {field}");
            }
            '"' => {
                assert!(field.is_empty(), "a quote within {field}");
                quoted = true;
            }
            ',' if !quoted => row.push(std::mem::take(&mut field)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            c => field.push(c),
        }
    }
    assert!(!quoted && field.is_empty() && row.is_empty(), "the last row has no end");
    rows
}

fn is_date(text: &str) -> bool {
    let parts: Vec<_> = text.split('-').collect();
    let [year, month, day] = parts[..] else { return false };
    let digits = |part: &str, n| part.len() == n && part.bytes().all(|b| b.is_ascii_digit());
    digits(year, 4)
        && digits(month, 2)
        && digits(day, 2)
        && ("01"..="12").contains(&month)
        && ("01"..="31").contains(&day)
}

#[test]
fn every_row_has_its_columns_in_their_form() {
    let rows = rows(RECORD);
    assert_eq!(rows[0], COLUMNS);
    assert!(rows.len() > 1);
    let mut last = "";
    for row in &rows[1..] {
        let Ok([date, commit, game, _, what, against, _, games, elo, error, score, kept, _]) =
            <[&str; 13]>::try_from(row.iter().map(String::as_str).collect::<Vec<_>>())
        else {
            panic!("{} columns: {row:?}", row.len());
        };
        let number = |text: &str| text.is_empty() || text.parse().is_ok_and(f64::is_finite);
        assert!(is_date(date) && last <= date, "{row:?}");
        assert!(commit.len() >= 7 && commit.bytes().all(|b| b.is_ascii_hexdigit()), "{row:?}");
        let is_game = ["murus", "hadron", "loa", "voidrider", ""].contains(&game);
        assert!(is_game || game.starts_with("variant:"), "{row:?}");
        assert!(!what.is_empty() && !against.is_empty(), "{row:?}");
        assert!(games.is_empty() || games.parse::<u32>().is_ok(), "{row:?}");
        assert!(number(elo) && number(error) && number(score), "{row:?}");
        let has_result = !elo.is_empty() || !score.is_empty();
        assert!(has_result || games == "0", "no result: {row:?}");
        assert!(error.is_empty() || !elo.is_empty(), "an error of nothing: {row:?}");
        assert!(score.parse().is_ok_and(|s: f64| (0.0..=100.0).contains(&s)) || score.is_empty());
        assert!(["yes", "no", "n.a."].contains(&kept), "{row:?}");
        last = date;
    }
}

/// The weights and defaults that each game has had, the oldest first: docs/weights.csv.
const WEIGHTS: &str = include_str!("../../docs/weights.csv");

/// The games with weights.
const WITH_WEIGHTS: [(&str, &[u8]); 4] = [
    ("murus", include_bytes!("../../src/games/murus/weights.bin")),
    ("hadron", include_bytes!("../../src/games/hadron/weights.bin")),
    ("loa", include_bytes!("../../src/games/loa/weights.bin")),
    ("voidrider", include_bytes!("../../src/games/voidrider/weights.bin")),
];

/// What changes when today's weights of a game or its defaults do.
fn fingerprint(game: &str, weights: &[u8]) -> String {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(weights);
    let defaults = AnyGame::start(game.parse().unwrap()).tuning();
    hasher.update(format!("{defaults:?}").as_bytes());
    format!("{:08x}", hasher.finalize())
}

#[test]
fn the_weights_and_defaults_of_every_game_are_the_last_that_are_listed() {
    let rows = rows(WEIGHTS);
    assert_eq!(rows[0], ["game", "commit", "date", "changed", "fingerprint"]);
    for (game, weights) in WITH_WEIGHTS {
        let of_game = || rows.iter().filter(|row| row[0] == game);
        let last = of_game().next_back().unwrap();
        let found = fingerprint(game, weights);
        assert!(
            last[4] == found,
            "{game}: weights or defaults have changed. If play has, add a row to docs/weights.csv \
             with the fingerprint {found}, and say at the figures that theirs are older; \
             otherwise replace the last fingerprint, {}",
            last[4]
        );
        assert!(of_game().all(|row| is_date(&row[2]) && row[1].len() == 7));
        assert!(of_game().all(|row| ["weights", "defaults"].contains(&&*row[3])), "{game}");
        assert!(of_game().is_sorted_by(|a, b| a[2] <= b[2]), "{game}: not in the order of days");
    }
    assert!(rows[1..].iter().all(|row| WITH_WEIGHTS.iter().any(|(game, _)| row[0] == *game)));
}

#[test]
fn every_row_names_weights_of_its_game() {
    let (listed, tried) = (rows(WEIGHTS), rows(RECORD));
    for row in &tried[1..] {
        let [date, game, weights] = [&row[0], &row[2], &row[3]];
        let known = listed.iter().find(|known| &known[0] == game && &known[1] == weights);
        // Before the first networks, and in the variants, there are none.
        assert!(known.is_some() || weights.is_empty(), "no weights of {game}: {row:?}");
        assert!(known.is_none_or(|known| known[2] <= *date), "weights from the future: {row:?}");
        let first = listed.iter().find(|known| &known[0] == game);
        let must = first.is_some_and(|first| first[2] < *date);
        assert!(known.is_some() || !must, "a program without weights: {row:?}");
    }
}
