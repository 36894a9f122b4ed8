//! Running the lab as its users do.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// Runs `alesia-lab` with these words.
pub fn run<S: AsRef<std::ffi::OsStr>>(words: impl IntoIterator<Item = S>) -> Output {
    Command::new(env!("CARGO_BIN_EXE_alesia-lab")).args(words).output().unwrap()
}

/// A file of this test's own, which is not there yet.
pub fn fresh_file(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
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
