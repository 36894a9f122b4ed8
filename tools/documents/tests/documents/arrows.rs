//! Imports between the rooms of `src` point the way that the map in `docs/architecture.md` claims.
//!
//! The one idea: the rows of the map are in order, so a room may use the rooms of the rows above
//! its own. What stands in tests alone does not count.

use std::fs;
use std::path::{Path, PathBuf};

use alesia_documents::root;

/// The rooms of `src` as the map lists them, from the bottom of the house up.
fn rooms() -> Vec<String> {
    let page = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `src/"));
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

/// Uses of rooms that stand above the one that a file is in.
fn arrows_up(file: &Path, room: &str, code: &str, rooms: &[String]) -> Vec<String> {
    let floor = |name: &str| rooms.iter().position(|room| room == name);
    let own = floor(room).unwrap_or_else(|| panic!("src/{room} is not in the map"));
    let is_up = |name: &&str| floor(name).is_some_and(|floor| floor > own);
    let up = named(code).into_iter().filter(is_up);
    up.map(|name| format!("{}: {room} uses {name}", file.display())).collect()
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
    let (src, rooms) = (root().join("src"), rooms());
    assert!(rooms.len() > 8, "{rooms:?}");
    let mut files = Vec::new();
    sources(&src, &mut files);
    let mut found = Vec::new();
    for file in files {
        let inside = file.strip_prefix(&src).unwrap();
        let room = inside.iter().next().unwrap().to_str().unwrap();
        if !room.ends_with(".rs") {
            let code = production(&fs::read_to_string(&file).unwrap());
            found.extend(arrows_up(inside, room, &code, &rooms));
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
fn no_file_of_src_is_in_no_room() {
    let entries = fs::read_dir(root().join("src")).unwrap().map(Result::unwrap);
    let files = entries.filter(|entry| entry.path().is_file());
    let mut names: Vec<String> =
        files.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["lib.rs", "main.rs"]);
}

#[test]
fn a_planted_arrow_up_is_found() {
    let rooms = ["game", "search", "net"].map(str::to_owned);
    let text = "//! crate::net\nuse crate::game::Move;\nuse crate::{net::line, game};\n\
                \n#[cfg(test)]\nmod tests {\n    use crate::net;\n}\n";
    let file = Path::new("search/x.rs");
    let found = arrows_up(file, "search", &production(text), &rooms);
    assert_eq!(found, ["search/x.rs: search uses net"]);
    assert!(arrows_up(file, "net", &production(text), &rooms).is_empty());
}
