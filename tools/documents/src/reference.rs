//! The page of all commands and options, `docs/cli.md`, written from the parsers of the programs.
//!
//! The one idea: an option is a line, and a line that three commands or more have stands once.

use std::collections::BTreeMap;
use std::{env, fs};

use clap::{Arg, Command};

use super::root;

/// Compares a program's part of the page with its parser; writes it where `UPDATE` is set in the
/// environment. Returns what is wrong.
pub fn reference_fault(mut command: Command) -> Option<String> {
    command.build();
    let file = root().join("docs/cli.md");
    let page = fs::read_to_string(&file).expect("the page");
    let expected = with_part(&page, &part(&command));
    if env::var_os("UPDATE").is_some() {
        fs::write(&file, &expected).expect("written");
        return None;
    }
    let name = command.get_name();
    let fault = format!("docs/cli.md: found other options than {name} has; write it by UPDATE=1");
    (page != expected).then_some(fault)
}

/// The page with the part of one program replaced: from its heading to that of the next program.
fn with_part(page: &str, part: &str) -> String {
    let heading = part.lines().next().unwrap_or_default();
    let start = page.find(&format!("{heading}\n")).unwrap_or(page.len());
    let rest = &page[start..];
    let end = rest.find("\n## ").map_or(page.len(), |end| start + end + 1);
    let between = if end < page.len() { "\n" } else { "" };
    format!("{}{part}{between}{}", &page[..start], &page[end..])
}

/// All commands below one that help shows, each with its words.
fn commands<'a>(words: &str, command: &'a Command, found: &mut Vec<(String, &'a Command)>) {
    found.push((words.to_string(), command));
    for below in command.get_subcommands() {
        if !below.is_hide_set() && below.get_name() != "help" {
            commands(&format!("{words} {}", below.get_name()), below, found);
        }
    }
}

/// A program's part of the page.
fn part(program: &Command) -> String {
    let mut all = Vec::new();
    commands(program.get_name(), program, &mut all);
    let mut times = BTreeMap::new();
    let lines = all.iter().flat_map(|(_, command)| options(command)).map(|(_, line)| line);
    lines.for_each(|line| *times.entry(line).or_insert(0) += 1);
    let is_shared = |line: &String| times[line] >= 3;
    let mut shared: Vec<String> = Vec::new();
    let mut text = String::new();
    for (words, command) in &all {
        let (ours, others): (Vec<_>, Vec<_>) =
            options(command).into_iter().partition(|(_, line)| !is_shared(line));
        let names: Vec<String> = others.iter().map(|(name, _)| format!("`{name}`")).collect();
        for (_, line) in others {
            if !shared.contains(&line) {
                shared.push(line);
            }
        }
        text += &format!("\n### `{words}`\n\n");
        text += &paragraph(&command.get_about().map(ToString::to_string).unwrap_or_default());
        let usage = Command::clone(command).render_usage().to_string();
        text += &format!("\n```text\n{}\n```\n", usage.trim_start_matches("Usage: "));
        if !ours.is_empty() {
            let lines: Vec<String> = ours.into_iter().map(|(_, line)| line).collect();
            text += &format!("\n{}\n", lines.join("\n"));
        }
        if !names.is_empty() {
            text += &format!("\nAlso {}.\n", names.join(", "));
        }
        let after = command.get_after_long_help().or(command.get_after_help());
        if let Some(after) = after.filter(|_| command.get_name() != program.get_name()) {
            text += &format!("\n```text\n{}\n```\n", after.to_string().trim());
        }
    }
    let name = program.get_name();
    let mut part = format!("## `{name}`\n");
    if !shared.is_empty() {
        part += "\nOptions of several commands, which name them after *Also*:\n\n";
        part += &format!("{}\n", shared.join("\n"));
    }
    part + &text
}

/// The arguments of a command that help shows, each with its name and its line.
fn options(command: &Command) -> Vec<(String, String)> {
    let shown = command.get_arguments().filter(|argument| {
        !argument.is_hide_set() && !["help", "version"].contains(&argument.get_id().as_str())
    });
    shown.map(|argument| (name(argument), line(argument))).collect()
}

/// An argument as it is typed, without its value.
fn name(argument: &Arg) -> String {
    match (argument.get_long(), argument.get_short()) {
        (Some(long), _) => format!("--{long}"),
        (None, Some(short)) => format!("-{short}"),
        (None, None) => values(argument),
    }
}

/// What stands for the values of an argument.
fn values(argument: &Arg) -> String {
    let names = argument.get_value_names().unwrap_or_default();
    names.iter().map(ToString::to_string).collect::<Vec<String>>().join(" ")
}

/// The line of an argument: how it is typed, and what it means.
fn line(argument: &Arg) -> String {
    let mut typed = name(argument);
    if let (Some(short), Some(_)) = (argument.get_short(), argument.get_long()) {
        typed = format!("-{short}, {typed}");
    }
    let mut more = String::new();
    if argument.get_action().takes_values() {
        if argument.get_long().is_some() || argument.get_short().is_some() {
            typed += &format!(" {}", values(argument));
        }
        let described = argument.get_possible_values();
        let described = described.iter().filter(|value| !value.is_hide_set()).map(|value| {
            let help = value.get_help().map(|help| format!(" ({help})"));
            format!("`{}`{}", value.get_name(), help.unwrap_or_default())
        });
        let described: Vec<String> = described.collect();
        if !described.is_empty() {
            more += &format!(" One of {}.", described.join(", "));
        }
        let defaults = argument.get_default_values().iter().map(|value| value.to_string_lossy());
        let defaults: Vec<_> = defaults.collect();
        if !defaults.is_empty() && !argument.is_hide_default_value_set() {
            more += &format!(" [default: {}]", defaults.join(" "));
        }
    }
    let help = argument.get_long_help().or(argument.get_help());
    let help = paragraph(&help.map(ToString::to_string).unwrap_or_default());
    format!("- `{typed}`: {}{more}", help.trim_end())
}

/// Help in one line. A list in it, such as that of the search's parameters, has a page of its own.
fn paragraph(help: &str) -> String {
    let kept = help.split("\n\n").filter(|text| text.trim().lines().count() == 1);
    let text = kept.map(str::trim).collect::<Vec<&str>>().join(" ");
    let end = if text.ends_with(['.', ']']) { "" } else { "." };
    format!("{text}{end}\n")
}
