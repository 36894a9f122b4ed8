//! Days of the calendar, for records of games.
//!
//! The one idea: a day in universal time, so that the same game has the same date wherever it is
//! looked at. No time zones, no leap seconds.

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::game::{ParseError, quoted};

/// Seconds of a day.
const DAY: u64 = 86_400;

/// Days of a month, from January, in a year that is no leap year.
const MONTHS: [u64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/// A day, shown as `2026-11-27`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// The current day in universal time, by the system's clock.
    pub fn today() -> Date {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Date::of_day(since.as_secs() / DAY)
    }

    /// The day this many days after 1 January 1970, in a year up to 9999.
    fn of_day(mut days: u64) -> Date {
        let mut year = 1970;
        while year < 9999 && days >= days_of(year).iter().sum() {
            days -= days_of(year).iter().sum::<u64>();
            year += 1;
        }
        let mut month = 1;
        for length in days_of(year) {
            if days < length || month == 12 {
                break;
            }
            days -= length;
            month += 1;
        }
        Date { year, month, day: days.min(30) as u8 + 1 }
    }
}

/// The days of each month of a year.
fn days_of(year: u16) -> [u64; 12] {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut months = MONTHS;
    months[1] += u64::from(is_leap);
    months
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl FromStr for Date {
    type Err = ParseError;

    /// Year, month and day with `-` between them, or `.` as in PGN.
    fn from_str(text: &str) -> Result<Date, ParseError> {
        let date = || {
            let mut parts = text.split(['-', '.']);
            let mut part = |digits: usize| {
                let part = parts.next()?;
                let plain = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
                plain.then(|| part.parse::<u16>().ok()).flatten()
            };
            let (year, month, day) = (part(4)?, part(2)?, part(2)?);
            let longest = *days_of(year).get(usize::from(month.checked_sub(1)?))?;
            let is_day = (1..=longest).contains(&u64::from(day)) && parts.next().is_none();
            is_day.then_some(Date { year, month: month as u8, day: day as u8 })
        };
        date().ok_or_else(|| ParseError::new("date", quoted(text), "a day such as 2026-11-27"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_since_1970_are_those_of_the_calendar() {
        for (days, date) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (789, "1972-02-29"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_784, "2026-11-27"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
            (u64::MAX / DAY, "9999-12-31"),
        ] {
            assert_eq!(Date::of_day(days).to_string(), date, "{days}");
        }
    }

    #[test]
    fn a_date_is_read_as_it_is_shown_and_as_pgn_has_it() {
        let date = Date::of_day(20_784);
        assert_eq!(date.to_string().parse(), Ok(date));
        assert_eq!("2026.11.27".parse(), Ok(date));
    }

    #[test]
    fn what_is_no_day_is_refused() {
        for text in [
            "",
            "2026",
            "2026-13-01",
            "2026-00-01",
            "2026-02-29",
            "2026-11-27-1",
            "????.??.??",
            "26-1-1",
        ] {
            let error = text.parse::<Date>().unwrap_err().to_string();
            assert!(error.ends_with("expected a day such as 2026-11-27"), "{error}");
        }
    }
}
