//! What a thread's counters have counted, by call path: what is counted between two boundaries of regions belongs to the
//! path of the innermost open region. Sums lie beside the nodes of the call tree, in memory that takes no room until it
//! is used.

use crate::buffer::Reserved;
use crate::call_tree::{NodeId, MAX_NODES, ROOT, UNPLACED};
use crate::counters::Counters;

/// The counters of a thread and their sums.
pub(crate) struct CounterSums {
    counters: Counters,
    /// As many numbers for each node of the call tree as there are counters.
    memory: Reserved,
    has_changed: bool,
    /// They cannot be read any more.
    has_ended: bool,
}

impl CounterSums {
    /// `None` if there is no address space left.
    pub(crate) fn new(counters: Counters) -> Option<Self> {
        let length = MAX_NODES * counters.names().len() * size_of::<u64>();
        Some(CounterSums {
            memory: Reserved::new(length)?,
            counters,
            has_changed: false,
            has_ended: false,
        })
    }

    pub(crate) fn names(&self) -> &[String] {
        self.counters.names()
    }

    /// Whether there are sums that no block has carried yet.
    pub(crate) fn has_changed(&self) -> bool {
        self.has_changed
    }

    /// Whether the counters stopped counting before the end.
    pub(crate) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Adds what was counted since the last reading to a node; [`ROOT`] and [`UNPLACED`] for nobody.
    pub(crate) fn charge(&mut self, node: NodeId) {
        if self.has_ended {
            return;
        }
        let width = self.names().len();
        let Some(counted) = self.counters.read() else {
            self.has_ended = true;
            return;
        };
        if node == ROOT || node == UNPLACED {
            counted.for_each(drop);
            return;
        }
        // SAFETY: the memory is this value's own, and holds as many numbers for each node; it comes zeroed.
        let sums = unsafe { row(&self.memory, node, width) };
        for (sum, count) in sums.iter_mut().zip(counted) {
            *sum = sum.wrapping_add(count);
        }
        self.has_changed = true;
    }

    /// The sums of a node.
    pub(crate) fn of(&mut self, node: NodeId) -> &mut [u64] {
        // SAFETY: as in `charge`.
        unsafe { row(&self.memory, node, self.counters.names().len()) }
    }

    /// Adds the sums of a node to those of another one, its caller.
    pub(crate) fn add_to(&mut self, caller: NodeId, node: NodeId) {
        for index in 0..self.names().len() {
            let sum = self.of(node)[index];
            let of_caller = &mut self.of(caller)[index];
            *of_caller = of_caller.wrapping_add(sum);
        }
    }

    /// All of them were written, and begin at zero again.
    pub(crate) fn clear(&mut self, used: u32) {
        for node in 0..used {
            self.of(node).fill(0);
        }
        self.has_changed = false;
    }
}

/// # Safety
/// The memory holds `width` numbers for each of [`MAX_NODES`] nodes, and nobody else refers to them.
#[allow(clippy::mut_from_ref)] // the borrow of the whole value is what keeps others out
unsafe fn row(memory: &Reserved, node: NodeId, width: usize) -> &mut [u64] {
    let node = node as usize;
    assert!(node < MAX_NODES && MAX_NODES * width * size_of::<u64>() <= memory.length());
    // SAFETY: within the memory, as was just checked; zeros are numbers.
    unsafe {
        let first = memory.pointer().cast::<u64>().add(node * width);
        std::slice::from_raw_parts_mut(first, width)
    }
}
