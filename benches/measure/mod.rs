//! What the benches share: medians, and whether it is in earnest.

// Each bench that includes this module uses only a part of it.
#![allow(dead_code)]

/// Whether to measure: `cargo bench` does; otherwise the bench only runs briefly as a test.
pub fn in_earnest() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

/// The middle value; of an even number of them the upper.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
