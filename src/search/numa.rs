//! The machine's NUMA nodes: groups of processors, each with memory near it.
//!
//! The one idea: a thread reads the memory of its own node sooner than that of another. So a tree
//! can have a node for itself: its threads run on that node alone and touch the tree's memory
//! first, which is where Linux then takes it from. Elsewhere no nodes are known.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Once;

use super::control_group::text_of;

/// The most processors that a set can hold: as many as Linux can be built for.
const MAX_PROCESSORS: usize = 8192;

const WORD: usize = usize::BITS as usize;

/// A set of the machine's processors, by their numbers in the system.
#[derive(Clone, PartialEq, Eq)]
pub struct Processors {
    /// Laid out as the system's masks: words of the machine, low bits first.
    mask: [usize; MAX_PROCESSORS / WORD],
}

impl Processors {
    const NONE: Processors = Processors { mask: [0; MAX_PROCESSORS / WORD] };

    /// Reads a list such as `0-3,8,10-11`; none if it is no such list.
    pub fn in_list(list: &str) -> Option<Processors> {
        let mut all = Processors::NONE;
        for part in list.trim().split(',').filter(|part| !part.is_empty()) {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (first.parse::<usize>().ok()?, last.parse::<usize>().ok()?);
            if first > last || last >= MAX_PROCESSORS {
                return None;
            }
            (first..=last).for_each(|number| all.mask[number / WORD] |= 1 << (number % WORD));
        }
        Some(all)
    }

    /// Those that this thread may run on; none where the system does not say.
    fn allowed() -> Option<Processors> {
        #[cfg(target_os = "linux")]
        {
            let mut all = Processors::NONE;
            let room = size_of_val(&all.mask);
            // SAFETY: the mask is valid for writes of as many bytes; 0 stands for this thread.
            let known = unsafe { libc::sched_getaffinity(0, room, all.mask.as_mut_ptr().cast()) };
            (known == 0).then_some(all)
        }
        #[cfg(not(target_os = "linux"))]
        None
    }

    /// Lets this thread run on these alone; where that cannot be, it runs anywhere, which is said
    /// once.
    pub fn confine_thread(&self) {
        static SAID: Once = Once::new();
        if let Err(error) = self.try_confine_thread() {
            SAID.call_once(|| {
                log::warn!("processors {self}: a thread cannot be confined to them: {error}");
            });
        }
    }

    /// # Errors
    /// The system has none of them for this process any more, or knows no such thing.
    fn try_confine_thread(&self) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        {
            let size = size_of_val(&self.mask);
            // SAFETY: the mask is valid for reads of as many bytes; 0 stands for this thread.
            match unsafe { libc::sched_setaffinity(0, size, self.mask.as_ptr().cast()) } {
                0 => Ok(()),
                _ => Err(io::Error::last_os_error()),
            }
        }
        #[cfg(not(target_os = "linux"))]
        Err(io::ErrorKind::Unsupported.into())
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.mask.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Those that are in both sets.
    fn and(mut self, other: &Processors) -> Processors {
        self.mask.iter_mut().zip(&other.mask).for_each(|(word, other)| *word &= other);
        self
    }

    fn has(&self, number: usize) -> bool {
        self.mask[number / WORD] >> (number % WORD) & 1 == 1
    }
}

/// As a list in the manner of the system: `0-3,8,10-11`.
impl fmt::Display for Processors {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut comma = "";
        let mut next = 0;
        while let Some(first) = (next..MAX_PROCESSORS).find(|&number| self.has(number)) {
            let end = (first..MAX_PROCESSORS).find(|&number| !self.has(number));
            next = end.unwrap_or(MAX_PROCESSORS);
            match next - first {
                1 => write!(f, "{comma}{first}")?,
                _ => write!(f, "{comma}{first}-{}", next - 1)?,
            }
            comma = ",";
        }
        Ok(())
    }
}

impl fmt::Debug for Processors {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// For each NUMA node with processors that this thread may use: those. Empty where there are not
/// several, as all threads are then near their memory, or where the system does not say.
pub fn nodes() -> Vec<Processors> {
    let nodes = Processors::allowed().map(|allowed| nodes_in(Path::new("/"), &allowed));
    nodes.filter(|nodes| nodes.len() > 1).unwrap_or_default()
}

/// The nodes by a file system whose root is `root`, even a single one.
fn nodes_in(root: &Path, allowed: &Processors) -> Vec<Processors> {
    let folder = root.join("sys/devices/system/node");
    // Nodes have numbers as processors have, with gaps where one is missing.
    let Some(online) = text_of(folder.join("online")) else { return Vec::new() };
    let Some(online) = Processors::in_list(&online) else { return Vec::new() };
    let processors_of = |node: usize| {
        let list = text_of(folder.join(format!("node{node}/cpulist")))?;
        Some(Processors::in_list(&list)?.and(allowed))
    };
    let numbers = (0..MAX_PROCESSORS).filter(|&node| online.has(node));
    // Without one node's list its processors would serve no tree: then no node is known.
    let nodes: Option<Vec<Processors>> = numbers.map(processors_of).collect();
    nodes.unwrap_or_default().into_iter().filter(|all| all.count() > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::super::control_group::tests::Files;
    use super::*;

    #[test]
    fn lists_of_processors_are_read_and_written() {
        for list in ["", "0", "0-3", "5,7", "0-1,63-64,127,8191"] {
            assert_eq!(Processors::in_list(list).unwrap().to_string(), list);
        }
        let of_system = Processors::in_list("2,0-1\n").unwrap();
        assert_eq!((of_system.to_string().as_str(), of_system.count()), ("0-2", 3));
        for wrong in ["a", "3-1", "-1", "1-", "8192", "0-9999999999999999999999"] {
            assert_eq!(Processors::in_list(wrong), None, "{wrong}");
        }
    }

    /// The nodes of a machine with these files, for a process with these processors.
    fn found(name: &str, allowed: &str, files: &[(&str, &str)]) -> Vec<String> {
        let under = |&(path, text)| (format!("sys/devices/system/node/{path}"), text);
        let files: Vec<(String, &str)> = files.iter().map(under).collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, *text)).collect();
        let files = Files::new(name, &files);
        let nodes = nodes_in(&files.0, &Processors::in_list(allowed).unwrap());
        nodes.iter().map(Processors::to_string).collect()
    }

    #[test]
    fn nodes_are_those_that_are_online_and_have_processors_for_us() {
        let two = [("online", "0-1\n"), ("node0/cpulist", "0-3\n"), ("node1/cpulist", "4-7\n")];
        assert_eq!(found("numa-all", "0-7", &two), ["0-3", "4-7"]);
        assert_eq!(found("numa-some", "2-5", &two), ["2-3", "4-5"]);
        assert_eq!(found("numa-one", "5", &two), ["5"]);
        let gap = [
            ("online", "0,2-3\n"),
            ("node0/cpulist", "0,2\n"),
            ("node1/cpulist", "1\n"),
            ("node2/cpulist", "\n"),
            ("node3/cpulist", "3\n"),
        ];
        assert_eq!(found("numa-gap", "0-3", &gap), ["0,2", "3"], "one off, one memory alone");
    }

    #[test]
    fn where_nothing_is_said_there_are_no_nodes() {
        assert_eq!(found("numa-none", "0-7", &[]), [""; 0]);
        assert_eq!(found("numa-odd", "0-7", &[("online", "all\n")]), [""; 0]);
        let odd = [("online", "0-1\n"), ("node0/cpulist", "many\n"), ("node1/cpulist", "1\n")];
        assert_eq!(found("numa-half", "0-7", &odd), [""; 0]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_is_confined_and_there_are_then_no_several_nodes() {
        // A thread of its own, as others run in the same one later.
        let confined = std::thread::spawn(|| {
            let all = Processors::allowed().unwrap();
            let last = (0..MAX_PROCESSORS).rfind(|&number| all.has(number)).unwrap();
            let one = Processors::in_list(&last.to_string()).unwrap();
            one.try_confine_thread().unwrap();
            assert_eq!(Processors::allowed().unwrap(), one);
            assert_eq!(nodes(), [], "it is on one node");
            Processors::NONE.try_confine_thread().unwrap_err();
        });
        confined.join().unwrap();
    }
}
