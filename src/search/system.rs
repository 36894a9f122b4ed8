//! The available memory, where the operating system reports it.
//!
//! The one idea: read before memory is touched, since a system that overcommits ends a program that
//! uses too much. Linux reports it in files; elsewhere nothing is known, and allocation itself
//! fails.

use std::path::Path;

use super::control_group::{self, text_of};

/// Bytes that can be taken without driving anything out, by the machine and by the
/// limits of control groups on this process; none where that is not known.
pub fn available_memory() -> Option<usize> {
    let of_machine = value_in(&text_of("/proc/meminfo")?, "MemAvailable:")?;
    let of_groups = control_group::memory_left(Path::new("/")).unwrap_or(u64::MAX);
    Some(usize::try_from(of_groups.min(of_machine)).unwrap_or(usize::MAX))
}

/// This amount of memory in bytes, or half of what is [available](available_memory) where that is
/// less, in whole MiB, at least one.
pub fn at_most_half_of_available(bytes: usize) -> usize {
    at_most_half_of(available_memory(), bytes)
}

fn at_most_half_of(available: Option<usize>, bytes: usize) -> usize {
    match available {
        Some(all) if all / 2 < bytes => ((all >> 21) << 20).max(1 << 20),
        _ => bytes,
    }
}

/// Bytes in huge pages of the mapping that holds an address; none where that is not known.
pub fn huge_pages(address: usize) -> Option<u64> {
    huge_pages_in(&text_of("/proc/self/smaps")?, address)
}

/// The value in bytes of a line `name   123 kB`.
fn value_in(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// Finds the mapping in a list as in `/proc/self/smaps`: a line `from-to …` for each mapping, then
/// lines about it.
fn huge_pages_in(list: &str, address: usize) -> Option<u64> {
    let holds_address = |line: &str| {
        let range = line.split(' ').next()?.split_once('-')?;
        let bound = |text| usize::from_str_radix(text, 16).ok();
        Some((bound(range.0)?..bound(range.1)?).contains(&address))
    };
    let from = list.lines().skip_while(|line| holds_address(line) != Some(true));
    let about: Vec<&str> = from.take_while(|line| !line.starts_with("VmFlags")).collect();
    value_in(&about.join("\n"), "AnonHugePages:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn huge_pages_are_those_of_the_right_mapping() {
        let list = "1000-3000 rw-p 00000000 00:00 0 \nSize: 8 kB\nAnonHugePages:      2048 kB\n\
                    VmFlags: rd wr\n3000-5000 rw-p 00000000 00:00 0 \nSize: 8 kB\n\
                    AnonHugePages:      6144 kB\nVmFlags: rd wr\n";
        assert_eq!(huge_pages_in(list, 0x2fff), Some(2 << 20));
        assert_eq!(huge_pages_in(list, 0x3000), Some(6 << 20));
        assert_eq!(huge_pages_in(list, 0x5000), None);
        assert_eq!(huge_pages_in("", 0), None);
    }

    #[test]
    fn a_default_amount_is_halved_with_what_is_there() {
        let of = |mebibytes: Option<usize>| {
            at_most_half_of(mebibytes.map(|count| count << 20), 512 << 20) >> 20
        };
        let there = [None, Some(2048), Some(1024), Some(1023), Some(256), Some(1), Some(0)];
        assert_eq!(there.map(of), [512, 512, 512, 511, 128, 1, 1]);
    }

    #[test]
    fn values_are_read_by_name() {
        let text = "MemTotal:       24684096 kB\nMemAvailable:   24165228 kB\n";
        assert_eq!(value_in(text, "MemAvailable:"), Some(24_165_228 * 1024));
        assert_eq!(value_in(text, "SwapFree:"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_system_knows_how_much_is_there() {
        assert!(available_memory().unwrap() > 1 << 20);
        let local = 0;
        assert!(huge_pages(std::ptr::from_ref(&local).addr()).is_some());
    }
}
