//! What this process holds of the system: memory, descriptors, threads.

use std::fs;

/// What is held at a moment; none of what the system does not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Resident memory in bytes.
    pub memory: Option<u64>,
    /// Open files and sockets.
    pub descriptors: Option<usize>,
    /// Threads.
    pub threads: Option<usize>,
}

impl Resources {
    /// What is held now, as Linux tells it in its files.
    pub fn now() -> Resources {
        let count = |folder: &str| fs::read_dir(folder).ok().map(Iterator::count);
        Resources {
            memory: resident(),
            descriptors: count("/proc/self/fd"),
            threads: count("/proc/self/task"),
        }
    }
}

fn resident() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let value = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = value.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes << 10)
}
