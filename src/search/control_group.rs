//! The memory that the control groups of this process leave it, on Linux.
//!
//! The one idea: a process is in a group within groups, as in containers, systemd's scopes and
//! Slurm's jobs, and each may have a limit. So all are looked at, from the process's own up to the
//! outermost that is visible, and the smallest rest counts. Version 2 has one tree of groups,
//! version 1 a tree of its own for memory; a system can have both.

use std::path::{Component, Path, PathBuf};

/// The names of one version's files.
struct Version {
    /// Where its tree of groups may be mounted.
    mounts: &'static [&'static str],
    /// Beyond a limit the system slows the group down or ends a process of it.
    limits: &'static [&'static str],
    used: &'static str,
    /// The page cache of the group, in `memory.stat`, which counts as left.
    cache: [&'static str; 2],
}

const V1: Version = Version {
    mounts: &["sys/fs/cgroup/memory"],
    limits: &["memory.limit_in_bytes"],
    used: "memory.usage_in_bytes",
    cache: ["total_inactive_file", "total_active_file"],
};

const V2: Version = Version {
    mounts: &["sys/fs/cgroup", "sys/fs/cgroup/unified"],
    limits: &["memory.max", "memory.high"],
    used: "memory.current",
    cache: ["inactive_file", "active_file"],
};

/// A file of text, if it can be read.
pub fn text_of(path: impl AsRef<Path>) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

/// Bytes left to this process by its control groups; none where none has a limit. `root` is the
/// root of the file system, or what stands for it in a test.
pub fn memory_left(root: &Path) -> Option<u64> {
    let groups = text_of(root.join("proc/self/cgroup"))?;
    groups.lines().filter_map(|line| left_by(root, line)).min()
}

/// Bytes left by one line of `/proc/self/cgroup`: `0::/PATH` in version 2, `N:CONTROLLERS:/PATH` in
/// version 1.
fn left_by(root: &Path, line: &str) -> Option<u64> {
    let (number, rest) = line.split_once(':')?;
    let (controllers, path) = rest.split_once(':')?;
    let version = match controllers {
        "" if number == "0" => V2,
        _ if controllers.split(',').any(|name| name == "memory") => V1,
        _ => return None,
    };
    let mounts = version.mounts.iter().map(|mount| root.join(mount));
    mounts.filter_map(|mount| left_below(&mount, path, &version)).min()
}

/// The smallest rest of a group and of those around it. A path that leads out of what is mounted,
/// as where a container sees only its own group, leaves the mounted one.
fn left_below(mount: &Path, path: &str, version: &Version) -> Option<u64> {
    let names = Path::new(path).components().filter(|part| *part != Component::RootDir);
    let inside = names.clone().all(|part| matches!(part, Component::Normal(_)));
    let own: PathBuf = if inside { names.collect() } else { PathBuf::new() };
    // A path relative to the mount has the empty one, the mount itself, as its last ancestor.
    own.ancestors().filter_map(|group| left_in(&mount.join(group), version)).min()
}

/// Bytes left in one group, if it is visible and has a limit.
fn left_in(group: &Path, version: &Version) -> Option<u64> {
    let number = |name: &&str| text_of(group.join(name))?.trim().parse::<u64>().ok();
    let limit = version.limits.iter().filter_map(number).min()?;
    let statistics = text_of(group.join("memory.stat")).unwrap_or_default();
    let value = |name| {
        let line = statistics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line?.trim().parse::<u64>().ok()
    };
    let cache: u64 = version.cache.into_iter().filter_map(value).sum();
    let used = number(&version.used).unwrap_or(0).saturating_sub(cache);
    Some(limit.saturating_sub(used))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A file system of these files, in a folder that goes with it.
    struct Files(PathBuf);

    impl Files {
        fn new(name: &str, files: &[(&str, &str)]) -> Files {
            let folder = format!("alesia-groups-{name}-{}", std::process::id());
            let root = std::env::temp_dir().join(folder);
            for (path, text) in files {
                let path = root.join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            Files(root)
        }

        fn left(&self) -> Option<u64> {
            memory_left(&self.0)
        }
    }

    impl Drop for Files {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn of_nested_scopes_of_version_2_the_smallest_rest_counts() {
        let slice = "sys/fs/cgroup/user.slice";
        let with_limits = |outer: &str, inner: &str, high: &str| {
            let files = Files::new(
                "nested",
                &[
                    ("proc/self/cgroup", "0::/user.slice/run-7.scope\n"),
                    (&format!("{slice}/memory.max"), outer),
                    (&format!("{slice}/memory.current"), "5000\n"),
                    (
                        &format!("{slice}/memory.stat"),
                        "anon 3500\ninactive_file 1000\nactive_file 500\n",
                    ),
                    (&format!("{slice}/run-7.scope/memory.max"), inner),
                    (&format!("{slice}/run-7.scope/memory.high"), high),
                    (&format!("{slice}/run-7.scope/memory.current"), "2000\n"),
                    (&format!("{slice}/run-7.scope/memory.stat"), "file 999\ninactive_file 200\n"),
                ],
            );
            files.left()
        };
        assert_eq!(with_limits("max\n", "max\n", "max\n"), None);
        assert_eq!(with_limits("max\n", "9000\n", "max\n"), Some(9000 - 1800));
        assert_eq!(with_limits("max\n", "9000\n", "8000\n"), Some(8000 - 1800));
        assert_eq!(with_limits("6000\n", "9000\n", "max\n"), Some(6000 - 3500), "the outer one's");
        assert_eq!(with_limits("6000\n", "1500\n", "max\n"), Some(0), "more is used than allowed");
    }

    #[test]
    fn in_a_container_the_root_of_the_mount_is_its_group() {
        for path in ["/", "/../../elsewhere", "/docker/0123456789ab"] {
            let files = Files::new(
                "container",
                &[
                    ("proc/self/cgroup", &format!("0::{path}\n")),
                    ("sys/fs/cgroup/memory.max", "700000\n"),
                    ("sys/fs/cgroup/memory.current", "100000\n"),
                ],
            );
            assert_eq!(files.left(), Some(600_000), "{path}");
        }
    }

    #[test]
    fn version_1_has_its_own_names_and_may_stand_beside_version_2() {
        let job = "sys/fs/cgroup/memory/slurm/job_3";
        let files = Files::new(
            "version-1",
            &[
                ("proc/self/cgroup", "9:name=systemd:/\n4:cpuset,memory:/slurm/job_3\n0::/\n"),
                ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
                ("sys/fs/cgroup/memory/memory.usage_in_bytes", "123456\n"),
                (&format!("{job}/memory.limit_in_bytes"), "1000000\n"),
                (&format!("{job}/memory.usage_in_bytes"), "400000\n"),
                (&format!("{job}/memory.stat"), "inactive_file 9\ntotal_inactive_file 50000\n"),
                ("sys/fs/cgroup/unified/memory.max", "max\n"),
            ],
        );
        assert_eq!(files.left(), Some(650_000));
    }

    #[test]
    fn where_there_are_no_groups_or_no_numbers_nothing_is_known() {
        assert_eq!(memory_left(Path::new("/nowhere")), None);
        let files = Files::new(
            "none",
            &[
                ("proc/self/cgroup", "nonsense\n1:cpu:/a\n0::/a\n"),
                ("sys/fs/cgroup/a/memory.max", "much\n"),
                ("sys/fs/cgroup/memory.max", ""),
            ],
        );
        assert_eq!(files.left(), None);
    }
}
