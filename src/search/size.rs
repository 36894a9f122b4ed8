//! Amounts of memory as users write them.

use std::fmt;
use std::str::FromStr;

use crate::game::{ParseError, quoted};

/// An amount of memory, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(usize);

impl Size {
    /// This number of bytes.
    pub const fn of(bytes: usize) -> Size {
        Size(bytes)
    }

    /// The number of bytes.
    pub fn bytes(self) -> usize {
        self.0
    }
}

impl FromStr for Size {
    type Err = ParseError;

    /// Reads a whole number with an optional unit in any case: B; K, KB and KiB, of 1024 bytes;
    /// likewise M and G.
    fn from_str(text: &str) -> Result<Size, ParseError> {
        let error = || ParseError::new("size", quoted(text), "a size such as 512MiB, 512M or 1G");
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let number: usize = number.parse().map_err(|_| error())?;
        let shift = match unit.trim_start().to_ascii_lowercase().as_str() {
            "" | "b" => 0,
            "k" | "kb" | "kib" => 10,
            "m" | "mb" | "mib" => 20,
            "g" | "gb" | "gib" => 30,
            _ => return Err(error()),
        };
        number.checked_mul(1 << shift).map(Size).ok_or_else(error)
    }
}

impl fmt::Display for Size {
    /// In the largest unit of which it is a whole number.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.0.trailing_zeros() {
            _ if self.0 == 0 => f.write_str("0"),
            30.. => write!(f, "{}GiB", self.0 >> 30),
            20.. => write!(f, "{}MiB", self.0 >> 20),
            10.. => write!(f, "{}KiB", self.0 >> 10),
            _ => write!(f, "{}", self.0),
        }
    }
}

/// An amount of memory in bytes for people: in MiB, rounded down, from one on.
pub fn readable(bytes: usize) -> String {
    match bytes >> 20 {
        0 => format!("{bytes} bytes"),
        mib => format!("{mib} MiB"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_take_units() {
        let size = |text: &str| text.parse::<Size>().ok().map(|size| size.0);
        assert_eq!(size("4096"), Some(4096));
        assert_eq!(size("64KiB"), Some(65_536));
        assert_eq!(size("3MiB"), Some(3 << 20));
        for gib in ["1 GiB", "1G", "1g", "1GB", "1gb", "1024M", "1024mb"] {
            assert_eq!(size(gib), Some(1 << 30), "{gib}");
        }
        for wrong in ["", "MiB", "12 parsecs", "-1", "1.5GiB", "99999999999999999999", "512mega"] {
            assert_eq!(size(wrong), None, "{wrong}");
        }
        assert_eq!(size(&format!("{}GiB", usize::MAX)), None);
        for text in ["0", "1025", "96KiB", "512MiB", "3GiB"] {
            assert_eq!(text.parse::<Size>().unwrap().to_string(), text);
        }
    }
}
