//! Sums of calls by call path as the recorder keeps them, in memory that outlives its process, and
//! how they become the payload of a block: for the recorder about once a second, and for the
//! collector with what was counted since.
//!
//! A thread may be killed at any instruction, also while it writes sums into a block.
//! [`Sums::blocks`] is what decides then: one store of it makes the blocks that were just taken
//! count, and the nodes that they were taken from not, until these are zero again.

use crate::model::{CallSums, ProfileScope, SiteId};
use crate::profile;

/// Nodes of a call tree: call paths, times partners for transfers.
pub const MAX_NODES: usize = 1 << 16;

/// One call path. Fills a cache line, so that counting a call touches one line.
///
/// The first node is no call path: its `calls` are those that found no node, its `timed_calls` the
/// number of nodes in use, itself included. In a file without nodes that is 0.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(64))]
pub struct Node {
    /// Index of the caller's node, smaller than its own; 0 where nothing recorded has called.
    pub parent: u32,
    /// Number of the site in the stream.
    pub site: u32,
    /// 0 for none, else the thread plus 1.
    pub partner: u32,
    /// The child that was called last: mostly the one that is called next.
    pub last_child: u32,
    /// Calls since the node was last zero.
    pub calls: u64,
    /// Of these, calls whose time is in `ticks`.
    pub timed_calls: u64,
    /// Time of the timed calls from Enter to Exit, in ticks.
    pub ticks: u64,
    /// Bytes that transfers moved, or allocations asked for.
    pub bytes: u64,
    /// Ticks of calls that were timed but are not typical, and so stand for no others. Where sums
    /// are all there is, the time since which nothing was summed of the call that is open.
    pub long_ticks: u64,
    /// While a block is written: 0 if the node is not in it, else its entry's number plus 1.
    pub entry: u32,
    /// 1 if it has been called at some time.
    pub is_known: u8,
    /// Padding.
    pub unused: u8,
    /// Regions in the path.
    pub depth: u16,
}

const _: () = assert!(size_of::<Node>() == 64);

impl Node {
    /// Whether something was counted here.
    fn has_changed(&self) -> bool {
        self.calls != 0 || self.ticks != 0 || self.bytes != 0 || self.timed_calls != 0
    }

    /// How many calls are timed, and how many ticks they took, in the sense of a block: scaled to
    /// all calls, this is the typical calls' time, scaled, and that of the long ones as it is.
    fn timed(&self, scope: ProfileScope) -> (u64, u64) {
        if self.long_ticks == 0 || scope != ProfileScope::Within {
            return (self.timed_calls, self.ticks);
        }
        if self.timed_calls == 0 {
            return (self.calls, self.long_ticks);
        }
        let share = u128::from(self.long_ticks) * u128::from(self.timed_calls);
        let share = u64::try_from(share / u128::from(self.calls.max(1))).unwrap_or(u64::MAX);
        (self.timed_calls, self.ticks.saturating_add(share))
    }
}

/// Exclusive sums of the counters, for [`push`]: their names, and as many numbers for each node.
#[derive(Debug)]
pub struct Counted<'a, N: AsRef<str>> {
    /// Names of the counters.
    pub names: &'a [N],
    /// For each node, one sum for each counter.
    pub rows: Vec<u64>,
}

impl<N: AsRef<str>> Counted<'_, N> {
    fn of(&self, node: usize) -> &[u64] {
        let width = self.names.len();
        &self.rows[node * width..(node + 1) * width]
    }

    fn add_to(&mut self, caller: usize, node: usize) {
        let width = self.names.len();
        for index in 0..width {
            let sum = self.rows[node * width + index];
            let of_caller = &mut self.rows[caller * width + index];
            *of_caller = of_caller.wrapping_add(sum);
        }
    }
}

/// Appends the payload of a block: what `nodes` hold, children behind their parents, and what
/// counters have counted there. Returns the number of entries, which leave out what has not
/// changed. The sums stay what they are.
pub fn push<N: AsRef<str>>(
    payload: &mut Vec<u8>,
    scope: ProfileScope,
    nodes: &mut [Node],
    mut counted: Option<Counted<'_, N>>,
) -> u32 {
    let Some(root) = nodes.first() else {
        return 0;
    };
    let has_calls = scope != ProfileScope::Counters;
    let unplaced = if has_calls { root.calls } else { 0 };
    let names = counted.as_ref().map_or(&[][..], |counted| counted.names);
    let names = names.iter().map(AsRef::as_ref);
    profile::push_head(payload, scope, unplaced, names);
    // Children come after their parents: one pass backwards finds the ways to all that has changed,
    // and adds up what was counted inside.
    for index in (1..nodes.len()).rev() {
        let node = nodes[index];
        let parent = node.parent as usize;
        let mut has_counted = false;
        if let Some(counted) = &mut counted {
            has_counted = counted.of(index).iter().any(|&sum| sum != 0);
            if has_counted && parent != 0 {
                counted.add_to(parent, index);
            }
        }
        if node.entry != 0 || has_calls && node.has_changed() || has_counted {
            nodes[index].entry = 1;
            nodes[parent].entry = 1;
        }
    }
    nodes[0].entry = 0;
    let mut entries = 0;
    for index in 1..nodes.len() {
        let node = nodes[index];
        if node.entry == 0 {
            continue;
        }
        let (timed_calls, ticks) = node.timed(scope);
        let of_calls = |sum: u64| if has_calls { sum } else { 0 };
        let sums = CallSums {
            parent: nodes[node.parent as usize].entry.checked_sub(1),
            site: SiteId(node.site),
            partner: node.partner.checked_sub(1),
            calls: of_calls(node.calls),
            timed_calls: of_calls(timed_calls),
            ticks: of_calls(ticks),
            bytes: of_calls(node.bytes),
            counters: match &counted {
                Some(counted) => counted.of(index).to_vec(),
                None => Vec::new(),
            },
        };
        profile::push_entry(payload, &sums);
        entries += 1;
        nodes[index].entry = entries;
    }
    for node in nodes {
        node.entry = 0;
    }
    entries
}

/// Description of a thread's sums for a collector: part of the page.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub struct Sums {
    /// Where they lie in the file, and how long these areas are: the nodes, the counters' names
    /// (with commas between them, up to a zero byte), their sums by node, and what was taken with
    /// each of the two buffers.
    pub areas: [[u64; 2]; 5],
    /// Blocks of sums that were taken.
    pub blocks: u32,
    /// The same number when the nodes were last made zero: they count while both are equal.
    pub nodes_after: u32,
    /// Number of [`ProfileScope`] of what is counted now.
    pub scope: u32,
    /// Where sums are all there is: the innermost open region's node, 0 for none.
    pub open_node: u32,
    /// Ticks: since when the nodes count, and, where sums are all there is, of the last Enter or
    /// Exit.
    pub since: u64,
    /// Ticks of the last Enter or Exit, where sums are all there is.
    pub last_time: u64,
    /// Blocks that were taken with each of the two buffers.
    pub taken: [Taken; 2],
}

/// Areas of [`Sums`].
pub const NODES: usize = 0;
/// Index of the area with the counters' names.
pub const NAMES: usize = 1;
/// Index of the area with the counters' sums by node.
pub const ROWS: usize = 2;
/// Index of the area with the payloads that were taken.
pub const TAKEN: usize = 3;

/// Blocks of sums that were taken with a buffer: their payloads lie in its area, one behind the
/// other.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub struct Taken {
    /// Number of the first block among the thread's blocks of sums. It is there if
    /// [`Sums::blocks`] is larger.
    pub first: u32,
    /// Entries in each of the payloads.
    pub entries: [u32; 2],
    /// Padding.
    pub unused: u32,
    /// Bytes of the payloads, 0 for none.
    pub lengths: [u64; 2],
    /// Ticks.
    pub span: [u64; 2],
}

impl Taken {
    /// Stands for a number that no block has.
    pub const NONE: u32 = u32::MAX;
}

/// Nodes of a process that is gone, as they would have been at its end: adds the time of regions
/// that were open, and leaves torn values out. `None` if the nodes are no tree.
pub(super) fn repaired(mut nodes: Vec<Node>, sums: &Sums, sites: u32) -> Option<Vec<Node>> {
    let is_tree = nodes.iter().enumerate().skip(1).all(|(index, node)| {
        (node.parent as usize) < index && (node.site < sites || !node.has_changed())
    });
    if !is_tree {
        return None;
    }
    let is_beyond = sums.scope == u32::from(ProfileScope::Beyond.number());
    if is_beyond {
        let mut open = sums.open_node as usize;
        while open != 0 && open < nodes.len() {
            let node = &mut nodes[open];
            let ticks = sums.last_time.saturating_sub(node.long_ticks);
            node.ticks = node.ticks.wrapping_add(ticks);
            open = node.parent as usize;
        }
    }
    for node in nodes.iter_mut().skip(1) {
        node.entry = 0;
        // The call of which only a part was counted when the thread was killed.
        node.timed_calls = node.timed_calls.min(node.calls);
        if is_beyond {
            // Callees of the deepest paths are subtracted before the paths' own time is added.
            if node.ticks > i64::MAX as u64 {
                node.ticks = 0;
            }
        } else {
            if node.calls == 0 {
                (node.bytes, node.long_ticks) = (0, 0);
            }
            if node.timed_calls == 0 {
                node.ticks = 0;
            }
        }
    }
    Some(nodes)
}
