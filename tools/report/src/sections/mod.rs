//! The sections of the page, one file for each kind of content, and what they share.

pub mod cores;
pub mod deadline;
pub mod games;
mod mini;
pub mod scale;
pub mod small;
pub mod soak;
pub mod tune;

use maud::{Markup, html};

use crate::run::Head;
use crate::sample::{Sample, short};

/// Points of a line beyond which it would only be a longer page.
pub const MAX_POINTS: usize = 300;

/// Facts with their names, those that are empty left out.
pub fn facts(class: &str, facts: &[(&str, String)]) -> Markup {
    html! {
        dl class={ "facts " (class) } {
            @for (name, value) in facts.iter().filter(|(_, value)| !value.is_empty()) {
                div { dt { (name) } dd { (value) } }
            }
        }
    }
}

/// A table of texts below heads; the first column is of names.
pub fn table(heads: &[&str], rows: &[Vec<String>]) -> Markup {
    html! {
        div.wide {
            table {
                thead { tr { @for head in heads { th { (head) } } } }
                tbody {
                    @for row in rows {
                        tr {
                            @for (number, cell) in row.iter().enumerate() {
                                td class=[(number == 0).then_some("name")] { (cell) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Where and when a run was made.
pub fn machine(head: &Head) -> Markup {
    let Head {
        date, program, commit, host, processor, cores, kernel, memory, load, command, ..
    } = head;
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let date = date.replace('T', " ").replace('Z', " UTC");
    let memory = memory.map_or_else(String::new, |bytes| {
        format!("{:.1} GiB", bytes as f64 / (1_u64 << 30) as f64)
    });
    let load = load.map_or_else(String::new, |load| load.map(short).join(", "));
    let cores = cores.map_or_else(String::new, |cores| cores.to_string());
    html! {
        @if !command.is_empty() { p.note { code { (command_line(command)) } } }
        (facts("", &[
            ("Date", date),
            ("Program", program.clone()),
            ("Commit", text(commit)),
            ("Host", text(host)),
            ("Processor", text(processor)),
            ("Cores", cores),
            ("Memory", memory),
            ("Load before (1, 5, 15 min)", load),
            ("System", text(kernel)),
        ]))
    }
}

/// The words of a command, in quotes where a shell wants them; the program without its folder.
fn command_line(words: &[String]) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=.,/:+@%".contains(c);
    let word = |(number, word): (usize, &String)| match number {
        0 => word.rsplit(['/', '\\']).next().unwrap_or_default().to_owned(),
        _ if !word.is_empty() && word.chars().all(plain) => word.clone(),
        _ => format!("'{}'", word.replace('\'', r"'\''")),
    };
    words.iter().enumerate().map(word).collect::<Vec<_>>().join(" ")
}

/// The heads of [`spread`].
pub const SPREAD: [&str; 5] = ["count", "p50", "p99", "p99.9", "max"];

/// How many values there are, their quantiles and the greatest.
pub fn spread(sample: &Sample) -> Vec<String> {
    let quantiles = [0.5, 0.99, 0.999, 1.0];
    let shown = |share| sample.quantile(share).map_or("-".to_owned(), short);
    let count = std::iter::once(sample.values().len().to_string());
    count.chain(quantiles.map(shown)).collect()
}

/// The names of something, each once, in the order in which they come.
pub fn names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut found = Vec::new();
    for name in names {
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_can_be_copied_into_a_shell() {
        let words = ["/usr/bin/alesia-lab", "match", "args=a b", "", "it's", "nodes=9"];
        assert_eq!(
            command_line(&words.map(str::to_owned)),
            r"alesia-lab match 'args=a b' '' 'it'\''s' nodes=9"
        );
    }
}
