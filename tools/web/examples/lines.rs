//! Answers lines of JSON from the standard input, natively, as the WebAssembly module does.

use std::io::{BufRead, Write, stdin, stdout};

use alesia_web::Session;

fn main() -> std::io::Result<()> {
    let mut session = Session::default();
    for line in stdin().lock().lines() {
        let answer = session.ask(&line?, &mut |_| {});
        writeln!(stdout(), "{answer}")?;
    }
    Ok(())
}
