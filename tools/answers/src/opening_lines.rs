//! Lines of files with positions: a text board, moves, or both.

use std::borrow::Cow;

/// Whether a line is a comment; a board may begin with `#` too, but has a `/` before the first
/// blank.
pub fn is_comment(line: &str) -> bool {
    line.starts_with('#') && !line.split_whitespace().next().is_some_and(|word| word.contains('/'))
}

/// A line of a file as a board and moves. Rows of a text board are joined by `/`, which no move
/// contains.
pub fn split(text: &str) -> (Option<Cow<'_, str>>, &str) {
    if let Some(board) = of_epd(text) {
        return (Some(Cow::Owned(board)), "");
    }
    match text.split_once(" moves ") {
        Some((board, moves)) => (Some(Cow::Borrowed(board)), moves),
        None if text.contains('/') => (Some(Cow::Borrowed(text)), ""),
        None => (None, text),
    }
}

/// The board of a line in Extended Position Description (S. J. Edwards, 1994): four fields, then
/// operations such as `hmvc 0; id "x";`. Of these only the numbers of the position are read.
fn of_epd(text: &str) -> Option<String> {
    let mut rest = text;
    let fields = [(); 4].map(|()| {
        let (field, after) = rest.trim_start().split_once(' ').unwrap_or((rest, ""));
        rest = after;
        field
    });
    let is_operation = |text: &str| text.starts_with(char::is_alphabetic);
    let is_position = fields[0].contains('/') && matches!(fields[1], "w" | "b");
    if !is_position || fields[3] == "moves" || fields[2] == "moves" {
        return None;
    }
    let operations = rest.trim_start();
    if !is_operation(operations) || operations.starts_with("moves ") {
        return None;
    }
    let operand = |name: &str| {
        let mut operations = operations.split(';').map(str::trim_start);
        operations.find_map(|text| text.strip_prefix(name)?.strip_prefix(' ').map(str::trim))
    };
    let numbers = [operand("hmvc").unwrap_or("0"), operand("fmvn").unwrap_or("1")];
    Some([&fields[..], &numbers].concat().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_may_be_boards_moves_both_or_epd() {
        let rows = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        for (text, board, moves) in [
            ("A1 B2", None, "A1 B2"),
            ("../.. w 0", Some("../.. w 0".to_owned()), ""),
            ("../.. w 0 moves A1 B2", Some("../.. w 0".to_owned()), "A1 B2"),
            (rows, Some(rows.to_owned()), ""),
            (&format!("{rows} 3 12"), Some(format!("{rows} 3 12")), ""),
            (&format!("{rows} moves e2e4"), Some(rows.to_owned()), "e2e4"),
            (&format!("{rows} 3 12 moves e2e4"), Some(format!("{rows} 3 12")), "e2e4"),
            (&format!("{rows} hmvc 3; fmvn 12;"), Some(format!("{rows} 3 12")), ""),
            (
                &format!("{rows} bm e4; id \"all moves / w\"; fmvn 7;"),
                Some(format!("{rows} 0 7")),
                "",
            ),
        ] {
            let found = split(text);
            assert_eq!((found.0.map(Cow::into_owned), found.1), (board, moves), "{text}");
        }
    }
}
