//! The variants that a program has: those of the built-in file, and those it has opened.
//!
//! The one idea: a variant is known by a number for as long as the program runs, so that it can be
//! copied and compared like the setup of any other game. The same file with the same text is
//! compiled only once.

use std::io::Read;
use std::path::Path;
use std::sync::{LazyLock, PoisonError, RwLock};

use super::play::playable;
use super::play::rules::Rules;
use super::read::definition::Definition;
use super::read::ini::{self, Section, Sections};
use super::read::words::near;
use super::sheet::Sheet;
use crate::game::{ParseError, plain_file, quoted};
use crate::games::{Origin, Setup};

/// The built-in file.
const BUILT_IN: &str = include_str!("variants.ini");
/// Its name in errors.
const BUILT_IN_FILE: &str = "the built-in variants.ini";
/// How many variants it has.
pub const BUILT_IN_COUNT: usize = 18;

/// Max length of a file of definitions in bytes.
const MAX_FILE: u64 = 1 << 20;

/// A variant of this program, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen(u16);

/// A variant that has been opened.
struct Opened {
    /// `FILE.ini:NAME`.
    name: String,
    text: String,
    rules: &'static Rules,
    /// Its place among the variants of its text, once all of them are open.
    place: Option<usize>,
}

static SECTIONS: LazyLock<Vec<Section>> =
    LazyLock::new(|| ini::read(BUILT_IN_FILE, BUILT_IN, &[]).sections);

static COMPILED: LazyLock<Vec<Rules>> = LazyLock::new(|| {
    let rules = read(BUILT_IN_FILE, BUILT_IN);
    rules.unwrap_or_else(|error| panic!("{error}"))
});

static OPENED: RwLock<Vec<Opened>> = RwLock::new(Vec::new());

/// What a text of definitions has, section by section.
struct Compiled {
    /// The name of each section with its rules, or with what is wrong in it.
    sections: Vec<(String, Result<Rules, Vec<ParseError>>)>,
    /// What is wrong outside of them.
    errors: Vec<ParseError>,
}

/// Compiles the sections of a text, and looks at their start positions.
fn compile(file: &str, text: &str, known: &[Section]) -> Compiled {
    let Sections { sections, errors } = ini::read(file, text, known);
    let mut compiled: Vec<(String, Result<Rules, Vec<ParseError>>)> = Vec::new();
    for section in &sections {
        let is_wrong =
            |parent: &String| compiled.iter().any(|(name, rules)| name == parent && rules.is_err());
        let rules = match section.parent.as_ref().filter(|parent| is_wrong(parent)) {
            None => playable::rules(section),
            Some(parent) => {
                let expected = "a parent in which nothing is wrong";
                Err(vec![section.place.error("section", quoted(parent), expected)])
            }
        };
        compiled.push((section.name.clone(), rules));
    }
    Compiled { sections: compiled, errors }
}

impl Compiled {
    /// The rules of all sections, or the first thing that is wrong.
    fn all(self) -> Result<Vec<Rules>, ParseError> {
        match self.errors.into_iter().next() {
            Some(error) => Err(error),
            None => self.sections.into_iter().map(|(_, rules)| rules.map_err(first)).collect(),
        }
    }
}

/// The first of several errors.
fn first(errors: Vec<ParseError>) -> ParseError {
    errors.into_iter().next().expect("a section that is wrong has an error")
}

/// Reads and compiles every variant of a text; `file` names it in errors. A parent may also be a
/// built-in variant.
///
/// # Errors
/// The first thing that is wrong, as `FILE:LINE: KEY: found …, expected …`.
pub fn read(file: &str, text: &str) -> Result<Vec<Rules>, ParseError> {
    compile(file, text, known_sections(file)).all()
}

/// The sections that may be parents in every file but the one that they are in.
fn known_sections(file: &str) -> &'static [Section] {
    if file == BUILT_IN_FILE { &[] } else { &SECTIONS }
}

/// What a text says of its variants, of which none is kept.
///
/// # Errors
/// [`read`] refuses the text.
pub fn sheets(file: &str, text: &str) -> Result<Vec<Sheet>, ParseError> {
    Ok(read(file, text)?.iter().map(Sheet::of).collect())
}

/// The text of a file.
///
/// # Errors
/// It cannot be read, or is too long.
fn text_of(file: &str) -> Result<String, ParseError> {
    let unreadable = |found: String| ParseError::new(file, found, "a readable file of definitions");
    let mut bytes = Vec::new();
    plain_file::open(Path::new(file))
        .and_then(|file| file.take(MAX_FILE + 1).read_to_end(&mut bytes))
        .map_err(|error| unreadable(error.to_string()))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(unreadable(format!("more than {MAX_FILE} bytes")));
    }
    String::from_utf8(bytes).map_err(|_| unreadable("text that is not UTF-8".to_owned()))
}

/// Opens every variant of a text that is right, as [`load`] does, whatever is wrong in the others;
/// and all that is wrong, in the order of the sections.
///
/// # Errors
/// There are too many variants.
fn load_right(file: &str, text: &str) -> Result<(Vec<Chosen>, Vec<ParseError>), ParseError> {
    if let Ok(right) = load(file, text.to_owned()) {
        return Ok((right, Vec::new()));
    }
    let Compiled { sections, mut errors } = compile(file, text, known_sections(file));
    let mut right = Vec::new();
    for (name, rules) in sections {
        match rules {
            Ok(rules) => right.push(kept(format!("{file}:{name}"), text, rules)?),
            Err(wrong) => errors.extend(wrong),
        }
    }
    Ok((right, errors))
}

/// Opens the first variant of a text, or the one of a name, whatever is wrong in the others.
///
/// # Errors
/// That one is wrong, or there is none.
fn load_named(file: &str, text: &str, name: Option<&str>) -> Result<Chosen, ParseError> {
    if let Ok(all) = load(file, text.to_owned()) {
        return match name {
            None => Ok(all[0]),
            Some(name) => named(&all, name)
                .ok_or_else(|| ParseError::new(file, quoted(name), names_near(&all, name))),
        };
    }
    let Compiled { sections, errors } = compile(file, text, known_sections(file));
    let is_it = |section: &str| name.is_none_or(|name| section.eq_ignore_ascii_case(name));
    // Which one is the first is not known where the beginning of a section is wrong.
    let is_doubtful = name.is_none() && !errors.is_empty();
    let found = sections.into_iter().find(|(section, _)| is_it(section) && !is_doubtful);
    match found {
        Some((section, rules)) => kept(format!("{file}:{section}"), text, rules.map_err(first)?),
        None => match errors.into_iter().next() {
            Some(error) => Err(error),
            None => {
                let all = load_right(file, text)?.0;
                let name = name.unwrap_or_default();
                Err(ParseError::new(file, quoted(name), names_near(&all, name)))
            }
        },
    }
}

/// Opens every variant of a text as if a file of this name had it; they are named `FILE:NAME`.
///
/// # Errors
/// [`read`] refuses the text.
pub fn load(file: &str, text: String) -> Result<Vec<Chosen>, ParseError> {
    let known =
        |opened: &Opened| opened.text == text && opened.name.starts_with(&format!("{file}:"));
    let mut all = OPENED.write().unwrap_or_else(PoisonError::into_inner);
    let before: Vec<usize> = (0..all.len()).filter(|&index| known(&all[index])).collect();
    // One of several may have been opened alone.
    if before.iter().any(|&index| all[index].place.is_some()) {
        let mut in_places = before;
        in_places.sort_by_key(|&index| all[index].place);
        return Ok(in_places.into_iter().map(Chosen::opened).collect());
    }
    let mut found = Vec::new();
    for rules in read(file, &text)? {
        let name = format!("{file}:{}", rules.definition.name);
        found.push(match before.iter().find(|&&index| all[index].name == name) {
            Some(&index) => index,
            None => keep(&mut all, name, &text, rules)?,
        });
    }
    for (place, &index) in found.iter().enumerate() {
        all[index].place = Some(place);
    }
    Ok(found.into_iter().map(Chosen::opened).collect())
}

/// Opens one variant of a text as if a file of this name had it, as `FILE:NAME`. The others are
/// checked, too, but not kept; none if there is no variant of the name.
///
/// # Errors
/// [`read`] refuses the text, or there are too many variants.
pub fn load_one(file: &str, text: &str, variant: &str) -> Result<Option<Chosen>, ParseError> {
    let name = format!("{file}:{variant}");
    let is_it = |opened: &Opened| opened.name == name && opened.text == text;
    let known = |all: &[Opened]| all.iter().position(is_it).map(Chosen::opened);
    if let found @ Some(_) = known(&OPENED.read().unwrap_or_else(PoisonError::into_inner)) {
        return Ok(found);
    }
    let mut all = read(file, text)?;
    let Some(index) = all.iter().position(|rules| rules.name() == variant) else {
        return Ok(None);
    };
    kept(name.clone(), text, all.swap_remove(index)).map(Some)
}

/// A variant of a text by its whole name: the one that is open, or else these rules.
fn kept(name: String, text: &str, rules: Rules) -> Result<Chosen, ParseError> {
    let mut all = OPENED.write().unwrap_or_else(PoisonError::into_inner);
    let known = all.iter().position(|opened| opened.name == name && opened.text == text);
    known.map_or_else(|| keep(&mut all, name, text, rules), Ok).map(Chosen::opened)
}

/// Keeps a variant for as long as the program runs; returns its index.
fn keep(
    all: &mut Vec<Opened>,
    name: String,
    text: &str,
    rules: Rules,
) -> Result<usize, ParseError> {
    if BUILT_IN_COUNT + all.len() >= usize::from(u16::MAX) {
        return Err(ParseError::new(name, "too many variants", "fewer in one program"));
    }
    // Never freed, as positions refer to it; each variant of a distinct text is kept only once.
    let rules = Box::leak(Box::new(rules));
    all.push(Opened { name, text: text.to_owned(), rules, place: None });
    Ok(all.len() - 1)
}

/// The file and the name that `FILE.ini:NAME` or `FILE.ini` says; none of another form. A file may
/// have colons in its name, so the last one after `.ini` divides.
fn divided(name: &str) -> Option<(&str, Option<&str>)> {
    let lower = name.to_ascii_lowercase();
    match lower.rfind(".ini:") {
        Some(end) => Some((&name[..end + 4], Some(&name[end + 5..]))),
        None => lower.ends_with(".ini").then_some((name, None)),
    }
}

/// The names of some variants, the one first that a mistyped name most likely means.
fn names_near(all: &[Chosen], name: &str) -> String {
    let names: Vec<&str> = all.iter().map(|one| one.rules().name()).collect();
    let list = format!("one of {}", names.join(", "));
    match near(name, names.iter().copied()) {
        Some(near) => format!("{near}, or {list}"),
        None => list,
    }
}

/// The variant of a name, in any case, among some.
fn named(all: &[Chosen], name: &str) -> Option<Chosen> {
    all.iter().copied().find(|chosen| chosen.has_name(name))
}

impl Chosen {
    fn opened(index: usize) -> Chosen {
        Chosen((BUILT_IN_COUNT + index) as u16)
    }

    /// Its rules.
    pub fn rules(self) -> &'static Rules {
        let number = usize::from(self.0);
        match number.checked_sub(BUILT_IN_COUNT) {
            None => &COMPILED[number],
            Some(index) => OPENED.read().unwrap_or_else(PoisonError::into_inner)[index].rules,
        }
    }

    /// The whole text of the file where it is defined, as it was opened; none of a built-in one.
    pub fn text(self) -> Option<String> {
        let index = usize::from(self.0).checked_sub(BUILT_IN_COUNT)?;
        Some(OPENED.read().unwrap_or_else(PoisonError::into_inner)[index].text.clone())
    }

    /// What people are shown of it.
    pub fn sheet(self) -> Sheet {
        Sheet::of(self.rules())
    }

    /// Whether this is its name, in any case, without that of its file.
    pub fn has_name(self, name: &str) -> bool {
        self.rules().name().eq_ignore_ascii_case(name)
    }

    /// How it is named on the command line.
    pub fn name(self) -> String {
        match usize::from(self.0).checked_sub(BUILT_IN_COUNT) {
            None => format!("variant:{}", self.rules().name()),
            Some(index) => {
                OPENED.read().unwrap_or_else(PoisonError::into_inner)[index].name.clone()
            }
        }
    }

    /// The variant of a name that needs no file: a built-in one in any case, or one that has been
    /// opened. Of a file that has been opened again, the newest.
    pub fn of_name(name: &str) -> Option<Chosen> {
        match name.to_ascii_lowercase().strip_prefix("variant:") {
            Some(variant) => named(Chosen::BUILT_IN, variant),
            None => <Chosen as Setup>::of_name(name),
        }
    }
}

impl Chosen {
    /// The built-in variants.
    pub const BUILT_IN: &'static [Chosen] = &{
        let mut all = [Chosen(0); BUILT_IN_COUNT];
        let mut number = 0;
        while number < BUILT_IN_COUNT {
            all[number] = Chosen(number as u16);
            number += 1;
        }
        all
    };
}

/// Variants are in no list of games: they are as many as people define.
impl Setup for Chosen {
    const LISTED: &'static [Chosen] = &[];
    const DEFINED: &'static [Chosen] = Chosen::BUILT_IN;
    const STANDARD: Chosen = Chosen(0);
    const UNLISTED: &'static [&'static str] = &["variant:NAME", "FILE.ini", "FILE.ini:NAME"];

    fn suffix(self) -> String {
        format!(":{}", self.rules().name())
    }

    fn from_suffix(suffix: &str) -> Option<Chosen> {
        named(Chosen::BUILT_IN, suffix.strip_prefix(':')?)
    }

    fn expected(name: &str, suffix: &str) -> String {
        format!("{name}:NAME, NAME being {}", names_near(Chosen::BUILT_IN, &suffix[1..]))
    }

    fn alternatives(self) -> Vec<Chosen> {
        vec![self]
    }

    fn title(self) -> Option<&'static str> {
        Some(self.rules().title())
    }

    fn of_name(name: &str) -> Option<Chosen> {
        let opened = OPENED.read().unwrap_or_else(PoisonError::into_inner);
        let index = opened.iter().rposition(|opened| opened.name == name);
        index.map(Chosen::opened)
    }

    /// Opens `FILE.ini` (its first variant) or `FILE.ini:NAME`.
    fn open(name: &str) -> Option<Result<Chosen, ParseError>> {
        let (file, variant) = divided(name)?;
        Some(text_of(file).and_then(|text| load_named(file, &text, variant)))
    }

    fn own_name(self) -> Option<String> {
        Some(self.name())
    }

    fn of_text(file: &str, text: &str) -> Option<Result<Vec<Chosen>, ParseError>> {
        Some(load(file, text.to_owned()))
    }

    fn of_file(file: &str) -> Option<Result<(Vec<Chosen>, Vec<ParseError>), ParseError>> {
        Some(text_of(file).and_then(|text| load_right(file, &text)))
    }

    fn origin(self) -> Option<Origin> {
        let Definition { name, fingerprint, .. } = &self.rules().definition;
        // An opened one is named `FILE:NAME`.
        let is_opened = usize::from(self.0) >= BUILT_IN_COUNT;
        let file = self.name().strip_suffix(&format!(":{name}")).map(str::to_owned);
        let file = file.filter(|_| is_opened);
        Some(Origin { name: name.clone(), file, fingerprint: *fingerprint })
    }

    /// What is read over, or allowed in its start position and yet seldom meant.
    fn notices(self) -> Vec<String> {
        playable::notices(self.rules())
    }

    /// Its section, below those of its parents.
    fn source(self) -> Option<String> {
        let name = self.rules().name();
        Some(match self.text() {
            None => ini::source(name, &[BUILT_IN]),
            Some(text) => ini::source(name, &[&text, BUILT_IN]),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_file_without_end_is_refused() {
        let error = text_of("/dev/zero").unwrap_err().to_string();
        assert_eq!(
            error,
            "/dev/zero: found a device, not a file, expected a readable file of definitions"
        );
    }

    #[test]
    fn the_last_colon_after_ini_divides_file_and_name() {
        for (word, expected) in [
            ("mine.ini", Some(("mine.ini", None))),
            ("Mine.INI:a", Some(("Mine.INI", Some("a")))),
            ("C:\\x.ini", Some(("C:\\x.ini", None))),
            ("C:\\x.ini:mine", Some(("C:\\x.ini", Some("mine")))),
            ("a:b.ini:c.ini:d", Some(("a:b.ini:c.ini", Some("d")))),
            ("mine.initial", None),
            ("loa:files", None),
        ] {
            assert_eq!(divided(word), expected, "{word}");
        }
    }

    #[test]
    fn a_text_of_which_one_variant_is_open_has_all_of_them() {
        let text = "[first:chess]\n[second:chess]\n";
        let second = load_one("two.ini", text, "second").unwrap().unwrap();
        for _ in 0..2 {
            let all = load("two.ini", text.to_owned()).unwrap();
            assert_eq!((all.len(), all[1]), (2, second));
            assert_eq!(all[0].rules().definition.name, "first");
        }
    }

    #[test]
    fn the_built_in_file_has_the_variants_that_are_counted() {
        assert_eq!(COMPILED.len(), BUILT_IN_COUNT);
    }

    #[test]
    fn one_variant_of_a_text_is_kept_and_the_others_only_checked() {
        let text = "[a:chess]\n[b:gardner]\n";
        let b = load_one("one.ini", text, "b").unwrap().unwrap();
        assert_eq!(load_one("one.ini", text, "b"), Ok(Some(b)));
        assert_eq!((b.name().as_str(), Chosen::of_name("one.ini:a")), ("one.ini:b", None));
        assert_eq!(b.text().as_deref(), Some(text));
        assert_eq!(load_one("one.ini", text, "c"), Ok(None));
        let error = load_one("one.ini", "[a:chess]\n[b]\nx = 1\n", "a").unwrap_err();
        assert!(error.to_string().starts_with("one.ini:3: x: found"), "{error}");
    }

    /// Texts of which the last variant is `mine`.
    const OF_PARENTS: [(&str, &str); 8] = [
        ("none", "[mine]\nking = k\nrook = r\nstartFen = 4k3/8/8/8/8/8/8/R3K3 w - - 0 1\n"),
        ("a built-in one", "[mine:chess]\ndoubleStep = false\n"),
        ("one", "[a:chess]\ndoubleStep = false\n[mine:a]\nmustCapture = true\n"),
        (
            "two",
            "[a:chess]\ndoubleStep = false\n[b:a]\nmustCapture = true\n[mine:b]\nnMoveRule = 40\n",
        ),
        (
            "the name of a built-in one",
            "[gardner:chess]\nmustCapture = true\n[mine:gardner]\nnMoveRule = 40\n",
        ),
        (
            "over the built-in one",
            "[gardner:gardner]\nmustCapture = true\n[mine:gardner]\nnMoveRule = 40\n",
        ),
        (
            "the name of a built-in one further up",
            "[chess:gardner]\nmustCapture = true\n[mine:chess]\nnMoveRule = 40\n",
        ),
        ("in another case", "[One:chess]\ndoubleStep = false\n[mine:oNE]\nmustCapture = true\n"),
    ];

    #[test]
    fn the_source_of_a_variant_can_be_read_and_has_its_rules() {
        let mine = |file: &str, text: &str| {
            let all = load(file, text.to_owned());
            named(&all.unwrap_or_else(|error| panic!("{error}\n{text}")), "mine").unwrap()
        };
        let fingerprint = |chosen: Chosen| chosen.rules().definition.fingerprint;
        for (parents, text) in OF_PARENTS {
            let first = mine("first.ini", text);
            let source = first.source().unwrap();
            let again = mine("again.ini", &source);
            assert_eq!(fingerprint(again), fingerprint(first), "{parents}:\n{source}");
            assert_eq!(again.source().unwrap(), source, "{parents}");
        }
    }

    #[test]
    fn a_text_is_compiled_once_and_its_names_are_known_from_then_on() {
        assert_eq!(Chosen::of_name("mine.ini:a"), None);
        let text = "[a:chess]\n[b:gardner]\n";
        let first = load("mine.ini", text.to_owned()).unwrap();
        assert_eq!(load("mine.ini", text.to_owned()).unwrap(), first);
        assert_eq!(first[1].name(), "mine.ini:b");
        assert_eq!(Chosen::of_name("mine.ini:b"), Some(first[1]));
        let changed = load("mine.ini", text.to_owned() + "[c:chess]").unwrap();
        assert_ne!(changed[0], first[0]);
        assert_eq!(Chosen::of_name("mine.ini:a"), Some(changed[0]));
    }
}
