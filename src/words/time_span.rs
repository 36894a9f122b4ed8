//! Times as users write them.
//!
//! The one idea: a number without a unit is what the option has always taken, milliseconds or
//! seconds; with a unit, `850ms`, `1.5s` or `2min` mean the same everywhere.

use std::ops::RangeInclusive;
use std::time::Duration;

use crate::game::{ParseError, quoted};

/// Reads a time; a bare number is in milliseconds.
///
/// # Errors
/// It is no time, or has a fraction of a millisecond.
pub fn milliseconds(text: &str) -> Result<u64, ParseError> {
    let expected = "a time such as 850, 850ms or 1.5s";
    span(text, 1).ok_or_else(|| ParseError::new("time", quoted(text), expected))
}

/// Reads a time of at least a millisecond; a bare number is in milliseconds.
///
/// # Errors
/// It is no time, has a fraction of a millisecond, or is 0.
pub fn some_milliseconds(text: &str) -> Result<u64, ParseError> {
    match milliseconds(text)? {
        0 => Err(ParseError::new("time", quoted(text), "a time from 1ms")),
        time => Ok(time),
    }
}

/// Reads a time within limits in milliseconds, in which a bare number is too.
///
/// # Errors
/// It is no time, has a fraction of a millisecond, or is beyond the limits.
pub fn milliseconds_in(text: &str, limits: RangeInclusive<u64>) -> Result<u64, ParseError> {
    let time = milliseconds(text)?;
    if limits.contains(&time) {
        return Ok(time);
    }
    let expected = format!("a time from {}ms to {}ms", limits.start(), limits.end());
    Err(ParseError::new("time", quoted(text), expected))
}

/// Reads a time; a bare number is in seconds.
///
/// # Errors
/// It is no time, or has a fraction of a millisecond.
pub fn seconds(text: &str) -> Result<Duration, ParseError> {
    let expected = "a time such as 30, 30s or 500ms";
    let span = span(text, 1000).map(Duration::from_millis);
    span.ok_or_else(|| ParseError::new("time", quoted(text), expected))
}

/// A time in milliseconds, where a bare number counts units of `unit_ms`.
fn span(text: &str, unit_ms: u64) -> Option<u64> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let unit_ms = match unit.trim_start().to_ascii_lowercase().as_str() {
        "" => unit_ms,
        "ms" => 1,
        "s" => 1000,
        "min" => 60_000,
        _ => return None,
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let fraction = fraction.trim_end_matches('0');
    // At most as many digits as a millisecond has in the unit, so nothing is rounded.
    let scale = 10_u64.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let fraction = if fraction.is_empty() { 0 } else { fraction.parse::<u64>().ok()? };
    let part = fraction.checked_mul(unit_ms)?;
    let whole = whole.parse::<u64>().ok()?.checked_mul(unit_ms)?;
    (part % scale == 0).then(|| whole.checked_add(part / scale))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_take_units() {
        for (text, expected) in [
            ("0", 0),
            ("850", 850),
            ("850ms", 850),
            ("850 MS", 850),
            ("1s", 1000),
            ("1.5s", 1500),
            ("0.85s", 850),
            ("1.250s", 1250),
            ("2min", 120_000),
            ("0.5min", 30_000),
        ] {
            assert_eq!(milliseconds(text).ok(), Some(expected), "{text}");
        }
        assert_eq!(seconds("30").unwrap(), Duration::from_secs(30));
        assert_eq!(seconds("0.5").unwrap(), seconds("500ms").unwrap());
        assert_eq!(some_milliseconds("1").unwrap(), 1);
        assert_eq!(milliseconds_in("1s", 10..=1000).unwrap(), 1000);
        let error = milliseconds_in("2s", 10..=1000).unwrap_err().to_string();
        assert_eq!(error, "time: found `2s`, expected a time from 10ms to 1000ms");
        assert!(some_milliseconds("0s").unwrap_err().to_string().contains("from 1ms"));
    }

    #[test]
    fn rejects_bad_times() {
        let large = format!("{}s", u64::MAX);
        for text in ["", "s", "-1", "1.5", "1.2345s", "1..5s", ".5s", "1h", "soon", "1e3", &large] {
            let error = milliseconds(text).unwrap_err().to_string();
            assert!(error.starts_with("time: found "), "{text}: {error}");
        }
    }
}
