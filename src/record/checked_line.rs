//! Objects as lines of JSON that know whether they were changed.
//!
//! The one idea: the last field of a line is a checksum of all before it, which other readers
//! ignore.

use serde::{Deserialize, Serialize};

use crate::game::{ParseError, quoted};

/// Before and after the checksum, which is the last field of a line.
const CHECKSUM: [&str; 2] = [",\"crc32\":\"", "\"}"];

/// Digits of a checksum.
const CHECKSUM_DIGITS: usize = 8;

/// An object as a line of JSON with its end and a checksum of all before it, a field that other
/// readers ignore.
pub fn json_line(value: &impl Serialize) -> String {
    let mut line = serde_json::to_string(value).expect("plain data has a form in JSON");
    let sum = crc32fast::hash(line.as_bytes());
    if line.pop() == Some('}') {
        let [before, after] = CHECKSUM;
        line.push_str(&format!("{before}{sum:0CHECKSUM_DIGITS$x}{after}"));
    }
    line.push('\n');
    line
}

/// Reads a line of JSON, with or without a checksum.
///
/// # Errors
/// It is not what `what` says, or it was changed; `place` says where it stands.
pub fn read_as<T: for<'a> Deserialize<'a>>(
    place: &str,
    line: &str,
    what: &str,
) -> Result<T, ParseError> {
    let value = serde_json::from_str(line).map_err(|error| {
        let expected = format!("{what} ({error})");
        ParseError::new(place, quoted(line), expected)
    })?;
    let Some((text, sum)) = split_checksum(line) else { return Ok(value) };
    let own = format!("{:0CHECKSUM_DIGITS$x}", crc32fast::hash(format!("{text}}}").as_bytes()));
    if own == sum {
        return Ok(value);
    }
    let expected = format!("{own}, as of what was written, or no crc32");
    Err(ParseError::new(format!("{place}, crc32"), quoted(sum), expected))
}

/// A line without its checksum and its last brace, and the checksum.
fn split_checksum(line: &str) -> Option<(&str, &str)> {
    let [before, after] = CHECKSUM;
    let line = line.trim_end().strip_suffix(after)?;
    let (line, sum) = line.split_at_checked(line.len().checked_sub(CHECKSUM_DIGITS)?)?;
    Some((line.strip_suffix(before)?, sum))
}
