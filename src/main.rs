//! The `alesia` command.

fn main() {}
