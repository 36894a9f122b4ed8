//! Imports between the rooms of a crate point the way that the map in `docs/architecture.md` has.
//!
//! The one idea: a room is a folder of the crate. The rows of the map are in order, so a room may
//! use the rooms of the rows above its own. What stands in tests alone does not count.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use alesia_documents::root;

/// The folders whose rooms the map lists, and the files in them that are in no room.
const HOUSES: [(&str, &[&str]); 3] = [
    ("src", &["lib.rs", "main.rs"]),
    ("tools/match/src", &["lib.rs"]),
    ("tools/board/src", &["lib.rs"]),
];

/// The rooms of a folder as the map lists them, from the bottom of the house up.
fn rooms(folder: &str) -> Vec<String> {
    let page = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let beginning = format!("| `{folder}/");
    let rows = page.lines().filter_map(|line| line.strip_prefix(&beginning));
    rows.map(|row| row.split('/').next().unwrap().to_owned()).collect()
}

/// The code of a source file without comments and without what only tests use.
fn production(text: &str) -> String {
    let before_tests = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap();
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    before_tests.lines().filter(is_code).collect::<Vec<&str>>().join("\n")
}

/// The rooms that some code names after `crate::`, in braces too.
fn named(code: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let pieces = code.split("crate::").skip(1);
    let names = pieces.flat_map(|piece| match piece.strip_prefix('{') {
        None => vec![piece.split(|c| !is_word(c)).next().unwrap()],
        Some(list) => {
            let mut depth = 0;
            let end = list.find(|c| {
                depth += i32::from(c == '{') - i32::from(c == '}');
                depth < 0
            });
            let list = &list[..end.unwrap_or(list.len())];
            list.split(',').map(|item| item.trim().split(|c| !is_word(c)).next().unwrap()).collect()
        }
    });
    names.collect()
}

/// The code of a file in which each path to the root of its crate, also by `super`, is `crate`.
fn from_the_root(inside: &Path, code: &str) -> String {
    let folders = inside.components().count() - 1;
    let depth = if inside.ends_with("mod.rs") { folders } else { folders + 1 };
    code.replace(&"super::".repeat(depth), "crate::")
}

/// Uses of rooms that stand above the one that a file is in.
fn arrows_up(inside: &Path, code: &str, rooms: &[String]) -> Vec<String> {
    let room = inside.iter().next().unwrap().to_str().unwrap();
    let floor = |name: &str| rooms.iter().position(|room| room == name);
    let own = floor(room).unwrap_or_else(|| panic!("{room} is not in the map"));
    let is_up = |name: &&str| floor(name).is_some_and(|floor| floor > own);
    let code = from_the_root(inside, code);
    let up = named(&code).into_iter().filter(is_up);
    up.map(|name| format!("{}: {room} uses {name}", inside.display())).collect()
}

/// The Rust files below a folder that are no tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        let name = entry.file_name().into_string().unwrap();
        // The simulation of `net` is compiled for tests alone.
        if path.is_dir() && !["tests", "simulation"].contains(&&*name) {
            sources(&path, found);
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
            found.push(path);
        }
    }
}

#[test]
fn imports_point_the_way_the_map_says() {
    let mut found = Vec::new();
    for (folder, outside) in HOUSES {
        let (house, rooms) = (root().join(folder), rooms(folder));
        let mut files = Vec::new();
        sources(&house, &mut files);
        for file in files {
            let inside = file.strip_prefix(&house).unwrap();
            if !outside.iter().any(|name| inside == Path::new(name)) {
                let code = production(&fs::read_to_string(&file).unwrap());
                let up = arrows_up(inside, &code, &rooms);
                found.extend(up.into_iter().map(|arrow| format!("{folder}/{arrow}")));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn definitions_are_read_without_what_plays_them() {
    let folder = root().join("src/games/variant/read");
    let mut files = Vec::new();
    sources(&folder, &mut files);
    assert!(files.len() > 8, "{files:?}");
    for file in files {
        let code = production(&fs::read_to_string(&file).unwrap());
        for part in ["::play", "library", "guide"] {
            assert!(!code.contains(part), "{} names {part}", file.display());
        }
    }
}

#[test]
fn each_folder_is_a_room_of_the_map_and_no_source_is_outside() {
    for (folder, outside) in HOUSES {
        let entries = fs::read_dir(root().join(folder)).unwrap().map(Result::unwrap);
        let (rooms_there, files): (Vec<PathBuf>, Vec<PathBuf>) =
            entries.map(|entry| entry.path()).partition(|path| path.is_dir());
        let named = |paths: Vec<PathBuf>| -> BTreeSet<String> {
            let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
            paths.iter().map(name).collect()
        };
        assert_eq!(named(rooms_there), rooms(folder).into_iter().collect(), "rooms of {folder}");
        let sources = named(files).into_iter().filter(|name| name.ends_with(".rs"));
        assert_eq!(sources.collect::<Vec<String>>(), outside, "{folder}");
    }
}

#[test]
fn a_planted_arrow_up_is_found() {
    let rooms = ["game", "search", "net"].map(str::to_owned);
    let text = "//! crate::net\nuse crate::game::Move;\nuse crate::{net::line, game};\n\
                \n#[cfg(test)]\nmod tests {\n    use crate::net;\n}\n";
    let arrows = |file: &str, text: &str| arrows_up(Path::new(file), &production(text), &rooms);
    assert_eq!(arrows("search/x.rs", text), ["search/x.rs: search uses net"]);
    assert!(arrows("net/x.rs", text).is_empty());
    assert_eq!(arrows("search/mod.rs", "use super::net;"), ["search/mod.rs: search uses net"]);
    let deep = "use super::net;\nuse super::super::net::line;";
    assert_eq!(arrows("search/x.rs", deep), ["search/x.rs: search uses net"]);
}
