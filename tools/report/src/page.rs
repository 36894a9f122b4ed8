//! The page: its frame, and a section for each part of each file.
//!
//! The one idea: one file that needs nothing else, readable without scripts, on paper and in the
//! dark.

use alesia::game::counted;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::run::Rows;
use crate::sections::{cores, deadline, games, machine, scale, small, soak, tune};
use crate::source::{Part, Source};

const STYLE: &str = include_str!("page.css");

/// The page about some files. `program` is the name and version of what made it.
/// `predicted` are the numbers of cores for which the speed is predicted.
pub fn page(sources: &[Source], program: &str, predicted: &[u32]) -> String {
    let sections: Vec<(String, Markup)> =
        sources.iter().flat_map(|source| sections(source, predicted)).collect();
    let names: Vec<&str> = sources.iter().map(|source| &*source.name).collect();
    let title = format!("Report: {}", names.join(", "));
    let body = html! {
        main {
            @if sections.len() > 1 {
                h1 { "Report" }
                nav aria-label="Sections" {
                    ol {
                        @for (number, (title, _)) in (1..).zip(&sections) {
                            li { a href={ "#section-" (number) } { (title) } }
                        }
                    }
                }
            }
            @for (number, (title, content)) in (1..).zip(&sections) {
                section id={ "section-" (number) } {
                    h2 { (title) }
                    (content)
                }
            }
            footer { "Written by " (program) ". Intervals are of 95 % confidence." }
        }
    };
    document(&title, STYLE, body)
}

/// A page with a style of its own, that needs no other file.
pub fn document(title: &str, style: &str, body: Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(style)) }
            }
            body { (body) }
        }
    };
    // Characters that no page may have, such as those that move a terminal's cursor.
    let is_allowed = |c: char| !c.is_control() || matches!(c, '\n' | '\t');
    page.into_string().chars().map(|c| if is_allowed(c) { c } else { '\u{fffd}' }).collect()
}

/// The parts of a file, with their titles.
fn sections(source: &Source, predicted: &[u32]) -> Vec<(String, Markup)> {
    let part = |part: &Part| match part {
        Part::Games(games) => games::section(games),
        Part::Run(run) => {
            let (title, content) = match &run.rows {
                Rows::Trees(rows) => scale::of_trees(rows),
                Rows::Threads(rows) => {
                    let (title, content) = scale::of_threads(rows);
                    (title, html! { (content) (cores::section(rows, run.head.cores, predicted)) })
                }
                Rows::Deadline(rows) => deadline::section(rows),
                Rows::Soak(rows) => soak::section(rows),
                Rows::Searches(rows) => small::searches(rows),
                Rows::Tune(rows) => tune::section(rows),
                Rows::Unknown(rows) => small::unknown(&run.head.run, *rows),
            };
            (title, html! { (machine(&run.head)) (content) })
        }
        Part::Strength(strength) => strength.section(),
    };
    let last = source.parts.len();
    let noted = |(number, (title, content)): (usize, (String, Markup))| {
        let again = match &source.parts[number - 1] {
            Part::Games(games) => games.again,
            Part::Run(_) | Part::Strength(_) => 0,
        };
        let content = html! {
            p.note {
                (source.name)
                @if number == last && source.is_cut {
                    ": the last line is cut short, and left out"
                }
                @if number == last && source.pieces > 0 {
                    ": " (counted(source.pieces, "piece")) " of records left out"
                }
                @if again > 0 {
                    ": " (counted(again, "game")) " played again, and counted once"
                }
            }
            (content)
        };
        (title, content)
    };
    (1..).zip(source.parts.iter().map(part)).map(noted).collect()
}
