//! How many games the system's limits allow at a time.
//!
//! The one idea: a game takes two sockets and three threads. Limits are looked up once, before the
//! first player comes; a soft limit is raised where the system allows it. Games beyond a limit are
//! not lost: their players wait until others have ended.

/// What limits the number of games at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Max games at a time.
    pub games: usize,
    /// The limit, such as `open files: ulimit -n 1024`.
    pub by: String,
}

/// Sockets and threads of a game.
#[cfg(target_os = "linux")]
const SOCKETS: usize = 2;
#[cfg(target_os = "linux")]
const THREADS: usize = 3;

/// Makes room for a number of games; returns the narrowest limit if there is not enough.
pub fn make_room(games: usize) -> Option<Limit> {
    system::limits(games).into_iter().min_by_key(|limit| limit.games).filter(|l| l.games < games)
}

#[cfg(target_os = "linux")]
mod system {
    use super::{Limit, SOCKETS, THREADS};
    use std::fs;
    use std::path::Path;

    /// Descriptors and threads beside those of the games: newcomers, the page, the printer.
    const RESERVE: usize = 16;

    pub fn limits(games: usize) -> Vec<Limit> {
        let mut limits = Vec::new();
        let open = count("/proc/self/fd") + RESERVE;
        if let Some(files) = raised(open.saturating_add(games.saturating_mul(SOCKETS))) {
            let by = format!("open files: ulimit -n {files}");
            limits.push(Limit { games: files.saturating_sub(open) / SOCKETS, by });
        }
        let own = count("/proc/self/task") + RESERVE;
        let mut threads = |max: Option<usize>, by: &str| {
            if let Some(max) = max {
                let by = format!("threads: {by} {max}");
                limits.push(Limit { games: max.saturating_sub(own) / THREADS, by });
            }
        };
        threads(max_processes(), "ulimit -u");
        threads(number("/proc/sys/kernel/threads-max"), "kernel.threads-max");
        threads(max_of_group(), "pids.max of the control group");
        // The stack of a thread and its guard are two areas of memory.
        let areas = number("/proc/sys/vm/max_map_count").map(|max| max / 2);
        threads(areas, "half of vm.max_map_count,");
        limits
    }

    /// The limit of open files, raised to `wanted` where it may be.
    fn raised(wanted: usize) -> Option<usize> {
        // SAFETY: there is room for the answer.
        let mut limit = filled(|room| unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, room) })?;
        let wanted = (wanted as libc::rlim_t).min(limit.rlim_max);
        if limit.rlim_cur < wanted {
            let higher = libc::rlimit { rlim_cur: wanted, ..limit };
            // SAFETY: the value outlives the call.
            if unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const higher) } == 0 {
                log::info!("the limit of open files is raised to {wanted}");
                limit = higher;
            }
        }
        finite(limit.rlim_cur)
    }

    /// The user's limit of threads; the system's administrator has none.
    fn max_processes() -> Option<usize> {
        // SAFETY: takes and returns plain numbers.
        let administrator = unsafe { libc::geteuid() } == 0;
        // SAFETY: there is room for the answer.
        let limit = filled(|room| unsafe { libc::getrlimit(libc::RLIMIT_NPROC, room) })?;
        if administrator { None } else { finite(limit.rlim_cur) }
    }

    /// A limit, filled in by the system.
    fn filled(ask: impl FnOnce(*mut libc::rlimit) -> libc::c_int) -> Option<libc::rlimit> {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        (ask(&raw mut limit) == 0).then_some(limit)
    }

    fn finite(limit: libc::rlim_t) -> Option<usize> {
        usize::try_from(limit).ok().filter(|_| limit != libc::RLIM_INFINITY)
    }

    fn max_of_group() -> Option<usize> {
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        let group = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
        number(Path::new("/sys/fs/cgroup").join(group).join("pids.max"))
    }

    /// The number in a file; none for `max`.
    fn number(file: impl AsRef<Path>) -> Option<usize> {
        fs::read_to_string(file).ok()?.trim().parse().ok()
    }

    fn count(folder: &str) -> usize {
        fs::read_dir(folder).map_or(0, Iterator::count)
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::Limit;

    pub fn limits(_: usize) -> Vec<Limit> {
        Vec::new()
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_thousand_million_games_do_not_fit() {
        assert_eq!(make_room(1), None);
        let limit = make_room(1_000_000_000).unwrap();
        assert!((1..1_000_000_000).contains(&limit.games) && !limit.by.is_empty(), "{limit:?}");
    }
}
