//! Text in lines of a width.
//!
//! The one idea: a word is a list of pieces in their styles; only its visible characters count.

use alesia::games::rulebook::Span;
use anstyle::Style;

use crate::cli::terminal::{Paint, palette};

/// Text between two blanks.
#[derive(Clone, Debug, Default)]
struct Word {
    /// The text with its control sequences.
    text: String,
    /// Visible characters.
    width: usize,
}

/// Breaks text into lines of at most `width` columns; a longer word has a line of its own.
pub fn wrap(text: &[Span], width: usize, paint: Paint) -> Vec<String> {
    wrapped(text, width, paint).into_iter().map(|line| line.text).collect()
}

/// The same with each line filled up with blanks.
pub fn wrap_filled(text: &[Span], width: usize, paint: Paint) -> Vec<String> {
    let fill = |line: Word| line.text + &" ".repeat(width.saturating_sub(line.width));
    wrapped(text, width, paint).into_iter().map(fill).collect()
}

/// The width of text in one line.
pub fn width_of(text: &[Span]) -> usize {
    let lines = wrapped(text, usize::MAX, Paint::default());
    lines.first().map_or(0, |line| line.width)
}

fn wrapped(text: &[Span], width: usize, paint: Paint) -> Vec<Word> {
    let mut lines: Vec<Word> = Vec::new();
    for word in words(text, paint) {
        match lines.last_mut() {
            Some(line) if line.width + 1 + word.width <= width => {
                line.text += " ";
                line.text += &word.text;
                line.width += 1 + word.width;
            }
            _ => lines.push(word),
        }
    }
    lines
}

fn words(text: &[Span], paint: Paint) -> Vec<Word> {
    let mut words = Vec::new();
    let mut word = Word::default();
    for span in text {
        let address = span.link.as_ref().filter(|link| link.starts_with("http"));
        let shown = match address {
            Some(address) => format!("{} ({address})", span.text),
            None => span.text.clone(),
        };
        for (number, piece) in shown.split(' ').enumerate() {
            if number > 0 && word.width > 0 {
                words.push(std::mem::take(&mut word));
            }
            word.text += &paint.text(style(span), piece);
            word.width += piece.chars().count();
        }
    }
    words.extend((word.width > 0).then_some(word));
    words
}

fn style(span: &Span) -> Style {
    let style = if span.style.code { palette::CODE } else { Style::new() };
    let style = if span.style.bold { style.bold() } else { style };
    if span.style.italic { style.italic() } else { style }
}

/// The widths of columns so that a table fits `width`, `gap` between two columns included: the
/// widest columns give way.
pub fn column_widths(natural: &[usize], width: usize, gap: usize) -> Vec<usize> {
    let mut widths = natural.to_vec();
    let total = |widths: &[usize]| widths.iter().sum::<usize>() + gap * (widths.len().max(1) - 1);
    while total(&widths) > width {
        let Some(widest) = widths.iter_mut().max().filter(|widest| **widest > 1) else { break };
        *widest -= 1;
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(text: &str) -> Span {
        Span { text: text.into(), ..Span::default() }
    }

    #[test]
    fn lines_are_filled_and_no_longer_than_the_width() {
        let text = [span("one two  three "), span("four"), span(", five")];
        assert_eq!(wrap(&text, 9, Paint::default()), ["one two", "three", "four,", "five"]);
        assert_eq!(wrap(&text, 13, Paint::default()), ["one two three", "four, five"]);
        assert_eq!(wrap_filled(&text[1..], 6, Paint::default()), ["four, ", "five  "]);
        assert_eq!(wrap(&[], 9, Paint::default()), [""; 0]);
        assert_eq!(wrap(&[span("unbreakable")], 4, Paint::default()), ["unbreakable"]);
    }

    #[test]
    fn control_sequences_take_no_room() {
        let bold = Span {
            style: alesia::games::rulebook::Style { bold: true, ..Default::default() },
            ..span("two")
        };
        let coloured = Paint { colour: true, symbols: true };
        let lines = wrap(&[span("one "), bold], 7, coloured);
        assert!(lines.len() == 1 && lines[0].contains("\u{1b}["), "{lines:?}");
    }

    #[test]
    fn an_address_is_shown_and_a_file_is_not() {
        let link = |to: &str| Span { link: Some(to.into()), ..span("here") };
        let text = |to| wrap(&[link(to)], 80, Paint::default()).join("|");
        assert_eq!(text("https://a.b/c"), "here (https://a.b/c)");
        assert_eq!(text("hadron.md"), "here");
    }

    #[test]
    fn the_widest_columns_of_a_table_give_way() {
        assert_eq!(column_widths(&[5, 30, 10], 60, 2), [5, 30, 10]);
        assert_eq!(column_widths(&[5, 30, 10], 39, 2), [5, 20, 10]);
        assert_eq!(column_widths(&[1, 1], 1, 2), [1, 1]);
    }
}
