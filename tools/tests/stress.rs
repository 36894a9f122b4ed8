//! `alesia-lab stress` as users and scripts see it.

use std::process::Command;

#[test]
fn a_second_of_stress_has_no_illegal_move() {
    let output = Command::new(env!("CARGO_BIN_EXE_alesia-lab"))
        .args(["stress", "trees", "--seconds", "1", "--threads", "4"])
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &*errors), (Some(0), ""));
    let text = String::from_utf8(output.stdout).unwrap();
    let searches = text.strip_suffix(" searches, no illegal move\n").unwrap();
    assert!(searches.parse::<u64>().unwrap() > 0);
}
