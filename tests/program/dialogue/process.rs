//! The program as a separate process.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A process that ends with its owner.
pub struct Process(pub Child);

impl Process {
    /// Starts a command of the program; also returns the lines it prints.
    pub fn start(arguments: &str) -> (Process, impl Iterator<Item = String> + use<>) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_alesia"))
            .args(arguments.split_whitespace())
            .env_remove("RUST_LOG")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        (Process(child), lines)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
