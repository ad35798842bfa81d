//! The nodes that threads ran on, and how far data is from a thread.

use std::collections::HashMap;

use pgas_trace::model::ThreadId;

/// Nodes of a run, numbered in the order of their first threads.
#[derive(Debug, Clone, Default)]
pub(crate) struct Nodes {
    names: Vec<String>,
    by_thread: Vec<usize>,
}

/// Where data is, seen from a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Distance {
    Own,
    SameNode,
    OtherNode,
}

impl Nodes {
    /// From the name of each thread's node.
    pub fn new<'a>(hosts: impl Iterator<Item = &'a str>) -> Self {
        let mut nodes = Nodes::default();
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        for host in hosts {
            let next = nodes.names.len();
            let number = *numbers.entry(host).or_insert(next);
            if number == next {
                nodes.names.push(host.to_owned());
            }
            nodes.by_thread.push(number);
        }
        nodes
    }

    pub fn are_several(&self) -> bool {
        self.names.len() > 1
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The node of a thread; `None` for a thread that does not exist.
    pub fn of(&self, thread: ThreadId) -> Option<usize> {
        self.by_thread.get(thread as usize).copied()
    }

    /// Threads of a node, ascending.
    pub fn threads(&self, node: usize) -> impl Iterator<Item = ThreadId> + '_ {
        let all = (0..).zip(&self.by_thread);
        all.filter_map(move |(thread, &own)| (own == node).then_some(thread))
    }

    /// `None` where one of the two does not exist.
    pub fn distance(&self, thread: ThreadId, owner: ThreadId) -> Option<Distance> {
        let (node, other) = (self.of(thread)?, self.of(owner)?);
        Some(match node == other {
            _ if thread == owner => Distance::Own,
            true => Distance::SameNode,
            false => Distance::OtherNode,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_own_on_the_same_node_or_on_another_one() {
        let nodes = Nodes::new(["b", "a", "b"].into_iter());
        assert_eq!(nodes.names(), ["b", "a"]);
        assert!(nodes.are_several());
        assert_eq!(nodes.threads(0).collect::<Vec<_>>(), [0, 2]);
        let distances = [0, 1, 2, 3].map(|owner| nodes.distance(0, owner));
        let known = [Distance::Own, Distance::OtherNode, Distance::SameNode];
        assert_eq!(distances[..3], known.map(Some));
        assert_eq!(distances[3], None);
    }
}
