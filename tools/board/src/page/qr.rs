//! A link as a QR code, so that a phone can follow it.

use std::fmt::Write;

use axum::extract::Query;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use qrcode::{Color, QrCode};
use serde::Deserialize;

use crate::door::failure::Failure;

/// Max bytes of a link.
const LONGEST: usize = 300;

/// The light border that readers need, in modules.
const BORDER: usize = 4;

/// What will be drawn.
#[derive(Deserialize)]
pub struct Link {
    text: String,
}

/// `GET /api/qr?text=LINK`: the code as an SVG drawing.
pub async fn code(Query(Link { text }): Query<Link>) -> Result<impl IntoResponse, Failure> {
    if text.len() > LONGEST {
        let expected = format!("at most {LONGEST}");
        return Err(Failure::unreadable(format!("text: found more bytes, expected {expected}")));
    }
    let code = QrCode::new(&text).map_err(|error| Failure::unreadable(error.to_string()))?;
    Ok(([(CONTENT_TYPE, "image/svg+xml")], drawing(&code)))
}

/// Dark on light in every theme, as readers expect.
fn drawing(code: &QrCode) -> String {
    let width = code.width();
    let mut path = String::new();
    for (place, _) in
        code.to_colors().iter().enumerate().filter(|(_, color)| **color == Color::Dark)
    {
        let (x, y) = (place % width + BORDER, place / width + BORDER);
        let _ = write!(path, "M{x} {y}h1v1h-1z");
    }
    let size = width + 2 * BORDER;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" \
         shape-rendering=\"crispEdges\"><rect width=\"{size}\" height=\"{size}\" fill=\"#fff\"/>\
         <path d=\"{path}\" fill=\"#000\"/></svg>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_drawing_has_every_dark_module_and_a_border() {
        let code = QrCode::new("http://10.0.0.1:8910/game/abc").unwrap();
        let dark = code.to_colors().iter().filter(|color| **color == Color::Dark).count();
        let text = drawing(&code);
        assert_eq!(text.matches("h1v1h-1z").count(), dark);
        // The corner of a finder pattern is dark, and nothing is nearer to the edge.
        assert!(text.contains("M4 4h1") && !text.contains("M3 "));
        let size = code.width() + 8;
        assert!(text.contains(&format!("viewBox=\"0 0 {size} {size}\"")));
    }
}
