//! Sums of calls by call path, for what is not recorded event by event: throttled calls, and
//! everything while no trace is written. The tree of a thread has a fixed number of nodes in
//! reserved memory, so it costs nothing until it is used and never grows beyond that; calls that
//! find no node are counted, and their time stays with their caller.
//!
//! Nodes lie in the file of the thread's buffers where there is one (`shared`), so that what was
//! counted outlives the process. They are plain memory either way: a call is counted by the same
//! instructions.

use std::ffi::CString;
use std::sync::atomic::{Ordering, compiler_fence};

use pgas_trace_format::buffers::page::PAGE;
use pgas_trace_format::buffers::sums::{self, Counted, MAX_NODES, Node};
use pgas_trace_format::model::ProfileScope;
// The analysis cuts paths there, too.
use pgas_trace_format::profile::DEEPEST;

use crate::buffer::Reserved;
use crate::buffer_file::provide_in;
use crate::counter_sums::CounterSums;
use crate::node_id::{NodeId, ROOT, UNPLACED};
use crate::test_kill;

/// Bytes of an entry of sums, at most: ten numbers of ten bytes each.
pub(crate) const LONGEST_ENTRY: usize = 100;

/// Slots of the hash table: at most half of them are taken.
const SLOTS: usize = 2 * MAX_NODES;

/// The tree of one thread.
pub(crate) struct CallTree {
    nodes: Reserved,
    /// Numbers of nodes, by hash of what they are; 0 for none.
    table: Reserved,
    changed: bool,
    /// Nodes that can be written without the system having to find room for them.
    provided: usize,
    /// The file that the nodes lie in, and where; `None` if nobody else can read them.
    file: Option<(CString, u64)>,
}

/// Bytes of the nodes' area in a file. Together with the table they take 4.5 MB if all are used.
pub(crate) const LENGTH: usize = MAX_NODES * size_of::<Node>();
/// Bytes of it that are provided at first: what the first node takes without a file, too.
pub(crate) const FIRST: usize = PAGE;

impl CallTree {
    /// `None` if there is no address space left.
    pub(crate) fn new() -> Option<Self> {
        let mut tree = CallTree {
            nodes: Reserved::new(LENGTH)?,
            table: Reserved::new(SLOTS * size_of::<u32>())?,
            changed: false,
            provided: MAX_NODES,
            file: None,
        };
        // No node is a child of this one's parent, so that no child is mistaken for the root.
        tree.nodes()[ROOT as usize].parent = UNPLACED;
        tree.nodes()[ROOT as usize].timed_calls = 1;
        Some(tree)
    }

    /// Puts the nodes, of which only the root is in use, into an area of a file whose first
    /// [`FIRST`] bytes are provided. If that fails, everything is as it was.
    pub(crate) fn share(&mut self, descriptor: libc::c_int, file: CString, offset: u64) -> bool {
        let root = self.nodes()[ROOT as usize];
        let is_mapped = self.used() == 1 && self.nodes.map(descriptor, offset);
        self.nodes()[ROOT as usize] = root;
        if is_mapped {
            self.provided = FIRST / size_of::<Node>();
            self.file = Some((file, offset));
        }
        is_mapped
    }

    /// Provides memory for more nodes, twice as many as before: in the file, or else for all of
    /// them in the process's own. Whether there is any.
    fn provide_more(&mut self) -> bool {
        let Some((file, offset)) = &self.file else {
            return false;
        };
        let more = (2 * self.provided).min(MAX_NODES);
        if more > self.provided && provide_in(file, *offset, more * size_of::<Node>()) {
            self.provided = more;
            return true;
        }
        let used = self.used();
        // Others find no nodes here from now on.
        self.nodes()[ROOT as usize].timed_calls = 0;
        let is_own = self.nodes.take_back(used as usize * size_of::<Node>());
        self.nodes()[ROOT as usize].timed_calls = u64::from(used);
        if is_own {
            self.file = None;
            self.provided = MAX_NODES;
        }
        is_own
    }

    /// The node of calls of `site` from `parent` (with a thread as partner, plus 1, or 0);
    /// [`UNPLACED`] if there is no room.
    #[inline(always)]
    pub(crate) fn child(&mut self, parent: NodeId, site: u32, partner: u32) -> NodeId {
        if let Some(of) = self.nodes().get(parent as usize) {
            let last = of.last_child;
            let node = &self.nodes()[last as usize];
            if node.site == site && node.parent == parent && node.partner == partner {
                return last;
            }
        }
        self.find_or_add(parent, site, partner)
    }

    /// The node of calls of `site` with `partner` from `caller`, if that was the last one called
    /// there and its calls were counted before. Not for the root as the caller, which may also
    /// stand for a node that nobody has asked for.
    #[inline(always)]
    pub(crate) fn known_child(
        &mut self,
        caller: NodeId,
        site: u32,
        partner: u32,
    ) -> Option<NodeId> {
        let nodes = self.nodes();
        let last = nodes.get(caller as usize)?.last_child;
        let node = nodes.get(last as usize)?;
        let is_it = node.site == site && node.parent == caller && node.partner == partner;
        (is_it && node.is_known != 0 && caller != ROOT).then_some(last)
    }

    /// Whether no call of this node was counted yet.
    #[inline(always)]
    pub(crate) fn is_new(&mut self, node: NodeId) -> bool {
        self.nodes()
            .get(node as usize)
            .is_some_and(|node| node.is_known == 0)
    }

    /// Counts a call.
    #[inline(always)]
    pub(crate) fn count(&mut self, node: NodeId, bytes: u64) {
        self.changed = true;
        match self.nodes().get_mut(node as usize) {
            Some(node) => {
                node.calls += 1;
                node.bytes = node.bytes.wrapping_add(bytes);
                node.is_known = 1;
            }
            None => self.nodes()[ROOT as usize].calls += 1,
        }
    }

    /// Counts calls of which only the number and the bytes are known.
    pub(crate) fn count_many(&mut self, node: NodeId, calls: u64, bytes: u64) {
        self.changed = true;
        match self.nodes().get_mut(node as usize) {
            Some(node) => {
                node.calls = node.calls.saturating_add(calls);
                node.bytes = node.bytes.wrapping_add(bytes);
                node.is_known = 1;
            }
            None => {
                let root = &mut self.nodes()[ROOT as usize];
                root.calls = root.calls.saturating_add(calls);
            }
        }
    }

    /// Counts a call that took `ticks`.
    #[inline(always)]
    pub(crate) fn count_timed(&mut self, node: NodeId, bytes: u64, ticks: u64) {
        self.count(node, bytes);
        self.note_timed(node);
        self.add_ticks(node, ticks);
    }

    /// Counts a call that took `ticks`, which is so unlike the others that it tells nothing about
    /// them.
    pub(crate) fn count_long(&mut self, node: NodeId, bytes: u64, ticks: u64) {
        self.count(node, bytes);
        if let Some(node) = self.nodes().get_mut(node as usize) {
            node.long_ticks = node.long_ticks.saturating_add(ticks);
        }
    }

    /// A call that is counted is one of those that are timed.
    #[inline(always)]
    pub(crate) fn note_timed(&mut self, node: NodeId) {
        if let Some(node) = self.nodes().get_mut(node as usize) {
            node.timed_calls += 1;
        }
    }

    /// Adds to the time of the calls that are timed.
    #[inline(always)]
    pub(crate) fn add_ticks(&mut self, node: NodeId, ticks: u64) {
        if let Some(node) = self.nodes().get_mut(node as usize) {
            node.ticks = node.ticks.wrapping_add(ticks);
            self.changed = true;
        }
    }

    /// Adds to the time of the calls that are timed; what `caller` called beside itself is no part
    /// of its own time.
    #[inline(always)]
    pub(crate) fn add_ticks_below(&mut self, caller: NodeId, node: NodeId, ticks: u64) {
        self.add_ticks(node, ticks);
        let is_deepest = |node: Option<&mut Node>| node.is_some_and(|node| node.depth == DEEPEST);
        if is_deepest(self.nodes().get_mut(node as usize)) {
            if let Some(caller) = self.nodes().get_mut(caller as usize) {
                if caller.depth == DEEPEST {
                    // It is still open: its own time, which is longer, is added later.
                    caller.ticks = caller.ticks.wrapping_sub(ticks);
                }
            }
        }
    }

    /// A call that has no node.
    #[cold]
    pub(crate) fn count_unplaced(&mut self) {
        self.changed = true;
        self.nodes()[ROOT as usize].calls += 1;
    }

    /// Adds to the bytes of the calls.
    pub(crate) fn add_bytes(&mut self, node: NodeId, bytes: u64) {
        if let Some(node) = self.nodes().get_mut(node as usize) {
            node.bytes = node.bytes.wrapping_add(bytes);
        }
    }

    /// Ticks of the calls that were timed, since sums were last taken.
    pub(crate) fn ticks(&mut self, node: NodeId) -> u64 {
        self.nodes().get(node as usize).map_or(0, |node| node.ticks)
    }

    /// The calls that were timed, and their ticks, since sums were last taken.
    pub(crate) fn timed(&mut self, node: NodeId) -> (u64, u64) {
        let node = self.nodes().get(node as usize);
        node.map_or((0, 0), |node| (node.timed_calls, node.ticks))
    }

    /// The caller and the site of a node.
    pub(crate) fn path_step(&mut self, node: NodeId) -> (NodeId, u32) {
        let node = self.nodes().get(node as usize);
        node.map_or((ROOT, 0), |node| (node.parent, node.site))
    }

    /// Removes all nodes.
    pub(crate) fn forget_everything(&mut self) {
        for index in 1..self.used() as usize {
            let node = self.nodes()[index];
            let slot = (first_slot(node.parent, node.site, node.partner)..)
                .find(|slot| self.table()[slot % SLOTS] == index as u32);
            if let Some(slot) = slot {
                self.table()[slot % SLOTS] = 0;
            }
        }
        let root = &mut self.nodes()[ROOT as usize];
        root.last_child = ROOT;
        root.calls = 0;
        root.timed_calls = 1;
        self.changed = false;
    }

    /// Nodes in use, with the root.
    pub(crate) fn used(&self) -> u32 {
        // SAFETY: as in `nodes`.
        let root = unsafe { &*self.nodes.pointer().cast::<Node>() };
        root.timed_calls as u32
    }

    /// Bytes that the sums take at most when they are written.
    pub(crate) fn size(&self) -> usize {
        LONGEST_ENTRY * self.used() as usize
    }

    /// Whether there are sums that no block has carried yet.
    pub(crate) fn has_changed(&self) -> bool {
        self.changed
    }

    /// Writes all sums since the last time into `payload`, with those of `counters` if there are
    /// any. Returns the number of entries, which leave out what has not changed.
    pub(crate) fn write(
        &mut self,
        scope: ProfileScope,
        counters: Option<&mut CounterSums>,
        payload: &mut Vec<u8>,
    ) -> u32 {
        payload.clear();
        let used = self.used() as usize;
        let counted = counters.map(|counters| {
            let rows = counters.rows(used);
            let names = counters.names();
            Counted { names, rows }
        });
        sums::push(payload, scope, &mut self.nodes()[..used], counted)
    }

    /// Sets all sums to zero that were written.
    pub(crate) fn clear(&mut self, scope: ProfileScope) {
        self.changed = false;
        let used = self.used() as usize;
        let nodes = self.nodes();
        nodes[ROOT as usize].calls = 0;
        for node in &mut nodes[1..used] {
            node.calls = 0;
            compiler_fence(Ordering::SeqCst);
            test_kill::point("sums: clearing");
            node.timed_calls = 0;
            node.ticks = 0;
            node.bytes = 0;
            // Elsewhere it is a time.
            if scope == ProfileScope::Within {
                node.long_ticks = 0;
            }
        }
    }

    /// A call is open of which nothing was summed since `time`, while sums are all there is.
    #[inline(always)]
    pub(crate) fn note_begin(&mut self, node: NodeId, time: u64) {
        if let Some(node) = self.nodes().get_mut(node as usize) {
            node.long_ticks = time;
        }
    }

    #[inline(never)]
    fn find_or_add(&mut self, parent: NodeId, site: u32, partner: u32) -> NodeId {
        if parent == UNPLACED {
            return UNPLACED;
        }
        let caller = self.nodes()[parent as usize];
        let parent = match caller.depth {
            DEEPEST => caller.parent,
            _ => parent,
        };
        let mut slot = first_slot(parent, site, partner);
        loop {
            let index = self.table()[slot % SLOTS];
            if index == 0 {
                break;
            }
            let node = &self.nodes()[index as usize];
            if node.site == site && node.parent == parent && node.partner == partner {
                self.nodes()[parent as usize].last_child = index;
                return index;
            }
            slot += 1;
        }
        let index = self.used();
        if index as usize == MAX_NODES {
            return UNPLACED;
        }
        if index as usize >= self.provided && !self.provide_more() {
            return UNPLACED;
        }
        self.nodes()[index as usize] = Node {
            parent,
            site,
            partner,
            last_child: ROOT,
            depth: self.nodes()[parent as usize].depth + 1,
            ..Node::default()
        };
        compiler_fence(Ordering::Release);
        self.nodes()[ROOT as usize].timed_calls += 1;
        compiler_fence(Ordering::Release);
        // Last, so that it never leads to a node that is none.
        self.table()[slot % SLOTS] = index;
        self.nodes()[parent as usize].last_child = index;
        index
    }

    #[inline(always)]
    fn nodes(&mut self) -> &mut [Node] {
        // SAFETY: the memory is the tree's own and holds as many nodes; it comes zeroed, and zeros
        // are a node.
        unsafe { std::slice::from_raw_parts_mut(self.nodes.pointer().cast(), MAX_NODES) }
    }

    fn table(&mut self) -> &mut [u32] {
        // SAFETY: the memory is the tree's own and holds as many slots, zeroed.
        unsafe { std::slice::from_raw_parts_mut(self.table.pointer().cast(), SLOTS) }
    }
}

/// Fibonacci hashing, as the dictionary does it.
fn first_slot(parent: NodeId, site: u32, partner: u32) -> usize {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let words = u64::from(parent) << 40 ^ u64::from(site) << 16 ^ u64::from(partner);
    (words.wrapping_mul(GOLDEN) >> (64 - SLOTS.trailing_zeros())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgas_trace_format::model::Profile;
    use pgas_trace_format::profile;

    fn taken(tree: &mut CallTree) -> Profile {
        let mut payload = Vec::new();
        let entries = tree.write(ProfileScope::Within, None, &mut payload);
        tree.clear(ProfileScope::Within);
        profile::read(&payload, entries, (0, 0), u32::MAX, u32::MAX).unwrap()
    }

    #[test]
    fn paths_are_distinguished_and_found_again() {
        let mut tree = CallTree::new().unwrap();
        let main = tree.child(ROOT, 0, 0);
        let (f, g) = (tree.child(main, 1, 0), tree.child(main, 2, 0));
        let f_in_g = tree.child(g, 1, 0);
        let (near, far) = (tree.child(f, 3, 1), tree.child(f, 3, 2));
        for (found, wanted) in [
            (tree.child(f, 3, 1), near),
            (tree.child(f, 3, 2), far),
            (tree.child(main, 1, 0), f),
            (tree.child(g, 1, 0), f_in_g),
            (tree.child(ROOT, 0, 0), main),
        ] {
            assert_eq!(found, wanted);
        }
        assert_eq!(tree.used(), 7);
        assert!(tree.is_new(near));
        tree.count_timed(near, 8, 100);
        assert!(!tree.is_new(near) && tree.is_new(far));
    }

    #[test]
    fn a_recursion_leaves_room_for_others() {
        let mut tree = CallTree::new().unwrap();
        let main = tree.child(ROOT, 0, 0);
        let mut path = vec![main];
        for _ in 0..2 * MAX_NODES {
            path.push(tree.child(path[path.len() - 1], 1, 0));
        }
        let deepest = path[usize::from(DEEPEST)];
        assert_eq!(tree.used(), u32::from(DEEPEST) + 1);
        assert!(
            path[usize::from(DEEPEST) - 1..]
                .iter()
                .all(|&node| node == deepest)
        );
        assert_ne!(tree.child(main, 2, 0), UNPLACED);
        // Each of three calls at the deepest path takes 10 ticks, and what it calls.
        for (ticks, caller) in [
            (10, deepest),
            (20, deepest),
            (30, path[usize::from(DEEPEST) - 2]),
        ] {
            tree.add_ticks_below(caller, deepest, ticks);
        }
        assert_eq!(tree.ticks(deepest), 30);
    }

    #[test]
    fn sums_are_written_once_and_with_the_way_to_them() {
        let mut tree = CallTree::new().unwrap();
        let main = tree.child(ROOT, 0, 0);
        let f = tree.child(main, 1, 0);
        let quiet = tree.child(main, 2, 0);
        let get = tree.child(f, 3, 5);
        assert!(!tree.has_changed());
        tree.count(get, 8);
        tree.count_timed(get, 4, 70);
        let profile = taken(&mut tree);
        let paths: Vec<_> = profile
            .entries
            .iter()
            .map(|e| (e.parent, e.site.0))
            .collect();
        assert_eq!(paths, [(None, 0), (Some(0), 1), (Some(1), 3)]);
        let last = &profile.entries[2];
        assert_eq!(last.partner, Some(4));
        assert_eq!((last.calls, last.timed_calls), (2, 1));
        assert_eq!((last.ticks, last.bytes), (70, 12));
        assert!(!tree.has_changed());
        tree.count(quiet, 0);
        let paths: Vec<_> = taken(&mut tree).entries.iter().map(|e| e.site.0).collect();
        assert_eq!(paths, [0, 2]);
        assert_eq!(taken(&mut tree).entries, []);
    }

    /// A thread that lost its core in the middle of a call that was timed, one of 32 or so, would
    /// seem to do so in each.
    #[test]
    fn a_long_call_stands_for_itself_alone() {
        let mut tree = CallTree::new().unwrap();
        let f = tree.child(ROOT, 0, 0);
        for _ in 0..99 {
            tree.count_timed(f, 0, 10);
            for _ in 0..31 {
                tree.count(f, 0);
            }
        }
        tree.count_long(f, 0, 1_000_000);
        let sums = &taken(&mut tree).entries[0];
        assert_eq!((sums.calls, sums.timed_calls), (99 * 32 + 1, 99));
        let all = sums.ticks as f64 * sums.calls as f64 / sums.timed_calls as f64;
        assert!((all - 1_031_680.0).abs() < 100.0, "{all}");
        tree.count_long(f, 0, 7);
        let sums = &taken(&mut tree).entries[0];
        assert_eq!((sums.calls, sums.timed_calls, sums.ticks), (1, 1, 7));
    }

    #[test]
    fn what_finds_no_room_is_counted() {
        let mut tree = CallTree::new().unwrap();
        let mut node = ROOT;
        for site in 1..MAX_NODES as u32 {
            let caller = if site % 1000 == 0 { ROOT } else { node };
            node = tree.child(caller, site, 0);
            tree.count_timed(node, 0, 1);
        }
        assert_ne!(node, UNPLACED);
        let beyond = tree.child(node, 1, 0);
        assert_eq!(beyond, UNPLACED);
        assert_eq!(tree.child(beyond, 7, 0), UNPLACED);
        tree.count_timed(beyond, 8, 1000);
        tree.count(beyond, 8);
        let profile = taken(&mut tree);
        assert_eq!(profile.unplaced_calls, 2);
        assert_eq!(profile.entries.len(), MAX_NODES - 1);
        assert_eq!(
            profile.entries.iter().map(|e| e.ticks).sum::<u64>(),
            MAX_NODES as u64 - 1
        );
    }
}
