//! The `alesia` command: see `alesia --help`.

mod cli;

use std::process::ExitCode;

use alesia::words::stack::with_enough_stack;

fn main() -> ExitCode {
    with_enough_stack(|| cli::run(std::env::args_os()))
}
