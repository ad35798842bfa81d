//! The system as a tree: the machine, its nodes, their processes, their threads.

use super::Tree;
use crate::model::Cube;

/// Index into [`SystemTree::nodes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SystemId(pub usize);

/// Entity that a node of the system tree stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SystemKind {
    /// The machine (cluster), with all threads.
    Machine,
    /// Index into [`Cube::nodes`].
    Node(usize),
    /// Number of the process in the program. One that runs on several nodes is there once for each.
    Process(u32),
    /// Index into [`Cube::threads`].
    Thread(usize),
}

/// A machine, node, process or thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemNode {
    /// The machine, node, process or thread.
    pub kind: SystemKind,
    /// As the measurement named it; of a process "Process N".
    pub name: String,
    /// Entry that contains this one; `None` for the machine.
    pub parent: Option<SystemId>,
}

/// See the module. Nodes without a thread are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemTree {
    nodes: Vec<SystemNode>,
    tree: Tree,
    /// By node, then process, then number.
    threads: Vec<usize>,
    /// Where the threads of each node of the tree are in `threads`.
    ranges: Vec<(usize, usize)>,
}

impl SystemTree {
    /// The machine, with all threads.
    pub const ROOT: SystemId = SystemId(0);

    /// The tree of a cube's threads, in the order of nodes, processes, threads.
    pub fn new(cube: &Cube) -> Self {
        let mut threads: Vec<usize> = (0..cube.threads.len()).collect();
        threads.sort_by_key(|&t| (cube.threads[t].node, cube.threads[t].process, t));
        let mut nodes = vec![SystemNode {
            kind: SystemKind::Machine,
            name: cube.machine.clone(),
            parent: None,
        }];
        let mut ranges = vec![(0, threads.len())];
        let (mut node, mut process) = (0, 0);
        let mut previous: Option<(usize, u32)> = None;
        for (position, &number) in threads.iter().enumerate() {
            let thread = &cube.threads[number];
            if previous.map(|(node, _)| node) != Some(thread.node) {
                node = nodes.len();
                nodes.push(SystemNode {
                    kind: SystemKind::Node(thread.node),
                    name: cube.nodes.get(thread.node).cloned().unwrap_or_default(),
                    parent: Some(Self::ROOT),
                });
                ranges.push((position, position));
            }
            if previous != Some((thread.node, thread.process)) {
                process = nodes.len();
                nodes.push(SystemNode {
                    kind: SystemKind::Process(thread.process),
                    name: format!("Process {}", thread.process),
                    parent: Some(SystemId(node)),
                });
                ranges.push((position, position));
            }
            previous = Some((thread.node, thread.process));
            nodes.push(SystemNode {
                kind: SystemKind::Thread(number),
                name: thread.name.clone(),
                parent: Some(SystemId(process)),
            });
            ranges.push((position, position + 1));
            ranges[process].1 = position + 1;
            ranges[node].1 = position + 1;
        }
        let tree = Tree::new(nodes.iter().map(|n| n.parent.map(|p| p.0)));
        SystemTree {
            nodes,
            tree,
            threads,
            ranges,
        }
    }

    /// Index is the [`SystemId`]; a parent before its children.
    pub fn nodes(&self) -> &[SystemNode] {
        &self.nodes
    }

    /// Entries are [`SystemId`]s.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Indices into [`Cube::threads`] of all threads of `node`, or none if it does not exist.
    pub fn threads(&self, node: SystemId) -> &[usize] {
        match self.ranges.get(node.0) {
            Some(&(first, end)) => &self.threads[first..end],
            None => &[],
        }
    }

    /// The node of a thread.
    pub fn of_thread(&self, thread: usize) -> Option<SystemId> {
        let is_thread = |node: &SystemNode| node.kind == SystemKind::Thread(thread);
        self.nodes.iter().position(is_thread).map(SystemId)
    }
}
