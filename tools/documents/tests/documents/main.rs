//! Documents hold together: links lead somewhere, files exist, the README stays short. What they
//! say of the programs' options is compared in `src/cli/documents.rs` and `tools/src/documents.rs`.

mod arrows;
mod figures;

use std::path::{Component, Path, PathBuf};

use alesia_documents::{Command, Document, all, anchor, parse, root};

/// Max lines of the README.
const README_LINES: usize = 150;

#[test]
fn the_readme_is_short() {
    let lines = alesia_documents::read(Path::new("README.md")).lines;
    assert!(lines <= README_LINES, "{lines} lines, expected at most {README_LINES}");
}

/// The path without `..`, relative to the repository.
fn normal(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = parts.pop(),
            Component::CurDir => {}
            part => parts.push(part),
        }
    }
    parts
}

/// Links of a document that lead nowhere.
fn broken(document: &Document, documents: &[Document]) -> Vec<String> {
    let mut found = Vec::new();
    for (place, link) in &document.links {
        if link.starts_with("https://") || link.starts_with("http://") {
            continue;
        }
        let (file, fragment) = link.split_once('#').unwrap_or((link, ""));
        let target = match file {
            "" => document.file.clone(),
            file => normal(&document.file.parent().unwrap().join(file)),
        };
        if !root().join(&target).exists() {
            found.push(format!("{place}: {link}: no such file"));
        } else if !fragment.is_empty() {
            let aim = documents.iter().find(|document| document.file == target);
            if !aim.is_some_and(|aim| aim.anchors.iter().any(|anchor| anchor == fragment)) {
                found.push(format!("{place}: {link}: no such heading"));
            }
        }
    }
    found
}

#[test]
fn links_resolve() {
    let documents = all();
    let found: Vec<String> =
        documents.iter().flat_map(|document| broken(document, &documents)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(documents.iter().map(|document| document.links.len()).sum::<usize>() > 100);
}

/// What is wrong with a command that is not one of the project's programs.
fn fault(command: &Command) -> Option<String> {
    let root = root();
    for pair in command.words.windows(2) {
        let missing = match pair[0].as_str() {
            "--test" => ["tests", "tools/tests", "tools/properties/tests", "tools/documents/tests"]
                .iter()
                .all(|folder| {
                    !root.join(folder).join(&pair[1]).exists()
                        && !root.join(folder).join(&pair[1]).with_extension("rs").exists()
                }),
            "--bench" => !root.join("benches").join(&pair[1]).with_extension("rs").exists(),
            "--example" => !root.join("examples").join(&pair[1]).with_extension("rs").exists(),
            _ => false,
        };
        if missing {
            return Some(format!("{} {}: no such target", pair[0], pair[1]));
        }
    }
    let ours = ["tools/", ".ci/", "docs/", "src/", "tests/", "benches/", "examples/"];
    let file = |word: &&String| ours.iter().any(|folder| word.starts_with(folder));
    // `FILE.ini:NAME` is a variant in a file.
    let path = |word: &str| {
        word.split_once(".ini:").map_or(word.into(), |(path, _)| format!("{path}.ini"))
    };
    let missing = |word: &&String| !word.contains("GAME") && !root.join(path(word)).exists();
    let word = command.words.iter().filter(file).find(missing)?;
    Some(format!("{word}: no such file"))
}

#[test]
fn commands_of_other_programs_name_files_and_targets_that_exist() {
    let documents = all();
    let commands: Vec<&Command> =
        documents.iter().flat_map(|document| &document.commands).collect();
    let found: Vec<String> = commands
        .iter()
        .filter_map(|command| Some(format!("{}: {}", command.place, fault(command)?)))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
    for program in ["alesia", "alesia-lab", "cargo"] {
        assert!(commands.iter().any(|command| command.program() == program), "{program}");
    }
}

// That the checks find faults.

fn commands(text: &str) -> Vec<Vec<String>> {
    let document = parse(Path::new("page.md"), &format!("# Page\n\n```sh\n{text}\n```\n"));
    document.commands.into_iter().map(|command| command.words).collect()
}

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(String::from).collect()
}

#[test]
fn a_comment_is_not_read() {
    assert_eq!(commands("alesia play HOST PORT  # joins"), [words("alesia play HOST PORT")]);
}

#[test]
fn a_line_that_continues_is_one_command() {
    assert_eq!(commands("alesia \\\n  bench"), [words("alesia bench")]);
}

#[test]
fn both_ends_of_a_pipe_are_commands() {
    assert_eq!(commands("cat FILE | alesia sprt > x"), [words("cat FILE"), words("alesia sprt")]);
}

#[test]
fn a_command_within_quotes_is_one_too() {
    let found = commands("parallel 'alesia bench \\\n --quiet' >> x");
    assert_eq!(found[0], words("alesia bench --quiet"));
}

#[test]
fn assignments_before_a_program_are_left_out() {
    assert_eq!(commands("SEED=1 alesia bench"), [words("alesia bench")]);
}

#[test]
fn a_planted_missing_target_is_found() {
    let document = parse(Path::new("page.md"), "```sh\ncargo test --test nothing\n```\n");
    assert_eq!(fault(&document.commands[0]).unwrap(), "--test nothing: no such target");
}

#[test]
fn a_planted_missing_file_is_found() {
    let document = parse(Path::new("page.md"), "```sh\ntools/checks/nothing.sh\n```\n");
    assert_eq!(fault(&document.commands[0]).unwrap(), "tools/checks/nothing.sh: no such file");
}

#[test]
fn a_planted_broken_link_is_found() {
    let text = "# A page\n\n[a](#a-page) [b](#nothing) [c](nothing.md) [d](docs/search.md)\n";
    let document = parse(Path::new("README.md"), text);
    let expected = ["#nothing: no such heading", "nothing.md: no such file"]
        .map(|fault| format!("README.md:3: {fault}"));
    assert_eq!(broken(&document, std::slice::from_ref(&document)), expected);
}

#[test]
fn anchors_are_as_on_github() {
    assert_eq!(anchor("A `page`, or two"), "a-page-or-two");
}

/// All sources of programs and tests below a folder, in one text.
fn sources(folder: &Path, text: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "node_modules") {
            sources(&path, text);
        } else if path.extension().is_some_and(|end| end == "rs") {
            text.push_str(&std::fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn the_tests_that_the_page_on_security_names_exist() {
    let mut text = String::new();
    ["src", "tests", "tools"].iter().for_each(|folder| sources(&root().join(folder), &mut text));
    let page = std::fs::read_to_string(root().join("docs/security.md")).unwrap();
    let (_, table) = page.split_once("| shown by the test |").unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let cells = rows.map(|row| row.trim_end_matches(['|', ' ']).rsplit(" | ").next().unwrap());
    let names: Vec<&str> = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    assert!(names.len() >= 15, "{names:?}");
    for name in names {
        // Those of a macro have no `fn` before them.
        let there = [format!("fn {name}("), format!("{name}: ")];
        assert!(there.iter().any(|form| text.contains(form)), "no test {name}");
    }
}

/// The numbers of the lines of a text that are comments of more than 100 columns.
fn long_comments(text: &str) -> Vec<usize> {
    let is_long = |line: &str| {
        let words = line.trim_start();
        (words.starts_with("//") || words.starts_with("# ")) && line.chars().count() > 100
    };
    (1..).zip(text.lines()).filter(|(_, line)| is_long(line)).map(|(number, _)| number).collect()
}

/// Long comments of programs, scripts and the page below a folder.
fn long_comments_below(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        let named = |name: &str| path.file_name().is_some_and(|found| found == name);
        if path.is_dir() {
            let is_ours = !["node_modules", "target"].into_iter().any(named);
            is_ours.then(|| long_comments_below(&path, found));
        } else if path
            .extension()
            .is_some_and(|end| ["rs", "js", "sh", "py"].iter().any(|form| end == *form))
        {
            let numbers = long_comments(&std::fs::read_to_string(&path).unwrap());
            found.extend(numbers.iter().map(|number| format!("{}:{number}", path.display())));
        }
    }
}

#[test]
fn comments_fit_100_columns() {
    let mut found = Vec::new();
    for folder in ["src", "tests", "benches", "examples", "tools"] {
        long_comments_below(&root().join(folder), &mut found);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_planted_long_comment_is_found() {
    let text =
        format!("// Short.\n    // {}\nlet long = \"{}\";\n", "é".repeat(94), "x".repeat(100));
    assert_eq!(long_comments(&text), [2]);
    assert!(long_comments(&text.replacen('é', "", 1)).is_empty());
}

/// What bash says of a script that it cannot read; nothing of one that it can.
#[cfg(unix)]
fn syntax_fault(script: &Path) -> String {
    let output = std::process::Command::new("bash").arg("-n").arg(script).output().unwrap();
    String::from_utf8(output.stderr).unwrap()
}

/// Shell scripts below a folder.
#[cfg(unix)]
fn scripts(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "node_modules") {
            scripts(&path, found);
        } else if path.extension().is_some_and(|end| end == "sh") {
            found.push(path);
        }
    }
}

// Some run on few machines only, such as those that make and try the archives of a release.
#[cfg(unix)]
#[test]
fn every_shell_script_parses() {
    let mut found = vec![root().join(".ci/run")];
    scripts(&root().join("tools"), &mut found);
    assert!(found.iter().any(|script| script.ends_with("tools/release/build.sh")), "{found:?}");
    let faults: Vec<String> = found.iter().map(|script| syntax_fault(script)).collect();
    assert_eq!(faults.concat(), "");
}

#[cfg(unix)]
#[test]
fn a_planted_fault_in_a_shell_script_is_found() {
    let script = std::env::temp_dir().join(format!("fault-{}.sh", std::process::id()));
    std::fs::write(&script, "if true; then\n    echo\n").unwrap();
    let fault = syntax_fault(&script);
    std::fs::remove_file(&script).unwrap();
    assert!(fault.contains("unexpected end of file"), "{fault}");
}

/// Files that the library's sources compile in (`include_str!`), relative to the repository.
fn compiled_in(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(root().join(folder)).unwrap().map(Result::unwrap) {
        let path = folder.join(entry.file_name());
        if entry.path().is_dir() {
            compiled_in(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = std::fs::read_to_string(entry.path()).unwrap();
            for form in ["include_str!(\"", "include_bytes!(\""] {
                let names = text.split(form).skip(1).map(|rest| rest.split('"').next().unwrap());
                found.extend(names.map(|name| normal(&folder.join(name))));
            }
        }
    }
}

#[test]
fn the_librarys_package_has_what_it_compiles_in_and_no_data_of_tests() {
    let output = std::process::Command::new(env!("CARGO"))
        .args(["package", "--list", "--allow-dirty", "--offline", "-p", "alesia"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let list: Vec<PathBuf> = text.lines().map(|line| line.replace('\\', "/").into()).collect();
    let mut needed: Vec<PathBuf> =
        ["README.md", "LICENSE", "CHANGELOG.md"].map(PathBuf::from).into();
    compiled_in(Path::new("src"), &mut needed);
    assert!(needed.len() > 10, "{needed:?}");
    let missing: Vec<&PathBuf> = needed.iter().filter(|file| !list.contains(file)).collect();
    assert!(missing.is_empty(), "not in the package: {missing:?}");
    let others = ["tools", ".ci", ".cargo", "tests/data", "benches/openings", "benches/results"];
    let unwanted: Vec<&PathBuf> =
        list.iter().filter(|file| others.iter().any(|other| file.starts_with(other))).collect();
    assert!(unwanted.is_empty(), "in the package: {unwanted:?}");
}
