//! The browser that `alesia-lab board` opens, with a program that is only called one.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::board::Server;
use crate::lab;

/// Longer than a browser is ever waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// The page of `alesia-lab board` with more arguments, where the browser is a script in this folder
/// that writes down its address; at a terminal of a desktop, or with a pipe for a terminal.
fn page(folder: &Path, arguments: &str, terminal: bool) -> Server {
    let (browser, asked) = (folder.join("xdg-open"), folder.join("asked"));
    let asked = asked.display();
    fs::write(&browser, format!("#!/bin/sh\necho \"$1\" >{asked}.new; mv {asked}.new {asked}\n"))
        .unwrap();
    fs::set_permissions(&browser, PermissionsExt::from_mode(0o755)).unwrap();
    let words = format!("exec {} board --port 0 {arguments}", env!("CARGO_BIN_EXE_alesia-lab"));
    let mut command = Command::new(if terminal { "script" } else { "sh" });
    command.args(if terminal { ["-qc", &words, "/dev/null"] } else { ["-c", &words, "sh"] });
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    command.env("PATH", path).env("DISPLAY", ":0");
    for variable in ["ALESIA_TOKEN", "SSH_CONNECTION", "SSH_TTY"] {
        command.env_remove(variable);
    }
    Server::run(command)
}

#[test]
fn the_page_opens_in_a_browser_at_a_terminal() {
    let folder = lab::fresh_folder("browser");
    let server = page(&folder, "", true);
    let end = Instant::now() + PATIENCE;
    while !folder.join("asked").exists() && Instant::now() < end {
        sleep(Duration::from_millis(2));
    }
    let asked = fs::read_to_string(folder.join("asked")).unwrap();
    assert_eq!(asked, format!("http://{}/\n", server.host));
}

#[test]
fn no_browser_opens_where_nobody_wants_it() {
    for (index, (arguments, terminal)) in
        [("", false), ("--no-open", true), ("--token choose-8-or-more", true)].iter().enumerate()
    {
        let folder = lab::fresh_folder(&format!("no-browser-{index}"));
        let server = page(&folder, arguments, *terminal);
        // The browser is asked before the first answer.
        let token = server.token.as_ref().map(|token| format!("?token={token}"));
        assert!(server.get(&format!("/{}", token.unwrap_or_default())).status < 400);
        sleep(Duration::from_millis(50));
        assert!(!folder.join("asked").exists(), "{arguments}");
    }
}
