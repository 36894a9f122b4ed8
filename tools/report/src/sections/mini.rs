//! Drawings of a line's height: a value with its error, and the values along a game.

use std::fmt::Write;

use maud::{Markup, PreEscaped};

/// A share of the points, 0 to 1, with its error, on a line from 0 to 1 with a mark at one half.
pub fn share(value: f64, error: Option<f64>) -> Markup {
    let at = |value: f64| 6.0 + 188.0 * if value.is_nan() { 0.5 } else { value.clamp(0.0, 1.0) };
    let mut svg = String::from(
        r##"<svg viewBox="0 0 200 18" role="img" aria-hidden="true"><line x1="6" x2="194" y1="9" y2="9" stroke="#DCD5C6" stroke-width="1"/><line x1="100" x2="100" y1="1" y2="17" stroke="#8F8470" stroke-width="1.5"/>"##,
    );
    // Writing to a string cannot fail.
    if let Some(error) = error {
        let (low, high) = (at(value - error), at(value + error));
        let _ = write!(
            svg,
            r##"<line x1="{low:.1}" x2="{high:.1}" y1="9" y2="9" stroke="#0072B2" stroke-width="3"/>"##
        );
    }
    let _ = write!(svg, r##"<circle cx="{:.1}" cy="9" r="5" fill="#0072B2"/></svg>"##, at(value));
    PreEscaped(svg)
}

/// White's expected result by ply, of each player a line; `length` plies are the whole width.
pub fn values(lines: &[Vec<(usize, f64)>; 2], length: usize) -> Markup {
    let x = |ply: usize| 160.0 * ply as f64 / length.max(1) as f64;
    let y = |value: f64| 4.0 + 52.0 * (1.0 - value.clamp(0.0, 1.0));
    let mut svg = String::from(
        r##"<svg viewBox="0 0 160 60" aria-hidden="true"><line x1="0" x2="160" y1="30" y2="30" stroke="#8F8470" stroke-width="1"/>"##,
    );
    for (line, colour) in lines.iter().zip(["#0072B2", "#C85000"]) {
        if let [(ply, value)] = line[..] {
            let (x, y) = (x(ply), y(value));
            let _ = write!(svg, r#"<circle cx="{x:.1}" cy="{y:.1}" r="2" fill="{colour}"/>"#);
        } else if !line.is_empty() {
            let points: Vec<String> =
                line.iter().map(|&(ply, value)| format!("{:.0},{:.0}", x(ply), y(value))).collect();
            let points = points.join(" ");
            let _ = write!(svg, r#"<polyline fill="none" stroke="{colour}" points="{points}"/>"#);
        }
    }
    svg.push_str("</svg>");
    PreEscaped(svg)
}
