//! What may stand at the end of a file of lines, whose writer was killed or whose disk was full.

use std::io;

/// Bytes that are looked at first.
const STEP: u64 = 4096;

/// Whether a line of JSON is whole: all that was opened in it is closed.
pub fn is_whole(line: &[u8]) -> bool {
    let (mut open, mut in_text, mut escaped) = (0_u32, false, false);
    for &byte in line {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'{' | b'[' if !in_text => open += 1,
            b'}' | b']' if !in_text => open = open.saturating_sub(1),
            _ => {}
        }
    }
    open == 0 && !in_text
}

/// What a file needs before a line is added, as its last bytes, which have no line end, say: their
/// writer was killed, or the disk was full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastLine {
    /// It only lacks its end.
    LacksEnd,
    /// It is a piece of a record, which nobody can read.
    IsCut,
}

impl LastLine {
    /// Of these bytes after the last line end; none if there are none.
    pub fn of(bytes: &[u8]) -> Option<LastLine> {
        let begins_record = *bytes.first()? == b'{';
        // What a loss of power has taken reads as zeros, which no text has.
        let is_cut = begins_record && !is_whole(bytes) || bytes.contains(&0);
        Some(if is_cut { LastLine::IsCut } else { LastLine::LacksEnd })
    }
}

/// The bytes after the last line end of a file of this length, and where they begin; `read` returns
/// those from an offset on.
///
/// # Errors
/// Those of `read`.
pub fn last_line(
    length: u64,
    mut read: impl FnMut(u64) -> io::Result<Vec<u8>>,
) -> io::Result<(u64, Vec<u8>)> {
    let (mut bytes, mut from) = (Vec::new(), length);
    // From the end, ever more of it, until there is a line end.
    while from > 0 && !bytes.contains(&b'\n') {
        from = from.saturating_sub(STEP.max(length - from));
        bytes = read(from)?;
    }
    let start = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    bytes.drain(..start);
    Ok((from + start as u64, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_of_a_record_is_told_from_a_line_without_its_end() {
        for (bytes, expected) in [
            ("", None),
            ("{\"seed\":0,\"moves\":[]}", Some(LastLine::LacksEnd)),
            ("{\"seed\":0,\"moves\":[{\"move\":\"A1\"}", Some(LastLine::IsCut)),
            ("{\"white\":\"}", Some(LastLine::IsCut)),
            ("{\"white\":\"\\\"}\"", Some(LastLine::IsCut)),
            ("{\"white\":\"\\\\\"}", Some(LastLine::LacksEnd)),
            ("{", Some(LastLine::IsCut)),
            ("{\"seed\":0}\0\0", Some(LastLine::IsCut)),
            ("\0\0", Some(LastLine::IsCut)),
            ("1. A1 {a comment", Some(LastLine::LacksEnd)),
        ] {
            assert_eq!(LastLine::of(bytes.as_bytes()), expected, "{bytes}");
        }
    }
}
