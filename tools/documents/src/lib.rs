//! Reads the project's documents, so that tests can compare them with the programs.
//!
//! The one idea: a document is a list of links, headings, code spans and commands, each with its
//! place. A command is a line of a fenced block that is marked `sh`.

mod failed_seeds;
mod reference;

use std::fmt;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

pub use self::failed_seeds::failed_seeds;
pub use self::reference::reference_fault;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// Where something stands: a file, relative to the repository, and a line from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: PathBuf,
    pub line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.line)
    }
}

/// One program with its arguments, as a shell would see them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    pub place: Place,
    pub words: Vec<String>,
}

impl Command {
    /// The last part of the program's path: `alesia` for `target/release/alesia`.
    pub fn program(&self) -> &str {
        self.words[0].rsplit('/').next().unwrap_or_default()
    }
}

/// What a Markdown file refers to and contains.
#[derive(Clone, Debug, Default)]
pub struct Document {
    pub file: PathBuf,
    pub lines: usize,
    /// Targets of links and pictures, as written.
    pub links: Vec<(Place, String)>,
    /// Anchors of headings, as GitHub makes them.
    pub anchors: Vec<String>,
    /// Text between backticks.
    pub spans: Vec<(Place, String)>,
    /// The program names of all fenced `sh` blocks, with their arguments.
    pub commands: Vec<Command>,
}

/// Compares all command lines of a program with its grammar: `fault` returns what is wrong with the
/// words of one. Returns how many there are, and the faults with their places.
pub fn check_commands(
    program: &str,
    fault: impl Fn(&[String]) -> Option<String>,
) -> (usize, Vec<String>) {
    let documents = all();
    let commands = documents.iter().flat_map(|document| &document.commands);
    let ours: Vec<&Command> = commands.filter(|command| command.program() == program).collect();
    let faults = ours.iter().filter_map(|command| {
        let fault = fault(&filled_in(&command.words))?;
        Some(format!("{}: {fault}", command.place))
    });
    (ours.len(), faults.collect())
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// All documents: the Markdown files at the root, in and below `docs`, and in `benches/results`.
pub fn all() -> Vec<Document> {
    let mut files = Vec::new();
    for folder in ["", "docs", "docs/course", "docs/games", "docs/lab", "benches/results"] {
        let entries = fs::read_dir(root().join(folder)).expect("a folder of documents");
        for entry in entries {
            let name = entry.expect("a name").file_name().into_string().expect("UTF-8");
            if name.ends_with(".md") {
                files.push(Path::new(folder).join(name));
            }
        }
    }
    files.sort();
    files.iter().map(|file| read(file)).collect()
}

/// A document of the repository.
pub fn read(file: &Path) -> Document {
    let text = fs::read_to_string(root().join(file)).expect("a document");
    parse(file, &text)
}

/// Parses the text of a document.
pub fn parse(file: &Path, text: &str) -> Document {
    let mut document =
        Document { file: file.into(), lines: text.lines().count(), ..Document::default() };
    let place = |range: &Range<usize>| Place {
        file: file.into(),
        line: 1 + text[..range.start].matches('\n').count(),
    };
    let mut heading: Option<String> = None;
    let mut shell = false;
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                document.anchors.push(anchor(&heading.take().unwrap_or_default()));
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                document.links.push((place(&range), dest_url.into_string()));
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                shell = &*language == "sh";
            }
            Event::End(TagEnd::CodeBlock) => shell = false,
            Event::Text(words) if shell => {
                document.commands.extend(commands(&place(&range), &words));
            }
            Event::Text(words) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&words);
                }
            }
            Event::Code(words) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&words);
                }
                document.spans.push((place(&range), words.into_string()));
            }
            _ => {}
        }
    }
    document
}

/// The anchor that GitHub gives to a heading.
pub fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).flat_map(char::to_lowercase).collect()
}

/// The commands of a block of shell lines.
fn commands(first: &Place, block: &str) -> Vec<Command> {
    let mut found = Vec::new();
    let mut whole = String::new();
    let mut begins = first.line;
    for (number, line) in (first.line..).zip(block.lines()) {
        if whole.is_empty() {
            begins = number;
        }
        whole.push_str(line);
        whole.push('\n');
        // A line that continues, or a quoted text that does.
        if line.ends_with('\\') || shlex::split(&whole).is_none() {
            continue;
        }
        let place = Place { line: begins, ..first.clone() };
        found.extend(programs(&place, &whole));
        whole.clear();
    }
    assert!(whole.is_empty(), "{first}: a block ends within a command: {whole}");
    found
}

/// The programs of a line, also those within quotes, such as a command for another machine.
fn programs(place: &Place, line: &str) -> Vec<Command> {
    let line = &line.replace("\\\n", " ");
    let words = shlex::split(line).unwrap_or_else(|| panic!("{place}: not a shell's line: {line}"));
    let mut found = Vec::new();
    for part in words.split(|word| matches!(word.as_str(), "|" | "&&" | "||")) {
        let mut arguments = Vec::new();
        for word in part {
            let opened = if arguments.is_empty() { word.trim_start_matches('(') } else { word };
            if opened.contains(' ') && opened.contains("alesia") {
                found.extend(quoted(place, opened));
            }
            if matches!(opened, ">" | ">>" | "<") {
                break;
            }
            let ended = opened.trim_end_matches(')');
            let ended = ended.trim_end_matches(';');
            arguments.push(ended.to_string());
            if ended != opened {
                found.extend(command(place, std::mem::take(&mut arguments)));
            }
        }
        found.extend(command(place, arguments));
    }
    found
}

/// Commands of this project within an argument of another program.
fn quoted(place: &Place, text: &str) -> Vec<Command> {
    let Some(start) = text.find("alesia") else { return Vec::new() };
    // It may end within quotes of its own.
    let mut line = text[start..]
        .trim_end_matches(['\'', '"'])
        .replace("-pairs {}", "-pairs 0..10")
        .replace("{}", "0");
    // GNU parallel's expressions in Perl give numbers.
    while let (Some(start), Some(end)) = (line.find("{="), line.find("=}")) {
        line.replace_range(start..end + 2, "10");
    }
    programs(place, &line)
        .into_iter()
        .filter(|command| command.program().starts_with("alesia"))
        .collect()
}

fn command(place: &Place, words: Vec<String>) -> Option<Command> {
    let is_assignment = |word: &String| {
        word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c == '_')
        })
    };
    let words: Vec<String> = words.into_iter().skip_while(is_assignment).collect();
    (!words.is_empty()).then(|| Command { place: place.clone(), words })
}

/// What stands for a value of the reader's own, with a value.
const PLACEHOLDERS: [(&str, &str); 8] = [
    ("HOST", "lab1"),
    ("PORT", "40123"),
    ("GAME", "murus"),
    ("MS", "1000"),
    ("SEED", "1"),
    ("N", "1"),
    ("FOLDER", "folder"),
    // The game that docs/add-a-game.md adds.
    ("tictactoe", "murus"),
];

/// The words of a command, with a value for each placeholder.
pub fn filled_in(words: &[String]) -> Vec<String> {
    let value = |part: &str| {
        let known = PLACEHOLDERS.iter().find(|(name, _)| *name == part);
        known.map_or_else(|| part.to_string(), |(_, value)| value.to_string())
    };
    let fill = |word: &String| {
        let parts = word.split_inclusive(|c: char| !c.is_ascii_alphanumeric());
        let filled = parts.map(|part| {
            let name = part.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
            value(name) + &part[name.len()..]
        });
        filled.collect()
    };
    words.iter().map(fill).collect()
}

/// All long options of a command and of those below it, each with the ways to write it.
fn options(command: &clap::Command) -> Vec<[String; 3]> {
    let own = command.get_arguments().filter(|option| !option.is_hide_set());
    let own = own.filter_map(|option| {
        let long = option.get_long()?;
        let short = option.get_short().map_or_else(|| format!("-{long}"), |c| format!("-{c}"));
        // Like the courses' own servers.
        Some([format!("--{long}"), format!("-{long}"), short])
    });
    own.chain(command.get_subcommands().flat_map(options)).collect()
}

/// Options that a page names and the program does not have.
pub fn unknown(command: &clap::Command, page: &str) -> Vec<String> {
    let options = options(command);
    let spans = read(Path::new(page)).spans.into_iter();
    let names = spans.filter_map(|(place, span)| {
        let name = span.split([' ', '=']).next()?.to_string();
        (name.starts_with("--")).then_some((place, name))
    });
    let unknown = names.filter(|(_, name)| !options.iter().any(|[long, ..]| long == name));
    unknown.map(|(place, name)| format!("{place}: {name}")).collect()
}
