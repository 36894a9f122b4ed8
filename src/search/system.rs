//! The available memory, where the operating system reports it.
//!
//! The one idea: read before memory is touched, since a system that overcommits ends a program that
//! uses too much. Linux reports it in files; elsewhere nothing is known, and allocation itself
//! fails.

/// Bytes that can be taken without driving anything out; none where that is not known.
pub fn available_memory() -> Option<usize> {
    let of_machine = value_in(&text_of("/proc/meminfo")?, "MemAvailable:")?;
    let bytes = match left_in_control_group() {
        Some(left) => left.min(of_machine),
        None => of_machine,
    };
    Some(usize::try_from(bytes).unwrap_or(usize::MAX))
}

/// Bytes in huge pages of the mapping that holds an address; none where that is not known.
pub fn huge_pages(address: usize) -> Option<u64> {
    huge_pages_in(&text_of("/proc/self/smaps")?, address)
}

fn text_of(path: &str) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

/// Bytes left to the control group of this process (version 2, as in containers), if it has a
/// limit. Its page cache counts as left.
fn left_in_control_group() -> Option<u64> {
    let limit: u64 = text_of("/sys/fs/cgroup/memory.max")?.trim().parse().ok()?;
    let used: u64 = text_of("/sys/fs/cgroup/memory.current")?.trim().parse().ok()?;
    let statistics = text_of("/sys/fs/cgroup/memory.stat")?;
    let file = statistics.lines().find_map(|line| line.strip_prefix("file ")?.parse().ok());
    Some(limit.saturating_sub(used.saturating_sub(file.unwrap_or(0))))
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
