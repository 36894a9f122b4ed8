//! Long options with one dash, as match runners and the courses' servers have them.
//!
//! The one idea: before a command line is parsed, each word that is a known long option with one
//! dash gets its second, so every option may be typed either way.

use std::ffi::OsString;

/// The word with two dashes, if it is a long option (with or without `=VALUE`) that has one.
pub fn two_dashes(word: OsString, is_long: impl Fn(&str) -> bool) -> OsString {
    let name = word.to_str().and_then(|text| text.strip_prefix('-'));
    let name = name.map(|text| text.split_once('=').map_or(text, |(name, _)| name));
    if !name.is_some_and(is_long) {
        return word;
    }
    let mut turned = OsString::from("-");
    turned.push(word);
    turned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_one_dash_or_two() {
        let long = |name: &str| ["game", "tt"].contains(&name);
        for (word, expected) in [
            ("-game", "--game"),
            ("-tt=500", "--tt=500"),
            ("--game", "--game"),
            ("-ttt", "-ttt"),
            ("-p", "-p"),
            ("-1.5", "-1.5"),
            ("-", "-"),
            ("game", "game"),
        ] {
            assert_eq!(two_dashes(word.into(), long).to_str(), Some(expected));
        }
    }
}
