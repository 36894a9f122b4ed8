//! Seeds of many streams of random numbers from one.

/// The seed of one of many streams.
pub fn seed_of(seed: u64, stream: u64) -> u64 {
    // Multiples of an odd constant near 2^64 / golden ratio are far apart (Knuth, TAOCP 6.4).
    seed ^ stream.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
