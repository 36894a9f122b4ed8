//! What this process holds of the system: memory, descriptors, threads.

use std::fs;
use std::thread;
use std::time::Duration;

/// The time between two measurements, and their max number.
const LOOK_TIME: Duration = Duration::from_millis(50);
const MAX_LOOKS: usize = 100;

/// What the process holds at a moment; none where the system does not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Resident memory in bytes.
    pub memory: Option<u64>,
    pub descriptors: Option<usize>,
    pub threads: Option<usize>,
}

impl Resources {
    /// The resources in use when nothing is about to end any more: a joined thread is still counted
    /// for a moment.
    pub fn at_rest() -> Resources {
        let mut last = Resources::now();
        for _ in 0..MAX_LOOKS {
            thread::sleep(LOOK_TIME);
            let now = Resources::now();
            if (now.descriptors, now.threads) == (last.descriptors, last.threads) {
                return now;
            }
            last = now;
        }
        last
    }

    /// What the process holds now, by Linux's `/proc`.
    fn now() -> Resources {
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
