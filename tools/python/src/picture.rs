//! What a notebook shows of a position and of an analysis: an SVG board, an HTML table.
//!
//! The one idea: the text board and its symbols draw every game, so no game needs code of its own.
//! Colour is never the only signal: White is light with a dark rim, Black dark.

use std::fmt::Write;

use alesia::game::{Game, Side};
use alesia::games::{AnyGame, Drawing};

/// The side of a cell, and the room for the names of rows and columns.
const CELL: usize = 36;
const MARGIN: usize = 24;

const LIGHT: &str = "#fff";
const DARK: &str = "#222";

/// A position as an SVG image.
pub fn board(position: &AnyGame) -> String {
    let (row_names, column_names) = position.labels();
    let (width, height) = (MARGIN + CELL * column_names.len(), CELL * row_names.len() + MARGIN);
    let mut svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" text-anchor="middle" font-family="sans-serif"><title>{}</title><rect width="{width}" height="{height}" fill="{LIGHT}"/>"#,
        escaped(&position.to_string()),
    );
    let rows = position.rows().to_string();
    for (row, cells) in rows.split('/').enumerate() {
        for (column, character) in cells.chars().enumerate() {
            cell(&mut svg, position.drawing(character), character, [row, column]);
        }
    }
    for (row, name) in row_names.iter().enumerate() {
        text(&mut svg, [MARGIN / 2, row * CELL + CELL / 2], 13, DARK, name);
    }
    for (column, name) in column_names.iter().enumerate() {
        let x = MARGIN + column * CELL + CELL / 2;
        text(&mut svg, [x, height - MARGIN / 2], 13, DARK, name);
    }
    svg.push_str("</svg>");
    svg
}

/// A cell with what stands on it.
fn cell(svg: &mut String, drawing: Drawing, character: char, [row, column]: [usize; 2]) {
    let (x, y) = (MARGIN + column * CELL, row * CELL);
    let fill = match drawing {
        Drawing::Void => "#777",
        _ if (row + column) % 2 == 0 => "#f3ead7",
        _ => "#e2d2b0",
    };
    // Writing to a string cannot fail.
    let _ = write!(
        svg,
        r##"<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{fill}" stroke="#b9a77c"/>"##
    );
    let Drawing::Piece(side, symbol) = drawing else { return };
    let [body, mark] = if side == Side::White { [LIGHT, DARK] } else { [DARK, LIGHT] };
    let centre = [x + CELL / 2, y + CELL / 2];
    let mut disc = |radius: usize, fill: &str, rim: &str| {
        let [x, y] = centre;
        let _ = write!(
            svg,
            r#"<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="{rim}" stroke-width="2"/>"#
        );
    };
    match symbol {
        '○' | '●' => disc(13, body, DARK),
        '◎' | '◉' => {
            disc(15, body, DARK);
            disc(7, body, mark);
        }
        // A piece without a symbol of its own.
        _ if symbol == character => {
            disc(15, body, DARK);
            text(svg, centre, 18, mark, &symbol.to_string());
        }
        // With the selector that asks for a letter and no coloured picture.
        _ => text(svg, centre, 30, DARK, &format!("{symbol}\u{fe0e}")),
    }
}

/// Text around a point.
fn text(svg: &mut String, [x, y]: [usize; 2], size: usize, fill: &str, text: &str) {
    let _ = write!(
        svg,
        r#"<text x="{x}" y="{y}" dy=".35em" font-size="{size}" fill="{fill}">{}</text>"#,
        escaped(text)
    );
}

/// A table of HTML: a caption, the heads of the columns, and the rows.
pub fn table<const COLUMNS: usize>(
    caption: &str,
    heads: [&str; COLUMNS],
    rows: impl Iterator<Item = [String; COLUMNS]>,
) -> String {
    let line = |tag: &str, cells: [&str; COLUMNS]| {
        let cells = cells.map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell)));
        format!("<tr>{}</tr>", cells.concat())
    };
    let body: String = rows.map(|row| line("td", row.each_ref().map(String::as_str))).collect();
    format!(
        "<table><caption>{}</caption><thead>{}</thead><tbody>{body}</tbody></table>",
        escaped(caption),
        line("th", heads),
    )
}

/// A text inside of SVG or HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
