//! Running the lab as its users do.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The folder in which all programs run, wherever the tests do. At the root of the sources some
/// commands have a place for their results, and would work for hours and overwrite it.
pub const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

/// `alesia-lab`, to be run.
pub fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alesia-lab"));
    command.current_dir(FOLDER);
    command
}

/// Runs `alesia-lab` with these words.
pub fn run<S: AsRef<std::ffi::OsStr>>(words: impl IntoIterator<Item = S>) -> Output {
    command().args(words).output().unwrap()
}

/// Starts `alesia-lab` with these words, its outputs in pipes.
#[cfg(unix)]
pub fn start<S: AsRef<std::ffi::OsStr>>(words: impl IntoIterator<Item = S>) -> std::process::Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alesia-lab"));
    let pipe = std::process::Stdio::piped;
    command.args(words).stdout(pipe()).stderr(pipe()).spawn().unwrap()
}

/// Sends a signal, such as `INT`.
#[cfg(unix)]
pub fn signal(process: u32, name: &str) {
    let words = ["-s", name, &process.to_string()].map(str::to_owned);
    assert!(Command::new("kill").args(words).status().unwrap().success());
}

/// Waits until something holds.
#[cfg(unix)]
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let begin = std::time::Instant::now();
    while !holds() {
        assert!(begin.elapsed().as_secs() < 60, "waited in vain until {what}");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

/// A file of this test's own, which is not there yet.
pub fn fresh_file(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path
}

/// A folder of this test's own, which is empty.
pub fn fresh_folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// Standard output and standard error.
pub fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

/// The player's program, built as the lab is.
pub fn player() -> &'static str {
    static PLAYER: OnceLock<String> = OnceLock::new();
    PLAYER.get_or_init(|| {
        let path = Path::new(env!("CARGO_BIN_EXE_alesia-lab"))
            .with_file_name(format!("alesia{}", std::env::consts::EXE_SUFFIX));
        let folder = path.parent().unwrap();
        // Selected as by `cargo test --workspace`, which has built it with the same features of all
        // dependencies; `cargo build` would build most of them again. It comes with any test.
        let mut build = Command::new(env!("CARGO"));
        build.current_dir(FOLDER);
        build.args(["test", "--quiet", "--locked", "--workspace", "--no-run"]);
        build.args(["--test", "no_allocation"]);
        if folder.ends_with("release") {
            build.arg("--release");
        }
        build.arg("--target-dir").arg(folder.parent().unwrap());
        assert!(build.status().unwrap().success());
        path.display().to_string()
    })
}

/// These name no place for their results.
#[test]
fn the_tests_are_the_same_in_any_folder() {
    let root = Path::new(FOLDER).parent().unwrap();
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", "book::unusable_arguments_are_reported_in_one_line"]);
    again.arg("tune::unusable_arguments_are_reported_in_one_line").current_dir(root);
    let mut child = again.stdout(Stdio::piped()).spawn().unwrap();
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > Duration::from_secs(120) {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert!(text.contains("test result: ok. 2 passed"), "{text}");
}
