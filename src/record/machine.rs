//! The machine that a figure was measured on.
//!
//! The one idea: a speed means nothing without the processor, the cores and what else they did, so
//! these are written with every figure. What the system does not say is left out.

use std::env;
use std::fs;
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use serde::Serialize;

/// What the system says of the machine, now.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Machine {
    /// Its name in its network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The processor's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processor: Option<String>,
    /// Logical cores that this process may use.
    pub cores: usize,
    /// Name and release of the system's kernel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernel: Option<String>,
    /// All memory of the machine, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Mean number of processes that ran or waited to, over 1, 5 and 15 minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load: Option<[f64; 3]>,
}

impl Machine {
    /// The machine as it is now, by Linux's `/proc`; elsewhere by the environment's variables.
    pub fn now() -> Machine {
        let text = |path: &str| fs::read_to_string(path).ok();
        let line = |path: &str| text(path).map(|text| text.trim().to_owned());
        let variable = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        let kernel = match (line("/proc/sys/kernel/ostype"), line("/proc/sys/kernel/osrelease")) {
            (Some(name), Some(release)) => Some(format!("{name} {release}")),
            _ => variable("OS").or(Some(env::consts::OS.to_owned())),
        };
        Machine {
            host: line("/proc/sys/kernel/hostname")
                .or_else(|| variable("COMPUTERNAME"))
                .or_else(|| variable("HOSTNAME")),
            processor: text("/proc/cpuinfo")
                .and_then(|text| processor_in(&text))
                .or_else(|| variable("PROCESSOR_IDENTIFIER")),
            cores: available_parallelism().map_or(1, NonZeroUsize::get),
            kernel,
            memory: text("/proc/meminfo").and_then(|text| memory_in(&text)),
            load: text("/proc/loadavg").and_then(|text| load_in(&text)),
        }
    }
}

/// The name of the first processor; on some ARM machines, that of the board.
fn processor_in(text: &str) -> Option<String> {
    ["model name", "Hardware", "Model"].into_iter().find_map(|key| {
        text.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            (name.trim() == key).then(|| value.split_whitespace().collect::<Vec<_>>().join(" "))
        })
    })
}

fn memory_in(text: &str) -> Option<u64> {
    let value = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = value.trim().strip_suffix(" kB")?.parse().ok()?;
    kibibytes.checked_mul(1 << 10)
}

fn load_in(text: &str) -> Option<[f64; 3]> {
    let mut numbers = text.split(' ').map(|word| word.parse().ok());
    Some([numbers.next()??, numbers.next()??, numbers.next()??])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_linux_are_understood() {
        let processors = "processor\t: 0\nmodel name\t: AMD  EPYC 7B13\nprocessor\t: 1\n";
        assert_eq!(processor_in(processors).as_deref(), Some("AMD EPYC 7B13"));
        assert_eq!(processor_in("Hardware\t: BCM2835\n").as_deref(), Some("BCM2835"));
        assert_eq!(processor_in("nothing"), None);
        assert_eq!(memory_in("MemTotal:       16384 kB\nMemFree: 1 kB\n"), Some(16 << 20));
        assert_eq!(memory_in("MemTotal: a lot\n"), None);
        assert_eq!(load_in("0.50 1.25 3.00 2/300 99\n"), Some([0.5, 1.25, 3.0]));
        assert_eq!(load_in("0.50 1.25\n"), None);
    }

    #[test]
    fn something_is_known_of_any_machine() {
        let machine = Machine::now();
        assert!(machine.cores > 0 && machine.kernel.is_some());
    }
}
