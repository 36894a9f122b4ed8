//! The languages of the rules for people.

use crate::game::named::named;

named! {
    /// A language of the rules.
    pub enum Language ("language", code) {
        /// English.
        English = "en",
        /// Italian, the language of the courses.
        Italian = "it",
    }
}

impl Language {
    /// The name, in the language itself.
    pub fn name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::Italian => "italiano",
        }
    }

    /// The language of a locale such as `it_IT.UTF-8`; English for all that have no rules.
    pub fn of_locale(locale: &str) -> Language {
        let code = locale.split(['_', '.', '-', '@']).next().unwrap_or_default();
        let known = Language::ALL.into_iter().find(|known| known.code().eq_ignore_ascii_case(code));
        known.unwrap_or(Language::English)
    }

    /// The words that begin the caption of a diagram that shows a position after moves: of the
    /// block's first diagram, and of the diagram before.
    pub(super) fn captions(self) -> [&'static str; 2] {
        match self {
            Language::English => ["after", "then"],
            Language::Italian => ["dopo", "poi"],
        }
    }

    /// The words in bold before the goal of a game.
    pub(super) fn goal(self) -> &'static str {
        match self {
            Language::English => "Goal:",
            Language::Italian => "Scopo:",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_names_its_language() {
        for (locale, language) in [
            ("it_IT.UTF-8", Language::Italian),
            ("it", Language::Italian),
            ("IT-ch", Language::Italian),
            ("en_GB.UTF-8", Language::English),
            ("de_DE@euro", Language::English),
            ("C", Language::English),
            ("italic", Language::English),
            ("", Language::English),
        ] {
            assert_eq!(Language::of_locale(locale), language, "{locale}");
        }
    }

    #[test]
    fn a_code_is_read_back() {
        for language in Language::ALL {
            assert_eq!(language.code().parse(), Ok(language));
        }
        let error = "fr".parse::<Language>().unwrap_err();
        assert_eq!(error.to_string(), "language: found `fr`, expected en or it");
    }
}
