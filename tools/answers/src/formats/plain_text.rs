//! The bytes of a text with games as characters and lines.
//!
//! The one idea: a line that is no UTF-8 is in Windows-1252, of which Latin-1 is a part, as old
//! programs write names. A text that says that it is in another set of characters is refused.

use alesia::game::{ParseError, quoted};

/// The characters of Windows-1252 from 0x80 to 0x9F; the others are those of Latin-1.
const FROM_0X80: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The names in SGF's property `CA` of what is read, in lower case.
const READ: [&str; 6] = ["utf-8", "utf8", "us-ascii", "iso-8859-1", "latin1", "windows-1252"];

/// A text of bytes, with `\n` at the end of each line.
///
/// # Errors
/// It says that it is in another set of characters.
pub fn of_bytes(bytes: Vec<u8>) -> Result<String, ParseError> {
    String::from_utf8(bytes).or_else(|error| of_old_program(error.as_bytes())).map(with_line_ends)
}

/// A text of bytes that are no UTF-8 everywhere.
fn of_old_program(bytes: &[u8]) -> Result<String, ParseError> {
    if let Some(name) = character_set(bytes).filter(|name| !READ.contains(&&*name.to_lowercase())) {
        let expected = "UTF-8, ISO-8859-1 or Windows-1252";
        return Err(ParseError::new("CA", quoted(&name), expected));
    }
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for line in bytes.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')) {
        match str::from_utf8(line) {
            Ok(line) => text.push_str(line),
            Err(_) => text.extend(line.iter().map(|&byte| match byte {
                0x80..=0x9F => FROM_0X80[usize::from(byte) - 0x80],
                _ => char::from(byte),
            })),
        }
    }
    Ok(text)
}

/// The value of the property `CA` of a text in SGF.
fn character_set(bytes: &[u8]) -> Option<String> {
    let text = bytes.trim_ascii_start();
    let after = text.strip_prefix(b"(")?.windows(3).position(|part| part == b"CA[")?;
    let value = &text[1 + after + 3..];
    let end = value.iter().position(|&byte| byte == b']')?;
    Some(String::from_utf8_lossy(value[..end].trim_ascii()).into_owned())
}

/// A text with `\n` at the end of each line, whether that was CR, LF or both.
pub fn with_line_ends(text: String) -> String {
    let mut bytes = text.into_bytes();
    let mut is_before_lf = false;
    // Several CR may stand before one LF.
    for byte in bytes.iter_mut().rev() {
        match *byte {
            b'\r' => *byte = if is_before_lf { b' ' } else { b'\n' },
            other => is_before_lf = other == b'\n',
        }
    }
    String::from_utf8(bytes).expect("only ASCII has changed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_sets_of_characters_are_read_line_by_line() {
        let text = |bytes: &[u8]| of_bytes(bytes.to_vec()).unwrap();
        assert_eq!(text("Grünfeld\n".as_bytes()), "Grünfeld\n");
        assert_eq!(text(b"Gr\xfcnfeld\nCaf\xc3\xa9\n\x80 \x96\n"), "Grünfeld\nCafé\n€ –\n");
        assert_eq!(
            text(b"(;GM[9]CA[ISO-8859-1]PB[M\xfcller])"),
            "(;GM[9]CA[ISO-8859-1]PB[Müller])"
        );
        let error = of_bytes(b"(;GM[9]CA[KOI8-R]PB[\xfc])".to_vec()).unwrap_err().to_string();
        assert_eq!(error, "CA: found `KOI8-R`, expected UTF-8, ISO-8859-1 or Windows-1252");
        assert!(of_bytes(b"(;GM[9]CA[KOI8-R]PB[x])".to_vec()).is_ok(), "ASCII");
    }

    #[test]
    fn a_line_may_end_in_cr_lf_or_both() {
        let lines = |text: &str| -> Vec<String> {
            with_line_ends(text.to_owned()).lines().map(|line| line.trim().to_owned()).collect()
        };
        for text in ["a\rb\r\rc", "a\nb\n\nc", "a\r\nb\r\n\r\nc", "a\r\r\nb\r\r\n\r\r\nc"] {
            assert_eq!(lines(text), ["a", "b", "", "c"], "{text:?}");
        }
    }
}
