//! The lines that a person types, or a pipe holds.
//!
//! The one idea: at a terminal the line is edited, with a history and completion; a pipe is read
//! as it is, and prompts are lines of their own.

use std::cell::Cell;
use std::collections::VecDeque;
use std::io::{self, IsTerminal, StdinLock, Write, stdin, stdout};
use std::time::Instant;

use alesia::game::ParseError;
use alesia::net::line::{LineError, LineReader};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use super::input::LastLineEnded;
use crate::cli::terminal::Terminal;

/// What has been entered.
pub enum Entered {
    /// A line, and when it was read.
    Line(String, Instant),
    /// Something that is no line of text.
    Refused(ParseError),
    /// Nothing more will come.
    End,
}

/// Where lines come from.
pub enum Lines {
    /// A terminal at which lines are edited, the lines of a paste that wait, whether those were
    /// shown with the last line, and what Ctrl-C does.
    Edited {
        editor: Box<Editor<Words, MemHistory>>,
        pasted: VecDeque<String>,
        shown_ahead: bool,
        interrupt: Box<dyn Fn()>,
    },
    /// Anything else. Whether a person types right behind the prompts.
    Read { lines: Box<LineReader<LastLineEnded<StdinLock<'static>>>>, at_terminal: bool },
}

impl Lines {
    /// The lines of standard input. While a line is edited, Ctrl-C is a key: it calls `interrupt`.
    pub fn of_input(interrupt: impl Fn() + 'static) -> Lines {
        let at_terminal = stdin().is_terminal() && stdout().is_terminal();
        if at_terminal && Terminal::of_output().is_some() {
            let config = Config::builder().completion_type(CompletionType::List).build();
            match Editor::with_history(config.clone(), MemHistory::with_config(&config)) {
                Ok(mut editor) => {
                    editor.set_helper(Some(Words::default()));
                    let (editor, interrupt) = (Box::new(editor), Box::new(interrupt));
                    let pasted = VecDeque::new();
                    return Lines::Edited { editor, pasted, shown_ahead: false, interrupt };
                }
                Err(error) => log::warn!("lines cannot be edited here: {error}"),
            }
        }
        let lines = Box::new(LineReader::new(LastLineEnded::new(stdin().lock())));
        Lines::Read { lines, at_terminal }
    }

    /// Sets the words that the next line may begin with.
    pub fn complete_with(&mut self, words: Vec<String>) {
        if let Lines::Edited { editor, .. } = self {
            editor.set_helper(Some(Words::new(words)));
        }
    }

    /// Whether the last line stands behind its prompt, with nothing beneath it.
    pub fn shows_only_the_line(&self) -> bool {
        match self {
            Lines::Edited { editor, shown_ahead, .. } => {
                !shown_ahead && editor.helper().is_none_or(|words| !words.listed.get())
            }
            Lines::Read { .. } => false,
        }
    }

    /// Shows a prompt and reads a line.
    ///
    /// # Errors
    /// The prompt cannot be shown.
    pub fn next(&mut self, prompt: &str) -> io::Result<Entered> {
        match self {
            Lines::Edited { editor, pasted, shown_ahead, interrupt } => {
                *shown_ahead = false;
                if let Some(line) = pasted.pop_front() {
                    // As if it had been typed now.
                    writeln!(stdout(), "{prompt} {line}")?;
                    return Ok(Entered::Line(line, Instant::now()));
                }
                Ok(match editor.readline(&format!("{prompt} ")) {
                    Ok(text) => {
                        let received = Instant::now();
                        let mut lines = text.lines().map(str::to_owned);
                        let line = lines.next().unwrap_or_default();
                        pasted.extend(lines);
                        *shown_ahead = !pasted.is_empty();
                        // A line that is not remembered can be typed again.
                        let _ = editor.add_history_entry(line.as_str());
                        Entered::Line(line, received)
                    }
                    Err(ReadlineError::Interrupted) => {
                        interrupt();
                        Entered::End
                    }
                    Err(error) => ended(error),
                })
            }
            Lines::Read { lines, at_terminal } => {
                let end = if *at_terminal { " " } else { "\n" };
                let mut out = stdout().lock();
                write!(out, "{prompt}{end}")?;
                out.flush()?;
                drop(out);
                Ok(read(lines))
            }
        }
    }
}

fn ended(error: ReadlineError) -> Entered {
    if !matches!(error, ReadlineError::Eof) {
        log::error!("standard input: {error}");
    }
    Entered::End
}

fn read(lines: &mut LineReader<LastLineEnded<StdinLock>>) -> Entered {
    match lines.read_line() {
        Ok(line) => Entered::Line(String::from_utf8_lossy(line.bytes).into_owned(), line.received),
        Err(error @ LineError::TooLong) => {
            Entered::Refused(ParseError::new("input", error.to_string(), "a move"))
        }
        // Standard input has no time limit.
        Err(LineError::Closed { .. } | LineError::Silent) => Entered::End,
        Err(LineError::Io(error)) => {
            log::error!("standard input: {error}");
            Entered::End
        }
    }
}

/// The words with which the first word of a line is completed.
#[derive(Default)]
pub struct Words {
    words: Vec<String>,
    /// Whether several were offered, which are then listed beneath the line.
    listed: Cell<bool>,
}

impl Words {
    fn new(words: Vec<String>) -> Words {
        Words { words, listed: Cell::new(false) }
    }

    /// Those that begin as the text does, in any case.
    fn beginning_with(&self, text: &str) -> Vec<String> {
        let begins = |word: &&String| {
            word.get(..text.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(text))
        };
        self.words.iter().filter(begins).cloned().collect()
    }
}

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        place: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let before = &line[..place];
        let begin = before.len() - before.trim_start().len();
        let found = self.beginning_with(&before[begin..]);
        self.listed.set(self.listed.get() || found.len() > 1);
        Ok((begin, found))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_and_commands_are_completed_in_any_case() {
        let words = Words::new(["G4,N", "G4,NE", "G5,N", "undo", "save "].map(String::from).into());
        assert_eq!(words.beginning_with("g4"), ["G4,N", "G4,NE"]);
        assert_eq!(words.beginning_with("UN"), ["undo"]);
        assert_eq!(words.beginning_with("save game"), [""; 0]);
        assert_eq!(words.beginning_with("é"), [""; 0]);
        assert_eq!(words.beginning_with("").len(), 5);
    }
}
