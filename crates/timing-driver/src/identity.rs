//! Hosts, nodes and cores of the threads.

use crate::messages::{broadcast, gather};
use crate::threads::Threads;
use serde::{Deserialize, Serialize};
use std::fs;
use std::mem;

/// Nodes of all threads, and whether each has a core.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nodes {
    /// By thread; numbered from 0 in the order of threads.
    pub of: Vec<usize>,
    /// By node.
    pub hosts: Vec<String>,
    pub have_cores: bool,
    /// Threads of the host that has most.
    pub most_on_a_host: usize,
    /// Bytes of memory of the smallest host.
    pub memory: u64,
}

/// One thread's place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Identity {
    host: String,
    /// Differs between hosts of one name.
    boot: String,
    /// The model's own number.
    node: i32,
    /// Cores that the thread may use.
    cores: Vec<usize>,
    /// Bytes of the host's memory.
    memory: u64,
}

impl Nodes {
    /// Gathers them from all threads.
    pub fn find(threads: Threads) -> Self {
        let own = serde_json::to_vec(&Identity::own(threads.node()));
        let all = gather(threads, &own.expect("an identity is plain data"));
        let found = all.map(|all| {
            let identities = all.iter().map(|bytes| {
                serde_json::from_slice(bytes).expect("an identity as a thread has written it")
            });
            Nodes::of(&identities.collect::<Vec<_>>())
        });
        let found = found.map(|nodes| serde_json::to_vec(&nodes).expect("nodes are plain data"));
        let bytes = broadcast(threads, found.unwrap_or_default());
        serde_json::from_slice(&bytes).expect("nodes as thread 0 has written them")
    }

    /// The threads on a thread's node.
    pub fn with(&self, thread: usize) -> Vec<usize> {
        let near = |other: &usize| self.of[*other] == self.of[thread];
        (0..self.of.len()).filter(near).collect()
    }

    fn of(threads: &[Identity]) -> Self {
        let mut nodes: Vec<&Identity> = Vec::new();
        let number = |thread| {
            let known = nodes.iter().position(|node| node.is_near(thread));
            known.unwrap_or_else(|| {
                nodes.push(thread);
                nodes.len() - 1
            })
        };
        Nodes {
            of: threads.iter().map(number).collect(),
            hosts: nodes.iter().map(|node| node.host.clone()).collect(),
            have_cores: threads.iter().all(|thread| thread.has_core(threads)),
            most_on_a_host: threads
                .iter()
                .map(|t| t.on_host(threads).count())
                .max()
                .unwrap_or(1),
            memory: threads
                .iter()
                .map(|thread| thread.memory)
                .min()
                .unwrap_or(0),
        }
    }
}

impl Identity {
    fn own(node: i32) -> Self {
        Identity {
            host: line("/proc/sys/kernel/hostname"),
            boot: line("/proc/sys/kernel/random/boot_id"),
            node,
            cores: affinity(),
            memory: memory(),
        }
    }

    /// The threads of its host, itself among them.
    fn on_host<'a>(&'a self, all: &'a [Identity]) -> impl Iterator<Item = &'a Identity> {
        all.iter().filter(|other| self.is_on_host_of(other))
    }

    fn is_on_host_of(&self, other: &Identity) -> bool {
        self.host == other.host && self.boot == other.boot
    }

    fn is_near(&self, other: &Identity) -> bool {
        self.is_on_host_of(other) && self.node == other.node
    }

    /// The threads of its host are no more than the cores that they may use together.
    fn has_core(&self, all: &[Identity]) -> bool {
        let mut cores: Vec<_> = self.on_host(all).flat_map(|thread| &thread.cores).collect();
        cores.sort();
        cores.dedup();
        self.on_host(all).count() <= cores.len()
    }
}

/// The line of a file of the kernel, empty if it cannot be read.
fn line(file: &str) -> String {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.trim_end().to_string()
}

/// The cores that this thread may use; none if the system does not say.
fn affinity() -> Vec<usize> {
    // SAFETY: a set of cores is plain bits, for which zero is the empty set.
    let mut set: libc::cpu_set_t = unsafe { mem::zeroed() };
    // SAFETY: `set` is a set of the size that is passed.
    if unsafe { libc::sched_getaffinity(0, mem::size_of_val(&set), &mut set) } != 0 {
        return Vec::new();
    }
    let cores = 0..8 * mem::size_of_val(&set);
    // SAFETY: each number is below the size of the set.
    cores
        .filter(|core| unsafe { libc::CPU_ISSET(*core, &set) })
        .collect()
}

/// Bytes of memory, 0 if the system does not say.
fn memory() -> u64 {
    // SAFETY: the function only returns numbers.
    let (pages, bytes) = unsafe {
        (
            libc::sysconf(libc::_SC_PHYS_PAGES),
            libc::sysconf(libc::_SC_PAGESIZE),
        )
    };
    u64::try_from(pages).unwrap_or(0) * u64::try_from(bytes).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{Identity, Nodes};

    fn thread(host: &str, node: i32, cores: &[usize]) -> Identity {
        Identity {
            host: host.to_string(),
            boot: "1".to_string(),
            node,
            cores: cores.to_vec(),
            memory: 1 << 30,
        }
    }

    #[test]
    fn nodes_are_hosts_or_what_the_model_says() {
        let [a, b, played] = [
            thread("a", 0, &[0]),
            thread("b", 0, &[0]),
            thread("a", 1, &[0]),
        ];
        let nodes = Nodes::of(&[a.clone(), b, a, played]);
        assert_eq!(nodes.of, [0, 1, 0, 2]);
        assert_eq!(nodes.hosts, ["a", "b", "a"]);
        let mut other = thread("a", 0, &[0]);
        other.boot = "2".to_string();
        assert_eq!(Nodes::of(&[thread("a", 0, &[0]), other]).of, [0, 1]);
    }

    #[test]
    fn threads_have_cores_where_they_are_no_more_than_cores() {
        let have = |threads: &[Identity]| Nodes::of(threads).have_cores;
        assert!(have(&[thread("a", 0, &[0]), thread("a", 0, &[1])]));
        assert!(have(&[thread("a", 0, &[0]), thread("b", 0, &[0])]));
        assert!(!have(&[thread("a", 0, &[0]), thread("a", 0, &[0])]));
        assert!(!have(&[thread("a", 0, &[0]), thread("a", 1, &[0])]));
    }
}
