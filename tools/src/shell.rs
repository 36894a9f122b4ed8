//! Words as a shell reads them, for commands that the lab prints.

/// Words in one line, quoted where a shell would read them otherwise.
///
/// # Panics
/// A word has a zero byte; none has that comes from a text or from the system.
pub fn in_shell<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    shlex::try_join(words).expect("no zero byte")
}
