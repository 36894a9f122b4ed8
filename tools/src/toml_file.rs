//! The lab's own files in TOML: read as a whole, with errors in one line.

use alesia::game::{ParseError, quoted};
use serde::de::DeserializeOwned;

/// Reads a text; `place` says in errors where it is from, `what` what it should be.
///
/// # Errors
/// The first line that is unusable.
pub fn read<T: DeserializeOwned>(text: &str, place: &str, what: &str) -> Result<T, ParseError> {
    toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let line = text[..start.min(text.len())].matches('\n').count();
        let found = quoted(text.lines().nth(line).unwrap_or_default());
        let reason = error.message().replace('\n', " ");
        ParseError::new(format!("{place}, line {}", line + 1), found, format!("{what} ({reason})"))
    })
}
