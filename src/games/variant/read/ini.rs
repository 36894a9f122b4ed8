//! The sections of a file of definitions: `[name]` or `[name:parent]`, `key = value`, `#` comments.
//!
//! The one idea: a section is its own entries over those of its parent, and every entry remembers
//! its file and line, so that an error found much later still names them. What is wrong in one
//! section leaves the others as they are.

use super::words::near;
use crate::eval::weights_file::hash;
use crate::game::{ParseError, quoted, without_bom};

/// Max variants of a file.
const MAX_SECTIONS: usize = 200;

/// Where something stands in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file as it was named.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

impl Place {
    /// An error at this place: `FILE:LINE: WHAT: found …, expected …`.
    pub fn error(
        &self,
        what: &str,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> ParseError {
        ParseError::new(format!("{}:{}: {what}", self.file, self.line), found, expected)
    }
}

/// A line `key = value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where it stands.
    pub place: Place,
    /// What stands before the `=`.
    pub key: String,
    /// What stands after it.
    pub value: String,
    /// Where it comes from.
    pub source: Source,
    /// The value that it replaces, where it is another than the parent's.
    pub replaced: Option<String>,
}

/// Where an entry comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The section itself.
    Own,
    /// The section of this name; the entry's place is that of the section that inherits.
    Parent(String),
    /// The grammar, as no section says anything.
    Default,
}

impl Entry {
    /// An error in the value.
    pub fn error(&self, found: impl Into<String>, expected: impl Into<String>) -> ParseError {
        self.place.error(&self.shown_key(), found, expected)
    }

    /// The key, with the parent that says it.
    pub fn shown_key(&self) -> String {
        match &self.source {
            Source::Own => self.key.clone(),
            Source::Parent(parent) => format!("{} (from [{parent}])", self.key),
            Source::Default => format!("{} (by default)", self.key),
        }
    }

    /// Whether the section itself says it.
    pub fn is_own(&self) -> bool {
        self.source == Source::Own
    }

    /// The error that the whole value is none of what is expected.
    pub fn unexpected(&self, expected: impl Into<String>) -> ParseError {
        self.error(quoted(&self.value), expected)
    }
}

/// A section with the entries that it inherits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its name.
    pub name: String,
    /// The first line of the comment right above it; its name where there is none.
    pub title: String,
    /// Where it begins.
    pub place: Place,
    /// The name of its parent.
    pub parent: Option<String>,
    /// Its entries, each key once.
    pub entries: Vec<Entry>,
    /// What is wrong with its lines.
    pub errors: Vec<ParseError>,
}

/// The sections of a text.
#[derive(Debug, Default)]
pub struct Sections {
    /// Those whose first line is right.
    pub sections: Vec<Section>,
    /// What is wrong outside of them.
    pub errors: Vec<ParseError>,
}

impl Section {
    /// The entry of a key.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// The entry of a key, or of one that stands for it and others: the latter counts where it has
    /// been said in a later generation.
    pub fn specific_or(&self, key: &str, general: &str) -> Option<&Entry> {
        let index = |key| self.entries.iter().position(|entry| entry.key == key);
        let at = match (index(key), index(general)) {
            // Each generation's entries stand after those of its parent.
            (Some(one), Some(all)) if self.entries[one].source == self.entries[all].source => one,
            (Some(one), Some(all)) => one.max(all),
            (one, all) => one.or(all)?,
        };
        Some(&self.entries[at])
    }

    /// A hash (FNV-1a) of its keys that `counts` accepts, with their values: the same in another
    /// order, under another name and in another file.
    pub fn fingerprint(&self, counts: impl Fn(&str) -> bool) -> u64 {
        let entries = self.entries.iter().filter(|entry| counts(&entry.key));
        let mut entries: Vec<(&str, &str)> =
            entries.map(|entry| (entry.key.as_str(), entry.value.as_str())).collect();
        entries.sort_unstable();
        let mut text = String::new();
        entries.iter().for_each(|(key, value)| text += &format!("{key}={value}\n"));
        hash(text.as_bytes())
    }
}

/// Reads the sections of a text. A parent is an earlier section, or one of `known`.
pub fn read(file: &str, text: &str, known: &[Section]) -> Sections {
    let Sections { mut sections, mut errors } = Sections::default();
    // The keys of the section that is being read.
    let mut own: Vec<String> = Vec::new();
    // Whether its first line is wrong, so that nothing can be said of the others.
    let mut is_lost = false;
    let mut comment: Option<&str> = None;
    for (index, line) in without_bom(text).lines().enumerate() {
        let place = Place { file: file.to_owned(), line: index + 1 };
        let (line, said) = line.split_once('#').unwrap_or((line, ""));
        let line = line.trim();
        if line.is_empty() {
            let said = Some(said.trim().trim_end_matches('.')).filter(|said| !said.is_empty());
            comment = said.and(comment.or(said));
            continue;
        }
        let title = comment.take();
        if sections.len() == MAX_SECTIONS && line.starts_with('[') {
            let expected = format!("at most {MAX_SECTIONS} variants in a file");
            errors.push(place.error("section", "one more", expected));
            break;
        }
        if let Some(head) = line.strip_prefix('[') {
            let section = begin(head, place, &sections, known);
            is_lost = section.is_err();
            match section {
                Ok(mut section) => {
                    if let Some(title) = title {
                        title.clone_into(&mut section.title);
                    }
                    sections.push(section);
                }
                Err(error) => errors.push(error),
            }
            own.clear();
            continue;
        }
        if is_lost {
            continue;
        }
        let Some(section) = sections.last_mut() else {
            errors.push(place.error("line", quoted(line), "[name] before the first key"));
            is_lost = true;
            continue;
        };
        let Some((key, value)) = line.split_once('=') else {
            let expected = "[name], [name:parent] or key = value";
            section.errors.push(place.error("line", quoted(line), expected));
            continue;
        };
        let (key, value) = (key.trim().to_owned(), value.trim().to_owned());
        if own.contains(&key) {
            let expected = "each key once in a section";
            section.errors.push(place.error(&key, "the key again", expected));
            continue;
        }
        own.push(key.clone());
        let before = section.entries.iter().position(|entry| entry.key == key);
        let replaced = before.map(|index| section.entries.remove(index).value);
        section.entries.push(Entry { place, key, value, source: Source::Own, replaced });
    }
    if sections.is_empty() && errors.is_empty() {
        let place = Place { file: file.to_owned(), line: 1 };
        errors.push(place.error("file", "no section", "a variant: [name], and its keys"));
    }
    Sections { sections, errors }
}

/// The section that a line begins, given without its bracket.
fn begin(
    head: &str,
    place: Place,
    sections: &[Section],
    known: &[Section],
) -> Result<Section, ParseError> {
    let form = "[name] or [name:parent], names of letters, digits, - and _";
    let Some(head) = head.strip_suffix(']') else {
        return Err(place.error("section", quoted(&format!("[{head}")), form));
    };
    let (name, parent) = match head.split_once(':') {
        Some((name, parent)) => (name.trim(), Some(parent.trim())),
        None => (head.trim(), None),
    };
    for part in [Some(name), parent].into_iter().flatten() {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if part.is_empty() || !part.chars().all(is_name) {
            return Err(place.error("section", quoted(head), form));
        }
    }
    let same = |section: &&Section| section.name.eq_ignore_ascii_case(name);
    if let Some(first) = sections.iter().find(same) {
        let expected = format!("another name than in line {}", first.place.line);
        return Err(place.error("section", quoted(name), expected));
    }
    let mut entries = Vec::new();
    let mut parent_name = None;
    if let Some(parent) = parent {
        let all = || sections.iter().rev().chain(known);
        let is_parent = |section: &&Section| section.name.eq_ignore_ascii_case(parent);
        let Some(section) = all().find(is_parent) else {
            let near = near(parent, all().map(|section| section.name.as_str()));
            let near = near.map(|name| format!(", such as {name}")).unwrap_or_default();
            let expected = format!("a section above, or a built-in variant{near}");
            return Err(place.error("section", quoted(parent), expected));
        };
        entries.clone_from(&section.entries);
        parent_name = Some(section.name.clone());
        for entry in &mut entries {
            entry.place = place.clone();
            entry.replaced = None;
            if entry.is_own() {
                entry.source = Source::Parent(section.name.clone());
            }
        }
    }
    let (name, title) = (name.to_owned(), name.to_owned());
    Ok(Section { name, title, place, parent: parent_name, entries, errors: Vec::new() })
}

/// Where a section stands among lines, with the comment right above it: its first line, its head,
/// and the line after its last.
fn range_of(name: &str, lines: &[&str]) -> Option<[usize; 3]> {
    let is_comment = |line: &&&str| line.trim_start().starts_with('#');
    let comment_above = |line: usize| lines[..line].iter().rev().take_while(is_comment).count();
    let is_head =
        |line: &&str| head_of(line).is_some_and(|(own, _)| own.eq_ignore_ascii_case(name));
    let head = lines.iter().position(is_head)?;
    let next = lines[head + 1..].iter().position(|line| line.trim_start().starts_with('['));
    let end = next.map_or(lines.len(), |next| {
        let next = head + 1 + next;
        next - comment_above(next).min(next - head - 1)
    });
    Some([head - comment_above(head), head, end])
}

/// The name of a section and of its parent, of the line that begins it.
fn head_of(line: &str) -> Option<(&str, Option<&str>)> {
    let head = line.split('#').next()?.trim().strip_prefix('[')?.strip_suffix(']')?;
    let (name, parent) = head.split_once(':').map_or((head, None), |(a, b)| (a, Some(b.trim())));
    Some((name.trim(), parent))
}

/// The text of a section below those of its parents, so that it can be read. A section is looked
/// for in the first text and then in the others, as a parent is.
pub fn source(name: &str, texts: &[&str]) -> String {
    let mut texts: Vec<Vec<&str>> =
        texts.iter().map(|text| without_bom(text).lines().collect()).collect();
    let mut found: Vec<(&str, String)> = Vec::new();
    let mut next = Some(name);
    while let Some(name) = next.take() {
        for lines in &mut texts {
            let Some([begin, head, end]) = range_of(name, lines) else {
                // Parents of what is in a later text are not here.
                lines.clear();
                continue;
            };
            // One of a later text is known without its lines, which cannot stand beside others of
            // the same name.
            if !found.iter().any(|(below, _)| below.eq_ignore_ascii_case(name)) {
                found.push((name, format!("{}\n", lines[begin..end].join("\n").trim_end())));
            }
            next = head_of(lines[head]).and_then(|(_, parent)| parent);
            // Parents stand above.
            lines.truncate(begin);
            break;
        }
    }
    let sections: Vec<String> = found.into_iter().rev().map(|(_, text)| text).collect();
    sections.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sections of a text that is right.
    fn right(text: &str, known: &[Section]) -> Vec<Section> {
        let Sections { sections, errors } = read("f.ini", text, known);
        assert_eq!(errors, []);
        sections
    }

    #[test]
    fn the_source_of_a_section_is_its_lines_and_those_of_its_parents() {
        let own = "# of the file\n\n# B.\n[b : a] # yes\nx = 1\n\n# other\n[c]\ny = 2\n";
        let base = "# A.\n[a]\nz = 3\n\n[d]\n";
        let expected = "# A.\n[a]\nz = 3\n\n# B.\n[b : a] # yes\nx = 1\n";
        assert_eq!(source("b", &[own, base]), expected);
        assert_eq!(source("c", &[own, base]), "# other\n[c]\ny = 2\n");
        assert_eq!(source("e", &[own, base]), "");
        let both = "[a]\nx = 1\n\n# B.\n[b:a]\n";
        assert_eq!(source("b", &[both]), "[a]\nx = 1\n\n# B.\n[b:a]\n");
        assert_eq!(source("a", &["[a:a]\nx = 1\n", base]), "[a:a]\nx = 1\n");
    }

    #[test]
    fn a_section_has_the_entries_of_its_parent_where_it_has_none_of_its_own() {
        let text = "# two\n[a]\nx = 1 # one\ny=2\n[b : a]\ny = 3\n\n[c:base]\n";
        let base = Section {
            name: "base".to_owned(),
            title: "base".to_owned(),
            place: Place { file: "base.ini".to_owned(), line: 1 },
            parent: None,
            errors: Vec::new(),
            entries: vec![Entry {
                place: Place { file: "base.ini".to_owned(), line: 2 },
                key: "z".to_owned(),
                value: "9".to_owned(),
                source: Source::Own,
                replaced: None,
            }],
        };
        let sections = right(text, &[base]);
        let value = |section: usize, key: &str| {
            let entry = sections[section].get(key)?;
            let parent = match &entry.source {
                Source::Parent(parent) => Some(parent.as_str()),
                _ => None,
            };
            Some((entry.place.line, entry.value.as_str(), parent))
        };
        assert_eq!(value(0, "x"), Some((3, "1", None)));
        assert_eq!(value(0, "y"), Some((4, "2", None)));
        assert_eq!(value(1, "x"), Some((5, "1", Some("a"))));
        assert_eq!(value(1, "y"), Some((6, "3", None)));
        assert_eq!(value(2, "z"), Some((8, "9", Some("base"))));
        assert_eq!(value(2, "x"), None);
        assert_eq!(sections[1].get("y").unwrap().replaced.as_deref(), Some("2"));
    }

    #[test]
    fn a_parent_is_found_in_any_case() {
        let sections = right("[One]\nx = 1\n[two:oNE]\n", &[]);
        assert_eq!(sections[1].get("x").unwrap().shown_key(), "x (from [One])");
        let error = read("f.ini", "[one]\n[two:onne]", &[]).errors[0].to_string();
        assert!(error.ends_with("a section above, or a built-in variant, such as one"), "{error}");
    }

    #[test]
    fn a_fingerprint_is_that_of_the_keys_wherever_they_stand() {
        let of = |text: &str| {
            let section = right(text, &[]).pop().unwrap();
            section.fingerprint(|key| key != "drawn")
        };
        let one = of("[a]\nx = 1\ny = 2\n");
        assert_eq!(of("# Other.\n\n[b] # yes\ny=2\nx= 1 # one\n"), one);
        assert_eq!(of("[p]\nx = 1\ny = 3\n[a:p]\ny = 2"), one);
        assert_eq!(of("[a]\nx = 1\ny = 2\ndrawn = 3\n"), one);
        assert_ne!(of("[a]\nx = 1\ny = 3\n"), one);
        // Records keep it, so that it is never another.
        assert_eq!(one, 0xc2f0_cc1b_4690_fa03);
    }

    #[test]
    fn the_comment_above_a_section_is_its_title() {
        let text = "# of the file\n\n# One.\n# More.\n[a]\nx = 1\n[b]\n# no\n\n[c] # yes\n";
        let sections = right(text, &[]);
        let titles: Vec<&str> = sections.iter().map(|section| section.title.as_str()).collect();
        assert_eq!(titles, ["One", "b", "c"]);
    }

    #[test]
    fn errors_name_file_and_line() {
        for (text, expected) in [
            ("", "f.ini:1: file: found no section"),
            ("x = 1", "f.ini:1: line: found `x = 1`, expected [name] before"),
            ("[a]\nx", "f.ini:2: line: found `x`"),
            ("[a\nx = 1", "f.ini:1: section: found `[a`"),
            ("[a b]", "f.ini:1: section: found `a b`"),
            ("[a]\n[A]", "f.ini:2: section: found `A`, expected another name than in line 1"),
            ("[a:b]", "f.ini:1: section: found `b`, expected a section above"),
            ("[a]\nx = 1\nx = 2", "f.ini:3: x: found the key again"),
        ] {
            let Sections { sections, errors } = read("f.ini", text, &[]);
            let of_sections = sections.iter().flat_map(|section| &section.errors);
            let error = errors.iter().chain(of_sections).next().expect(text).to_string();
            assert!(error.starts_with(expected), "{text:?}: {error}");
        }
    }
}
